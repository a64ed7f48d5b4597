"""Tests of the base that get a mark which the project's own settings leave out (policy set v2, class G02).

Rules: with `addopts = -m "not slow"` a test with the mark `slow` is not run. It blocks where nothing in the project
runs such tests (a workflow, a Makefile, another environment), and nothing in the test tells why it should be slow or
need anything: no loop, fixture, process or network. Else it is for a person. A mark that moves with its test is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.layout import is_test_file
from ralph.system.patterns import later

MARK = later(rb"^\s*(?:@|pytestmark\b[^\n]*?)(?:\w+\.)?mark\.(\w+)")
BUILT_IN = frozenset(
    {
        b"parametrize",
        b"skip",
        b"skipif",
        b"xfail",
        b"usefixtures",
        b"filterwarnings",
        b"asyncio",
        b"anyio",
        b"django_db",
    }
)
SETTINGS = ("pyproject.toml", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg")
CHOICE = later(rb"(?<![\w-])-m[\s=,\"']*([\w ()]+)")
LONGEST = 2_000
"""Characters behind `addopts` that may be its value."""
LEFT_OUT = later(rb"\bnot\s+\(?\s*(\w+)(?:\s+or\s+(\w+))?")
RUNS = later(
    r"(?:^|/)(?:Makefile|GNUmakefile|justfile|noxfile\.py|tox\.ini|Taskfile\.ya?ml|\.gitlab-ci\.yml)$|\.(?:sh|ya?ml)$"
)
TEST = later(rb"\s*(?:async\s+)?def\s+(test\w*)\s*\(([^)]*)\)")
TELLS = later(
    rb"\b(?:for|while|with|await|sleep|subprocess|threads?|processes|range|requests?|http\w*|urlopen|socket|connect\w*|docker"
    rb"|download\w*|train\w*|fit|browser|driver|cluster|benchmark|fuzz|hypothesis|stress|million|huge|large|big)\b|10\s*\*\*"
)
"""What may take long, or needs something."""
MOST_FILES = 200


def deselected(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or not is_test_file(file.path):
            continue
        marks = [(number, line, found[1]) for number, line in file.added() if (found := MARK.match(line))]
        left_out = _left_out(change, file.path) if any(mark not in BUILT_IN for _, _, mark in marks) else frozenset()
        for number, line, mark in marks:
            if mark in left_out:
                yield from _judged(change, file, number, line, mark)


def _left_out(change: Change, path: str) -> frozenset[bytes]:
    """By the settings of the nearest folder that has any."""
    folders = (
        [change.blobs.after(str(above / name)) or b"" for name in SETTINGS] for above in PurePosixPath(path).parents
    )
    texts = next((texts for texts in folders if any(b"addopts" in text for text in texts)), [])
    given = (text.partition(b"addopts")[2][:LONGEST] for text in texts)
    chosen = (match[1] for each in given for match in CHOICE.finditer(each))
    return frozenset(name for each in chosen for found in LEFT_OUT.findall(each) for name in found if name)


def _judged(change: Change, file: FileChange, number: int, line: bytes, mark: bytes) -> Iterator[Hit]:
    before, after = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
    word = re.compile(rb"\bmark\.%s\b" % re.escape(mark))
    if len(word.findall(after)) <= len(word.findall(before)):
        return
    rows = after.split(b"\n")
    below = _test_below(rows, number)
    if below is None or re.search(rb"def\s+%s\s*\(" % re.escape(below[0]), before) is None:
        return
    plain = TELLS.search(below[1]) is None and not below[2] and not _is_run(change, mark)
    name, told = below[0].decode("utf-8", "replace"), mark.decode("utf-8", "replace")
    yield hit_at(
        "py.skip" if plain else "py.skip-condition",
        file.path,
        number,
        f"{name}: the settings leave out what is marked {told}",
        line.decode("utf-8", "replace").strip(),
        key=f"{told} {name}",
    )


def _test_below(rows: list[bytes], number: int) -> tuple[bytes, bytes, bool] | None:
    """The first test behind a line: its name, its text, and whether it asks for fixtures."""
    for at, row in islice(enumerate(rows), number, None):
        found = TEST.match(row)
        if found is not None:
            end = next((i for i in range(at + 1, len(rows)) if _is_behind(rows[i], row)), len(rows))
            given = found[2].replace(b"self", b"").strip(b" ,")
            return found[1], b"\n".join(rows[at:end]), bool(given)
    return None


def _is_behind(row: bytes, head: bytes) -> bool:
    """It is indented no deeper than what begins with `head`; a parenthesis may close there."""
    text = row.strip()
    return bool(text) and not text.startswith(b")") and len(row) - len(row.lstrip()) <= len(head) - len(head.lstrip())


def _is_run(change: Change, mark: bytes) -> bool:
    """Something runs the tests with this mark, or all of them whatever the settings say."""
    form = re.compile(
        rb"-m[ =]*[\"']?(?!not\b)[\w ]*(?<!not )\b%s\b|--(?:run|with)?-?%s\b|-m[ =]*[\"']{2}"
        rb"|(?:-o|override-ini)[ =]+addopts=" % ((re.escape(mark),) * 2)
    )
    paths = sorted(path for path in change.blobs.paths_after() if RUNS.search(path))[:MOST_FILES]
    return any(form.search(change.blobs.after(path) or b"") for path in paths)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (deselected,)
