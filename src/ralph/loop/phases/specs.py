"""What a specification in `specs/*.md` says, and what is missing in it. Pure (spec: core concepts, phase 1).

Rules:

- A specification has four sections: Problem Statement, Success Criteria, Constraints (and non-goals), Acceptance
  Criteria. Their headings may stand at any level, in any case, numbered or not. Each has content: words such as `TBD`,
  `none` or a placeholder in brackets are no content. What is missing is a problem.
- Acceptance criteria are list items, with or without a check box; a ticked box says nothing. An item that is still open
  (`TODO …`), or that resembles a command to run and cannot be read as one, is a problem.
- The job to be done (When …, I want to …, so I can …) is asked for in the prompt. No specification needs it in its own
  text, but where none and no overview has it, the phase's check warns.
- `README.md`, `overview.md` and `index.md` are overviews: they need no sections.
- A tick, a status or a result that a specification claims for itself is text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import PurePosixPath

from ralph.loop.phases.markdown import Line, is_item, items, lines
from ralph.loop.plan.criteria import measured, read
from ralph.loop.plan.limits import MAX_CRITERION
from ralph.record import field, record
from ralph.system.text import visible

OVERVIEWS = frozenset({"readme.md", "overview.md", "index.md"})


class Section(StrEnum):
    PROBLEM = "Problem Statement"
    SUCCESS = "Success Criteria"
    CONSTRAINTS = "Constraints"
    ACCEPTANCE = "Acceptance Criteria"


@record(kw_only=True)
class Acceptance:
    """One acceptance criterion. `command` is what measures it, if it names a command (`<command> passes`)."""

    text: str
    command: str | None = None


@record(kw_only=True)
class Spec:
    """`acceptance` are the criteria in their order, `sections` the text of each that is there."""

    path: str
    title: str
    sections: Mapping[Section, str] = field(default_factory=dict)
    acceptance: tuple[Acceptance, ...] = ()
    job: bool = False
    """It says what job is to be done: when, what is wanted, to what end."""
    overview: bool = False
    text: str = ""
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


_NAMES = {
    Section.PROBLEM: re.compile(r"(the )?problem( statement)?"),
    Section.SUCCESS: re.compile(r"success (criteria|criterion)"),
    Section.CONSTRAINTS: re.compile(r"constraints?( (and )?non goals?)?|non goals? (and )?constraints?"),
    Section.ACCEPTANCE: re.compile(r"acceptance (criteria|criterion)"),
}
_NUMBER = re.compile(r"\A(?:section )?(?:\d[\d.]*|[a-z]|[ivxlc]+)[.):]* ")
_SIGNS = re.compile(r"\A\W+")
_NOTE = re.compile(r"\([^()]*\)")
_MARKS = re.compile(r"[\s>*_`~#|=+.,:;!?…\-–—/\\\[\](){}<>]+")
_FILLER = re.compile(
    r"|none|none (?:known|yet|so far|needed|at all)|no(?: known)? constraints?|nil|null|nothing|empty|etc|n a|na"
    r"|not applicable|unknown|unclear|t ?b ?[acd]|to be (?:added|announced|confirmed|decided|defined|determined|done)"
    r"|to do|todo|fixme|wip|pending|later|open|x+|lorem ipsum.*|coming soon|fill (?:me )?in|placeholder|see above"
)
_OPEN = re.compile(r"[\W_]*(?:(?:TODO|TB[ACD]|FIXME|XXX)\b|(?i:todo|tb[acd]|fixme)\s*[:(?!–—-])")
"""In small letters only with a sign behind it: "Todo items can be deleted" is a criterion."""
_PLACEHOLDER = re.compile(r"\W*(?:\[(?![ xX]\])[^\[\]]*\](?!\()|<[^<>]*>|\{[^{}]*\})\W*")
_JOB = tuple(re.compile(words, re.IGNORECASE) for words in (r"\bwhen\b", r"\bi want\b", r"\bso (?:that )?i can\b"))


def read_spec(path: str, text: str) -> Spec:
    """The specification at `path`, relative to the project's root."""
    page = lines(text)
    blocks = _blocks(page)
    criteria = tuple(items(blocks.get(Section.ACCEPTANCE, [])))
    overview = PurePosixPath(path).name.lower() in OVERVIEWS
    problems = () if overview else tuple(_problems(blocks, criteria))
    return Spec(
        path=path,
        title=_title(path, page),
        sections={section: "\n".join(line.text for line in block).strip() for section, block in blocks.items()},
        acceptance=tuple(_acceptance(each) for each in criteria if not _says_nothing(each)),
        job=_says_job(" ".join(_plain(line.text) for line in page if not line.code)),
        overview=overview,
        text=text,
        problems=problems,
        warnings=tuple(_warnings(blocks)),
    )


