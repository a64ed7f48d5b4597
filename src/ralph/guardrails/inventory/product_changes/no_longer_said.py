"""What the product said, and no longer says (policy set v2, class G05).

Rule: that a text is a part of an answer became that it is none. It is another answer, and for a person, where

- the test asks for another part of the same answer, as it did before: an empty one would not do;
- the product's code only lost lines, comments apart: nothing came in their place that says the text wrongly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.wanted.values import NEGATION
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import FileChange
from ralph.system.patterns import later

COMMENT = later(rb"#(?!\s*(?:include|define|undef|if|el|end|pragma)).*|//.*|/\*.*|\*(?:\s.*|/)?|\"\"\"[^\"]*\"\"\"")
"""A line that is nothing else."""


def is_withdrawn(old: Check, new: Check, before: Facts, after: Facts) -> bool:
    """The same part of the same answer is wanted not to be there, and others are wanted as before."""
    if new.subject != old.subject or new.wanted != old.wanted or not new.grade or new.perhaps:
        return False
    if old.grade is not Grade.SHAPE or not old.wanted or new.relation == old.relation:
        return False
    if NEGATION.sub("", new.relation).lower() != old.relation.lower():
        return False
    were, are = (_parts(facts, old) for facts in (before, after))
    return not were.isdisjoint(are)


def _parts(facts: Facts, like: Check) -> set[str]:
    """What is asked of the same answer in the same way, where it surely is."""
    same = (each for each in facts.checks if (each.subject, each.relation) == (like.subject, like.relation))
    return {each.wanted for each in same if each.grade >= like.grade and not each.perhaps} - {like.wanted}


def only_loses(files: Iterable[FileChange], products: Sequence[tuple[str, bytes, bytes]]) -> bool:
    """Of the product, files of code lost lines, and nothing else changed. `products`: the path of each file of the
    change, and what of it is the product's on both sides."""
    changed = {path for path, old, new in products if old != new}
    if not changed or any(language_of(path) is None for path in changed):
        return False
    hunks = [hunk for file in files if file.path in changed for hunk in file.hunks]
    if any(_is_code(line) for hunk in hunks for line in hunk.added):
        return False
    return any(_is_code(line) for hunk in hunks for line in hunk.removed)


def _is_code(line: bytes) -> bool:
    return bool(line.strip()) and COMMENT.fullmatch(line.strip()) is None
