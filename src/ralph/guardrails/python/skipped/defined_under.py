"""Under which condition a test is defined at all: `if HAS_DB:` above its `def` is as good as a skip (class G02).

Rules: what the condition is decides as for a mark (`conditions`): one about the platform, the version or something that
is not there is for a person, any other one takes the test out. A test of that name in each of the other branches is no
less defined for it.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Condition
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.skipped.conditions import Verdict, judge
from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source

RULES = {Verdict.PLATFORM: "py.skip-condition", Verdict.OTHER: "py.skip", Verdict.ALWAYS: "py.skip"}
BRANCHES = ("elif_clause", "else_clause")


def defined_under(source: Source, definition: Node, name: str) -> Condition | None:
    """The condition that leaves it undefined most easily; None if there is none."""
    worst, found = Verdict.NEVER, None
    child, above = definition, definition.parent
    while above is not None and above.type not in ("function_definition", "module"):
        if above.type == "if_statement" and not _in_all(source, above, name):
            verdict, text = _verdict(source, above, child)
            if verdict > worst:
                worst, found = verdict, Condition(text, RULES[verdict])
        child, above = above, above.parent
    return found


def _verdict(source: Source, statement: Node, child: Node) -> tuple[Verdict, str]:
    """What it means that the branch `child` is not taken, and the condition as written."""
    names, first = Names(source), statement.child_by_field_name("condition")
    earlier = [first] if first is not None else []
    for clause in statement.children_by_field_name("alternative"):
        if child.type not in BRANCHES or clause.start_byte >= child.start_byte:
            break
        if (asked := clause.child_by_field_name("condition")) is not None:
            earlier.append(asked)
    own = first if child.type not in BRANCHES else child.child_by_field_name("condition")
    before = earlier if child.type in BRANCHES else []
    verdicts = [judge(names, each) for each in before]
    verdicts += [judge(names, own, negated=True)] if own is not None else []
    said = [f"not {source.text(each)}" for each in before] + ([source.text(own)] if own is not None else [])
    return max(verdicts, default=Verdict.NEVER), " and ".join(said)


def _in_all(source: Source, statement: Node, name: str) -> bool:
    """Each branch defines it, and there is an `else`."""
    branches = [statement.child_by_field_name("consequence")]
    branches += [each.named_children[-1] for each in statement.children_by_field_name("alternative")]
    otherwise = any(each.type == "else_clause" for each in statement.children_by_field_name("alternative"))
    needle = f"def {name}("
    return otherwise and all(each is not None and needle in source.text(each) for each in branches)
