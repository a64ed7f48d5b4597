"""A test's own values answered in product code (policy set v2, class G07): all languages but Python, which has its own.

Rules (those of `python.product.cases`, read off branches, cases and tables as they are written):

- A new branch that gives a constant where something equals a constant blocks if a test has both close together, and
  they are more than a name for something: a number for a number or for a text with digits, a text with blanks
  around it, or several values. Else it is for a person.
- So does a new entry of a table of numbers by numbers, and an `if` of a small number whose answer says something, if a
  test has both in one line.
- A branch that says yes or no to one long text with many digits (the number of an account, of a card) blocks if a test
  has that text, however it is grouped or cased.
- A branch that stood in another file of the product before, and no longer does, is not new.
- Values that stand for nothing in particular (0, 1, an empty text) do not count. An order of names is for a person
  (`ranks`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

import tree_sitter

from ralph.guardrails.common.product.asked import MOST_TESTS, TRIVIAL, asks
from ralph.guardrails.common.product.ranks import is_rank
from ralph.guardrails.inventory.readers import TEST_PLACE, is_support, language, reader_of
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.record import record
from ralph.system.patterns import later

_SCRIPT = "if_statement ternary_expression switch_case pair"
BRANCHES = {
    **dict.fromkeys(("javascript", "typescript", "tsx"), _SCRIPT),
    "go": "if_statement expression_case",
    "java": "if_statement ternary_expression switch_block_statement_group switch_rule method_invocation",
    "kotlin": "if_expression when_entry infix_expression",
    "csharp": "if_statement conditional_expression switch_section switch_expression_arm initializer_expression",
    "ruby": "if if_modifier elsif conditional when in_clause pair",
    "rust": "if_expression match_arm",
}
"""What may be a branch, by the grammar's names."""
WORDS = prefilter(
    (
        r"(?:equals|starts?_?with\??|includes)\(\s*[\"'`]",
        r"===?[^=]*[\d\"'`]",
        r"[\d\"'`]\)?\s*===?",
        r"\b(?:case|when|in)\b\s*[(\[]*[-\d\"'`]",
        r"matches!\(",
        r"[-=]>\s*[-\d\"'`]",
        r"\d\s*:\s*-?\d",
        r"\d\w*[\"']\.equals\(",
        r"equals?\(\s*(?:list|set|arrays)\.|sequenceequal\(|listof\(",
        r"\b(?:map\.(?:of|entry)|put)\(\s*-?\d|\d\s+to\s+-?\d|\{\s*-?\d[\w.]*\s*,|\d\s*=>",
    )
)
_NUMBER = r"-?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
_PLAIN = rf"(?:{_NUMBER}(?:[fFdDLlmMn]|_?[iuf]\d+)?|\"[^\"\n]*\"|'[^'\n]*'|`[^`$\n]*`)"
_LITERAL = rf"(?:{_PLAIN}|\[\s*{_PLAIN}(?:\s*,\s*{_PLAIN})*\s*(?:,\s*)?\])"
_LISTS = rf"(?:{_LITERAL}|\[\s*{_LITERAL}(?:\s*,\s*{_LITERAL})*\s*(?:,\s*)?\])"
_ASKED = r"(?:(?<![\w$.])[A-Za-z_$][\w$.]*|[)\]])"
EQUALS = later(
    rf"{_ASKED}(?:\s*===?|\.(?:equals|startsWith|start_with\?|starts_with|StartsWith|includes)\(|\s+eq\b)\s*({_LITERAL})(?!\s*[-+*/%])"
    rf"|(?:^|[(&|,!])\s*({_LITERAL})\s*(?:===?\s*{_ASKED}|\.equals\()"
)
ANSWER = later(
    rf"[\s{{(:]*(?:then\b|=>)?\s*(?:return\b)?\s*(?:Some|Ok)?\(?\s*({_LISTS}|true|false)(?:\.to_string\(\)|\.into\(\))?\s*\)?(?:,\s*nil)?"
    r"\s*[;,]?\s*(?:break;?\s*)?(?:end)?[\s})]*"
)
WRITTEN_OUT = later(r"JSON\.stringify\([\w$.]+\)\s*===?\s*(?P<quote>[\"'`])(?P<text>\[[^\n]*?\])(?P=quote)")
"""A list that is compared as a text."""
CASE = later(rf"(?:case|when)?\s*\(?({_LITERAL})\)?\s*(?::|=>|->|then\b|\n)(.*)", re.DOTALL)
_FEW = rf"(?:{_PLAIN}(?:\s*,\s*{_PLAIN})*)"
LISTED = later(
    rf"(?:(?:List|Set)\.of|Arrays\.asList|\b(?:list|set)Of)\(\s*(?P<of>{_FEW})\s*\)|\bnew\s*\w*\[\]\s*\{{\s*(?P<new>{_FEW})\s*\}}"
)
"""A list as languages without one of their own write it."""
SEVERAL = later(
    rf"(?:case|when|in)?\s*(?:[(\[]\s*(?P<of>{_PLAIN}(?:\s*,\s*{_PLAIN})+)\s*[)\]]|(?P<pair>{_PLAIN}\s+to\s+{_PLAIN}))\s*(?::|=>|->|then\b|\n)"
    r"(?P<answer>.*)",
    re.DOTALL,
)
"""An arm for several values at once: `("DE", 9900) => 3`."""
ARM = later(r"(?P<asked>[^\n]*==[^\n]*?)\s*->(?P<answer>.*)", re.DOTALL)
"""Of Kotlin's `when` without a subject."""
MATCHES = later(rf"matches!\(.*,\s*\(?\s*(?P<of>{_FEW})\s*\)?\s*\)", re.DOTALL)
CONSTANT = later(_PLAIN)
SAME_AS = later(r"\.(?:SequenceEqual|Equals|deepEquals)\(")
ENTRY = later(rf"({_NUMBER})\s*:\s*({_NUMBER})")
ENTRIES = {
    "java": later(rf"(?:Map\.(?:of|entry)|\w+\.put)\(\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\)"),
    "kotlin": later(rf"({_NUMBER})\s+to\s+({_NUMBER})"),
    "csharp": later(rf"\{{\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\}}"),
    "ruby": later(rf"({_NUMBER})\s*=>\s*({_NUMBER})"),
}
TABLES = frozenset({"pair", "method_invocation", "infix_expression", "initializer_expression"})
INPUT = later(r"[\"'`](?:\s.*\w.*|.*\w.*\s)[\"'`]")
"""A text with blanks around it is no name for anything."""
IFS = frozenset({"if_statement", "if_expression", "if", "if_modifier", "elsif"})
CHOICES = frozenset({"ternary_expression", "conditional_expression", "conditional"})
BESIDE = later(r"(?:^|/)(?:bench(?:marks?)?|examples?|samples?|scripts?|playground)/")
"""What is no product, and is not tested."""
VERDICTS = frozenset({"true", "false"})
LONGEST = 2000
"""A branch that no person wrote says nothing, and takes long to read."""
UNGROUPED = later(r"[\W_]+")
NOTHING = frozenset({"true", "false", "null", "nil", "None", "''", '""', "0", "[]"})

