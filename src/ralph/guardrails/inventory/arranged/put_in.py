"""A test puts what is wanted into the very thing that it looks at (policy set v2, class G05).

Rules, for a statement that the base's test did not have, about a member of something that the test made; the next
statement that names the thing is an assertion of the base, which looks at that member, be it by a method of its name:

- It gives the member what is wanted, or adds that to it, be it under a condition: `cart.lines.push({ sku: "tea" })`,
  `spy.bodies = append(spy.bodies, "b")`, `q.items = []string{"a", "b"}` before `q.Items()`.
- It puts the member in order, where the assertion wants several values: `sort.Strings(spy.bodies)`.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.arranged.edits import ASSERTS, Edits, constants, holds_wanted
from ralph.system.patterns import later

PATH = r"[A-Za-z_]\w*(?:\.\w+)+"
PUTS = later(
    rf"\s*(?:if\b[^;]*[)\w]\s*\{{?\s*)?(?:(?<![\w.])(?P<path>{PATH})(?:\s*(?:\|\||\?\?)?=(?![=>~])\s*"
    r"|\.(?:push|append|add|unshift|insert|set|put|push_back|Add|Append)\()(?P<value>\S.*))"
)
ORDERS = later(
    rf"\s*(?:(?:sort\.(?:Strings|Ints|Float64s|Slice)|slices\.(?:Sort\w*|Reverse)|Collections\.sort)\(\s*(?P<given>{PATH})\b.*"
    rf"|(?P<path>{PATH})\.(?:sort|reverse)\(.*)"
)
SEVERAL = 2


def puts_in(edits: Edits, number: int, statement: str) -> bool:
    ordered, put = ORDERS.fullmatch(statement), PUTS.fullmatch(statement)
    match = ordered or put
    if match is None or ASSERTS.match(edits.new[number].replace("if ", "", 1)):
        return False
    path = match["path"] or (ordered["given"] if ordered is not None else "")
    root, _, member = path.partition(".")
    made = re.compile(rf"(?<![\w.]){re.escape(root)}\b[^=\n(]*:?=(?![=>~])")
    if not any(made.search(each) for each in edits.new[:number] if each.strip() in edits.kept):
        return False
    at = edits.next_about(root, number)
    if at is None or edits.new[at].strip() not in edits.kept or not ASSERTS.search(edits.new[at]):
        return False
    said = edits.whole(at)
    getter = rf"(?i:(?:get_?)?{re.escape(member.rpartition('.')[2])})\(\)"
    looked = re.search(rf"(?<![\w.]){re.escape(root)}\.(?:{re.escape(member)}(?![\w(])|{getter})", said)
    if looked is None or any(path in each and not ASSERTS.search(each) for each in edits.gone):
        return False
    if ordered is not None:
        return len(constants(said)) >= SEVERAL
    return put is not None and holds_wanted(put["value"], said)
