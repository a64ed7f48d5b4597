"""An option of a command that decides how strictly it checks: read into a setting, judged like one of a file."""

from __future__ import annotations

from ralph.guardrails.config.lattice import Check, flag
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Row
from ralph.record import record


@record
class Option:
    """`names` are its spellings; the first is the one shown."""

    names: str
    check: Check
    rule: str
    takes: bool = True
    minor: str = MINOR_EXCLUSION
    """The rule of what is only minor."""

    @property
    def spellings(self) -> list[str]:
        return self.names.split()

    @property
    def row(self) -> Row:
        return Row(self.spellings[0].lstrip("-").replace(".", "-"), self.check, self.rule, self.minor)


def switch(names: str, rule: str, *, good: bool) -> Option:
    return Option(names, flag(good=good, default=False), rule, takes=False)
