"""tsc: the files it read are listed at Ralph's wish, for a clean run says nothing, and so does one that checks nothing.

A solution `tsconfig.json` (references, no files of its own) without `--build` checks nothing and ends with 0. A build
that thinks itself up to date checks nothing either, so it is forced.
"""

from __future__ import annotations

import re

from ralph.steps.tools.recipe import Evidence, Reading, Recipe, shown

_ERROR = re.compile(r"^(?:(?P<path>[^\n(]+)\(\d+,\d+\): )?error TS(?P<code>\d+): (?P<text>[^\n]*)$", re.MULTILINE)
_LISTED = re.compile(r"^(/[^\n]+\.(?:[cm]?[jt]sx?|json|vue))$", re.MULTILINE)
_NO_WORK = frozenset({"5012", "5023", "5025", "5057", "5058", "5083", "6053", "18002", "18003"})
"""Codes that say that the project or an option could not be read, or that there is nothing to check."""


def read(evidence: Evidence) -> Reading:
    errors = list(_ERROR.finditer(evidence.output))
    files = {
        path for path in _LISTED.findall(evidence.output) if "/node_modules/" not in path and "/lib/lib." not in path
    }
    failures = tuple(
        f"{shown(error['path'], evidence.root) + ': ' if error['path'] else ''}TS{error['code']} {error['text']}"
        for error in errors
    )
    counts: dict[str, float] = {"errors": len(errors), "files": len(files)}
    if errors and all(error["code"] in _NO_WORK for error in errors):
        return Reading(counts=counts, problem=f"tsc checked nothing ({failures[0]})")
    if not errors and not files:
        return Reading(counts=counts, problem="tsc listed no file of the project as checked")
    return Reading(counts=counts, failures=tuple(dict.fromkeys(failures)))


RECIPE = Recipe(
    tool="tsc",
    kind="diagnostics",
    names=frozenset({"tsc", "vue-tsc", "tsgo"}),
    arguments=("--pretty", "false", "--listFiles"),
    when={"-b": ("--force",), "--build": ("--force",)},
    read=read,
)
