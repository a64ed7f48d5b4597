"""What the configuration of test runners, compilers and bundlers says about files: which it loads, which it maps.

Jest, Vitest, Mocha, Playwright, Cypress, AVA, Jasmine, Karma and WebdriverIO load files besides the tests; these and
webpack, Babel, TypeScript and the `imports` of a package lead one name to another file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.config.node import SPREAD, Node, Opaque, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.javascript.runner.mapped import Mapping, target
from ralph.guardrails.model import Change
from ralph.record import record
from ralph.system.patterns import later

CONFIGS = later(
    r"(?:^|/)(?:(?:jest|vitest|vite|playwright|cypress|webpack|babel|ava)[\w.-]*\.config[\w.-]*\.(?:[cm]?[jt]s|json)"
    r"|jest[\w.-]*\.json|vitest\.(?:workspace|projects)\.(?:[cm]?[jt]s|json)|(?:karma|wdio)[\w.-]*\.conf[\w.-]*\.[cm]?[jt]s"
    r"|\.?jasmine\.(?:json|[cm]?js)|\.mocharc\.(?:c?js|json|ya?ml)|\.mocharc|\.babelrc(?:\.(?:c?js|json))?"
    r"|[tj]sconfig[\w.-]*\.json|deno\.jsonc?|import[_-]map\.json|package\.json)$"
)
_LOADED = (
    *("setupFiles", "setupFilesAfterEnv", "globalSetup", "globalTeardown", "reporters", "reporter", "testEnvironment"),
    *("environment", "resolver", "snapshotSerializers", "snapshotResolver", "testResultsProcessor", "testSequencer"),
    *("require", "file", "snapshotEnvironment", "setupFilesAfterEach", "supportFile", "helpers", "requires", "import"),
    *("node-option", "nodeArguments"),
)
RUN = ("testRunner", "runner", "prettierPath", "pool")
MAPPED = ("moduleNameMapper", "alias")
NAMED = ("paths", "imports", "bundled")
"""Mappings that product code goes by, too."""
_CONDITION = later(r"(?:--conditions[= ]|\s-C[= ]?)[\"']?([\w-]+)")
_OF_TESTS = later(r"(?i)(?:unit|e2e|integration)?-?(?:tests?|testing|specs?|jest|vitest|mocha|mocks?|fakes?|stubs?)")
"""Conditions that no build goes by."""
MOST_CONFIGS = 50


@record
class Loaded:
    """One value of the configuration. `key` is its pattern or alias, for settings that have such."""

    setting: str
    key: str
    value: str
    node: Node

    @property
    def identity(self) -> tuple[str, str, str]:
        return (self.setting, self.key, self.value)

    def mapping(self, path: str) -> Mapping:
        return Mapping(self.key, self.value, path)


def loaded_files(change: Change) -> frozenset[str]:
    """The project's files that runners load besides the tests, at the head."""
    side = Side(change.blobs.after, change.blobs.paths_after())
    found = (target(each.value, path, side) for path in configs(side) for each in loaded(side, path))
    return frozenset(path for path in found if path is not None)


def configs(side: Side) -> list[str]:
    return sorted(path for path in side.paths if CONFIGS.search(path) and "node_modules/" not in path)[:MOST_CONFIGS]


def loaded(side: Side, path: str) -> Iterator[Loaded]:
    if not CONFIGS.search(path) or path not in side.paths:
        return
    node, name = side.node(path), posixpath.basename(path)
    if node is None:
        return
    if name == "package.json":
        for root in (node.at("jest"), node.at("mocha"), node.at("ava")):
            yield from _sections(root) if root is not None else ()
        tests = _conditions_of_tests(node)
        for setting in ("imports", "browser", "_moduleAliases"):
            yield from _named("imports", node.at(setting), tests=tests)
        own = node.at("name")
        found = _named("exports", node.at("exports"), tests=tests) if own is not None else ()
        yield from (_of_package(each, own.text) for each in found if own is not None and each.setting in MAPPED)
    elif name.startswith(("deno.", "import_map", "import-map")):
        yield from _named("imports", node.at("imports"))
    elif "sconfig" in name:
        base = node.at("compilerOptions", "baseUrl")
        yield from _named("paths", node.at("compilerOptions", "paths"), base.text if base is not None else ".")
    else:
        root = node.at("default") or node
        if name.startswith(("webpack", "babel", ".babelrc")):
            yield from _bundled(root)
        else:
            yield from _sections(root)


