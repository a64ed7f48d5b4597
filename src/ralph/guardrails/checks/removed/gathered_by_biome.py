"""A formatter or linter of JavaScript that is no longer run by itself, as Biome does its work (class G16).

Rules:

- `biome ci` and `biome check` without `--write` look at the layout, too: they do what `prettier --check` did. Where
  ESLint is configured no more, they take its work over; of its rules see `config.tools.heirs`.
- They are run where the other was, unconditionally, on no fewer paths and with no option that chooses files or parts.
- Their configuration at the root has that part on, everywhere, and leaves out no file of the tree that is code.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import program
from ralph.guardrails.config.lattice import words
from ralph.guardrails.config.node import Key, Node, canonical, flat
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.heirs import BIOME
from ralph.system.patterns import later

PARTS = {"prettier": "formatter", "dprint": "formatter", "eslint": "linter"}
RUNS = {"formatter": frozenset({"ci", "check", "format"}), "linter": frozenset({"ci", "check", "lint"})}
HARMLESS = later(
    r"ci|check|format|lint|--error-on-warnings|--diagnostic-level=\w+|--max-diagnostics=\w+|--colors=\w+|--verbose"
    r"|--reporter=\w+|--no-errors-on-unmatched"
)
ESLINTS = later(r"(?:^|/)(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$")
CODE = later(r"\.(?:[cm]?[jt]sx?|jsonc?|css|graphql|vue|svelte|astro)$")
LEFT_OUT = frozenset({"ignore", "include", "includes", "experimentalScannerIgnores"})
EVERYTHING = frozenset({"**", "**/*", "*", "./**", "."})


def gathered_by_biome(was: Gate, others: Iterable[Gate], after: Side) -> Gate | None:
    """The run of Biome that holds what the other did; None where that cannot be told."""
    part = PARTS.get(program(was).split()[0])
    runs = [gate for gate in others if gate.words[0] == "biome" and _on_as_much(was, gate, part)] if part else []
    if part is None or not runs or (part == "linter" and any(map(ESLINTS.search, after.paths))):
        return None
    node = next((found for name in BIOME if (found := after.node(name)) is not None), None)
    settings = flat(node) if node is not None else {}
    if any(_takes_away(part, key, said, after) for key, said in settings.items()):
        return None
    return runs[0]


def _on_as_much(was: Gate, gate: Gate, part: str | None) -> bool:
    """`biome format` and its like rewrite where they are told to, which is no check (see `programs.known`)."""
    if part is None or gate.flaws or len(gate.words) < 2 or gate.words[1] not in RUNS[part]:
        return False
    rest = [word for word in gate.words[2:] if not HARMLESS.fullmatch(word)]
    if any(word.startswith("-") for word in rest):
        return False
    return not rest or "." in rest or set(_paths(was)) <= set(rest)


def _paths(was: Gate) -> list[str]:
    return [word for word in was.words[1:] if not word.startswith("-") and word != "check"] or ["."]


def _takes_away(part: str, key: Key, said: Node, after: Side) -> bool:
    if key[-1] == "enabled" and part in key:
        return canonical(said) == "false"
    if key[0] == "overrides":
        return any(name[-1:] == ("enabled",) and part in name for item in said.items for name in flat(item))
    if key[-1] not in LEFT_OUT or key[0] not in ("files", part):
        return False
    listed = [canonical(item) for item in words(said)]
    if key[-1] in ("include", "includes") and listed and EVERYTHING.isdisjoint(listed):
        return True
    named = listed if key[-1] == "ignore" else [each for each in listed if each.startswith("!")]
    return any(_holds_code(each, after) for each in named)


def _holds_code(pattern: str, after: Side) -> bool:
    """Something in the tree that is code, and that a pattern leaves out."""
    parts = [part for part in pattern.lstrip("!").split("/") if part not in ("", ".", "*", "**")]
    return any(any(_named(part, path) for part in parts) for path in _code(after)) if parts else True


def _named(part: str, path: str) -> bool:
    folders = path.split("/")
    return part in folders or ("*" in part and posixpath.splitext(part)[1] == posixpath.splitext(path)[1])


def _code(after: Side) -> Iterator[str]:
    return (path for path in after.paths if CODE.search(path))
