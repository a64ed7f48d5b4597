"""Tasks from Markdown: spec-kit's tasks.md and any checklist, all or nothing, with the line of whatever is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.loop.plan.importing import merged, read_tasks
from ralph.loop.plan.markdown import ImportRefused
from ralph.loop.plan.model import ImplementationPlan, TaskStatus
from ralph.loop.plan.selection import check, next_task
from ralph.loop.plan.transitions import complete, start
from tests.loop.plan.making import STAMP, plan

SPEC_KIT = """---
description: "tasks"
---

# Tasks: Login

## Format: `[ID] [P?] [Story] Description`

- **[P]**: Can run in parallel
- [P] tasks = different files

## Phase 1: Setup (Shared Infrastructure)

- [x] T001 Create the project
- [ ] T002 [P] Configure linting

## Phase 2: Foundational (Blocking Prerequisites)

- [ ] T003 Set up the database

**Checkpoint**: ready

## Phase 3: User Story 1 - Login (Priority: P1)

### Tests for User Story 1

- [ ] T004 [P] [US1] Test of the endpoint in tests/test_login.py
- [ ] T005 [P] [US1] Test of the model in tests/test_user.py

### Implementation for User Story 1

- [ ] T006 [P] [US1] Create the model in src/user.py
  that holds the password
  - verify:"pytest tests/test_user.py"
  - the password is hashed
- [ ] T007 [US1] Add the endpoint in src/login.py (depends on T006)
  - [ ] returns 400 without a password

## Phase N: Polish

- [ ] T008 Write docs/login.md

## Dependencies & Execution Order

- **Foundational (Phase 2)**: BLOCKS all user stories
- Tests (T004-T005) before implementation (T006-T007)
- T008 depends on T007
- T002 can run whenever

```bash
Task: "- [ ] T900 in a fence"
```

<!-- - [ ] T901 in a comment -->

## Before release

- [ ] Everything was looked at
"""

CHECKLIST = """# Login

- [ ] Create the user model
  - password is hashed
  - pytest tests/test_user.py passes

## Endpoints

1. [ ] api-02: Add registration (depends on Create, api-03)
* [X] **api-03**: Add login
    - [ ] Write the test
    - [ ] Write the code
