"""What a test runner loads besides the tests: setup, transforms, mappings, reporters (policy set v2, class G08).

Rules, for what the change adds to the configuration of Jest, Vitest, Mocha, Playwright or Cypress:

- A mapping of a module that the project has itself to another file blocks: the tests no longer see the module. A
  mapping to the module itself, of a whole prefix (`^@/(.*)$`), of packages, styles and pictures is what they are for.
- A test runner of one's own blocks, and is shown where the change wrote it, too. So does a resolver that gives a file
  among fakes or mocks, and a transform of one's own for the project's code whose answer does not depend on the code it
  is given.
- Other files of the project that the runner now loads are for a person; packages are not.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side, resolve
from ralph.guardrails.javascript.code import code
from ralph.guardrails.javascript.derived import answers
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.mocks import stem
from ralph.guardrails.javascript.names import FUNCTIONS
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

CONFIGS = later(
    r"(?:^|/)(?:(?:jest|vitest|vite|playwright|cypress)[\w.-]*\.config\.(?:[cm]?[jt]s|json)|\.mocharc\.(?:c?js|json|ya?ml)"
    r"|\.mocharc|package\.json)$"
)
_SUFFIXES = (".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx", ".json")
_LOADED = (
    *("setupFiles", "setupFilesAfterEnv", "globalSetup", "globalTeardown", "reporters", "reporter", "testEnvironment"),
    *("environment", "resolver", "snapshotSerializers", "snapshotResolver", "testResultsProcessor", "testSequencer"),
    *("require", "file", "snapshotEnvironment"),
)
_RUN = ("testRunner", "runner", "prettierPath", "pool")
_MAPPED = ("moduleNameMapper", "alias")
_ASSET = later(r"\\?\.\(?(?:\w+\|)*(?:css|less|s[ac]ss|svg|png|jpe?g|gif|webp|woff2?|ttf|eot|mp[34]|md|graphql|html)\b")
PRETENDS = later(r"(?i)mock|fake|stub|dummy|fixture|double")
_PROCESS = frozenset({"process", "processAsync"})


@record
class Loaded:
    """One value of the configuration. `key` is its pattern or alias, for settings that have such."""

    setting: str
    key: str
    value: str
    node: Node


def runners(change: Change) -> Iterator[Hit]:
    changed = [file.path for file in change.files if CONFIGS.search(file.path) and file.status != "D"]
    if not changed:
        return
    before = Side(change.blobs.before, change.blobs.paths_before())
    after = Side(change.blobs.after, change.blobs.paths_after())
    known = {_identity(each) for file in change.files for each in _loaded(before, file.path)}
    for path in changed:
        for loaded in _loaded(after, path):
            if _identity(loaded) not in known:
                yield from _judged(loaded, path, after, change)


def loaded_files(change: Change) -> frozenset[str]:
    """The project's files that runners load besides the tests, at the head."""
    side = Side(change.blobs.after, change.blobs.paths_after())
    configs = [path for path in side.paths if CONFIGS.search(path) and "node_modules/" not in path]
    found = (_target(each.value, path, side) for path in configs[:50] for each in _loaded(side, path))
    return frozenset(path for path in found if path is not None)


def _identity(loaded: Loaded) -> tuple[str, str, str]:
    return (loaded.setting, loaded.key, loaded.value)


def _loaded(side: Side, path: str) -> Iterator[Loaded]:
    if not CONFIGS.search(path) or path not in side.paths:
        return
    node = side.node(path)
    if node is None:
        return
    name = posixpath.basename(path)
    roots = [node.at("jest"), node.at("mocha")] if name == "package.json" else [node.at("default") or node]
    for root in roots:
        if root is not None:
            parts = [root, root.at("test"), root.at("resolve"), root.at("e2e"), root.at("component"), root.at("use")]
            for part in [*parts, *(root.at("projects") or root.with_value([])).items]:
                if part is not None:
                    yield from _values(part)


def _values(part: Node) -> Iterator[Loaded]:
    for setting in (*_LOADED, *_RUN):
        found = part.at(setting)
        for item in (found.items or [found]) if found is not None else ():
            first = item.items[0] if item.items else item
            if isinstance(first.value, str):
                yield Loaded(setting, "", first.value, first)
    for setting in (*_MAPPED, "transform"):
        mapping = part.at(setting)
        for key, value in mapping.mapping.items() if mapping is not None else ():
            first = value.items[0] if value.items else value
            yield Loaded(setting, key, canonical(first), first)
        for item in mapping.items if mapping is not None else ():
            find, replacement = item.at("find"), item.at("replacement")
            if find is not None and replacement is not None:
                yield Loaded(setting, canonical(find), canonical(replacement), replacement)


