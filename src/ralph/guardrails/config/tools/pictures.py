"""Tools that compare pictures: how far apart two may be, and whether a difference fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.common.assertions.pictures import TOLERANCES, raised
from ralph.guardrails.config.lattice import Check, Worse, flag, no_more, number
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, modules

IGNORED, WEAKER, NOT_RUN = "cfg.check.failures-ignored", "cfg.test.weaker-run", "cfg.test.not-run"


def no_coarser(option: str) -> Check:
    """A tolerance that must not rise; somewhat more is minor."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = number(before, None), number(after, None)
        if isinstance(was, str) or isinstance(now, str):
            if (before and canonical(before)) != (after and canonical(after)):
                yield Worse(node=after, text="changes", unreadable=True)
        elif (far := raised(option, was, now)) is not None:
            yield Worse(node=after, text="is gone" if now is None else f"rises to {now:g}", minor=not far)

    return check


def _tolerances(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Options by their own names, wherever they stand, and those of each item of a list (`scenarios`)."""
    found = {key: node for key, node in settings.items() if key[-1:] and key[-1] not in TOLERANCES}
    for key, node in settings.items():
        if key[-1:] and key[-1] in TOLERANCES:
            found[("tolerances", "/".join(key[:-1]), key[-1])] = node
        for index, item in enumerate(node.value) if isinstance(node.value, list) else ():
            named = item.at("label") or item.at("name")
            place = "/".join((*key, canonical(named) if named is not None else str(index)))
            found |= {("tolerances", place, name): each for name, each in item.mapping.items() if name in TOLERANCES}
    return found


def _compares(name: str, *places: Place) -> Tool:
    return Tool(
        name=name,
        places=places,
        rows=(
            *(Row(f"tolerances.*.{option}", no_coarser(option), IGNORED, WEAKER) for option in TOLERANCES),
            Row("failOnDifference", flag(good=True, default=True), IGNORED),
            Row("ignoreTests", no_more(), IGNORED),
        ),
        suffixes=(),
        refine=_tolerances,
        by_invitation=True,
        watches=SCRIPTS,
    )


CHROMATIC = Tool(
    name="chromatic",
    places=(Place("chromatic.config.json"),),
    rows=(
        Row("autoAcceptChanges", flag(good=False), IGNORED),
        Row("exitZeroOnChanges", flag(good=False), IGNORED),
        Row("exitOnceUploaded", flag(good=False), IGNORED),
        Row("allowConsoleErrors", flag(good=False), WEAKER),
        Row("skip", flag(good=False), NOT_RUN),
    ),
    suffixes=(),
    by_invitation=True,
)
PICTURES: tuple[Tool, ...] = (
    CHROMATIC,
    _compares("backstop", Place("backstop.json"), *modules("backstop"), *modules("backstop.config")),
    _compares("reg-suit", Place("regconfig.json")),
    _compares("loki", Place("package.json", ("loki",)), Place("loki.config.js"), Place(".loki.json")),
    _compares("lost-pixel", *modules("lostpixel.config")),
)
