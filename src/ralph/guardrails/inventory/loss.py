"""What an assertion of a test lost, before anybody says which rule that is."""

from __future__ import annotations

from enum import Enum

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check
from ralph.record import record


class Kind(Enum):
    GONE = "gone"
    WEAKER = "weaker"
    SOMEWHAT_WEAKER = "somewhat weaker"
    OTHER_VALUE = "another value"
    UNAWAITED = "no longer waited for"
    OTHER_QUESTION = "another question"
    FEWER_CASES = "fewer cases"
    EMPTIED = "emptied"


@record
class Loss:
    kind: Kind
    pair: Pair
    old: Check | None = None
    new: Check | None = None
    known: bool = True
    """For another value: both are constants, and nothing else in the test is other than before."""

    @property
    def gone(self) -> Check | None:
        """The assertion that nothing stands for."""
        return self.old if self.kind is Kind.GONE else None
