"""A test as a build's description registers it, and what it takes to say that it is no longer run.

Rules (policy set v2, classes G09, G10, G14):

- A test is known by its name, and by the sources of what it runs. It is gone where nothing registers its name any more,
  nothing that is registered is made of its sources, and one of these is still there. What went with its sources, has
  another name or is part of another test now is no loss.
- A condition that was not there decides whether it runs: one that never holds, or a variable that is off unless
  somebody asks for it, blocks; the platform, and what something in the tree switches on, is for a person. Whether tests
  are built at all (`BUILD_TESTING`) is everybody's own choice.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.record import field, record
from ralph.system.patterns import later

NOT_RUN, EXCLUDED, IGNORED, RETRIES = (
    "cfg.test.not-run",
    "cfg.test.excluded",
    "cfg.check.failures-ignored",
    "cfg.test.retries",
)
PARTLY, WEAKER = "cfg.test.partly", "cfg.test.weaker-run"
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".rs", ".py", ".go", ".java", ".kt", ".sh", ".d", ".f90", ".cu")
NEVER = later(r"(?i)\s*(?:not\s+\(?\s*(?:true|1|on|yes)\s*\)?|false|0|off|no|n|ignore|notfound)\s*")
USUAL = later(
    r"(?i)^\s*[a-z]+_TESTS?\s*$|BUILD_?TEST|TESTING\b|_TESTS?\b.*\bBUILD|TOP_LEVEL|STANDALONE|CMAKE_(?:CURRENT_)?SOURCE_DIR|\bTARGET\b|\bCOMMAND\b"
    r"|\bEXISTS\b|FOUND\b|found\(\)|get_option\('(?:tests?|build_tests?|unit_tests?)'\)|(?:BUILD|ENABLE|WITH)_(?:UNIT_?)?TESTS?\b"
)
PLATFORM = later(
    r"(?i)\b(?:WIN32|APPLE|UNIX|MSVC\w*|MINGW|CYGWIN|ANDROID|IOS|LINUX|EMSCRIPTEN)\b|SYSTEM_NAME|SYSTEM_PROCESSOR|COMPILER_ID"
    r"|SIZEOF_VOID_P|CROSSCOMPILING|CMAKE_VERSION|COMPILER_VERSION|BUILD_TYPE|GENERATOR|host_machine|build_machine|get_id"
    r"|target_machine|platforms|version_compare|SANITIZE|COVERAGE|\w*_STANDARD\b|\b(?:HAVE|HAS|CAN|SUPPORTS?)_\w+|_(?:SUPPORTED|CAN_\w+)\b"
)
BRACKET = later(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])*'|[()\[\]{}]", re.DOTALL)
OUTSIDE_CI = later(r"(?i)ENV\{?(?:CI|GITHUB_ACTIONS|GITLAB_CI)\b|\bCI\b")
OF_TESTS = later(r"(?i)test|(?:^|_)(?:slow|run|extra|check|flaky|broken|quick|fast|all|strict|nightly|full)(?:$|_|\s)")
SWITCHED_ON_IN = later(
    r"(?:^|/)(?:Makefile|justfile|CMake(?:User)?Presets\.json|meson_options\.txt|meson\.options|Jenkinsfile|Dockerfile"
    r"|\.gitlab-ci\.yml|CMakeLists\.txt)$|\.github/workflows/|\.(?:sh|cmake)$"
)
OPEN = later(r"\$\{(?!CMAKE_COMMAND\})|\*")
MOST_FILES = 200


@record(kw_only=True)
class Entry:
    """One test that a build registers."""

    name: str
    path: str
    line: int
    needs: frozenset[str] = frozenset()
    """What it runs: names of targets, and of files as they stand in the tree."""
    conditions: tuple[str, ...] = ()
    command: str = ""
    traits: Mapping[str, str] = field(default_factory=dict)
    within: str = ""
    """The function that has to be called for it."""
    part: bool = False
    """It stands for something within a test or above it, such as a folder, and not for a test itself."""


@record(kw_only=True)
class Found:
    """What is wrong in one place of the head; without a line the place is gone."""

    rule: str
    path: str
    line: int
    detail: str

    def hit(self, change: Change) -> Hit:
        side = change.blobs.after if self.line else change.blobs.before
        lines = (side(self.path) or b"").decode("utf-8", "replace").splitlines()
        snippet = lines[self.line - 1].strip() if 0 < self.line <= len(lines) else self.detail
        return hit_at(self.rule, self.path, self.line, self.detail, snippet)


def text_of(change: Change, path: str, *, after: bool) -> str:
    data = change.blobs.after(path) if after else change.blobs.before(path)
    return (data or b"").decode("utf-8", "replace")


def compared(change: Change, old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Found]:
    """What was registered and no longer is, or hangs on something that it did not hang on."""
    before, after = _by_name(old), _by_name(new)
    covered = frozenset(need for entry in new for need in entry.needs)
    more = sum("$" in entry.name for entry in new) > sum("$" in entry.name for entry in old)
    for name, were in before.items():
        was, now = were[-1], after.get(name)
        if now is not None:
            yield from _hanging(change, were, now)
            yield from _of_other_sources(change, was, now[0], covered)
        elif was.path in change.blobs.paths_after() and not any(map(never, was.conditions)):
            yield from _gone(change, was, covered, more)


def _by_name(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.name, []).append(entry)
    return found


def _gone(change: Change, was: Entry, covered: frozenset[str], more: bool) -> Iterator[Found]:
    files = sorted(need for need in was.needs if "." in need or "/" in need)
    if was.needs & covered or (files and not any(_is_there(change, need) for need in files)):
        return
    if not files and not _has_source(change, was):
        return
    rule = PARTLY if more else NOT_RUN
    yield Found(rule=rule, path=was.path, line=0, detail=f"nothing registers {was.name} any more")


def _of_other_sources(change: Change, was: Entry, now: Entry, covered: frozenset[str]) -> Iterator[Found]:
    """It still has its name, and runs something else: what it was made of is still there, and part of no test."""
    files = {need for need in was.needs if "." in need and not need.endswith("/")}
    lost = sorted(need for need in files - covered if _is_there(change, need))
    if lost and not was.part and not now.part and not any(OPEN.search(need) for need in now.needs):
        yield Found(rule=NOT_RUN, path=now.path, line=now.line, detail=f"{now.name} no longer runs {lost[0]}")


def _is_there(change: Change, need: str) -> bool:
    paths = change.blobs.paths_after()
    if need in paths or need.endswith("/"):
        return need in paths or any(path.startswith(need) for path in paths)
    return "/" not in need and any(path.endswith(f"/{need}") for path in paths)


def _has_source(change: Change, was: Entry) -> bool:
    """A source is named like the test or what it runs."""
    wanted = {re.sub(r"\W", "", name).lower() for name in (was.name, *was.needs)}
    stems = (posixpath.splitext(posixpath.basename(path)) for path in change.blobs.paths_after())
    return any(end in SOURCES and re.sub(r"\W", "", stem).lower() in wanted for stem, end in stems)


def _hanging(change: Change, old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Found]:
    """The mildest of several registrations decides."""
    known = {part for entry in old for condition in entry.conditions for part in _parts(condition)}
    weighed = []
    for entry in new:
        fresh = [part for condition in entry.conditions for part in _parts(condition) if part not in known]
        weighed.append((_weight(change, fresh), entry, " and ".join(fresh)))
    rule, entry, shown = min(weighed, key=lambda each: ("", PARTLY, NOT_RUN).index(each[0]))
    if rule:
        yield Found(rule=rule, path=entry.path, line=entry.line, detail=f"{entry.name} is registered only if {shown}")


def _parts(condition: str) -> list[str]:
    """What all have to hold."""
    return [condition] if "(" in condition else re.split(r"\s+(?:AND|and)\s+", condition)


ALWAYS = later(r"(?i)\s*(?:not\s+\(?\s*(?:false|0|off|no)\s*\)?|true|1|on|yes)\s*")


def never(condition: str) -> bool:
    return NEVER.fullmatch(condition) is not None


def is_of_platform(conditions: Iterable[str]) -> bool:
    return any(PLATFORM.search(condition) for condition in conditions)


def _weight(change: Change, conditions: Iterable[str]) -> str:
    worst = ""
    for condition in conditions:
        negated = re.match(r"(?i)\s*not\b", condition) is not None
        if never(condition) or (negated and OUTSIDE_CI.search(condition)):
            return NOT_RUN
        if ALWAYS.fullmatch(condition) or (USUAL.search(condition) and not negated):
            continue
        if PLATFORM.search(condition):
            worst = worst or PARTLY
        elif negated:
            worst = NOT_RUN if _is_set(change, condition, after=True) else worst
        elif _is_set(change, condition, after=True) or _is_known(change, condition):
            worst = worst or PARTLY
        else:
            worst = NOT_RUN
    return worst


def _names(condition: str) -> list[str]:
    words = re.findall(r"[A-Za-z_]\w{2,}", condition)
    return [word for word in words if not re.fullmatch(r"(?i)not|and|or|get_option", word)]


def _is_set(change: Change, condition: str, *, after: bool) -> bool:
    """Something of the tree switches on what the condition asks for, or is asked not to be."""
    name = "(?:" + "|".join(map(re.escape, dict.fromkeys(_names(condition)))) + ")"
    on = r"(?:ON|TRUE|1|YES|true|enabled)"
    form = re.compile(
        rf"-D\s*{name}(?::BOOL)?=\"?{on}\b|\boption\s*\(\s*{name}\b[^)]*(?:\b{on}|\}})\s*\)|\bset\s*\(\s*{name}\s+\"?{on}\b"
        rf"|\"{name}\"\s*:\s*(?:\{{[^}}]*)?\"?{on}\b|option\(\s*'{name}'[^)]*value\s*:\s*'?{on}\b"
    )
    paths = sorted(path for path in change.blobs.paths_after() if SWITCHED_ON_IN.search(path))
    return any(form.search(text_of(change, path, after=after)) for path in paths[:MOST_FILES])


def _is_known(change: Change, condition: str) -> bool:
    """A choice that the base already left to others, and that is none of tests."""
    if OF_TESTS.search(condition):
        return False
    form = re.compile(rf"(?:\boption|\bset)\s*\(\s*'?(?:{'|'.join(map(re.escape, _names(condition))) or '$'})\b")
    paths = sorted(path for path in change.blobs.paths_before() if SWITCHED_ON_IN.search(path))
    return any(form.search(text_of(change, path, after=False)) for path in paths[:MOST_FILES])


def closing(text: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`; brackets in quotes count for nothing."""
    depth = 0
    for match in BRACKET.finditer(text, start):
        depth += 1 if match[0] in "([{" else -1 if match[0] in ")]}" else 0
        if depth == 0:
            return match.end()
    return len(text)


def changed(change: Change, names: re.Pattern[str]) -> list[FileChange]:
    return [file for file in change.files if names.search(file.path) and not file.binary]
