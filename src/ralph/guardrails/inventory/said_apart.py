"""An error of a certain message, whose message is now asked for by itself (policy set v2, class G05).

`await t.throwsAsync(run(1), { message: /too large/ })` became

    const { message } = await t.throwsAsync(run(1));
    t.true(message.includes("too large"));

Rules:

- All of the text that the error had to have stands in what its message, or that of its cause, is compared with now, by
  an assertion that is new and always runs. In a template a name may stand for a word of it. Where the text was all of
  the message, it is now.
- That there is an error is still asked: the same is refused, with the class that it was refused with; or what is asked
  about is of type `Error`, or was caught.
- The test says the text nowhere else: what it asks about is nothing that it wrote itself.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.values import PUT_OFF
from ralph.system.patterns import later

WORDED = later(
    r"(?:\{ message: |(?P<kind>[A-Z][\w:]*) )?"
    r"(?:/ ?(?P<pattern>[^/]+?) ?/|'(?P<single>[^'\\]*)'|\"(?P<double>[^\"\\]*)\")(?: \})?"
)
"""What a `raises` wants that wants nothing but a message, or an exception of a class with a message."""
RAISES = frozenset({"raises", "raise_error", "assert_raises", "must_raise"})
PART = later(r"(?P<of>(?:.+\.)?message)\.includes\((?P<text>'[^'\\]*'|\"[^\"\\]*\"|`[^`]*`)\)", re.DOTALL)
MESSAGE = later(r"(?:.+\.)?message", re.DOTALL)
TEXT = later(r"'[^'\\]*'|\"[^\"\\]*\"|`[^`]*`|/.+/")
ESCAPED = later(r"\\([^\w\s])")
OPEN = later(r"\\\w|[\^$*+?|(){}\[\]]|\.(?!\w)")
"""What makes a pattern more than a text."""
PLACE = later(r"\$\{[\w.$]+\}")
CAUGHT = later(r"\bcatch\s*\(")
CONSTANT = later(r"'[^'\\]{3,}'")


def says_apart(old: Check, before: Facts, after: Facts) -> bool:
    """The message that the error of an assertion must have is asked for, and that there is an error."""
    told = _told(old)
    if not told:
        return False
    whole = _is_whole(old)
    known = {check.key for check in before.checks}
    asking = [
        (check, owner)
        for check in after.checks
        if check.key not in known and check.grade >= Grade.SHAPE and not check.perhaps
        if (owner := _owner(check, told, whole)) is not None
    ]
    body = _squeezed(after.body)
    if body.count(told) > len(asking):
        return False
    return any(_is_of_an_error(owner, old, after) for _, owner in asking)


def _told(old: Check) -> str:
    """The text that a message had to hold, without its spaces; nothing where that cannot be told."""
    worded = WORDED.fullmatch(old.wanted) if old.relation in RAISES else None
    if worded is None or worded["pattern"] is None:
        return "" if worded is None else _squeezed(worded["single"] or worded["double"] or "")
    text = ESCAPED.sub("", worded["pattern"])
    return "" if OPEN.search(text) else _squeezed(ESCAPED.sub(r"\1", worded["pattern"]))


def _is_whole(old: Check) -> bool:
    """A text is the whole message, but for what a function of Jest or Chai is handed, and for Python's patterns."""
    worded = WORDED.fullmatch(old.wanted)
    return worded is not None and worded["pattern"] is None and (old.relation != "raises" or old.wanted[0] == "{")


def _owner(check: Check, told: str, whole: bool) -> str | None:
    """Whose message it is that must hold the text."""
    part = PART.fullmatch(check.subject) if check.relation == "part" else None
    if part is not None:
        subject, text = part["of"], part["text"]
    elif (
        check.relation in ("==", "in", "matches") and MESSAGE.fullmatch(check.subject) and TEXT.fullmatch(check.wanted)
    ):
        subject, text = check.subject, ESCAPED.sub(r"\1", check.wanted)
    else:
        return None
    said = _squeezed(text[1:-1])
    asks = (check.relation == "==" and said == told) if whole else (told in said or _fits(said, told))
    return subject.removesuffix("message").removesuffix(".") if asks else None


def _fits(said: str, told: str) -> bool:
    """A template that is the text where each of its places is a word; most of the text stands in it."""
    parts = PLACE.split(said)
    if len(parts) == 1 or 2 * len("".join(parts)) < len(told):
        return False
    return re.fullmatch(r"[\w.$]+".join(map(re.escape, parts)), told) is not None


def _is_of_an_error(owner: str, old: Check, after: Facts) -> bool:
    owner = re.sub(r"(?:(?:^|\.)cause)+$", "", owner)
    call = PUT_OFF.sub("", old.subject).strip("{} ;")
    sure = [check for check in after.checks if check.grade and not check.perhaps]
    worded = WORDED.fullmatch(old.wanted)
    kind = worded["kind"] if worded is not None else None
    refused = (check for check in sure if check.relation in RAISES and (kind is None or check.wanted == kind))
    if any(PUT_OFF.sub("", check.subject).strip("{} ;") == call for check in refused):
        return True
    if kind is not None or not _is_still_run(call, after) or owner.startswith(call):
        return False
    if any(check.relation == "type" and check.wanted.endswith("Error") and check.subject == owner for check in sure):
        return True
    return re.fullmatch(r"\w+", owner) is not None and CAUGHT.search(after.body) is not None


def _is_still_run(call: str, after: Facts) -> bool:
    """The function that raised is called, or another one with the same texts."""
    name, texts = call.partition("(")[0].rpartition(".")[2], CONSTANT.findall(call)
    named = bool(name) and re.search(rf"(?<![\w$]){re.escape(name)}\(", after.body) is not None
    return named or (bool(texts) and after.literals.issuperset(texts))


def _squeezed(text: str) -> str:
    return "".join(text.split()).replace('"', "'")
