"""Codes of ruff's rules: those that it looks for where nobody selects any, and those that have another name now.

ruff takes the old one for the new one.
"""

from __future__ import annotations

from ralph.system.patterns import later

RUFF_DEFAULT = ("E4", "E7", "E9", "F")
FAMILIES = {"TCH": "TC", "TYP": "TC", "U": "UP"}
RULES = {
    "PGH001": "S307",
    "PGH002": "G010",
    "PIE802": "C419",
    "PLR1701": "SIM101",
    "RUF004": "B026",
    "RUF011": "B035",
    "SIM111": "SIM110",
    "TRY200": "B904",
}
_PARTS = later(r"([A-Z]+)(\d*)")


def current(code: str) -> str:
    """The name that a rule, or a family of rules, has now."""
    found = _PARTS.fullmatch(code)
    if found is None or code in RULES:
        return RULES.get(code, code)
    return FAMILIES.get(found[1], found[1]) + found[2]
