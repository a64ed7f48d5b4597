"""An assertion that stands twice, word for word, right below itself (policy set v2, class G05).

Rule: where all that it is handed are variables, members and constants, the second one asks what the first has answered.
Where something is called in between (`next()`), or in the assertion itself, it may ask for something else.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later

BARE = r"[\w.$\[\]]*(?:\"[^\"\\()]*\"|'[^'\\()]*')?"
PLAIN = later(
    rf"(?:\w+\.)*(?:assert|expect|require)[\w.]*[(]{BARE}(?:, ?{BARE})*[)]"
    rf"(?:\.(?:to|not|be|have|and)\b)*(?:\.\w+[(]{BARE}(?:, ?{BARE})*[)])?;?"
)


def says_twice(above: Check | None, check: Check) -> bool:
    """The line is the one above it again."""
    if above is None or above.snippet.strip() != check.snippet.strip():
        return False
    return PLAIN.fullmatch(check.snippet.strip()) is not None
