"""Of two assertions of one grade, whether the new one demands less (policy set v2, class G05).

Rules, about the same subject:

- One number was wanted of something, or so many elements, and now a bound is.
- What a text began or ended with only has to be in it somewhere, or a part of that.
- What something holds, how long it is or where its value lies became its type.
- What something is became which type the compiler finds for it, which no run looks at.
- More than some number became more than nought.
- What text an element has became that it is shown, where it was not found by that text; so did its state.
- What held became what is there at all, which for a person may be the clearer question.
- What was ruled out became what is there at all (`ruled_out`).
- What holds for each element only has to hold for one; what must not hold for any only must not hold for all.
- The other answer will do, too: `x in (True, False)`.
- A class became one that everything belongs to, or the `typeof` of it.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.wanted import ruled_out
from ralph.guardrails.inventory.wanted.one_bit import state_of
from ralph.guardrails.inventory.wanted.values import NOTHING, TRUTHS
from ralph.guardrails.inventory.wholes.implied import TYPES
from ralph.guardrails.inventory.wholes.lengths import measured
from ralph.system.patterns import later

NUMBER = later(r"-?\d[\d_]*(?:\.\d+)?")
NAMED = later(r"(?:\w+\.)*[A-Z]\w*")
SIZE_WITHIN = later(r"hasSize(?:Greater|Less|Between)\w*")
OF_TYPE = later(r"is(?:Exactly)?InstanceOf\w*|is a|BeOfType|BeAssignableTo|be_(?:an?|kind_of|instance_of)")
POSITIVE = frozenset({"isPositive", "isNotNegative", "BePositive", "Positive", "be_positive"})
ABOVE = frozenset({"isGreaterThan", "isGreaterThanOrEqualTo", ">", ">="})
PART = r"(?P<part>\"[^\"]*\"|'[^']*'|`[^`]*`)"
ASKED = later(rf"(?P<of>.+)\.(?P<how>\w+)\??\({PART}\)")
ASKED_IN_GO = later(rf"(?:strings|bytes)\.(?P<how>\w+)\((?P<of>.+), ?{PART}\)")
EDGE = later(r"(?i)(?:should)?(?:starts?|ends?)[ _]?with|Has(?:Prefix|Suffix)")
ANYWHERE = later(r"(?i)in|holds|(?:should)?(?:contains?(?:string)?|includes?)")
QUANTIFIERS = later(
    r"(?:\b|(?<=\())(?:(?P<one>some|any\??|Any|anyMatch|exists|contains(?= where:))"
    r"|(?P<each>every|all\??|All|allMatch|forall|forAll|allSatisfy))(?=\s?[({])"
)
DENIED = later(r"(?i)not\b.*|false|falsy|!=")
ANYTHING = frozenset({"Object", "object", "Any", "AnyObject", "BasicObject", "NSObject", "mixed", "interface{}", "any"})
"""What everything belongs to."""
COMPILED = frozenset({"is type", "fits type"})
TRUE = frozenset({("==", "true"), ("part", "")})


def demands_less(new: Check, old: Check) -> bool:
    if ruled_out.only_there(new, old):
        return True
    if new.grade is not old.grade:
        return False
    if ruled_out.is_either(new) and not ruled_out.is_either(old):
        return True
    if _is_of_other_number(new, old) or _is_anything(new, old):
        return True
    if _is_anywhere(new, old) or _is_only_shown(new, old) or (new.relation in COMPILED) > (old.relation in COMPILED):
        return True
    if measured(new) != measured(old):
        return False
    return only_there(new, old) or _is_bounded(new, old) or _is_typed(new, old) or _is_positive(new, old)


def only_there(new: Check, old: Check) -> bool:
    """`assert x` became `assert x is not None`."""
    return old.relation in ("true", "exists") and new.relation == "!=" and new.wanted in NOTHING


def _is_of_other_number(new: Check, old: Check) -> bool:
    """`some` in the place of `every`, or the other way round where the answer is no."""
    if new.subject == old.subject or new.wanted != old.wanted:
        return False
    was, now = QUANTIFIERS.search(old.subject), QUANTIFIERS.search(new.subject)
    if was is None or now is None or bool(was["one"]) == bool(now["one"]):
        return False
    denied = [DENIED.fullmatch(check.relation) is not None or check.wanted in TRUTHS for check in (old, new)]
    plain = QUANTIFIERS.sub("_", old.subject) == QUANTIFIERS.sub("_", new.subject)
    return plain and denied[0] == denied[1] and denied[1] is bool(now["each"])


def _is_anything(new: Check, old: Check) -> bool:
    typed = all(each.relation in TYPES or OF_TYPE.fullmatch(each.relation) for each in (old, new))
    if not typed or new.relation.startswith("not"):
        return False
    if new.subject == old.subject:
        return new.wanted in ANYTHING and old.wanted not in ANYTHING
    object_of = new.subject in (f"typeof {old.subject}", f"typeof({old.subject})") and "object" in new.wanted
    return object_of and NAMED.fullmatch(old.wanted) is not None


def _is_bounded(new: Check, old: Check) -> bool:
    if old.relation == "hasSize":
        return SIZE_WITHIN.fullmatch(new.relation) is not None
    number = old.relation in ("==", "length") and old.slack is None and NUMBER.fullmatch(old.wanted) is not None
    return number and new.slack is not None and not new.wanted


def _is_typed(new: Check, old: Check) -> bool:
    typed, was_typed = (each.relation in TYPES or bool(OF_TYPE.fullmatch(each.relation)) for each in (new, old))
    return typed and not was_typed and old.grade is Grade.SHAPE


def _is_positive(new: Check, old: Check) -> bool:
    if new.relation not in POSITIVE or old.relation not in ABOVE:
        return False
    return float(old.wanted) > 0 if NUMBER.fullmatch(old.wanted) else (old.slack or 0.0) < 0


def _is_only_shown(new: Check, old: Check) -> bool:
    if new.relation == "shown" and state_of(old) and old.subject == new.subject:
        return True
    text = old.wanted.strip("\"'`")
    told = new.relation == "shown" and old.relation in ("part", "matches") and old.subject == new.subject
    return told and bool(text) and text not in new.subject


def _is_anywhere(new: Check, old: Check) -> bool:
    one, other = _text_asked(old), _text_asked(new)
    if one is None or other is None or one[1] != other[1]:
        return False
    return bool(EDGE.fullmatch(one[0]) and ANYWHERE.fullmatch(other[0])) and other[2] in one[2]


def _text_asked(check: Check) -> tuple[str, str, str] | None:
    """How a text is asked for another one: the name of that, of what, and for which."""
    if (check.relation, check.wanted) in TRUE:
        asked = ASKED_IN_GO.fullmatch(check.subject) or ASKED.fullmatch(check.subject)
        return None if asked is None else (asked["how"], asked["of"], asked["part"][1:-1])
    if not check.wanted:
        return None
    return check.relation, check.subject.removesuffix(f".{check.relation}"), check.wanted.strip("\"'`")
