"""A change of what CI sets in the environment of tests, seen as if the values stood where tests ask for them.

`RUN_SLOW: '1'` that is gone from a workflow, or `SKIP_SLOW: '1'` that came, and in a file of tests, which did not
change, `skipif(not os.environ.get("RUN_SLOW"))`: the tests are skipped from now on. So files of tests that ask for such
a variable are looked at once more, with what it is on each side in the place of its name.

Only where all commands of the base that may test had one value, and those of the head have one other; and no other file
that sets things up names the variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.change.edits import with_texts
from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.spelled import Placed, Spelled
from ralph.guardrails.texts import lines_of
from ralph.system.patterns import later

SETS = later(rb"(?m)^[ \t]*(?:-[ \t]+)?(?:export[ \t]+)?[A-Z][A-Z0-9_]{2,}[ \t]*[:=]|\b[A-Z][A-Z0-9_]{2,}=")
TESTS = later(r"\b(?:pytest|tox|nox|rspec|jest|vitest|mocha|playwright|make|just|task|\w*tests?|check|verify)\b")
SETTING = later(r"\s*(?:- )?(?!(?:run|script|command|bash|sh|pwsh|test)\b)[\w-]+\s*:|\s*#|\s*(?:- )?[\w-]+:\s*$")
"""A line that runs nothing, as the name of a job."""
INLINE = later(r"(?<![\w$])(?P<name>[A-Z][A-Z0-9_]{2,})=(?P<value>[\w.-]*|\"[^\"\n]*\"|'[^'\n]*')(?=[ \t]+[\w./])")
CODE = later(r"(?i)(?:^|[/_.-])(?:tests?|specs?|e2e|conftest|__tests__)(?=[/_.-])[^\n]*\.(?:py|[cm]?[jt]sx?|go|rb)$")
SETTINGS = later(
    r"(?i)\.(?:ya?ml|toml|ini|cfg|env|mk|sh|bash|json|xml|properties|gradle|kts)$|(?:^|/)(?:\.env[\w.]*|makefile|justfile|dockerfile[\w.]*)$"
)
ASKS = later(
    r"\b(?:if|unless|elif|and|or|not|skip\w*|run(?:if|If)|when|assume\w*|pending)\b|\?|&&|\|\||\bskip\w*|[sS]kip"
)
DEFAULT = r"(?:,\s*(?P<{0}>[^()\n]*?)\s*)?"
READS = (
    rf"os\.environ\.get\(\s*NAMED\s*{DEFAULT.format('py')}\)|os\.getenv\(\s*NAMED\s*{DEFAULT.format('get')}\)"
    r"|(?P<member>NAMED\s+(?P<without>not\s+)?in\s+os\.environ\b)|process\.env(?:\.NAME\b|\[NAMED\])|os\.Getenv\(NAMED\)"
    rf"|ENV\[NAMED\]|ENV\.fetch\(NAMED{DEFAULT.format('rb')}\)|(?P<key>ENV\.(?:key|include|has_key)\?\(NAMED\))"
).replace("NAMED", r"[\"']NAME[\"']")
"""What asks for the variable NAME."""
NOTHING = {"py": "None", "go": '""', "rb": "nil"}
COMPARED = later(
    r"(?P<one>\"[^\"\n]*\"|undefined|None|nil)\s*(?P<sign>===?|!==?)\s*(?:\"(?P<text>[^\"\n]*)\"|'(?P<single>[^'\n]*)'|(?P<none>undefined|null|None|nil)\b)"
)
BARE = later(r"\b(?P<word>if|unless)\s+(?:nil|(?P<text>\"[^\"\n]*\"))\s*$")
"""What Ruby asks of a variable alone."""
MOST_FILES, LARGEST, MOST_NAMES = 3_000, 200_000, 8
Value = str | None


def by_environment(change: Change) -> Spelled | None:
    """None if no variable that tests ask for is set in another way."""
    given = [(file, name, pair) for file in change.files for name, pair in _otherwise(file, change)][:MOST_NAMES]
    if not given:
        return None
    texts: dict[str, tuple[bytes, bytes]] = {}
    others: dict[str, Placed] = {}
    lines: dict[str, frozenset[int]] = {}
    for path, old, new in _tests([name for _, name, _ in given], change):
        was = [_with(line, path, {name: pair[0] for _, name, pair in given}) for line in old]
        now = [_with(line, path, {name: pair[1] for _, name, pair in given}) for line in new]
        if was != old or now != new:
            texts[path] = "\n".join(was).encode(), "\n".join(now).encode()
            lines[path] = frozenset(
                number for number, pair in enumerate(zip(new, now, strict=True), 1) if pair[0] != pair[1]
            )
            file = given[0][0]
            others[path] = Placed(file.path, next((number for number, _ in file.added()), 1))
    if not texts:
        return None
    return Spelled(with_texts(change, texts, alone=True), lines, frozenset(texts), others)


def _otherwise(file: FileChange, change: Change) -> Iterator[tuple[str, tuple[Value, Value]]]:
    """The variables that have one value for all commands that may test, and had another one."""
    if file.status != "M" or file.binary or not is_ci_file(file.path) or not SETS.search(file.changed_text):
        return
    from ralph.guardrails.config.called.environments import environment, environments  # few changes need it

    sides: list[list[Mapping[str, str]]] = []
    for read in (change.blobs.before, change.blobs.after):
        lines = lines_of(read(file.path))
        found = environments(lines)
        tested = [number for number, line in enumerate(lines) if TESTS.search(line) and not SETTING.match(line)]
        sides.append([{**environment(number, found), **_inline(lines[number])} for number in tested])
    if not all(sides):
        return
    names = {name for side in sides for values in side for name in values}
    for name in sorted(names):
        old, new = ({values.get(name) for values in side} for side in sides)
        known = len(old) == len(new) == 1 and old != new and not any(map(_is_unknown, old | new))
        if known and not _is_set_elsewhere(name, file.path, change):
            yield name, (old.pop(), new.pop())


def _inline(line: str) -> dict[str, str]:
    return {found["name"]: found["value"].strip("\"'") for found in INLINE.finditer(line)} if "=" in line else {}


def _is_unknown(value: Value) -> bool:
    return value is not None and any(sign in value for sign in "$\"\\'\n")


def _is_set_elsewhere(name: str, path: str, change: Change) -> bool:
    word = name.encode()
    settings = (each for each in change.blobs.paths_after() if each != path and SETTINGS.search(each) is not None)
    return any(word in (change.blobs.after(each) or b"") for each in settings)


def _tests(names: Sequence[str], change: Change) -> Iterator[tuple[str, list[str], list[str]]]:
    """The files of tests that name one of these variables, on both sides."""
    there = sorted(path for path in change.blobs.paths_before() & change.blobs.paths_after() if CODE.search(path))
    words = [name.encode() for name in names]
    own = {file.path for file in change.files}
    for path in there[:MOST_FILES]:
        text = change.blobs.after(path) or b""
        if len(text) <= LARGEST and any(word in text for word in words):
            yield path, lines_of(change.blobs.before(path) if path in own else text), lines_of(text)


def _with(line: str, path: str, values: Mapping[str, Value]) -> str:
    for name, value in values.items():
        if name in line and ASKS.search(line) is not None:
            line = re.sub(READS.replace("NAME", name), lambda found, value=value: _read(found, value, path), line)  # type: ignore[misc]
            line = COMPARED.sub(lambda found: _compared(found, path), line)
            line = BARE.sub(lambda found: f"{found['word']} {str(found['text'] is not None).lower()}", line)
    return line


def _read(found: re.Match[str], value: Value, path: str) -> str:
    parts = found.groupdict()
    if parts["member"] or parts["key"]:
        there = (value is not None) is not bool(parts["without"])
        return _truth(there, path)
    if value is not None:
        return f'"{value}"'
    default = parts["py"] or parts["get"] or parts["rb"]
    return default or NOTHING.get(path.rpartition(".")[2], "undefined")


def _compared(found: re.Match[str], path: str) -> str:
    one = found["one"].strip('"') if found["one"][:1] == '"' else None
    other = None if found["none"] else found["text"] if found["text"] is not None else found["single"]
    return _truth((one == other) is (found["sign"][0] != "!"), path)


def _truth(value: bool, path: str) -> str:
    return str(value) if path.endswith(".py") else str(value).lower()
