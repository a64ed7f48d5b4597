"""The checks of what packages a program for a distribution: `check()` of a PKGBUILD, `%check` of a spec, debian/rules.

The tools that build the package run them, and stop when they fail.
"""

from __future__ import annotations

import posixpath

from ralph.guardrails.checks.failures.judged import Shell
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.readers import make
from ralph.system.patterns import later

SCRIPTS = ("pkgbuild", "apkbuild")
SECTION = later(
    r"(?ms)^%check\b[^\n]*\n(?P<text>.*?)(?=^%(?:files|changelog|pre|post|preun|postun|description|install|prep)\b|\Z)"
)
FUNCTION = later(r"(?ms)^check\s*\(\)\s*\{[ \t]*\n(?P<text>.*?)^\}")
RULES = "debian/rules"


def is_recipe(path: str) -> bool:
    name = posixpath.basename(path).lower()
    return name in SCRIPTS or name.endswith(".spec") or f"/{path}".endswith(f"/{RULES}")


def recipe(collector: Collector, text: str, path: str) -> None:
    if path.endswith(RULES):
        make.makefile(collector, text)
        return
    found = (SECTION if path.endswith(".spec") else FUNCTION).search(text)
    if found is not None:
        line = text.count("\n", 0, found.start("text")) + 1
        collector.text(found["text"], line, "check", Shell(errexit=True, named=True))
