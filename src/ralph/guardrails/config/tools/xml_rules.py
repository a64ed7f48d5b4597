"""Sets of rules that are XML: Checkstyle, PMD, PHP_CodeSniffer, PHPMD, Android's lint, Gradle's verification.

1. A file is told by its outermost element; its name only says that it is worth reading.
2. A set of rules is known by its file's name, wherever it lies: one that moves is the same one. Files of one name are
   told apart by their folders. One that is new, or gone, is a matter of what names it.
3. A rule that is gone, left out, of no consequence or milder is a loss; so is a limit that rises, and product code that
   is left out. Lists of accepted findings are baselines, and judged as such elsewhere.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import (
    Worse,
    ceiling,
    flag,
    no_fewer_paths,
    no_less,
    no_more,
    no_more_paths,
    ranked,
    words,
)
from ralph.guardrails.config.lists import kept, only_wide, while_said
from ralph.guardrails.config.node import Key, Node, Settings, canonical, occurrences
from ralph.guardrails.config.patterns import Weight, weigh
from ralph.guardrails.config.rows import Loss, Row, compare_rows, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.texts import cut
from ralph.record import replace
from ralph.system.patterns import later

IGNORED = "cfg.check.failures-ignored"
ISSUES = "ignore informational warning error fatal"
Found = dict[Key, Node]
LIMIT = later(r"(?i)max\w*|minimum|\w*limit|\w*(?:report)?level|complexity|absolute\w*")
"""Properties that are numbers which code may reach; `minimum` is PMD's and PHPMD's word for it."""
SUPPRESSES = later(r"Suppression(?:Xpath)?SingleFilter|BeforeExecutionExclusionFileFilter")
OLD_MODULES = frozenset(("FileContentsHolder", "RedundantThrows", "DoubleCheckedLocking", "JUnitTestCase"))
"""Checkstyle has them no more."""
NO_WARNINGS = later(r"[a-mo-z]*n[a-z]*")
QUIETEST = "11"
"""A severity that no message of PHP_CodeSniffer reaches: 0 reports none, as it does."""


def _checkstyle(whole: Node) -> Found:
    """Each module by its name and number, with how severe it is and how far it lets code go."""
    found: Found = {}
    seen: Counter[str] = Counter()
    _modules(whole, found, seen)
    return found


def _modules(above: Node, found: Found, seen: Counter[str]) -> None:
    for module in occurrences(above.at("module")):
        name = _attribute(module, "name").rpartition(".")[2].removesuffix("Check")
        seen[name] += 1
        own = f"{name} {seen[name]}" if seen[name] > 1 else name
        said = _properties(module)
        if SUPPRESSES.fullmatch(name):
            files = said.get("files") or said.get("fileNamePattern") or module.with_value(".*")
            found["silenced", " ".join([name, *(f"{key}={canonical(said[key])}" for key in sorted(said))])] = files
        elif "Suppress" not in name and name not in OLD_MODULES:
            found["rules", own] = module.with_value(name)
        for key, value in said.items():
            if key == "severity":
                found["severity", own] = value
            elif key.startswith("max"):
                found["limits", f"{own}.{key}"] = value
        _modules(module, found, seen)


def _ruleset(whole: Node) -> Found:
    """PMD, PHP_CodeSniffer and PHPMD: what is referred to, what is left out of that, and how much it counts."""
    found: Found = {}
    _listed(found, ("checked",), [_named(each, "file") for each in occurrences(whole.at("file"))])
    _listed(found, ("left out",), occurrences(whole.at("exclude-pattern")))
    rules = occurrences(whole.at("rule"))
    _listed(found, ("rules",), [rule.with_value(name) for rule in rules if (name := _attribute(rule, "ref", "name"))])
    for rule in rules:
        name = _attribute(rule, "ref", "name")
        left = [_named(each, "name") for each in occurrences(rule.at("exclude"))]
        _listed(found, ("excluded", name), left)
        _listed(found, ("paths", name), occurrences(rule.at("exclude-pattern")))
        for kind in ("severity", "type"):
            if (value := rule.at(kind)) is not None:
                found[kind, name] = value
        for key, value in _properties(rule).items():
            if LIMIT.fullmatch(key):
                found["limits", f"{name}.{key}"] = value
    for said in (*occurrences(whole.at("arg")), *occurrences(whole.at("config"))):
        option, value = _attribute(said, "name"), said.at("@value")
        if value is None:
            continue
        if not option and NO_WARNINGS.fullmatch(canonical(value)):
            found["quiet", "warning-severity"] = value.with_value(QUIETEST)
        elif option in ("warning-severity", "error-severity"):
            found["quiet", option] = value.with_value(QUIETEST) if canonical(value) == "0" else value
        elif option in ("ignore_warnings_on_exit", "ignore_errors_on_exit"):
            found["forgiven", option] = value
    return found


def _android(whole: Node) -> Found:
    """Issues and how severe they are; an issue that is ignored in some files stands beside."""
    found: Found = {}
    for issue in occurrences(whole.at("issue")):
        if (severity := issue.at("@severity")) is not None:
            found["issues", _attribute(issue, "id")] = severity
        paths = [_named(each, "path", "regexp") for each in occurrences(issue.at("ignore"))]
        _listed(found, ("paths", _attribute(issue, "id")), paths)
    return found


def _verification(whole: Node) -> Found:
    said = whole.at("configuration") or whole.with_value({})
    found: Found = {("verifies", name): value for name, value in said.mapping.items() if name.startswith("verify-")}
    trusted = occurrences(said.at("trusted-artifacts", "trust"))
    _listed(found, ("trusted",), [each.with_value(_attribute(each, "group", "file")) for each in trusted])
    return found


def _listed(found: Found, key: Key, items: Sequence[Node]) -> None:
    items = [item for item in items if isinstance(item.value, str) and item.value]
    if items:
        found[key] = items[0].with_value(list(items))


def _properties(element: Node) -> dict[str, Node]:
    """`<property name="max" value="10"/>`, beside others or in a list of them; PMD has values as elements, too."""
    inside = [each for holder in occurrences(element.at("properties")) for each in occurrences(holder.at("property"))]
    said = {}
    for each in (*occurrences(element.at("property")), *inside):
        value = each.at("@value") or each.at("value")
        if value is not None:
            said[_attribute(each, "name")] = value
    return said


def _named(element: Node, *attributes: str) -> Node:
    """An element that is a text, or has it in one of these attributes."""
    return next((each for name in attributes if (each := element.at(f"@{name}")) is not None), element)


def _attribute(element: Node, *names: str) -> str:
    return next((canonical(each) for name in names if (each := element.at(f"@{name}")) is not None), "")


READ: Mapping[str, Callable[[Node], Found]] = {
    "module": _checkstyle,
    "ruleset": _ruleset,
    "lint": _android,
    "verification-metadata": _verification,
}
PHPCS = (".phpcs.xml", "phpcs.xml", ".phpcs.xml.dist", "phpcs.xml.dist")
PLACES = tuple(
    Place(name)
    for name in (
        *("*checkstyle*.xml", "*checks.xml", "*pmd*.xml", "*ruleset*.xml", "*phpcs*.xml", "phpcs.xml.dist"),
        *(".phpcs.xml.dist", "phpmd.xml.dist", "lint.xml", "verification-metadata.xml"),
    )
)


def _rank(path: str) -> tuple[int, str]:
    name = posixpath.basename(path)
    return (PHPCS.index(name) if name in PHPCS else len(PHPCS), path)


def _units(side: Side) -> Mapping[str, Unit]:
    paths = sorted({path for place in PLACES for path in files_named(side, place.name)}, key=_rank)
    names = Counter(map(posixpath.basename, paths))
    found: dict[str, Unit] = {}
    for path in paths:
        whole = side.node(path) or Node({}, path, 1, 1)
        for element, read in READ.items():
            if (root := whole.at(element)) is not None:
                settings = read(whole if element == "module" else root)
                found.setdefault(_known_by(path, names), Unit(settings, (path,)))
    return found


def _known_by(path: str, names: Mapping[str, int]) -> str:
    """Of the names that PHP_CodeSniffer looks for in a folder, the first counts."""
    folder, name = posixpath.split(path)
    if name in PHPCS:
        return posixpath.join(folder, PHPCS[0])
    return name if names[name] == 1 else path


def _no_set_less(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """Rules that are no longer referred to. A whole set in their place may be their successor: `PSR12` for `PSR2`."""
    old, new = ({canonical(item) for item in words(node)} for node in (before, after))
    whole = any(name.endswith(".xml") or "." not in name for name in new - old)
    yield from (replace(worse, minor=whole) for worse in no_less()(before, after, paths))


ROWS = (
    Row("rules.*", kept(), IGNORED),
    Row("rules", _no_set_less, IGNORED),
    Row("severity.*", ranked("ignore=0 info 1 2 3 4 warning 5=error 6 7 8 9 10", "error"), IGNORED),
    Row("type.*", ranked("warning error", "error"), IGNORED),
    limit("limits.*"),
    Row("excluded.*", no_more(), IGNORED),
    Row("checked", no_fewer_paths(absent_is_all=False), IGNORED),
    Row("left out", no_more_paths(unknown_is_minor=True), IGNORED),
    Row("paths.*", no_more_paths(unknown_is_minor=True), IGNORED),
    Row("quiet.*", ceiling(5), IGNORED),
    Row("forgiven.*", flag(good=False), IGNORED),
    Row("issues.*", while_said(ranked(ISSUES, "informational")), IGNORED),
    Row("verifies.verify-metadata", flag(good=True, default=True), IGNORED),
    Row("verifies.verify-signatures", flag(good=True), IGNORED),
    Row("trusted", only_wide(), IGNORED),
)


def _milder(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    if not before or not after:
        return
    yield from compare_rows(ROWS, before, after, paths)
    for key, files in after.items():
        if key[0] == "silenced" and key not in before:
            minor = weigh(canonical(files), paths) is not Weight.PRODUCT
            rule = "cfg.exclude-minor" if minor else IGNORED
            yield Loss(rule=rule, key=cut(key[1], 80), text="leaves findings out", node=files, old=None)


XML_RULES = Tool(
    name="sets of rules in XML",
    places=PLACES,
    rows=(),
    suffixes=(),
    units=_units,
    judge=_milder,
    adds_only=True,
)
