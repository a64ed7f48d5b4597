"""spec-kit's `tasks.md` as tasks: `- [ ] T012 [P] [US1] Create the model in src/models/user.py (depends on T004)`.

Rules:

- Ids stay as they are. Phases (`## Phase 3: …`) become priorities in their order, and in a phase the order of the file
  counts, so that tasks are done in the order in which they stand.
- A task depends on what the file says: `(depends on T004, T005-T007)` in its text, and in the section "Dependencies"
  lines such as `T003 blocks T004`, `T009 depends on T008`, `Tests (T004-T007) before implementation (T008-T014)` and
  `T001 -> T002`. Phases named setup, foundation or prerequisites come before everything behind them.
- `[P]` says what could be done at the same time. Ralph does one task after the other, so it is only noted.
- A box without an id is a criterion of the task that it is a part of. In a phase it is an error; so are a placeholder
  (`TXXX`) and an unknown id; elsewhere (lists of what to check at the end) it is left out, and noted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ralph.loop.plan.markdown import Box, Document, Problem
from ralph.record import field, record

_ID = r"T\d{3,5}[a-z]?"
_TASK = re.compile(rf"\**({_ID})\**:?\s+((?:\[[A-Za-z]+\d*\]\s*)*)(.*)", re.DOTALL)
_TAG = re.compile(r"\[(P|US\d+)\]\s*")
_PHASE = re.compile(r"phase\s+\S", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:setup|set-up|foundation|foundational|prerequisites?)\b", re.IGNORECASE)
_SOME_IDS = rf"{_ID}(?:\s*(?:[-–—]|to|through)\s*T?\d{{3,5}}[a-z]?)?"
_RANGE = re.compile(rf"({_ID})(?:\s*(?:[-–—]|to|through)\s*(T?\d{{3,5}}[a-z]?))?")
_NEEDS_IN_TEXT = re.compile(
    rf"\b(?:depends?\s+on|requires?|needs|after|blocked\s+by)[:\s]+({_SOME_IDS}(?:\s*(?:,|and|&|\+)\s*{_SOME_IDS})*)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\bblocks?\b|\bbefore\b|\bprecedes?\b|→|-+>|=+>", re.IGNORECASE)
_AFTER = re.compile(r"\bdepends?\s+on\b|\brequires?\b|\bneeds?\b|\bafter\b|\bblocked\s+by\b|←", re.IGNORECASE)


@record(frozen=False)
class Draft:
    """A task on its way into a plan, with the line that it stands on."""

    line: int
    id: str
    description: str
    priority: int
    checked: bool
    dependencies: dict[str, int] = field(default_factory=dict)
    """Each with the line that says so."""
    criteria: list[Problem] = field(default_factory=list)
    extra: dict[str, str | bool] = field(default_factory=dict)


def is_speckit(document: Document) -> bool:
    return any(_TASK.fullmatch(box.text) for box in document.boxes)


def read_speckit(document: Document) -> tuple[list[Draft], list[Problem], list[Problem]]:
    """The tasks, what is wrong, and what was not understood."""
    drafts, problems, notes = _drafts(document)
    ids = [draft.id for draft in drafts]
    by_id = {draft.id: draft for draft in drafts}
    for draft in drafts:
        for found in _NEEDS_IN_TEXT.finditer(draft.description):
            draft.dependencies |= dict.fromkeys(_ids(found[1], ids), draft.line)
    for heading, (line, text) in document.sections:
        if "dependenc" not in heading.lower() or not re.search(rf"\b{_ID}\b", text):
            continue
        pairs = list(_pairs(text, ids))
        if not pairs:
            notes.append((line, "no dependency was understood in this line"))
        for before, after in pairs:
            if after in by_id:
                by_id[after].dependencies.setdefault(before, line)
            else:
                problems.append((line, f"there is no task {after}"))
    return drafts, problems, notes


def _drafts(document: Document) -> tuple[list[Draft], list[Problem], list[Problem]]:
    drafts: list[Draft] = []
    problems: list[Problem] = []
    notes: list[Problem] = []
    criteria = {id(part) for box in document.boxes if _TASK.fullmatch(box.text) for part in box.parts}
    phase, number, first, phase_ids = "", 1, list[str](), list[str]()
    for box in document.boxes:
        heading = next((text for _, text in reversed(box.headings) if _PHASE.match(text)), "")
        if heading != phase:
            if _FIRST.search(phase):
                first = phase_ids
            number += bool(phase) or bool(drafts)
            phase, phase_ids = heading, []
        found = _TASK.fullmatch(box.text)
        if found is None:
            if id(box) not in criteria:
                told = "this task has no id: begin it with one, such as T012" if heading else "this box is no task"
                (problems if heading else notes).append((box.line, told))
            continue
        draft = _draft(box, found, min(number, 1000))
        draft.dependencies = dict.fromkeys(first, box.line)
        drafts.append(draft)
        phase_ids.append(draft.id)
    return drafts, problems, notes


def _draft(box: Box, found: re.Match[str], priority: int) -> Draft:
    tags = _TAG.findall(found[2])
    rest = _TAG.sub("", found[2]) + found[3]
    extra: dict[str, str | bool] = {"parallel": True} if "P" in tags else {}
    if stories := [tag for tag in tags if tag != "P"]:
        extra["story"] = stories[0]
    parts = [(part.line, part.text) for part in box.parts if not _TASK.fullmatch(part.text)]
    criteria = sorted([*box.points, *parts])
    return Draft(box.line, found[1], rest.strip(), priority, box.checked, criteria=criteria, extra=extra)


def _pairs(text: str, ids: list[str]) -> Iterator[tuple[str, str]]:
    """Of each pair the first comes before the second."""
    for pattern, forward in ((_BEFORE, True), (_AFTER, False)):
        groups = [_ids(part, ids) for part in pattern.split(text)]
        if len(groups) < 2:
            continue
        for left, right in pairwise(groups):
            earlier, later = (left, right) if forward else (right, left)
            yield from ((before, after) for before in earlier for after in later if before != after)
        return


def _ids(text: str, known: list[str]) -> list[str]:
    """The ids in a text; a range stands for every task of the file between its ends."""
    found: list[str] = []
    for first, last in _RANGE.findall(text):
        last = last if not last or last.startswith("T") else f"T{last}"
        if last and first in known and last in known:
            found += known[known.index(first) : known.index(last) + 1]
        else:
            found += [first, last] if last else [first]
    return found