Key = tuple[tuple[str, ...], str]


@record
class Case:
    """A branch that gives `result` where something is one of `given`."""

    node: tree_sitter.Node
    given: tuple[str, ...]
    result: str

    @property
    def key(self) -> Key:
        return self.given, self.result

    @property
    def is_telling(self) -> bool:
        return any(each not in TRIVIAL and each not in NOTHING for each in self.given)

    @property
    def is_verdict(self) -> bool:
        """Yes or no to what is no name for anything."""
        return self.result in VERDICTS and any(map(_is_data, self.given))

    @property
    def is_plain(self) -> bool:
        if self.is_verdict:
            return True
        telling = [each for each in self.given if each not in TRIVIAL]
        numbers = all(re.fullmatch(_NUMBER, each) for each in (*telling, self.result))
        code = re.fullmatch(_NUMBER, self.result) and any(re.search(r"\d{2}", each) for each in telling)
        if any(INPUT.fullmatch(each) for each in telling):
            return True
        return len(telling) > 1 or any(each.startswith(("[", "(")) for each in telling) or numbers or bool(code)


def special_cases(change: Change) -> Iterator[Hit]:
    tests: dict[str, list[str]] = {}
    left: dict[str, set[Key]] = {}
    for file in change.files:
        spoken = language(file, change)
        if spoken not in BRANCHES or is_of_tests(file.path, spoken) or not _worth(file):
            continue
        source = read_source(file.path, spoken, change.blobs.after(file.path))
        if source is None:
            continue
        added = sorted(hunk.new_start + row for hunk in file.hunks for row in range(len(hunk.added)))
        found = [case for case in _cases(source) if touches(case.node, source, added)]
        known = _keys(file.path, spoken, change.blobs.before) if found else set()
        if spoken not in left and any(case.key not in known for case in found):
            left[spoken] = _left(spoken, change)
        known |= left.get(spoken, set())
        for case in (case for case in found if case.key not in known):
            if spoken not in tests:
                tests[spoken] = list(tests_of(change, spoken))
            own = source.data.partition(b"#[cfg(test)]")[2].decode("utf-8", "replace") if spoken == "rust" else ""
            known_to = _has if case.is_verdict else asks if case.is_telling else _in_one_line
            if any(known_to(test, case.given, case.result) for test in (*tests[spoken], own)):
                detail = f"{' and '.join(case.given)} gives {case.result}, as a test has it"
                plain = case.is_plain and not is_rank(case.node, added, source.first_line)
                rule = "code.special-case" if plain else "code.special-case-mild"
                yield source.hit(rule, case.node, detail, detail=detail)


