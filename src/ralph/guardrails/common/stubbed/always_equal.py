"""A check whose two sides are always the same (policy set v2, class G19): all languages.

`remainder(iban) == VALID`, and `remainder` puts the digits together and answers `VALID`; `expected = digest(data)`,
`actual = digest(data)`, `return actual == expected`. It is written like a check, and nothing fails it.

Rules, for code of the product that a change adds or edits:

- A function of which every answer is a constant, but for one where what it has is empty, and which does nothing else
  than to fill names of its own, blocks if a function of the same file compares its answer with that very constant.
- A function that verifies something, by its name or by what it calls, blocks if it compares what it calls with the same
  call of the same, be it by names that it gave them right before. What calls are given must be there, and nothing may
  happen between the two.
- What the base had like this is nothing new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.common.stubbed.products import products
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import without_note
from ralph.system.patterns import later

WORTH = later(rb"(?i)verif|checksum|digest|comput|hash|signature|crc|mac\b|remainder|valid|checked|check_|sum\b")
COMPUTES = later(
    r"(?i)remainder|check_?(?:digit|sum|number|code)|digest|hash|crc|mac\b|luhn|modul|mod_?\d|parity|comput|calc|sum\b"
    r"|signature|valid|verif|score|diff|distance|compare"
)
"""What a function is called that is no run of something, whose failures are thrown."""
VERIFIES = later(
    r"(?i)verif|checksum|digest|hash|signature|sign|crc|h?mac|remainder|valid|check|intact|match|authentic"
)
CONSTANT = (
    r"(?:-?\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|(?:[A-Za-z_]\w*(?:\.|::))*[A-Z][A-Z0-9_]+|[A-Z]\w*(?:\.|::)[A-Z]\w*"
    r"|true|false|True|False|valid[A-Z]\w*)"
)
LEAF = later(CONSTANT)
CHOICES = (
    later(r"(?P<asks>[^?\n]+?(?:\?(?=\s*\?))?)\s\?\s*(?P<one>[^:\n]+?)\s*:\s*(?P<other>[^:\n]+)"),
    later(r"(?P<one>\S+)\s+if\s+(?P<asks>.+?)\s+else\s+(?P<other>\S+)"),
    later(r"if\s*(?P<asks>.+?)\s*(?:\{|(?<=\)))\s*(?P<one>[^{}\s]+)\s*\}?\s*else\s*\{?\s*(?P<other>[^{}\s]+)\s*\}?"),
)
GUARD = later(
    r"(?:if|unless)\b\s*(?P<asks>.+?)\s*(?:\{|:|\bthen\b|(?<=\)))?\s*(?P<rest>return\b.*)?|return\s+(?P<value>\S+)\s+(?:if|unless)\s+(?P<behind>.+)"
)
RETURN = later(r"return\s+(?P<value>.+)")
LOOP = later(
    r"(?:for|foreach|while|until)\b.*|(?P<over>[\w.]+(?:\(\))?)\.(?:each\w*|forEach|chars|bytes)\b.*(?:\{|\bdo\b.*|=>.*)"
)
MAKES = later(
    r"(?:(?:const|let|var|val|final|mut|auto)\s+)*(?:[A-Za-z_][\w<>\[\].?]*\s+)?\$?(?P<name>[a-z_]\w*)(?:\s*:\s*[^=]+)?\s*:?=(?!=)\s*\S.*"
    r"|var\s+(?P<declared>\w+)\s+\S+"
)
FILLS = later(r"\$?(?P<name>[a-z_]\w*)(?:\.\w+!?\(.*\)|\s*(?:[-+*/%|^]|<<|\?\?)=.*|\s*<<\s*.*|\[.*\]\s*=(?!=).*)")
IDLE = later(r"[\s{}()\[\];,]*(?:end|else)?[\s{}()\[\];,]*|(?://|#|/\*|\*[ /]).*")
DOCUMENTED = later(r"\A\s*(?P<marks>\"{3}|'{3}).*?(?P=marks)", re.DOTALL)
EMPTY_WORDS = frozenset(
    ("isEmpty", "is_empty", "empty", "isBlank", "length", "size", "len", "Length", "Len", "Count", "count", "strlen")
) | frozenset(("null", "nil", "None", "undefined", "not", "IsNullOrEmpty", "string", "String", "0", "is", "any", "Any"))
WORD = later(r"\w+")
CALL = r"[A-Za-z_][\w.:]*\w\([^()\n]*\w[^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)(?:\.\w+\([^()\n]*\))*"
GIVEN = later(
    rf"(?:(?:const|let|var|val|final|auto)\s+)*(?:[A-Za-z_][\w<>\[\].?]*\s+)?\$?(?P<name>[A-Za-z_]\w*)(?:\s*:\s*[\w<>\[\]]+)?\s*:?=\s*(?P<value>{CALL})"
)
SIDE = rf"(?:{CALL}|\$?[A-Za-z_]\w*)"
COMPARED = later(
    rf"(?:return\s+|if\s*\(?\s*)?!?\(?(?:(?P<left>{SIDE})\s*[!=]==?\s*(?P<right>{SIDE})"
    rf"|[\w.:]*(?:equals?|isEqual|Equal|compare_digest|timingSafeEqual|secure_compare|FixedTimeEquals|hash_equals|SequenceEqual)\((?P<one>{SIDE}),\s*(?P<two>{SIDE})\)"
    rf"|(?P<receiver>{SIDE})\.(?:equals|eq|contentEquals|SequenceEqual|Equals)\((?P<argument>{SIDE})\))\)?(?:\s*\)?\s*[{{:].*)?"
)
MAY_COMPARE = later(r"[!=]=|(?i:equal|compare)|\.eq\(")
IMPURE = later(r"(?i)next|read|recv|random|rand|now\b|pop|poll|take|fetch|query|uuid|nonce|salt|generate")
LONGEST, MOST_LINES = 300_000, 40


def always_equal(change: Change) -> Iterator[Hit]:
    for file, rule in products(change, WORTH):
        yield from _in_file(file, rule, change)


def _in_file(file: FileChange, rule: str, change: Change) -> Iterator[Hit]:
    after = (change.blobs.after(file.path) or b"")[:LONGEST]
    found = list(_found(after, file.added_numbers))
    if not found:  # as nearly always
        return
    known = {told for _, told, _ in _found((change.blobs.before(file.path) or b"")[:LONGEST])}
    for number, told, head in found:
        if told not in known:
            yield hit_at(rule, file.path, number, told, head, key=told)


def _found(data: bytes, touched: AbstractSet[int] | None = None) -> Iterator[tuple[int, str, str]]:
    """In the functions that hold a line which is touched; in all, if none is named."""
    functions = functions_of(data)
    for number, name, head, body in functions:
        last = number + 2 + body.count("\n")
        if last - number > 2 * MOST_LINES or (touched is not None and touched.isdisjoint(range(number + 1, last + 1))):
            continue
        computes = COMPUTES.search(name) is not None
        verifies = MAY_COMPARE.search(body) is not None and (VERIFIES.search(name) or VERIFIES.search(body)) is not None
        if not computes and not verifies:
            continue
        lines = [_bare(line) for line in DOCUMENTED.sub("", body).split("\n")]
        lines = [line for line in lines if line and not IDLE.fullmatch(line)]
        if not lines or len(lines) > MOST_LINES:
            continue
        if verifies and (said := _compares_itself(name, lines)) is not None:
            yield number + 1, f"{name} compares {said} with the same", head.strip()
        for constant in _only_answers(lines) if computes else ():
            if any(_is_compared(name, constant, other) for _, called, _, other in functions if called != name):
                yield number + 1, f"{name} always gives {constant}, with which its answer is compared", head.strip()


def _bare(line: str) -> str:
    return without_note(without_note(line, "//"), "#").strip().rstrip(";").strip()


def _only_answers(lines: Sequence[str]) -> Sequence[str]:
    """The constant that a function gives that does nothing but fill its own names; none of any other."""
    own: set[str] = set()
    answers: list[str] = []
    looped = guarded = False
    for at, line in enumerate(lines):
        plain = line.rstrip("{} ").strip()
        returned = RETURN.fullmatch(plain)
        given = _leaves(returned["value"] if returned is not None else line) if returned or at == len(lines) - 1 else ()
        if given and not guarded:
            answers += given
        elif given:
            guarded = False
        elif LOOP.fullmatch(line) or LOOP.fullmatch(plain):
            looped = True
        elif (guard := GUARD.fullmatch(line)) is not None and _asks_for_nothing(guard["asks"] or guard["behind"] or ""):
            guarded = not (guard["rest"] or guard["value"])
        elif (filled := FILLS.fullmatch(plain)) is not None and filled["name"] in own:
            continue
        elif returned is None and (made := MAKES.fullmatch(plain)) is not None:
            own.add(made["name"] or made["declared"])
        else:
            return ()
    return tuple(dict.fromkeys(answers)) if looped and own else ()


def _leaves(expression: str) -> Sequence[str]:
    """The constants that an expression may be, where it asks for nothing but whether there is anything."""
    text = expression.strip().strip("()") if expression.startswith("(") else expression.strip()
    if LEAF.fullmatch(text):
        return [text]
    for form in CHOICES:
        choice = form.fullmatch(text)
        if choice is not None and _asks_for_nothing(choice["asks"]):
            parts = [choice["one"].strip(), choice["other"].strip()]
            return parts if all(LEAF.fullmatch(part) for part in parts) else ()
    return ()


def _asks_for_nothing(asked: str) -> bool:
    """Whether one name is there, or has anything in it."""
    words = [word for word in WORD.findall(asked) if word not in EMPTY_WORDS]
    return len(set(words)) == 1 and not words[0].isdigit() and not re.search(r"[%&|+*/]", asked)


def _is_compared(name: str, constant: str, body: str) -> bool:
    if name not in body:
        return False
    said, wanted = (
        rf"(?:[\w$]+(?:\.|::|->))*{re.escape(name)}\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)",
        re.escape(constant),
    )
    if re.search(rf"{said}\s*[!=]==?\s*(?:\w+(?:\.|::))*{wanted}(?!\w)|(?<![\w.]){wanted}\s*[!=]==?\s*{said}", body):
        return True
    held = re.search(rf"(?P<held>[A-Za-z_]\w*)\s*(?::[^=\n]+)?:?=\s*{said}\s*;?\s*\n", body)
    return held is not None and re.search(rf"(?<![\w.]){held['held']}\s*[!=]==?\s*{wanted}(?!\w)", body) is not None


def _compares_itself(name: str, lines: Sequence[str]) -> str | None:
    given: dict[str, str] = {}
    for line in lines:
        if "=" in line and "(" in line and (called := GIVEN.fullmatch(line)) is not None:
            given[called["name"]] = called["value"]
            continue
        compared = COMPARED.fullmatch(line) if MAY_COMPARE.search(line) else None
        if compared is not None:
            sides = [compared[key] for key in ("left", "right", "one", "two", "receiver", "argument") if compared[key]]
            one, two = (_spelled(side, given) for side in sides)
            if one == two and "(" in one and not IMPURE.search(one) and (VERIFIES.search(one) or VERIFIES.search(name)):
                return one
        given = {}
    return None


def _spelled(side: str, given: dict[str, str]) -> str:
    return "".join(given.get(side.lstrip("$"), side).split())


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (always_equal,)
