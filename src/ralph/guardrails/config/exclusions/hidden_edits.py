"""A module whose type errors are all hidden by the change that adds to it (policy set v2, class G12).

One module that is named by itself is an excuse that stands where all can see it, and is shown (`exceptions`). Where the
same change brings code to that module, it is the errors of that code that nobody hears of: it blocks. It does not where
the checker comes to look at more than before, or at it more strictly: in the same file, or in the one from which the
configuration moved.
"""

from __future__ import annotations

import posixpath

from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.record import replace
from ralph.system.patterns import later

RELAXED, OFF = "cfg.mypy.module-relaxed", "cfg.mypy.module-off"
SILENT = later(r"overrides\.(?P<module>[\w.]+)\.ignore_errors")
LOOKS_AT = later(r"(?m)^[ \t]*(?:files|packages|modules|exclude|strict)\b[^\n]*(?:\n[ \t][^\n]*)*")
SECTION = later(r"(?ms)^\[(?:tool\.)?mypy\][^\n]*\n(?P<rows>.*?)(?=^\[|\Z)")
FILES = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
MARKS = later(r"[\s\"'\[\],]+")
"""In what ini and TOML differ."""
ROOTS = ("", "src/", "lib/")


def of_edited(loss: Loss, before: Side, after: Side, changed: frozenset[str]) -> Loss:
    match = SILENT.fullmatch(loss.key) if loss.rule == RELAXED and loss.node is not None else None
    if match is None or loss.node is None or canonical(loss.node).lower() not in ("true", "1", "yes", "on"):
        return loss
    place = match["module"].replace(".", "/")
    files = (f"{root}{place}{end}" for root in ROOTS for end in (".py", "/__init__.py"))
    grows = any(path in changed and _grows(path, before, after) for path in files)
    return replace(loss, rule=OFF) if grows and _looks_at_as_much(loss.node.path, before, after) else loss


def _grows(path: str, before: Side, after: Side) -> bool:
    old, new = before.text(path), after.text(path)
    return old is not None and new is not None and _lines(new) > _lines(old)


def _lines(text: str) -> int:
    return sum(1 for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#"))


def _looks_at_as_much(path: str, before: Side, after: Side) -> bool:
    old, new = before.text(path), after.text(path)
    if new is None or (old is not None and LOOKS_AT.findall(old) == LOOKS_AT.findall(new)):
        return new is not None
    if old is not None and SECTION.search(old):
        return False
    others = (posixpath.join(posixpath.dirname(path), name) for name in FILES)
    moved = next((rows for other in others if (rows := _looked_at(before.text(other) or "")) is not None), None)
    return moved is not None and moved == _looked_at(new)


def _looked_at(text: str) -> list[str] | None:
    """What the section of mypy says of it, whatever the form; None without one."""
    section = SECTION.search(text)
    if section is None:
        return None
    return sorted(MARKS.sub(" ", found).strip().lower() for found in LOOKS_AT.findall(section["rows"]))
