"""ruff and flake8: which rules are selected, and which of those are ignored.

A code stands for all that begin with it; ruff's families are told apart by all their letters, and of a code that is
selected and one that is ignored, the longer one decides. Only what was selected can be lost: a new family that comes
with an exception of its own takes nothing away.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.exclusions.exceptions import named_alone, shown
from ralph.guardrails.config.exclusions.flake8_files import codes_by_file
from ralph.guardrails.config.lattice import flag, no_fewer_paths, no_less, no_more, no_more_paths, ranked, words
from ralph.guardrails.config.lists import kept, only_wide
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat, names
from ralph.guardrails.config.patterns import Weight, covers, weigh
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss, Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import PY
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.flake8_heir import heir_of_flake8
from ralph.guardrails.ruff_codes import REMOVED, RUFF_DEFAULT, current, holds
from ralph.system.patterns import later

FLAKE8_DEFAULT = ("E", "F", "W", "C90")
FLAKE8_IGNORED = ("E121", "E123", "E126", "E226", "E24", "E704", "W503", "W504")
LINT_KEYS = frozenset(
    names(
        "select extend-select ignore extend-ignore per-file-ignores extend-per-file-ignores fixable unfixable "
        "mccabe pylint"
    )
)
EVERY_FILE = later(r"(?:\./)?(?:\*\*/)?\*{1,2}(?:/\*)?(?:\.py)?")
"""A pattern of a file that holds all sources, whatever there is today."""


def _ruff_shape(node: Node) -> Node:
    """The older top-level lint keys are those of `lint`."""
    lint = node.mapping["lint"].mapping if "lint" in node.mapping else {}
    old = {key: value for key, value in node.mapping.items() if key in LINT_KEYS}
    rest = {key: value for key, value in node.mapping.items() if key not in LINT_KEYS}
    return node.with_value({**rest, "lint": node.with_value({**old, **lint})})


def _flake8_shape(node: Node) -> Node:
    return node.with_value({key.replace("_", "-"): value for key, value in node.mapping.items()})


def _extended(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """`extend` names the file that this one is laid over."""
    extend = settings.get(("extend",))
    for _ in range(8):
        if extend is None or not isinstance(extend.value, str):
            break
        path = posixpath.normpath(posixpath.join(posixpath.dirname(extend.path) or directory, extend.value))
        node = side.node(path)
        part = node.at("tool", "ruff") if node and path.endswith("pyproject.toml") else node
        base = flat(_ruff_shape(part)) if part else {}
        settings = {**base, **settings}
        extend = base.get(("extend",))
    return settings


def _codes(settings: Settings, *keys: Key) -> list[Node]:
    """The items of lists of codes, by the names that these have now."""
    items = (word for key in keys for word in words(settings.get(key)))
    return [word.with_value(current(canonical(word))) for word in items]


def _rules(
    before: Settings, after: Settings, prefix: Key, default: tuple[str, ...], ignored: tuple[str, ...], tool: str
) -> Iterator[Loss]:
    select, ignore = (*prefix, "select"), (*prefix, "ignore")
    extend_select, extend_ignore = (*prefix, "extend-select"), (*prefix, "extend-ignore")

    def chosen(side: Settings) -> list[str]:
        first = [canonical(node) for node in _codes(side, select)] if select in side else list(default)
        return first + [canonical(node) for node in _codes(side, extend_select)]

    def muted(side: Settings) -> list[str]:
        first = [canonical(node) for node in _codes(side, ignore)] if ignore in side else list(ignored)
        return first + [canonical(node) for node in _codes(side, extend_ignore)]

    was, now, silent = chosen(before), chosen(after), muted(before)
    hold = holds if tool == "ruff" else _holds
    for code in was:
        if tool == "ruff" and code in REMOVED:
            continue
        if not any(hold(wide, code) for wide in now) and not any(hold(wide, code) for wide in silent):
            node = after.get(select) or after.get(extend_select)
            old = before.get(select) or before.get(extend_select)
            yield Loss(rule=f"cfg.{tool}.select", key=".".join(select), text=f"loses {code}", node=node, old=old)
    for item in _codes(after, ignore, extend_ignore):
        code = canonical(item)
        selected = [wide for wide in was if hold(wide, code) or hold(code, wide)]
        closest = max((len(wide) for wide in selected if wide != "ALL"), default=0)
        known = code in silent or any(hold(wide, code) and len(wide) >= closest for wide in silent)
        if selected and not known:
            yield Loss(
                rule=f"cfg.{tool}.ignore", key=".".join(ignore), text=f"gains {code}", node=item, old=before.get(ignore)
            )


def asks_for(tool: str, settings: Settings, code: str, path: str) -> bool:
    """Whether ruff or flake8, as they are configured, look for a code in a file. flake8 takes up plugins by itself."""
    ruff = tool == "ruff"
    said = settings if ruff else {**settings, **_split(settings)}
    prefix = ("lint",) if ruff else ()
    selected = [canonical(node) for node in _codes(said, (*prefix, "select"))] or (RUFF_DEFAULT if ruff else ("",))
    selected = [*selected, *(canonical(node) for node in _codes(said, (*prefix, "extend-select")))]
    ignored = [canonical(node) for node in _codes(said, (*prefix, "ignore"), (*prefix, "extend-ignore"))]
    for key, node in said.items():
        if key[-2:-1] and key[-2].endswith("per-file-ignores") and covers(key[-1], path, regex=False):
            ignored += [current(canonical(word)) for word in words(node)]
    hold = holds if ruff else _holds
    return any(hold(wide, code) for wide in selected) and not any(hold(wide, code) for wide in ignored)


def _holds(wide: str, code: str) -> bool:
    return wide == "ALL" or code.startswith(wide)


def _per_file(
    before: Settings, after: Settings, paths: Sequence[str], tables: tuple[Key, ...], tool: str
) -> Iterator[tuple[Loss, str]]:
    """Codes ignored in some files, and the file where it is one: for review unless the files are the product's own."""

    def table(side: Settings) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for key, node in side.items():
            if key[:-1] in tables:
                found.setdefault(key[-1], []).extend(words(node))
        return found

    old = table(before)
    new = table(after)
    for pattern, items in new.items():
        # A folder that the files moved into, or out of, is no other place.
        same = [was for was in old if was == pattern or (was not in new and _same_place(was, pattern))]
        known = [current(canonical(item)) for was in same for item in old[was]]
        for item in items:
            code = current(canonical(item))
            if not any(_holds(wide, code) for wide in known) and (tool != "ruff" or _was_looked_for(before, code)):
                weight = Weight.PRODUCT if EVERY_FILE.fullmatch(pattern) else weigh(pattern, paths)
                product = weight is Weight.PRODUCT and not _exported(pattern, code)
                rule = f"cfg.{tool}.per-file" if product else MINOR_EXCLUSION
                loss = Loss(rule=rule, key=pattern, text=f"gains {canonical(item)}", node=item, old=None)
                yield loss, named_alone(pattern, paths) if product else ""


