"""Assertions that are not missed, because others of the test say as much about the same thing.

Rules (policy set v2, class G05):

- One of a low grade is not missed where a stronger one is about its subject, or a part of it.
- What is said of a member is not missed where the head says of a new whole, as exactly, that it has that member; nor
  where it says so of what has others, of which none is missing.
- What is said of a part is not missed where the head says exactly what the whole is, of which the base said little; it
  wants another value where nothing of what the part was to be stands in the whole, or (`rust`, `go`) in
  its place there.
- That a callback got no error is not missed where one certain value is asked of what replaced it; nor, if an assertion
  said it that fails with the error, where there is no such callback any more and the test waits for what called it.
- What is asked of an error only where one is caught is not missed where as many new assertions want a certain error.
- What an output was is not missed where its lines are a part of another one now (`one_output`).
- Nor is that there is something, where the base asked for a member or an item of it, and that did not fall.
- A type is not missed where the base had one certain value of the same thing, and that assertion did not fall.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.equivalents.plainly import runs_plainly
from ralph.guardrails.inventory.equivalents.spelled_jvm import tells_value
from ralph.guardrails.inventory.model import ONLY_THROWN, Check, Facts, Grade
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.inventory.texts.lines_of_output import says_other_line, whole_with_line
from ralph.guardrails.inventory.texts.one_output import in_one_output
from ralph.guardrails.inventory.wanted.values import CONSTANT, is_made
from ralph.guardrails.inventory.wholes.elements import counts_others, says_all
from ralph.guardrails.inventory.wholes.equal import are_equal_wholes
from ralph.guardrails.inventory.wholes.given_by_helper import by_helper
from ralph.guardrails.inventory.wholes.go import says_other_in_go, whole_in_go
from ralph.guardrails.inventory.wholes.list_parts import listed, other_element, shows_list
from ralph.guardrails.inventory.wholes.of_answers import in_a_record
from ralph.guardrails.inventory.wholes.of_each import in_list_of_each
from ralph.guardrails.inventory.wholes.of_itself import has_member
from ralph.guardrails.inventory.wholes.of_rows import in_whole_rows
from ralph.guardrails.inventory.wholes.past_end import is_past_end
from ralph.guardrails.inventory.wholes.rust import is_written, says_other
from ralph.guardrails.inventory.wholes.saying_more import asks_itself, is_zipped, saying_more
from ralph.system.patterns import later

TYPES = frozenset({"isinstance", "assertIsInstance", "IsType", "Implements", "type"})
"""Relations that tell a type only."""
WHOLE = frozenset(
    {"==", "snapshot ==", "containsExactly", "containsExactlyInAnyOrder", "contain_exactly", "match_array"}
)
IN_PART = frozenset({"part"})
"""What a whole holds, among other things: `toMatchObject`."""
HELD_IN = frozenset({"part", "in"})
"""The same, and `expect(a).to.deep.include({ b: 1 })`, which an object also holds, if it has members."""
MADE = later(
    r"(?:new )?(?:\w+\.)*[A-Z]\w*\([^()]*\)|(?:(?:List|Set|Arrays|ImmutableList)\.(?:of|asList)|listOf|setOf)\([^()]*\)"
    r"|vec!\[[^\[\]]*\]|new\[\]\{[^{}]*\}"
)
"""An object made for the comparison, of constants."""
MEMBER = later(r"(?P<of>.+)\.(?P<name>\w+)")
WAY = later(r"\.\w+(?:\.\w+|\[\d+\])*")
"""From a whole to a part, by the names of members."""
NO_ERROR = later(r"err|error|e|ex")
NONE = frozenset({("==", "null"), ("==", "undefined")})
PICKED = later(r"[\[({][^\[\]]+ for [^\[\]]+ in ([\w.()]+)[\])}]")
"""Something of each element of a whole."""
WRAPPED = later(
    r"(?:\w+\.)*(?:asdict|astuple|vars|dict|list|tuple|set|model_to_dict)\((.+)\)"
    r"|(.+)\.(?:(?:to_?_?[dD]ict|as_?_?[dD]ict|dict|model_dump|_asdict|serialize|toJSON|to_h|to_a)\(\)|__dict__)",
    re.DOTALL,
)
MEMBERLESS = frozenset({"None", "null", "undefined"})
"""To ask a member of it fails."""
HELD = later(r"^(?:self|this)\.(?:\w+\.(?=\w+\())?")
"""What a class of tests holds; a fixture may give it now."""
RUN = later(r"[^\W_]+")
"""What a constant is made of: a date is the same, as a text or as an object."""
OF_EACH = later(r"[\[({](\w+)([.\[][^ ]*) for \1 in ([^ ]+)[\])}]")
PROJECTED = later(r"(?:type|len)\((.+)\)")


def implied(check: Check, before: Facts, after: Facts) -> bool:
    """Something stronger is said about the same subject, or a part of it; or exactly what a new whole is, of a part."""
    projected = PROJECTED.fullmatch(check.subject)
    subject = projected[1] if projected else check.subject
    picked = PICKED.fullmatch(subject)
    bare = HELD.sub("", subject)
    if check.grade <= Grade.SHAPE and any(
        each.grade > check.grade and bare and bare in each.subject for each in saying_more(check, before, after)
    ):
        return True
    if tells_value(check, after.checks) or is_zipped(check, after) or is_past_end(check, before, after):
        return True
    if NO_ERROR.fullmatch(check.subject) and (check.relation, check.wanted) in NONE:
        # A promise that is kept has no error to ask about.
        asked = {each.subject for each in before.checks}
        new = [each for each in after.checks if each.subject not in asked]
        waits = bool(after.awaited - before.awaited) and any(each.grade >= Grade.SHAPE for each in new)
        return waits or any(each.grade is Grade.EXACT and each.known for each in new)
    if check.why == ONLY_THROWN and check.grade <= Grade.EXISTS:
        return _is_wanted(check, before, after)
    if NO_ERROR.fullmatch(check.subject) and check.relation == "not raises":
        return _is_awaited(check, before, after)
    if in_list_of_each(check, before, after):
        return True
    if (
        has_member(check, after)
        or in_whole_rows(check, before, after)
        or in_a_record(check, before, after)
        or in_one_output(check, before, after)
    ):
        return True
    own = frozenset(_entries(check.wanted)) if check.relation in HELD_IN else frozenset()
    if own and any(own <= set(_entries(each.wanted)) for each in after.checks if _is_held(each, check.subject)):
        return True
    if are_equal_wholes(check, after) or runs_plainly(check, before, after) or asks_itself(check, before, after):
        return True
    return any(
        picked is not None and picked[1] == each.subject and each.grade >= check.grade
        for each in _new_wholes(before, after)
    )


def with_member(check: Check, before: Facts, after: Facts) -> Check | None:
    """For `JSON.parse(body).port == 80` what is said of a new whole: `reply.json() == { host: "a", port: 80 }`; for an
    element of a page what is said of all."""
    if (elements := says_all(check, before, after)) is not None:
        return elements
    member = MEMBER.fullmatch(check.subject)
    if member is None or check.relation != "==" or not check.wanted:
        return None
    owner, entry = member["of"], f"{member['name']}: {check.wanted}"
    if (gathered := _gathered(owner, entry, before, after)) is not None:
        return gathered
    asked = {each.subject for each in before.checks}
    if any(owner in each.subject for each in after.checks):
        return None
    exact = (each for each in after.checks if each.relation == "==" and each.grade is Grade.EXACT)
    return next((each for each in exact if each.subject not in asked and _has(each.wanted, entry)), None)


def _gathered(owner: str, entry: str, before: Facts, after: Facts) -> Check | None:
    """What the owner has among other things, where it has all still that it had: `{ port: 80, host: "a" }`."""
    had = {part for each in before.checks if _is_held(each, owner) for part in _entries(each.wanted)}
    held = [each for each in after.checks if _is_held(each, owner) and ("{" not in entry or each.relation == "in")]
    has = {part for each in held for part in _entries(each.wanted)}
    return next((each for each in held if entry in _entries(each.wanted)), None) if had <= has else None


def _is_held(check: Check, owner: str) -> bool:
    return check.subject == owner and check.relation in HELD_IN and check.grade >= Grade.SHAPE


def _entries(whole: str) -> list[str]:
    return between_commas(whole[1:].removesuffix("}"), STRING) if whole.startswith("{ ") else []


def _has(whole: str, entry: str) -> bool:
    """A literal object has an entry, at its first level."""
    return entry in _entries(whole)


def _is_wanted(check: Check, before: Facts, after: Facts) -> bool:
    """As many new assertions want a certain error as asked this of one that they caught."""
    known = {each.key for each in before.checks}
    new = (each for each in after.checks if each.relation == "raises" and each.key not in known)
    wanted = sum(each.grade >= Grade.CLOSE for each in new)
    return sum(each.why == ONLY_THROWN and _asks(each) == _asks(check) for each in before.checks) <= wanted


def _asks(check: Check) -> tuple[str, str]:
    """What is asked of an error, whichever it is."""
    return CONSTANT.sub("_", check.subject), check.relation


def _is_awaited(check: Check, before: Facts, after: Facts) -> bool:
    """All callbacks that no longer say it are gone, and the test waits for what called them or for what replaced it."""
    asked = {each.subject for each in before.checks}
    gone = Counter(before.told) - Counter(after.told)
    lost = _times(check, before) - _times(check, after)
    if not 0 < lost <= gone.total():
        return False
    certain = any(each.grade is Grade.EXACT and each.known and each.subject not in asked for each in after.checks)
    return all(name in after.awaited or (certain and after.awaited - before.awaited) for name in gone)


def _times(check: Check, facts: Facts) -> int:
    return sum(each.times or 1 for each in facts.checks if each.key == check.key and each.grade)


def whole_of(check: Check, before: Facts, after: Facts) -> Check | None:
    """What the head says of a whole, of which an assertion of the base was about a part."""
    wholes = (
        each
        for each in _new_wholes(before, after)
        if each.grade >= check.grade
        and (is_part(listed(check) or check.subject, _unwrapped(each.subject)) or by_helper(check, each))
        and (not listed(check) or shows_list(each, listed(check)))
    )
    return next(wholes, None) or whole_in_go(check, after.checks) or whole_with_line(check, before, after)


def contradicts(whole: Check, part: Check) -> bool:
    """Nothing of what a part was to be is in what the whole is to be now."""
    if (other := says_other_in_go(whole, part)) is not None or (other := says_other_line(whole, part)) is not None:
        return other
    if part.relation == "==" and (other := says_other(whole.wanted, _way(whole, part), part.wanted)) is not None:
        return other
    if (other := counts_others(whole, part)) is not None:
        return other
    if other_element(whole, part):
        return True
    if part.relation != "==" or not (part.known or is_made(part.wanted)):
        return False
    wanted, said = frozenset(_constants(part.wanted)), frozenset(_constants(whole.wanted))
    return bool(wanted) and wanted.isdisjoint(said)


def _way(whole: Check, part: Check) -> str:
    return part.subject.removeprefix(whole.subject)


def gives_the_same(before: Facts, after: Facts, whole: Check, part: Check) -> bool:
    """What the test gives the product is what it gave it: what named the parts is now in what the whole is to be.
    Where nobody can tell what it gives, it is the same call, which is to give an object with members."""
    if before.given is None or after.given is None:
        if says_other(whole.wanted, _way(whole, part), part.wanted) is not None or says_other_in_go(whole, part):
            return True
        if says_other_line(whole, part) is not None:
            return True
        way = WAY.fullmatch(_way(whole, part))
        return way is not None and "(" in whole.subject and whole.wanted.startswith("{ ")
    old, new = before.given(part.line), after.given(whole.line)
    if "(" in whole.subject and says_other_line(whole, part) is not None:
        return new <= old
    return new <= old and all(each.isdigit() or each in whole.wanted for each in old - new)


def _new_wholes(before: Facts, after: Facts) -> Iterator[Check]:
    known = {each.subject for each in before.checks if each.grade > Grade.SHAPE and each.relation not in IN_PART}
    for each in after.checks:
        written = each.known or MADE.fullmatch(each.wanted) or is_made(each.wanted) or is_written(each.wanted)
        made = each.relation in WHOLE and written
        if made and each.subject not in known:
            yield each


def _constants(written: str) -> Iterator[str]:
    for run in RUN.findall(" ".join(CONSTANT.findall(written))):
        yield run.lstrip("0") or "0"


def only_a_type(check: Check, before: Facts, fallen: Collection[Check]) -> bool:
    """A type, or that something is there, of what stands in an assertion of one certain value that did not fall."""
    if check.grade > Grade.SHAPE or check.relation not in TYPES or not check.subject:
        return False
    subject = re.compile(rf"(?<!\w){re.escape(check.subject)}(?!\w)")
    return any(
        each.grade is Grade.EXACT
        and each not in fallen
        and (subject.search(each.subject) or subject.search(each.wanted))
        for each in before.checks
    )


def was_needless(check: Check, before: Facts, fallen: Collection[Check]) -> bool:
    """That there is something was asked before a member or an item of it was, by an assertion that did not fall."""
    if check.relation != "!=" or check.wanted not in MEMBERLESS or not check.subject:
        return False
    used = re.compile(rf"(?<![\w.]){re.escape(check.subject)}(?:\.\w|\[)")
    return any(each.grade > check.grade and each not in fallen and used.search(each.subject) for each in before.checks)


def _unwrapped(whole: str) -> str:
    """What a whole is made of that is compared as another one: `asdict(a)`, `a.to_dict()`."""
    match = WRAPPED.fullmatch(whole)
    return whole if match is None else match[1] or match[2]


def is_part(part: str, whole: str) -> bool:
    """`a.b[0].c` of `a.b` and of `[each.c for each in a.b]`, and an element of `(a, b)`."""
    of_each = OF_EACH.fullmatch(whole)
    if of_each is not None:
        return part.startswith(f"{of_each[3]}[") and part.endswith(of_each[2])
    if whole[:1] in "([" and re.search(rf"[(\[,] ?{re.escape(part)} ?[,)\]]", whole):
        return True
    part, whole = part.replace("(", " ").replace(")", " ").strip(), whole.replace("(", " ").replace(")", " ").strip()
    return len(part) > len(whole) > 0 and part.startswith(whole) and part[len(whole) :].lstrip()[:1] in (".", "[")