def _judged(loaded: Loaded, path: str, side: Side, change: Change) -> Iterator[Hit]:
    target = _target(loaded.value, path, side)
    if loaded.setting in _MAPPED:
        if _hides(loaded, path, target, side):
            yield _hit("js.subject-mapped", loaded, path)
            yield from _written("js.subject-mapped", target, change)
        return
    if target is None:
        return
    if loaded.setting in _RUN:
        yield _hit("js.runner-replaced", loaded, path)
        yield from _written("js.runner-replaced", target, change)
        return
    if loaded.setting == "resolver" and _pretends(target, side):
        yield _hit("js.subject-mapped", loaded, path)
        return
    if loaded.setting == "transform" and not _ASSET.search(loaded.key):
        yield from _transform(target, change)
    yield _hit("js.runner-loads", loaded, path)


def _written(rule: str, target: str | None, change: Change) -> Iterator[Hit]:
    """The finding once more, where the change wrote what is loaded."""
    if target is not None and any(file.path == target and file.status != "D" for file in change.files):
        yield Hit(rule=rule, path=target, line=1, column=1, key=target, snippet="", detail=target)


def _target(value: str, path: str, side: Side) -> str | None:
    """The project's file that a value names."""
    local = re.sub(r"^<rootDir>/|^.*?__dirname,?\s*[\"'`]?/?", "./", value)
    match = re.search(r"\.{0,2}/[\w./@-]+|^[\w@-]+\.[cm]?[jt]sx?$", local)
    if match is None or (not local.startswith((".", "/")) and match.start() == 0 and "/" in value and "." not in value):
        return None
    text = match[0] if match[0].startswith(".") else f"./{match[0].lstrip('/')}"
    return resolve(side.paths, path, text, _SUFFIXES)


def _hides(loaded: Loaded, path: str, target: str | None, side: Side) -> bool:
    """The pattern names a module that the project has, and leads somewhere else."""
    if "$" in loaded.value.replace("\\$", "") and re.search(r"\$\d", loaded.value):
        return False
    if _ASSET.search(loaded.key) or target is None:
        return False
    pattern = loaded.key.replace("\\", "").replace("^", "").replace("$", "")
    names = re.findall(r"[\w-]+", pattern)
    name = next((each for each in reversed(names) if each not in ("js", "ts", "jsx", "tsx", "index", "mjs")), None)
    pretends = PRETENDS.search(target) is not None
    if name is None or (not re.search(r"[/.@~#]", pattern) and not pretends):
        return False
    own = [other for other in side.paths if stem(other) == name and other != target and _is_module(other)]
    return bool(own) and (stem(target) != name or pretends)


def _pretends(resolver: str, side: Side) -> bool:
    """It names a file of the project among fakes or mocks, which it gives for something else."""
    named = re.findall(r"[\"'`]([^\"'`\n]+)[\"'`]", side.text(resolver) or "")
    return any(PRETENDS.search(each) and _target(each, resolver, side) for each in named)


def _is_module(path: str) -> bool:
    return path.endswith(_SUFFIXES[:-1]) and not is_test_file(path) and "node_modules/" not in path


def _transform(target: str, change: Change) -> Iterator[Hit]:
    data = change.blobs.after(target)
    language = language_of(target)
    if data is None or language is None:
        return
    found = code(Source(target, language, data))
    for node in found.names.nodes:
        if node.type not in ("pair", "method_definition", "assignment_expression", "function_declaration"):
            continue
        name = node.child_by_field_name("key") or node.child_by_field_name("name") or node.child_by_field_name("left")
        value = node.child_by_field_name("value") or node.child_by_field_name("right") or node
        if name is None or value.type not in FUNCTIONS or found.text(name).split(".")[-1] not in _PROCESS:
            continue
        if answers(found, value) and not _ASSET.search(found.text(value)):
            yield found.source.hit("js.transform-answers", value, "transform without its source")


def _hit(rule: str, loaded: Loaded, path: str) -> Hit:
    key = f"{loaded.setting} {loaded.key} {loaded.value}".replace("  ", " ")
    line = loaded.node.line
    return Hit(
        rule=rule,
        path=loaded.node.path or path,
        line=line,
        column=max(loaded.node.column, min(line, 1)),
        key=key,
        snippet=key[:200],
        detail=key,
    )
