"""A tool cannot be kept from what it never looks at: `exclude = ["web"]` of ruff, where `web` holds TypeScript alone.

Rules, for a loss that hangs on which files there are:

- Where it is none as soon as source files of other languages are left aside, it is none.
- A pattern of what is left out that fits only such files is minor: a file of the tool's language may come there.
- A pattern that fits nothing at all stays what it is, and so does one of a tool that looks at all languages. Where no
  file is of the tool's language, nobody can tell what it looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ralph.guardrails.config.filters import LEAVES_OUT
from ralph.guardrails.config.lattice import EXCLUDES
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.patterns import covers
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss
from ralph.guardrails.config.suffixes import is_foreign
from ralph.guardrails.texts import cut
from ralph.record import replace

Losses = Callable[[Sequence[str]], Iterable[Loss]]
"""What is lost in a tree of these paths."""


def of_own_files(losses: Losses, paths: Sequence[str], suffixes: tuple[str, ...]) -> Iterator[Loss]:
    """The losses of a tool that looks at files with these endings alone; at all without any."""
    found = list(losses(paths))
    foreign = [path for path in paths if is_foreign(path, suffixes)] if found and suffixes else ()
    own = sorted(set(paths).difference(foreign)) if foreign else []
    looked_at = [path for path in own if path.endswith(suffixes)]
    if not looked_at:
        yield from found
        return
    again = list(losses(own))
    for loss in found:
        alike = [other for other in again if _about(other) == _about(loss)]
        other = next((each for each in alike if each.text == loss.text), alike[0] if alike else None)
        if other is not None:
            yield replace(other, rule=MINOR_EXCLUSION) if _fits_none(loss, looked_at, foreign) else other


def _about(loss: Loss) -> tuple[str, str, int, int]:
    """The setting, and where it stands: nodes may be made anew each time."""
    node = loss.node
    return (loss.key, node.path, node.line, node.column) if node is not None else (loss.key, "", 0, 0)


def _fits_none(loss: Loss, own: Iterable[str], foreign: Iterable[str]) -> bool:
    """It is about a pattern of what is left out, which fits only what the tool does not look at."""
    pattern = canonical(loss.node) if loss.node is not None else ""
    if not loss.text.startswith(f"{EXCLUDES} ") and loss.text != f"{LEAVES_OUT} {cut(pattern, 100)}":
        return False
    return any(covers(pattern, path) for path in foreign) and not any(covers(pattern, path) for path in own)
