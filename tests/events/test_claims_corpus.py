"""Every line of the corpus reads as its label says, through the function and through `ralph events check --stdin`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ralph.events.gates import decide

CORPUS = Path(__file__).parent.parent / "corpora" / "claims.jsonl"
LINES = CORPUS.read_text(encoding="utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['topic']}: {row['payload'][:50]!a}" for row in ROWS])
def test_the_claim_reads_as_labelled(row: dict[str, Any]) -> None:
    decision = decide(row["topic"], row["payload"])
    found = {"outcome": decision.outcome, "publishes": decision.publishes, "failed": list(decision.failed)}
    assert found == row["expect"]


def test_the_command_answers_line_for_line(tmp_path: Path) -> None:
    asked = "".join(json.dumps({"topic": row["topic"], "payload": row["payload"]}) + "\n" for row in ROWS)
    command = [sys.executable, "-m", "ralph", "events", "check", "--stdin"]
    done = subprocess.run(command, input=asked.encode(), capture_output=True, cwd=tmp_path, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    kept = ("outcome", "publishes", "failed")
    assert [{name: answer[name] for name in kept} for answer in answers] == [row["expect"] for row in ROWS]