def _left(spoken: str, change: Change) -> set[Key]:
    """The branches that files of the product had and no longer have: what has them now has them from there."""
    left: set[Key] = set()
    for file in change.files:
        if not any(hunk.removed for hunk in file.hunks) or language(file, change) != spoken:
            continue
        if not is_of_tests(file.path, spoken):
            were, are = _keys(file.path, spoken, change.blobs.before), _keys(file.path, spoken, change.blobs.after)
            left |= were - are
    return left


def _keys(path: str, spoken: str, read: Callable[[str], bytes | None]) -> set[Key]:
    source = read_source(path, spoken, read(path))
    return {case.key for case in _cases(source)} if source is not None else set()


def _worth(file: FileChange) -> bool:
    return WORDS.matches(file.added_text)


def is_of_tests(path: str, spoken: str) -> bool:
    reader = reader_of(spoken)
    return is_support(path) or BESIDE.search(path) is not None or (reader is not None and reader.is_test_file(path))


def tests_of(change: Change, spoken: str) -> Iterator[str]:
    """The test files of the language, and what lies among tests."""
    return _of_tests(change, spoken, change.blobs.paths_after(), change.blobs.after)


def base_tests_of(change: Change, spoken: str) -> Iterator[str]:
    """The same of the base."""
    return _of_tests(change, spoken, change.blobs.paths_before(), change.blobs.before)


def _of_tests(
    change: Change, spoken: str, paths: AbstractSet[str], read: Callable[[str], bytes | None]
) -> Iterator[str]:
    reader = reader_of(spoken)
    tests = [path for path in paths if reader is not None and reader.is_test_file(path)]
    beside = {path for path in paths if TEST_PLACE.search(path)}.difference(tests)
    for path in [*nearest(tests, change, MOST_TESTS), *nearest(beside, change, MOST_TESTS)]:
        data = read(path)
        if data is not None:
            yield data.decode("utf-8", "replace")


