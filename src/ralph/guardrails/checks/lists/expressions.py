"""Regular expressions as `grep`, `awk` and `sed` write them.

Those that could take long, or that hold what only running could tell, are not read.
"""

from __future__ import annotations

import re

from ralph.guardrails.config.patterns import COSTLY, MAX_REPEATS
from ralph.system.patterns import later

BASIC = later(r"\\[|(){}+?]|[|(){}+?]")
UNKNOWN = later(r"\$[({A-Za-z_]|`")
CLASSES = {"[:space:]": r"\s", "[:digit:]": r"\d", "[:alpha:]": "A-Za-z", "[:alnum:]": "A-Za-z0-9"}


def compiled(text: str, *, basic: bool = False, folded: bool = False) -> re.Pattern[str] | None:
    """`basic`: in the older form, in which `\\|` is what `|` is in the newer one."""
    if not text or UNKNOWN.search(text):
        return None
    if basic:
        text = BASIC.sub(lambda match: match[0][1:] if len(match[0]) > 1 else re.escape(match[0]), text)
    for name, meant in CLASSES.items():
        text = text.replace(name, meant)
    if re.search(COSTLY, text) or len(re.findall(r"[*+{]", text)) > MAX_REPEATS * 2:
        return None
    try:
        return re.compile(text, re.IGNORECASE if folded else 0)
    except re.error:
        return None
