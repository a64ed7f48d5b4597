"""Whether an assertion is reached, how often, and whether its failure counts.

Rules: behind a statement that ends its block, in what takes its failure, in a loop over nothing and in a function that
nobody calls (`deferred`) an assertion demands nothing; behind a branch that may leave the test without having said
anything, or inside one, it demands that something happened; but not where the branch leaves, and the same is
asked behind it. One that leaves out another operating system is none. A question about a column of the test's own table
(`if tc.wantErr != "" {`) is no condition: the assertion runs for the rows that fill it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import tree_sitter

from ralph.guardrails.conditions import holds_never
from ralph.guardrails.inventory.failures.counted import counted
from ralph.guardrails.inventory.failures.deferred import CLOSURES, RUBY_BLOCKS, deferred, is_for_each, said_before
from ralph.guardrails.inventory.failures.rounds import as_often_as_answered
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.record import record
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.inventory.plain import Extractor

OVER_NOTHING = later(
    r"=\s*(\d+)\s*;\s*\w+\s*<\s*\1\s*;|\bin\s+(\d+)\s*\.\.\s*\2\s*$|^0\.times\b|^\[\]\.each|\bin\s*\[\]\s*$"
    r"|\b(?:Array|Enumerable)\.Empty<|\bnew\s+\w+\[0\]|\b(?:List|Set|Stream)\.(?:of|empty)\(\)\s*\)?\s*$|\bemptyList[<(]"
    r"|\bempty(?:List|Set)\(\)|\brange\s+\[\][\w.*]+\{\}"
    r"|^(?:while|for)\s*\(?\s*(?:false|False|nil)\s*\)?\s*(?:$|\{|do\b)"
    r"|\bin\s+(?:Vec(?:::<[^<>]*>)?::new\(\)|vec!\[\]|\[[^;\[\]]*;\s*0\])\s*$"
)
"""The head of a loop that runs for no case."""
SIEVED = later(
    r"\.(?:select|reject|find_all|grep(?:_v)?|take_while|drop_while|skip_while|takeWhile|dropWhile|filter\w*)\b|\.Where\("
    r"|\.(?:TakeWhile|SkipWhile|OfType)\b"
)
"""What a loop runs over is what is left of something, which may be nothing."""
LEFT = "it runs for what is left of a list"
CUT = later(
    r"\.(?:take|first|Take|limit|skip|Skip|drop|dropLast|SkipLast|TakeLast|last|step_by|sample)\(\s*\d"
    r"|[\w)\]]\[\s*\d*\s*(?:\.\.=?|:)\s*\d*\s*\]|\.(?:slice|subList)\(\s*\d"
)
"""What a loop runs over is a part of a list."""
OF_EACH = later(r"\.(?:peek|[mM]ap\w*|flatMap|Select\w*|onEach|inspect|[aA]ll\w*|any\w*|filter\w*|Where)\s*[({]\s*$")
"""What is handed to it runs for each of a list, too."""
CHOICES = frozenset({"switch_expression", "switch_statement", "when_expression", "case"})
"""Of one of many arms, by a value."""
OTHERWISE = later(r"\b(?:default\s*(?::|->)|else\b(?:\s*->)?)\s*(?!\s|\}|break\b|end\b)")
"""The arm of a choice that is taken where no other is, and that does something."""
BODIES = frozenset({"block", "statements", "control_structure_body", "statement_list", "body_statement", "do_block"})
HANDLERS = frozenset({"catch_clause", "catch_block", "rescue"})
ASKED_FIRST = ("condition", "initializer")
"""What of a branch always runs."""
ENDS_APART = frozenset({"else_clause", "else"}) | (CLOSURES - {"lambda_literal"})
"""What ends in these does not leave the block. A block of Kotlin's does: what it is handed to may be inlined."""
WANTS_FAILURE = later(r"(?i)\b(?:fail\w*|flunk|raise|throw|assert\w*|refute\w*|expect|panic)\b")
OTHER_SYSTEM = later(
    r"runtime\.GO(?:OS|ARCH)\b(?!\s*==\s*\"(?:linux|amd64))|\bOS\.(?:WINDOWS|MAC|AIX|SOLARIS)|IsOSPlatform\(OSPlatform\.(?!Linux)"
    r"|OperatingSystem\.Is(?!Linux)|RUBY_PLATFORM|RbConfig|Gem\.win_platform|cfg!\((?:not\((?:unix|target)|windows|target_os)"
)


