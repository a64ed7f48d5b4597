"""Keys that a page hands to every browser, and that a person looks at (policy set v2, class S01).

    algolia: { appId: "…", apiKey: "…", indexName: "docs" }

Rule: the search of a documentation has a key of 32 hexadecimal digits that may only search. It stands as `apiKey`
beside the name of the index that it searches, under the name of the service. A key that is called one for
administration, or that stands where none of this is said, is a secret like any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.system.patterns import later

KEY = later(r"(?i)[\"']?\bapi_?key\b[\"']?\s*[:=]\s*[\"'][0-9a-f]{32}[\"']")
SERVICE = later(r"(?i)\b(?:algolia|docsearch)\b")
INDEX = later(r"(?i)\bindex_?name\b")
MORE = later(r"(?i)admin|write|secret|private")
NEAR = 12
"""So many lines are one table of settings."""


def only_searches(lines: Sequence[str], number: int) -> bool:
    """Whether the line of this number, from 1 on, holds such a key."""
    if not 0 < number <= len(lines):
        return False
    near = "\n".join(lines[max(0, number - 1 - NEAR) : number + NEAR])
    said = KEY.search(lines[number - 1]) is not None and MORE.search(lines[number - 1]) is None
    return said and SERVICE.search(near) is not None and INDEX.search(near) is not None
