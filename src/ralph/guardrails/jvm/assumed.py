"""Java and Kotlin: an assumption that stood in the test before, in other words (policy set v2, class G02).

Rules:

- `assumeTrue(!slow())` and `assumeFalse(slow())` are one assumption; one of a constant that never holds skips always.
- A test that assumed something, and now assumes something else, skips no more than before as far as anybody can tell;
  but not where it assumes the opposite of what it assumed, or what never holds.
- A test that called a helper of its file which skips, and now assumes something itself, was skipped at times before,
  too: that is for a person, as what it hangs on is another thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.jvm.calls import NEVER, OPPOSITE, functions_and_assumptions, rule_of, spoken
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.tokens import tokens
from ralph.record import record, replace
from ralph.system.patterns import later

SKIP, SHOWN = "jvm.skip", "jvm.skip-platform"
ASSUMED = later(r"(?P<how>assume\w*|never) in (?P<where>.*)")


@record
class Assumed:
    """An assumption of a function, or the call of one of the file's functions that assumes something."""

    where: str
    line: int
    rule: str
    how: str
    condition: str
    called: str = ""


def respelled(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """Without assumptions that take the place of others, and with those in the place of a helper's for a person."""
    files: dict[str, tuple[list[Assumed], list[Assumed]]] = {}
    for hit in hits:
        told = ASSUMED.fullmatch(hit.key) if hit.rule == SKIP else None
        if told is None or told["how"] == NEVER:
            yield hit
            continue
        if hit.path not in files:
            files[hit.path] = _both(hit.path, change)
        gone, there = files[hit.path]
        now = next((each for each in there if each.line == hit.line and each.where == told["where"]), None)
        was = None if now is None else _in_its_place(now, gone, _file(hit.path, change))
        if was is None:
            yield hit
            continue
        gone.remove(was)
        if was.called:
            yield replace(hit, rule=SHOWN)


def _in_its_place(now: Assumed, gone: Sequence[Assumed], file: FileChange | None) -> Assumed | None:
    for was in (each for each in gone if each.rule == SKIP):
        opposite = was.condition == now.condition and was.how == OPPOSITE.get(now.how)
        if not opposite and (was.where == now.where or (file is not None and _in_one_run(file, was.line, now.line))):
            return was
    return None


def _in_one_run(file: FileChange, old: int, new: int) -> bool:
    return any(
        hunk.old_start <= old < hunk.old_start + len(hunk.removed)
        and hunk.new_start <= new < hunk.new_start + len(hunk.added)
        for hunk in file.hunks
    )


def _file(path: str, change: Change) -> FileChange | None:
    return next((file for file in change.files if file.path == path), None)


def _both(path: str, change: Change) -> tuple[list[Assumed], list[Assumed]]:
    """What the base assumed and the head no longer does, and what the head assumes."""
    old, new = (_of(path, read(path)) for read in (change.blobs.before, change.blobs.after))
    left = [(each.where, each.how, each.condition, each.called) for each in new]
    gone = []
    for each in old:
        if (known := (each.where, each.how, each.condition, each.called)) in left:
            left.remove(known)
        else:
            gone.append(each)
    return gone, [each for each in new if not each.called]


def _of(path: str, data: bytes | None) -> list[Assumed]:
    language = language_of(path)
    if data is None or language is None:
        return []
    source = Source(path, language, data)
    words = tokens(source)
    direct, calls = [], []
    for where, index, assumes in functions_and_assumptions(words):
        if index + 1 >= len(words) or words[index + 1].text != "(":
            continue
        rule = rule_of(words, index) if assumes else SKIP
        line = source.hit(rule, words[index].node, where).line
        if assumes:
            direct.append(Assumed(where, line, rule, *spoken(words, index)))
        else:
            calls.append(Assumed(where, line, rule, "", "", called=words[index].text))
    skipping = {each.where for each in direct}
    return [*direct, *(each for each in calls if each.called in skipping and each.where != each.called)]