def touches(node: tree_sitter.Node, source: Source, added: Sequence[int]) -> bool:
    """One of the added lines is the node's."""
    at = bisect_left(added, node.start_point.row + source.first_line)
    return at < len(added) and added[at] <= node.end_point.row + source.first_line


def _cases(source: Source) -> Iterator[Case]:
    kinds = BRANCHES[source.language].split()
    for node in source.captures(f"[{' '.join(f'({kind})' for kind in kinds)}] @found"):
        if node.type in IFS or node.type in CHOICES:
            parts = [*node.named_children, None, None][:2]
            condition = node.child_by_field_name("condition") or parts[0]
            answer = node.child_by_field_name("consequence") or node.child_by_field_name("body") or parts[1]
            answered = ANSWER.fullmatch(text_of(answer)) if answer is not None else None
            if condition is not None and answered is not None:
                asked = WRITTEN_OUT.sub(r"x === \g<text>", text_of(condition))
                asked = LISTED.sub(lambda each: f"[{each['of'] or each['new']}]", SAME_AS.sub(".equals(", asked))
                given = [one or other for one, other in EQUALS.findall(asked)]
                given += CONSTANT.findall(match["of"]) if (match := MATCHES.fullmatch(asked)) is not None else []
                yield from _made(node, [_as_handed(each, source.language) for each in given], answered[1])
        else:
            form = ENTRIES.get(source.language, ENTRY) if node.type in TABLES else CASE
            text = text_of(node) if node.end_byte - node.start_byte <= LONGEST else ""
            match = form.fullmatch(text) if node.type in TABLES or not SEVERAL.fullmatch(text) else None
            values, said = ([match[1]], match[2]) if match is not None else _of_arm(node, text)
            answered = ANSWER.fullmatch(said) if values else None
            if answered is not None:
                yield from _made(node, values, answered[1])


def _of_arm(node: tree_sitter.Node, text: str) -> tuple[list[str], str]:
    """The constants of an arm for several values, or of one that asks for itself, and what it gives."""
    several = SEVERAL.fullmatch(text) if node.type not in TABLES else None
    if several is not None:
        return CONSTANT.findall(several["of"] or several["pair"]), several["answer"]
    arm = ARM.fullmatch(text) if node.type == "when_entry" else None
    given = [one or other for one, other in EQUALS.findall(arm["asked"])] if arm is not None else []
    return given, arm["answer"] if arm is not None else ""


def _as_handed(constant: str, spoken: str) -> str:
    """Tests write a list's elements with something else around them there."""
    return f"({constant[1:-1]})" if constant[0] == "[" and spoken in ENTRIES and spoken != "ruby" else constant


def _made(node: tree_sitter.Node, asked: list[str], result: str) -> Iterator[Case]:
    case = Case(node, tuple(asked), result)
    if not asked or (result in NOTHING and not case.is_verdict):
        return
    small = len(asked) == 1 and asked[0] in TRIVIAL and asked[0] not in NOTHING and re.fullmatch(_NUMBER, result)
    if case.is_telling or (small and result not in TRIVIAL and node.type in (*IFS, *CHOICES)):
        yield case


def _is_data(constant: str) -> bool:
    bare = _ungrouped(constant)
    return constant[0] in "\"'`" and len(bare) >= 10 and len(re.findall(r"\d", bare)) >= 6 and len(set(bare)) > 1


def _ungrouped(text: str) -> str:
    return UNGROUPED.sub("", text.lower())


def _has(test: str, given: Sequence[str], _result: str) -> bool:
    return all(_ungrouped(each) in _ungrouped(test) for each in given if _is_data(each))


def _in_one_line(test: str, given: Sequence[str], result: str) -> bool:
    values = [re.compile(rf"(?<![\w.\-]){re.escape(each)}(?![\w.])") for each in (*given, result)]
    return any(all(value.search(line) for value in values) for line in test.split("\n"))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (special_cases,)
