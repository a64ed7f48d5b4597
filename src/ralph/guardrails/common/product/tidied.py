"""Answers that are put in order for tests alone (see `aware`, class G07).

Rule: a branch that only tests enter sorts, turns round or thins out what its function then gives: everybody else gets
it in another order, or with more in it, and no test sees that. What is done to anything else (a log, a limit of time)
is for a person.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.source import Source
from ralph.system.patterns import later

ENDS = later(r"(?:func(?:tion)?|method|class|constructor)_\w*(?:declaration|item|definition)|method|class|source_file")
GIVEN = later(
    r"(?m)\breturn[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]*;?[ \t]*(?:\}[ \t]*)?$|^[ \t]*(?P<last>[a-z_]\w*)\s*(?:\}|end)\s*$"
)
ORDERS = r"(?:[sS]ort\w*|[rR]everse\w*|[dD]edup\w*|[uU]niq\w*|[cC]ompact\w*|OrderBy\w*|order_by\w*)"
FORMS = (
    rf"\b(?:\w+(?:\.|::))*{ORDERS}[!?]?\(\s*&?(?:mut\s+)?NAME\b",
    r"(?:\w+(?:\.|::))*\b(?:sort|slices|Collections|Arrays|Array)(?:\.|::)\w+\(\s*NAME\b",
    rf"(?<![\w.])NAME\.{ORDERS}[!?]?(?=\W|$)",
    rf"(?<![\w.])NAME\s*=[^=\n][^\n]*\b{ORDERS}",
)


def puts_in_order(source: Source, branch: tree_sitter.Node) -> bool:
    """`if tested { sort.Strings(names) }; return names`."""
    body = branch.child_by_field_name("consequence") or branch.child_by_field_name("body") or branch
    done, function = source.text(body), branch.parent
    while function is not None and not ENDS.fullmatch(function.type):
        function = function.parent
    if function is None or (re.search(ORDERS, done) is None and "sort" not in done):
        return False
    names = {name for groups in GIVEN.findall(source.text(function)) for name in groups if name}
    return any(re.search(form.replace("NAME", re.escape(name)), done) for name in names for form in FORMS)
