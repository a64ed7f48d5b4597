"""Helpers of tests that compared exactly, and now what rounding leaves of both sides (policy set v2, class G05).

Rule: a function beside tests was there before and compared without rounding. Now one comparison in it rounds both of
its sides to whole numbers, in itself or through a function of the file that is new to do so: `round(expected)` and
`round(actual)` are equal wherever the numbers are near. It blocks where a test hands such a helper a number with
digits after the point, which nobody compares any more; otherwise it is for a person. A number of digits that is kept
(`setScale(2)`, `Math.round(x * 100)`) loses nothing that anybody wrote down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.commas import step
from ralph.guardrails.common.beside_tests import edited_helpers
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

WORTH = later(rb"(?i)round|setscale|floor|ceil|trunc|tofixed|toint|tolong|to_i|intvalue|longvalue|\bint\(|quantize")
DIGITS = later(
    r"\.setScale\(\s*(\w+)|\.toFixed\(\s*(\w*)\s*\)|\.round\(\s*(-?\w+)\s*\)|\.(?:round|with_scale|round_dp)\(\s*(\w+)"
    r"|(?<![\w.])round\([^(),]*(?:\([^()]*\)[^(),]*)*,\s*(-?\w+)\s*\)|\.quantize\(\s*Decimal\(\s*[\"'](1)[\"']"
    r"|\b(?:Math|Decimal|decimal)\.Round\([^(),]*(?:\([^()]*\)[^(),]*)*,\s*(\d+|[a-zA-Z]\w*)\b"
)
"""How many digits after the point are kept."""
NO_DIGITS = later(
    r"\bMath\.(?:round|floor|ceil|trunc|rint|Floor|Ceiling|Truncate)\(|\bmath\.(?:Round|Floor|Ceil|Trunc|floor|ceil|trunc)\("
    r"|\b(?:Math|Decimal|decimal)\.Round\([^(),]*(?:\([^()]*\)[^(),]*)*\)|\bkotlin\.math\.round\("
    r"|(?<![\w.])(?:int|round|floor|ceil|intval)\([^(),]*(?:\([^()]*\)[^(),]*)*\)"
    r"|\.(?:intValue|longValue|toInt|toLong|roundToInt|roundToLong|toBigInteger)\(\)"
    r"|\.(?:to_i|round|floor|ceil|trunc|truncate)(?:\(\))?(?![\w(])|\bas (?:i|u)(?:32|64|128|size)\b"
)
SCALED = later(r"\*\s*(?:10+|1e\d|\w*(?i:scale|factor)\w*)\b")
COMPARES = later(r"(?i)\bassert|\bexpect\b|\bshould|\brequire\b|equal|[!=]==?|\beq\b")
CONSTANT = r"\b{}\b[^=\n]*=\s*(?P<value>-?\d+)\b"
FRACTION = later(r"(?<![\w.])\d[\d_]*\.\d*[1-9]\d*")
COMMENT = later(r"(?m)(?:(?<!:)//|(?<!\S)#(?!\[)|^\s*\*)[^\n]*")
LONGEST_CALL = 200
MOST_FILES = 200


def rounded(change: Change) -> Iterator[Hit]:
    for file, _ in edited_helpers(change, WORTH):
        old, new = (_text(data) for data in (change.blobs.before(file.path), change.blobs.after(file.path)))
        for number, name, head in _coarse(old, new):
            exact = next(_exact(name, change), "")
            detail = f"{name} compares what rounding leaves of both sides{f', as of {exact}' if exact else ''}"
            rule = "test.weakened" if exact else "test.somewhat-weaker"
            yield hit_at(rule, file.path, number + 1, detail, head.strip(), key=name)


def _text(data: bytes | None) -> str:
    return COMMENT.sub("", (data or b"").decode("utf-8", "replace"))


def _coarse(old: str, new: str) -> Iterator[tuple[int, str, str]]:
    """Functions of the head that round both sides, of which those of the base rounded none."""
    before = {name: body for _, name, _, body in functions_of(old.encode())}
    after = functions_of(new.encode())
    rounding = {each[1] for each in after if _is_coarse(f"{each[2]}\n{each[3]}", new) and each[1] not in before}
    for number, name, head, body in after:
        was = before.get(name)
        if was is None or not any(map(COMPARES.search, _statements(was))) or _is_coarse(was, old):
            continue
        calls = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(rounding)))})\(") if rounding else None
        if any(_rounds_both(statement, new, calls) for statement in _statements(body)):
            yield number, name, head


def _rounds_both(statement: str, text: str, calls: re.Pattern[str] | None) -> bool:
    if COMPARES.search(statement) is None:
        return False
    own = list(NO_DIGITS.finditer(statement)) if SCALED.search(statement) is None else []
    told = [match for match in DIGITS.finditer(statement) if _keeps_none(match, text)]
    through = len(calls.findall(statement)) if calls is not None else 0
    return len({match.start() for match in (*own, *told)}) + through > 1


def _is_coarse(body: str, text: str) -> bool:
    if SCALED.search(body):
        return False
    kept = [_keeps_none(match, text) for match in DIGITS.finditer(body)]
    return any(kept) if kept else NO_DIGITS.search(body) is not None


def _keeps_none(match: re.Match[str], text: str) -> bool:
    said = next((each for each in match.groups() if each is not None), "")
    if ".quantize" in match[0]:
        return True
    if said and not re.fullmatch(r"-?\d+", said):
        held = re.search(CONSTANT.format(re.escape(said)), text)
        said = held["value"] if held is not None else "1"
    return int(said or "0") <= 0


def _statements(body: str) -> Iterator[str]:
    """Lines, joined while a bracket is open."""
    held, deep = "", 0
    for line in body.split("\n"):
        held, deep = f"{held} {line.strip()}", deep + sum(map(step, line))
        if deep <= 0 or line.rstrip().endswith(("{", ";")):
            yield held
            held, deep = "", 0
    yield held


def _exact(name: str, change: Change) -> Iterator[str]:
    """Numbers with digits after the point that tests hand to the helper."""
    called = re.compile(rf"(?<!\w){re.escape(name)}\b[ (!](?P<given>[^;]{{0,{LONGEST_CALL}}})")
    there = [(file.path, reader_of(language(file, change))) for file in change.files if file.status != "D"]
    changed = {path for path, reader in there if is_beside_tests(path, reader)}
    tests = {each for each in change.blobs.paths_after() if re.search(r"(?i)test|spec", each)}
    for path in nearest(changed | tests, change, MOST_FILES):
        data = change.blobs.after(path) or b""
        if name.encode() in data:
            for match in called.finditer(_text(data)):
                yield from FRACTION.findall(match["given"].split("\n\n")[0])


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (rounded,)