@record
class Reach:
    cap: Grade = Grade.EXACT
    times: int | None = 1
    why: str = ""
    chosen: bool = False
    cut: bool = False


def reached(extractor: Extractor, node: tree_sitter.Node, body: tree_sitter.Node, writing: Writing) -> Reach:
    cap, why, chosen, cut = Grade.EXACT, "", False, False
    times: int | None = 1
    child, above = node, node.parent
    while child != body and above is not None:
        for met in _met(extractor, above, child, node, body, writing):
            chosen, cut = chosen or met.chosen, cut or met.cut
            if met.cap < cap:
                cap, why = met.cap, met.why
            times = None if met.times is None or times is None else times * met.times
            if not cap:
                return Reach(cap, times, why)
        child, above = above, above.parent
    return Reach(cap, times, why, chosen, cut)


def felt(extractor: Extractor, node: tree_sitter.Node, body: tree_sitter.Node) -> bool:
    """Nothing around it in the function takes its failure."""
    child, above = node, node.parent
    while child != body and above is not None:
        if extractor.swallowed(above, child):
            return False
        child, above = above, above.parent
    return True


def _met(
    extractor: Extractor,
    above: tree_sitter.Node,
    child: tree_sitter.Node,
    node: tree_sitter.Node,
    body: tree_sitter.Node,
    writing: Writing,
) -> Iterator[Reach]:
    """What one node around the assertion makes of it."""
    if reason := _cut_off(extractor, above, child):
        yield Reach(Grade.NOTHING, 1, reason)
    if guard := _guard(extractor, above, child, writing):
        yield guard
    if above != body and (closure := _closure(above, child)) is not None:
        yield from _in_closure(closure, body)
    if above.type in HANDLERS and not WANTS_FAILURE.search(_tried(above)):
        yield Reach(Grade.EXISTS, 1, "it runs only if something fails")
    if above.type in extractor.LOOPS:
        yield from _in_loop(extractor, above, node, writing)
    elif above.type in CHOICES and _chooses_by_answer(above, node, writing):
        yield Reach(Grade.EXISTS, 1, "it runs under a condition")
    elif above.type in extractor.BRANCHES and not any(child == above.child_by_field_name(name) for name in ASKED_FIRST):
        condition = above.child_by_field_name("condition")
        if condition is not None and writing.of(condition).strip("()") in ("false", "False", "nil", "0"):
            yield Reach(Grade.NOTHING, 1, "it is never reached")
        elif extractor.asks_row(above, child, writing):
            yield Reach(chosen=True)
        elif not extractor.asserts(above) and not _has_other_way(extractor, above):
            yield Reach(Grade.EXISTS, 1, "it runs under a condition")


def _in_closure(closure: tree_sitter.Node, body: tree_sitter.Node) -> Iterator[Reach]:
    most, reason = deferred(closure, body)
    each, said = is_for_each(closure, body), said_before(closure, body)
    yield Reach(most, None if each or OF_EACH.search(said) else 1, reason)
    if each and SIEVED.search(said):
        yield Reach(Grade.EXISTS, None, LEFT)
    if each and CUT.search(said):
        yield Reach(cut=True)


def _in_loop(extractor: Extractor, loop: tree_sitter.Node, node: tree_sitter.Node, writing: Writing) -> Iterator[Reach]:
    rounds, head = extractor.rounds_of(loop, node, writing), _head(loop)
    rounds = counted(head) if rounds is None else rounds
    nothing = rounds == 0 or OVER_NOTHING.search(head) is not None
    yield Reach(Grade.NOTHING if nothing else Grade.EXACT, rounds, "it runs for no case")
    if CUT.search(head) or _ends_at_once(extractor, loop):
        yield Reach(cut=True)
    if rounds is None and as_often_as_answered(head, loop, node, writing):
        yield Reach(Grade.EXISTS, None, "it runs under a condition")
    if rounds is None and SIEVED.search(head):
        yield Reach(Grade.EXISTS, None, LEFT)


def _ends_at_once(extractor: Extractor, loop: tree_sitter.Node) -> bool:
    """Its body ends with what leaves it: it runs for the first case alone."""
    last = loop.child_by_field_name("body") or loop.named_children[-1]
    while not extractor.ends(last):
        inner = [each for each in last.named_children if "comment" not in each.type]
        if last.type not in BODIES or not inner:
            return False
        last = inner[-1]
    return not text_of(last).startswith(("continue", "next"))


