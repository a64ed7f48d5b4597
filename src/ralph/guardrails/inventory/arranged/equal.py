"""What is compared and what is wanted are made equal by the test itself (policy set v2, class G05).

Rules; a member that is another one in every run by its name (an id, a time) is none:

- A new statement gives a member of the one what the other has (`got.Tax = want.Tax`), or the whole (`got = want`), or
  gives the answer of a call, which the base's assertion compares as a whole, a constant for it (`got.Tax = 3`). The
  base wanted a constant of that member.
- What the product is given is made of what is wanted: `tt.in = strings.ToLower(tt.want)`.
- What is wanted takes its member from what is looked at: `{ net: 15, tax: got.tax }`, where that was a constant.
- The assertion of the base looks at the same with a member put over it: `{ ...got, tax: 3 }`.
- What the base's assertion compares is cut before it looks: `got.pop()`, `got.length = 2`, `got = got[:2]`.
- The answer is taken apart, and what is wanted of it is what it has without it: `const { total = 6 } = bill()`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ralph.guardrails.inventory.arranged.edits import ASSERTS, Edits, constants
from ralph.guardrails.inventory.wholes.left_out import is_changing
from ralph.system.patterns import later

CONSTANT = r"(?:-?\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|nil|null|None|undefined|[tT]rue|[fF]alse)"
MEMBER = r"(?P<root{0}>[A-Za-z_]\w*)(?:\.|\[[\"'])(?P<member{0}>\w+)(?:[\"']\])?"
GIVES = later(rf"\s*{MEMBER.format('')}\s*=(?!=)\s*(?:{MEMBER.format('_other')}|(?P<value>{CONSTANT}))\s*(?://.*|#.*)?")
PAIRS = later(r"\s*(?P<left>\w+\.\w+(?:,\s*\w+\.\w+)+)\s*=\s*(?P<right>[^=].*)")
TAKES_OUT = later(rf"\s*(?:del(?:ete)?\s+{MEMBER.format('')}|delete\(\s*(?P<map>\w+)\s*,\s*\"(?P<key>\w+)\"\s*\))\s*")
WHOLE = later(r"\s*(?:const |let |var )?\*?(?P<one>[A-Za-z_][\w.]*)\s*=\s*\*?(?P<other>[A-Za-z_]\w*)\s*")
FED = later(
    r"\s*(?:const |let |var )?(?P<given>[A-Za-z_][\w.]*)\s*=\s*(?:[\w.]+\(\s*)*(?P<wanted>[A-Za-z_][\w.]*)"
    r"(?:\.\w+\(\))*(?:\s*,[^()]*)?\)*\s*"
)
WANTED = later(r"(?i)(?:^|[._])(?:want|expect|exp$|golden)|(?:want|expect)(?:ed)?$")
FROM_ANSWER = later(r"(?P<key>\b\w+)[\"']?\s*[:=]\s*(?P<root>[A-Za-z_]\w*)(?:\.|\[[\"'])(?P<member>\w+)")
OVER = later(
    r"\{\s*\.\.\.(?P<spread>\w+)\s*,(?P<given>[^{}]*)\}|Object\.assign\(\s*(?:\{\s*\}\s*,\s*)?(?P<object>\w+)\s*,\s*\{(?P<put>[^{}]*)\}\s*\)"
)
CUTS = later(
    r"\s*(?P<path>[A-Za-z_]\w*(?:\.\w+)*)(?:\.(?:pop|shift|splice|reverse|fill)\(.*\)|\.length\s*=(?!=).*"
    r"|\s*=\s*(?P=path)(?:\[[^\]]*:[^\]]*\]|\.(?:slice|filter)\(.*\)))\s*"
)
CALLED = later(r"\w\(")
KEY = later(r"(?P<key>\w+)\s*:")
APART = later(rf"\s*(?:const|let|var)\s*\{{(?P<parts>[^{{}}]*=\s*{CONSTANT}[^{{}}]*)\}}\s*=\s*(?P<call>.*\w\(.*)")


def made_equal(edits: Edits) -> str | None:
    """The new statement that does it, as it is written; None if none does."""
    rules: tuple[Callable[[Edits, int, str], bool], ...] = (
        _gives,
        _is_whole,
        _is_fed,
        _takes,
        _puts_over,
        _cuts,
        _fills_in,
    )
    for number in edits.fresh:
        if any(rule(edits, number, edits.whole(number)) for rule in rules):
            return edits.new[number].strip()
    return None


def _gives(edits: Edits, number: int, statement: str) -> bool:
    if (match := GIVES.fullmatch(statement)) is not None:
        root, member, other = match["root"], match["member"], match["root_other"]
        if other and match["member_other"] != member:
            return False
        return _was_wanted(edits, member) and _is_compared(edits, number, root, of_call=not other)
    if (match := TAKES_OUT.fullmatch(statement)) is not None:
        root, member = match["root"] or match["map"], match["member"] or match["key"]
        return _was_wanted(edits, member) and _is_compared(edits, number, root, of_call=True)
    pairs = PAIRS.fullmatch(statement)
    if pairs is None:
        return False
    places = [each.strip().split(".") for each in pairs["left"].split(",")]
    same = len({member for _, member in places}) == 1
    return same and _was_wanted(edits, places[0][1]) and _is_compared(edits, number, places[0][0], of_call=False)


def _was_wanted(edits: Edits, member: str) -> bool:
    """The base's test says a constant for it, that is not nothing."""
    said = re.compile(rf"\b{re.escape(member)}[\"']?\s*[:=]\s*(?P<value>{CONSTANT})")
    return not is_changing(member) and any(constants(each["value"]) for each in said.finditer(edits.was_said))


