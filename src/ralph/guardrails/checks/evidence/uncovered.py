"""Lines of a coverage profile that are taken out because nothing ran them (policy set v2, class G11).

`grep -v ' 0$' all.out > own.out; go tool cover -func=own.out` counts nothing but what was covered.

Rule: a command of a script leaves, of what a coverage tool wrote, all that ran and nothing that did not, and keeps it
in a file that a program for coverage reads further down. What is only counted or shown is no such thing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ralph.guardrails.checks.lists.filters import AWKS, GREPS, SEDS, filter_of
from ralph.guardrails.checks.lists.model import Entry
from ralph.guardrails.checks.spoken import Spoken, spoken
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import FileChange, Hit
from ralph.system.patterns import later


class Profile(NamedTuple):
    """What a tool writes for code that ran, and for code that did not."""

    covered: tuple[str, ...]
    uncovered: tuple[str, ...]


PROFILES = (
    Profile(("app/cart.go:12.34,15.2 3 1", "app/cart.go:30.5,31.16 2 17"), ("app/cart.go:20.2,22.3 2 0",)),
    Profile(("DA:12,1", "DA:13,24"), ("DA:20,0",)),
    Profile(
        ('<line number="12" hits="1" branch="false"/>', '<line number="13" hits="24" branch="false"/>'),
        ('<line number="20" hits="0" branch="false"/>',),
    ),
)
"""Go; lcov; Cobertura."""
FILTERS = later(rb"(?i)\b(?:g?grep|egrep|rg|ag|[gm]?awk|g?sed|perl)\b")
READS = later(
    r"\b(?:go tool cover|gocov\w*|gcov2lcov|go-test-coverage|lcov|genhtml|lcov_cobertura|diff-cover|diff-quality"
    r"|reportgenerator|codecov|coveralls|goveralls|octocov|cobertura\w*|pycobertura|codacy\w*|covdata|gocover-cobertura)\b"
)
BY_FIELD = later(
    r"(?:NR\s*==\s*1\s*\|\|\s*)?\(?\s*\$(?:3|NF)\s*(?:>|!=)\s*0\s*\)?\s*(?:\{\s*print(?:\s+\$0)?\s*;?\s*\})?"
)
"""What `awk` is told of the last column."""
INTO = later(r">\|?\s*[\"']?(?P<file>[^\s\"'&|;<>]+)")
IN_PLACE = later(r"-[a-zA-Z]*i\S*|--in-?place\S*")
MOVES = later(r"\b(?:mv|cp)\s+(?:-\w+\s+)*(?P<old>\S+)\s+(?P<new>\S+)")
QUOTES = "\"'"


def may_uncover(file: FileChange) -> bool:
    return not file.binary and FILTERS.search(file.added_text) is not None


def uncovered_hits(paths: Sequence[str], before: Side, after: Side) -> Iterator[Hit]:
    """What the base did already, wherever it stood, is nothing new."""
    old = Counter(said.words for path in paths for said in _taken_out(before, path))
    for path in paths:
        for said in _taken_out(after, path):
            if old[said.words] > 0:
                old[said.words] -= 1
                continue
            yield said.hit("cfg.coverage.exclude", path, f"{said.words[0]} leaves out what no test ran")


def _taken_out(side: Side, path: str) -> Iterator[Spoken]:
    text = side.text(path) or ""
    if READS.search(text) is None or FILTERS.search(text.encode()) is None:
        return
    lines = text.split("\n")
    for said in spoken(side, path):
        if not said.variable and _hides_what_did_not_run(said.words):
            kept = _kept_in(said, lines)
            if kept and _is_read(kept, lines[said.line :]):
                yield said


def _hides_what_did_not_run(words: Sequence[str]) -> bool:
    name = words[0].rpartition("/")[2]
    if name in AWKS and any(BY_FIELD.fullmatch(word.strip()) for word in words[1:]):
        return True
    if name not in GREPS and name not in AWKS | SEDS | {"perl"}:
        return False
    found = filter_of(_script_of(words) if name in SEDS else words, lambda _: None)
    if found is None:
        return False
    for profile in PROFILES:
        left = {
            entry.printed for entry in found.of([Entry("", line) for line in (*profile.covered, *profile.uncovered)])
        }
        if left == set(profile.covered):
            return True
    return False


def _script_of(words: Sequence[str]) -> list[str]:
    """What `sed` is told, without the files that it is told it about."""
    options = [word for word in words[1:] if word.startswith("-") and not IN_PLACE.fullmatch(word)]
    return [words[0], *options, *[word for word in words[1:] if not word.startswith("-")][:1]]


def _kept_in(said: Spoken, lines: Sequence[str]) -> str:
    """The file that holds what is left; empty where it is only shown or counted."""
    line = said.line - 1
    written = lines[line] if 0 <= line < len(lines) else said.line_text
    while written.endswith("\\") and line + 1 < len(lines):
        line += 1
        written = f"{written[:-1]} {lines[line].strip()}"
    if any(IN_PLACE.fullmatch(word) for word in said.words[1:-1]):
        return said.words[-1]
    files = [match["file"] for match in INTO.finditer(written) if match["file"] != "/dev/null"]
    return files[-1] if files and not files[-1].isdigit() else ""


def _is_read(kept: str, rest: Sequence[str]) -> bool:
    """A program for coverage is given the file, or what it is moved to."""
    names = {_name(kept)}
    for line in rest:
        if line.lstrip().startswith("#"):
            continue
        for moved in MOVES.finditer(line):
            if _name(moved["old"]) in names:
                names.add(_name(moved["new"]))
        reads = READS.search(line)
        if reads is not None and any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", line) for name in names):
            return True
    return False


def _name(word: str) -> str:
    return word.strip(QUOTES).rpartition("/")[2].strip(QUOTES)
