"""Questions of a test that became other questions, of which the answer is the same (policy set v2, class G05).

Rule: an assertion that wants what it wanted, of a call that differs in its constants alone, was given another input.
Where the new input is the very answer (`ceil(3.0) == 3`, `slug("a-b") == "a-b"`) and the old one was not, code that
does nothing passes: it demands less. Any other new input is for a person, if no product code changed with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.model import ROW, Check, Facts, Grade
from ralph.system.patterns import later

CONSTANT = later(r"(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?![\w.])|'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"")
NOTHING = frozenset({"0", "1", "-1", "''", '""'})


def other_inputs(before: Facts, after: Facts) -> Iterator[tuple[Check, Check, bool]]:
    """Assertions with another input, and whether it is the answer."""
    if len(before.checks) != len(after.checks):
        return
    kept = {each.key for each in before.checks} & {each.key for each in after.checks}
    for old, new in zip(before.checks, after.checks, strict=True):
        same = (old.relation, old.wanted, old.grade) == (new.relation, new.wanted, Grade.EXACT) and old.known
        if same and not kept & {old.key, new.key} and _masked(old.subject) == _masked(new.subject):
            yield old, new, _is_answer(new.subject, new.wanted) and not _is_answer(old.subject, old.wanted)


def trivial_rows(before: Facts, after: Facts) -> bool:
    """Some row of parameters gives the answer itself, in the place of one that did not."""
    old, new = before.cases or (), after.cases or ()
    fresh = [row for row in new if row not in old]
    return len(old) == len(new) and any(_trivial(row, other) for row in old if row not in new for other in fresh)


def _trivial(old: str, new: str) -> bool:
    one, two = old.split(ROW), new.split(ROW)
    same = len(one) == len(two) > 1 and one[-1] == two[-1]
    return same and _is_answer(" ".join(two[:-1]), two[-1]) and not _is_answer(" ".join(one[:-1]), one[-1])


def constants_of(row: str) -> Iterator[str]:
    """The constants of a row of parameters, as they may stand in the body of a test: with quotes, without a sign."""
    for part in row.split(ROW):
        yield from (part, f'"{part}"')
        yield from (each.lstrip("-") for each in CONSTANT.findall(part))


def _masked(subject: str) -> str:
    return CONSTANT.sub("_", subject)


def _is_answer(asked: str, wanted: str) -> bool:
    return wanted not in NOTHING and any(_value(each) == _value(wanted) for each in CONSTANT.findall(asked))


def _value(text: str) -> str | float:
    try:
        return float(text.replace("_", ""))
    except ValueError:
        return text.replace('"', "'")
