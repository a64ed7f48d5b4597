"""The state of an object is put right before it is looked at (policy set v2, class G05).

Rule: an object on which the base's test called something, be it a fixture's or a member of the test's own, or what a
call answered; a statement that is new changes a member of it in place, and an assertion that the base had, too, looks
at that member at once behind it:

- It puts in what is wanted: `cart.items["tea"] = 3`, `self.cart.items.update(tea=3)`, `setattr(cart, "items", {…})`.
- It deletes rows of a table of which the assertion asks: `Note.objects.filter(...).delete()`.
- It empties it, or takes something out: `cart.errors.clear()`, `del cart.items["jam"]`.

Where a statement about the object went, the test does something else now, and not more.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.arranged.edits import ASSERTS, Edits, holds_wanted
from ralph.system.patterns import later

PATH = r"(?P<path>[$@]?[A-Za-z_]\w*(?:(?:\.|->)\w+)+?)"
PUTS = later(
    rf"\s*(?:{PATH}(?:\[[^\]\n]+\])+\s*(?:\|\||\?\?)?=(?![=>~])\s*\S.*"
    r"|(?P<filled>[$@]?[A-Za-z_]\w*(?:(?:\.|->)\w+)+)(?:\.|->)"
    r"(?:update|setdefault|append|add|insert|extend|push|unshift|set|put)\(.*\)"
    r"|setattr\(\s*(?P<owner>[\w.]+)\s*,\s*[\"'](?P<name>\w+)[\"']\s*,.*\)"
    r"|(?P<object>[$@]?[A-Za-z_]\w*(?:(?:\.|->)\w+)+)\s*=(?![=>~])\s*[\[{(\d\"'].*)\s*"
)
TAKES = later(
    rf"\s*(?:{PATH}(?:\.|->)(?:clear|pop|popitem|remove|discard|delete|shift|splice)\(.*\)"
    r"|del\s+(?P<item>[A-Za-z_]\w*(?:\.\w+)+)\[.*\]"
    r"|(?P<object>[$@]?[A-Za-z_]\w*(?:(?:\.|->)\w+)+)\s*=(?![=>~])\s*(?:\[\]|\{\}|set\(\)|dict\(\)|list\(\)))\s*"
)
DELETES = later(r"\s*(?:await\s+)?(?P<table>[A-Z]\w*\.(?:objects|query|all|select))\b.*\.a?delete\w*\(.*\)\s*")
OWN = later(r"(?:self|this)(?:\.|->)\w+|[$@]?[A-Za-z_]\w*")
"""What is acted on: a member of the test's own, or a name."""
LONGEST = 400


def state_put_right(edits: Edits) -> str | None:
    """The new statement that does it, as it is written; None if none does."""
    for number in edits.fresh:
        statement = edits.whole(number)
        if len(statement) > LONGEST or ASSERTS.match(statement):
            continue
        if (match := DELETES.fullmatch(statement)) is not None and _is_asked_at_once(edits, number, match["table"]):
            return edits.new[number].strip()
        path, puts = _changed(statement)
        root = OWN.match(path)
        if root is None or root[0] == path or not _is_acted_on(edits, number, root[0]):
            continue
        looked = re.compile(rf"(?<![\w.$@]){re.escape(path)}(?![\w(.])")
        next_named = edits.next_about(root[0], number)
        for at, said in edits.asserted(number):
            at_once = next_named is not None and at <= next_named and edits.is_at_once(number, at)
            if at_once and looked.search(said) and (not puts or holds_wanted(statement, said)):
                return edits.new[number].strip()
    return None


def _is_asked_at_once(edits: Edits, number: int, table: str) -> bool:
    return any(table in said and edits.is_at_once(number, at) for at, said in edits.asserted(number))


def _changed(statement: str) -> tuple[str, bool]:
    """The member that is changed, and whether something is put into it."""
    if (match := TAKES.fullmatch(statement)) is not None:
        return match["path"] or match["item"] or match["object"], False
    if (match := PUTS.fullmatch(statement)) is not None:
        return match["path"] or match["filled"] or match["object"] or f"{match['owner']}.{match['name']}", True
    return "", False


def _is_acted_on(edits: Edits, number: int, root: str) -> bool:
    """The base called something on it above, or had it as an answer, and no statement about it went."""
    name = re.escape(root)
    acts = re.compile(
        rf"(?<![\w.$@]){name}(?:(?:(?:\.|->)\w+)*(?:\.|->)\w+\(|\s*:?=(?![=>~])\s*(?:await\s+)?(?:\w+(?:\.|->))*[a-z_]\w*\()"
    )
    begins = re.compile(rf"\s*{name}(?![\w$])")
    if any(begins.match(each) and not ASSERTS.search(each) for each in edits.gone):
        return False
    above = (each for each in edits.new[:number] if each.strip() in edits.kept)
    return any(acts.search(each) and not ASSERTS.search(each) for each in above)
