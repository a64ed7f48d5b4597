"""What golangci-lint's linters are told: limits, what they ask for, and which of their own rules they run.

Rules: a limit that is negative is none. A rule of revive is lost where its list names it no longer, or says that it is
disabled. The checks of staticcheck are, where none are named, all but those that the second format leaves out itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.filters import filtered, no_check_off
from ralph.guardrails.config.lattice import Worse, ceiling, flag, no_less, no_more, ranked
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED, Row

EXCLUDE, REMOVED = "cfg.golangci.exclude", "cfg.golangci.linter-removed"
LIMITS = {
    "gocyclo.min-complexity": 30,
    "cyclop.max-complexity": 10,
    "gocognit.min-complexity": 30,
    "nestif.min-complexity": 5,
    "funlen.lines": 60,
    "funlen.statements": 40,
    "dupl.threshold": 150,
    "lll.line-length": 120,
    "interfacebloat.max": 10,
    "nakedret.max-func-lines": 30,
}
GOOD = names(
    "errcheck.check-blank errcheck.check-type-assertions nolintlint.require-explanation nolintlint.require-specific "
    "govet.enable-all"
)
BAD = names(
    "nolintlint.allow-unused exhaustive.default-signifies-exhaustive govet.disable-all gosec.exclude-generated "
    "unused.field-writes-are-uses-all"
)
LEFT_OUT = names(
    "gosec.excludes errcheck.exclude-functions govet.disable gocritic.disabled-checks gocritic.disabled-tags "
    "wrapcheck.ignore-sigs ireturn.allow"
)
ASKED = names("gocritic.enabled-checks gocritic.enabled-tags forbidigo.forbid depguard.rules.*.deny govet.enable")
TOLD = frozenset({"desc", "msg"})
"""Of what is refused: the words for people."""
USUAL_CHECKS = names("all -ST1000 -ST1003 -ST1016 -ST1020 -ST1021 -ST1022")


def _no_rule_less(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """revive runs its usual rules where none are named."""
    old, new = _rules(before), _rules(after)
    for name in sorted(old.keys() - new.keys()) if after is not None else ():
        yield Worse(node=_named(after, name) or after, text=f"loses {name}")
    off = {name for name, item in _all(after).items() if _is_off(item)}
    for name in sorted(off - _all(before).keys()) if before is not None else sorted(off):
        yield Worse(node=_named(after, name), text=f"loses {name}")


def _all(node: Node | None) -> dict[str, Node]:
    found = {}
    for item in node.items if node is not None else ():
        name = item.at("name")
        if name is not None:
            found[canonical(name)] = item
    return found


def _rules(node: Node | None) -> dict[str, Node]:
    return {name: item for name, item in _all(node).items() if not _is_off(item)}


def _named(node: Node | None, name: str) -> Node | None:
    return _all(node).get(name)


def _is_off(item: Node) -> bool:
    said = item.at("disabled")
    return said is not None and said.value is True


def _checks_kept(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    if after is not None:
        usual = after.with_value([after.with_value(name) for name in USUAL_CHECKS])
        yield from no_check_off()(before or usual, after, paths)


def _none_less_asked(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    yield from no_less()(_without_words(before), _without_words(after), paths)


def _without_words(node: Node | None) -> Node | None:
    """What is refused, without what people are told of it."""
    if node is None or not isinstance(node.value, list):
        return node
    return node.with_value(
        [
            item.with_value({key: value for key, value in item.mapping.items() if key not in TOLD})
            if item.mapping
            else item
            for item in node.items
        ]
    )


ROWS: tuple[Row, ...] = (
    *(Row(f"linters.settings.{name}", ceiling(usual, MANIFOLD), LIFTED, RAISED) for name, usual in LIMITS.items()),
    *(Row(f"linters.settings.{name}", flag(good=True), REMOVED) for name in GOOD),
    *(Row(f"linters.settings.{name}", flag(good=False), REMOVED) for name in BAD),
    *(Row(f"linters.settings.{name}", no_more(), EXCLUDE) for name in LEFT_OUT),
    *(Row(f"linters.settings.{name}", _none_less_asked, REMOVED) for name in ASKED),
    *(
        Row(f"linters.settings.gosec.{name}", ranked("high medium low=undefined", "low"), EXCLUDE)
        for name in ("severity", "confidence")
    ),
    Row("linters.settings.gosec.includes", filtered(), EXCLUDE),
    Row("linters.settings.revive.rules", _no_rule_less, REMOVED),
    *(Row(f"linters.settings.{name}.checks", _checks_kept, REMOVED) for name in ("staticcheck", "stylecheck")),
)
