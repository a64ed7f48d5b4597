"""Many callers at once, threads and processes, lose nothing of each other's."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ralph.events import inbox
from ralph.loop.memory.notes import learnings, remembered
from ralph.loop.toolbox import tools
from ralph.loop.words import Phase
from ralph.mcp.answer import Answer, answer
from tests.loop.toolbox.desks import situation, task

ADDING = """
import sys
from pathlib import Path
from ralph.loop.plan.files import PlanStore
from ralph.loop.saved import StateStore
from ralph.loop.toolbox import Desk, tools
from ralph.mcp.answer import answer
root, name = Path(sys.argv[1]), sys.argv[2]
offered = tools(Desk(root=root, plan=PlanStore(root), states=StateStore(root)))
for number in range(25):
    told = answer(offered, "ralph_add_task", {"task_id": f"{name}-{number}", "description": "x"})
    assert not told.refused, told.text
"""


def test_threads_add_tasks_notes_and_learnings_without_loss(tmp_path: Path) -> None:
    place = situation(tmp_path, phase=Phase.PLANNING)
    offered = tools(place.desk)

    def work(number: int) -> list[Answer]:
        return [
            answer(offered, "ralph_add_task", {"task_id": f"t{number}", "description": "x"}),
            answer(offered, "ralph_update_memory", {"content": f"note-{number};"}),
            answer(offered, "ralph_append_learning", {"learning": f"learning-{number};"}),
        ]

    with ThreadPoolExecutor(16) as pool:
        told = [each for answers in pool.map(work, range(32)) for each in answers]
    assert [each.text for each in told if each.refused] == []
    assert {each.id for each in place.plan.load().tasks} == {f"t{number}" for number in range(32)}
    notes, lines = remembered(place.desk.root), learnings(place.desk.root, 100_000)
    assert all(f"note-{number};" in notes for number in range(32))
    assert sorted(line.rpartition(" ")[2] for line in lines) == sorted(f"learning-{number};" for number in range(32))


def test_processes_add_tasks_without_loss(tmp_path: Path) -> None:
    """Of 400 additions by 4 processes the first implementation kept 117, and had said of all that they succeeded."""
    place = situation(tmp_path)
    running = [
        subprocess.Popen([sys.executable, "-c", ADDING, str(place.desk.root), f"p{number}"]) for number in range(4)
    ]
    assert [each.wait(60) for each in running] == [0] * 4
    assert len(place.plan.load().tasks) == 100


def test_claims_of_many_threads_all_reach_the_inbox(tmp_path: Path) -> None:
    place = situation(tmp_path, task("a"), at_work="a")
    offered = tools(place.desk)
    calls = [("ralph_mark_task_complete", {"task_id": "a", "verification_notes": str(n)}) for n in range(20)]
    calls += [("ralph_emit", {"topic": "escalate.human", "payload": str(n)}) for n in range(20)]
    with ThreadPoolExecutor(16) as pool:
        told = list(pool.map(lambda call: answer(offered, *call), calls))
    assert not any(each.refused for each in told)
    assert place.desk.seat is not None
    found, _ = inbox.collect(place.desk.seat.folder, place.desk.seat.turn)
    assert len(found) == 40
