"""Suppressions of Python that silence little, and are for a person.

Rules (policy set v2, classes G01 and G12):

- `noqa` with codes that say how text is laid out, such as the length of a line: a formatter decides that.
- `noqa` with codes of pep8-naming: a framework or a protocol often gives the name.
- `noqa: F401` and `F403` in an `__init__.py`: names are imported there for others.
- `type: ignore[import-untyped]`: what a package without types gives was anything before, too.
"""

from __future__ import annotations

import posixpath

from ralph.guardrails.python.suppressed.directive import Said
from ralph.system.patterns import later

LAYOUT = later(r"E[123]\d+|E501|W[1235]\d*|I00\d|COM8\d+|Q00\d|N8\d\d")
"""Blanks, line ends, line length, quotes, commas, the order of imports and the form of names."""
FOR_OTHERS = frozenset({"F401", "F403"})
"""Imported and not used here; everything imported."""


def rule_of(said: Said, path: str) -> str:
    codes = said.codes or frozenset()
    if said.rule == "py.noqa" and codes and all(map(LAYOUT.fullmatch, codes)):
        return "py.style"
    if said.rule == "py.noqa" and codes and codes <= FOR_OTHERS and posixpath.basename(path) == "__init__.py":
        return "py.style"
    if said.rule == "py.type-ignore" and codes == {"import-untyped"}:
        return "cfg.mypy.missing-imports"
    return said.rule
