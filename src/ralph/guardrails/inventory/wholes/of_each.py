"""Elements that a test asked one by one, of all of which it compares one member at once now (policy set v2, class G05).

Rule: `xs[0].name() == "a"`, `xs[1].name() == "b"` and that there are two of them are not missed where the head says
exactly what a list of that member of each is (`xs.iter().map(|x| x.name()).collect()`, `[x.name for x in xs]`,
`xs.map(x => x.name)`, `xs.map(&:name)`, `xs.stream().map(Item::name).toList()`), and that is written down: it has each
constant in the place of the element that had it, and as many elements as there had to be. A list of some of them, or
in another order (`filter`, `take`, `sorted`), is another one; in another order it is as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.guardrails.inventory.wholes.lengths import MANY, is_exact_length, measured
from ralph.system.patterns import later

ELEMENT = later(r"(?P<of>.+)(?:\[(?P<at>\d{1,3})\]|\.get\((?P<got>\d{1,3})\))\.(?P<member>\w+)(?:\(\))?", re.DOTALL)
WORTH = later(r"\.(?:map|Select)\b| for \w+ in ")
MADE = later(
    r"(?P<of>.+?)(?:\.(?:iter|into_iter|values|stream|asSequence)\(\))*\.(?:map|Select)\s*[({]\s*"
    r"(?:\|&?(?P<one>\w+)\|\s*(?P=one)\.|\(?(?P<two>\w+)\)?\s*[-=]>\s*(?P=two)\.|it\.|&:|\w+::)(?P<member>\w+)(?:\(\))?"
    r"\s*[)}](?:\.(?:collect|toList|to_list|ToList|ToArray|toArray|to_a)(?:::<[\w<>_ ]*>)?\([\w.()]*\))?",
    re.DOTALL,
)
LISTED = later(r"\[(?P<one>\w+)\.(?P<member>\w+)(?:\(\))? for (?P=one) in (?P<of>.+)\]", re.DOTALL)
WRITTEN = later(r"(?:vec!|listOf|List\.of|Arrays\.asList|new\[\]|%w)?\s*[\[({](?P<list>.*)[\])}]", re.DOTALL)
LENT = later(r"\.(?:as_ref|borrow|iter|await)\(\)")
ORDERED = later(r"(?:sorted|list|tuple|reversed)\((?=[^,]*\)$)")
SORTED = later(r"\.(?:sort|sorted|toSorted|reverse|to_sorted|sort_unstable|to_vec|toList|to_a)\(\)$")
TAKEN = later(r"\.(?:is_ok|is_some)\(\)")


def in_list_of_each(check: Check, before: Facts, after: Facts) -> bool:
    """A question about one element, how many there are, or whether there is an answer at all."""
    if not any(WORTH.search(each.subject) for each in after.checks):
        return False
    element = ELEMENT.fullmatch(check.subject) if check.relation == "==" and CONSTANT.fullmatch(check.wanted) else None
    for of, member, elements in _new_lists(before, after):
        if element is not None and member == element["member"] and of == _bare(element["of"]):
            at = int(element["at"] or element["got"])
            if at < len(elements) and elements[at] == check.wanted:
                return True
        if _is_length(check) and _unordered(of) == _unordered(_measured(check)) and str(len(elements)) == check.wanted:
            return True
        taken = TAKEN.sub("", check.subject)
        if taken != check.subject and of.startswith(f"{_bare(taken)}.unwrap()"):
            return True
    return False


def _is_length(check: Check) -> bool:
    return is_exact_length(check) or (check.relation == "==" and check.subject.endswith(".len()"))


def _measured(check: Check) -> str:
    return check.subject.removesuffix(".len()") if check.subject.endswith(".len()") else measured(check)


def _new_lists(before: Facts, after: Facts) -> Iterator[tuple[str, str, list[str]]]:
    """Of what each is made, of which member, and what its elements have to be."""
    asked = {each.subject for each in before.checks}
    for each in after.checks:
        if each.relation != "==" or each.grade is not Grade.EXACT or each.subject in asked:
            continue
        made = MADE.fullmatch(each.subject) or LISTED.fullmatch(each.subject)
        written = WRITTEN.fullmatch(each.wanted)
        if made is None or written is None:
            continue
        elements = [part for part in between_commas(written["list"], STRING) if part]
        if elements and not any(map(MANY.match, elements)):
            yield _bare(made["of"]), made["member"], elements


def _unordered(subject: str) -> str:
    """Of what a list is made, whose order says nothing of how long it is."""
    was, bare = "", _bare(subject)
    while was != bare:
        was, ordered = bare, ORDERED.match(bare)
        bare = SORTED.sub("", bare if ordered is None else bare[ordered.end() : -1])
    return bare


def _bare(subject: str) -> str:
    """Without what only lends it."""
    return LENT.sub("", subject)
