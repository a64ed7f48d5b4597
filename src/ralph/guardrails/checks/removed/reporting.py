"""Commands that tell a service what was measured: without one of them all that was checked still is (class G09).

Rule: the program of such a service, its action, and a script of a package that runs that program and nothing else.
"""

from __future__ import annotations

import posixpath

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.tables import SCRIPTS
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

SERVICES = ("uses codecov", "uses coveralls", "codecov", "coveralls")
ALONE = later(r"\s*(?:npx\s+(?:-y\s+)?)?(?:codecov|coveralls)(?:\s[^&|;`$\n]*)?")


def only_reports(gate: Gate, side: Side) -> bool:
    return gate.text.startswith(SERVICES) or _is_script(gate, side)


def _is_script(gate: Gate, side: Side) -> bool:
    name = gate.words[-1]
    if gate.words[0] not in SCRIPTS or name.startswith("-"):
        return False
    for folder in dict.fromkeys((posixpath.dirname(gate.path), "")):
        node = side.node(posixpath.join(folder, "package.json"))
        script = node.at("scripts", name) if node is not None else None
        if script is not None:
            around = [node.at("scripts", f"{when}{name}") for when in ("pre", "post")] if node is not None else []
            return not any(around) and ALONE.fullmatch(canonical(script)) is not None
    return False
