"""Programs of tests in C and C++ that are built without their assertions: `NDEBUG` (class G12).

Rule: what is told for a target or a variable that is called as one of tests takes all of its `assert()` away. Builds
that are meant for people leave them out rightly.
"""

from __future__ import annotations

from collections.abc import Mapping

from ralph.guardrails.config.lattice import no_more
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.config.tools.cpp_flags import NAMES, kind_of, without_comments
from ralph.system.patterns import later

SILENT = later(
    r"(?i:target_compile_(?:definitions|options)\s*\(\s*(?P<target>\w*tests?\w*)\s)[^()]*?(?<![\w-])(?:-D)?NDEBUG\b"
    r"|(?i:(?P<variable>\w*TEST\w*FLAGS\w*))\b[^\n]*-DNDEBUG\b"
)


def _units(side: Side) -> Mapping[str, Unit]:
    found = []
    for path in (path for name in NAMES for path in files_named(side, name)):
        text = without_comments(side.text(path) or "", kind_of(path))
        for match in SILENT.finditer(text):
            name = f"NDEBUG:{match['target'] or match['variable']}"
            found.append(Node(name, path, text.count("\n", 0, match.start()) + 1, 1))
    place = found[0] if found else Node(None, "")
    return {"": Unit({("silent",): place.with_value(list(found))}, tuple(node.path for node in found))}


C_ASSERTIONS = Tool(
    name="assert",
    places=tuple(Place(name) for name in NAMES),
    rows=(Row("silent", no_more(), "cfg.check.failures-ignored"),),
    suffixes=(),
    units=_units,
)
