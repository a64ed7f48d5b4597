"""TypeScript projects: one unit per tsconfig that is a project, with `extends` followed inside the tree.

A base that others extend is no project of its own; what it loses shows in those that extend it. Lists replace, options
are laid over each other, as the compiler does it; `references` alone is not handed down. `strict` stands for a family
of options. A project that only refers to others stands for those.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import flag, ranked, truth
from ralph.guardrails.config.node import Key, Node, Opaque, Settings, canonical, flat, merged, names
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.system.patterns import later

STRICT = ("compilerOptions", "strict")
STRICT_MEMBERS = names(
    "noImplicitAny strictNullChecks strictFunctionTypes strictBindCallApply strictPropertyInitialization "
    "strictBuiltinIteratorReturn noImplicitThis alwaysStrict useUnknownInCatchVariables"
)
CHECKS = names(
    "noUnusedLocals noUnusedParameters noImplicitReturns noFallthroughCasesInSwitch "
    "noUncheckedIndexedAccess exactOptionalPropertyTypes noImplicitOverride "
    "noPropertyAccessFromIndexSignature noUncheckedSideEffectImports checkJs noEmitOnError "
    "isolatedDeclarations erasableSyntaxOnly forceConsistentCasingInFileNames"
)
TEMPLATES = (
    *(
        f"vueCompilerOptions.{name}"
        for name in names(
            "strictTemplates strictSlotChildren strictVModel strictCssModules checkUnknownProps checkUnknownEvents "
            "checkUnknownDirectives checkUnknownComponents"
        )
    ),
    *(
        f"angularCompilerOptions.{name}"
        for name in names(
            "strictTemplates fullTemplateTypeCheck strictInjectionParameters strictInputAccessModifiers "
            "strictInputTypes strictNullInputTypes strictAttributeTypes strictSafeNavigationTypes "
            "strictOutputEventTypes strictDomEventTypes strictDomLocalRefTypes strictContextGenerics "
            "strictLiteralTypes typeCheckHostBindings"
        )
    ),
)
"""Checks of templates, whose compilers read the same file."""
ON_BY_DEFAULT = ("forceConsistentCasingInFileNames",)
TOLERANCES = (
    "allowUnusedLabels",
    "allowUnreachableCode",
    "suppressImplicitAnyIndexErrors",
    "suppressExcessPropertyErrors",
    "noStrictGenericChecks",
    "noCheck",
    "noResolve",
)
MAX_EXTENDS, MAX_BASES = 8, 4

STRICTEST = names("noUncheckedIndexedAccess noUnusedLocals noUnusedParameters noImplicitReturns noImplicitOverride")
PRESETS = (
    (later(r"@tsconfig/strictest(?:/|$)"), ("strict", *STRICTEST, "noFallthroughCasesInSwitch")),
    (
        later(
            r"@tsconfig/[\w-]+|@sindresorhus/tsconfig|@vue/tsconfig|@total-typescript/tsconfig|astro/tsconfigs/strict"
        ),
        ("strict",),
    ),
)


def _rows() -> Iterator[Row]:
    family = (".".join(STRICT), "cfg.tsconfig.strict-off")
    for name in STRICT_MEMBERS:
        yield Row(f"compilerOptions.{name}", flag(good=True), "cfg.tsconfig.strict-member-off", family=family)
    for name in CHECKS:
        yield Row(f"compilerOptions.{name}", flag(good=True, default=name in ON_BY_DEFAULT), "cfg.tsconfig.check-off")
    for name in TEMPLATES:
        yield Row(name, flag(good=True), "cfg.tsconfig.check-off")
    yield Row("vueCompilerOptions.skipTemplateCodegen", flag(good=False), "cfg.tsconfig.check-off")
    yield Row(
        "angularCompilerOptions.extendedDiagnostics.defaultCategory",
        ranked("suppress warning error", "warning"),
        "cfg.tsconfig.check-off",
    )
    for name in TOLERANCES:
        yield Row(f"compilerOptions.{name}", flag(good=False), "cfg.tsconfig.check-off")
    for name in ("skipLibCheck", "skipDefaultLibCheck"):
        yield Row(f"compilerOptions.{name}", flag(good=False), "cfg.tsconfig.lib-check")


def units(side: Side) -> Mapping[str, Unit]:
    found, extended = projects(side)
    return {path: _with_references(path, found) for path in found if path not in extended}


def projects(side: Side) -> tuple[Mapping[str, Unit], frozenset[str]]:
    """All projects as they stand, and those that only others extend."""
    found: dict[str, Unit] = {}
    extended: set[str] = set()
    for path in sorted({*files_named(side, "tsconfig*.json"), *files_named(side, "jsconfig*.json")}):
        side.touched = set()
        whole = _whole(side, path)
        if whole is None:
            continue
        extended |= side.touched - {path}
        found[path] = Unit(_effective(whole), tuple(sorted(side.touched)))
    return found, frozenset(path for path in extended if posixpath.basename(path) != "tsconfig.json")


def compiled(settings: Settings) -> list[Node] | None:
    """`include` and `files` together; None where neither is said, and everything is compiled."""
    parts = [settings[key] for key in (("include",), ("files",)) if key in settings]
    return [item for part in parts for item in part.items] if parts else None


def references(path: str, found: Mapping[str, Unit]) -> list[str]:
    """The projects that this one names, and those that they name, as far as the tree has them."""
    waiting, known = [path], [path]
    while waiting:
        for _, base in _named(waiting.pop(), found):
            target = _project(base, found)
            if target and target not in known:
                known.append(target)
                waiting.append(target)
    return known[1:]


def listed(path: str, found: Mapping[str, Unit]) -> frozenset[str]:
    """What projects without files of their own name, that stand above this one, which has some: it is counted there."""
    if compiled(found[path].settings) == []:
        return frozenset()
    above = (each for each in found if path.startswith(f"{posixpath.dirname(each)}/") or "/" not in each)
    lists = (each for each in above if each != path and compiled(found[each].settings) == [])
    return frozenset(name for each in lists for name in references(each, found))


def unknown(path: str, found: Mapping[str, Unit]) -> list[Node]:
    """The folders that this project names as projects, and of which the tree has no configuration."""
    folder = posixpath.dirname(path) or "."
    return [
        node.with_value(posixpath.relpath(base, folder))
        for node, base in _named(path, found)
        if _project(base, found) is None
    ]


def _named(path: str, found: Mapping[str, Unit]) -> Iterator[tuple[Node, str]]:
    for item in found[path].settings.get(("references",), Node([], path)).items:
        named = item.at("path")
        if named is not None:
            yield named, posixpath.normpath(posixpath.join(posixpath.dirname(path), canonical(named)))


def _project(base: str, found: Mapping[str, Unit]) -> str | None:
    return next((name for name in (base, f"{base}/tsconfig.json") if name in found), None)


def _with_references(path: str, found: Mapping[str, Unit]) -> Unit:
    """A project that compiles nothing itself is as strict as the least strict of those that it refers to."""
    unit = found[path]
    below = [found[name] for name in references(path, found)] if ("references",) in unit.settings else []
    parts = [each for each in below if compiled(each.settings) != []]
    if not parts or compiled(unit.settings) != []:
        return unit
    options = {key for each in parts for key in each.settings if key[0] == "compilerOptions"}
    least = {key: node for key in options if (node := _least(key, [each.settings.get(key) for each in parts]))}
    own = {key: node for key, node in unit.settings.items() if key[0] != "compilerOptions"}
    return Unit({**own, **least}, tuple(sorted({*unit.files, *(file for each in below for file in each.files)})))


def _least(key: Key, nodes: Sequence[Node | None]) -> Node | None:
    """The weakest of the values: of a tolerance one that is on, of any other switch one that is off or not said."""
    tolerated = key[-1] in (*TOLERANCES, "skipLibCheck", "skipDefaultLibCheck")
    return min(nodes, key=lambda node: (node is not None and truth(node, default=False) is not False) != tolerated)


def _whole(side: Side, path: str, chain: tuple[str, ...] = ()) -> Node | None:
    node = side.node(path)
    if node is None or path in chain or len(chain) > MAX_EXTENDS:
        return node
    extends = node.at("extends")
    below = node.with_value({})
    for base in extends.items[-MAX_BASES:] if extends else ():
        target = _target(side, path, canonical(base))
        lower = _whole(side, target, (*chain, path)) if target else None
        # A base outside the tree is a package's: unknown, and to be looked at when it changes.
        said = {name: base.with_value(True) for name in _of_preset(canonical(base))}
        mark = base.with_value({f"...extends {canonical(base)}": base.with_value(Opaque(canonical(base))), **said})
        below = merged(below, base.with_value({"compilerOptions": mark}) if lower is None else _handed_down(lower))
    return merged(below, node)


def _of_preset(name: str) -> tuple[str, ...]:
    """What bases that everybody takes from their packages are known to ask for."""
    return next((asked for form, asked in PRESETS if form.match(name)), ())


def _handed_down(node: Node) -> Node:
    return node.with_value({key: value for key, value in node.mapping.items() if key != "references"})


def _target(side: Side, path: str, specifier: str) -> str | None:
    if not specifier.startswith("."):
        return None
    base = posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))
    return next((name for name in (base, f"{base}.json", f"{base}/tsconfig.json") if name in side.paths), None)


def _effective(whole: Node) -> Settings:
    settings: dict[Key, Node] = flat(whole)
    strict = settings.get(STRICT)
    if strict and truth(strict, default=False):
        return {**{("compilerOptions", name): strict for name in STRICT_MEMBERS}, **settings}
    return settings


TSCONFIG = Tool(
    name="tsconfig",
    places=(Place("tsconfig*.json"), Place("jsconfig*.json")),
    rows=tuple(_rows()),
    suffixes=(".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue"),
    needs_config=True,
    units=units,
    units_are_files=True,
    programs=("tsc", "vue-tsc", "tsgo"),
    watches=(".json",),
)
