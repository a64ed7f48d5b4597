"""Types that became Any where they are declared (policy set v2, class G01).

Rules, read from the changed lines alone; each is for a person, as a cast to Any is:

- A variable, parameter or result that had a type, and in whose place stands one with more of Any in it, is given up for
  the type checker.
- So is a variable that had none, and whose value stays and has a type of its own: a name, an attribute or a call. What
  a parser of data gives has none.
- So is what a new name of type Any stands for, in a line that is the same but for that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, Hunk, hit_at
from ralph.system.patterns import later

ANY = later(r"\bAny\b")
DECLARED = later(r"(?:(?<![\w.\"'])(?P<name>\w+)\s*:|\)\s*(?P<result>->))\s*(?P<type>[\w.\[\]| ]+(?:,[\w.\[\]| ]+\])*)")
_ANYTHING = r"[\"']?(?:\w+\.)?(?:Any|Callable\[\s*\.\.\.\s*,\s*(?:\w+\.)?Any\s*\]|type\[(?:\w+\.)?Any\])[\"']?"
OPENED = later(
    rf"^\s*(?P<name>[\w.]+)(?:\s*:\s*{_ANYTHING}\s*=\s*(?P<value>[^\s=][^#]*)|\s*=\s*(?P<said>[^\s=][^#]*)#\s*type:\s*{_ANYTHING})"
)
"""`lamp: Any = Lamp()`."""
GIVEN = later(r"^\s*(?P<name>[\w.]+)\s*=\s*(?P<value>[^\s=][^#]*)")
USED = later(r"(?<![\w.])[A-Za-z_]\w*")
OF_ITS_OWN = later(r"(?!(?:None|True|False)\b)(?:await\s+)?[A-Za-z_][\w.]*(?:\(.*)?")
OF_NO_TYPE = later(
    r"(?i)(?:\w+\.)*(?:loads?|safe_load|full_load|json|literal_eval|getattr|eval|import_module|__import__|cast|parse\w*|read_\w+"
    r"|\w*mock|patch|fetch(?:one|all|many)|get)\("
)
"""Calls whose answer may be anything."""


def widened(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if not file.path.endswith((".py", ".pyi")) or file.status != "M" or is_support(file.path):
            continue
        for hunk in file.hunks:
            if not any(b"Any" in line for line in hunk.added):
                continue
            before = {name: said for _, name, said in _declared(enumerate(hunk.removed))}
            for line, name, said in _declared(enumerate(hunk.added, start=hunk.new_start)):
                was = before.get(name, "object")
                if was != "object" and not _is_said(was, said) and len(ANY.findall(said)) > len(ANY.findall(was)):
                    text = f"{name} {was} became {said}"
                    yield _hit(file.path, line, text)
            for line, text in _opened(hunk):
                yield _hit(file.path, line, text)
        for line, text in _renamed(file):
            yield _hit(file.path, line, text)


def _is_said(was: str, said: str) -> bool:
    """A container that was written without what it holds (`dict`) held anything before, too."""
    return "[" not in was and said.startswith(f"{was.partition(' ')[0]}[")


def _hit(path: str, line: int, text: str) -> Hit:
    return hit_at("py.cast-any", path, line, text)


def _opened(hunk: Hunk) -> Iterator[tuple[int, str]]:
    """Variables that are Any now, and whose values stay."""
    before = {match["name"]: _value(match) for line in hunk.removed if (match := GIVEN.match(_text(line))) is not None}
    for number, name, value in _anything(hunk):
        if before.get(name) == value and not OF_NO_TYPE.match(value):
            yield number, f"{name} = {value} became Any"


def _renamed(file: FileChange) -> Iterator[tuple[int, str]]:
    """New names of type Any that take the place of another name in a line."""
    named = {each[1]: each for hunk in file.hunks for each in _anything(hunk) if "(" not in each[2]}
    if not named:
        return
    removed = {_text(line).strip() for hunk in file.hunks for line in hunk.removed}
    using: dict[str, set[str]] = {}
    for line in (_text(line).strip() for hunk in file.hunks for line in hunk.added):
        for used in set(USED.findall(line)) & named.keys():
            using.setdefault(used, set()).add(line)
    for number, name, value in named.values():
        word = re.compile(rf"(?<![\w.]){re.escape(name)}\b(?!\s*[:=])")
        if any(word.sub(value, each) in removed for each in using.get(name, ()) if word.search(each)):
            yield number, f"{name} is {value} as Any"


def _anything(hunk: Hunk) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(hunk.added, start=hunk.new_start):
        match = OPENED.match(_text(line)) if b"Any" in line else None
        if match is not None and OF_ITS_OWN.fullmatch(_value(match)) is not None:
            yield number, match["name"], _value(match)


def _value(match: re.Match[str]) -> str:
    return (match["value"] or match.groupdict().get("said") or "").strip()


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")


def _declared(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, str, str]]:
    for number, line in lines:
        for match in DECLARED.finditer(_text(line)):
            yield number, match["name"] or match["result"], match["type"].strip()


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (widened,)
