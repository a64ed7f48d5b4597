"""An error of a certain message, whose message is now asked for by itself (policy set v2, class G05).

`await t.throwsAsync(run(1), { message: /too large/ })` became

    const { message } = await t.throwsAsync(run(1));
    t.true(message.includes("too large"));

Rules:

- All of the text that the error had to have stands in what its message, or that of its cause, is compared with now, by
  an assertion that is new and always runs. In a template a name may stand for a word of it. Where the text was all of
  the message, it is now.
- That there is an error is still asked: the same is refused, with the class that it was refused with; or what is asked
  about is of type `Error`, or was caught where the same is tried.
- The message is that of this error: what is asked about is given by the same call, or by a block of its refusal.
- The test says the text nowhere else: what it asks about is nothing that it wrote itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.wanted.values import PUT_OFF
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
GIVEN = r"(?:await)?[\w.$]*\(?(?:async)?(?:\(\)=>)?\{?(?:return)?(?:await)?"
"""What may stand between a name and the call that gives it: `{message}=awaitt.throwsAsync(`."""
CALLED = later(r"(?:await)?([\w.$]+\([^()]*)")
HANDLED = later(r"try\{(.*?)\}catch\((\w+)(?::\w+)?\)\{(?:(\w+)=\2)?", re.DOTALL)
LEAVES = later(r"return|catch\b")
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
    owner = _squeezed(re.sub(r"(?:(?:^|\.)cause)+$", "", owner))
    body, call = _squeezed(after.body), _squeezed(PUT_OFF.sub("", old.subject).strip("{} ;"))
    sure = [check for check in after.checks if check.grade and not check.perhaps]
    worded = WORDED.fullmatch(old.wanted)
    kind = worded["kind"] if worded is not None else None
    refused = (check for check in sure if check.relation in RAISES and (kind is None or check.wanted == kind))
    if any(_squeezed(PUT_OFF.sub("", check.subject).strip("{} ;")) == call for check in refused):
        shared = f"|{owner}|" in body or any(re.match(GIVEN + re.escape(call), value) for value in _values(owner, body))
        return shared or call in owner
    if kind is not None or owner.startswith(call):
        return False
    if any(check.relation == "type" and check.wanted.endswith("Error") and check.subject == owner for check in sure):
        return any(_is_like(call, value) for value in (owner, *_values(owner, body)))
    return re.fullmatch(r"\w+", owner) is not None and _is_caught(owner, call, body)


def _values(owner: str, body: str) -> Iterator[str]:
    """What gives a name, or a message without an owner, as a part of something: `{ message } = ...`."""
    name = re.escape(owner or "message")
    return (body[found.end() :] for found in re.finditer(rf"\{{[^{{}}=]*\b{name}\b[^{{}}=]*\}}=", body))


def _is_like(call: str, value: str) -> bool:
    """The function that raised is called there, or another one with the same texts."""
    found = CALLED.match(value)
    name, texts = call.partition("(")[0].rpartition(".")[2], CONSTANT.findall(call)
    if found is None:
        return False
    named = found[1].partition("(")[0].rpartition(".")[2] == name
    return named or (bool(texts) and set(CONSTANT.findall(found[1])) >= set(texts))


def _is_caught(owner: str, call: str, body: str) -> bool:
    """A handler gets it where the call is tried, and a variable that takes it has nothing else."""
    for tried, name, variable in HANDLED.findall(body):
        if owner not in (name, variable) or call not in tried or LEAVES.search(tried) is not None:
            continue
        if not variable or len(re.findall(rf"{variable}=(?!=|null|undefined)", body)) == 1:
            return True
    return False


def _squeezed(text: str) -> str:
    return "".join(text.split()).replace('"', "'")
