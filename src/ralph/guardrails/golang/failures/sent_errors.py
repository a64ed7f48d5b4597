"""Go: failures that a function beside the test sends through a channel, and at which the test fails (class G04).

Rule (policy set v2): `errs <- err` reports a failure if the test behind it fails with what it receives there: with each
of `range errs`, with `<-errs` where that is an error, or where something is left in the channel after it has waited.
"""

from __future__ import annotations

import re
from functools import lru_cache

FAILS = r"\.(?:Errorf?|Fatalf?|Fail(?:Now)?)\("
BODY = r"\{[^{}]*"


@lru_cache(maxsize=256)
def _forms(channel: str) -> tuple[re.Pattern[str], ...]:
    name = rf"(?<![\w.]){re.escape(channel)}(?![\w.(])"
    forms = (
        rf"\.Wait\(\)(?s:.*?)\blen\({name}\)\s*(?:>|!=)\s*0\s*{BODY}{FAILS}",
        rf"\brange\s+{name}\s*{BODY}(?:{BODY})?{FAILS}",
        rf"<-\s*{name}[^{{}}\n]*!=\s*nil\s*{BODY}{FAILS}",
        rf"\b(?:NoError|NilError|Nil)f?\((?:\w+,\s*)?<-\s*{name}",
    )
    return tuple(map(re.compile, forms))


def is_heard(channel: str, rest: str) -> bool:
    """`rest` is what the test does behind the statement that sends."""
    return any(form.search(rest) for form in _forms(channel))
