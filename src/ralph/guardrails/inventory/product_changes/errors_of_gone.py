"""Go: the error of a call that a test, or its helper, no longer makes, as the product no longer has the function (G05).

    b, err := bundle.Make("hint")       // product code that is gone
    if err != nil { t.Fatal(err) }

Rule: it was asked once more whether there is an error than now, what the test is written of called a function for that
error that the product has no more, and calls it no more. The same function, with its error dropped, is not meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later

NO_ERROR = frozenset({("==", "nil"), ("NoError", ""), ("Nil", "")})
CALLED = later(r"\b(?P<err>err\w*)\s*:?=\s*(?:\w+\.)*(?P<name>[A-Za-z_]\w*)\(")
ERROR = later(r"err\w*")


def is_error_of_gone(check: Check, pair: Pair, gone: Collection[str]) -> bool:
    """`gone`: the names that the product has no more."""
    if not gone or not pair.old.path.endswith(".go") or (check.relation, check.wanted) not in NO_ERROR:
        return False
    if ERROR.fullmatch(check.subject) is None:
        return False
    was = [match["name"] for match in CALLED.finditer(pair.old.text) if match["err"] == check.subject]
    return any(name in gone and re.search(rf"\b{name}\(", pair.new.text) is None for name in was)
