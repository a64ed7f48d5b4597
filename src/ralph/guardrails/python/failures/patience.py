"""How often a Python test may fail and how long it may take, by its marks (policy set v2, class G14).

Known are pytest-rerunfailures and flaky (`flaky`), retry decorators (tenacity, retrying, backoff and their like) on a
test, also those of the test file itself, `reruns` of other marks, and the time limits of pytest-timeout and timeout
decorators; in the body of a test what asyncio, anyio and trio wait for.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable

from ralph.guardrails.python.claims import number, source_of
from ralph.system.patterns import later

RETRIES = later(
    r"(?:^|\.)(?:flaky|retry|retries|retrying|rerun|reruns|rerunfailures|on_exception|on_predicate|repeat_on_failure|retry_on\w*|retry_if\w*|auto_retry|eventually|(?:retry|repeat|rerun)_(?:until|while|up_to)\w*|until_(?:it_)?pass(?:es|ed)?)$"
)
LIMIT = later(r"(?:^|\.)(?:timeout|timeout_decorator|time_limit|asyncio_timeout|func_set_timeout)$")
WAITS = later(r"(?:^|\.)(?:asyncio\.(?:wait_for|timeout)|wait_for|async_timeout\.timeout|fail_after|move_on_after)$")
TIMES = (
    "reruns",
    "max_runs",
    "retries",
    "tries",
    "times",
    "max_tries",
    "max_attempts",
    "attempts",
    "max_retries",
    "n",
    "count",
)
RUNS = "max_runs"
"""It counts the first run, too: `flaky(max_runs=3)` of the one plugin is `flaky(reruns=2)` of the other."""
MANY = 3
"""For a mark that does not say how often."""


def retries_of(marks: Iterable[ast.expr], own: Container[str] = ()) -> int:
    """`own` are decorators of the file that try again."""
    return max((_times(mark) for mark in marks if _name(mark) in own or RETRIES.search(_name(mark))), default=0)


def timeout_of(marks: Iterable[ast.expr], nodes: Iterable[ast.AST] = ()) -> float | None:
    """In seconds; of several limits in the body (`nodes`) the shortest."""
    limits = [limit for mark in marks if LIMIT.search(_name(mark)) and (limit := _limit(mark)) is not None]
    if limits:
        return limits[0]
    calls = [node for node in nodes if isinstance(node, ast.Call) and WAITS.search(_name(node))]
    waits = [limit for call in calls if (limit := _limit(call, after=int("wait_for" in _name(call)))) is not None]
    return min(waits, default=None)


def _name(mark: ast.expr) -> str:
    return source_of(mark.func if isinstance(mark, ast.Call) else mark)


def _times(mark: ast.expr) -> int:
    if not isinstance(mark, ast.Call):
        return MANY
    given = {each.arg: each.value for each in mark.keywords}
    named = [(name, given[name]) for name in TIMES if name in given]
    for name, tree in (*named, *(("", each) for each in mark.args), ("", given.get("stop"))):
        value = tree.args[0] if isinstance(tree, ast.Call) and tree.args else tree
        if (times := number(value)) is not None:
            passes = (number(given.get("min_passes")) or 1) if name == RUNS else 0
            return max(0, int(min(times - passes, 1_000_000)))
    return MANY


def _limit(mark: ast.expr, after: int = 0) -> float | None:
    """`after` so many arguments that are not about time."""
    if not isinstance(mark, ast.Call):
        return None
    given = [*mark.args[after:], *(each.value for each in mark.keywords if each.arg in ("timeout", "seconds", "limit"))]
    limit = number(given[0]) if given else None
    return float("inf") if limit == 0 else limit
