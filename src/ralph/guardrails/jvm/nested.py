"""Java and Kotlin: classes within classes of tests that JUnit 5 does not collect (see `inventory`).

Rules, where a file names JUnit 5 or kotlin.test and no runner of its own:

- An inner class is collected only with `@Nested`, in Kotlin with `inner` before it. One that is abstract, or that
  another class of the file extends, holds tests for others.
- A static class within another is one of its own. Gradle finds it; Maven passes over classes within others, unless a
  `pom.xml` says what to take or to leave.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.readers import Paths
from ralph.system.patterns import later

COLLECTS = later(rb"\borg\.junit\.jupiter\b|\bimport\s+kotlin\.test\b")
OTHER_RUNNER = later(rb"\bRunWith\b|\btestng\b|\bio\.kotest\.core\b")
NESTED = later(r"@(?:\w+\.)*\w*Nested\b")
STATIC = later(r"\bstatic\b")
INNER = later(r"\binner\b")
ABSTRACT = later(r"\b(?:abstract|open|sealed)\b")
TEXT = later(r"\"[^\"]*\"|`[^`]*`")
NO_NESTED = "an inner class without `@Nested` is not collected"
PASSED_OVER = "Maven passes over classes within others"
GRADLE = ("build.gradle", "build.gradle.kts")


def why_not_collected(data: bytes, name: str, modifiers: str, *, is_inner: bool, passes_over: bool) -> str:
    """`data`: the file. `passes_over`: what builds it takes no static class within another."""
    if not COLLECTS.search(data) or OTHER_RUNNER.search(data):
        return ""
    bare = TEXT.sub("", modifiers)
    extended = re.search(rb"(?:\bextends\s+|:\s*)(?:\w+\.)*" + re.escape(name).encode() + rb"\b", data)
    if ABSTRACT.search(bare) or extended:
        return ""
    if is_inner:
        return "" if NESTED.search(bare) else NO_NESTED
    return PASSED_OVER if passes_over else ""


def passes_over_nested(path: str, paths: Paths) -> bool:
    """Maven alone builds the file, and nobody tells it which classes to take."""
    folders = ["", *(path[: index + 1] for index, letter in enumerate(path) if letter == "/")]
    if any(paths.read(f"{folder}{name}") for folder in folders for name in GRADLE):
        return False
    poms = [pom for folder in folders if (pom := paths.read(f"{folder}pom.xml"))]
    return bool(poms) and not any(re.search(rb"<(?:in|ex)cludes?\b|<parent>", pom) for pom in poms)
