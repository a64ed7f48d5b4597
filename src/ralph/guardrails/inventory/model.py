"""What an extractor says about one side of one file: its tests, what they check, and what is left of others.

Rules for extractors, whatever the language (policy set v2, classes G04 and G05):

- A `Test` is something that the language's usual runner would collect and run. Skipped tests are tests: skips are the
  business of other rules. What looks like a test but never runs (commented out, in a string, nested in a function,
  replaced by a later twin, in a file that is not collected, behind `if False`) is no `Test`; give a `Ghost` for it.
- A helper (`Test.kind == "helper"`) is a function of a test file that checks something and is no test. It is compared
  with itself only: taking one away is no loss, weakening one is.
- `parts` name a test inside its file, outermost first: `("StockTest", "test_add")`, `("total", "adds tax")`. The path
  is no part of it: tests move.
- `text` is the test as written plus whatever else in the file decides what it does (constants, helpers, fixtures,
  set-up): if both sides are equal, nothing happened to the test, and its facts are never asked for.
- `facts` are costly and made on demand. A `Check` is one assertion. Write its `subject` and `wanted` free of layout,
  comments, failure messages and quotes' style, with local variables and constants of the file put in where they are
  given once (`result = f(1); assert result == 2` is `f(1)` and `2`). What cannot be understood gets the benefit of
  the doubt once (an unknown helper named `assert...` is CLOSE), never EXACT.
- An assertion that is never reached, always holds or whose failure is swallowed is a Check of grade NOTHING; `why` says
  so. One that runs under a condition is no better than EXISTS, unless every branch checks something; behind a
  condition on the platform it is no better than CLOSE.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Literal

from ralph.record import field, record
from ralph.system.patterns import later

OF_ITS_OWN = later(r"(?<![\w.'\"])(?:(?:self|this)\.(?=_*[a-zA-Z])|@{1,2}(?=[a-z_]))_*")
"""What comes before the name of something that a class of tests holds."""
Waits = Literal["", "subject", "somewhere"]
"""For the answer itself, or for something that may have to do with it."""


class Grade(IntEnum):
    """How much an assertion demands."""

    NOTHING = 0
    """It holds whatever the code does: a constant, `x == x`, `len(x) >= 0`, never reached, swallowed."""
    EXISTS = 1
    """Something is there or does not blow up: truthy, not None, `!=`, a call was made, any exception."""
    SHAPE = 2
    """A type, a length, a range, membership, a part of a text; equality within a wide tolerance (over one percent)."""
    CLOSE = 3
    """Equality within a narrow tolerance, a falsy value, a certain exception, a pattern, an unknown helper."""
    EXACT = 4
    """One certain value: `==`, a call with certain arguments, an exception with its message."""


def left_open(loose: Sequence[bool]) -> Grade:
    """What is demanded of a call's values, of which some may be any: `called_with(ANY, 2)`."""
    return Grade.EXISTS if loose and all(loose) else Grade.CLOSE if any(loose) else Grade.EXACT


@record(kw_only=True)
class Check:
    """One assertion."""

    subject: str
    """What is looked at."""
    relation: str
    """How: `==`, `<`, `raises`, `called`. Spellings that mean the same have the same name."""
    wanted: str
    """What it is compared with; empty if with nothing."""
    grade: Grade
    line: int
    column: int
    known: bool = True
    """`wanted` is a constant, or made of constants: two that differ do mean different things."""
    slack: float | None = None
    """How far off is still right: a relative tolerance (`wanted` is the value then), or the number that a `<` compares
    with (`wanted` is empty then; negative for `>`). Larger is weaker."""
    guessed: bool = False
    """The tolerance is given as something that is no number; `slack` is what is usual without one."""
    perhaps: bool = False
    """It runs under a condition that may never hold: of a low grade by itself, it is worth less than one that runs."""
    times: int | None = 1
    """How many cases it is run for (rows of a literal table or loop); None if nobody can tell."""
    covers: int = 1
    """How many assertions it can stand for: the kind of an exception together with its message is two."""
    why: str = ""
    """For a grade that is lower than the assertion looks, the end of a sentence: `its failure is swallowed`."""
    snippet: str = ""
    pairs: tuple[str, ...] = ()
    """Lists of which it compares elements, one pair after the other, up to the end of the shorter one."""
    behind: str = ""
    """The code before it in a block that has to end with an exception."""
    over: str = ""
    """What the loop around it goes through, as a whole."""
    chosen: bool = False
    """It is run for the rows of a table that fill a column."""
    again: bool = False
    """It is the one above once more, with a text that is only spelled in another way."""
    exactly: bool = False
    """No more than a truth is asked for, and it has to be the one value: `x is True`."""
    arm: str = ""
    """The innermost condition around it of which each branch asserts something, a colon, and which branch it is."""
    waits: Waits = ""
    """Whether it waits for the answer that it looks at, where the subject does not say so itself."""
    cut: bool = False
    """It is run for a part of that only: in a loop over `CASES[:2]`."""
    through: str = ""
    """The helper of the file that asserts it, and that the test calls."""
    named: str = ""
    """The end of the subject that the assertion names in a text: `.a` of `expect(x).toHaveProperty("a", 1)`."""

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.subject, self.relation, self.wanted)

    def of_same(self, other: Check) -> bool:
        """What a class of tests holds, a function is handed: `self.store.rows()` and `store.rows()`."""
        if self.subject == other.subject:
            return True
        return OF_ITS_OWN.sub("", self.subject) == OF_ITS_OWN.sub("", other.subject)


