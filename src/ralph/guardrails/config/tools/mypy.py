"""mypy: one file holds, by its precedence; `strict` stands for a family of flags; sections relax single modules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.exclusions.exceptions import named_alone
from ralph.guardrails.config.lattice import flag, no_fewer_paths, no_less, no_more, no_more_paths, ranked, truth
from ralph.guardrails.config.node import Key, Node, Settings, canonical, names
from ralph.guardrails.config.patterns import is_product
from ralph.guardrails.config.rows import Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import PY
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.heirs import heir_of_mypy
from ralph.record import replace

STRICT_MEMBERS = names(
    "warn_unused_configs disallow_any_generics disallow_subclassing_any disallow_untyped_calls "
    "disallow_untyped_defs disallow_incomplete_defs check_untyped_defs disallow_untyped_decorators "
    "warn_redundant_casts warn_unused_ignores warn_return_any no_implicit_reexport strict_equality "
    "extra_checks"
)
TIDY = frozenset(names("warn_unused_configs warn_redundant_casts warn_unused_ignores"))
"""They tell of what is not needed: without them no error is hidden."""
ALONE = names(
    "warn_unreachable strict_equality_for_none disallow_any_unimported disallow_any_expr disallow_any_decorated "
    "disallow_any_explicit"
)
ON_BY_DEFAULT = ["strict_optional", "warn_no_return", "strict_bytes"]
ALLOWANCES = names("allow_redefinition allow_untyped_globals implicit_optional")
SWITCHES = frozenset((*STRICT_MEMBERS, *ALONE, *ON_BY_DEFAULT, *ALLOWANCES))
RELAXING = ("ignore_errors", "follow_imports", "disable_error_code", "ignore_missing_imports")

FOLLOW = ranked("skip silent=error normal", "normal")


def _global(key: Key) -> Key:
    return key[2:]


def _rows() -> Iterator[Row]:
    for name in STRICT_MEMBERS:
        rule = "cfg.mypy.module-relaxed" if name in TIDY else "cfg.mypy.check-off"
        yield Row(name, flag(good=True), rule, family=("strict", "cfg.mypy.strict-off"))
    for name in ALONE:
        yield Row(name, flag(good=True), "cfg.mypy.check-off")
    for name in ON_BY_DEFAULT:
        yield Row(name, flag(good=True, default=True), "cfg.mypy.check-off")
    for name in (*STRICT_MEMBERS, *ALONE):
        yield Row(f"overrides.*.{name}", flag(good=True), "cfg.mypy.module-relaxed", fallback=_global)
    for name in ON_BY_DEFAULT:
        yield Row(f"overrides.*.{name}", flag(good=True, default=True), "cfg.mypy.module-relaxed", fallback=_global)
    for name in ALLOWANCES:
        yield Row(name, flag(good=False), "cfg.mypy.check-off")
    yield Row("ignore_errors", flag(good=False), "cfg.mypy.errors-ignored")
    yield Row("follow_imports", FOLLOW, "cfg.mypy.imports-skipped")
    yield Row("ignore_missing_imports", flag(good=False), "cfg.mypy.missing-imports")
    yield Row("disable_error_code", no_more(), "cfg.mypy.codes-off")
    yield Row("enable_error_code", no_less(), "cfg.mypy.check-off")
    yield Row("files", no_fewer_paths(suffixes=PY), "cfg.mypy.exclude")
    for name in ("packages", "modules"):
        yield Row(name, no_less(prefixes=True), "cfg.mypy.exclude")
    yield Row("untyped_calls_exclude", no_more(), "cfg.mypy.check-off")
    yield Row("report_deprecated_as_note", flag(good=False), "cfg.mypy.codes-off")
    yield Row("exclude", no_more_paths(unknown_is_minor=True), "cfg.mypy.exclude")
    yield Row("overrides.*.ignore_errors", flag(good=False), "cfg.mypy.module-relaxed", fallback=_global)
    yield Row("overrides.*.follow_imports", FOLLOW, "cfg.mypy.module-relaxed", fallback=_global)
    yield Row("overrides.*.ignore_missing_imports", flag(good=False), "cfg.mypy.missing-imports", fallback=_global)
    yield Row("overrides.*.disable_error_code", no_more(), "cfg.mypy.module-relaxed", fallback=_global)


def _ini(node: Node) -> Node:
    """`[mypy-a.*,b]` sections as overrides."""
    keys: dict[str, Node] = {}
    overrides: dict[str, Node] = {}
    for section, values in node.mapping.items():
        if section == "mypy":
            keys.update(values.mapping)
        elif section.startswith("mypy-"):
            overrides |= {module.strip(): values for module in section.removeprefix("mypy-").split(",")}
    return node.with_value({**keys, "overrides": node.with_value(overrides)})


def _shared_ini(node: Node) -> Node:
    """setup.cfg holds mypy's configuration only if it says so."""
    return _ini(node) if "mypy" in node.mapping else node.with_value(None)


