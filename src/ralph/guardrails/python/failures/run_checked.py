"""Programs that Python tests start, whose failure is raised in another spelling (policy set v2, class G05).

Rule: `subprocess.run(COMMAND, check=True)` fails the test as `subprocess.check_call(COMMAND)` does. That call, or the
call of a helper that makes it, is not missed where all commands that failed the test still do, and nothing else that
the test or its helpers asserted is gone.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.failures.exit_codes import ASKS
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.system.patterns import later

RAISES = later(r"\bcheck_(?:call|output)\(")
CHECKED = later(r"\bcheck\s*=\s*True\b")
RAISING = frozenset({"check_call", "check_output"})


def still_checked(check: Check, pair: Pair) -> bool:
    """The assertion that is gone is such a call, or a helper's that makes it."""
    if check.relation != "helper" or not RAISES.search(pair.old.text) or not CHECKED.search(pair.new.text):
        return False
    if len(ASKS.findall(pair.new.text)) < len(ASKS.findall(pair.old.text)):
        return False
    old, new = parsed_module(pair.old.text), parsed_module(pair.new.text)
    if old is None or new is None or not _makes_it(check, old):
        return False
    were, are = Counter(_commands(old)), Counter(_commands(new))
    return bool(were) and were <= are


def _makes_it(check: Check, tree: ast.Module) -> bool:
    called = check.subject.partition("(")[0].rpartition(".")[2]
    defined = (each for each in walk(tree) if isinstance(each, ast.FunctionDef) and each.name == called)
    return called in RAISING or any(RAISES.search(source_of(each)) for each in defined)


def _commands(tree: ast.Module) -> Iterator[str]:
    """What is started so that its failure is raised; for a variable, with all that it is given."""
    given: dict[str, list[str]] = defaultdict(list)
    calls: list[ast.Call] = []
    for each in walk(tree):
        if isinstance(each, ast.Assign):
            for target in each.targets:
                given[source_of(target)].append(source_of(each.value))
        elif isinstance(each, ast.Call) and each.args and _raises(each):
            calls.append(each)
    for call in calls:
        command = source_of(call.args[0])
        yield "\n".join([re.sub(r"\s+", " ", command), *sorted(given.get(command, ()))])


def _raises(call: ast.Call) -> bool:
    name = name_of(call).rpartition(".")[2]
    checked = any(each.arg == "check" and source_of(each.value) == "True" for each in call.keywords)
    return name in RAISING or (name == "run" and checked)
