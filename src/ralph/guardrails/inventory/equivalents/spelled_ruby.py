"""Questions of Ruby that RSpec asks by a matcher, and Minitest by a name (policy set v2, class G05).

Rule: `expect(x).to be_open`, `assert_predicate x, :open?` and `assert x.open?` are one question, as are
`expect(x).not_to be_open` and `refute_predicate x, :open?`. `expect(x).to have_key(:id)`
is `x.key?(:id)`. Any other matcher that is given something asks something else.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later

MATCHER = later(r"(?P<no>not )?be_(?!(?:truthy|fals(?:e?y))$)(?P<name>\w+)")
HAVE = later(r"(?P<no>not )?have_(?P<name>key|value)")
HAS = later(r"(?P<of>.+)\.(?:has_)?(?P<name>key|value)\?\((?P<part>.+)\)")
PREDICATE = later(r"(?P<of>.+)\.(?P<name>\w+)\?")


def same_question(new: Check, old: Check) -> bool:
    """The same predicate is asked of the same thing."""
    asked = _question(old)
    return asked is not None and asked == _question(new)


def ways(check: Check) -> Iterator[Hashable]:
    """What `same_question` may know it by."""
    if (question := _question(check)) is not None:
        yield question


def _question(check: Check) -> Hashable | None:
    if (had := HAVE.fullmatch(check.relation)) is not None and check.wanted:
        return ("has", check.subject, had["name"], check.wanted, had["no"] is None)
    if check.relation == "==" and check.wanted in ("true", "false"):
        if has := HAS.fullmatch(check.subject):
            return ("has", has["of"], has["name"], has["part"], check.wanted == "true")
        asked = PREDICATE.fullmatch(check.subject)
        return None if asked is None else ("predicate", asked["of"], asked["name"], check.wanted == "true")
    matcher = MATCHER.fullmatch(check.relation) if not check.wanted else None
    return None if matcher is None else ("predicate", check.subject, matcher["name"], matcher["no"] is None)
