"""Snapshots of insta that stand in the test itself: `assert_snapshot!(total(3), @"180")` (policy set v2, class G05).

Rule: what stands behind the `@` is wanted, and a tool wrote it there. An empty one is yet to be written.
"""

from __future__ import annotations

import re

from ralph.system.patterns import later

MARK = later(r"@\s*(?=(?:r#*)?\")")
"""It is no part of an expression."""
INLINE = later(r"@\s*(?P<raw>r?)(?P<marks>#*)\"(?P<text>.*)\"(?P=marks)\s*,?\s*[)\]}]$", re.DOTALL)


def recorded(name: str, macro: str) -> str:
    """The text of such a snapshot, without layout; empty for what is none."""
    found = INLINE.search(macro) if name.endswith("snapshot") and "@" in macro else None
    if found is None:
        return ""
    text = found["text"] if found["raw"] else found["text"].replace("\\n", "\n").replace('\\"', '"')
    return " ".join(text.split())
