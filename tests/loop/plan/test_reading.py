"""A plan from its file: what may be missing, what is refused and how that is told, and that nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import StorageError
from ralph.loop.plan import transitions as go
from ralph.loop.plan.errors import PlanDamaged, PlanMissing
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.loop.plan.reading import read_plan
from ralph.loop.plan.selection import next_task
from ralph.loop.plan.writing import plan_bytes, task_bytes
from tests.loop.plan.making import SPEC_EXAMPLE, put, store

A: dict[str, Any] = {"id": "a", "description": "do a"}


def written(plan: ImplementationPlan) -> bytes:
    return plan_bytes(plan, map(task_bytes, plan.tasks))


def test_the_example_of_the_spec_loads_as_it_stands(tmp_path: Path) -> None:
    """It was refused, because it gives no status."""
    put(tmp_path, SPEC_EXAMPLE)
    found = store(tmp_path).load()
    assert [each.status for each in found.tasks] == [TaskStatus.PENDING, TaskStatus.PENDING]
    assert found.tasks[1].dependencies == ("auth-01",)
    assert (found.created_at, found.last_modified) == (None, None)
    assert next_task(found) == found.tasks[0]


def test_an_old_file_gets_defaults_for_newer_keys(tmp_path: Path) -> None:
    put(tmp_path, {"tasks": [A]})
    assert store(tmp_path).load() == ImplementationPlan(tasks=(Task(id="a", description="do a"),))


def test_a_byte_order_mark_is_no_damage(tmp_path: Path) -> None:
    put(tmp_path, b"\xef\xbb\xbf" + SPEC_EXAMPLE.encode())
    assert len(store(tmp_path).load().tasks) == 2


def one(**fields: Any) -> dict[str, Any]:
    return {"tasks": [A | fields]}


DAMAGED: dict[str, tuple[str | bytes | Any, str]] = {
    "empty": ("", "Expecting value"),
    "truncated": (SPEC_EXAMPLE[:200], "line"),
    "two values": ("{} {}", "Extra data"),
    "no UTF-8": (b'{"tasks": [{"id": "\xff"}]}', "it is not UTF-8"),
    "UTF-16": (SPEC_EXAMPLE.encode("utf-16"), "it is not UTF-8"),
    "a list": ([], "holds a list"),
    "null": ("null", "holds null"),
    "text": ('"x"', "holds text"),
    "a number": ("7", "holds a number"),
    "true": ("true", "holds true or false"),
    "no tasks": ({}, "'tasks' must be a list, but is missing"),
    "tasks null": ({"tasks": None}, "'tasks' must be a list, but is null"),
    "tasks an object": ({"tasks": {"a": A}}, "'tasks' must be a list, but is an object"),
    "a task null": ({"tasks": [A, None]}, "task number 2 must be an object, but is null"),
    "a task a list": ({"tasks": [[A]]}, "task number 1 must be an object"),
    "no id": ({"tasks": [{"description": "x"}]}, "task number 1 has no 'id'"),
    "no description": ({"tasks": [{"id": "a"}]}, "task number 1 has no 'description'"),
    "a numeric id": (one(id=7), "'id' of task number 1 must be an id"),
    "a blank in an id": (one(id="a b"), "'id' of task number 1 must be an id"),
    "a path as id": (one(id="../a"), "'id' of task number 1 must be an id"),
    "an empty id": (one(id=""), "must be an id"),
    "a numeric description": (one(description=7), "'description' of task number 1 ('a') must be text, but is 7"),
    "a bad status": (one(status="done"), "'status' of task number 1 ('a') must be pending or in_progress or"),
    "status null": (one(status=None), "must be pending or"),
    "status a list": (one(status=[]), "must be pending or"),
    "mixed priorities": ({"tasks": [A, A | {"id": "b", "priority": "high"}]}, "'priority' of task number 2 ('b')"),
    "priority null": (one(priority=None), "must be a whole number of at least 1, but is None"),
    "priority true": (one(priority=True), "must be a whole number"),
    "priority 0": (one(priority=0), "must be a whole number of at least 1"),
    "priority 1.5": (one(priority=1.5), "must be a whole number"),
    "priority NaN": ('{"tasks": [{"id": "a", "description": "x", "priority": NaN}]}', "NaN is not JSON"),
    "priority too large": (one(priority=10**30), "must be a whole number"),
    "a number of 5000 digits": ('{"tasks": [], "x": %s}' % ("9" * 5000), "limit"),
    "dependencies null": (one(dependencies=None), "must be a list of task ids, but is None"),
    "dependencies text": (one(dependencies="b"), "must be a list of task ids"),
    "a dependency null": (one(dependencies=[None]), "must be a list of task ids"),
    "criteria text": (one(verification_criteria="x passes"), "must be a list of texts"),
    "a criterion a number": (one(verification_criteria=["x", 7]), "must be a list of texts"),
    "blockers null": (one(blockers=None), "must be a list of texts"),
    "tokens below 0": (one(estimated_tokens=-1), "must be a whole number of at least 0"),
    "retries below 0": (one(retry_count=-5), "must be a whole number of at least 0"),
    "retries text": (one(retry_count="7"), "must be a whole number"),
    "a bad time": (one(completed_at="yesterday"), "must be a time such as"),
    "a time as a number": (one(completed_at=7), "must be a time such as"),
    "a bad time of the plan": ({"tasks": [], "created_at": "x"}, "'created_at' of the plan must be a time"),
    "duplicate ids": ({"tasks": [A, A | {"priority": 2}]}, "two tasks have the id 'a'"),
    "a key twice": ('{"tasks": [], "tasks": []}', "a key stands twice"),
    "deep nesting": ("[" * 100_000, "nested too deeply"),
    "deep nesting of what is unknown": (one(x=json.loads("[" * 60 + "]" * 60)), "'x' of task number 1 is nested too"),
    "a number that is infinite": ('{"tasks": [], "x": [1e999]}', "'x' of the plan holds a number that is too large"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damage_is_one_sentence_and_stays(tmp_path: Path, case: str) -> None:
    """Half of these ended in a traceback, and duplicate ids were accepted."""
    content, told = DAMAGED[case]
    path = put(tmp_path, content)
    before = path.read_bytes()
    shelf = store(tmp_path)
    for use in (shelf.load, shelf.load_or_none, lambda: shelf.change(lambda found: go.add(found, Task(**A)))):
        with pytest.raises(PlanDamaged) as caught:
            use()
        sentence = str(caught.value)
        assert sentence.startswith(f"{path} is damaged and was left as it is: ")
        assert sentence.endswith("; correct it, or move it away.")
        assert told in sentence
        assert "\n" not in sentence
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir() if not each.name.endswith(".lock")] == [path.name]


def test_a_good_backup_is_offered_and_kept(tmp_path: Path) -> None:
    shelf = store(tmp_path)
    for name in "ab":
        shelf.change(lambda found, name=name: go.add(found, Task(id=name, description="x")))  # type: ignore[misc]
    backup = shelf.path.with_name(f"{shelf.path.name}.bak")
    good = backup.read_bytes()
    shelf.path.write_text("{")
    with pytest.raises(PlanDamaged, match=rf"{backup} is good: to go on with it, copy it to {shelf.path.name}\.$"):
        shelf.change(lambda found: found)
    assert backup.read_bytes() == good
    backup.write_text('{"tasks": null}')  # JSON, and no plan
    with pytest.raises(PlanDamaged, match="correct it, or move it away"):
        shelf.load()


def test_a_missing_plan_says_what_to_do(tmp_path: Path) -> None:
    shelf = store(tmp_path)
    assert shelf.load_or_none() is None
    with pytest.raises(PlanMissing, match=r"There is no plan in .*implementation_plan\.json: make one with"):
        shelf.load()


def test_a_plan_that_is_gone_is_not_begun_anew(tmp_path: Path) -> None:
    """A new plan would, with its second change, replace the backup of the lost one."""
    put(tmp_path, SPEC_EXAMPLE).rename(store(tmp_path).path.with_suffix(".json.bak"))
    with pytest.raises(PlanMissing, match=r"is gone, but implementation_plan\.json\.bak is there: copy it"):
        store(tmp_path).change(lambda found: found)


def test_what_is_no_plain_file_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(SPEC_EXAMPLE)
    path = store(tmp_path).path
    path.parent.mkdir()
    path.symlink_to(outside)
    with pytest.raises(StorageError, match="symbolic link"):
        store(tmp_path).change(lambda found: go.start(found, "auth-01"))
    assert outside.read_text() == SPEC_EXAMPLE
    path.unlink()
    path.mkdir()
    with pytest.raises(StorageError, match="is a directory"):
        store(tmp_path).load()


def test_fields_that_nobody_knows_are_kept(tmp_path: Path) -> None:
    """They were dropped with the next save."""
    extra = {"owner": {"name": "Ann", "tags": ["ä", None, 1.5, True]}}
    put(tmp_path, {"tasks": [A | {"team": extra, "": 0}], "schema": 7, "history": []})
    store(tmp_path).change(lambda found: go.start(found, "a"))
    after = json.loads(store(tmp_path).path.read_text())
    assert (after["schema"], after["history"]) == (7, [])
    assert (after["tasks"][0]["team"], after["tasks"][0][""]) == (extra, 0)
    assert after["tasks"][0]["status"] == "in_progress"


halves = st.sampled_from(["\ud800", "a\udc80b", "\\\ud800"])
"""Half surrogate pairs: two that meet would become one character."""
text = st.text(max_size=20) | halves
ids = st.from_regex(r"\A[A-Za-z0-9_-][A-Za-z0-9_.-]{0,9}\Z")
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
times = st.none() | st.just("2026-01-20T10:00:00") | st.just("2026-01-20T10:00:00.123Z")
names = st.builds("x{}".format, text)
tasks = st.builds(
    Task,
    id=ids,
    description=text,
    priority=st.integers(1, 2**53 - 1),
    status=st.sampled_from(TaskStatus),
    dependencies=st.lists(ids, max_size=3).map(tuple),
    verification_criteria=st.lists(text, max_size=3).map(tuple),
    blockers=st.lists(text, max_size=2).map(tuple),
    estimated_tokens=st.integers(0, 2**53 - 1),
    actual_tokens_used=st.none() | st.integers(0, 10**9),
    completion_notes=st.none() | text,
    completed_at=times,
    retry_count=st.integers(0, 9),
    spec_files=st.lists(text, max_size=2).map(tuple),
    extra=st.dictionaries(names, values, max_size=2),
)
plans = st.builds(
    ImplementationPlan,
    tasks=st.lists(tasks, max_size=4, unique_by=lambda each: each.id).map(tuple),
    created_at=times,
    last_modified=times,
    frozen_at=times,
    extra=st.dictionaries(names, values, max_size=2),
)


@given(plans)
def test_what_is_written_is_read(plan: ImplementationPlan) -> None:
    data = written(plan)
    data.decode()  # UTF-8, whatever stands in it
    assert read_plan(data) == plan


def clause(data: bytes) -> str | ImplementationPlan:
    try:
        return read_plan(data)
    except ValueError as error:
        return str(error)


anything = st.binary(max_size=200) | st.text(max_size=200).map(str.encode)


@given(anything | values.map(lambda each: json.dumps(each).encode()))
def test_any_bytes_are_a_plan_or_one_clause(data: bytes) -> None:
    found = clause(data)
    assert isinstance(found, ImplementationPlan) or "\n" not in found


@given(st.data())
def test_any_value_in_any_field_is_a_plan_or_one_clause(data: st.DataObject) -> None:
    value = json.loads(SPEC_EXAMPLE)
    place = data.draw(st.sampled_from([value, *value["tasks"]]))
    keys = ["tasks", "id", "status", "dependencies", "blockers", "priority", "completed_at", "created_at", "new"]
    place[data.draw(st.sampled_from(keys))] = data.draw(values)
    found = clause(json.dumps(value).encode())
    assert read_plan(written(found)) == found if isinstance(found, ImplementationPlan) else "\n" not in found
