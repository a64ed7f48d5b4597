"""Regions in which something is silenced, and that reach over more code now (policy set v2, classes G01 and G11).

Rule, for comments that begin and end a region (`eslint-disable` and `eslint-enable`, `:nocov:`, `pragma warning`) at or
near what changes: a line of code that stood outside of every such region of the base stands in one now, as what
begins or ends it moved, or the line did. A new comment is found by its language's own rules, and so is one that nothing
ends any more. Code that is written into a region is none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import prefilter
from ralph.record import record
from ralph.system.patterns import later

ALL = "*"
REASON = later(r"\s(?:--\s|//).*")
CODE = later(r"[\w@][\w@/.-]*")
SAYS_NOTHING = later(r"\s*(?:[\W_]*|(?://|#(?!\[)|/?\*).*|(?:end|fi|done|esac)\b.*)")
WORDS = (
    r"(?:eslint|tslint|pylint|phpcs|rubocop|ruff|coverage|resharper)(?:-|:)?\s*(?:dis|en)able",
    r"ignore\s+(?:start|stop|end)|biome-ignore-|:nocov:|codecoverageignore(?:start|end)",
    r"pragma\s+warning|resharper\s+restore|nolint(?:begin|end)|checkstyle|\bcso(?:ff|n)\b",
)


@record
class Marks:
    """What begins and ends a region; `of` names what it silences, if it does not silence all."""

    rule: str
    begin: re.Pattern[str]
    end: re.Pattern[str]


def _marks(rule: str, begin: str, end: str) -> Marks:
    return Marks(rule, later(begin), later(end))


_SCRIPT = (
    _marks(
        "js.eslint-disable", r"/\*\s*eslint-disable(?![\w-])(?P<of>[^*]*)", r"/\*\s*eslint-enable(?![\w-])(?P<of>[^*]*)"
    ),
    _marks(
        "js.tslint-disable",
        r"/[/*]\s*tslint:disable(?![\w-])(?!:next)(?P<of>[^*]*)",
        r"/[/*]\s*tslint:enable(?P<of>[^*]*)",
    ),
    _marks("js.biome-ignore-file", r"biome-ignore-start\s+(?P<of>[^:]*)", r"biome-ignore-end\s+(?P<of>[^:]*)"),
    _marks(
        "js.coverage-ignore",
        r"(?:istanbul|[cv]8)\s+ignore\s+start\b|node:coverage\s+disable\b",
        r"(?:istanbul|[cv]8)\s+ignore\s+(?:stop|end)\b|node:coverage\s+enable\b",
    ),
)
_JVM = (_marks("jvm.checkstyle-off", r"\bCHECKSTYLE[:.\s_-]*OFF|\bCSOFF\b", r"\bCHECKSTYLE[:.\s_-]*ON|\bCSON\b"),)
MARKS: dict[tuple[str, ...], tuple[Marks, ...]] = {
    (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"): _SCRIPT,
    (".py", ".pyi"): (
        _marks("py.pylint", r"^\s*#\s*pylint:\s*disable=(?P<of>.*)", r"^\s*#\s*pylint:\s*enable=(?P<of>.*)"),
        _marks("py.noqa-range", r"#\s*ruff:\s*disable\[(?P<of>[^\]]*)\]", r"#\s*ruff:\s*enable\[(?P<of>[^\]]*)\]"),
    ),
    (".rb", ".rake"): (
        _marks(
            "ruby.rubocop-disable", r"^\s*#\s*rubocop:(?:disable|todo)\s(?P<of>.*)", r"#\s*rubocop:enable\s(?P<of>.*)"
        ),
        _marks("ruby.nocov", r"^\s*#\s*:nocov:", r"^\s*#\s*:nocov:"),
    ),
    (".cs",): (
        _marks(
            "csharp.pragma-disable",
            r"^\s*#\s*pragma\s+warning\s+disable\b(?P<of>.*)",
            r"^\s*#\s*pragma\s+warning\s+restore\b(?P<of>.*)",
        ),
        _marks(
            "csharp.resharper-disable",
            r"//\s*ReSharper disable(?! once)\b(?P<of>.*)",
            r"//\s*ReSharper (?:restore|enable)\b(?P<of>.*)",
        ),
    ),
    (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh"): (
        _marks("cpp.nolint", r"\bNOLINTBEGIN(?:\((?P<of>[^)]*)\))?", r"\bNOLINTEND(?:\((?P<of>[^)]*)\))?"),
    ),
    (".java",): _JVM,
    (".kt", ".kts"): _JVM,
    (".php",): (
        _marks("php.phpcs-ignore", r"\bphpcs:disable\b(?P<of>[^*]*)", r"\bphpcs:enable\b(?P<of>[^*]*)"),
        _marks("php.coverage-ignore", r"@codeCoverageIgnoreStart\b", r"@codeCoverageIgnoreEnd\b"),
    ),
}


@record
class Region:
    begin: int
    end: int
    """The line that ends it, or the one behind the last."""

    def holds(self, line: int) -> bool:
        return self.begin < line < self.end


class Parted(NamedTuple):
    inside: Mapping[str, Sequence[int]]
    outside: Mapping[str, Sequence[int]]


def stretched(change: Change) -> Iterator[Hit]:
    for file in change.files:
        kinds = next((marks for ends, marks in MARKS.items() if file.path.endswith(ends)), ())
        if not kinds or file.status != "M" or file.binary:
            continue
        after = change.blobs.after(file.path) or b""
        if prefilter(WORDS).matches(file.near(after)):
            old, new = _lines(change.blobs.before(file.path) or b""), _lines(after)
            for marks in kinds:
                yield from _compared(file, marks, old, new)


def _compared(file: FileChange, marks: Marks, old: Sequence[str], new: Sequence[str]) -> Iterator[Hit]:
    """What is silenced there is not looked at: other rules of the language tell whether it is more than it was."""
    before, after = list(_regions(marks, old)), [each for each in _regions(marks, new) if each.end <= len(new)]
    if not before or not after:
        return
    was, now = _parted(old, before), _parted(new, after)
    for text, lines in now.inside.items():
        more = len(lines) > len(was.inside.get(text, ()))
        if more and len(now.outside.get(text, ())) < len(was.outside.get(text, ())):
            detail = "this stood outside of what is silenced"
            yield hit_at(marks.rule, file.path, lines[0], detail, text, key=text)
            return


def _parted(lines: Sequence[str], regions: Sequence[Region]) -> Parted:
    """The lines that say something, by what they say, inside and outside of the regions."""
    inside, outside = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for number, line in enumerate(lines, start=1):
        if SAYS_NOTHING.fullmatch(line) is None:
            (inside if any(region.holds(number) for region in regions) else outside)[line.strip()].append(number)
    return Parted(inside, outside)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").split("\n")


def _regions(marks: Marks, lines: Sequence[str]) -> Iterator[Region]:
    """One for each that is silenced, by its code; lines are counted from 1."""
    begun: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        end = marks.end.search(line)
        if end is not None and begun:
            named = _codes(end)
            for code in list(begun) if named == [ALL] else [each for each in named if each in begun]:
                yield Region(begun.pop(code), number)
        elif (begin := marks.begin.search(line)) is not None:
            begun.update({code: number for code in _codes(begin) if code not in begun})
    yield from (Region(number, len(lines) + 1) for number in begun.values())


def _codes(mark: re.Match[str]) -> list[str]:
    said = REASON.sub("", mark.groupdict().get("of") or "")
    return list(dict.fromkeys(CODE.findall(said.replace(":", " ")))) or [ALL]


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (stretched,)
