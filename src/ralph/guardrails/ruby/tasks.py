"""Test tasks of Rake that hold fewer tests than before (policy set v2, class G09).

Rules:

- The files that all tasks of a Rakefile hold together are compared; tests that stay where they are must still be held
  by one. What a task holds is read from its globs and names, without those that it excludes, and if it has none from
  those that its kind brings; a Rakefile with a choice that only running could tell says nothing. Where a variable may
  choose, it is what nobody chose: `ENV.fetch("TESTS", "test/**/*_test.rb")`.
- Options that a task hands on to its runner (`rspec_opts`, `options`, `extra_args`, `ENV["TESTOPTS"]`) leave tests out
  as they do on a command line: by name, tag or pattern. Those of a task that is one of its own are for a person.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config.patterns import covers
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

SETTING = later(
    r"(?m)(?:^|[|;{])[ \t]*(?P<name>\w+)\.(?P<what>pattern|test_files|test_globs|exclude_pattern)"
    r"[ \t]*(?P<sign>-?)=[ \t]*"
    r"(?P<value>.*(?:(?<=[,(\[{-])\n.*|\n[ \t]*(?:\.|[)\]}]).*)*)"
)
OPTIONS = later(
    r"(?m)(?:^|[|;{])[ \t]*"
    r"(?:\w+\.(?P<name>rspec_opts|options|extra_args|ruby_opts|cucumber_opts|spec_opts)[ \t]*(?:\+|\|\|)?="
    r"|\w+\.(?:options|extra_args|rspec_opts)[ \t]*<<"
    r"|ENV\[[\"'](?:TESTOPTS|TEST_OPTS|SPEC_OPTS|RSPEC_OPTS|CUCUMBER_OPTS|N|TEST)[\"']\][ \t]*(?:\|\|)?=)"
    r"[ \t]*(?P<value>[^\n]*)"
)
FILTERS = later(
    r"(?:^|[\s\"'\[,(=])(?:--exclude-pattern|--pattern|-P|--tag|-t|--tags|--example|-e|--exclude|-x|--name|-n|-i|--include"
    r"|--only-failures|--next-failure|--dry-run|--ignore-name)(?=[\s=\"',~]|$)|(?:^|[\s\"'])-[nextP](?:/|\w)"
)
ASSIGNED = r"(?m)^[ \t]*{0}[ \t]*=[ \t]*(?P<value>.*(?:\n[ \t]*(?:\.|[)\]}}]).*)*)"
CHANGED = r"(?m)^[ \t]*{0}(?P<value>\.(?:exclude|reject!|delete_if|delete)\b.*|[ \t]*-=.*)"
BY_ITSELF = {
    "RakeTask": '"spec/**/*_spec.rb"',
    "TestTask": '"test/test*.rb"',
    "create": '"test/**/test_*.rb", "test/**/*_test.rb", "test/test_*.rb", "test/*_test.rb"',
}
"""What a task of each kind holds if nobody says what."""
LEAVES_OUT = later(r"\.(?:exclude|reject|without|grep_v)\b|\s-\s")
LITERAL = later(
    r"\"(?P<wide>[^\"\n]*)\"|'(?P<one>[^'\n]*)'|%[wW][\[({](?P<words>[^\])}]*)|(?<![\w)\]])/(?P<form>[^/\n]+)/"
)
BY_DEFAULT = later(
    r"ENV(?:\[[\"']\w+[\"']\][ \t]*\|\||\.fetch\([ \t]*[\"']\w+[\"'][ \t]*(?:,|\)[ \t]*\{))[ \t]*"
    r"(?P<value>\"[^\"\n]*\"|'[^'\n]*')(?:[ \t]*[)}])?"
)
UNKNOWN = later(r"#\{|\bENV\b|\bARGV\b|\?\s|\bif\b|\bunless\b|\.map\b|\.select\b|\.grep\b")
TASK = later(r"\b(?:TestTask\.(?P<made>create)|(?P<kind>TestTask)\.new|Core::(?P<of_rspec>RakeTask)\.new)\b")
NAME = later(r"[ (]*[:\"'](\w+)|[ (]+(\w+):")
TEST = later(rb"(?m)^\s*(?:def test_|(?:test|it|specify|should|scenario|example|its)\b[ ({])")
Held = frozenset[str]


def fewer_held(change: Change) -> Iterator[Hit]:
    for file in change.files:
        name = posixpath.basename(file.path).lower()
        if file.status == "M" and (name in ("rakefile", "rakefile.rb") or name.endswith(".rake")):
            yield from _of_file(change, file)


def _of_file(change: Change, file: FileChange) -> Iterator[Hit]:
    kept = sorted(path for path in change.blobs.paths_before() & change.blobs.paths_after() if path.endswith(".rb"))
    before, after = (_plain(side(file.path)) for side in (change.blobs.before, change.blobs.after))
    yield from _filtered(file.path, before, after)
    old, new = _held(before, kept), _held(after, kept)
    if old is None or new is None:
        return
    lost = sorted(path for path in old - new if TEST.search(change.blobs.after(path) or b""))
    if lost:
        known = {match[0] for match in SETTING.finditer(before)}
        places = list(SETTING.finditer(after))
        place = next((match for match in places if match[0] not in known), places[0] if places else None)
        row = after.count("\n", 0, place.start("name")) + 1 if place else 1
        shown = place[0].strip() if place else ""
        yield _hit(file.path, row, shown, f"no task holds {lost[0]} any more")


def _plain(data: bytes | None) -> str:
    """Without comments, and without what a variable may choose instead."""
    return BY_DEFAULT.sub(r"\g<value>", re.sub(r"(?m)^[ \t]*#.*$", "", (data or b"").decode("utf-8", "replace")))


def _filtered(path: str, before: str, after: str) -> Iterator[Hit]:
    """Options of the runner that leave tests out and were not there; a condition of the same line is for a person."""
    if len(TASK.findall(before)) < len(TASK.findall(after)):
        return  # a task beside the others
    known = {word for match in OPTIONS.finditer(before) for word in _words(match["value"])}
    for match in OPTIONS.finditer(after):
        words = _words(match["value"])
        if match["name"] != "ruby_opts" and FILTERS.search(match["value"]) and not set(words) <= known:
            new = " ".join(word for word in words if word not in known)
            if not FILTERS.search(f" {new}") and not FILTERS.search(f" {match['value']}"):
                continue
            row = after.count("\n", 0, match.start("value")) + 1
            chosen = re.search(r"\b(?:if|unless)\b|\?\s|#\{|\bENV\b", match["value"]) is not None
            at_times = chosen or _is_apart(after, match)
            yield _hit(path, row, match[0].strip(), f"the runner is told: {match['value'].strip()}", at_times=at_times)


def _is_apart(text: str, option: re.Match[str]) -> bool:
    """It is for a task that has a name of its own and is not among those that are run unasked."""
    tasks = list(TASK.finditer(text, 0, option.start())) if option["name"] else []
    name = NAME.match(text, tasks[-1].end()) if tasks else None
    if name is None or (name[1] or name[2]) in ("spec", "test", "specs", "tests", "default", "unit"):
        return False
    if re.search(rf"\b{re.escape(name[1] or name[2])}\b", option["value"]) and "~" not in option["value"]:
        return True
    by_default = re.findall(r"(?m)^[ \t]*task[ (]*[:\"']?(?:default|ci|test|spec|check)\b[^\n]*", text)
    return not any(re.search(rf"\b{re.escape(name[1] or name[2])}\b", each) for each in by_default)


def _words(value: str) -> list[str]:
    return re.findall(r"[^\s,\[\]\"']+", value)


def _hit(path: str, row: int, shown: str, detail: str, *, at_times: bool = False) -> Hit:
    rule = "ruby.tests-filtered-at-times" if at_times else "ruby.tests-filtered"
    return hit_at(rule, path, row, detail, shown)


def _held(text: str, paths: list[str]) -> Held | None:
    """What the tasks of a Rakefile hold; None where nothing tells."""
    tasks = list(TASK.finditer(text))
    if not tasks:
        return None
    ends = [match.start() for match in tasks[1:]] + [len(text)]
    found: set[str] = set()
    for task, end in zip(tasks, ends, strict=True):
        held = _of_task(text, task, end, paths)
        if held is None:
            return None
        found |= held
    return frozenset(found)


def _of_task(text: str, task: re.Match[str], end: int, paths: list[str]) -> set[str] | None:
    settings = list(SETTING.finditer(text, task.end(), end))
    usual = BY_ITSELF[next(kind for kind in task.groups() if kind)]
    chosen = any(setting["what"] != "exclude_pattern" and not setting["sign"] for setting in settings)
    found = set() if chosen else {path for path in paths if any(_holds(form, path) for form in _literals(usual))}
    left_out: set[str] = set()
    for setting in settings:
        value = _written_out(setting["value"], text[: task.start()] + text[task.end() : end])
        if UNKNOWN.search(value):
            return None
        takes = bool(setting["sign"]) or setting["what"] == "exclude_pattern"
        cut = LEAVES_OUT.search(value)
        ends = 0 if takes else cut.start() if cut is not None else len(value)
        wanted, unwanted = (list(_literals(part)) for part in (value[:ends], value[ends:]))
        if not takes and not wanted:
            return None
        gone = {path for path in paths if any(_is_left_out(form, path) for form in unwanted)}
        left_out |= gone if takes else set()
        found.update(path for path in paths if path not in gone and any(_holds(form, path) for form in wanted))
    return found - left_out


def _written_out(value: str, text: str) -> str:
    """The value of a variable that stands alone, with what is taken from it later."""
    name = re.match(r"([a-z_A-Z]\w*)(?=\s*(?:$|\n|\.(?:exclude|reject|to_a)|-\s))", value)
    given = re.search(ASSIGNED.format(re.escape(name[1] or name[2])), text) if name else None
    if name is None or given is None:
        return value
    changes = "".join(match["value"] for match in re.finditer(CHANGED.format(re.escape(name[1] or name[2])), text))
    return f"{given['value']}{changes}{value[name.end() :]}"


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
