"""Reading untrusted report files: bytes in, checked values or one ReportError out.

A report is written by the project's own tools while the agent's code runs, so nothing in it is believed before
it is checked (design decisions 1 and 2): XML without entities, JSON without NaN or repeated keys, numbers that
are whole, not negative and of a sane size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ralph.errors import RalphError

MAX_COUNT = 10**12
_DIGITS = re.compile(r"[0-9]{1,13}", re.ASCII)


class ReportError(RalphError):
    """A report cannot be believed: it is empty, cut off, of another format, or contradicts itself."""


def whole(value: object, what: str) -> int:
    """`value` (an int, or ASCII digits) as a count. Raises ReportError for anything else."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_COUNT:
        raise ReportError(f"{what} is no count: {str(value)[:40]!r}")
    return value


def text(data: bytes, what: str) -> str:
    """The report as text. Raises ReportError when it is empty or is no UTF-8."""
    if not data.strip():
        raise ReportError(f"{what} is empty")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ReportError(f"{what} is not UTF-8 text") from None


def opening(data: bytes, what: str) -> str:
    """The first characters that are no blanks: enough to tell the format. Raises ReportError when there are none."""
    content = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not content:
        raise ReportError(f"{what} is empty")
    return content[:16].decode("ascii", "replace")


def json_value(data: bytes, what: str) -> Any:
    """The JSON value that `data` holds. Raises ReportError."""
    content = text(data, what)
    try:
        return json.loads(content, parse_constant=_no_constant, object_pairs_hook=_unique)
    except ReportError as error:
        raise ReportError(f"{what} {error}") from None
    except (ValueError, RecursionError):
        raise ReportError(f"{what} is cut off or not JSON") from None


def json_object(data: bytes, what: str) -> Mapping[str, Any]:
    return mapping(json_value(data, what), what)


def mapping(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ReportError(f"{what} is no JSON object")
    return value


def items(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ReportError(f"{what} is no JSON list")
    return value


def string(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ReportError(f"{what} is no text")
    return value


def xml_root(data: bytes, what: str, *, doctype: bool = False) -> Element:
    """The root element. Entities are always refused, a document type unless `doctype`. Raises ReportError."""
    if not data.strip():
        raise ReportError(f"{what} is empty")
    try:
        root: Element = fromstring(data, forbid_dtd=not doctype)
    except DefusedXmlException:
        raise ReportError(f"{what} declares entities or a document type, which is refused") from None
    except (ParseError, ValueError, LookupError):
        raise ReportError(f"{what} is cut off or not XML") from None
    return root


def local_name(element: Element) -> str:
    """The tag without its namespace."""
    return element.tag.rpartition("}")[2]


def elements(root: Element, name: str) -> Iterator[Element]:
    """Every element called `name`, at any depth, whatever its namespace."""
    return (element for element in root.iter() if local_name(element) == name)


def _no_constant(name: str) -> Any:
    raise ReportError(f"holds {name}, which is no number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ReportError("repeats a key")
    return found
