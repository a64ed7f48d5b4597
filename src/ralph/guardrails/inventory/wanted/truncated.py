"""A product that cuts off what it rounded, while its documents go on to demand that it rounds (class G05).

Rule: in the product's code of a change what rounds is gone, and what truncates came in its place; a line of a document
says that something is rounded up, half up or to the nearest, and says so of something that the test names.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.node import names
from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

ROUNDS = later(rb"(?i)\bround|round\w*\(|toFixed\(|HALF_?(?:UP|EVEN)|quantize\(")
CUTS = later(
    rb"(?i)\btrunc\w*\(|\bfloor\w*\(|\bint\(|ROUND_(?:DOWN|FLOOR)|RoundingMode\.(?:DOWN|FLOOR)|ToZero|\.to_i\b|\bintdiv\("
    rb"|\bas [iu](?:8|16|32|64|128|size)\b|\bint(?:32|64)?\(|\(int\)|\(long\)|\| ?0\b|~~|\.(?:toInt|toLong)\(\)"
)
HALVES = later(rb"[\w)\]] ?//=? ?[\w(]")
"""How Python divides and cuts off the rest."""
SAYS_DOWN = later(rb"(?i)ROUND_(?:DOWN|FLOOR)|RoundingMode\.(?:DOWN|FLOOR)|MidpointRounding\.ToZero|\w*rounding\w*")
DOCUMENT = later(r"(?i)\.(?:md|mdx|rst|adoc|txt)$")
LOG = later(r"(?i)(?:^|/)(?:change\w*|history|news|releases?)[^/]*$")
DEMANDS = later(
    r"(?i)\bround(?:ed|s|ing)?\b[^.\n]{0,40}\b(?:half|up|nearest|commercially|even)\b|\bhalf[- ](?:up|even)\b"
)
WORD = later(r"[A-Za-z]{3,}")
COMMON = frozenset(
    names(
        "the and for are per all each with from that this then than not never always only half round rounded rounds "
        "rounding nearest even test tests expect equal true false null none new net line value values number numbers "
        "result"
    )
)
"""What says nothing of what is rounded."""
MOST_FILES, LONGEST = 60, 100_000


def demanded_rounding(change: Change, test: Test) -> str:
    """The document that demands it; empty where none does, or the product does not cut off what it rounded."""
    if not _cuts_now(change):
        return ""
    facts = test.facts()
    asked = " ".join((test.name, *(f"{each.subject} {each.wanted}" for each in facts.checks)))
    words = {word.lower() for word in WORD.findall(asked)} - COMMON
    for path, line in _demands(change):
        if words & {word.lower() for word in WORD.findall(line)}:
            return path
    return ""


def _cuts_now(change: Change) -> bool:
    added: list[bytes] = []
    removed: list[bytes] = []
    halves = False
    for file in change.files:
        if language_of(file.path) is not None and not file.binary and not is_support(file.path):
            added += [line for hunk in file.hunks for line in hunk.added]
            halves = halves or (file.path.endswith(".py") and any(map(HALVES.search, added)))
            removed += [line for hunk in file.hunks for line in hunk.removed]
    rounded = any(ROUNDS.search(line) for line in removed)
    if not rounded or any(ROUNDS.search(SAYS_DOWN.sub(b"", line)) for line in added):
        return False
    return halves or any(CUTS.search(line) for line in added)


def _demands(change: Change) -> Iterator[tuple[str, str]]:
    paths = (path for path in change.blobs.paths_after() if DOCUMENT.search(path) and not LOG.search(path))
    for path in nearest(paths, change, MOST_FILES):
        text = (change.blobs.after(path) or b"")[:LONGEST].decode("utf-8", "replace")
        yield from ((path, line) for line in text.split("\n") if DEMANDS.search(line))
