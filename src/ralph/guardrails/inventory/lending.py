"""Files that lend tests their helpers; `Carts.checkCart(cart, 5)` is one of the class in `Carts.java`."""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.readers import TEST_PLACE, Paths
from ralph.guardrails.inventory.truth import HELPER
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end
from ralph.system.patterns import later

CLASS = later(r"[A-Z]\w*")
OF_FRAMEWORKS = later(
    r"Assert(?:ions|j|That)?|(?:Soft|Collection|String|File|Classic|Fluent)Assert(?:ions)?|Mockito|BDDMockito|Verify|Truth|Ensure"
    r"|Preconditions|Objects|Requires?|Contract|Debug"
)


def called_on(receiver: tree_sitter.Node, name: str) -> str:
    """`Carts.checkCart`, where that looks like a helper of a class of the project; empty, else."""
    written = text_of(receiver)
    ours = CLASS.fullmatch(written) is not None and OF_FRAMEWORKS.fullmatch(written) is None
    return f"{written}.{name}" if ours and HELPER.match(name) else ""


def class_at(owner: str, source: Source, paths: Paths) -> Source | None:
    """The file among those of tests that is called like the class; the one beside it, if there are several."""
    name = f"{owner}{source.path[source.path.rindex('.') :]}"
    beside = f"{source.path.rpartition('/')[0]}/{name}".removeprefix("/")
    found = [beside] if beside in paths.all() else _called(name, paths)
    return source_at(found[0], source.language, paths) if len(found) == 1 and found[0] != source.path else None


def source_at(path: str, language: str, paths: Paths) -> Source | None:
    """One side of a file; None if it is not there, or cannot be read."""
    data = paths.read(path)
    try:
        return None if data is None else Source(path, language, one_line_end(language, decoded(language, data)))
    except UnreadableError:
        return None


def _called(name: str, paths: Paths) -> list[str]:
    return [path for path in sorted(paths.all()) if path.endswith(f"/{name}") and TEST_PLACE.search(path)]
