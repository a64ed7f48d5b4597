"""What is known at one point of a script that is read from top to bottom, and the assertions found up to there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ralph.guardrails.bats.checks import Demand, constant
from ralph.guardrails.inventory.model import SWALLOWED, Check, Grade
from ralph.record import field, record, replace

MOST_STEPS = 6_000
"""So many commands of a script are looked at, functions and rounds of loops each time."""
MOST_CALLS = 6
NEVER = "it is never reached"
SET_BACK = "what counts its failures is set back"
NO_EXIT = "the script ends well whatever happens"


@record(frozen=False)
class State:
    values: dict[str, str] = field(default_factory=dict)
    given: Sequence[str] = ()
    """What the function that runs was given."""
    errexit: bool = False
    pipefail: bool = False
    returns: bool = True
    """Somebody hears what the function, or the script, returns."""
    left: str = ""
    """`exit` or `return`, where nothing that follows is reached."""
    never: int = 0
    lost: int = 0
    depth: int = 0
    """Conditions, of whatever kind."""
    perhaps: int = 0
    """Conditions that may not hold, and ways out that may have been taken."""
    rounds: int = 0
    calls: int = 0
    ran: bool = False
    """Something was run that tests can be about."""
    worked: int = 0
    """How many commands were run that may have changed what others say."""
    answers: dict[str, int] = field(default_factory=dict)
    """When a command was asked last, by how it is written."""
    quiet: bool = False
    """A trap ends the script well, whatever happened."""
    reads: str = ""
    """What the command that runs is given to read."""
    steps: int = 0
    place: tuple[int, str] = (0, "")
    """The line of the file, and its text, that is being run."""
    checks: list[Check] = field(default_factory=list)
    counted: dict[str, list[int]] = field(default_factory=dict)
    """The variables that count failures, with the places of the assertions whose failures they count."""

    def add(self, demand: Demand, counter: str = "") -> None:
        subject, relation, wanted, grade, why = demand
        check = Check(
            subject=subject,
            relation=relation,
            wanted=wanted,
            grade=grade,
            line=self.place[0],
            column=1,
            known=bool(wanted) and constant(wanted),
            why=why,
            snippet=self.place[1],
        )
        if counter:
            self.counted.setdefault(counter, []).append(len(self.checks))
        self.checks.append(self._reached(check))

    def _reached(self, check: Check) -> Check:
        if self.left or self.never:
            return replace(check, grade=Grade.NOTHING, why=NEVER)
        if self.lost:
            return replace(check, grade=Grade.NOTHING, why=SWALLOWED)
        if self.rounds:
            check = replace(check, times=None)
        if self.perhaps and check.grade:
            return replace(check, grade=Grade.EXISTS, perhaps=True, why="it runs under a condition")
        return check

    def sets(self, name: str, value: str | None) -> None:
        """What is set under a condition is not known."""
        if value is None or self.depth or self.rounds:
            self.values.pop(name, None)
        else:
            self.values[name] = value

    def answered(self, text: str) -> bool:
        """A command was asked for its answer: whether it was asked before, and something has been done since."""
        before = self.answers.setdefault(text, self.worked)
        self.answers[text] = self.worked
        return before != self.worked

    def set_back(self, name: str) -> None:
        if self.depth or self.rounds or self.calls:
            return
        for place in self.counted.pop(name, ()):
            self.checks[place] = replace(self.checks[place], grade=Grade.NOTHING, why=SET_BACK)

    def found(self) -> tuple[Check, ...]:
        if self.quiet:
            return tuple(replace(check, grade=Grade.NOTHING, why=NO_EXIT) for check in self.checks)
        return tuple(self.checks)

    @contextmanager
    def under(self, *, doubtful: bool) -> Iterator[None]:
        """What runs in it hangs on a condition, which may not hold (`doubtful`), or is one of the machine."""
        before = self.perhaps
        self.depth += 1
        self.perhaps += doubtful
        yield
        self.depth -= 1
        self.perhaps -= doubtful and self.perhaps > before

    @contextmanager
    def reading(self, text: str) -> Iterator[None]:
        outer, self.reads = self.reads, text
        yield
        self.reads = outer

    @contextmanager
    def milder(self) -> Iterator[None]:
        """What is asked where something else may answer for it."""
        first = len(self.checks)
        yield
        for place in range(first, len(self.checks)):
            check = self.checks[place]
            self.checks[place] = replace(check, grade=min(check.grade, Grade.SHAPE))
