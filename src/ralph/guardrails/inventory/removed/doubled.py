"""One of two tests that say the same is gone (policy set v2, class G04).

Rule: nothing is lost where the base has another test in the same file and suite that is the same but for its name,
with its marks and all that it depends on, and that one is still there, edited or not: an edit is judged by itself.
Where both are gone, both are lost. Nor is anything lost where another test took over each row of its table, and asks
the very same of every row, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ralph.guardrails.inventory.model import Grade, Test


def is_double(test: Test, base: Iterable[Test], removed: Sequence[Test]) -> bool:
    """`base` holds all tests of its file before the change, `removed` all that are gone."""
    facts = test.facts()
    if not facts.body or facts.empty:
        return False
    gone = {id(each) for each in removed}
    return any(id(each) not in gone and _says_the_same(each, test) for each in base)


def in_larger_table(test: Test, still: Iterable[Test]) -> bool:
    """`still` holds tests of the head that the base had, too."""
    facts = test.facts()
    return bool(facts.cases) and any(
        each.kind == test.kind
        and set(facts.cases or ()) <= set(each.facts().cases or ())
        and _asks(each) == _asks(test)
        for each in still
    )


def _asks(test: Test) -> list[tuple[tuple[str, str, str], Grade]]:
    return [(check.key, check.grade) for check in test.facts().checks]


def _says_the_same(one: Test, other: Test) -> bool:
    if one.kind != other.kind or one.path != other.path or one.parts[:-1] != other.parts[:-1]:
        return False
    return _without_name(one) == _without_name(other) and one.facts().body == other.facts().body


def _without_name(test: Test) -> str:
    return test.text.replace(test.parts[-1], "", 1)
