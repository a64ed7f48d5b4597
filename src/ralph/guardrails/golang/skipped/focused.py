"""Go: focused and pending nodes of Ginkgo and Convey (policy set v2, classes G01 and G02).

Rule: they count by their name, with a text first, or by a decorator (`Focus`, `Pending`) beside one. In a file that has
Ginkgo's names, those that focus count by a name that they are given (`var Service = FDescribe`), and where a function
hands on the text that it is handed, unless its own name says so.
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
ALONE = later(r"F(?:It|Describe|Context|When|Specify|DescribeTable|DescribeTableSubtree)")
LENDS = later(rf"{GINKGO}")
OF_GINKGO = later(rb"\. \"github\.com/onsi/ginkgo")
NAMED_SO = later(r"[Ff]ocus|[Oo]nly|[Ss]olo|\b[fF](?=[A-Z])")
WORD = later(r"[A-Za-z_]\w*")
FOCUS_WORDS = later(rb"\b(?:[FPX]%s|FocusConvey|Focus|SkipConvey|SkipSo|Pending)\b" % GINKGO.encode())


def nodes(source: Source) -> Iterator[Hit]:
    """Ginkgo's and Convey's focused and pending nodes."""
    if not source.path.endswith("_test.go") and b"ginkgo" not in source.data and b"convey" not in source.data:
        return
    for node in named(source, FOCUS_WORDS):
        if _is_lent(source, node):
            yield source.hit("go.focus", node, f"{source.text(node)} by another name")
            continue
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


def _is_lent(source: Source, node: tree_sitter.Node) -> bool:
    """Given to a name, or called for whatever a function is handed."""
    word, parent = source.text(node), node.parent
    if not OF_GINKGO.search(source.data) or parent is None or not (ALONE.fullmatch(word) or word == "Focus"):
        return False
    if ALONE.fullmatch(word) and parent.type == "expression_list" and parent.parent is not None:
        return parent.parent.type in ("var_spec", "short_var_declaration") and not NAMED_SO.search(
            source.text(parent.parent).partition("=")[0]
        )
    call = parent if parent.type == "call_expression" else parent.parent
    if call is None or call.type != "call_expression" or _text_first(call):
        return False
    if word == "Focus" and not LENDS.fullmatch(called(source, call)):
        return False
    given = arguments(call)
    function = call.parent
    while function is not None and function.type != "function_declaration":
        function = function.parent
    if function is None:
        return False
    name, taken = (function.child_by_field_name(field) for field in ("name", "parameters"))
    words = set(WORD.findall(source.text(taken))) if taken is not None else set()
    handed = bool(given) and not words.isdisjoint(WORD.findall(source.text(given[0])))
    return handed and name is not None and not NAMED_SO.search(source.text(name))


def _text_first(call: tree_sitter.Node) -> bool:
    given = arguments(call)
    return bool(given) and given[0].type in ("interpreted_string_literal", "raw_string_literal")
