"""Reports of the product that say that all is well where they measured it (policy set v2, classes G19, G20).

Rule, for a file of the product, in all languages: a member of what is reported came of a call (`"database":
state(db)`), and now is a constant that says yes (`Database: "ok"`); what was called for it is called no more in the
file, no other value is given to the member there, and no word for the opposite stands in the code. It blocks where that
became of several members, or of one in a file about health. A value that is well until something is found stays one:
its opposite is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE, is_support, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import without_note
from ralph.system.patterns import later

GOOD = (
    r"ok|up|healthy|alive|ready|pass(?:ed|ing)?|success(?:ful)?|connected|green|reachable|available|operational|good"
    r"|online"
)
YES = rf"(?:(?P<quote>[\"'`])(?i:{GOOD})(?P=quote)|\b[Tt]rue\b|\b(?:Status|Health|State)\.(?i:{GOOD})\b)"
WORTH = later(rf"(?:[:=]|=>)\s*(?:[\"'`](?i:{GOOD})[\"'`]|[Tt]rue\b|(?:Status|Health|State)\.(?i:{GOOD})\b)".encode())
CONSTANT = later(rf"(?P<key>[\"']?\b[A-Za-z_]\w*[\"']?)\s*(?::|=>|=)\s*{YES}\s*(?=[,;}})\]]|$)")
MEASURED = later(r"(?P<key>[\"']?\b[A-Za-z_]\w*[\"']?)\s*(?::|=>|=)\s*(?P<value>[^\n]*?\b[A-Za-z_]\w*[?!]?\([^\n]*)$")
CALLED = later(r"\b(?P<name>[A-Za-z_]\w*[?!]?)\(")
BAD = later(
    r"[\"'`](?i:down|fail\w*|errors?|unhealthy|dead|not.?ready|unavailable|unreachable|degraded|bad|critical|disconnected"
    r"|offline|red|ko|not.?ok)[\"'`]|\b(?:Status|Health|State)\.(?i:down|fail\w*|unhealthy|degraded|error)\b"
)
HEALTH = later(r"(?i)health|readi(?:ness|ly)|readyz|live(?:ness|z)|heartbeat|probe|\bping|diagnos")
WORDS_OF_LANGUAGES = frozenset(("if", "for", "while", "switch", "return", "func", "function", "def", "catch", "await"))
HASH = frozenset(("python", "ruby", "shell", "elixir"))
FEW = 2


def told_unmeasured(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or file.binary or not is_in(WORTH, file.added_text):
            continue
        if language(file, change) is None or TEST_PLACE.search(file.path) or is_support(file.path):
            continue
        yield from _told(file, change)


def _told(file: FileChange, change: Change) -> Iterator[Hit]:
    measured = _measured(file)
    if not measured:
        return
    head = [line.decode("utf-8", "replace") for line in (change.blobs.after(file.path) or b"").split(b"\n")]
    mark = "#" if language(file, change) in HASH else "//"
    code = "\n".join(_code(line, mark) for line in head)
    found: dict[str, tuple[int, str]] = {}
    for number, added in file.added():
        for match in CONSTANT.finditer(_code(added.decode("utf-8", "replace"), mark)):
            key = _plain(match["key"])
            if key in measured and key not in found and not _is_measured(key, measured[key], code):
                found[key] = number, added.decode("utf-8", "replace").strip()
    about_health = HEALTH.search(file.path) is not None or HEALTH.search(code) is not None
    if BAD.search(code) is None and found and (len(found) >= FEW or about_health):
        number, line = next(iter(found.values()))
        detail = f"{', '.join(found)} of the report say that all is well, and nothing measures it"
        yield hit_at("code.stubbed", file.path, number, detail, line, key="measured")


def _code(line: str, mark: str) -> str:
    return "" if line.lstrip().startswith((mark, "*", "/*")) else without_note(line, mark)


def _measured(file: FileChange) -> dict[str, frozenset[str]]:
    """What was called for each member on the lines that are gone."""
    found: dict[str, frozenset[str]] = {}
    for hunk in file.hunks:
        for line in hunk.removed:
            match = MEASURED.search(line.decode("utf-8", "replace").rstrip())
            called = (
                frozenset(CALLED.findall(match["value"])) - WORDS_OF_LANGUAGES if match is not None else frozenset()
            )
            if match is not None and called:
                found[_plain(match["key"])] = called
    return found


def _is_measured(key: str, called: frozenset[str], code: str) -> bool:
    """Something of what was called for it is called still, or it is given another value later."""
    if any(re.search(rf"(?<!\w){re.escape(name)}\(", code) for name in called):
        return True
    given = rf"(?i)(?:\.|\[[\"'])\b{re.escape(key)}\b(?:[\"']\])?\s*[-+|&]?=(?![=>])"
    return re.search(given, code) is not None


def _plain(key: str) -> str:
    return key.strip("\"'").replace("_", "").lower()


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (told_unmeasured,)
