"""Parts of a hash that Ruby's tests asked about, where the whole is compared now (policy set v2, class G05).

Rule: `params["name"].must_equal "Larry"` is not missed where `params.to_h.must_equal({ "name" => "Larry" })` says, for
the first time, exactly what the whole is, and

- what the part was to be or to hold stands in it, word for word, and where it was to be something, under its own key;
- what was not to be there does not: neither the key that was asked about, nor what was not to be held.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.guardrails.inventory.wholes.implied import is_part
from ralph.system.patterns import later

HASH = later(r"(?s)(?P<of>.+)\.to_[ah]")
DENIES = later(r"(?i)wont|\bnot\b|not_|\bnil|empty")


def hash_of(part: Check, before: Facts, after: Facts) -> Check | None:
    """What says exactly what the whole is."""
    asked = {each.subject for each in before.checks}
    for each in after.checks:
        whole = HASH.fullmatch(each.subject)
        if whole is None or each.relation != "==" or each.grade is not Grade.EXACT or not each.known:
            continue
        if each.subject not in asked and is_part(part.subject, whole["of"]) and _stands(part, whole["of"], each.wanted):
            return each
    return None


def _stands(part: Check, owner: str, whole: str) -> bool:
    keys, wanted = CONSTANT.findall(part.subject[len(owner) :]), CONSTANT.findall(part.wanted)
    if DENIES.search(part.relation) or part.wanted in ("nil", "{}", "[]"):
        absent = wanted or keys[-1:]
        return bool(absent) and not any(each in whole or _under(each, "", whole) for each in absent)
    named = [each for each in keys if each[0] in "'\""]
    if not all(_under(each, "", whole) for each in named):
        return False
    if part.relation == "==":
        under = not named or _under(named[-1], part.wanted, whole)
        return under and bool(wanted) and frozenset(wanted) <= frozenset(CONSTANT.findall(whole))
    return bool(wanted) and all(each.strip("'\"") in whole for each in wanted)


def _under(key: str, value: str, whole: str) -> bool:
    """The hash has that key, and the value follows it."""
    name, said = re.escape(key.strip("'\"")), re.escape("".join(value.split()))
    return re.search(rf"(?<!\w){name}[\"']?(?:=>|:){said}", "".join(whole.split())) is not None
