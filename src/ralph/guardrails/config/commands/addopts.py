"""What pytest's options for every call held, where one call puts others in their place: `pytest -o addopts=`.

What the configuration asks for is compared with what the call asks for by itself. A floor that is gone is a floor that
is gone; strictness that is gone for one call, and a plugin that is no longer loaded, make it look at less than before.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.command_files.scripts import Run
from ralph.guardrails.config.command_files.shellwords import split_words
from ralph.guardrails.config.commands.overriding import Units, nearest
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.options import flags
from ralph.guardrails.config.options.harm import WEAKER
from ralph.guardrails.config.rows import Loss, compare_rows
from ralph.record import replace
from ralph.system.patterns import later

IN_PLACE = later(r"(?:-o|--override-ini)?[ =]?addopts\s*=(?P<options>.*)")
OVERRIDES = ("-o", "--override-ini")
STRICTNESS = frozenset((WEAKER, "cfg.pytest.strictness"))


def put_aside(was: Run, now: Run | None, paths: Sequence[str], units: Units) -> Iterator[Loss]:
    if now is None or now.words[0] != "pytest":
        return
    instead, before = _in_place(now.words), _in_place(was.words)
    if instead is None or instead == before:
        return
    old = before if before is not None else _configured(now.node, units)
    new = [*now.words[1:], *instead]
    held = flags.settings("pytest", old, now.node)
    given = {key: node for key, node in flags.settings("pytest", new, now.node).items() if key in held}
    for loss in compare_rows(flags.rows("pytest"), held, given, paths):
        yield replace(loss, rule=flags.NO_FILE) if loss.rule in STRICTNESS else loss
    loaded = _plugins(new)
    for name in _plugins(old):
        if name not in loaded:
            yield Loss(rule=flags.NO_FILE, key="p", text=f"no longer loads {name}", node=now.node, old=None)


def _in_place(words: Sequence[str]) -> list[str] | None:
    """The options that a call says instead of those for every call; None where it leaves them alone."""
    found = None
    for before, word in zip(("", *words), words, strict=False):
        match = IN_PLACE.fullmatch(word)
        if match is not None and (before in OVERRIDES or word.startswith(OVERRIDES)):
            found = split_words(match["options"])
    return found


def _configured(place: Node, units: Units) -> list[str]:
    node = nearest(units("pytest"), posixpath.dirname(place.path)).get(("addopts",))
    return [word for item in (node.items if node is not None else ()) for word in split_words(canonical(item))]


def _plugins(words: Sequence[str]) -> set[str]:
    apart = {word for before, word in zip(("", *words), words, strict=False) if before == "-p"}
    joined = {word[2:] for word in words if word.startswith("-p") and word[2:] and not word.startswith("--")}
    return {name for name in apart | joined if not name.startswith("no:")}