- no box
"""


def numbers(text: str) -> dict[str, int]:
    return {line.strip(): number for number, line in enumerate(text.splitlines(), start=1)}


def test_a_spec_kit_file() -> None:
    found = read_tasks(SPEC_KIT, "tasks.md")
    assert found.kind == "spec-kit"
    by_id = {each.id: each for each in found.tasks}
    assert list(by_id) == [f"T00{number}" for number in range(1, 9)]
    assert [each.priority for each in found.tasks] == [1, 1, 2, 3, 3, 3, 3, 4]
    assert by_id["T004"].description == "Test of the endpoint in tests/test_login.py"
    assert by_id["T006"].description == "Create the model in src/user.py that holds the password"
    assert by_id["T006"].verification_criteria == ('verify:"pytest tests/test_user.py"', "the password is hashed")
    assert by_id["T007"].verification_criteria == ("returns 400 without a password",)
    assert by_id["T004"].extra == {"parallel": True, "story": "US1"}
    assert {name: set(each.dependencies) for name, each in by_id.items()} == {
        "T001": set(),
        "T002": set(),
        "T003": {"T001", "T002"},
        "T004": {"T003"},
        "T005": {"T003"},
        "T006": {"T003", "T004", "T005"},
        "T007": {"T003", "T004", "T005", "T006"},
        "T008": {"T003", "T007"},
    }


def test_a_checked_box_is_a_claim() -> None:
    """Nothing is complete because somebody ticked it."""
    found = read_tasks(SPEC_KIT, "tasks.md")
    assert all(each.status is TaskStatus.PENDING for each in found.tasks)
    assert found.tasks[0].completion_notes == "checked in tasks.md (line 14), which is a claim"
    assert found.notes[0] == (14, "T001 is checked, which is a claim: it will be measured like the others")


def test_what_was_not_understood_is_told() -> None:
    lines = numbers(SPEC_KIT)
    assert read_tasks(SPEC_KIT, "tasks.md").notes[1:] == (
        (lines["- T002 can run whenever"], "no dependency was understood in this line"),
        (lines["- [ ] Everything was looked at"], "this box is no task"),
    )


def test_the_order_is_that_of_the_file() -> None:
    left, _, _ = merged(ImplementationPlan(), SPEC_KIT, "tasks.md")
    order = []
    while (task := next_task(left)) is not None:
        order.append(task.id)
        left = complete(start(left, task.id), task.id, at=STAMP)
    assert order == [f"T00{number}" for number in range(1, 9)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- T001 blocks T002, T003", {"T002": {"T001"}, "T003": {"T001"}}),
        ("- T003 depends on T001 and T002", {"T003": {"T001", "T002"}}),
        ("- T003 requires T001", {"T003": {"T001"}}),
        ("- T003 blocked by T001", {"T003": {"T001"}}),
        ("- T001 → T002 → T003", {"T002": {"T001"}, "T003": {"T002"}}),
        ("- T001 -> T002", {"T002": {"T001"}}),
        ("- Tests (T001-T002) before implementation (T003)", {"T003": {"T001", "T002"}}),
        ("- Implementation (T003) after tests (T001–002)", {"T003": {"T001", "T002"}}),
        ("- T002 has no dependencies", {}),
        ("- Models before services", {}),
    ],
)
def test_dependencies_of_spec_kit(line: str, expected: dict[str, set[str]]) -> None:
    text = "## Phase 1: Work\n- [ ] T001 a\n- [ ] T002 b\n- [ ] T003 c\n\n## Dependencies\n" + line
    found = read_tasks(text, "tasks.md")
    assert {each.id: set(each.dependencies) for each in found.tasks if each.dependencies} == expected


def test_a_checklist() -> None:
    found = read_tasks(CHECKLIST.replace("Create, api-03", "api-03"), "todo.md")
    assert found.kind == "checklist"
    model, registration, login, test, code = found.tasks
    assert [each.description for each in found.tasks] == [
        "Create the user model",
        "Endpoints / Add registration",
        "Endpoints / Add login",
        "Endpoints / Add login / Write the test",
        "Endpoints / Add login / Write the code",
    ]
    assert model.verification_criteria == ("password is hashed", "pytest tests/test_user.py passes")
    assert (registration.id, login.id) == ("api-02", "api-03")
    assert registration.dependencies == ("api-03",)
    assert login.dependencies == (test.id, code.id)
    assert {each.priority for each in found.tasks} == {1}


def test_ids_are_stable() -> None:
    """They hold when lines are added, moved or checked, and are told apart by what they are a part of."""
    first = {
        each.description: each.id for each in read_tasks("- [ ] A\n  - [ ] Test\n- [ ] B\n  - [ ] Test\n", "x").tasks
    }
    again = read_tasks("- [ ] New\n- [x] B\n  - [ ] Test\n- [ ] A\n  - [x] Test\n", "x").tasks
    assert len(set(first.values())) == 4
    assert {each.description: each.id for each in again if each.description != "New"} == first
    assert first["A / Test"].startswith("test-")


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        pytest.param("# No tasks\n", [(1, "no checkbox")], id="nothing"),
        pytest.param("", [(1, "no checkbox")], id="an empty file"),
        pytest.param("- [ ] a\n<!-- b\n- [ ] c\n", [(2, "the comment that begins here has no end")], id="a comment"),
        pytest.param("- [ ] a\n\n```\n- [ ] c\n", [(3, "the code that begins here has no end")], id="a fence"),
        pytest.param("- [ ] a\n- [] b\n", [(2, "no checkbox")], id="an empty box"),
        pytest.param("- [ ] a\n-[ ] b\n", [(2, "no checkbox")], id="no blank before the box"),
        pytest.param("- [ ] a\n- [ ]\n", [(2, "no checkbox")], id="a box without text"),
        pytest.param("- [ ] a\n- [~] b\n", [(2, "no checkbox")], id="another mark"),
        pytest.param("- [ ] a\n- [x]b\n", [(2, "no checkbox")], id="no blank behind the box"),
        pytest.param("- [ ] a\n- [ ] b\n- [ ] a\n", [(3, "stands in line 1 already")], id="twice the same"),
        pytest.param("- [ ] a (depends on b-1)\n", [(1, "depends on 'b-1', and there is no such")], id="unknown"),
        pytest.param("- [ ] a\n  - verify: pytest\n", [(2, "cannot be read")], id="almost a gate"),
        pytest.param(f"- [ ] {'x' * 5001}\n", [(1, "needs a description")], id="too long"),
        pytest.param("- [ ] a-1: a (after b-1)\n- [ ] b-1: b (after a-1)\n", [(1, "wait for each other")], id="a ring"),
        pytest.param(
            "## Phase 1\n- [ ] T001 a\n- [ ] b\n- [ ] TXXX c\n",
            [(3, "has no id"), (4, "has no id")],
            id="spec-kit without ids",
        ),
        pytest.param("- [ ] T001 a\n- [ ] T001 b\n", [(2, "T001 stands in line 1 already")], id="spec-kit twins"),
        pytest.param(
            "- [ ] T001 a (depends on T009)\n", [(1, "T001 depends on 'T009'")], id="spec-kit, an unknown task"
        ),
        pytest.param(
            "- [ ] T001 a\n## Dependencies\n- T001 blocks T007\n", [(3, "there is no task T007")], id="in the section"
        ),
        pytest.param(
            "- [ ] T001 a\n## Dependencies\n- T008 blocks T001\n", [(3, "depends on 'T008'")], id="on the left of it"
        ),
    ],
)
def test_what_is_refused(text: str, problems: list[tuple[int, str]]) -> None:
    before = plan("z p")
    with pytest.raises(ImportRefused) as caught:
        merged(before, text, "tasks.md")
    found = caught.value.problems
    assert [line for line, _ in found] == [line for line, _ in problems]
    for (_, told), (_, expected) in zip(found, problems, strict=True):
        assert expected in told
    assert str(caught.value).startswith("tasks.md cannot be imported, so nothing was: line ")
    assert "\n" not in str(caught.value)


def test_many_problems_are_counted() -> None:
    with pytest.raises(ImportRefused, match=r"line 5: .*; and 2 more\.$") as caught:
        read_tasks("- [ ] a\n" * 8, "x")
    assert len(caught.value.problems) == 7


def test_what_the_plan_has_stays_as_it_is() -> None:
    begun, _, _ = merged(plan("old p"), "- [ ] a-1: first\n", "x.md")
    begun = complete(start(begun, "a-1"), "a-1", at=STAMP)
    text = "- [ ] a-1: other words\n- [ ] a-2: second (after a-1, old)\n"
    found, imported, kept = merged(begun, text, "x.md")
    assert found.tasks[:2] == begun.tasks
    assert found.tasks[2].dependencies == ("a-1", "old")
    assert kept == ("a-1",)
    assert len(imported.tasks) == 2
    assert merged(found, text, "x.md")[0] is found


@pytest.mark.parametrize(
    "text",
    [
        "```\n- [ ] in a fence\n```\n- [ ] real\n",
        "~~~~\n```\n- [ ] in a fence\n~~~~\n- [ ] real\n",
        "<!--\n- [ ] in a comment\n-->\n- [ ] real\n",
        "- [ ] real\n\n    not a task: [ ] x\n",
        "- [link](x) and [ ] in the middle\n- [ ] real\n",
        "---\nx:\n- [ ] front matter\n---\n- [ ] real\n",
        "\t\n- [ ] real\r\n",
        "```html\n<!--\n```\n- [ ] real\n",
        "<!-- a --> <!-- b\n``` -->\n- [ ] real <!-- done\n- [ ] no\n-->",
        "````\n```\n- [ ] in a fence\n````\n- [ ] real\n",
    ],
)
def test_only_boxes_are_tasks(text: str) -> None:
    (found,) = read_tasks(text, "x").tasks
    assert found.description == "real"


PIECES = (
    *(
        "- [ ] ",
        "- [x] ",
        "  ",
        "\n",
        "# ",
        "## Phase 2: Setup\n",
        "## Dependencies\n",
        "T001",
        "T002 ",
        "TXXX",
        "[P] ",
    ),
    *("[US1] ", "a", "b-1: ", "(depends on T001)", "(after b-1)", " blocks ", "->", "-", "```\n", "<!--", "-->", "é"),
    *('verify:"x"', "---\n", "\t", "\r", "T001-T002", "\x85", "* "),
)


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_text_is_a_sound_plan_or_one_sentence(text: str) -> None:
    try:
        found, imported, _ = merged(ImplementationPlan(), text, "x")
    except ImportRefused as refused:
        told = refused
    else:
        check(found)
        assert len(found.tasks) == len(imported.tasks)
        return
    assert "\n" not in str(told)
    assert all(1 <= line <= text.count("\n") + text.count("\r") + 1 for line, _ in told.problems)
