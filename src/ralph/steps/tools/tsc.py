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
    named = [(error["code"], _identity(error, evidence)) for error in _ERROR.finditer(evidence.output)]
    failures = [name for code, name in named if code not in _NO_WORK]
    unread = [name for code, name in named if code in _NO_WORK]
    listed = set(_LISTED.findall(evidence.output))
    files = {path for path in listed if "/node_modules/" not in path and "/lib/lib." not in path}
    problem = None
    if unread:
        problem = f"tsc checked nothing ({unread[0]})"
    elif not failures and not files:
        problem = "tsc listed no file of the project as checked"
    counts: dict[str, float] = {"errors": len(failures), "files": len(files)}
    return Reading(counts=counts, failures=tuple(dict.fromkeys(failures)), problem=problem)


def _identity(error: re.Match[str], evidence: Evidence) -> str:
    where = f"{shown(error['path'], evidence.root)}: " if error["path"] else ""
    return f"{where}TS{error['code']} {error['text']}"


RECIPE = Recipe(
    tool="tsc",
    kind="diagnostics",
    names=frozenset({"tsc", "vue-tsc", "tsgo"}),
    arguments=("--pretty", "false", "--listFiles"),
    when={"-b": ("--force",), "--build": ("--force",)},
    read=read,
)
