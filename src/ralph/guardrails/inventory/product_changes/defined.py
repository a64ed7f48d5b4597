"""What texts of a product define, by the forms that languages have for it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.system.patterns import later

DEFINED = later(
    rb"\b(?:async\s+)?(?:def|class|func|fn|fun|function|interface|struct|enum|trait|type|const|let|var|val|module|object|mod"
    rb"|record|static)\s+(?:\([^)\n]*\)\s*)?(?:self\.)?(?!(?:fn|class|struct|enum|interface)\b)([A-Za-z_]\w+)"
    rb"|\b(?:self|this|cls|exports)\.([A-Za-z_]\w+)\s*(?:=|:)|^([A-Za-z_]\w+)\s*(?::[^=\n]*)?=(?!=)"
    rb"|[\"']([-\w./]{3,60})[\"']|^\s*(?:public|private|protected|internal|static|export)\b[^\n=;]*?\b([A-Za-z_]\w+)\s*\("
    rb"|^[ \t]*(?:async[ \t]+|get[ \t]+|set[ \t]+|\*[ \t]*)?"
    rb"(?!pub\()([A-Za-z_]\w+)[ \t]*\([^()\n]*\)[^\n{;=]*\{[ \t]*$",
    re.MULTILINE,
)
"""Of two such words the second says what it is: `const fn`, `enum class`, `record struct`. `pub(crate)` names none."""
ITEM = later(
    rb"(?m)^[ \t]*(?:(?:pub(?:\([^)\n]*\))?|export|default|async|const|unsafe|public|private|protected|internal|static)"
    rb"[ \t]+)*(?:def|class|func|fn|fun|function|interface|struct|enum|trait|type|module|object|record)[ \t]+"
    rb"(?:\([^)\n]*\)[ \t]*)?(?:self\.)?([A-Za-z_]\w+)"
)
"""What others can ask for: a function or a type, and no variable in one."""
SIGNATURE = later(rb"\bdef\s+\w+\s*\(((?:[^()]|\([^()]*\)){0,4000})\)")
EXPORTED = later(rb"(?:\bmodule\.exports\s*=|\bexport\s+default)\s*(?:Object\.freeze\(\s*)?\{([^{}]{0,4000})")
MEMBER = later(rb"(?:^|,)\s*(?:async\s+)?([A-Za-z_$][\w$]*)\s*(?=[:(,]|$)")
"""What a JavaScript module gives as one object."""
LISTED = later(rb"%[wWiI]\[([^\[\]]{0,4000})\]|^[ \t]*set[ (]+:(\w+)\b", re.MULTILINE)
"""Words that Ruby lists without quotes, and its settings."""
CONSTANTS = later(rb"^const[ \t]*\(\n((?:[^()]|\([^()]*\)){0,8000})\)", re.MULTILINE)
CONSTANT = later(rb"^[ \t]+([A-Za-z_]\w+)\b", re.MULTILINE)
"""What a block of Go's constants names."""
VARIABLES = later(rb"^var[ \t]*\(\n(.*?)^\)", re.MULTILINE | re.DOTALL)
VARIABLE = later(rb"^\t([A-Za-z_]\w+)(?=[ \t]+[\w=*\[])", re.MULTILINE)
"""What a block of Go's variables names, and not what stands deeper in it."""
PARAMETER = later(rb"(?:^|[,*]|\n)\s*([A-Za-z_]\w+)\s*(?=[:=,]|$)")
"""The parameters of a Python function: what a call can name."""


def defined(texts: Iterable[bytes]) -> frozenset[str]:
    listed = list(texts)
    found = [group for text in listed for match in DEFINED.finditer(text) for group in match.groups() if group]
    found += (name for text in listed for match in EXPORTED.finditer(text) for name in MEMBER.findall(match[1]))
    found += (name for text in listed for match in SIGNATURE.finditer(text) for name in PARAMETER.findall(match[1]))
    found += (name for text in listed for match in CONSTANTS.finditer(text) for name in CONSTANT.findall(match[1]))
    found += (name for text in listed for match in VARIABLES.finditer(text) for name in VARIABLE.findall(match[1]))
    found += (
        name
        for text in listed
        for match in LISTED.finditer(text)
        for name in b" ".join(filter(None, match.groups())).split()
    )
    return frozenset(word.decode("utf-8", "replace") for word in found)


def items(text: bytes) -> frozenset[str]:
    """The functions and types of a text."""
    return frozenset(name.decode("utf-8", "replace") for name in ITEM.findall(text))
