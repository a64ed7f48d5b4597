"""Measurements of time in which what is timed is no longer called (policy set v2, classes G09, G20).

    timeit.timeit("render(BOOK)", ...)   became   timeit.timeit("render", ...)
    bench("render", () => render(book))  became   bench("render", () => render)

Rule: a line that times a call, and in whose place stands one that only names what was called, or a constant, blocks:
whatever limit or report follows says nothing. Python's timeit and pytest-benchmark, the benchmarks of JavaScript
(`bench`, `suite.add`) and Criterion's `iter`. A function that is handed over by its name is called by the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, Hit, Hunk, hit_at
from ralph.system.patterns import later

FORMS = {
    (".py",): later(
        r"\b(?:timeit|repeat|autorange|Timer|benchmark)\(\s*(?:stmt\s*=\s*)?"
        r"(?:[rfb]?(?P<quote>[\"'])(?P<text>[^\"'\n]*)(?P=quote)|lambda\s*:\s*(?P<body>[^,\n]*))"
    ),
    (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"): later(
        r"\b(?:add|bench|benchmark|time|measure)\(\s*[\"'`](?P<text>)[^\"'`\n]*[\"'`]\s*,\s*(?:async\s*)?\(\)\s*=>\s*(?P<body>[^\n]*)"
    ),
    (".rs",): later(r"(?P<text>)\.iter\(\s*(?:move\s+)?\|\|\s*(?P<body>[^\n]*)"),
}
WORTH = later(rb"timeit|repeat\(|autorange|Timer\(|bench|\.add\(|measure|\btime\(|\.iter\(")
CALLS = later(r"(?P<name>[A-Za-z_]\w*)!?\s*\(")
NAMED = later(r"(?:[A-Za-z_]\w*\s*(?:\.|::)\s*)*(?P<name>[A-Za-z_]\w*)")
NOTHING = later(r"(?:pass|None|True|False|null|undefined|true|false|\d+|\"\"|''|\(\)|\{\s*\}|)")


def timed(change: Change) -> Iterator[Hit]:
    for file in change.files:
        form = next((form for ends, form in FORMS.items() if file.path.endswith(ends)), None)
        if form is None or file.status != "M" or not WORTH.search(file.added_text):
            continue
        for hunk in file.hunks:
            called = set(_called(form, hunk))
            for number, raw in enumerate(hunk.added, start=hunk.new_start) if called else ():
                line = raw.decode("utf-8", "replace")
                body = next((_body(match) for match in form.finditer(line)), None)
                if body is None or CALLS.search(body):
                    continue
                name = NAMED.fullmatch(body)
                if (name is not None and name["name"] in called) or NOTHING.fullmatch(body):
                    detail = f"{min(called)} is timed and no longer called"
                    yield hit_at("check.narrowed", file.path, number, detail, line.strip())


def _called(form: re.Pattern[str], hunk: Hunk) -> Iterator[str]:
    """What the lines that are gone call where they time something."""
    for raw in hunk.removed:
        for match in form.finditer(raw.decode("utf-8", "replace")):
            yield from CALLS.findall(_body(match))


def _body(match: re.Match[str]) -> str:
    """Without what closes the call around it."""
    body = (match["text"] or match["body"] or "").rstrip(" \t\r;,")
    while body.endswith(")") and body.count(")") > body.count("("):
        body = body[:-1].rstrip(" \t;,")
    return body.strip()


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (timed,)