def _is_compared(edits: Edits, number: int, root: str, *, of_call: bool) -> bool:
    """As a whole, by an assertion of the base that is the next to look at it."""
    name = re.escape(root)
    came = re.compile(rf"(?m)(?<![\w.]){name}\b[^=\n(]*:?=(?![=>])[^\n]*\w\(")
    if of_call and not came.search(edits.was_said):
        return False
    plain = re.compile(rf"(?<![\w.&]){name}(?![\w.(\[])")
    return any(plain.search(said) and edits.is_at_once(number, at) for at, said in edits.asserted(number))


def _is_whole(edits: Edits, number: int, statement: str) -> bool:
    match = WHOLE.fullmatch(statement)
    if match is None:
        return False
    both = [re.compile(rf"(?<![\w.]){re.escape(each)}(?![\w(])") for each in match.groups()]
    return any(all(each.search(said) for each in both) for _, said in edits.asserted(number))


def _is_fed(edits: Edits, number: int, statement: str) -> bool:
    """What the product is given is made of what is wanted of it."""
    match = FED.fullmatch(statement)
    if match is None or not WANTED.search(match["wanted"]) or WANTED.search(match["given"]):
        return False
    both = [re.compile(rf"(?<![\w.]){re.escape(match[each])}(?![\w(])") for each in ("given", "wanted")]
    asked = (said for _, said in edits.asserted(number) if CALLED.search(said.replace("if ", "", 1)))
    return any(all(each.search(said) for each in both) for said in asked)


def _takes(edits: Edits, number: int, statement: str) -> bool:
    for match in FROM_ANSWER.finditer(statement):
        key, root = match["key"], match["root"]
        if match["member"].lower() != key.lower() or is_changing(key):
            continue
        was = re.compile(rf"\b{re.escape(key)}[\"']?\s*[:=]\s*{CONSTANT}")
        if any(was.search(each) for each in edits.gone) and _is_compared(edits, number, root, of_call=True):
            return True
    return False


def _puts_over(edits: Edits, number: int, statement: str) -> bool:
    if not ASSERTS.match(statement) or (match := OVER.search(statement)) is None:
        return False
    plain = OVER.sub(lambda each: each["spread"] or each["object"], statement, count=1)
    keys = KEY.findall(match["given"] or match["put"] or "")
    return any(_was_wanted(edits, key) for key in keys) and plain.strip() in {each.strip() for each in edits.gone}


def _cuts(edits: Edits, number: int, statement: str) -> bool:
    match = CUTS.fullmatch(statement)
    at = edits.next_about(match["path"], number) if match is not None else None
    if match is None or at is None:
        return False
    plain = re.compile(rf"(?<![\w.]){re.escape(match['path'])}(?![\w.(\[])")
    kept = edits.new[at].strip() in edits.kept
    return kept and ASSERTS.search(edits.new[at]) is not None and plain.search(edits.new[at]) is not None


def _fills_in(edits: Edits, number: int, statement: str) -> bool:
    match = APART.fullmatch(statement)
    if match is None or not any(match["call"].strip() in each for each in edits.gone):
        return False
    filled = constants(match["parts"])
    return any(filled & constants(each) for each in edits.old if ASSERTS.search(each))
