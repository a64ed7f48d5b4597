"""Which files are tests by their place, and which of them a runner collects (class G04).

A runner's own patterns decide where they can be read and lie at or above the file; else the patterns that the runner
comes with, where package.json or the file itself says which runner there is; else those of all runners together, but
for a file with a hyphen or an underscore where others have the dot (`a-spec.js` beside `b.spec.js`), as few runners
take both. A file that a script of package.json names is collected, too, and so is one by the patterns of a
configuration in the same folder that a script names (`vitest --config=vitest.config.unit.mts`), if `test` leads to that
script, or a pipeline of the project calls it by its name.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.globs import matches_path
from ralph.guardrails.languages import KEPT
from ralph.record import record
from ralph.system.patterns import later

END = r"\.[cm]?[jt]sx?$"
_NAMED = r"(?:^|/)(?:[^/]*[._-])?(?:test|spec)" + END
_DEFAULTS = {
    "jest": rf"(?:^|/)__tests__/.*{END}|(?:^|/)(?:[^/]*\.)?(?:test|spec){END}",
    "vitest": rf"(?:^|/)[^/]*\.(?:test|spec|bench|test-d){END}",
    "mocha": rf"(?:^|/)(?:tests?|specs?)/.*{END}|{_NAMED}",
    "@playwright/test": rf"(?:^|/)(?:[^/]*[.])?(?:test|spec){END}",
    "cypress": rf"\.cy{END}|(?:^|/)(?:cypress|integration)/.*{END}|\.spec{END}",
    "jasmine": rf"(?:^|/)[^/]*[sS]pec{END}",
}
_FOLDER = later(rf"(?:^|/)(?:__tests__|tests?|specs?|e2e|cypress|integration)/.*{END}")
_ANY = later(
    rf"{_NAMED}|{_FOLDER.pattern}|(?:^|/)test-[^/]*{END}|[sS]pec{END}"
    rf"|\.(?:cy|e2e|test-d|tst|bench){END}|-(?:e2e|bench){END}"
)
_DOTTED = later(rf"[^/]\.(?:test|spec){END}")
_JOINED = later(rf"[^/.][-_](?:test|spec){END}")
_TEST_FILE = later(
    rf"(?:^|/)[^/]*[._-](?:test|spec|cy|e2e|test-d|tst|e2e-spec){END}|(?:^|/)(?:test|spec){END}|[a-z0-9]Spec{END}"
    rf"|(?:^|/)(?:__tests(?:_\w+)?__|__mocks__|tests?|test-d|specs?|e2e|cypress|test-?utils?|testing|fixtures|__fixtures__)/"
)
_IMPORTED = later(rb"[\"'](@jest/globals|vitest)[\"']")
_CONFIGS = ("jest.config", "vitest.config", "vite.config")
_TOLD = later(r"\b(?:vitest|jest)\b[^;&|]*?\s(?:--config|-c)[= ][\"']?(?:\./)?([\w.-]+\.(?:[cm]?[jt]s|json))\b")
_SUFFIXES = ("js", "ts", "mjs", "cjs", "mts", "cts", "json")


IN_SOURCE, IN_SOURCES = b"import.meta.vitest", b"includeSource"


@record
class Runner:
    """What is known of the runner whose configuration stands in one folder."""

    patterns: tuple[re.Pattern[str], ...]
    """Of its own configuration; empty for its defaults."""
    names: frozenset[str]
    scripts: str
    named: tuple[re.Pattern[str], ...]
    """Of configurations that scripts name."""
    sources: tuple[re.Pattern[str], ...] = ()
    """Product files that bring their tests along."""


@lru_cache(maxsize=KEPT)
def is_test_file(path: str) -> bool:
    """True for tests and what only supports them."""
    return _TEST_FILE.search(path) is not None


def is_collected(path: str, paths: Paths, data: bytes = b"") -> bool:
    known, in_source = False, IN_SOURCE in data
    for folder in _above(path):
        runner = _runner(folder, paths)
        if runner is None:
            continue
        known = True
        inside = posixpath.relpath(path, folder) if folder else path
        if inside in runner.scripts or posixpath.basename(path) in runner.scripts.split():
            return True
        rooted = f"/{inside}"  # what Jest's expressions are searched in is a whole path
        if in_source and any(pattern.search(rooted) for pattern in runner.sources):
            return True
        if any(pattern.search(rooted) for pattern in runner.named):
            return True
        if runner.patterns:
            return any(pattern.search(rooted) for pattern in runner.patterns)
        if runner.names:
            return any(re.search(_DEFAULTS[name], inside) for name in runner.names)
    told = {name.decode().partition("/")[0].lstrip("@") for name in _IMPORTED.findall(data)}
    if len(told) == 1:
        return re.search(_DEFAULTS[told.pop()], path) is not None
    if not known and _JOINED.search(path) and not _FOLDER.search(path):
        return not _has_dotted(paths)
    return _ANY.search(path) is not None


def _has_dotted(paths: Paths) -> bool:
    return paths.memo.once("javascript dotted names", lambda: any(map(_DOTTED.search, paths.all())))


def _above(path: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def _runner(folder: str, paths: Paths) -> Runner | None:
    return paths.memo.once(("javascript runner", folder), lambda: _read(folder, paths))


def _read(folder: str, paths: Paths) -> Runner | None:
    known = paths.all()
    names = [f"{name}.{suffix}" for name in _CONFIGS for suffix in _SUFFIXES]
    files = [path for name in (*names, "package.json") if (path := posixpath.join(folder, name)) in known]
    if not files:
        return None
    side = Side(paths.read, known)
    nodes = {path: node for path in files if (node := side.node(path)) is not None}
    patterns = [pattern for path, node in nodes.items() for pattern in _patterns(path, node)]
    package = next((node for path, node in nodes.items() if path.endswith("package.json")), None)
    runners = frozenset(name for name in _DEFAULTS if package is not None and _depends(package, name))
    runners |= {name for name in ("jest", "vitest") if any(f"{name}.config" in path for path in files)}
    scripts = package.at("scripts") if package is not None else None
    text = " ".join(canonical(value) for value in scripts.mapping.values()) if scripts is not None else ""
    named = (path for path in _configs(scripts, folder, paths) if path in known and path not in nodes)
    others = [pattern for path in named if (node := side.node(path)) is not None for pattern in _patterns(path, node)]
    sources = [pattern for path in files for pattern in _sources(side, path, nodes.get(path))]
    return Runner(tuple(patterns), runners, text, tuple(others), tuple(sources))


def _sources(side: Side, path: str, node: Node | None) -> Iterator[re.Pattern[str]]:
    """`includeSource` of Vitest; any file, where it is there and cannot be read."""
    if IN_SOURCES not in (side.bytes(path) or b""):
        return
    part = node.at("default") or node if node is not None else None
    listed = part.at("test", IN_SOURCES.decode()) if part is not None else None
    texts = [item.value for item in listed.items if isinstance(item.value, str)] if listed is not None else []
    for text in texts or ([] if listed is not None and listed.value == [] else ["**"]):
        yield matches_path(text) or re.compile("")


def _configs(scripts: Node | None, folder: str, paths: Paths) -> Iterator[str]:
    """What scripts that are run tell their runner to go by, in the same folder."""
    texts = {name: canonical(value) for name, value in scripts.mapping.items()} if scripts is not None else {}
    for name, text in texts.items():
        for match in _TOLD.finditer(text):
            if _is_led_to(name, texts) or _is_called(name, paths):
                yield posixpath.join(folder, match[1])


def _is_led_to(name: str, texts: Mapping[str, str]) -> bool:
    """By the scripts that `test` calls, and those that these call."""
    seen, waiting = {"test"}, ["test"]
    while waiting:
        text = texts.get(waiting.pop(), "")
        called = {other for other in texts if other not in seen and _names(other, text)}
        seen |= called
        waiting += called
    return name in seen and name in texts


def _is_called(name: str, paths: Paths) -> bool:
    workflows = (path for path in paths.all() if path.startswith(".github/workflows/") or path == ".gitlab-ci.yml")
    texts = ((paths.read(path) or b"").decode("utf-8", "replace") for path in workflows)
    return any(_names(name, text) for text in texts)


def _names(script: str, text: str) -> bool:
    called = rf"\b(?:npm|pnpm|yarn|bun)\b[^\n;&|]*\s[\"']?{re.escape(script)}(?![\w:-])"
    return script in text and re.search(called, text) is not None


def _depends(package: Node, name: str) -> bool:
    return any(package.at(group, name) is not None for group in ("dependencies", "devDependencies"))


def _patterns(path: str, node: Node) -> Iterator[re.Pattern[str]]:
    part = node.at("jest") if path.endswith("package.json") else node.at("default") or node
    if part is None:
        return
    test = part if "jest" in path or path.endswith("package.json") else part.at("test")
    for name in ("testMatch", "include") if test is not None else ():
        listed = test.at(name) if test is not None else None
        for item in listed.items if listed is not None else ():
            if isinstance(item.value, str) and not item.value.startswith("!"):
                pattern = matches_path(item.value.replace("<rootDir>/", ""))
                yield pattern if pattern is not None else re.compile("")
    regex = test.at("testRegex") if test is not None else None
    for item in ([regex] if isinstance(regex.value, str) else regex.items) if regex is not None else ():
        if isinstance(item.value, str):
            yield _regex(item.value)


def _regex(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error:
        return re.compile("")
