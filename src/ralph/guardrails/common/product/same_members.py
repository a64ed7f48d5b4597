"""Members of an enumeration that are the same as another one now, so that nothing tells them apart (class G19).

    class Status(Enum):
        OPEN = 1
        CLOSED = 1        # was 2: CLOSED is OPEN

Rule, for Python, TypeScript, C# and the family of C: a member that had a value of its own at the base is given that of
another member, which had and has another one than it had. It blocks where a test names both of them, or the member
alone, in an assertion: any object of the other kind passes. Else it is for a person. A new member with the value of
another one is a second name for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

LANGUAGES = (".py", ".ts", ".tsx", ".mts", ".cs", ".c", ".cc", ".cpp", ".h", ".hpp")
HEADER = later(
    r"(?P<indent>[ \t]*)(?:[\w\[\]]+[ \t]+)*(?:class[ \t]+(?P<py>\w+)[ \t]*\([^)\n]*Enum\b[^)\n]*\)[ \t]*:"
    r"|enum[ \t]+(?:class[ \t]+|struct[ \t]+)?(?P<name>\w+))"
)
MEMBER = later(
    r"[ \t]*(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*(?P<value>-?\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*')[ \t]*,?[ \t]*"
    r"(?:(?:\#|//).*)?"
)
WORTH = later(rb"(?m)^[ \t]*[A-Za-z_]\w*[ \t]*=[ \t]*[-\d\"']")
ASSERTS = later(r"(?i)assert|expect|should|require|\bequal|verify|\bis\b")
MOST_TESTS = 400
Members = dict[str, tuple[str, int]]


def same_members(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(LANGUAGES) or TEST_PLACE.search(file.path):
            continue
        if not WORTH.search(file.added_text):
            continue
        data = change.blobs.after(file.path) or b""
        if b"num" in data:
            yield from _judged(file, _enumerations(change.blobs.before(file.path)), _enumerations(data), change)


def _judged(
    file: FileChange, before: Mapping[str, Members], after: Mapping[str, Members], change: Change
) -> Iterator[Hit]:
    for owner, members in after.items():
        old = before.get(owner, {})
        for name, (value, line) in members.items():
            was = old.get(name)
            twin = next(
                (
                    other
                    for other, (said, _) in members.items()
                    if other != name and said == value and old.get(other, ("",))[0] == value
                ),
                None,
            )
            if was is None or twin is None or was[0] == value or was[0] == old[twin][0]:
                continue
            rule = "test.weakened" if _is_asserted(owner, name, change) else "test.somewhat-weaker"
            detail = f"{owner}.{name} is the same as {owner}.{twin} now"
            yield hit_at(rule, file.path, line, detail, f"{name} = {value}")


def _enumerations(data: bytes | None) -> dict[str, Members]:
    found: dict[str, Members] = {}
    members: Members | None = None
    indent, own = 0, -1
    for number, line in enumerate((data or b"").decode("utf-8", "replace").split("\n"), start=1):
        header = HEADER.match(line)
        if header is not None:
            members, indent, own = found.setdefault(header["py"] or header["name"], {}), len(header["indent"]), -1
            continue
        if members is None or not line.strip() or line.strip() == "{":
            continue
        here = len(line) - len(line.lstrip())
        if here <= indent:
            members = None
            continue
        own = here if own < 0 else own  # what is indented further stands in a method
        member = MEMBER.fullmatch(line) if here == own else None
        if member is not None:
            members.setdefault(member["name"], (member["value"], number))
    return found


def _is_asserted(owner: str, name: str, change: Change) -> bool:
    """A test of the head compares with the member."""
    said = re.compile(rf"\b{re.escape(owner)}(?:\.|::){re.escape(name)}\b")
    paths = (path for path in change.blobs.paths_after() if TEST_PLACE.search(path))
    for path in nearest(paths, change, MOST_TESTS):
        text = (change.blobs.after(path) or b"").decode("utf-8", "replace")
        if name in text and any(ASSERTS.search(line) for line in text.split("\n") if said.search(line)):
            return True
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (same_members,)
