"""The classes of tricks that rules answer, by what they do to the checks. G20 is answered by gates, not by rules."""

from __future__ import annotations

from ralph.errors import UsageError

CLASSES = {
    "G01": "findings of a type checker, linter or scanner are suppressed",
    "G02": "tests are skipped or expected to fail",
    "G03": "a focus leaves all other tests out",
    "G04": "tests are removed, or no longer run",
    "G05": "assertions demand less",
    "G06": "tests look at a replacement instead of the product",
    "G07": "the product knows its tests",
    "G08": "the test runner is taken over",
    "G09": "checks look at less than before",
    "G10": "the exit code of a check is lost",
    "G11": "coverage is counted on less, or asked for less",
    "G12": "a checker's configuration is milder",
    "G13": "recorded results are rewritten",
    "G14": "checks are repeated, or given more time, until they pass",
    "G15": "the tools are replaced",
    "G16": "version control or CI is passed by",
    "G17": "evidence is forged, or its rules are changed",
    "G18": "something is hidden from tools or readers",
    "G19": "a stub stands in for the work",
    "G20": "something is claimed that nothing measured",
    "S01": "a secret is given away",
}


def known_class(name: str) -> str:
    """The class of this name. Raises UsageError."""
    if name.upper() not in CLASSES:
        raise UsageError(f"there is no class {name!r}; there are {', '.join(CLASSES)}")
    return name.upper()
