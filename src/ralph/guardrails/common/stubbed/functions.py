"""Functions that did something and now only say that they are not written (policy set v2, class G19).

Rules, for Go, Rust, Java, Kotlin, C# and Ruby; functions are known by their type and name:

- A function of the base that did something, and whose last statement in the head refuses to work, blocks.
- Without a word about work to come it is for a person where the language's way to refuse is also its way to say that
  an operation does not exist, or must come from a subclass.
- Work that became one constant answers nobody's question. It blocks where the function had parameters that it used
  (but for a flag of a feature), where a test wants just that constant of it, and where it says that the work is still
  to come. Several steps that became a constant are for a person else: so features are retired.
- One that checked something and accepts everything now blocks (`accepting`).
- A new function that is only a placeholder is for a person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.common.product.special import tests_of
from ralph.guardrails.common.stubbed.accepting import EMPTIED, Side, accepts_all
from ralph.guardrails.inventory.readers import TEST_PLACE, language
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.guardrails.texts import bare, read_source
from ralph.system.patterns import later

LATER = r"(?i:not[ _-]*(?:yet[ _-]*)?implement|unimplemented|implement(?:ed)? (?:me|this)|\btodo\b|\bstub\b|\blater\b)"
UNWRITTEN = r"(?i:not[ _-]*(?:yet[ _-]*)?implemented|unimplemented|todo\b)"
"""What `unimplemented!()` and `todo!()` say."""
REFUSES = {
    "go": (rf"^panic\([^\n]*{LATER}|^return [^\n]*\b(?:errors\.New|fmt\.Errorf)\(\"[^\n\"]*{LATER}", ""),
    "rust": (
        rf"^(?:std::|core::)?(?:(?:unimplemented|todo)!|panic!\(\"{UNWRITTEN})",
        rf"^panic!\([^\n]*{LATER}|^(?:std::|core::)?unreachable!",
    ),
    "java": (
        rf"^throw new (?:\w+\.)*(?:NotImplementedException\b|\w*(?:Exception|Error)\([^\n]*{LATER})",
        r"^throw new (?:\w+\.)*UnsupportedOperationException\(",
    ),
    "kotlin": (
        rf"^(?:return )?TODO\(|^throw (?:\w+\.)*(?:NotImplementedError\b|\w*(?:Exception|Error)\([^\n]*{LATER})",
        r"^throw (?:\w+\.)*UnsupportedOperationException\(",
    ),
    "csharp": (
        r"^throw new (?:System\.)?NotImplementedException\b",
        r"^throw new (?:System\.)?NotSupportedException\(",
    ),
    "ruby": (rf"^(?:raise|fail)\b[^\n]*{LATER}", r"^(?:raise|fail)[ (]+(?:::)?NotImplementedError\b"),
}
CONSTANT = later(
    r"(?:return\b\s*)?(?:(?:Ok|Some)\()?(?:-?\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|:\w+|true|false|nil|null|None|\(\)|\[\]|\{\})?\)?"
    r"(?:,\s*nil)*\s*;?"
)
LEAVES = frozenset({"return_statement", "throw_statement", "return_expression"})
NAMED = later(
    rf"(?:(?:let|var|val|const|final|mut)\s+)*(?:[\w<>\[\]?.]+\s+)?(?P<name>\w+)(?:\s*:\s*[\w<>\[\]?.]+)?\s*:?=\s*(?P<value>{CONSTANT.pattern})"
    r"|var\s+(?P<absent>\w+)\s+(?:error|\*[\w.]+)"
)
"""A name for a constant; in Go one for nothing yet."""
BY_NAME = later(
    rb"=[ \t]*(?:-?\d[\w.]*|\"[^\"\n]*\"|true|false|nil|null|None)[ \t]*;?[ \t]*\n"
    rb"[ \t]*(?:return\b[ \t]*)?[a-z]\w*[ \t]*;?[ \t]*$"
    rb"|^[ \t]*var[ \t]+\w+[ \t]+error[ \t]*\n[ \t]*return[ \t]+\w+[ \t]*$",
    re.MULTILINE,
)
"""The two lines of such a name and its only use."""
ABSENT = later(r"(?:return\b\s*)?(?:nil|null|None|Ok\(\(\)\))?(?:,\s*nil)*\s*;?")
PLAIN = later(r"(?:return\b\s*)?(?:true|false|0|\"\"|''|\[\]|\{\}|:\w+)\s*;?")
FLAG = later(r"(?i)enabl|disabl|support|available|feature|beta|experiment|deprecat|legacy|rollout|should|can[A-Z_]")
"""Names of what is decided once, for all: a flag of a feature that everybody has by now."""
UNUSED = later(r"(?:let )?_ = (?:&?[\w.]+|\([&\w.,\s]*\));?")
KIND = later(
    r"(?:u?int|[iuf]|float|long|short|byte|char|double|bool|boolean|string|str|mut|self|ref|out|in|final|val|var"
    r"|this)\d*"
)
WORK = later(r"[-+*/%<>&|]|\w[?!]?\(|\.\w|\b(?:for|while|if|match|switch|case)\b")
CONSTANT_LINE = (
    r"^(?:[^=\n]*\)B(?::B\w+B)?=>?B|B(?:\}B)?(?:return\bB|=>?B)?)"
    r"(?:-?\d[\w.]*|\"[^\"]*\"|true|false|nil|null|none|\[\]|\{\}|(?:ok|some)\([^()]*\))(?:,Bnil)?B(?:;B)?$"
).replace("B", r"[^\S\n]*")
"""No blank can be read in two ways: a line of them would be read in all."""
WORDS = prefilter(
    (
        r"panic",
        r"unimplemented|todo|unreachable",
        r"not_?\s?(?:yet\s)?implement|unsupportedoperation|notsupported",
        r"\blater\b|\bstub\b",
        CONSTANT_LINE,
        r"^[ \t]*(?:let[ \t]+)?_[ \t]*=",
    )
)
LEFT = later(
    rb"(?m)(?:\{|^[ \t]*def [^\n]*)[ \t]*\n[ \t]*(?:return\b[ \t]*)?"
    rb"(?:-?\d[\w.]*|\"[^\"\n]*\"|true|false|(?:Ok|Some)\([^()\n]*\))(?:,[ \t]*nil)?[ \t]*;?[ \t]*\n[ \t]*(?:\}|end\b)"
)
"""A function in a file that lost lines: nothing but a constant is left of it."""
FUNCTIONS = frozenset(
    {"function_declaration", "method_declaration", "function_item", "method", "singleton_method"}
    | {"local_function_statement", "constructor_declaration", "property_declaration"}
)
TYPES = frozenset({"impl_item", "class_declaration", "class", "module", "trait_item", "interface_declaration"})
BODIES = frozenset(
    {"block", "statement_list", "body_statement", "function_body", "expression_statement", "statements"}
    | {"arrow_expression_clause"}
)


def stubs(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        if spoken in REFUSES and not TEST_PLACE.search(file.path) and _worth(file, change):
            old = _functions(read_source(file.path, spoken, change.blobs.before(file.path)))
            source = read_source(file.path, spoken, change.blobs.after(file.path))
            yield from _compared(spoken, old, _functions(source), source, change)


def _worth(file: FileChange, change: Change) -> bool:
    """A line was added that a stub may have; or lines went and left one."""
    if WORDS.matches(file.added_text) or BY_NAME.search(file.added_text):
        return True
    shrinks = file.status != "A" and any(len(hunk.removed) > len(hunk.added) for hunk in file.hunks)
    after = change.blobs.after(file.path) or b"" if shrinks else b""
    return any(form.search(after) is not None for form in (LEFT, EMPTIED, BY_NAME))


def _compared(
    spoken: str,
    old: dict[str, tree_sitter.Node],
    new: dict[str, tree_sitter.Node],
    source: Source | None,
    change: Change,
) -> Iterator[Hit]:
    names = Counter(name.rpartition(".")[2] for name in new)
    for name, node in new.items():
        before = old.get(name)
        if source is not None and before is not None and _accepts_all(before, node, spoken, change):
            yield source.hit("code.stubbed", _last(node) or node, name)
            continue
        if source is not None and before is not None and _is_constant(node) and not _is_constant(before):
            if _is_plain(before, node, spoken, change):
                yield source.hit("code.stubbed", _last(node) or node, name)
            elif len(_statements(before)) > 1 and not _same_end(before, node):
                yield source.hit("code.stubbed-mildly", _last(node) or node, name)
            continue
        sure = _refuses(node, spoken)
        if source is None or sure is None:
            continue
        if before is None:
            yield source.hit("code.new-stub", node, name)
        elif _refuses(before, spoken) is None and (last := _last(before)) is not None:
            elsewhere = names[name.rpartition(".")[2]] > 1
            plain = (sure or spoken == "ruby") and not (elsewhere and spoken == "ruby")
            yield source.hit("code.stubbed" if plain else "code.stubbed-mildly", _last(node) or last, name)


def _functions(source: Source | None) -> dict[str, tree_sitter.Node]:
    found: dict[str, tree_sitter.Node] = {}
    for node in source.walk() if source is not None else ():
        if node.type in FUNCTIONS and (name := node.child_by_field_name("name")) is not None:
            found.setdefault(f"{_owner(node)}.{text_of(name)}", node)
    return found


def _owner(node: tree_sitter.Node) -> str:
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        return re.sub(r"^\(\s*(?:\w+\s+)?\*?|\)$", "", text_of(receiver))
    above = node.parent
    while above is not None:
        name = above.child_by_field_name("name") or above.child_by_field_name("type")
        if above.type in TYPES and name is not None:
            return text_of(name)
        above = above.parent
    return ""


def _last(function: tree_sitter.Node) -> tree_sitter.Node | None:
    """The last statement of a function; None where it has none."""
    node = function.child_by_field_name("body") or next(
        (child for child in function.named_children if child.type in ("function_body", "arrow_expression_clause")), None
    )
    while node is not None and node.type in BODIES:
        inner = _reached(node)
        node = inner[-1] if inner else None
    return node


def _reached(block: tree_sitter.Node) -> list[tree_sitter.Node]:
    """Its statements, up to the one that always leaves it."""
    found = []
    for child in block.named_children:
        if "comment" not in child.type:
            found.append(child)
        if child.type in LEAVES:
            break
    return found


def _same_end(before: tree_sitter.Node, after: tree_sitter.Node) -> bool:
    old, new = _last(before), _last(after)
    return old is not None and new is not None and text_of(old) == text_of(new)


def _statements(function: tree_sitter.Node) -> list[tree_sitter.Node]:
    node, inner = _body(function), list[tree_sitter.Node]()
    while node is not None and node.type in BODIES:
        inner = _reached(node)
        node = inner[0] if len(inner) == 1 else None
    return inner


def _body(function: tree_sitter.Node) -> tree_sitter.Node | None:
    others = (child for child in function.named_children if child.type in ("function_body", "arrow_expression_clause"))
    return function.child_by_field_name("body") or next(others, None)


def _accepts_all(before: tree_sitter.Node, after: tree_sitter.Node, spoken: str, change: Change) -> bool:
    name, old, new = after.child_by_field_name("name"), _side(before), _side(after)
    declared = _body(after) is None and spoken != "ruby"
    if name is None or declared or old.steps == new.steps:
        return False
    return accepts_all(text_of(name), spoken, old, new, lambda: arrived(change), LATER)


def _side(function: tree_sitter.Node) -> Side:
    lists = (child for child in function.named_children if "parameters" in child.type)
    given = function.child_by_field_name("parameters") or next(lists, None)
    body = _body(function)
    constant = _constant(function)
    steps = [text_of(step) for step in _statements(function)] if constant is None else [constant]
    if body is not None and body.type not in BODIES:
        steps = [text_of(body).removeprefix("=>").strip()]
    return Side(text_of(function), steps, text_of(given) if given is not None else "")


def arrived(change: Change) -> str:
    """All lines that the change adds, as one text without blanks."""
    return bare(b"".join(file.added_text for file in change.files).decode("utf-8", "replace"))


def _is_constant(function: tree_sitter.Node) -> bool:
    """All that it does is to give a constant."""
    return _constant(function) is not None


def _constant(function: tree_sitter.Node) -> str | None:
    """Its only statement, or what the name stands for that this gives back."""
    steps = [text for step in _statements(function) if not UNUSED.fullmatch(text := text_of(step))]
    if len(steps) == 2 and (named := NAMED.fullmatch(steps[0])) is not None:
        name = named["name"] or named["absent"]
        return (named["value"] or "nil") if re.fullmatch(rf"(?:return\b\s*)?{name}\s*;?", steps[1]) else None
    return steps[0] if len(steps) == 1 and CONSTANT.fullmatch(steps[0]) is not None else None


def _is_plain(before: tree_sitter.Node, after: tree_sitter.Node, spoken: str, change: Change) -> bool:
    """The constant stands where work was, and nobody says why."""
    several, constant = len(_statements(before)) > 1, _constant(after) or ""
    if several and re.search(LATER, text_of(after)):
        return True
    body = _body(before)
    if ABSENT.fullmatch(constant) or body is None or not WORK.search(text_of(body)):
        return False
    name = text_of(before.child_by_field_name("name") or before)
    given = re.search(rf"\b{re.escape(name)}\b[^(\n]*\(([^)]*)\)", text_of(before))
    words = [word for word in re.findall(r"\b[a-z_]\w*", given[1] if given else "") if not KIND.fullmatch(word)]
    decided = PLAIN.fullmatch(constant) is not None and FLAG.search(name) is not None
    if not decided and any(re.search(rf"\b{word}\b", text_of(body)) for word in words):
        return True
    answer = re.sub(r"^return\b\s*|^(?:Ok|Some)\(|\)?\s*;?$|,\s*nil", "", constant)
    wanted = rf"\b{re.escape(name)}\b[^\n]*\n?[^\n]*(?<![\w.]){re.escape(answer)}(?![\w.])"
    wanted += rf"|(?<![\w.]){re.escape(answer)}(?![\w.])[^\n]*\b{re.escape(name)}\b"
    return not PLAIN.fullmatch(constant) and any(re.search(wanted, test) for test in tests_of(change, spoken))


def _refuses(function: tree_sitter.Node, spoken: str) -> bool | None:
    """Whether it plainly refuses to work; None if it works."""
    last = _last(function)
    text = re.sub(r"^(?:=>|=)\s*", "", text_of(last)) if last is not None else ""
    plain, mild = REFUSES[spoken]
    if re.search(plain, text):
        return True
    return False if mild and re.search(mild, text) else None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (stubs,)
