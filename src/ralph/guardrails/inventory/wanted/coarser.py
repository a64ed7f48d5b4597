"""An assertion that looks at a part of what another one compares whole: its length, or what rounding leaves of it.

Or one that can pass in another way, too, that wants what the function it looks at gives for something else, or that
only wants to see what said something certain; or a predicate that says in which range a value is, or of which type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import FITS_ALL, Check, Facts, Grade
from ralph.guardrails.inventory.texts.wording import loses_text
from ralph.guardrails.inventory.wanted.normal import forgets
from ralph.guardrails.inventory.wanted.patterned import only_patterned
from ralph.guardrails.inventory.wanted.values import REFUSES
from ralph.guardrails.inventory.wholes.reduced import only_reduced
from ralph.system.patterns import later

COARSER = later(
    r"(?<![\w$])(?:(?:round|floor|ceil|trunc|truncate|parseInt|int|Int|Integer|intdiv|sign|signum)\("
    r"|(?:Round|Floor|Ceil|Trunc)\()[^,]*\)|_[\w.]*\.(?:round|floor|ceil|trunc|truncate|to_i|toFixed|toInt)\b(?!\([1-9])"
    r"|(?<!\S)[^\s_]*_\S*\s*(?://|>>>?|[%|&])\s*\d|~~"
    r"|\b(?:reflect\.TypeOf|typeof|size_of_val)\(&?_\)|^_\.(?:getClass\(\)|GetType\(\)|class|javaClass|constructor)$"
    r"|[\[{(](?:\w+\[[^\]]*\]|-?\d+|len\(\w+\)|True|None) for \w+ in _[\]})]"
    r"|^_\.map\(\(?\w*\)?\s*=>\s*(?:\w+\[[^\]]*\]|-?\d+|true|null|typeof \w+|\w+\.length)\)$"
)
"""What makes one of many numbers, where `_` stands for what was compared exactly; a number of digits after the point
that is kept is none."""
SIEVED = later(
    r"_(?:\.(?:stream|iter|into_iter|asSequence)\(\))?\??\.(?:slice\((?!\s*0?\s*\))"
    r"|(?:Where|Take\w*|Skip\w*|Distinct\w*|Intersect|Except|Union|Append|Prepend|Concat|limit|skip|dropLast\w*"
    r"|plus|minus|filterNot\w*|filter_map|unique|retain|skip_while|take_while|takeWhile|dropWhile|filter|splice"
    r"|toSpliced|take|drop|first|last|uniq|distinct|reject|select|compact)[({])[^\n]*[)}]"
    r"|_\.(?:uniq|compact)|_ ?[-+&|] ?(?:[\[%\"'(]|\w*(?:[lL]ist|[sS]et)(?:Of|\.of)\()[^\n]*"
    r"|list\(dict\.fromkeys\(_\)\)|\[\.\.\.new Set\(_\)\]|Array\.from\(new Set\(_\)\)"
    r"|_\[(?:-?[1-9]\d*:-?\d*|0?:-?\d+)\]"
    r"|[\[{(]+(\w+) for \1 in _ if .*[\]})]+"
    r"|(?:list|tuple|set)\([\[(]?(?:(\w+) for \2 in _ if .*|filter\(.*, _\))[\])]+"
)
FILTERED = later(r"[\[{(]+(\w+) for \1 in _ if [^\n]*[\]})]+")
"""What is left of something where each element is asked whether it stays."""
KEYS = later(r"\bObject\.keys\(_\)|(?<![\w.$])_\.keys\(\)")
"""What something holds is called so, whatever it is."""
SIZE = later(r"\(?_\)?\.(?:length|len|size|[cC]ount|Length)(?:\(\))?")
EMPTY = later(
    r"\"\"|''|\[\]|\{\}|\(\)|\w*(?:List|Set|Map|Collections)\.(?:of|empty\w*)\(\)|vec!\[\]|(?:set|list|map)Of\(\)"
    r"|(?:\[\]|map\[[\w.*]+\])[\w.*\[\]]+\{\}"
)
"""Something of which the length is all."""
NOUGHT = later(r"_\s*\*\s*0(?:\.0*)?\)?$|^\(?0(?:\.0*)?\s*\*\s*_")
CALLED = later(r"\b(?!(?:len|str|repr|type|list|sorted|dict|set|tuple|int|bool)\()\w{3,}(?=\()")
"""What an assertion calls, Python's own conversions apart."""
DIVIDED = later(r"\(?_\)?\s*/\s*(\d+)")
SAYS = later(
    r"(?!.(?:none|visible|hidden|block|flex|inline|true|false|open|show|.?)['\"]$)['\"].*"
    r"|(?!(?:true|false|null|undefined|None)$)[A-Za-z_]\w*",
    re.DOTALL,
)
"""A text, other than what styles and attributes call being there, or the name of one."""