@record
class Fake:
    """Where a test, or its file, replaces something."""

    name: str
    line: int
    column: int
    snippet: str = ""


@record
class Way:
    """One way in which a test fails: all that holds there, and the lines and columns of what asserts it."""

    holds: frozenset[str]
    spots: tuple[tuple[int, int], ...]
    polled: bool = False
    """It is asked again and again, and fails only where the answer never comes."""
    slept: bool = False
    """The test lets some time pass before it asks."""


@record
class Tries:
    """What a library that makes up values tries: the strategies without filters and bounds, and these by their names,
    each with how narrow it is."""

    strategies: str
    limits: Mapping[str, float]
    singles: int = 0
    """How many of the strategies give one value alone."""


@record(kw_only=True)
class Facts:
    """What one test does."""

    checks: tuple[Check, ...] = ()
    cases: tuple[str, ...] | None = ()
    """The rows of literal parameters, elements apart by `ROW`, what is wanted last; empty for none, None for rows known
    only at run time. The checks' `times` must count them, too."""
    words: frozenset[str] = frozenset()
    """What of the product it names: identifiers and one-word strings, without the language's and the framework's own
    names and without its local variables."""
    stands_for: frozenset[str] = frozenset()
    """What the attributes of its class that it reads stand for."""
    literals: frozenset[str] = frozenset()
    """Constants of the test and of its parameters, in one form (`33.0`, `'a'`)."""
    body: str = ""
    """The body free of layout and comments, without the test's own name: equal bodies are the same test."""
    empty: bool = False
    """The body does nothing at all."""
    faked: tuple[Fake, ...] = ()
    """Functions of the product that the test, or a set-up or mock of its file, replaces, and whose result the test then
    asserts on. A replaced collaborator, a spy that passes calls on, and an assertion about calls are none."""
    own: frozenset[str] = frozenset()
    """Names whose results the test asserts on, and that the file itself defines: a loss only if they were imported."""
    defined: frozenset[str] = frozenset()
    """Names that the file itself defines, or the class of the test where it takes them from there."""
    passes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Those of them that only pass a question on, each with the functions that it asks."""
    outright: frozenset[tuple[str, str, str]] = frozenset()
    """The keys of its checks, names of its suite written out; empty where none of them stands for anything."""
    retries: int = 0
    """How often the test is run again when it fails."""
    timeout_s: float | None = None
    """The time limit that the test itself, its class or its file sets."""
    generated: bool = False
    """Its parameters are made by a library that tries many values."""
    tries: Tries | None = None
    """Which ones, where that can be told."""
    nowhere: bool = False
    """It is always skipped, or on each version of the language that is in use."""
    told: tuple[str, ...] = ()
    """Functions that are given a callback which is told of an error, each as often as it is."""
    awaited: frozenset[str] = frozenset()
    """Functions that the test waits for, so that their failure fails it."""
    given: Callable[[int], frozenset[str]] | None = None
    """Words and constants of what it gives the product up to an assertion of this line, without what assertions want;
    None if nobody can tell."""
    before: Callable[[int], frozenset[str]] | None = None
    """Words and constants of everything up to this line, without what only tells; None if nobody can tell."""
    failing: Callable[[], tuple[Way, ...]] | None = None
    """The ways in which it fails, as far as they are understood (see `failing`)."""


FITS_ALL = "the pattern fits everything"
"""Why a pattern demands nothing: it only looks as if it did."""
ONLY_THROWN = "it only runs when something is thrown"
"""Why what is asked of a caught error demands little: where nothing is thrown, nobody asks."""
SWALLOWED = "its failure is swallowed"
"""Why an assertion demands nothing, in all languages (see `unfelt`)."""
ROW = "\x1f"
"""Between the elements of a row of parameters."""


@record
class Condition:
    """As written, and the rule about a test that is no longer defined but under it."""

    text: str
    rule: str


@record(kw_only=True)
class Test:
    parts: tuple[str, ...]
    path: str
    line: int
    column: int
    snippet: str
    text: str
    facts: Callable[[], Facts]
    """Call it as often as you like: extractors keep the answer."""
    kind: Literal["test", "helper"] = "test"
    under: Condition | None = None
    """Without it, it is not defined."""
    written: str = ""
    """The same line by line, where `text` has another layout."""

    @property
    def name(self) -> str:
        """For people."""
        return " > ".join(self.parts)

    @property
    def lines(self) -> str:
        return self.written or self.text


@record(kw_only=True)
class Ghost:
    """What is left of a test that no longer runs: `why` is the end of a sentence (`it is commented out`).

    `body` is that of the test it looks like, where the extractor can tell it; the name, else.
    """

    name: str
    path: str
    line: int
    column: int
    snippet: str
    why: str
    body: str = ""
    twin: bool = False
    """It is replaced by a later test of its name: a loss even though a test of that name runs."""


@record
class Inventory:
    """One side of one file."""

    tests: tuple[Test, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    product: bytes = b""
    """What of the file is no test code: all of it, or nothing, or what stands outside of a module of tests."""
    reached: Callable[[], frozenset[str] | None] = lambda: None
    """The files on which its tests depend; None where nobody can tell. Data and settings may be read by any test."""
