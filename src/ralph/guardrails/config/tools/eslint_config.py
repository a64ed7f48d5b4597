"""ESLint's configuration, in both of its formats, as one list of blocks: which files, which rules, how severe."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

from ralph.guardrails.config.lattice import words
from ralph.guardrails.config.node import SPREAD, Key, Node, Opaque, Settings, canonical, merged
from ralph.guardrails.config.side import Side, resolve
from ralph.guardrails.config.tool import Unit, files_named
from ralph.record import record

FLAT = tuple(f"eslint.config.{end}" for end in ("js", "mjs", "cjs", "ts", "mts", "cts"))
LEGACY = (".eslintrc.js", ".eslintrc.cjs", ".eslintrc.yaml", ".eslintrc.yml", ".eslintrc.json", ".eslintrc")
NAMES = (*FLAT, *LEGACY, "package.json", ".eslintignore")
MAX_EXTENDS = 8
SEVERITY = {"off": 0, "false": 0, "0": 0, "warn": 1, "1": 1, "error": 2, "2": 2}

WHOLE: Key = ()
UNUSED = "reportUnusedDisableDirectives"
IGNORE_FILE: Key = ("ignore file",)


@record
class Block:
    files: tuple[str, ...]
    """Empty: every file."""
    place: Node
    rules: dict[str, Node]
    ignores: tuple[Node, ...] = ()


@record
class Config:
    blocks: tuple[Block, ...]
    presets: tuple[Node, ...]
    ignores: Node | None
    inline: Node | None
    everywhere: tuple[Node, ...] = ()
    """Those of the presets that are for every file."""
    unused: Node | None = None
    """What is said of comments that suppress nothing."""


def config(root: Node) -> Config:
    """The blocks of either format; a legacy object is one block and its overrides."""
    blocks: list[Block] = []
    presets: list[Node] = []
    everywhere: list[Node] = []
    ignored: list[Node] = []
    inline: Node | None = None
    unused: Node | None = None
    for entry in _entries(root):
        if isinstance(entry.value, Opaque):
            presets.append(entry)
            everywhere.append(entry)
            continue
        keys = entry.mapping
        own = [value for key, value in keys.items() if key.startswith(SPREAD)]
        own += keys["extends"].items if "extends" in keys else []
        own += [node for name, node in _rules(keys) if name.startswith(SPREAD)]
        presets += own
        everywhere += own if not {"files", "ignores", "basePath"} & keys.keys() else []
        files = _based(tuple(canonical(item) for item in words(keys.get("files"))), keys.get("basePath"))
        own_ignores = tuple(words(keys.get("ignores")))
        if set(keys) <= {"ignores", "name", "basePath"} or "ignorePatterns" in keys:
            ignored += words(keys.get("ignores")) + words(keys.get("ignorePatterns"))
            own_ignores = ()
        inline = keys.get("linterOptions", entry).at("noInlineConfig") or keys.get("noInlineConfig") or inline
        unused = keys.get("linterOptions", entry).at(UNUSED) or keys.get(UNUSED) or unused
        rules = {name: node for name, node in _rules(keys) if not name.startswith(SPREAD)}
        place = keys.get("files", keys.get("basePath", entry))
        blocks.append(Block(files, place, rules, own_ignores))
    return Config(tuple(blocks), tuple(presets), root.with_value(list(ignored)), inline, tuple(everywhere), unused)


def _based(files: tuple[str, ...], base: Node | None) -> tuple[str, ...]:
    """The patterns of a block as they are seen from the configuration; below its `basePath` a block holds all files."""
    folder = posixpath.normpath(canonical(base)) if base is not None and isinstance(base.value, str) else "."
    return files if folder == "." else tuple(posixpath.join(folder, each) for each in files or ("**",))


def _rules(keys: Mapping[str, Node]) -> Iterable[tuple[str, Node]]:
    return keys["rules"].mapping.items() if "rules" in keys else ()


def _entries(root: Node) -> Iterator[Node]:
    if isinstance(root.value, list):
        for item in root.value:
            yield from _entries(item)
    elif isinstance(root.value, dict):
        yield root
        for override in root.mapping["overrides"].items if "overrides" in root.mapping else ():
            yield from _entries(override)
    elif isinstance(root.value, Opaque):
        yield root


def severity(node: Node) -> int | None:
    """Of a rule that is one thing or another, the lower one. None if that is so only where CI does not run."""
    first = node.items[0] if isinstance(node.value, list) and node.value else node
    if not isinstance(first.value, Opaque):
        return SEVERITY.get(canonical(first))
    found = {severity(each) for each in first.value.may_be} if first.value.is_all else {None}
    known = {each for each in found if each is not None}
    lowest = min(known) if known == found and known else None
    if first.value.in_ci is not None and (in_ci := severity(first.value.in_ci)) is not None:
        return in_ci if lowest is None or in_ci <= lowest else None
    return lowest


def units(side: Side) -> Mapping[str, Unit]:
    """One unit per directory: the flat format wins over the older one; an ignore file belongs to the older."""
    directories = {posixpath.dirname(path) for name in NAMES for path in files_named(side, name)}
    found: dict[str, Unit] = {}
    for directory in sorted(directories):
        side.touched = set()
        roots = (_root(side, posixpath.join(directory, name)) for name in (*FLAT, *LEGACY, "package.json"))
        root = next((node for node in roots if node), None)
        ignored = side.node(posixpath.join(directory, ".eslintignore"))
        settings = {key: node for key, node in ((WHOLE, root), (IGNORE_FILE, ignored)) if node}
        if settings:
            found[directory] = Unit(settings, tuple(sorted(side.touched)))
    return found


def alone(side: Side, path: str) -> Settings | None:
    """One file that a command names instead."""
    root = _root(side, path)
    return None if root is None else {WHOLE: root}


def _root(side: Side, path: str, depth: int = 0) -> Node | None:
    node = side.node(path)
    if node is None:
        return None
    name = posixpath.basename(path)
    root = node.at("eslintConfig") if name == "package.json" else node.at("default") or node
    if root is None or name in FLAT or depth > MAX_EXTENDS:
        return root
    bases = [
        base for item in (root.at("extends") or root.with_value([])).items if (base := canonical(item)).startswith(".")
    ]
    for base in bases:
        target = resolve(side.paths, path, base, (".js", ".cjs", ".json", ".yaml", ".yml"))
        below = _root(side, target, depth + 1) if target else None
        root = merged(below, root) if below else root
    if bases:
        names = [item for item in root.mapping["extends"].items if canonical(item) not in bases]
        root = root.with_value({**root.mapping, "extends": root.with_value(list(names))})
    return root