def _sections(root: Node, depth: int = 0) -> Iterator[Loaded]:
    for part in (root, *(root.at(name) for name in ("test", "resolve", "e2e", "component", "use"))):
        if part is not None:
            yield from _values(part)
            for each in (part.at("projects") or part.with_value([])).items if depth < 2 else ():
                yield from _sections(each, depth + 1)
    for each in root.value if isinstance(root.value, list) and depth < 2 else ():
        yield from _sections(each, depth + 1)


def _values(part: Node) -> Iterator[Loaded]:
    for setting in (*_LOADED, *RUN):
        found = part.at(setting)
        for item in (found.items or [found]) if found is not None else ():
            first = item.items[0] if item.items else item
            if isinstance(first.value, str | Opaque):
                yield Loaded(setting, "", canonical(first), first)
    for setting in (*MAPPED, "transform"):
        yield from _mapped(setting, part.at(setting))


def _mapped(setting: str, mapping: Node | None) -> Iterator[Loaded]:
    known = ((key, value) for key, value in mapping.mapping.items() if not key.startswith(SPREAD)) if mapping else ()
    for key, value in known:
        first = value.items[0] if value.items else value
        yield Loaded(setting, key, canonical(first), first)
    for item in mapping.items if mapping is not None else ():
        find, replacement = item.at("find"), item.at("replacement")
        if find is not None and replacement is not None:
            yield Loaded(setting, canonical(find), canonical(replacement), replacement)


def _conditions_of_tests(package: Node) -> frozenset[str]:
    """What scripts have Node go by beside its own conditions (`--conditions=fast`)."""
    scripts = package.at("scripts")
    texts = [canonical(each) for each in scripts.mapping.values()] if scripts is not None else []
    return frozenset(name for text in texts for name in _CONDITION.findall(text))


def _of_package(found: Loaded, name: str) -> Loaded:
    """A part of a package as others ask for it: `./convert` of `fx` is `fx/convert`."""
    return Loaded(found.setting, found.key.replace("^.", f"^{name}", 1), found.value, found.node)


def _named(
    setting: str, mapping: Node | None, base: str = ".", tests: frozenset[str] = frozenset()
) -> Iterator[Loaded]:
    """Keys with a star, and values, seen from `base`, that are lists or depend on a condition; on one of `tests`, or
    one that says so, tests alone."""
    for key, value in mapping.mapping.items() if mapping is not None else ():
        for leaf, conditions in _leaves(value):
            if isinstance(leaf.value, str):
                path = posixpath.normpath(posixpath.join(base, leaf.value))
                local = path if path.startswith("../") else f"./{path}"
                alone = any(name in tests or _OF_TESTS.fullmatch(name) for name in conditions)
                said = MAPPED[-1] if alone else setting
                yield Loaded(said, f"^{key.replace('*', '(.*)')}$", local.replace("*", "$1"), leaf)


def _leaves(node: Node, conditions: tuple[str, ...] = ()) -> Iterator[tuple[Node, tuple[str, ...]]]:
    if node.mapping and len(conditions) < 4:
        for name, each in node.mapping.items():
            yield from _leaves(each, (*conditions, name))
    else:
        yield (node.items[0] if node.items else node), conditions


def _bundled(root: Node) -> Iterator[Loaded]:
    """`resolve.alias` of webpack, `module-resolver` of Babel."""
    parts = [root, *(root.at("env", name) for name in ("test", "development", "production"))]
    aliases = [root.at("resolve", "alias")]
    for part in parts:
        plugins = part.at("plugins") if part is not None else None
        aliases += [item.items[1].at("alias") for item in (plugins.items if plugins else ()) if len(item.items) > 1]
    for each in aliases:
        yield from _mapped("bundled", each)