def _toml(node: Node) -> Node:
    overrides: dict[str, Node] = {}
    for entry in node.mapping["overrides"].items if "overrides" in node.mapping else ():
        module = entry.at("module")
        for name in module.items if module else ():
            place = name.with_value(
                {**(overrides[canonical(name)].mapping if canonical(name) in overrides else {}), **entry.mapping}
            )
            overrides[canonical(name)] = place
    return node.with_value({**node.mapping, "overrides": node.with_value(overrides)})


def _straight(settings: Settings) -> dict[Key, Node]:
    """mypy takes an option's opposite, too: `allow_untyped_defs`, `no_warn_return_any`, `implicit_reexport`."""
    found: dict[Key, Node] = {}
    for key, node in settings.items():
        name, value = key[-1] if key else "", truth(node, default=True)
        opposites = (f"dis{name}", name.removeprefix("no_"), f"no_{name}")
        known = next((each for each in opposites if each != name and each in SWITCHES), None)
        if known is None or name in SWITCHES or value is None:
            found[key] = node
        else:
            found[(*key[:-1], known)] = node.with_value(not value)
    return found


def _with_family(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    settings = _straight(settings)
    strict = settings.get(("strict",))
    if strict is None or not truth(strict, default=False):
        return settings
    return {**{(name,): strict for name in STRICT_MEMBERS}, **settings}


def _whole_modules(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """Modules of the project itself, all of whose errors are ignored, are more than a relaxed one."""
    found: list[tuple[str, Loss]] = []
    for key, node in after.items():
        if key[:1] != ("overrides",) or key[-1] not in RELAXING[:2] or key in before:
            continue
        silent = canonical(node).lower() in ("true", "1", "yes", "on", "skip")
        if silent and any(_is_module(key[1], path) for path in paths):
            loss = Loss(
                rule="cfg.mypy.module-off", key=".".join(key), text="hides a module of the project", node=node, old=None
            )
            found.append((key[1], loss))
    modules = {module for module, _ in found}
    if len(modules) == 1 and named_alone(f"{min(modules).replace('.', '/')}.py", paths):
        # One file that is named by itself; its module is relaxed, as the rows say.
        return
    yield from (loss for _, loss in found)


def _of_all_modules(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """What an override takes from every module of the project is taken from all, whatever its section is called."""
    product = [path for path in paths if path.endswith((".py", ".pyi")) and is_product(path)]
    for key, node in after.items():
        silent = before.get(("overrides", *key[1:2], "ignore_errors"))
        if key[:1] != ("overrides",) or key in before or not product or truth(silent, default=False):
            continue
        name, asked = key[-1], after.get((key[-1],))
        lowered = (
            name in SWITCHES and asked is not None and truth(asked, default=False) and not truth(node, default=True)
        )
        if (lowered or name == "disable_error_code") and all(_is_module(key[1], path) for path in product):
            rule = "cfg.mypy.check-off" if lowered else "cfg.mypy.codes-off"
            yield Loss(rule=rule, key=".".join(key), text="holds for every module of the project", node=node, old=None)


def _judged(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    yield from _whole_modules(before, after, paths)
    yield from _of_all_modules(before, after, paths)


def _is_module(pattern: str, path: str) -> bool:
    if not path.endswith((".py", ".pyi")) or not is_product(path):
        return False
    stem = path.rsplit(".", 1)[0].removesuffix("/__init__").replace("/", ".")
    prefix = pattern.removesuffix(".*")
    if prefix in ("*", ""):
        return True
    return any(
        name == prefix or name.startswith(f"{prefix}.")
        for name in (stem, f".{stem}".rpartition(".src.")[2], f".{stem}".rpartition(".lib.")[2])
    )


MYPY = Tool(
    name="mypy",
    places=(
        Place("mypy.ini", shape=_ini),
        Place(".mypy.ini", shape=_ini),
        Place("pyproject.toml", ("tool", "mypy"), _toml),
        Place("setup.cfg", shape=_shared_ini),
    ),
    rows=tuple(_rows()),
    suffixes=(".py", ".pyi"),
    refine=_with_family,
    programs=("dmypy", "zmypy", "zuban"),
    judge=_judged,
    heir=heir_of_mypy,
)
ZUBAN = replace(
    MYPY,
    name="zuban",
    places=(Place("pyproject.toml", ("tool", "zuban"), _toml),),
    programs=("zmypy",),
    heir=None,
    by_invitation=True,
)
"""It reads mypy's own files, too, and the same options under its own name."""
