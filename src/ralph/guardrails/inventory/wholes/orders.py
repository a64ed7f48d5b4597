"""Lists whose order nobody compares any more, and tests that are about an order (policy set v2, class G05).

Rules:

- What was one list, element by element, and may now come in any order, demands somewhat less.
- It is a plain loss where the order is what it is about: the test's own name says so, or the name of the function whose
  answer is compared: `test_best_first`, `ranking(...)`, `queue.names()`.
- Words that mean something else in a name do not count: `first_name`, `last_modified`, `top_level`, `create_order`.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Test
from ralph.guardrails.inventory.wholes.short import listed
from ralph.system.patterns import later

LISTED = later(
    r"(?:\[\]\w+\{|vec!\[|new\s?\w*\[\]|new\s?List<|%[wi]|(?:\w+\.)*(?:listOf|asList|List\.of|Arrays\.asList)\(|[\[(]).*,.*"
    r"|%[wi].*\s.*"
)
"""A list of several values, as it is written."""
MADE = (
    r"(?:set|frozenset|sorted|unordered|sort[bB]y|(?:collections\.)?Counter|(?:_|lodash)\.(?:sort|orderBy|sortBy)"
    r"|new ?Set|new (?:\w+\.)*(?:Linked|Tree)?HashSet(?:<\w*>)?|new TreeSet(?:<\w*>)?|(?:Immutable)?Set\.(?:new|copyOf)"
    r"|HashSet::from_iter|BTreeSet::from_iter)"
)
TAKEN = r"(?:\[\.\.\. ?_\]|Array\.from\(_\)|_)(?:\.(?:slice|concat|stream|into_iter|iter|cloned|clone|values)\(\))*"
ANY_ORDER = later(
    rf"{MADE}\((?:list\(|tuple\()?_\)?(?:, ?[^()]*(?:\([^()]*\)[^()]*)?)?\)|\{{(?:\*_|(\w+) for \1 in _)\}}"
    rf"|(?:sorted|list)\(set\(_\)\)|\[\.\.\. ?{MADE}\(_\)\]"
    rf"|{TAKEN}\.(?:(?:sort|toSorted|sorted|sort_by|to_set|toSet|toSortedSet|toHashSet|ToHashSet|Order|OrderBy"
    r"|OrderByDescending|(?:toMutableList\(\)\.)?(?:apply|also)\{ ?(?:it\.)?sort)\b|collect::<(?:Hash|BTree)Set<).*"
)
"""What is left of the order of `_`."""
A_SET = later(
    r"(?:(?:Hash|BTree)Set::from|new (?:\w+\.)*\w*Set<|Set\[|\w*[sS]etOf\(|(?:Immutable)?Set\.of\().*", re.DOTALL
)
"""A set of several values, as it is written."""
COLLECTED = later(rf"{TAKEN}\.(?:collect|ToHashSet|to_set|toSet|toHashSet)\(.*\)")
"""It has to be a set where it is compared with one."""
IN_ORDER = later(r"contains|containsExactly\w*")
"""Hamcrest's, and AssertJ's."""
UNORDERED_RELATION = later(r"(?i)any_?order|members$|equivalent|elements_?match|match_array|sameelements|unordered")

WORD = later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
STRONG = (
    r"sort(?:s|ed|ing)?|ordered|ordering|rank(?:s|ed|ing|ings)?|revers(?:e|es|ed|ing|al)|newest|oldest|latest|earliest"
    r"|descend\w*|ascend\w*|asc|desc|priorit\w+|chronolog\w+|topolog\w+|fifo|lifo|sequence|queued?"
    r"|best(?! (?:effort|practice))|top(?! level)|standings|leaderboard|scoreboard|podium|timeline|playlist|itinerary"
)
NUMBER = r"n|two|three|four|five|ten|\d+"
PLACED = rf"(?:first|last)(?: (?:in|then|and|wins?|comes?|is|are|of|out|by|when|{NUMBER})\b|$)"
TRADE = (
    r"get|create|place|cancel|submit|new|add|update|delete|fetch|pay|ship|save|load|find|make|an?|one|empty|customer"
    r"|purchase|sales|shop|open|total|of|for|with"
)
"""Before an order that is bought."""
ORDERED = (
    rf"(?:^|.* )(?!(?:{TRADE}) order)\w+ order(?: (?:by|of|is|matters|kept|preserved|maintained)\b.*|$)"
    r"|^order(?: by\b.*|$)"
    r"|.*\b(?:in|right|correct|same|stable|insertion|natural|(?:keep|preserve|maintain)s?) (?:the )?order\b.*"
)
ABOUT = later(rf"(?:.*\b)?(?:(?:{STRONG})\b.*|{PLACED})|{ORDERED}")
SUITE = later(r"(?i)sort|ordering|\branking|revers|chronolog|priorit|fifo|lifo")
CALL = later(r"([A-Za-z_]\w*)[!?]?§")
GIVEN = later(r"\([^()]*\)")
"""What the innermost calls are given; `§` stands for it then."""
MOST = 600
"""A longer subject is not looked into."""


def any_order(new: Check, old: Check) -> bool:
    """What was one list, element by element, may now come in any order."""
    if not old.subject or not new.grade or UNORDERED_RELATION.search(old.relation):
        return False
    several = LISTED.fullmatch(old.wanted) is not None
    if new.subject == old.subject:
        in_order = several or (IN_ORDER.fullmatch(old.relation) is not None and " " in old.wanted)
        return in_order and UNORDERED_RELATION.search(new.relation) is not None
    if new.subject == f"{{{old.subject[1:-1]}}}" and old.subject[:1] == "[":
        return several
    each = f"({old.subject[1:-1]})" if old.subject[:1] == "[" else old.subject
    left = new.subject.replace(listed(old.subject), "_").replace(each, "_")
    if len(left) > MOST or "_" not in left:
        return False
    if not ANY_ORDER.fullmatch(left) and not (COLLECTED.fullmatch(left) and A_SET.fullmatch(new.wanted)):
        return False
    return several or (not old.known and ANY_ORDER.fullmatch(new.wanted.replace(old.wanted, "_")) is not None)


def is_about_order(test: Test, check: Check) -> bool:
    """Its own name says so, that of a suite around it, or that of the function that an assertion asks."""
    if any(map(SUITE.search, test.parts[:-1])):
        return True
    return any(ABOUT.fullmatch(_spoken(name)) for name in (test.parts[-1], _asked(check.subject)))


def words_of(name: str) -> list[str]:
    return [word.lower() for word in WORD.findall(name)]


def _spoken(name: str) -> str:
    """The words of a name, apart by blanks."""
    words = words_of(name)
    return " ".join(words[1:] if words[:1] == ["test"] else words)


def _asked(subject: str) -> str:
    """The last function that is called for it, whatever it is given."""
    text = listed(subject)[:MOST]
    while (shorter := GIVEN.sub("§", text)) != text:
        text = shorter
    return next(reversed(CALL.findall(text)), "")
