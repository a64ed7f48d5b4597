"""Conditions that hold nowhere, or everywhere, though they ask about the machine: a version that does not exist yet.

Rule: one comparison of a quantity with a number, or of a name with a text. Where no value that the quantity has on any
machine of today makes it true, it never holds: `major >= 99`, `os.cpus().length > 4096`, `process.platform === "vms"`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.system.patterns import later

NODE = r"process\.versions?\b(?!\.(?:bun|deno|v8|electron|modules|openssl|napi|uv|zlib|icu|unicode)\b)"
VERSIONS = (10, 32)
QUANTITIES: Sequence[tuple[re.Pattern[str], tuple[float, float]]] = tuple(
    (re.compile(pattern), between)
    for pattern, between in (
        (r"getFullYear\(", (2024, 2060)),
        (r"cpus\(\)\)*\.length|availableParallelism\(|hardwareConcurrency", (1, 512)),
        (r"(?:totalmem|freemem)\(", (1e7, 1e14)),
        (r"Date\.now\(|getTime\(|newDate\(\)", (1.7e12, 3e12)),
        (r"Math\.random\(", (0, 1)),
        (rf"{NODE}.*\[1\]", (0, 60)),
        (NODE, VERSIONS),
    )
)
NUMBER = r"\(*(?P<number>\d[\d_]*(?:\.\d+)?(?:e\d+)?)n?\)*"
SIGN = r"(?P<sign><=?|>=?|[=!]==?)"
BEHIND, BEFORE = (
    later(rf"(?P<no>!?)\(*(?P<what>[^<>=]+?){SIGN}{NUMBER}"),
    later(rf"(?P<no>!?){NUMBER}{SIGN}(?P<what>[^<>=]+)"),
)
SEMVER = later(
    r"(?P<no>!?)\(*(?:semver\.)?(?P<how>gte?|lte?|satisfies)\(\(*process\.versions?(?:\.node)?\)*,"
    r"[\"'`](?P<sign>[<>]=?|\^|~|v)?(?P<number>\d+)[\d.x]*[\"'`]\)+"
)
STARTS = later(r"(?P<no>!?)\(*process\.versions?(?:\.node)?\)*\.startsWith\([\"'`]v?(?P<number>\d+)\.?[\"'`]\)+")
NAMED = later(r"(?P<no>!?)\(*(?P<what>[^<>=!\"'`]+)(?P<sign>[=!]==?)[\"'`](?P<name>[^\"'`]*)[\"'`]\)*")
NAMES = (
    (re.compile(r"(?:process\.platform|\bplatform\(\))\)*$"), "darwin freebsd linux openbsd win32 android"),
    (re.compile(r"(?:process\.arch|\barch\(\))\)*$"), "x64 arm arm64 ia32 ppc64 riscv64 s390x loong64"),
    (re.compile(r"\bbrowserName\)*$"), "chromium firefox webkit chrome safari msedge edge"),
    (re.compile(r"\bos\.type\(\)\)*$"), "Linux Darwin Windows_NT"),
)
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
SEMVER_SIGNS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
JOINED = later(r"&&|\|\||\?(?!\.)")


def holds(condition: str) -> bool | None:
    """True or false if it does so on every machine; None for any other condition."""
    text = "".join(condition.split())
    if JOINED.search(text):
        return None
    for pattern, mirrored in ((BEHIND, False), (BEFORE, True)):
        if (found := pattern.fullmatch(text)) is not None:
            sign = MIRRORED.get(found["sign"], found["sign"]) if mirrored else found["sign"]
            return _turned(found["no"], _compared(found["what"], sign, float(found["number"].replace("_", ""))))
    if (found := SEMVER.fullmatch(text)) is not None:
        sign = SEMVER_SIGNS.get(found["how"]) or (found["sign"] if found["sign"] in MIRRORED else "==")
        return _turned(found["no"], _always(VERSIONS, sign, float(found["number"])))
    if (found := STARTS.fullmatch(text)) is not None:
        return _turned(found["no"], _always(VERSIONS, "==", float(found["number"])))
    return _named(text)


def _compared(what: str, sign: str, number: float) -> bool | None:
    between = next((between for pattern, between in QUANTITIES if pattern.search(what)), None)
    return None if between is None else _always(between, sign, number)


def _always(between: tuple[float, float], sign: str, number: float) -> bool | None:
    low, high = between
    match sign:
        case "<" | "<=":
            return True if number > high else False if number < low else None
        case ">" | ">=":
            return True if number < low else False if number > high else None
    inside = low <= number <= high
    return None if inside else "!" in sign


def _named(text: str) -> bool | None:
    found = NAMED.fullmatch(text)
    if found is None:
        return None
    known = next((names.split() for pattern, names in NAMES if pattern.search(found["what"])), None)
    return None if known is None or found["name"] in known else _turned(found["no"], "!" in found["sign"])


def _turned(no: str, answer: bool | None) -> bool | None:
    return None if answer is None else answer is not bool(no)
