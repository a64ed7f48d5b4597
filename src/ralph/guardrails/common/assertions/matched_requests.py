"""Recorded answers that are given to more requests than those that were recorded (policy set v2, class G05).

    c.default_cassette_options = { match_requests_on: %i[host] }        # was %i[method uri body]

Rules, for VCR, VCR.py, Betamax and Polly, in a file beside tests that both sides have:

- What no longer asks for the method, or for the place of a request, answers whatever the product asks: it blocks.
- What asks for less of either (a path instead of a URI, no body, no query), and for something that only its own
  function knows, is for a person: much of a request may be made up anew each time.
- Where nothing is said, libraries ask for the method and the URI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

LESS, SOMEWHAT = "test.weakened", "test.somewhat-weaker"
WORTH = later(rb"\bmatch_(?:requests_)?on\b|\bmatchRequestsBy\b")
PLACES = later(r"\.(?:rb|py|[cm]?[jt]sx?)$")
RECORDS = later(r"(?i)vcr|cassette|betamax|polly")
"""Other libraries match other things on something."""
LIST = later(
    r"\bmatch_(?:requests_)?on[\"']?\s*(?:=>|[:=])\s*(?P<list>%[iIwW]?(?:\[[^\]]*\]|\([^)]*\))|\[[^\]]*\]|\([^()]*\))"
)
POLLY = later(r"\bmatchRequestsBy\s*:\s*\{(?P<table>(?:[^{}]|\{[^{}]*\})*)\}")
OFF = later(r"\b(?P<name>\w+)\s*:\s*false\b")
WORD = later(r"(?<![\w.])[a-z_]\w*(?!\w*\()")
WHOLE = frozenset(("method", "scheme", "host", "port", "path", "query"))
KNOWN = WHOLE | {"uri", "url", "body", "headers", "raw_body", "body_as_json", "digest-auth"}
PARTS = {"uri": WHOLE - {"method"}, "url": WHOLE - {"method"}}
LONGEST = 300_000


def matched_requests(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and PLACES.search(file.path) and WORTH.search(file.changed_text):
            yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    old, new = (
        (read(file.path) or b"")[:LONGEST].decode("utf-8", "replace")
        for read in (change.blobs.before, change.blobs.after)
    )
    if not RECORDS.search(new):
        return
    before, after = list(_asked(old)), list(_asked(new))
    usual = [(WHOLE, 0, "")] if len(after) > len(before) else []
    known = [asked for asked, _, _ in before]
    was = [each for each in (*before, *usual) if each[0] not in {asked for asked, _, _ in after}]
    now = [each for each in after if each[0] not in known]
    for (had, _, _), (has, at, written) in zip(was, now, strict=False):
        lost = had - has
        if not lost:
            continue
        own = bool(has - KNOWN)
        blind = "method" in lost or ("path" in lost and "path" not in has)
        line = new.count("\n", 0, at) + 1
        detail = f"recorded answers are given whatever the {', '.join(sorted(lost))} of a request"
        yield hit_at(LESS if blind and not own else SOMEWHAT, file.path, line, detail, written)


def _asked(text: str) -> Iterator[tuple[frozenset[str], int, str]]:
    """What is compared of requests, where that is said, and how."""
    for match in LIST.finditer(text):
        words = set(
            WORD.findall(re.sub(r"^%[iIwW]", "", match["list"]).replace(":", " :").replace("'", " ").replace('"', " "))
        )
        words = {each for word in words for each in PARTS.get(word, {word})}
        yield frozenset(words), match.start(), " ".join(match[0].split())
    for match in POLLY.finditer(text):
        off = {found["name"] for found in OFF.finditer(match["table"])}
        off = {each for name in off for each in PARTS.get({"pathname": "path"}.get(name, name), {name})}
        yield frozenset((WHOLE | {"body"}) - off), match.start(), " ".join(match[0].split())


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (matched_requests,)
