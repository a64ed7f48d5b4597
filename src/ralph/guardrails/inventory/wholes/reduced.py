"""What Python's own functions leave of a value that was compared with a written one (policy set v2, class G05).

Rules; `_` is what was compared before, and what is wanted of the rest is another value, or the same after help:

- One of many is asked for, or a number made of all: `min(_)`, `sum(_)`, `_.count("a")`, `_.index("a")`.
- Of a mapping its keys or its values: `list(_) == ["eur"]`, `sorted(_.values())`.
- A decimal number is rounded to fewer digits than were wanted, be it by a format: `_.quantize(Decimal("1"))`,
  `f"{_:.0f}"`; a number loses its sign, or nothing is made something: `abs(_)`, `(_ or 1)`.
- The test puts in itself what is wanted: `{**_, "usd": 2}`, `_ | {"usd": 2}`; what is another one in each run may be.
- Of a date a part is read, of a path its ending.
- That there is such an attribute, or what stands for it where there is none, and no longer its value.
- That an answer leads elsewhere, and no longer where to.
- Some of them, or those that are so anyway, and no longer all: `any(x.ok for x in xs)`, `all(... if x.ok)`.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.wholes.left_out import is_changing
from ralph.system.patterns import later

LEAST = later(
    r"(?:min|max|sum|hash|math\.fsum)\(_(?:\.values\(\))?\)|(?:sum|min|max)\(\(?.* for \w+ in _\)?\)"
    r"|_\.(?:count|index)\([^()]*\)"
)
KEYED = later(
    r"(?:set|list|sorted|tuple|frozenset)\(_\)|\[\*_\]|\{\*_\}|(?:(?:set|list|sorted|tuple)\()?_\.(?:keys|values)\(\)\)?"
)
MAPPING = later(r"(?s)(?:dict\(.*=.*\)|\{[^{}]*:.*\})")
ROUNDED = later(
    r"_\.quantize\((?:\w+\.)?Decimal\(['\"](?P<quantum>[\d.]+)['\"]\).*\)|(?P<whole>_\.to_integral\w*\(.*\))"
    r"|f['\"]\{_:[,+]?\.(?P<shown>\d)[fe%]\}['\"]|format\(_, ?['\"][,+]?\.(?P<given>\d)[fe]['\"]\)"
    r"|['\"]%\.(?P<old>\d)f['\"] ?% ?_"
)
FRACTION = later(r"\.(?P<digits>\d+)")
HELPED = later(r"abs\(_\)|\(_ or [^()]+\)|_ or [\w.'\"]+")
MERGED = later(
    r"\{\*\*_, ?(?P<behind>.+)\}|\{(?P<before>.+), ?\*\*_\}|_ ?\| ?\{(?P<right>.*)\}|\{(?P<left>.*)\} ?\| ?_"
    r"|dict\(_, ?(?P<named>.+)\)"
)
KEY = later(r"['\"](?P<name>\w+)['\"] ?:|(?P<named>\w+) ?=")
OF_DATE = later(
    r"(?:\w+\.)*(?:fromisoformat|strptime|parse)\(_.*\)\.(?:year|month|day|hour|minute|second|weekday\(\)|date\(\)|time\(\))"
)
OF_PATH = later(
    r"(?:Pure\w*)?Path\(_\)\.(?:suffix|suffixes|parent|exists\(\))|(?:os\.path\.)?splitext\(_\)\[1\]|(?:os\.path\.)?dirname\(_\)"
)
GETS = later(r"getattr\((?P<of>.+), ?['\"](?P<name>\w+)['\"], ?(?P<other>.+)\)")
ALL = later(r"all\(\((?P<asked>.+?) (?P<each>for (?P<name>\w+) in .+)\)\)")
LISTED = later(r"\[(?P<each>.+ for \w+ in .+)\]")
QUOTES = "'\""
LONGEST = 1_000


def only_reduced(new: Check, old: Check) -> bool:
    if not old.subject or max(len(new.subject), len(old.subject)) > LONGEST:
        return False
    if _has_it(new, old) or _not_all(new, old) or _not_where(new, old):
        return True
    if old.subject == new.subject or old.subject not in new.subject:
        return False
    what = new.subject.replace(old.subject, "_")
    if HELPED.fullmatch(what) is not None:
        return new.relation == old.relation and not old.wanted.startswith("-")
    if old.relation != "==" or new.relation != "==":
        return False
    mapping = MAPPING.fullmatch(old.wanted) is not None
    keys = mapping and KEYED.fullmatch(what) is not None and MAPPING.fullmatch(new.wanted) is None
    return (
        keys or any(form.fullmatch(what) for form in (LEAST, OF_DATE, OF_PATH)) or _rounds(what, old) or _merges(what)
    )


def _rounds(what: str, old: Check) -> bool:
    match, wanted = ROUNDED.fullmatch(what), FRACTION.search(old.wanted)
    if match is None or wanted is None:
        return False
    digits = match["shown"] or match["given"] or match["old"]
    left = int(digits) if digits else len((match["quantum"] or "").partition(".")[2])
    return left < len(wanted["digits"])


def _merges(what: str) -> bool:
    match = MERGED.fullmatch(what)
    if match is None:
        return False
    keys = KEY.finditer(next(filter(None, match.groups())))
    return any(not is_changing(each["name"] or each["named"]) for each in keys)


def _has_it(new: Check, old: Check) -> bool:
    """`hasattr(rates, "ok")`, or `getattr(rates, "ok", True)`, where `rates.ok` was asked."""
    if new.relation == "hasattr":
        asked = old.subject == f"{new.subject}.{new.wanted.strip(QUOTES)}"
        return asked and old.relation in ("==", "true", "false")
    gets = GETS.fullmatch(new.subject)
    stands_in = old.wanted or {"true": "True", "false": "False"}.get(old.relation, "True")
    return gets is not None and old.subject == f"{gets['of']}.{gets['name']}" and gets["other"] == stands_in


def _not_all(new: Check, old: Check) -> bool:
    """Some of what was asked of all, or the first of a list that was compared whole."""
    if new.relation == "any" != old.relation and old.over and f" in {old.over}" in new.subject:
        return True
    listed = LISTED.fullmatch(old.subject)
    if listed is not None and new.subject == f"next(({listed['each']}))":
        return True
    match = ALL.fullmatch(old.subject)
    if match is None:
        return False
    asked, each = match["asked"], match["each"]
    some = {
        f"any(({asked} {each}))",
        f"all(({asked} {each} if {asked}))",
        f"all(({asked} or True {each}))",
        f"sum(({asked} {each}))",
        f"sum((1 {each} if {asked}))",
    }
    return new.subject in some or new.subject.startswith(f"all((hasattr({match['name']}, ")


def _not_where(new: Check, old: Check) -> bool:
    if old.relation != "redirects" or new.relation == "redirects":
        return False
    return new.subject == f"{old.subject}.status_code" or (new.subject == f"{old.subject}.url" and new.relation != "==")
