"""Java and Kotlin: the rows of parameters that a test is run with, by its annotations.

Rules: the literals of JUnit's `ValueSource` and `CsvSource` are rows (comments between them are none), and so are the
lines of a text block; a method or field that an annotation of JUnit or TestNG names is looked up in the same file. Of
any other source nobody can tell how many it gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.inventory.rows.sources import rows_of
from ralph.system.patterns import later

QUOTED = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)[^']*'"
ROWS = later(rf"@(?:\w+\.)*(?:CsvSource|ValueSource)\s*\(((?:[^()\"']|{QUOTED})*)\)")
ELEMENT = later(rf"{QUOTED}|-?\d[\w.]*|(?<!= )(?<!=)\b(?:true|false)\b")
COMMENT = later(rf"(?P<kept>\"{{3}}.*?\"{{3}}|{QUOTED})|//[^\n]*|/\*.*?\*/", re.DOTALL)
BLOCK = later(r'"""(.*?)"""', re.DOTALL)
DELIMITER = later(r"""\bdelimiter(?:String)?\s*=\s*(["'])(.+?)\1""")
HEADED = "useHeadersInDisplayName"
NAMED = later(r"@(?:\w+\.)*(?:MethodSource|FieldSource)\b\s*(?:\(([^)]*)\))?")
PROVIDED = later(r'\bdataProvider\s*=\s*"(\w+)"')
SOURCES = later(r"@(?:\w+\.)*\w*(?:Source|Sources|TestFactory)\b|\bdataProviderClass\b|@(?:\w+\.)*ParameterizedTest\b")


def rows(modifiers: str, name: str, text: str) -> tuple[str, ...] | None:
    """Rows of literals; empty for a test without parameters, None if nobody can tell."""
    modifiers = COMMENT.sub(lambda match: match["kept"] or " ", modifiers)
    literal = tuple(row for found in ROWS.findall(modifiers) for row in _literal(found))
    named = [each for found in NAMED.findall(modifiers) for each in (re.findall(r'"([^"]*)"', found) or [name])]
    named += [_method(each, text) for each in PROVIDED.findall(modifiers)]
    if not named:
        return literal if literal or not SOURCES.search(modifiers) else None
    given = None if "dataProviderClass" in modifiers else rows_of(named, text)
    return None if given is None else literal + given


def is_sourced(modifiers: str) -> bool:
    """An annotation says where its rows are."""
    return (NAMED.search(modifiers) or PROVIDED.search(modifiers)) is not None


def _literal(given: str) -> Iterator[str]:
    delimiter = DELIMITER.search(given)
    plain = DELIMITER.sub("", given)
    blocks = BLOCK.findall(plain)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    listed = [line for line in lines if line and not line.startswith("#")] if blocks else ELEMENT.findall(plain)
    for row in listed[HEADED in given :]:
        parts = row.strip('"').split(delimiter[2] if delimiter is not None else ",")
        yield ROW.join(part.strip() for part in parts)


def _method(provider: str, text: str) -> str:
    """The method that a name of TestNG's stands for."""
    match = re.search(rf'@DataProvider\s*\([^)]*\bname\s*=\s*"{provider}"[^)]*\)[^(;]*?\b(\w+)\s*\(', text)
    return match[1] if match else provider