def _acceptance(text: str) -> Acceptance:
    return Acceptance(text=text, command=measured(text) if len(text) <= MAX_CRITERION else None)


def _blocks(page: list[Line]) -> dict[Section, list[Line]]:
    """The lines of each section. It ends at the next heading that is not below it, or that begins another section."""
    found: dict[Section, list[Line]] = {}
    section, level = None, 0
    for line in page:
        if line.heading:
            named = _section(line.text)
            if named:
                section, level = named, line.heading
                found.setdefault(named, [])
            elif line.heading <= level:
                section = None
        elif section:
            found[section].append(line)
    return found


def _section(title: str) -> Section | None:
    plain = _plain(_NOTE.sub(" ", title)).casefold().replace("&", " and ")
    words = _MARKS.sub(" ", _NUMBER.sub("", _SIGNS.sub("", plain))).strip()
    return next((section for section, name in _NAMES.items() if name.fullmatch(words)), None)


def _plain(text: str) -> str:
    """Without emphasis, and blanks made one."""
    return " ".join(re.sub(r"[*_`]+", "", text).split())


def _says_job(text: str) -> bool:
    """Whether the three parts of a job to be done follow each other."""
    place = 0
    for part in _JOB:
        found = part.search(text, place)
        if found is None:
            return False
        place = found.end()
    return True


def _title(path: str, page: list[Line]) -> str:
    first = next((line.text for line in page if line.heading and line.text), None)
    return visible(_plain(first)) if first else PurePosixPath(path).stem


def _problems(blocks: dict[Section, list[Line]], criteria: tuple[str, ...]) -> list[str]:
    found = []
    for section in Section:
        if section not in blocks:
            found.append(f"the section `{section}` is missing")
        elif all(line.code or _says_nothing(line.text) for line in blocks[section]):
            found.append(f"the section `{section}` says nothing yet")
        elif section is Section.ACCEPTANCE and not criteria:
            found.append(f"the section `{section}` has no list items: write each criterion as `- [ ] …`")
    for number, criterion in enumerate(criteria, start=1):
        if _says_nothing(criterion):
            found.append(f"acceptance criterion {number} is still open")
        elif len(criterion) > MAX_CRITERION:
            found.append(f"acceptance criterion {number} is longer than {MAX_CRITERION} characters")
        elif unclear := read(criterion).problem:
            found.append(f"acceptance criterion {number} cannot be read: {unclear.removesuffix('.')}")
    return found


def _warnings(blocks: dict[Section, list[Line]]) -> list[str]:
    return [
        f"the section `{section}` holds an open point: {visible(line.text.strip()[:80])}"
        for section, block in blocks.items()
        if section is not Section.ACCEPTANCE
        for line in block
        if not line.code and _OPEN.match(items([line])[0] if is_item(line) else line.text)
    ]


def _says_nothing(text: str) -> bool:
    """Whether a line is empty, a mark that something is to come, or a placeholder of a template."""
    shown = items([Line(text)])[0] if is_item(Line(text)) else text
    words = _MARKS.sub(" ", shown).strip().casefold()
    return _FILLER.fullmatch(words) is not None or bool(_OPEN.match(shown)) or bool(_PLACEHOLDER.fullmatch(shown))