def _chooses_by_answer(choice: tree_sitter.Node, node: tree_sitter.Node, writing: Writing) -> bool:
    """What the choice is made by is what the assertion looks at, and where no arm fits, nothing is asked."""
    value = choice.child_by_field_name("condition") or choice.child_by_field_name("value") or choice.named_children[0]
    asked = writing.of(value).strip("() ")
    return bool(asked) and asked in writing.of(node) and OTHERWISE.search(text_of(choice)) is None


def _has_other_way(extractor: Extractor, branch: tree_sitter.Node) -> bool:
    """An `else`; or the branch leaves, and behind it something is said of the same where it was not taken."""
    if branch.child_by_field_name("alternative") is not None:
        return True
    around = branch.parent
    if branch.type != "if_statement" or around is None or _leaves(extractor, branch) is None:
        return False
    behind = [each for each in around.named_children if each.start_byte >= branch.end_byte]
    return not _asked(extractor, [branch]).isdisjoint(_asked(extractor, behind))


def _asked(extractor: Extractor, nodes: Iterable[tree_sitter.Node]) -> frozenset[str]:
    """As written: two variables may come of one call."""
    writing = Writing(extractor.NAMES, extractor.LITERALS, {})
    every = (below for node in nodes for below in extractor.source.walk(node))
    return frozenset(said.subject for node in every for said in extractor.said(node, writing))


def _closure(above: tree_sitter.Node, child: tree_sitter.Node) -> tree_sitter.Node | None:
    """The function that the assertion stands in, seen from its body."""
    if above.type in CLOSURES and child != above.child_by_field_name("parameters"):
        return above
    made = above.type in RUBY_BLOCKS and above.parent is not None and above.parent.type in ("call", "lambda")
    return above if made else None


def _tried(handler: tree_sitter.Node) -> str:
    """What stands before a handler, and may fail."""
    whole = handler.parent or handler
    return (whole.text or b"")[: handler.start_byte - whole.start_byte].decode("utf-8", "replace")


def _head(loop: tree_sitter.Node) -> str:
    """What a loop runs over, as written."""
    whole = loop.parent if loop.type in RUBY_BLOCKS and loop.parent is not None else loop
    body = loop.child_by_field_name("body") if whole is loop else loop
    end = body.start_byte if body is not None else whole.end_byte
    return (whole.text or b"")[: end - whole.start_byte].decode("utf-8", "replace")


def _cut_off(extractor: Extractor, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
    if (end := extractor.end_of(above)) is not None and end < child.start_byte:
        return "it is never reached"
    return extractor.swallowed(above, child)


def _guard(extractor: Extractor, above: tree_sitter.Node, child: tree_sitter.Node, writing: Writing) -> Reach | None:
    """What may leave the block before the assertion is reached, without having said anything."""
    for other, branch in extractor.branching(above):
        if other.start_byte >= child.start_byte:
            break
        if extractor.may_leave(other):
            return Reach(Grade.EXISTS, 1, "it runs under a condition")
        if branch.type not in extractor.BRANCHES or not (leaves := _leaves(extractor, branch)):
            continue
        condition = branch.child_by_field_name("condition")
        if condition is not None and OTHER_SYSTEM.search(text_of(condition)):
            continue
        if condition is not None and writing.is_constant(condition):
            if holds_never(text_of(condition)):
                continue
            return Reach(Grade.NOTHING, 1, "it is never reached")
        if not any(True for node in extractor.source.walk(leaves) for _ in extractor.said(node, writing)):
            return Reach(Grade.EXISTS, 1, "it runs under a condition")
    return None


def _leaves(extractor: Extractor, branch: tree_sitter.Node) -> tree_sitter.Node | None:
    """The branch, if all that it does is to leave; `return if x` is one, too."""
    last = branch.child_by_field_name("consequence") or branch.child_by_field_name("body") or branch
    while not extractor.ends(last) and last.named_children and last.type not in ENDS_APART:
        inner = [each for each in last.named_children if "comment" not in each.type]
        inner = [each for each in inner if each != branch.child_by_field_name("condition")] or inner
        if not inner:  # nothing but comments
            return None
        last = inner[-1]
    return branch if extractor.ends(last) and branch.child_by_field_name("alternative") is None else None
