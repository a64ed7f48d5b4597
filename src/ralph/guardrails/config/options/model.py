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
    family: tuple[str, str] = ("", "")
    """The option that stands for this one and others, by the name of its row, and the rule if that one is gone."""

    @property
    def spellings(self) -> list[str]:
        return self.names.split()

    @property
    def row(self) -> Row:
        key, top = self.spellings[0].lstrip("-").replace(".", "-"), self.family[0]
        if not top:
            return Row(key, self.check, self.rule, self.minor)
        return Row(key, self.check, self.rule, self.minor, lambda _key: (top,), self.family)


def switch(names: str, rule: str, *, good: bool) -> Option:
    return Option(names, flag(good=good, default=False), rule, takes=False)
