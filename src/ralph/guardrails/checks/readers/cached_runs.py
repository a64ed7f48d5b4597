"""Checks of GitHub's workflows that do not run where a cache was found (policy set v2, classes G10 and G16).

    if: steps.done.outputs.cache-hit != 'true'

Rule: a cache is found by its key as soon as one run has ended well. Where nothing in the key depends on the sources of
the tree, neither a commit nor a hash of any, whatever changes there is checked no more; where something does, a person
is asked. What is installed or built so is no check.
"""

from __future__ import annotations

import re

from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import covers, is_product
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

UNFOUND = later(
    r"(?:^|&&)\s*\(?\s*(?:!\s*\(?\s*steps\.(?P<plain>[\w-]+)\.outputs\.cache-hit\b(?!\s*[!=])"
    r"|steps\.(?P<compared>[\w-]+)\.outputs\.cache-hit\s*(?:!=\s*'?true'?|==\s*(?:'false'|''|false)))"
)
CACHES = later(r"actions/(?:cache(?:/restore)?|setup-[\w-]+)@|[\w-]+/(?:cache|setup-[\w-]+)@")
HASHED = later(r"hashFiles\((?P<globs>[^()]*)\)")
CONSTANT = later(
    r"\$\{\{\s*(?:runner|matrix|strategy)\.[\w.-]+\s*\}\}|\$\{\{\s*github\.(?:repository|workflow|job)\w*\s*\}\}"
)
"""What is the same in every run of a job."""


def found_already(condition: str, steps: Node | None, side: Side) -> dict[Flaw, str]:
    """The flaw of a check that runs only where no cache is found, if no change of the sources leads to another one."""
    if "cache-hit" not in condition or "||" in condition or steps is None or not isinstance(steps.value, list):
        return {}
    match = UNFOUND.search(condition)
    name = (match["plain"] or match["compared"]) if match is not None else ""
    for step in steps.items:
        label, uses = step.at("id"), step.at("uses")
        if label is None or uses is None or canonical(label) != name or not CACHES.match(canonical(uses)):
            continue
        key = step.at("with", "key")
        of_packages = key is None and "setup-" in canonical(uses)
        if of_packages or (key is not None and not _hangs_on_sources(canonical(key), side)):
            return {"run-if": f"it does not run where the cache of {name} is found, and no source is in its key"}
    return {}


def _hangs_on_sources(key: str, side: Side) -> bool:
    rest = CONSTANT.sub("", key)
    hashed = list(HASHED.finditer(rest))
    if "${{" in HASHED.sub("", re.sub(r"\$\{\{\s*hashFiles\([^()]*\)\s*\}\}", "", rest)):
        return True
    globs = [glob.strip(" '\"") for each in hashed for glob in each["globs"].split(",")]
    return any(covers(glob, path, regex=False) for glob in globs for path in side.paths if is_product(path))
