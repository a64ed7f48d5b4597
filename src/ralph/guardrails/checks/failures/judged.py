"""The checks of one shell text, each with what is wrong with the way the text runs it (see `thought`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from ralph.guardrails.checks.failures.listings import UNHEARD, ends_well, is_heard
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.programs import services
from ralph.guardrails.checks.shell.commands import parses_only
from ralph.guardrails.checks.shell.folders import folder_of
from ralph.guardrails.checks.shell.outline import SHELLS, Check, Outline, outline
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.checks.shell.state import Doubt, State, Unfathomable
from ralph.guardrails.checks.shell.thought import Budget, Thought
from ralph.record import record, replace
from ralph.system.patterns import later

Judged = tuple[Check, dict[Flaw, str]]
MAX_CHECKS = 60
NO_SHELL = later(r"(?:^|/)(?:true|:|echo|cat|false|test)\b")
OTHER_SHELL = later(r"(?:SHELL|--script-shell)=(.*)")
NO_ERRORS = later(r"MAKEFLAGS=.*(?:-?\bi\b|--ignore-errors|-\w*i)")
"""What make and npm are told to run commands with."""
IGNORES = {
    "make": frozenset(("-i", "--ignore-errors")),
    **dict.fromkeys(("inv", "invoke"), frozenset(("-w", "--warn-only"))),
}
MAKE_PRINTS = frozenset(("-n", "--dry-run", "--just-print", "--recon", "-q", "--question", "-t", "--touch"))
PRINTS = {
    "make": MAKE_PRINTS,
    "ninja": frozenset(("-n", "--dry-run")),
    "rake": frozenset(("-n", "--dry-run", "-P", "--prereqs", "-T", "--tasks", "-W", "--where")),
    "just": frozenset(("-n", "--dry-run", "-l", "--list", "-s", "--show", "--evaluate", "--summary", "--dump")),
    "task": frozenset(("-n", "--dry", "-l", "--list", "-a", "--list-all", "--status", "--summary")),
    "poe": frozenset(("-d", "--dry-run")),
    **dict.fromkeys(("inv", "invoke"), frozenset(("-R", "--dry", "-l", "--list"))),
    "tox": frozenset(("config", "list", "devenv", "schema")),
}

LOST = "its failure does not fail what runs it"
APART = "nobody hears how it ends"
RETRIED = "it is run again until it succeeds"
ROUND = "only its last round counts"
STATUS = later(
    r"\$\{?\w*[?\w]\}?[\"']?\s*(?:-eq|-ne|==?|!=)\s*[\"']?(\d{1,3})\b|^\s*\(?(?:\d+\|)*(\d{1,3})\)", re.MULTILINE
)
"""Numbers that something is compared with: `[ $? -eq 124 ]`, an arm of a `case`."""
STATUS_NAMED = later(r"(?i)\$\{?(?:\?|\w*(?:status|stat|rc|code|ret|exit|err|result|res)\w*)")
STATUS_KEPT = later(
    r"(?s)\b(\w+)=[\"']?\$(?:\?|\{PIPESTATUS).{0,400}?"
    r"\$\{?\1\}?[\"']?\s*(?:-eq|-ne|==?|!=)\s*[\"']?(\d{1,3})\b"
)
"""A variable that keeps a status, and a number that it is compared with."""
MOST_STATUSES = 12
TIMED_OUT = frozenset({124, 137, 143})
"""What `timeout` says of a command that took too long."""
HIGHEST = 255
LOOP = later(r"\b(?:for|while|until)\b")
UNKNOWN = "what becomes of its failure cannot be told"


@record
class Shell:
    """How a text is run: with `set -e` or `pipefail` from the start, and as part of a check (`named`) or not."""

    errexit: bool = False
    pipefail: bool = False
    named: bool = False


PLAIN = Shell()


@lru_cache(maxsize=2_000)
def judged(text: str, shell: Shell = PLAIN, variables: tuple[tuple[str, str | None], ...] = ()) -> tuple[Judged, ...]:
    """Rows count from 0. Text that does not parse is read line by line, so that nothing hides in it."""
    script = Script(text)
    known = dict(variables)
    if not script.root.has_error:
        return tuple(_judged(outline(script, known, everything=shell.named), shell))
    lines = (Script(line, row) for row, line in enumerate(text.split("\n")))
    found = (each for line in lines for each in _judged(outline(line, known, everything=shell.named), shell))
    return tuple((check, {"lost-maybe": UNKNOWN, **flaws}) for check, flaws in found)


def _judged(found: Outline, shell: Shell) -> Iterator[Judged]:
    for index, (place, check) in enumerate(found.places()):
        if index >= MAX_CHECKS:
            yield check, {"lost-maybe": UNKNOWN}
            continue
        start = State(errexit=shell.errexit, pipefail=shell.pipefail)
        flaws = dict(_flaws(found, place, start))
        if not flaws and not check.retried and _is_lost_in_a_round(found, place, start):
            flaws["lost-round"] = ROUND
        if not flaws and (forgiven := _forgiven(found, place, start)) is not None:
            flaws["lost" if forgiven in TIMED_OUT else "lost-maybe"] = f"to end with {forgiven} is no failure of it"
        if (IGNORES.get(check.words[0]) or frozenset()).intersection(check.words):
            flaws["lost"] = LOST
        if check.detached or (check.words[0] == services.COMPOSE and services.APART in check.words):
            flaws["lost"] = APART
        if check.words[0] == "make" and any(map(NO_ERRORS.match, check.words)):
            flaws["lost"] = LOST
        shells = [word[1] for word in map(OTHER_SHELL.fullmatch, check.words) if word]
        shells += [shell for option, shell in pairwise(check.words) if option in ("--shell", "--script-shell")]
        if any(map(NO_SHELL.search, shells)):
            flaws["lost"] = LOST
        if (PRINTS.get(check.words[0]) or frozenset()).intersection(check.words):
            flaws["not-run"] = "it is only printed"
        if SHELLS.fullmatch(check.words[0]) and parses_only(check.words[1:]):
            flaws["not-run"] = "it is only parsed"
        if len(place) == 1 and ends_well(check.words) and not is_heard(found.script, place[0]):
            flaws.setdefault("unheard", UNHEARD)
        check = replace(check, folder=folder_of(found, place))
        yield check, {**flaws, **({"retried": RETRIED} if check.retried else {})}


def _flaws(found: Outline, place: Sequence[int], start: State) -> Iterator[tuple[Flaw, str]]:
    try:
        ends = Thought(found, place, Budget()).run(start)
    except Unfathomable:
        yield "lost-maybe", UNKNOWN
        return
    good = [end for end in ends if end.status == 0]
    lost, missed = [end for end in good if end.reached], [end for end in good if not end.reached]
    if lost:
        always = all(end.status == 0 for end in ends if end.reached)
        yield ("lost" if always else "lost-if" if _open(lost) else "lost-maybe"), LOST
    if missed:
        never = not any(end.reached for end in ends)
        kind: Flaw = "not-run" if never else "run-if" if _open(missed) else "run-maybe"
        yield kind, "it is never reached" if never else "it runs only under a condition"


def _is_lost_in_a_round(found: Outline, place: Sequence[int], start: State) -> bool:
    """A loop goes on after the check failed, and ends well if it does not fail again."""
    if not LOOP.search(found.script.text):
        return False
    try:
        ends = Thought(found, place, Budget(), once=True).run(start)
    except Unfathomable:
        return False
    return any(end.status == 0 and end.reached for end in ends)


def _forgiven(found: Outline, place: Sequence[int], start: State) -> int | None:
    """A status that the script asks for, and with which the check may fail unheard; that of `timeout` before others."""
    text = found.script.text
    asked = _asked(text)
    for status in sorted(asked - {0, 1}, key=lambda each: each not in TIMED_OUT):
        if status > HIGHEST or (status in TIMED_OUT and "timeout" not in text):
            continue
        try:
            ends = Thought(found, place, Budget(), status=status).run(start)
        except Unfathomable:
            return None
        if any(end.status == 0 and end.reached for end in ends):
            return status
    return None


def _asked(text: str) -> set[int]:
    """What the script compares statuses with; of one that compares much else only what is named after them."""
    found = {int(match[1] or match[2]) for match in STATUS.finditer(text)}
    if len(found) <= MOST_STATUSES:
        return found
    kept = {match[1] or match[2] for match in STATUS.finditer(text) if match[2] or STATUS_NAMED.match(match[0])}
    kept |= {match[2] for match in STATUS_KEPT.finditer(text)}
    return set(sorted(map(int, kept))[:MOST_STATUSES])


def _open(ends: Sequence[State]) -> bool:
    """True if a variable of the environment alone decides."""
    alone: frozenset[Doubt] = frozenset({"variable"})
    return any(end.doubts <= alone for end in ends)
