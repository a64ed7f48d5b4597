"""Rust: a field of a value that the test made itself (see `inventory`).

Rule: after `let input = Input { name: "bar".to_owned() };` an assertion that wants `input.name` wants `"bar"`, as long
as nobody may change the value: it is bound without `mut`.
"""

from __future__ import annotations

import re

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.rust.built import STRING
from ralph.record import replace
from ralph.system.patterns import later

FIELD = later(r"(?:\w+::)*[A-Z]\w*\{(?P<fields>.*)\}\.(?P<name>\w+)", re.DOTALL)
PLAIN = later(
    r"(?:String::from\()?(?P<value>\"[^\"\\]*\"|-?\d[\d_]*(?:\.\d+)?)\)?(?:\.(?:to_owned|to_string|into)\(\))?"
)
VARIABLE = later(r"(?P<name>[a-z_]\w*)\.\w+")


def with_field(said: Said, written: str, data: bytes) -> Said:
    """`written` is what the assertion wants, as it stands there; `data` the file."""
    field, variable = FIELD.fullmatch(said.wanted), VARIABLE.fullmatch(written)
    if field is None or variable is None or re.search(rf"\bmut\s+{variable['name']}\b".encode(), data):
        return said
    for part in between_commas(field["fields"], STRING):
        name, _, value = (each.strip() for each in part.partition(":"))
        plain = PLAIN.fullmatch(value) if name == field["name"] else None
        if plain is not None:
            return replace(said, wanted=plain["value"], known=True)
    return said
