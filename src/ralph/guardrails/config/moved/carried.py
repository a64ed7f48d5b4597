"""What a list says about files that moved, said about their new place (policy set v2, classes G09, G11, G12).

Rules:

- A pattern that is new takes nothing away where each product file for which it holds is new there, and came of a file
  that is gone, for which the list of the base said the same, and of which most lines are the same. A new file that
  holds nothing but comments counts for nothing.
- A pattern of files that are checked is not missed where each file for which it held is gone, and most of its lines
  stand in a new one that the list of the head holds.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.exclusions.flake8_files import codes_by_file
from ralph.guardrails.config.lattice import EXCLUDES, LOST_PATHS, words
from ralph.guardrails.config.node import Node, Settings, canonical
from ralph.guardrails.config.patterns import covers, is_product
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side

HALF, MOSTLY = 0.5, 0.6
"""So much of a file makes another one the same."""
MOST_FILES = 500
PER_FILE = "per-file-ignores"
COMMENTS = ("#", "//", "/*", "*")


def is_carried(loss: Loss, settings: Settings, before: Side, after: Side) -> bool:
    """The loss is about files that moved, and says of them what `settings`, those of the base, said."""
    if loss.node is None:
        return False
    old = settings.get(tuple(loss.key.split("."))) or loss.old
    if loss.text.startswith(LOST_PATHS):
        return _still_held(loss.text.removeprefix(LOST_PATHS).strip(), words(loss.node), before, after)
    if loss.text.startswith(EXCLUDES):
        return old is not None and _only_moved(canonical(loss.node), list(map(canonical, words(old))), before, after)
    if loss.rule.endswith(".per-file"):
        return _only_moved(loss.key, list(excepted(settings, canonical(loss.node))), before, after)
    return False


def excepted(settings: Settings, code: str) -> Iterator[str]:
    """The patterns of files in which a linter did not look for a code."""
    for key, node in settings.items():
        if key[-1] == PER_FILE:
            rows = [(name, canonical(code)) for name, code in codes_by_file(node)]
        elif key[-2:-1] and key[-2].endswith(PER_FILE):
            rows = [(key[-1], ",".join(canonical(item) for item in words(node)))]
        else:
            continue
        for pattern, codes in rows:
            if any(code.startswith(wide) or wide == "ALL" for each in codes.split(",") if (wide := each.strip())):
                yield pattern.strip()


def _only_moved(pattern: str, old: Sequence[str], before: Side, after: Side) -> bool:
    """`pattern` is what the list gained, `old` what it held."""
    held = [path for path in after.paths if is_product(path) and covers(pattern, path)]
    held = [path for path in held if path in before.paths or not _says_nothing(after, path)]
    if not held or len(held) > MOST_FILES or any(path in before.paths for path in held):
        return False
    left_out = [path for path in _gone(before, after) if any(covers(each, path) for each in old)]
    # Beside files that moved, one of the same name is the same, as git has it, with half of it left.
    return all(any(_is_mostly(before, was, after, path, HALF) for was in _nearest(path, left_out)) for path in held)


def came_of(path: str, before: Side, after: Side) -> bool:
    """A product file of the head is one that the base had elsewhere."""
    gone = [was for was in _gone(before, after) if is_product(was)]
    return any(_is_mostly(before, was, after, path) for was in _nearest(path, gone))


def _still_held(pattern: str, new: Sequence[Node], before: Side, after: Side) -> bool:
    """`new` is what the list of files that are checked holds now, `pattern` what it lost."""
    held = [path for path in before.paths if is_product(path) and covers(pattern, path, regex=False)]
    if not held or len(held) > MOST_FILES or any(path in after.paths for path in held):
        return False
    patterns = [canonical(item) for item in new]
    checked = [path for path in _gone(after, before) if any(covers(each, path, regex=False) for each in patterns)]
    return all(any(_is_mostly(before, was, after, path) for path in _nearest(was, checked)) for was in held)


def _gone(side: Side, other: Side) -> list[str]:
    """Files of one side alone."""
    return sorted(side.paths - other.paths)


def _nearest(path: str, others: Sequence[str]) -> list[str]:
    """Those of the same name; where there are none, all of the same kind."""
    name, kind = posixpath.basename(path), posixpath.splitext(path)[1]
    same = [other for other in others if posixpath.basename(other) == name]
    return same or [other for other in others if other.endswith(kind)][:MOST_FILES]


def _is_mostly(before: Side, was: str, after: Side, path: str, share: float = MOSTLY) -> bool:
    share = share if posixpath.basename(was) == posixpath.basename(path) else MOSTLY
    text = before.text(was) or ""
    for one, other in _renamed(was, path):  # it names its own package
        text = re.sub(rf"\b{re.escape(one)}\b", other, text)
    old, new = (Counter(each.split("\n")) for each in (text, after.text(path) or ""))
    return (old & new).total() >= share * max(old.total(), new.total())


def _renamed(was: str, path: str) -> list[tuple[str, str]]:
    """The folders of a path that are called otherwise in another one as deep."""
    pairs = list(zip(was.split("/")[:-1], path.split("/")[:-1], strict=False))
    return [(one, other) for one, other in pairs if one != other] if was.count("/") == path.count("/") else []


def _says_nothing(side: Side, path: str) -> bool:
    lines = (line.strip() for line in (side.text(path) or "").split("\n"))
    return all(not line or line.startswith(COMMENTS) for line in lines)
