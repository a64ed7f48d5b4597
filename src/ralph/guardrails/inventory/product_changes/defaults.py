"""Options whose default the product changed (policy set v2, class G05), in all languages, by their lines.

`config.get("compat", True)` became `config.get("compat", False)`. A test that gave `False` may leave it out now, and
one that showed that the option is heard asks with the value that is no default any more. Rule: the product's line
differs in the default alone; then it is for a person that

- the very same is asked without the option, where it was given what is the default now;
- the value of a flag that is read back is the other one, given and wanted.

Whatever else the assertion asked is judged as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.loss import Loss
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, FileChange
from ralph.system.patterns import later

VALUE = r"(?P<value>[Tt]rue|[Ff]alse|None|null|nil|-?\d[\d_.]*|'[^'\n]*'|\"[^\"\n]*\")"
DEFAULT = later(
    rf"(?:\.(?:get|pop|fetch|setdefault|getOrDefault)\(|getattr\([^,\n]+,)\s*[:\"']?(?P<got>[\w.-]+)[\"']?\s*,\s*{VALUE}\s*\)"
    rf"|[.\"'](?P<asked>[\w-]+)(?:[\"']\])?\s*(?:\?\?|\|\|)\s*{VALUE.replace('value', 'else')}"
)
SAYS_DEFAULT = later(rb"\b(?:get|pop|fetch|setdefault|getOrDefault|getattr)\b|\?\?|\|\|")
OPPOSITE = {"True": "False", "False": "True", "true": "false", "false": "true"}
BLANK = later(r"\s+")


def of_default(loss: Loss, change: Change) -> bool:
    """The loss only follows a default that the product changed."""
    old = loss.old
    if old is None:
        return False
    for name, value in _changed(change):
        entry = re.compile(rf"[\"']?{re.escape(name)}[\"']?\s*(?:=>|[:=])\s*{re.escape(value)}(?![\w.])")
        if not entry.search(old.subject):
            continue
        if loss.gone is not None:
            without = _without(entry, old.subject), _without(entry, old.wanted)
            asked = [each for each in loss.pair.new.facts().checks if each.relation == old.relation]
            if any((_bare(each.subject), _bare(each.wanted)) == without for each in asked if each.grade >= old.grade):
                return True
        elif loss.new is not None and loss.new.exactly and old.wanted == value in OPPOSITE:
            return any(each == loss.new.subject for each in _turned(entry, old.subject, value))
    return False


def _turned(entry: re.Pattern[str], text: str, value: str) -> Iterator[str]:
    """The text with the opposite given, at each place where the option is."""
    for match in entry.finditer(text):
        yield f"{text[: match.start()]}{match[0].replace(value, OPPOSITE[value])}{text[match.end() :]}"


def _changed(change: Change) -> Iterator[tuple[str, str]]:
    """Each option, and what it is by default now."""
    for file in change.files:
        if file.status == "M" and not file.binary and not is_support(file.path):
            yield from _of_file(file)


def _of_file(file: FileChange) -> Iterator[tuple[str, str]]:
    for hunk in file.hunks:
        removed, added = ([line for line in side if SAYS_DEFAULT.search(line)] for side in (hunk.removed, hunk.added))
        for line in added if removed else ():
            text = line.decode("utf-8", "replace")
            match = DEFAULT.search(text)
            if match is not None and _was_another(text, match, [each.decode("utf-8", "replace") for each in removed]):
                yield match["got"] or match["asked"], match["value"] or match["else"]


def _was_another(text: str, match: re.Match[str], removed: Sequence[str]) -> bool:
    """A line of the base is the same, but for the default."""
    start, end = match.span("value" if match["value"] else "else")
    return any(
        each != text
        and each.startswith(text[:start])
        and each.endswith(text[end:])
        and len(each) > len(text) - end + start
        for each in removed
    )


def _without(entry: re.Pattern[str], text: str) -> str:
    """The text without the option, and without the comma that went with it."""
    cut = re.compile(rf",\s*(?:{entry.pattern})|(?:{entry.pattern})\s*,?")
    return _bare(cut.sub("", text))


def _bare(text: str) -> str:
    return BLANK.sub("", text)
