"""How many claims a minute are read and gated on one core, beside `json.dumps` and write of the same records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from report import Table, best_s

from ralph.events.gates import decide

CORPUS = Path(__file__).parents[2] / "tests" / "corpora" / "claims.jsonl"


def measure(table: Table, work: Path, *, quick: bool) -> None:
    rows = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    gated = [row for row in rows if row["expect"]["outcome"] != "ungated"]
    accepted = [row for row in gated if row["expect"]["outcome"] == "accepted"]
    rounds, times = (10, 3) if quick else (60, 7)
    for what, chosen in (("accepted", accepted), ("of all outcomes, refusals written out", gated)):
        count = len(chosen) * rounds
        reading = best_s(_gating(chosen, rounds), times)
        writing = best_s(_writing(chosen, rounds, work / "claims.jsonl"), times)
        table.row(
            f"claims read and gated, {what}",
            f"{count / reading * 60:,.0f} a minute ({reading / count * 1e6:.0f} µs each)",
            "1,000,000 a minute",
            f"`json.dumps` and write: {count / writing * 60:,.0f} a minute, ratio {reading / writing:.1f}",
        )
    longest = "tests: pass, " + "(" * 50_000 + ")" * 50_000
    table.row("a hostile payload of 100 kB", f"{best_s(lambda: decide('build.done', longest), times) * 1000:.0f} ms")


def _gating(rows: list[dict[str, str]], rounds: int) -> Callable[[], None]:
    def gate() -> None:
        for _ in range(rounds):
            for row in rows:
                decide(row["topic"], row["payload"])

    return gate


def _writing(rows: list[dict[str, str]], rounds: int, path: Path) -> Callable[[], None]:
    def write() -> None:
        with path.open("w", encoding="utf-8") as file:
            for _ in range(rounds):
                for row in rows:
                    file.write(json.dumps({"topic": row["topic"], "payload": row["payload"]}) + "\n")

    return write
