"""What was deprecated is gone, and what a test asked of it (policy set v2, classes G04 and G05).

Rule: a test that waits for a warning that something is deprecated asks for what is to go. Where a file of the product
warns so less often than before, such an assertion about a function of that file is for a person, and so is what the
test asked of the same call, and the same warning where a value is only taken apart (`a, b = pair`), which names no
function. Where nothing warns less, it is missed like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later

DEPRECATION = r"\b\w*(?:Deprecation|Deprecated|RemovedIn\w+|Future)Warning\b"
WARNS = later(rf"{DEPRECATION}|@(?:\w+\.)*deprecated\b".encode())
KINDS = later(DEPRECATION)
COMMENT = later(rb"(?m)(?:^|[ \t])#.*$")
DEFINES = later(rb"(?m)^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
TAKEN_APART = later(r"\(?(?:\*?\w+\s*,\s*)+(?:\*?\w+)?\)?\s*=\s*\w+")
WORD = later(r"[A-Za-z_]\w*")


def warning_less(products: Iterable[tuple[bytes, bytes]]) -> frozenset[str]:
    """What is defined in files that warn less often than before; of each file what it was and what it is."""
    less = (old for old, new in products if _warnings(old) > _warnings(new))
    return frozenset(name.decode() for old in less for name in DEFINES.findall(old))


def _warnings(product: bytes) -> int:
    said = b"Warning" in product or b"deprecated" in product
    return len(WARNS.findall(COMMENT.sub(b"", product))) if said else 0


def of_deprecated(checks: Sequence[Check], less: frozenset[str]) -> list[Check]:
    """Those that ask for such a warning of one of these functions, or for what the same call gives."""
    warned = [check for check in checks if _is_about(check, less)] if less else []
    kinds = {check.wanted for check in warned}
    warned += [check for check in checks if check.wanted in kinds and _takes_apart(check)]
    return [check for check in checks if any(check is each or _asks_the_same(check, each) for each in warned)]


def _is_about(check: Check, less: frozenset[str]) -> bool:
    asks = check.relation == "warns" and KINDS.search(check.wanted) is not None
    return asks and not less.isdisjoint(WORD.findall(check.subject))


def _asks_the_same(check: Check, warned: Check) -> bool:
    """It looks at what a call gives that is made where the warning is waited for."""
    return "(" in check.subject and check.subject in warned.subject


def _takes_apart(check: Check) -> bool:
    return check.relation == "warns" and TAKEN_APART.fullmatch(check.subject) is not None