def _was_looked_for(before: Settings, code: str) -> bool:
    """The base asked for some of what the code stands for; what a file elsewhere asks for is not known."""
    if ("extend",) in before:
        return True
    select, more = ("lint", "select"), ("lint", "extend-select")
    chosen = [canonical(node) for node in _codes(before, select)] if select in before else list(RUFF_DEFAULT)
    chosen += [canonical(node) for node in _codes(before, more)]
    return any(holds(wide, code) or holds(code, wide) for wide in chosen)


def _same_place(was: str, now: str) -> bool:
    """The same file, one or more folders deeper or higher; the same pattern, as a star holds folders, too."""
    if re.sub(r"\*+", "*", was.replace("/**/", "/")) == re.sub(r"\*+", "*", now.replace("/**/", "/")):
        return True
    if now.endswith(f"/{was}"):
        return was.endswith(".py") or "/" in was
    # `*.py` is no file of another folder, but all files.
    return was.endswith(f"/{now}") and ("/" in now or "*" not in now)


def _exported(pattern: str, code: str) -> bool:
    """A package's `__init__` imports what it exports."""
    return pattern.endswith("__init__.py") and code in ("F401", "F403", "E402")


def _ruff(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    yield from _rules(before, after, ("lint",), RUFF_DEFAULT, (), "ruff")
    tables = (("lint", "per-file-ignores"), ("lint", "extend-per-file-ignores"))
    yield from shown(_per_file(before, after, paths, tables, "ruff"))


def _flake8(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    yield from _rules(before, after, (), FLAKE8_DEFAULT, FLAKE8_IGNORED, "flake8")
    # The released handbook has an exception for one file among its bad examples, other than for ruff.
    yield from (loss for loss, _ in _per_file(_split(before), _split(after), paths, (("per-file-ignores",),), "flake8"))


def _split(settings: Settings) -> Settings:
    """flake8's codes of files as a table."""
    key = ("per-file-ignores",)
    node = settings.get(key)
    found: dict[str, list[Node]] = {}
    for name, code in codes_by_file(node):
        found.setdefault(name, []).append(code)
    return {(*key, name): codes[0].with_value(list(codes)) for name, codes in found.items()}


def _limited(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """A complexity of -1 is no limit at all."""
    return {key: node for key, node in settings.items() if not (key == ("max-complexity",) and node.text == "-1")}


EXCLUDE = no_more_paths(unknown_is_minor=True)
IMPORTS = "lint.flake8-tidy-imports"
PYLINT_LIMITS = (
    *(("args", 5), ("branches", 12), ("statements", 50), ("returns", 6), ("locals", 15), ("bool-expr", 5)),
    *(("nested-blocks", 5), ("public-methods", 20), ("positional-args", 5)),
)

FLAKE8 = Tool(
    name="flake8",
    places=tuple(Place(name, ("flake8",), _flake8_shape) for name in ("setup.cfg", "tox.ini", ".flake8")),
    rows=(
        Row("exclude", EXCLUDE, "cfg.flake8.exclude"),
        Row("extend-exclude", EXCLUDE, "cfg.flake8.exclude"),
        Row("filename", no_fewer_paths(suffixes=(".py",)), "cfg.flake8.exclude"),
        Row("enable-extensions", no_less(), "cfg.flake8.select"),
        *(Row(name, flag(good=True), "cfg.flake8.ignore") for name in ("disable-noqa", "doctests")),
        *(limit(f"max-{name}complexity") for name in ("", "cognitive-", "expression-", "annotations-")),
    ),
    suffixes=PY,
    refine=_limited,
    judge=_flake8,
    heir=heir_of_flake8,
    rivals=("ruff", "pylint", "pyflakes"),
)

RUFF = Tool(
    name="ruff",
    places=(
        Place(".ruff.toml", shape=_ruff_shape),
        Place("ruff.toml", shape=_ruff_shape),
        Place("pyproject.toml", ("tool", "ruff"), _ruff_shape),
    ),
    rows=(
        Row("exclude", EXCLUDE, "cfg.ruff.exclude"),
        Row("include", no_fewer_paths(suffixes=PY), "cfg.ruff.exclude"),
        Row("extend-exclude", EXCLUDE, "cfg.ruff.exclude"),
        Row("lint.exclude", EXCLUDE, "cfg.ruff.exclude"),
        limit("lint.mccabe.max-complexity", 10),
        *(limit(f"lint.pylint.max-{name}", usual) for name, usual in PYLINT_LIMITS),
        Row("fix-only", flag(good=False), "cfg.check.failures-ignored"),
        Row("format.exclude", EXCLUDE, MINOR_EXCLUSION),
        Row("builtins", no_more(), MINOR_EXCLUSION),
        Row("lint.dummy-variable-rgx", only_wide(), "cfg.ruff.ignore"),
        Row("lint.pyflakes.allowed-unused-imports", no_more(), MINOR_EXCLUSION),
        Row(f"{IMPORTS}.ban-relative-imports", ranked("parents all", "parents"), "cfg.ruff.ignore"),
        Row(f"{IMPORTS}.banned-api.*.msg", kept(), "cfg.ruff.ignore"),
    ),
    suffixes=PY,
    refine=_extended,
    judge=_ruff,
    rivals=("flake8", "pylint", "pyflakes", "pycodestyle"),
    elder=FLAKE8,
    watches=("ruff.toml", "pyproject.toml"),
)
