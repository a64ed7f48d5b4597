"""Styles with which pictures are taken, and that hide more than before (policy set v2, class G05).

    toHaveScreenshot: { stylePath: "./e2e/screenshot.css" }   // .order-total { visibility: hidden; }

Playwright lays such a file over the page before it takes a picture: what it hides is compared with nothing. Rule: a
rule that comes to hide something, in a file that a configuration or a test names so, is for a person, as what always
differs is hidden, too; one that hides the whole page blocks.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from itertools import islice

from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.system.patterns import later

STYLES = (".css", ".scss", ".less")
SCRIPTS = (".ts", ".js", ".mts", ".mjs", ".cjs", ".tsx")
NOTE = later(r"/\*(?:[^*]|\*(?!/))*\*/")
HIDES = later(
    r"(?i)(?:^|[;\s])(?:visibility\s*:\s*(?:hidden|collapse)|display\s*:\s*none|opacity\s*:\s*0(?:\.0+)?\s*(?:[!;]|$)"
    r"|(?:color|-webkit-text-fill-color)\s*:\s*transparent|content-visibility\s*:\s*hidden|font-size\s*:\s*0"
    r"|filter\s*:\s*(?:blur|opacity|brightness)|transform\s*:\s*scale\(\s*0)"
)
WHOLE = later(r"\*|html|body|main|:root|#root|#app|#__next|body\s*>\s*\*|html\s+body")
NAMES_IT = b"stylePath"
MOST_FILES = 400


def hidden_in_pictures(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.path.endswith(STYLES) and file.status != "D" and not file.binary:
            old, new = (_hidden(read(file.path)) for read in (change.blobs.before, change.blobs.after))
            more = [selector for selector in new if selector not in old]
            if more and _is_laid_over(file.path, change):
                whole = next((selector for selector in more if WHOLE.fullmatch(selector)), None)
                rule = "test.weakened" if whole is not None else "test.somewhat-weaker"
                line, text = next(((at, text) for at, text in file.added() if text.strip()), (1, b""))
                detail = f"{whole or more[0]} is hidden on pictures"
                yield hit_at(rule, file.path, line, detail, text.decode("utf-8", "replace").strip())


def _hidden(data: bytes | None) -> list[str]:
    """The selectors of the rules that hide something."""
    text = NOTE.sub("", (data or b"").decode("utf-8", "replace"))
    rules = (part.rpartition("{") for part in text.split("}"))
    hiding = [names.rpartition("{")[2] for names, _, body in rules if HIDES.search(body)]
    return [" ".join(each.split()) for names in hiding for each in names.split(",")]


def _is_laid_over(path: str, change: Change) -> bool:
    """A configuration or a test names the file so."""
    name = posixpath.basename(path).encode()
    scripts = (each for each in change.blobs.paths_after() if each.endswith(SCRIPTS))
    named = (each for each in sorted(scripts) if ".config." in each or is_test_file(each))
    for each in islice(named, MOST_FILES):
        data = change.blobs.after(each) or b""
        if NAMES_IT in data and name in data:
            return True
    return False
