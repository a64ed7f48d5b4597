"""A function that has one answer whatever it is given, seen as if it gave that at once.

`return text ? [] : []` names its parameter, and asks it nothing; the same say an `if` whose branches are alike, a
`switch` of one answer, `String(text) && []`, `text.slice(0, 0)`. So a function of the product that came to that is
looked at once more with the constant in the place of its body, and what each language says of functions that became a
constant (G19) holds for it: which of them are for a person, and which are none because their work is elsewhere. What
was like this at the base is seen so there, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.change.edits import with_texts
from ralph.guardrails.common.stubbed.one_answer import bodies, settled_in, with_one_answer
from ralph.guardrails.common.stubbed.only_told import edited_products
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.spelled import Spelled
from ralph.guardrails.texts import lines_of
from ralph.system.patterns import later

_CONSTANT = (
    rb"(?:(?:Ok|Some|Right|Just|Promise\.resolve|Optional\.of)\()?"
    rb"(?:-?\d[\w.]*|\"[^\"\n]{0,80}\"|'[^'\n]{0,80}'|[Tt]rue|[Ff]alse|None|null|nil|undefined|:\w+|\[\]|\{\}"
    rb"|\w[\w.:]{0,40}(?:<[^<>\n]{0,40}>)?\(\)"
    rb"|new [\w.<>, ]{1,60}\(0?\))"
)
WORTH = later(
    rb"(?m)(?:\breturn|=>|->|\bthen|\belse|=|^|\{)[ \t(]*" + _CONSTANT + rb"[ \t);,}]*$"
    rb"|\?[ \t(]*" + _CONSTANT + rb"[^\n:]{0,60}:|" + _CONSTANT + rb"[) \t]+(?:if\b[^\n]*\belse|or|and|\|\||&&)\b"
    rb"|(?:&&|\band)[ \t]+" + _CONSTANT + rb"|0:0\]|\[:0\]|\.\.0\]|\(0(?:, ?0)?\)|\* 0\b|\b0 \*|if False\]|=> false\)"
    rb"|[\])}][ \t)]*\[[^\]\n]*\][ \t]*;?$|\)\([\w, ]*\)[;)]*$|\[\] \*"
)
"""A line that answers with a constant, or chooses between some."""
LARGEST = 300_000
STUBS = frozenset(
    ("py.stubbed", "py.stubbed-mildly", "js.stub", "js.work-removed", "code.stubbed", "code.stubbed-mildly")
)


def by_answer(change: Change) -> Spelled | None:
    """None if no function came to have one answer."""
    texts: dict[str, tuple[bytes, bytes]] = {}
    lines: dict[str, frozenset[int]] = {}
    for file, spoken in edited_products(change, WORTH):
        before, after = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
        if max(len(before), len(after)) > LARGEST:
            continue
        now = lines_of(after)
        new, places = _spelled(now, spoken, _touched(file))
        if places:
            old, _ = _spelled(lines_of(before), spoken, None)
            texts[file.path] = ("\n".join(old).encode(), "\n".join(new).encode())
            lines[file.path] = places
    return Spelled(with_texts(change, texts, alone=True), lines, rules=STUBS) if texts else None


def _touched(file: FileChange) -> frozenset[int]:
    """The rows of the head that the change wrote, or stands beside."""
    rows = (range(each.new_start - 2, each.new_start + len(each.added)) for each in file.hunks)
    return frozenset(row for run in rows for row in run)


def _spelled(lines: Sequence[str], spoken: str, touched: frozenset[int] | None) -> tuple[list[str], frozenset[int]]:
    """With the constants in their places, and the numbers of the lines in which they are; all lines if none is said."""
    found, places = list(lines), set[int]()
    for row in range(len(lines)) if touched is None else sorted(touched):
        settled = settled_in(lines[row], spoken) if 0 <= row < len(lines) else None
        if settled is not None:
            found[row] = settled
            places.add(row + 1)
    for body in bodies(found, touched):
        spelled = with_one_answer(found, body, spoken)
        if spelled is not None:
            found[body.first : body.last] = spelled
        if spelled is not None or not places.isdisjoint(range(body.first + 1, body.last + 1)):
            places.update(row + 1 for row in range(body.head, body.last))
    return found, frozenset(places)
