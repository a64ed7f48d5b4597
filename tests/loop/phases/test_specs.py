"""What a specification must say (spec: core concepts, phase 1)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.loop.phases.specs import Acceptance, Section, read_spec
from tests.loop.phases.samples import AUTHENTICATION, JOB, spec_text


def problems(text: str, path: str = "specs/a.md") -> tuple[str, ...]:
    return read_spec(path, text).problems


def test_the_example_of_the_specification_is_complete_as_it_stands() -> None:
    spec = read_spec("specs/authentication.md", AUTHENTICATION)
    assert spec.problems == ()
    assert spec.warnings == ()
    assert spec.title == "Authentication System Specification"
    assert [each.text for each in spec.acceptance] == [
        "Registration creates user in database",
        "Login returns JWT token",
        "Protected routes reject invalid tokens",
        "Password reset sends email within 30s",
    ]
    assert set(spec.sections) == set(Section)


HEADINGS = {
    "any level": ("Problem Statement", "#### Problem Statement"),
    "any case": ("Problem Statement", "## PROBLEM STATEMENT"),
    "numbered": ("Success Criteria", "## 2. Success criteria"),
    "numbered twice": ("Success Criteria", "## 2.1 Success criteria"),
    "in brackets": ("Success Criteria", "## 2) Success Criteria (measurable)"),
    "roman": ("Constraints", "## III. Constraints"),
    "a section": ("Constraints", "## Section 3: Constraints"),
    "emphasised": ("Constraints", "## **Constraints**:"),
    "with non-goals": ("Constraints", "## Constraints and non-goals"),
    "with non-goals, short": ("Constraints", "## Constraints & Non-Goals"),
    "with non-goals, parted": ("Constraints", "## Constraints / Non goals"),
    "underlined": ("Acceptance Criteria", "Acceptance Criteria\n---"),
    "closed": ("Acceptance Criteria", "## Acceptance Criteria ##"),
    "with a picture": ("Acceptance Criteria", "## ✅ Acceptance Criteria"),
}


@pytest.mark.parametrize("case", HEADINGS)
def test_how_a_heading_may_be_written(case: str) -> None:
    name, written = HEADINGS[case]
    assert problems(AUTHENTICATION.replace(f"## {name}", written)) == ()


NOT_HEADINGS = {
    "another name": "## Problems we had",
    "a word more": "## No Problem Statement yet",
    "bold text": "**Problem Statement**",
    "in code": "```\n## Problem Statement\n```",
    "in a comment": "<!-- ## Problem Statement -->",
    "indented like code": "\n    ## Problem Statement",
    "quoted": "> ## Problem Statement",
}


@pytest.mark.parametrize("case", NOT_HEADINGS)
def test_what_is_not_the_heading(case: str) -> None:
    text = AUTHENTICATION.replace("## Problem Statement", NOT_HEADINGS[case])
    assert problems(text) == ("the section `Problem Statement` is missing",)


FILLERS = (
    *("", "none", "None.", "- None", "* n/a", "N/A", "TBD", "- [ ] TBD", "TODO", "TODO: ask Anna", "- todo", "T.B.D."),
    *(
        "…",
        "...",
        "---",
        "???",
        "to be defined",
        "To be determined.",
        "**TBD**",
        "_none yet_",
        "todo - ask",
        "FIXME later",
        "xxx",
    ),
    *("[describe the problem here]", "<problem>", "{{problem}}", "- [Criterion 1]", "<!-- say what it is -->"),
    *("Lorem ipsum dolor sit amet", "not applicable", "No known constraints", "| |", "> TBD", "```\nreal text\n```"),
)


@pytest.mark.parametrize("section", ["problem", "success", "constraints", "acceptance"])
@pytest.mark.parametrize("filler", FILLERS)
def test_what_is_no_content(section: str, filler: str) -> None:
    found = problems(spec_text(**{section: filler}))
    assert any("says nothing yet" in each for each in found), found


CONTENT = ("Nobody can log in.", "- Nothing is stored twice", "None of the users can log in.", "[Notes](notes.md)")


@pytest.mark.parametrize(
    "text", [*CONTENT, "- x86 and ARM", "7", "Opens in 2 s", "Todo items can be deleted", "Todos are kept for a year."]
)
def test_what_is_content(text: str) -> None:
    assert problems(spec_text(constraints=text)) == ()


ACCEPTANCE = {
    "prose": ("It works.", "has no list items"),
    "one is open": ("- [ ] it works\n- [ ] TODO", "acceptance criterion 2 is still open"),
    "one is empty": ("- [ ]\n- [ ] it works", "acceptance criterion 1 is still open"),
    "a gate that nobody runs": ("- [ ] verify: pytest", "acceptance criterion 1 cannot be read"),
    "in a fence": ("What is accepted:\n```\n- [ ] it works\n```", "has no list items"),
}


@pytest.mark.parametrize("case", ACCEPTANCE)
def test_what_is_wrong_with_acceptance_criteria(case: str) -> None:
    text, expected = ACCEPTANCE[case]
    found = problems(spec_text(acceptance=text))
    assert len(found) == 1
    assert expected in found[0]


def test_criteria_that_name_a_command_are_told_apart() -> None:
    text = '- [x] uv run pytest passes\n- [ ] verify:"make e2e"\n- the upload passes\n1. `ruff check .` passes'
    assert read_spec("specs/a.md", spec_text(acceptance=text)).acceptance == (
        Acceptance(text="uv run pytest passes", command="uv run pytest"),
        Acceptance(text='verify:"make e2e"', command="make e2e"),
        Acceptance(text="the upload passes"),
        Acceptance(text="`ruff check .` passes", command="ruff check ."),
    )


def test_a_section_holds_what_stands_under_its_own_headings() -> None:
    text = spec_text(acceptance="### Reading\n- [ ] a\n### Writing\n- [ ] b") + "\n\n## Notes\n- c\n"
    assert [each.text for each in read_spec("specs/a.md", text).acceptance] == ["a", "b"]


def test_sections_may_lie_in_each_other() -> None:
    text = "# Problem Statement\nP\n## Success Criteria\nS\n### Constraints\nC\n#### Acceptance Criteria\n- A\n"
    assert problems(text) == ()


def test_an_open_point_beside_content_is_a_warning() -> None:
    spec = read_spec("specs/a.md", spec_text(constraints="- No new dependency\n- TODO: which Python?"))
    assert spec.problems == ()
    assert spec.warnings == ("the section `Constraints` holds an open point: - TODO: which Python?",)


JOBS = {
    "one sentence": JOB,
    "a list": "- **When** it rains\n- **I want to** stay dry\n- **So I can** work\n",
    "so that": "When it rains, I want a roof, so that I can work.",
}


@pytest.mark.parametrize("case", JOBS)
def test_a_job_to_be_done(case: str) -> None:
    assert read_spec("specs/a.md", spec_text() + JOBS[case]).job


@pytest.mark.parametrize("text", ["I want to be dry", "When it rains, so I can work", "```\n" + JOB + "```"])
def test_no_job_to_be_done(text: str) -> None:
    assert not read_spec("specs/a.md", text).job


@pytest.mark.parametrize("name", ["README.md", "overview.md", "Index.MD"])
def test_an_overview_needs_no_sections(name: str) -> None:
    spec = read_spec(f"specs/{name}", f"# All of it\n\n{JOB}")
    assert (spec.overview, spec.problems, spec.job) == (True, (), True)


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    spec = read_spec("specs/a.md", text)
    assert all(problem.isprintable() for problem in (*spec.problems, *spec.warnings))
    assert spec.title.isprintable()


@given(st.text())
def test_no_text_in_a_fence_fills_a_section(text: str) -> None:
    fenced = f"```\n{text.replace('`', '')}\n```"
    assert read_spec("specs/a.md", spec_text(problem=fenced)).problems


UNITS = ("- [ ] a\n", "## Constraints\n", "when I want ", "- \n", "<!--", "# ", " ", "x ", *"(*`[{}<|~#\t")


@pytest.mark.parametrize("unit", UNITS)
def test_a_large_page_is_read_in_reasonable_time(unit: str) -> None:
    started = time.process_time()
    read_spec(
        "specs/a.md",
        spec_text(problem=unit * (100_000 // len(unit)), acceptance=f"- a{unit * (100_000 // len(unit))}b"),
    )
    assert time.process_time() - started < 5
