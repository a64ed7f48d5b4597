"""Java and Kotlin: the rows of parameters that a test is run with, by its annotations.

Rules: the literals of JUnit's `ValueSource` and `CsvSource` are rows; a method or field that an annotation of JUnit or
TestNG names is looked up in the same file. Of any other source nobody can tell how many it gives.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.inventory.sources import rows_of
from ralph.system.patterns import later

ROWS = later(r"@(?:\w+\.)*(?:CsvSource|ValueSource)\s*\(((?:[^()\"]|\"(?:[^\"\\]|\\.)*\")*)\)")
ELEMENT = later(r'"(?:[^"\\]|\\.)*"|-?\d[\w.]*')
NAMED = later(r"@(?:\w+\.)*(?:MethodSource|FieldSource)\b\s*(?:\(([^)]*)\))?")
PROVIDED = later(r'\bdataProvider\s*=\s*"(\w+)"')
SOURCES = later(r"@(?:\w+\.)*\w*(?:Source|Sources|TestFactory)\b|\bdataProviderClass\b|@(?:\w+\.)*ParameterizedTest\b")


def rows(modifiers: str, name: str, text: str) -> tuple[str, ...] | None:
    """Rows of literals; empty for a test without parameters, None if nobody can tell."""
    listed = [row for found in ROWS.findall(modifiers) for row in ELEMENT.findall(found)]
    literal = tuple(ROW.join(part.strip() for part in row.strip('"').split(",")) for row in listed)
    named = [each for found in NAMED.findall(modifiers) for each in (re.findall(r'"([^"]*)"', found) or [name])]
    named += [_method(each, text) for each in PROVIDED.findall(modifiers)]
    if not named:
        return literal if literal or not SOURCES.search(modifiers) else None
    given = None if "dataProviderClass" in modifiers else rows_of(named, text)
    return None if given is None else literal + given


def is_sourced(modifiers: str) -> bool:
    """An annotation says where its rows are."""
    return (NAMED.search(modifiers) or PROVIDED.search(modifiers)) is not None


def _method(provider: str, text: str) -> str:
    """The method that a name of TestNG's stands for."""
    match = re.search(rf'@DataProvider\s*\([^)]*\bname\s*=\s*"{provider}"[^)]*\)[^(;]*?\b(\w+)\s*\(', text)
    return match[1] if match else provider
