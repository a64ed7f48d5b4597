"""`.ralph/state.json`: read strictly, changed by one at a time, and never damaged further."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import ConfigError, StorageError
from ralph.loop.breaker import Breaker
from ralph.loop.saved import RalphState, StateStore, decode, encode, fresh
from ralph.loop.words import Phase
from ralph.system.files import backup_of
from tests.loop.memory.samples import NOW, started, state, together

EXAMPLE = """{
  "project_root": "/path/to/project",
  "current_phase": "building",
  "iteration_count": 47,
  "session_id": "a1b2c3d4",
  "total_cost_usd": 12.34,
  "total_tokens_used": 1234567,
  "started_at": "2026-01-20T10:00:00",
  "last_activity_at": "2026-01-26T14:30:00",
  "session_cost_usd": 2.50,
  "session_tokens_used": 250000,
  "tasks_completed_this_session": 3,
  "paused": false,
  "circuit_breaker": {
    "state": "closed",
    "failure_count": 0,
    "stagnation_count": 0
  }
}"""


def store(root: Path, text: str | bytes | None = None) -> StateStore:
    made = StateStore(root)
    if text is not None:
        made.path.parent.mkdir()
        made.path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return made


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(EXAMPLE), **fields})


def breaker(**fields: Any) -> str:
    return changed(circuit_breaker={**json.loads(EXAMPLE)["circuit_breaker"], **fields})


def test_the_example_of_the_specification_loads(tmp_path: Path) -> None:
    found = store(tmp_path, EXAMPLE).load()
    assert (found.iteration_count, found.total_cost_usd, found.session_id) == (47, 12.34, "a1b2c3d4")
    assert found.circuit_breaker == Breaker()
    assert found.current_phase is Phase.BUILDING


def test_a_time_without_a_zone_is_taken_as_utc(tmp_path: Path) -> None:
    found = store(tmp_path, EXAMPLE).load()
    assert (found.started_at, found.last_activity_at) == ("2026-01-20T10:00:00.000Z", "2026-01-26T14:30:00.000Z")
    zoned = store(tmp_path / "b", None)
    zoned.path.parent.mkdir(parents=True)
    zoned.path.write_text(changed(started_at="2026-01-20T10:00:00+02:00"))
    assert zoned.load().started_at == "2026-01-20T08:00:00.000Z"


def test_a_project_that_was_moved_goes_on(tmp_path: Path) -> None:
    assert store(tmp_path, EXAMPLE).load().project_root == str(tmp_path)


def test_no_state_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    assert store(tmp_path).load_or_none() is None
    with pytest.raises(StorageError, match=r"There is no state in .*state\.json: `ralph run` begins with one\."):
        store(tmp_path).load()


def test_an_old_file_without_newer_keys_gets_their_defaults(tmp_path: Path) -> None:
    needed = ("project_root", "current_phase", "iteration_count", "total_cost_usd", "total_tokens_used")
    old = {key: value for key, value in json.loads(EXAMPLE).items() if key in needed}
    found = store(tmp_path, json.dumps(old)).load()
    assert (found.paused, found.session_id, found.unpriced_turns) == (False, None, 0)
    assert found.circuit_breaker == Breaker()


FIRST_IMPLEMENTATION = changed(
    session_iteration_count=2,
    completion_signals={"planning": {"complete": True}},
    pending_memory_update=None,
    circuit_breaker={
        "max_consecutive_failures": 3,
        "max_stagnation_iterations": 5,
        "max_cost_usd": 100,
        "state": "open",
        "failure_count": 3,
        "stagnation_count": 3,
        "last_failure_reason": "boom",
    },
)


def test_unknown_fields_are_kept_beside_ours_and_in_the_breaker(tmp_path: Path) -> None:
    """The first implementation dropped what it did not know as soon as it saved."""
    place = store(tmp_path, FIRST_IMPLEMENTATION)
    place.change(lambda found: replace(found, paused=True))
    written = json.loads(place.path.read_bytes())
    assert written["completion_signals"] == {"planning": {"complete": True}}
    assert "pending_memory_update" in written
    assert written["circuit_breaker"]["max_cost_usd"] == 100
    assert written["paused"] is True
    assert place.load().circuit_breaker.failure_count == 3


def test_a_state_made_anew_keeps_unknown_fields_of_the_file(tmp_path: Path) -> None:
    place = store(tmp_path, FIRST_IMPLEMENTATION)
    place.save(fresh(tmp_path, now=NOW))
    assert json.loads(place.path.read_bytes())["session_iteration_count"] == 2
    assert place.load().iteration_count == 0


DAMAGE: dict[str, str | bytes] = {
    "empty": "",
    "truncated": EXAMPLE[:100],
    "not UTF-8": b'{"a": "\xff"}',
    "a list": "[]",
    "null": "null",
    "a text": '"x"',
    "an empty object": "{}",
    "deeply nested": "[" * 100_000,
    "a key twice": EXAMPLE.replace('"paused": false', '"paused": false, "paused": true'),
    "an endless number": EXAMPLE.replace("47", "9" * 5000),
    "count as text": changed(iteration_count="7"),
    "negative count": changed(iteration_count=-5),
    "count with a fraction": changed(iteration_count=1.5),
    "count is true": changed(iteration_count=True),
    "count is null": changed(iteration_count=None),
    "cost as text": changed(total_cost_usd="12"),
    "cost is NaN": EXAMPLE.replace("12.34", "NaN"),
    "cost is infinite": EXAMPLE.replace("12.34", "1e999"),
    "negative cost": changed(total_cost_usd=-0.01),
    "negative tokens": changed(session_tokens_used=-1),
    "phase unknown": changed(current_phase="deploying"),
    "phase is a number": changed(current_phase=3),
    "root is a number": changed(project_root=7),
    "time is a number": changed(started_at=1769000000),
    "time is no time": changed(started_at="yesterday"),
    "paused is a text": changed(paused="no"),
    "session is a number": changed(session_id=5),
    "breaker is null": changed(circuit_breaker=None),
    "breaker is a list": changed(circuit_breaker=[]),
    "breaker is banana": breaker(state="banana"),
    "breaker counts below zero": breaker(failure_count=-1),
    "breaker counts in text": breaker(failure_count="3"),
    "breaker's reason is a list": breaker(last_failure_reason=[]),
    "schema of the future": changed(schema_version=2),
    "schema of the past": changed(schema_version=0),
}


@pytest.mark.parametrize("text", DAMAGE.values(), ids=DAMAGE.keys())
def test_what_cannot_be_read_is_one_sentence_and_stays_as_it_is(tmp_path: Path, text: str | bytes) -> None:
    """The first implementation ended in a traceback for some of these, and took others for good."""
    place = store(tmp_path, text)
    before = place.path.read_bytes()
    attempts: list[Callable[[], object]] = [
        place.load,
        place.load_or_none,
        lambda: place.save(fresh(tmp_path, now=NOW)),
        lambda: place.change(lambda found: found),
    ]
    for attempt in attempts:
        with pytest.raises(StorageError) as told:
            attempt()
        sentence = str(told.value)
        assert str(place.path) in sentence
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert "it was left as it is; correct it, or move it away" in sentence
    assert place.path.read_bytes() == before
    assert not backup_of(place.path).exists()


def test_the_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"circuit_breaker: 'state' must be .* but is 'banana'"):
        store(tmp_path, breaker(state="banana")).load()
    (tmp_path / ".ralph" / "state.json").write_text(changed(iteration_count=-5))
    with pytest.raises(StorageError, match=r"'iteration_count' must be a number of at least 0, but is -5"):
        StateStore(tmp_path).load()


def test_a_good_backup_is_offered_by_name_and_never_replaced_by_damage(tmp_path: Path) -> None:
    place = store(tmp_path)
    place.save(state(tmp_path, iteration_count=1))
    place.save(state(tmp_path, iteration_count=2))
    place.path.write_text(changed(iteration_count=-5))
    way_out = r"state\.json\.bak is good: to go on with it, copy it to state\.json\.$"
    with pytest.raises(StorageError, match=way_out):
        place.load()
    with pytest.raises(StorageError, match=way_out):
        place.save(state(tmp_path, iteration_count=3))
    backup_of(place.path).replace(place.path)
    assert place.load().iteration_count == 1


def test_a_bad_backup_is_not_offered(tmp_path: Path) -> None:
    place = store(tmp_path, "{")
    backup_of(place.path).write_text(breaker(state="banana"))
    with pytest.raises(StorageError, match="correct it, or move it away"):
        place.load()


def test_a_state_that_is_gone_is_not_taken_for_a_new_project(tmp_path: Path) -> None:
    """The totals that limits are held against would be zero again."""
    place = store(tmp_path)
    place.save(state(tmp_path, iteration_count=1))
    place.save(state(tmp_path, iteration_count=2))
    place.path.unlink()
    with pytest.raises(StorageError, match=r"is gone, but .*state\.json\.bak is there"):
        place.load_or_none()


def test_saving_the_same_again_leaves_the_backup(tmp_path: Path) -> None:
    """After a crash the last effects are performed again."""
    place = store(tmp_path)
    for count in (1, 2, 2, 2):
        place.save(state(tmp_path, iteration_count=count))
    assert json.loads(backup_of(place.path).read_bytes())["iteration_count"] == 1


def test_what_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    place = store(tmp_path)
    for cost in (float("nan"), float("inf"), -1.0):
        with pytest.raises(StorageError, match="total_cost_usd"):
            place.save(state(tmp_path, total_cost_usd=cost))
    assert place.load_or_none() is None


def test_a_new_session_counts_from_zero_and_keeps_the_totals(tmp_path: Path) -> None:
    """In the first implementation the figures of a session went on for ever, so its limit stopped every later one."""
    before = state(tmp_path, tasks_completed_this_session=3)
    after = before.with_session("run-3", "2026-01-26T15:00:00.000Z")
    assert (after.session_cost_usd, after.session_tokens_used, after.tasks_completed_this_session) == (0.0, 0, 0)
    assert (after.total_cost_usd, after.total_tokens_used) == (12.34, 1_234_567)
    assert (after.session_id, after.iteration_count) == ("run-3", 47)


PAUSE = """
from dataclasses import replace
from pathlib import Path
from ralph.loop.saved import StateStore
store = StateStore(Path(sys.argv[1]))
"""


def test_a_pause_is_not_overwritten_by_who_read_the_state_before(tmp_path: Path) -> None:
    """The first implementation saved the copy that it held, and so undid what a person had said meanwhile."""
    place = store(tmp_path)
    place.save(state(tmp_path, iteration_count=0))
    counting = (
        "for _ in range(40): store.change(lambda found: replace(found, iteration_count=found.iteration_count + 1))"
    )
    pausing = "store.change(lambda found: replace(found, paused=True))"
    together(started(PAUSE + counting, tmp_path), started(PAUSE + pausing, tmp_path))
    assert (place.load().paused, place.load().iteration_count) == (True, 40)


def test_eight_processes_lose_no_update(tmp_path: Path) -> None:
    """Four processes of the first implementation lost two thirds of theirs."""
    place = store(tmp_path)
    place.save(state(tmp_path, iteration_count=0))
    counting = (
        "for _ in range(25): store.change(lambda found: replace(found, iteration_count=found.iteration_count + 1))"
    )
    together(*(started(PAUSE + counting, tmp_path) for _ in range(8)))
    assert place.load().iteration_count == 200


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
counts = st.integers(0, 2**53 - 1)
costs = st.floats(0, 1e9)
times = st.none() | st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z")
unknown = st.dictionaries(st.text().filter(lambda key: key not in encode(fresh(Path("/"), now=NOW))), json_values)
breakers = st.builds(
    Breaker,
    state=st.sampled_from(["closed", "open", "half_open"]),
    failure_count=counts,
    stagnation_count=counts,
    last_failure_reason=st.none() | st.text(),
)
states = st.builds(
    RalphState,
    project_root=st.text(),
    current_phase=st.sampled_from(Phase),
    iteration_count=counts,
    total_cost_usd=costs,
    total_tokens_used=counts,
    session_id=st.none() | st.text(),
    started_at=times,
    circuit_breaker=breakers,
    session_cost_usd=costs,
    paused=st.booleans(),
    extra=unknown,
)


@given(states)
def test_what_is_saved_is_what_is_loaded(saved: RalphState) -> None:
    data = json.dumps(encode(saved), ensure_ascii=False).encode("utf-8", "surrogatepass")
    assert decode(json.loads(data), "state.json") == saved


def problem(value: object) -> str | None:
    try:
        decode(value, "state.json")
    except ConfigError as error:
        return str(error)
    return None


@given(json_values)
def test_any_json_is_a_state_or_an_error_of_ours(value: object) -> None:
    assert (problem(value) or "state.json").startswith("state.json")


@given(st.sampled_from(sorted(json.loads(EXAMPLE))), json_values)
def test_any_value_of_a_key_is_read_or_refused(key: str, value: object) -> None:
    assert key in (problem({**json.loads(EXAMPLE), key: value}) or key)