RANGED = later(
    r"[\w)\]}]\s*(?:>=|<=|<(?![<\w-])|>(?![>=]))\s*-?(?:\d|[A-Z]{3})|\d\s*(?:<=?|>=?)\s*[a-z_(]|[\w)\]}](?:<|>)-?\d"
    r"|(?i:(?:\b|_)(?:is)?_?(?:positive|negative|finite|integer|between|cover|odd|even)\b)|\b(?:typeof|isinstance)\b"
)
"""A predicate that many values meet, whatever it is handed to."""


WAITED = "eventually "
"""How a relation begins that need not hold before some time has passed."""
NIL = later(r"\(?(?P<of>.+?)[!=]=nil\)?")
"""Whether there is something, in Go."""
LONGEST_RECORD = 4_000
RECORD = later(r"(?:[\w.]*[cC]ontain\w*\(\s*)?\{(?P<fields>.*)\}\s*\)?", re.DOTALL)
FIELD = later(r"[\"']?(?P<name>[\w$-]+)[\"']?\s*:\s*(?P<value>.+)", re.DOTALL)
ANY_VALUE = later(r"(?:expect|jasmine|mock|unittest\.mock)\.(?:any|anything|ANY)\b|ANY\b")
"""It says next to nothing of a member."""
STRING = later(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`", re.DOTALL)
CONSTANT = later(r"-?\d[\d_.]*n?|(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|true|false|True|False|null|None", re.DOTALL)


def only_somewhat(old: Check, new: Check, after: Facts) -> bool:
    """Of a weaker assertion: it still says most of what the old one said. `after`: all that its test asks."""
    if old.relation == "false" and new.relation == "not in" and new.subject != old.subject:
        return True
    if only_some(new, old):
        return old.relation == "false" or EMPTY.fullmatch(old.wanted) is not None
    if old.grade is not Grade.EXACT or not new.grade:
        return False
    if new.relation.startswith(WAITED) and not old.relation.startswith(WAITED):
        return False  # it was asked at once
    if only_patterned(old, new):
        return False
    if (lost := loses_text(old, new)) is not None or (lost := forgets(new, old)) is not None:
        return not lost
    refused = (old.subject, old.relation) == (new.subject, new.relation) and REFUSES.search(old.relation)
    if refused and new.wanted in old.wanted:
        return False  # nothing is left of what it says
    pretends = new.why == FITS_ALL or (new.subject == old.subject and only_shown(old, new))
    return new.grade is Grade.CLOSE and not pretends and not _is_ranged(old, new) and not _drops_fields(old, new, after)


def _drops_fields(old: Check, new: Check, after: Facts) -> bool:
    """A record is compared in part, and of `{sum: 13, currency: "EUR"}` that it was to hold, a constant is left out; be
    it of what was first taken out of the record, `{sum, currency}`."""
    if len(old.wanted) > LONGEST_RECORD:
        return False
    was, now = fields_of(old.wanted), fields_of(new.wanted)
    dropped = [name for name in was.keys() - now.keys() if CONSTANT.fullmatch(was[name])]
    if new.subject == old.subject:
        whole = new.relation == "=="  # what it leaves out is not there
        kept = {name: value for name, value in now.items() if whole or name in was or not ANY_VALUE.match(value)}
        return bool(now) and kept.items() <= was.items() and bool(dropped)
    shared = was.keys() & now.keys()
    picked = new.relation == "part" and was.keys() == {
        name for name, value in fields_of(old.subject).items() if name == value
    }
    if not picked or not shared or any(was[name] != now[name] for name in shared):
        return False
    return any(not _is_asked(was[name], now, after) for name in dropped)


def _is_asked(value: str, now: Mapping[str, str], after: Facts) -> bool:
    """Under another name, or by itself."""
    return value in now.values() or any(check.grade and check.wanted == value for check in after.checks)


def fields_of(record: str) -> dict[str, str]:
    """Of a literal record, each value by its name; none for anything else, and for one that holds unnamed parts."""
    inner = RECORD.fullmatch(record.strip())
    parts = [part for part in between_commas(inner["fields"], STRING) if part] if inner else []
    named = [FIELD.fullmatch(part) for part in parts]
    return {match["name"]: match["value"].strip() for match in named if match} if all(named) else {}


def _is_ranged(old: Check, new: Check) -> bool:
    text = f"{new.subject} {new.relation} {new.wanted}"
    if old.relation != "==" or not old.subject or not old.wanted or old.subject not in text:
        return False
    rest = text.replace(old.subject, "_", 1)
    return re.search(rf"(?<![\w.]){re.escape(old.wanted)}(?![\w.])", rest) is None and RANGED.search(rest) is not None


def only_perhaps(new: Check, old: Check) -> bool:
    """The same, where it may never run."""
    return new.perhaps and not old.perhaps and new.key == old.key


def only_some(new: Check, old: Check) -> bool:
    """Elements are left out before the same is asked of what is left: `[x for x in xs if x.paid] == [3]`."""
    if not old.subject or (new.relation, new.wanted) != (old.relation, old.wanted) or old.subject not in new.subject:
        return False
    return SIEVED.fullmatch(new.subject.replace(old.subject, "_")) is not None


def only_whether(new: Check, old: Check) -> bool:
    """Of two errors that were to be the same, both have to be there, or none: `(err != nil) != (tc.err != nil)`."""
    one, other = NIL.fullmatch(new.subject), NIL.fullmatch(new.wanted)
    if new.relation != "==" or one is None or other is None:
        return False
    return old.subject == f"{one['of']},{other['of']}" or (old.subject, old.wanted) == (one["of"], other["of"])


def only_part(new: Check, old: Check) -> bool:
    if only_some(new, old) or only_whether(new, old) or only_reduced(new, old):
        return True
    if old.subject == new.subject:
        return new.cut and not old.cut and new.over == old.over
    inner = re.fullmatch(r"len\((.+)\)", new.subject)
    if inner is not None:
        sides = (old.subject, *between_commas(old.subject, STRING))
        nothing = new.wanted == "0" and any(EMPTY.fullmatch(each) for each in sides)
        return inner[1] in sides and not nothing
    if not old.subject or old.subject not in new.subject or old.grade < Grade.CLOSE:
        return False
    what = new.subject.replace(old.subject, "_")
    divided = DIVIDED.fullmatch(what)
    if forgets(new, old) is not None:
        return True
    if divided is not None and new.wanted.isdecimal() and old.wanted.isdecimal():
        return int(new.wanted) * int(divided[1]) != int(old.wanted)
    if SIZE.fullmatch(what):
        return new.wanted != "0" or EMPTY.fullmatch("".join(old.wanted.split())) is None
    if KEYS.search(what) is not None:
        return "".join(old.wanted.split()) not in ("{}", "[]")
    sieved = new.wanted != old.wanted and old.grade is Grade.EXACT and FILTERED.fullmatch(what) is not None
    return sieved or COARSER.search(what) is not None or _is_given(what, new, old)


def _is_given(what: str, new: Check, old: Check) -> bool:
    """What is wanted stands in what is asked, and `_` only decides whether it comes: `_ and 15`, `15 if _ else 0`."""
    if not new.wanted or new.relation != "==":
        return False
    wanted = re.escape(new.wanted)
    least = rf"(?:[\w.]+\.)?(?:max|min|Max|Min)\((?:_,\s*{wanted}|{wanted},\s*_)\)"
    if re.fullmatch(rf"\(?_\s*(?:\band\b|\bor\b|&&|\|\||\?\?|\?:)\s*{wanted}\)?|{least}", what) or NOUGHT.search(what):
        return True
    chosen = re.fullmatch(
        rf"\(?{wanted} if (?P<if>.*) else .*|(?P<of>[^?]*)\?(?:\s*{wanted}\s*:.*|.*:\s*{wanted}\)?)", what
    )
    asked = (chosen["if"] or chosen["of"] or "") if chosen else ""
    if old.wanted.lower() in ("true", "false") and what.count(new.wanted) == 1:
        return False  # yes and no have other names
    return "_" in asked and not re.search(rf"(?<![\w.]){re.escape(old.wanted)}(?![\w.])", asked)


def has_alternative(new: Check, old: Check) -> bool:
    """What was demanded is now one of several ways to pass: `a > b || c`, Playwright's `.or(page.locator("body"))`."""
    if old.subject and new.subject.startswith(f"{old.subject}.or("):
        return True
    return new.relation in ("or", "either") and len(new.subject) > len(old.subject) > 0 and old.subject in new.subject


def asks_itself(new: Check) -> bool:
    """What is wanted comes from the function that is looked at: `total([1, 2]) == total([2, 1])`."""
    return bool(frozenset(CALLED.findall(new.subject)) & frozenset(CALLED.findall(new.wanted)))


def only_shown(old: Check, new: Check) -> bool:
    """Whatever it says, it is there: another way to ask for something shown or hidden is none."""
    return new.relation == "shown" and old.relation == "==" and SAYS.fullmatch(old.wanted) is not None


def one_way(old: Check, new: Check) -> bool:
    """Both are bounds from above, or both from below, one of them with the number itself."""
    return old.subject == new.subject and {old.relation, new.relation} in ({">", ">="}, {"<", "<="})


def _reach(check: Check, other: Check) -> float:
    """The slack of a bound without its number."""
    slack, beside = check.slack or 0.0, other.slack or 0.0
    return slack + 1 if check.relation in (">=", "<=") and slack.is_integer() and beside.is_integer() else slack


def wider(old: Check, new: Check) -> float | None:
    """How many times the slack of the old assertion the new one has, if more than once."""
    if old.slack is None or new.slack is None or new.slack <= old.slack:
        return None
    if new.relation != old.relation and _reach(old, new) >= _reach(new, old):
        return None  # of whole numbers, `>= 2` is `> 1`
    if old.slack > 0:
        return new.slack / old.slack
    return old.slack / new.slack if new.slack < 0 else float("inf")
