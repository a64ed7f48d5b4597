"""Go: what a product no longer has besides functions and types, and tests about it (policy set v2, class G04).

Rules, for a test that is gone:

- A field of a struct is gone, no changed file of the product has its name in any place, and the test gives or reads it
  and is called after it: half of the field's words, and two at least, are in the test's name. A field that came and
  has as many of its words is its new name.
- A function did nothing but panic (`panic("Drain is not implemented")`), and does something now. The test asked for
  nothing but that panic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.wholes.orders import words_of
from ralph.system.patterns import later

STRUCT = later(r"(?ms)^type \w+(?:\[[^\]\n]*\])? struct \{\n(?P<fields>.*?)^\}")
FIELD = later(r"(?m)^[ \t]+(?P<names>\w+(?:, *\w+)*)[ \t]+[^\s=:(]")
WORD = later(r"\b[A-Za-z_]\w*\b")
ONLY_PANICS = later(r"(?m)^func (?:\([^()\n]*\) )?(?P<name>\w+)\([^\n]*\{\n[ \t]*panic\([^\n]*\)\n\}")
DECLARED = later(r"(?m)^func (?:\([^()\n]*\) )?(\w+)\(")
WANTS_PANIC = later(r"\brecover\(\)|\bPanics\w*\(")


class GoneFromGo:
    """`products`: the path of each file of the change, and what of it is the product's on both sides."""

    def __init__(self, products: Sequence[tuple[str, bytes, bytes]]) -> None:
        self._products = [
            (old.decode("utf-8", "replace"), new.decode("utf-8", "replace"))
            for path, old, new in products
            if path.endswith(".go") and old
        ]

    def was_asked_by(self, test: Test) -> bool:
        words, called = test.facts().words, set(words_of(test.parts[-1]))
        if any(_is_called_after(field, called) for field in self._fields & words):
            return True
        felt = [check for check in test.facts().checks if check.grade]
        asks_panic = len(felt) <= 1 and WANTS_PANIC.search(test.text) is not None
        return asks_panic and not self._working.isdisjoint(words)

    @cached_property
    def _fields(self) -> frozenset[str]:
        old, new = ({name for pair in self._products for name in _fields(pair[side])} for side in (0, 1))
        gone = old - {word for _, text in self._products for word in WORD.findall(text)}
        came = [set(words_of(name)) for name in new - old] if gone else []
        return frozenset(name for name in gone if not any(_is_called_after(name, words) for words in came))

    @cached_property
    def _working(self) -> frozenset[str]:
        """Functions that only panicked, and that are there and do something."""
        were, are = (
            {match["name"] for pair in self._products for match in ONLY_PANICS.finditer(pair[side])} for side in (0, 1)
        )
        there = {name for _, text in self._products for name in DECLARED.findall(text)}
        return frozenset((were - are) & there)


def _is_called_after(field: str, words: set[str]) -> bool:
    own = words_of(field)
    said = sum(word in words for word in own)
    return said >= 2 and 2 * said >= len(own)


def _fields(text: str) -> Iterator[str]:
    for struct in STRUCT.finditer(text):
        for match in FIELD.finditer(struct["fields"]):
            yield from match["names"].replace(" ", "").split(",")
