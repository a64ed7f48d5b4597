"""What ruff calls its rules: those that it looks for where nobody selects any, and those that it takes for others.

It takes an old code for the one that a rule has now. A preview takes a rule's name for its code, in comments and in the
configuration; `ruff_names.txt` has what `ruff rule --all` (0.17.6) tells of them. Another name stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ralph.system.patterns import later

RUFF_DEFAULT = ("E4", "E7", "E9", "F")
FAMILIES = {"TCH": "TC", "TRIO": "ASYNC", "TYP": "TC", "U": "UP"}
RULES = {
    "PGH001": "S307",
    "PGH002": "G010",
    "PIE802": "C419",
    "PLR1701": "SIM101",
    "RUF004": "B026",
    "RUF011": "B035",
    "RUF025": "C420",
    "RUF035": "S704",
    "SIM111": "SIM110",
    "TRY200": "B904",
    "TRY302": "TRY203",
}
REMOVED = frozenset(
    ("ANN101", "ANN102", "E999", "PD901", "PLR1706", "PT004", "PT005", "S320", "S410", "UP027", "UP038")
)
"""Rules that it had once. It refuses a configuration that still selects one by its code, so each has to go."""
SHARED = frozenset({"PL"})
"""Letters that several families have in common, and by which all of them go."""
_PARTS = later(r"([A-Z]+)(\d*)")


def current(rule: str) -> str:
    """The code that a rule, or a family of rules, has now."""
    code = _by_name().get(rule, rule) if rule[:1].islower() else rule
    found = _PARTS.fullmatch(code)
    if found is None or code in RULES:
        return RULES.get(code, code)
    return FAMILIES.get(found[1], found[1]) + found[2]


def holds(wide: str, code: str) -> bool:
    """A family is no part of another one that begins with its letters: `B` holds `B006`, and not `BLE001`."""
    found, family = _PARTS.match(code), _PARTS.fullmatch(wide)
    if wide == "ALL" or found is None or family is None:
        return wide == "ALL" or code.startswith(wide)
    return code.startswith(wide) and (found[1] == family[1] or family[1] in SHARED)


@cache
def _by_name() -> Mapping[str, str]:
    from importlib.resources import files  # dear to load, and few changes hold such a name

    listed = files("ralph.guardrails").joinpath("ruff_names.txt").read_text("utf-8")
    return dict(line.split() for line in listed.splitlines())
