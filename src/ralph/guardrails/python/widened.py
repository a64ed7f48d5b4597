"""Types that became Any where they are declared (policy set v2, class G01).

Rule: a variable, parameter or result that had a type, and in whose place stands one with more of Any in it, is given up
for the type checker: for a person, as a cast to Any is. It is read from the changed lines alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.system.patterns import later

ANY = later(r"\bAny\b")
DECLARED = later(r"(?:(?<![\w.\"'])(?P<name>\w+)\s*:|\)\s*(?P<result>->))\s*(?P<type>[\w.\[\]| ]+(?:,[\w.\[\]| ]+\])*)")


def widened(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if not file.path.endswith((".py", ".pyi")) or file.status != "M" or is_support(file.path):
            continue
        for hunk in file.hunks:
            if not any(b"Any" in line for line in hunk.added):
                continue
            before = {name: said for _, name, said in _declared(enumerate(hunk.removed))}
            for line, name, said in _declared(enumerate(hunk.added, start=hunk.new_start)):
                was = before.get(name, "object")
                if was != "object" and len(ANY.findall(said)) > len(ANY.findall(was)):
                    text = f"{name} {was} became {said}"
                    yield Hit(
                        rule="py.cast-any", path=file.path, line=line, column=1, key=text, snippet=text, detail=text
                    )


def _declared(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, str, str]]:
    for number, line in lines:
        text = line.decode("utf-8", "replace")
        for match in DECLARED.finditer(text):
            yield number, match["name"] or match["result"], match["type"].strip()


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (widened,)
