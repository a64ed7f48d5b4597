"""Go: focused and pending nodes of Ginkgo and Convey (policy set v2, classes G01 and G02).

Rule: they count by their name, with a text first, or by a decorator (`Focus`, `Pending`) beside one.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.golang.calls import arguments, called, named
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

GINKGO = r"(?:It|Describe|Context|When|Specify|Entry|DescribeTable|DescribeTableSubtree|Label|By)"
FOCUSED = later(rf"F{GINKGO}|FocusConvey|Focus")
PENDING = later(rf"[PX]{GINKGO}|SkipConvey|SkipSo|Pending")
FOCUS_WORDS = later(rb"\b(?:[FPX]%s|FocusConvey|Focus|SkipConvey|SkipSo|Pending)\b" % GINKGO.encode())


def nodes(source: Source) -> Iterator[Hit]:
    """Ginkgo's and Convey's focused and pending nodes."""
    if not source.path.endswith("_test.go") and b"ginkgo" not in source.data and b"convey" not in source.data:
        return
    for node in named(source, FOCUS_WORDS):
        call = node.parent if node.parent is None or node.parent.type != "argument_list" else node.parent.parent
        if call is None or call.type != "call_expression" or not _text_first(call):
            continue
        name, word = called(source, call), source.text(node).rpartition(".")[2]
        if call == node.parent:
            rule = "go.focus" if FOCUSED.fullmatch(name) else "go.skip" if PENDING.fullmatch(name) else None
            if rule:
                yield source.hit(rule, call, f"{name} {source.text(arguments(call)[0])}")
        elif word in ("Focus", "Pending"):
            yield source.hit("go.focus" if word == "Focus" else "go.skip", node, f"{name} {word}")


def _text_first(call: tree_sitter.Node) -> bool:
    given = arguments(call)
    return bool(given) and given[0].type in ("interpreted_string_literal", "raw_string_literal")
