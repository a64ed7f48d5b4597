"""What a test asked on other versions only, where it no longer asks for the version (policy set v2, class G05).

Rule: `if rails6_and_up? ... else ... end` became what stood in one of the two branches, and the test speaks of that
version no more. What the other branch asserted is for a person, if the one that is left asserts as much: whether the
versions are still worked with is no question of the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

IF = later(r"^\s*(?:if|unless)\b\s*\(?(?P<asked>.+?)\)?\s*(?:\{|:|then)?\s*$")
ELSE = later(r"^\s*(?:\}\s*)?else\s*(?:\{|:)?\s*$")
OF_VERSION = later(
    r"(?i)version|_and_(?:up|later|newer|above|below|older)\b|_(?:gte?|lte?|before|after|at_least|below|above)_?v?\d"
    r"|\b(?:is_)?(?:py|pypy|python|ruby|jruby|rails|node|php|django|jdk|java|go|dotnet|net|vue|react)_?v?\d"
)


def other_version_left(check: Check, pair: Pair) -> Check | None:
    """The assertion of the branch that is left, for one of the branch that is gone."""
    lines = pair.old.lines.split("\n") if OF_VERSION.search(pair.old.lines) else ()
    said = check.snippet.split("\n")[0].strip()
    at = next((number for number, line in enumerate(lines) if said and line.strip() == said), None)
    found = _other_branch(lines, at) if at is not None else None
    if found is None:
        return None
    asked, branch = found
    if not OF_VERSION.search(asked) or asked in pair.new.lines:
        return None
    there = {each.key: each for each in pair.new.facts().checks if not each.perhaps and not each.arm}
    others = [each for each in pair.old.facts().checks if each.snippet.split("\n")[0].strip() in branch]
    kept = [there[each.key] for each in others if each.key in there]
    strong = [each for each in kept if each.grade >= check.grade]
    return strong[0] if strong and len(kept) == len(others) else None


def _other_branch(lines: Sequence[str], at: int) -> tuple[str, frozenset[str]] | None:
    """What the condition around a line asks, and the lines of its branch that the line is not in."""
    head = next((n for n in range(at - 1, -1, -1) if lines[n].strip() and depth(lines[n]) < depth(lines[at])), None)
    if head is None:
        return None
    level = depth(lines[head])
    if ELSE.match(lines[head]):
        start = next((n for n in range(head - 1, -1, -1) if depth(lines[n]) <= level and lines[n].strip()), head)
        first, last = start + 1, head
    else:
        start = head
        first = next((n for n in range(at + 1, len(lines)) if depth(lines[n]) <= level and lines[n].strip()), at) + 1
        last = next((n for n in range(first, len(lines)) if depth(lines[n]) <= level and lines[n].strip()), first)
        if not ELSE.match(lines[first - 1]):
            return None
    match = IF.match(lines[start])
    return None if match is None else (match["asked"], frozenset(line.strip() for line in lines[first:last]))
