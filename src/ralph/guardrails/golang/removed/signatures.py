"""Go: functions of the product that no longer give an error, or are called otherwise (policy set v2, class G05).

    func NewCounter(n int) (*Counter, error)  ->  func NewCounter(n int) *Counter

Rules, where no declaration of that name gives an error in the package any more:

- That it gives none can no longer be asked: the compiler refuses `c, err :=`. It is no such case where the test no
  longer calls it.
- Where what declares it says anything else now, what is asked of its answer (`NewCounter(1).Next() == 2`) is still
  asked where the call is handed something else (`NewCounter(&n).Next() == 2`), as often as before.

A function is called by its name in its own package, and behind the package's name elsewhere; a method only by tests of
its own package, as nobody knows whose it is elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Test
from ralph.guardrails.model import Change
from ralph.record import record
from ralph.system.patterns import later

DECLARED = later(r"(?m)^func (?P<receiver>\([^()\n]*\) )?(?P<name>\w+)(?=[\[(])")
GIVES_ERROR = later(r"\berror\s*\)?\s*$")
SUCCEEDED = frozenset({("==", "nil"), ("NoError", ""), ("Nil", "")})
GIVEN = later(r"-(?P<call>.*\))(?:#\d+)?==nil")
CLOSE = later(r" *([^\w ]) *")
CALL = later(r"(?:(?P<before>.*)\.)?(?P<name>\w+)")
CLOSING = {"(": ")", "[": "]", "{": "}"}


@record
class Declared:
    """A function as it is declared, without its body."""

    method: bool
    text: str

    @property
    def gives_error(self) -> bool:
        return GIVES_ERROR.search(self.text) is not None


Package = dict[str, list[Declared]]


class Signatures:
    """`products`: the path of each file of the change, and what of it is the product's on both sides."""

    def __init__(self, change: Change, products: Sequence[tuple[str, bytes, bytes]]) -> None:
        self._change = change
        self._products = [each for each in products if each[0].endswith(".go")]

    def leave_no(self, gone: Sequence[Check], pair: Pair) -> Iterator[Check]:
        """Those that nobody can ask any more, or that the test of the head asks of a call that is made otherwise. Of
        checks that are written alike (`err == nil`) nobody knows which went."""
        for key, times in Counter(check.key for check in gone).items() if self._changed else ():
            alike = [check for check in pair.old.facts().checks if check.key == key and key[1:] in SUCCEEDED]
            unasked = 0 < times <= sum(self._gives_no_error(check, pair) for check in alike)
            for check in (each for each in gone if each.key == key):
                if unasked or self._is_asked_otherwise(check, pair.new):
                    yield check

    def _gives_no_error(self, check: Check, pair: Pair) -> bool:
        called = filter(None, map(_outermost, _asked(check, pair.old)))
        known = (name for before, name in called if self._is_known(before, name, pair.new, self._without_error))
        return any(re.search(rf"(?<!\w){name}\(", pair.new.facts().body) for name in known)

    def _is_asked_otherwise(self, check: Check, test: Test) -> bool:
        names = [name for name in re.findall(r"(\w+)\(", check.subject) if self._is_known("", name, test, self._other)]
        key = tuple(_without_arguments(part, names) for part in check.key)
        return bool(names) and any(
            other.grade >= check.grade and tuple(_without_arguments(part, names) for part in other.key) == key
            for other in test.facts().checks
        )

    def _is_known(self, before: str, name: str, test: Test, known: dict[str, set[tuple[str, bool]]]) -> bool:
        folder = test.path.rpartition("/")[0]
        if (name, False) in known.get(folder, ()) or (name, True) in known.get(folder, ()):
            return True
        packages = (other for other, names in known.items() if (name, False) in names)
        return any(other.rpartition("/")[2] == before for other in packages if other)

    @cached_property
    def _without_error(self) -> dict[str, set[tuple[str, bool]]]:
        """By their folder, the functions and methods that gave an error, and of which none of that name does."""
        found: dict[str, set[tuple[str, bool]]] = defaultdict(set)
        for folder, name, old, new in self._changed:
            if any(each.gives_error for each in old) and not any(
                each.gives_error for each in (*new, *self._beside(folder, name))
            ):
                found[folder].add((name, new[0].method))
        return found

    @cached_property
    def _other(self) -> dict[str, set[tuple[str, bool]]]:
        found: dict[str, set[tuple[str, bool]]] = defaultdict(set)
        for folder, name, _, new in self._changed:
            found[folder].add((name, new[0].method))
        return found

    @cached_property
    def _changed(self) -> list[tuple[str, str, list[Declared], list[Declared]]]:
        return list(self._declared_otherwise())

    def _declared_otherwise(self) -> Iterator[tuple[str, str, list[Declared], list[Declared]]]:
        """What is declared otherwise: the folder, the name, and the declarations on both sides."""
        for path, before, after in self._products:
            old, new = _declared(before), _declared(after)
            for name in old.keys() & new.keys():
                if [each.text for each in old[name]] != [each.text for each in new[name]]:
                    yield path.rpartition("/")[0], name, old[name], new[name]

    def _beside(self, folder: str, name: str) -> Iterator[Declared]:
        """Other declarations of the name in the package, as they are now."""
        for path in self._change.blobs.paths_after():
            if path.rpartition("/")[0] == folder and path.endswith(".go") and not path.endswith("_test.go"):
                yield from _declared(self._change.blobs.after(path) or b"").get(name, ())


def _declared(text: bytes) -> Package:
    found: Package = defaultdict(list)
    said = text.decode("utf-8", "replace")
    for match in DECLARED.finditer(said):
        end = said.find("\n}", match.end())
        head = _head(said[match.end() : end if end >= 0 else None])
        found[match["name"]].append(Declared(match["receiver"] is not None, head))
    return found


def _head(text: str) -> str:
    """Up to the brace of the body: the first one outside of all brackets that no type stands before."""
    depth = 0
    for at, letter in enumerate(text):
        if letter == "{" and not depth and not re.search(r"\b(?:interface|struct)\s*$", text[:at]):
            return text[:at]
        depth += (letter in CLOSING) - (letter in CLOSING.values())
    return text


def _asked(check: Check, test: Test) -> Iterator[str]:
    """What succeeds: as the assertion writes it, or what its variable was given last (see `failing`)."""
    yield check.subject
    failing = test.facts().failing
    for way in failing() if failing is not None and check.subject.isidentifier() else ():
        if (check.line, check.column) in way.spots:
            given = (GIVEN.fullmatch(fact) for fact in way.holds)
            yield from (CLOSE.sub(r"\1", match["call"]) for match in given if match is not None)


def _outermost(subject: str) -> tuple[str, str] | None:
    """What stands before the name, and the name, of the call that gives all of the subject."""
    start = _opening(subject) if subject.endswith(")") else -1
    called = CALL.fullmatch(subject[:start]) if start > 0 else None
    return None if called is None else (called["before"] or "", called["name"])


def _opening(subject: str) -> int:
    depth = 0
    for at in range(len(subject) - 1, -1, -1):
        depth += (subject[at] == ")") - (subject[at] == "(")
        if not depth:
            return at
    return -1


def _without_arguments(text: str, names: Iterable[str]) -> str:
    for name in dict.fromkeys(names):
        parts, at = [], 0
        for match in re.finditer(rf"(?<!\w){name}\(", text):
            if match.start() >= at:
                parts.append(text[at : match.end()])
                at = _behind(text, match.end())
        text = "".join((*parts, text[at:]))
    return text


def _behind(text: str, start: int) -> int:
    """Where the bracket that was opened before `start` is closed."""
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return at
    return len(text)
