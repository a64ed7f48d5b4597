"""Snapshots that stand in the test itself (policy set v2, class G05): insta's `assert_snapshot!(total(3), @"180")` and
snapbox's `assert_data_eq!(total(3), str!["180"])`.

Rule: what stands behind the `@`, or in `str!`, is wanted, and a tool wrote it there. An empty one is yet to be written;
one of snapbox with a wildcard wants no certain text.
"""

from __future__ import annotations

import re

from ralph.system.patterns import later

MARK = later(r"@\s*(?=(?:r#*)?\")")
"""It is no part of an expression."""
INLINE = later(r"@\s*(?P<raw>r?)(?P<marks>#*)\"(?P<text>.*)\"(?P=marks)\s*,?\s*[)\]}]$", re.DOTALL)
DATA = later(
    r"\bstr!\s*\[\[?\s*(?P<raw>r?)(?P<marks>#*)\"(?P<text>.*)\"(?P=marks)\s*\]\]?(?P<whole>\.raw\(\))?\s*,?\s*[)\]}]$",
    re.DOTALL,
)
WILDCARD = later(r"\[(?:\.\.|[A-Z_]+)\]|(?m:^\s*\.\.\.\s*$)")


def recorded(name: str, macro: str) -> str:
    """The text of such a snapshot, without layout; empty for what is none."""
    if name == "assert_data_eq":
        found = DATA.search(macro)
        if found is not None and not found["whole"] and WILDCARD.search(found["text"]):
            return ""
    else:
        found = INLINE.search(macro) if name.endswith("snapshot") and "@" in macro else None
    if found is None:
        return ""
    text = found["text"] if found["raw"] else found["text"].replace("\\n", "\n").replace('\\"', '"')
    return " ".join(text.split())
