"""Questions of a test that became other questions about the same (policy set v2, class G05).

Rule: an assertion about a call that differs in its constants alone was given another input. It demands less where the
code has less to do than before:

- it wants what it wanted, a number or a text: an input was looked for that gives the same, such as the answer itself
  (`ceil(3.0) == 3`, `slug("a-b") == "a-b"`);
- it wants what a name stands for, and is given that very name (`slug(row.want) == row.want`);
- it wants something else, and an input became one that does nothing: 0, 1 or empty text in the place of a value.

Other inputs with answers of their own, or with one that is neither number nor text, are for a person, and so are
another time limit (`run(..., timeout=10)`), another name of the machine itself (`"localhost:0"` for `"127.0.0.1:0"`),
and a long word that is spelled rightly now, where a text is wanted that is not that word: one letter of it is another
one, or stands in another place (`"arbritrary"`). All this if no product code changed with it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.model import ROW, Check, Facts, Grade
from ralph.system.patterns import later

CONSTANT = later(r"(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?![\w.])|'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"")
LIMIT = later(r"(?i)(?<=timeout)(?:_?(?:s|ms|secs?|seconds|millis))?\s*[=:]\s*\d[\d_]*(?:\.\d+)?")
HERE = later(r"(?<![\w.])(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/\"'])")
TEXT = later(r"'[^']*'|\"[^\"]*\"")
WORD = later(r"'[A-Za-z]{6,}'|\"[A-Za-z]{6,}\"")
NAME = later(r"[A-Za-z_][\w.]*")
NOTHING = frozenset({"0", "1", "-1", "''", '""'})


def other_inputs(before: Facts, after: Facts) -> Iterator[tuple[Check, Check, bool]]:
    """Assertions with another input, and whether it leaves the code less to do."""
    if len(before.checks) != len(after.checks):
        return
    kept = {each.key for each in before.checks} & {each.key for each in after.checks}
    for old, new in zip(before.checks, after.checks, strict=True):
        if not kept & {old.key, new.key} and _is_fed(old, new):
            yield old, new, True
        exact = (old.relation, old.grade) == (new.relation, Grade.EXACT) and old.known and new.known
        if not exact or kept & {old.key, new.key} or _masked(old.subject) != _masked(new.subject):
            continue
        if old.wanted != new.wanted:
            if old.relation == "==":
                yield old, new, _does_nothing(old.subject, new.subject)
        else:
            harder = _is_answer(old.subject, old.wanted) and not _is_answer(new.subject, new.wanted)
            alike = any(form.sub("_", old.subject) == form.sub("_", new.subject) for form in (LIMIT, HERE))
            alike = alike or _is_a_slip(old, new)
            yield old, new, CONSTANT.search(old.wanted) is not None and not harder and not alike


def _is_a_slip(old: Check, new: Check) -> bool:
    """One word of what is given is spelled in another way, and is not what is wanted."""
    if TEXT.fullmatch(old.wanted) is None or _is_answer(new.subject, new.wanted):
        return False
    changed = [
        pair
        for pair in zip(CONSTANT.findall(old.subject), CONSTANT.findall(new.subject), strict=True)
        if pair[0] != pair[1]
    ]
    return len(changed) == 1 and all(map(WORD.fullmatch, changed[0])) and _one_letter(*changed[0])


def _one_letter(one: str, two: str) -> bool:
    """They differ in one letter that is more, less, another one or next to its place; not in how large one is."""
    if one.casefold() == two.casefold():
        return False
    start = len(posixpath.commonprefix((one, two)))
    left, right = one[start:], two[start:]
    end = len(posixpath.commonprefix((left[::-1], right[::-1])))
    left, right = left[: len(left) - end], right[: len(right) - end]
    return len(left + right) == 1 or (len(left), len(right)) == (1, 1) or (len(left) == 2 and left == right[::-1])


def _is_fed(old: Check, new: Check) -> bool:
    """It is given what is wanted of it, in the place of something else: `slug(want) == want`."""
    if (old.relation, old.wanted) != (new.relation, new.wanted) or new.grade is not Grade.EXACT or new.known:
        return False
    if NAME.fullmatch(new.wanted) is None or old.subject == new.subject:
        return False
    named = re.compile(rf"(?<![\w.]){re.escape(new.wanted)}(?![\w(])")
    first, *rest = named.split(new.subject)
    fed = bool(rest) and "(" in first and named.search(old.subject) is None
    return fed and old.subject.startswith(first) and old.subject.endswith(rest[-1])


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


def _does_nothing(old: str, new: str) -> bool:
    """Nothing but inputs that do nothing came in the place of others."""
    pairs = zip(CONSTANT.findall(old), CONSTANT.findall(new), strict=True)
    changed = [(one, two) for one, two in pairs if one != two]
    return bool(changed) and all(two in NOTHING and one not in NOTHING for one, two in changed)


def _is_answer(asked: str, wanted: str) -> bool:
    return wanted not in NOTHING and any(_value(each) == _value(wanted) for each in CONSTANT.findall(asked))


def _value(text: str) -> str | float:
    try:
        return float(text.replace("_", ""))
    except ValueError:
        return text.replace('"', "'")
