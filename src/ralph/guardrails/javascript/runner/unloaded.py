"""Set-up files that fail tests, and that no runner loads any more (policy set v2, class G05).

    setupFiles: ["./test/fail-on-console.ts"],  // of the root
    projects: [{ test: { name: "ui" } }, { test: { name: "server" } }],

A set-up file may be a check of its own: what it does after each test fails those that log an error, leave something
open, or assert nothing. Inline projects of Vitest have of the root's settings only what they ask for (`extends`), and
those of Jest none.

Rules, for a file that the base's configuration loads, and that fails tests:

- It is still there, and nothing loads it: it blocks, in the configuration that loaded it. Where projects of one
  configuration load it and others do not, or it is gone and no other guard is loaded, a person looks.
- What a command, another configuration or another set-up file names is loaded by that. Of projects that only running
  could tell, nothing is known.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ralph.guardrails.config.node import SPREAD, Node, Opaque, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.javascript.failures.console_guards import FAILS, GUARDS
from ralph.guardrails.javascript.runner.loaded import CONFIGS, configs
from ralph.guardrails.javascript.runner.mapped import target
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

BLOCKS, SHOWN = "test.weakened", "test.somewhat-weaker"
WORTH = later(rb"\b(?:setupFiles\w*|projects|workspace|require|requires|supportFile|extends|helpers|file)\b")
SETTINGS = ("setupFiles", "setupFilesAfterEnv", "require", "file", "supportFile", "helpers", "requires")
HOOKS = later(r"\bafter(?:Each|All)?\s*\(|\bprocess\.on\(\s*[\"'](?:unhandledRejection|uncaughtException)[\"']")
"""A hook before tests that fails says that something is not there which they need."""
ALONE = later(r"\bfailOnConsole\s*\(|\bexpect\.hasAssertions\(")
NEAR = 800
COMMANDS = later(r"(?:^|/)(?:package\.json|[Mm]akefile|[Jj]ustfile)$|\.(?:ya?ml|sh)$")


class Loads(NamedTuple):
    """Of a configuration: how many of its projects load each file, how many there are, and the lines that say so."""

    files: Counter[str]
    projects: int
    lines: dict[str, int]


def unloaded(change: Change) -> Iterator[Hit]:
    files = {file.path: file for file in change.files if CONFIGS.search(file.path) and not file.binary}
    changed = [path for path, file in files.items() if is_in(WORTH, file.changed_text)]
    if not changed:
        return
    before = Side(change.blobs.before, change.blobs.paths_before())
    after = Side(change.blobs.after, change.blobs.paths_after())
    new = {path: loads for path in configs(after) if (loads := _loads(path, after)).files}
    anywhere = {each for loads in new.values() for each in loads.files}
    for path in changed:
        old = _loads(path, before)
        for guard in sorted(old.files):
            if old.files[guard] < old.projects or not _fails_tests(guard, before):
                continue
            now = [(loads.files[guard], loads.projects) for loads in new.values() if guard in loads.files]
            if any(held == projects for held, projects in now) or _is_named(guard, path, anywhere, after):
                continue
            gone = guard not in after.paths
            if gone and any(_fails_tests(each, after) for each in anywhere):
                continue
            rule = SHOWN if now or gone or path not in after.paths else BLOCKS
            detail = f"{guard}, which fails tests, is loaded for {'some' if now else 'none'} of them"
            line = _loads(path, after).lines.get(guard, 0) or next((at for at, _ in files[path].added()), 1)
            yield hit_at(rule, path, line, detail, guard, key=guard)


def _loads(path: str, side: Side) -> Loads:
    files, lines, projects = Counter[str](), dict[str, int](), 0
    for root in _roots(path, side):
        own = [part for part in (root, *(root.at(name) for name in ("test", "e2e", "component"))) if part is not None]
        listed = [each for part in own for name in ("projects", "workspace") for each in _items(part.at(name))]
        groups = [own]
        if listed and all(each.mapping for each in listed):
            groups = [_parts(each) + (own if _inherits(each) else []) for each in listed]
        for group in groups:
            found = {to: node.line for part in group for to, node in _files(part, path, side)}
            files.update(found.keys())
            lines |= found
        lines |= {to: node.line for part in own for to, node in _files(part, path, side)}
        projects += len(groups)
    return Loads(files, projects, lines)


def _roots(path: str, side: Side) -> list[Node]:
    node = side.node(path) if path in side.paths else None
    if node is None:
        return []
    if posixpath.basename(path) == "package.json":
        return [root for name in ("jest", "mocha", "ava") if (root := node.at(name)) is not None]
    return [node.at("default") or node]


def _items(node: Node | None) -> Sequence[Node]:
    return node.items if node is not None else ()


def _parts(project: Node) -> list[Node]:
    inner = project.at("test")
    return [project] if inner is None else [project, inner]


def _inherits(project: Node) -> bool:
    """It asks for the root's settings, or may have them by what is spread into it."""
    extends = project.at("extends")
    if extends is not None and extends.value not in (False, None):
        return True
    return any(
        key.startswith(SPREAD) or isinstance(part.value, Opaque) for part in _parts(project) for key in part.mapping
    )


def _files(part: Node, path: str, side: Side) -> Iterator[tuple[str, Node]]:
    for setting in SETTINGS:
        for item in _items(part.at(setting)):
            to = target(canonical(item), path, side)
            if to is not None:
                yield to, item


def _fails_tests(path: str, side: Side) -> bool:
    text = side.text(path) or ""
    if ALONE.search(text) or (GUARDS.search(text) and FAILS.search(text)):
        return True
    return any(FAILS.search(text, hook.end(), hook.end() + NEAR) for hook in HOOKS.finditer(text))


def _is_named(guard: str, config: str, anywhere: set[str], side: Side) -> bool:
    """A command loads it, another configuration speaks of it, or a file that is loaded."""
    name = posixpath.splitext(posixpath.basename(guard))[0].encode()
    others = (path for path in side.paths if path != config and (CONFIGS.search(path) or COMMANDS.search(path)))
    return any(name in (side.bytes(path) or b"") for path in (*others, *anywhere) if path != guard)
