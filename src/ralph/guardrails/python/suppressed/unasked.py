"""Suppressions on single lines of what the configuration left out for all of them before (policy set v2, class G01).

Rule: a comment that names codes takes nothing away where the base's configuration told the tool, for the same file, not
to ask for any of them, and the head's no longer does: mypy's codes and missing imports, all errors of a module, rules
of ruff and flake8, those of pyright, ty and pyrefly, and pylint's messages as they are spelled. What no configuration
of the base spoke of counts as asked for; what the comment on that line of code named before is not looked at.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import truth, words
from ralph.guardrails.config.node import Settings, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool, Unit
from ralph.guardrails.config.tools.checkers import PYREFLY, PYREFLY_LEVELS, TY, TY_LEVELS, Levels
from ralph.guardrails.config.tools.mypy import MYPY
from ralph.guardrails.config.tools.pyright import PYLINT, PYRIGHT
from ralph.guardrails.config.tools.ruff import FLAKE8, RUFF, asks_for
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.python.suppressed.directive import NEUTRAL
from ralph.guardrails.python.suppressed.left_out import codes_off, is_silent
from ralph.system.patterns import later

IMPORTS = frozenset({"import", "import-not-found", "import-untyped"})
WORD = later(r"[\w-]+")
OFF = frozenset({"none", "false", "off"})
Silent = Callable[[Side, str, frozenset[str]], frozenset[str]]
"""Which of the codes a tool does not tell of in a file."""


def still_asked(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits without those that only narrow what was left out before."""
    blobs = change.blobs
    sides = (Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after()))
    for hit in hits:
        name, _, said = hit.key.rpartition(" ")
        silent = SILENT.get((hit.rule, name))
        if silent is None:
            yield hit
            continue
        codes = frozenset(said.split(","))
        codes = (codes - _named_before(hit, change)) or codes
        was, now = (silent(side, hit.path, codes) for side in sides)
        if not (was and codes - NEUTRAL <= was and codes.isdisjoint(now)):
            yield hit


def _named_before(hit: Hit, change: Change) -> frozenset[str]:
    """What the comments on that very line of code named at the base."""
    code, mark, _ = hit.snippet.partition("#")
    if not mark or not code.strip():
        return frozenset()
    data = (change.blobs.before(hit.path) or b"").decode("utf-8", "replace")
    notes = (note for line in data.split("\n") for was, _, note in [line.partition("#")] if was.strip() == code.strip())
    return frozenset(word for note in notes for word in WORD.findall(note))


def _silent_for_mypy(side: Side, path: str, codes: frozenset[str]) -> frozenset[str]:
    """Which of the codes mypy does not tell of in any file, or in this module."""
    settings = _settings(MYPY, side, path)
    if settings is None:
        return frozenset()
    if is_silent(settings, path):
        return codes
    off = {canonical(word) for word in words(settings.get(("disable_error_code",)))}
    imports = IMPORTS if truth(settings.get(("ignore_missing_imports",)), default=False) else frozenset()
    return codes & (off | imports | codes_off(settings, path))


def _silent_for_linters(side: Side, path: str, codes: frozenset[str]) -> frozenset[str]:
    """Which of the codes no linter with a configuration asks for in this file."""
    units = [(tool.name, settings) for tool in (RUFF, FLAKE8) if (settings := _settings(tool, side, path)) is not None]
    if not units:
        return frozenset()
    return frozenset(code for code in codes if not any(asks_for(name, said, code, path) for name, said in units))


def _silent_for_pyright(side: Side, path: str, codes: frozenset[str]) -> frozenset[str]:
    settings = _settings(PYRIGHT, side, path)
    if settings is None:
        return frozenset()
    mode = settings.get(("typeCheckingMode",))
    usual = "none" if mode is not None and canonical(mode) == "off" else "error"
    levels = {code: canonical(node) if (node := settings.get((code,))) is not None else usual for code in codes}
    return frozenset(code for code, level in levels.items() if level in OFF)


def _silent_by(tool: Tool, levels: Levels) -> Silent:
    def silent(side: Side, path: str, codes: frozenset[str]) -> frozenset[str]:
        settings = _settings(tool, side, path) or {}
        spoken = {key[1] for key in settings if len(key) == 2 and key[0] == levels.rules}
        named = codes if levels.all_rules in spoken else codes & spoken
        return frozenset(code for code in named if not levels.of(settings, code, strict=True))

    return silent


def _silent_for_pylint(side: Side, path: str, codes: frozenset[str]) -> frozenset[str]:
    settings = _settings(PYLINT, side, path) or {}
    return codes & {canonical(word) for word in words(settings.get(("disable",)))}


def _settings(tool: Tool, side: Side, path: str) -> Settings | None:
    """What holds for a file: the configuration of the nearest folder above it."""
    units: Mapping[str, Unit] = tool.find_units(side)
    folder = posixpath.dirname(path)
    while folder and folder not in units:
        folder = posixpath.dirname(folder)
    return units[folder].settings if folder in units else None


SILENT: Mapping[tuple[str, str], Silent] = {
    ("py.type-ignore", "type: ignore"): _silent_for_mypy,
    ("py.noqa", "noqa"): _silent_for_linters,
    ("py.checker", "pyright"): _silent_for_pyright,
    ("py.checker", "ty"): _silent_by(TY, TY_LEVELS),
    ("py.checker", "pyrefly"): _silent_by(PYREFLY, PYREFLY_LEVELS),
    ("py.pylint", "pylint"): _silent_for_pylint,
}
"""By the rule and the name of the tool, which a comment that names no codes has alone."""
