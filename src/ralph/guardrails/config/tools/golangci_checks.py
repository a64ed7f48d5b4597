"""The checks that staticcheck has in the second format of golangci-lint, and did not have in the first.

Rules: in the first format the checks of gosimple (`S`) and of stylecheck (`ST`) are linters of their own beside
staticcheck (`SA`), and quick fixes (`QF`) do not run. The second has one linter for all four. A configuration that
moves to it may leave out the families of which the base ran none, and must name each of the others.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.lattice import words
from ralph.guardrails.config.node import Node, Settings, canonical, names
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.tools.golangci_settings import USUAL_CHECKS
from ralph.system.patterns import later

FAMILIES = {"SA": "staticcheck", "S": "gosimple", "ST": "stylecheck"}
IN_USE = {"SA": names("SA*"), "S": names("S* S1*"), "ST": names("ST* ST1*")}
"""How a list names all checks of a family."""
ALL = frozenset(("all", "*"))
LETTERS = later(r"-([A-Z]{1,2})(?=[0-9*]|$)")
OF_STATICCHECK = "linters.settings.staticcheck.checks"


def idle_linters(loss: Loss, before: Settings, ran: frozenset[str]) -> frozenset[str]:
    """What the checks that a loss is about belonged to; nothing where one of them may have run.

    `ran`: the linters of the base by their names, `all` for every one.
    """
    if loss.key != OF_STATICCHECK or loss.node is None or _is_second(before):
        return frozenset()
    idle = {family: name for family, name in FAMILIES.items() if not ran & {name, "all"}} | {"QF": "quickfix"}
    now = {canonical(item) for item in words(loss.node)}
    off = {name for name in now if name.startswith("-")} - set(_left_out(before)) - set(USUAL_CHECKS)
    families = {found[1] if (found := LETTERS.match(name)) else "" for name in off}
    if not families <= idle.keys():
        return frozenset()
    wanted = FAMILIES.keys() - idle.keys()
    if now.isdisjoint(ALL) and any(now.isdisjoint(IN_USE[family]) for family in wanted):
        return frozenset()
    return frozenset(idle.values())


def _is_second(settings: Settings) -> bool:
    version: Node | None = settings.get(("version",))
    if version is not None:
        return canonical(version) == "2"
    return ("linters", "default") in settings or any(key[0] == "formatters" for key in settings)


def _left_out(before: Settings) -> Iterator[str]:
    """What the lists of the three linters leave out."""
    for name in FAMILIES.values():
        yield from map(canonical, words(before.get(("linters", "settings", name, "checks"))))
