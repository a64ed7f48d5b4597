"""Test tasks of Rake that hold fewer tests than before (policy set v2, class G09).

Rule: the files that all tasks of a Rakefile hold together are compared; tests that stay where they are must still be
held by one. What a task holds is read from its globs and names, without those that it excludes; a Rakefile with a
choice that only running could tell, or with a task that chooses nothing, says nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config.patterns import covers
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.system.patterns import later

SETTING = later(
    r"(?m)^[ \t]*(?P<name>\w+)\.(?:pattern|test_files|test_globs)[ \t]*(?P<sign>-?)=[ \t]*"
    r"(?P<value>.*(?:(?<=[,(\[{-])\n.*|\n[ \t]*(?:\.|[)\]}]).*)*)"
)
LEAVES_OUT = later(r"\.(?:exclude|reject|without|grep_v)\b|\s-\s")
LITERAL = later(
    r"\"(?P<wide>[^\"\n]*)\"|'(?P<one>[^'\n]*)'|%[wW][\[({](?P<words>[^\])}]*)|(?<![\w)\]])/(?P<form>[^/\n]+)/"
)
UNKNOWN = later(r"#\{|\bENV\b|\bARGV\b|\?\s|\bif\b|\bunless\b|\.map\b|\.select\b|\.grep\b")
TASK = later(r"\bTestTask\.(?:create|new)\b|\bCore::RakeTask\.new\b")
TEST = later(rb"(?m)^\s*(?:def test_|(?:test|it|specify|should)\b[ (])")
Held = frozenset[str]


def fewer_held(change: Change) -> Iterator[Hit]:
    for file in change.files:
        name = posixpath.basename(file.path).lower()
        if file.status == "M" and (name in ("rakefile", "rakefile.rb") or name.endswith(".rake")):
            yield from _of_file(change, file)


def _of_file(change: Change, file: FileChange) -> Iterator[Hit]:
    kept = sorted(path for path in change.blobs.paths_before() & change.blobs.paths_after() if path.endswith(".rb"))
    old, new = (_held(side(file.path), kept) for side in (change.blobs.before, change.blobs.after))
    if old is None or not new:
        return
    lost = sorted(path for path in old - new if TEST.search(change.blobs.after(path) or b""))
    if lost:
        text = (change.blobs.after(file.path) or b"").decode("utf-8", "replace")
        place = next(iter(SETTING.finditer(text)))
        row = text.count("\n", 0, place.start("name")) + 1
        detail = f"no task holds {lost[0]} any more"
        yield Hit(
            rule="ruby.tests-filtered",
            path=file.path,
            line=row,
            column=1,
            key=detail,
            snippet=place[0].strip()[:200],
            detail=detail,
        )


def _held(data: bytes | None, paths: list[str]) -> Held | None:
    """What the tasks of a Rakefile hold; None where nothing tells."""
    text = re.sub(r"(?m)^\s*#.*$", "", (data or b"").decode("utf-8", "replace"))
    settings = list(SETTING.finditer(text))
    if len(TASK.findall(text)) > len(settings):
        return None
    found: set[str] = set()
    for setting in settings:
        if UNKNOWN.search(setting["value"]):
            return None
        cut = LEAVES_OUT.search(setting["value"])
        ends = 0 if setting["sign"] else cut.start() if cut is not None else len(setting["value"])
        wanted, unwanted = (list(_literals(part)) for part in (setting["value"][:ends], setting["value"][ends:]))
        left_out = {path for path in paths if any(_is_left_out(form, path) for form in unwanted)}
        if setting["sign"]:
            found -= left_out
        else:
            found.update(path for path in paths if path not in left_out and any(_holds(form, path) for form in wanted))
    return frozenset(found) or None


def _literals(text: str) -> Iterator[str | re.Pattern[str]]:
    for match in LITERAL.finditer(text):
        if match["form"] is not None:
            yield _pattern(match["form"])
        elif match["words"] is not None:
            yield from match["words"].split()
        else:
            yield match["wide"] or match["one"] or ""


def _pattern(text: str) -> re.Pattern[str] | str:
    try:
        return re.compile(text.replace(r"\A", "^").replace(r"\z", "$"))
    except re.error:
        return ""


def _holds(form: str | re.Pattern[str], path: str) -> bool:
    return isinstance(form, str) and form != "" and (form == path or covers(form, path, regex=False))


def _is_left_out(form: str | re.Pattern[str], path: str) -> bool:
    """By a glob or a name; `reject` asks for a part of one, too."""
    if isinstance(form, re.Pattern):
        return form.search(path) is not None
    plain = form != "" and not re.search(r"[*?{\[]", form)
    return _holds(form, path) or (plain and form in path)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (fewer_held,)
