"""C#: attributes by the names that the compiler sees."""

from __future__ import annotations

import re
import unicodedata

from ralph.guardrails.source import Source


def attribute_name(written: str, aliases: dict[str, str]) -> str:
    """The short name of an attribute, as the compiler sees it: escapes decoded, invisible characters dropped."""
    text = re.sub(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})", lambda m: chr(int(m[1] or m[2], 16)), written)
    text = "".join(c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) != "Cf")
    text = aliases.get(text, text)
    name = re.split(r"::|\.", text)[-1].strip(" @").partition("<")[0]
    return name.removesuffix("Attribute") or name


def aliases_of(source: Source) -> dict[str, str]:
    text = source.data.decode("utf-8", "replace")
    return dict(re.findall(r"^\s*(?:global\s+)?using\s+(\w+)\s*=\s*([\w.:]+)\s*;", text, re.MULTILINE))
