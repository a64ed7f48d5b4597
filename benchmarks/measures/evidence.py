"""What a snapshot of the working copy costs, next to `git status`, and what signing and the ledger cost."""

from __future__ import annotations

import subprocess
from pathlib import Path

from report import Table, median_ms

from measures.projects import repository, write
from ralph.audit import dsse
from ralph.audit.keys import signing_key
from ralph.system import clock, ledger
from ralph.system.git import open_repository
from ralph.system.places import shadow_dir
from ralph.system.tree import snapshot


def measure(table: Table, work: Path, *, quick: bool) -> None:
    count, times = (300, 5) if quick else (3000, 15)
    root = repository(work / "files", {f"d{n % 50}/f{n}.py": f"x = {n}\n" * 40 for n in range(count)})
    repo, shadow = open_repository(root), shadow_dir(root)
    cold = median_ms(lambda: snapshot(repo, shadow), 1)
    warm = median_ms(lambda: snapshot(repo, shadow), times)
    status = median_ms(
        lambda: subprocess.run(["git", "status", "-uall"], cwd=root, capture_output=True, check=True), times
    )
    write(root, {"new.py": "x = 1\n"})
    one = median_ms(lambda: snapshot(repo, shadow), 1)
    beside = f"`git status -uall`: {status:.0f} ms"
    table.row(
        f"snapshot of {count} files: cold, warm, one new file", f"{cold:.0f}, {warm:.0f}, {one:.0f} ms", "", beside
    )
    key = signing_key(root)
    payload = {"predicate": {"verdict": {f"field{n}": "x" * 40 for n in range(60)}}}
    table.row("sign an envelope of 4 kB", f"{median_ms(lambda: dsse.seal(payload, dsse.IN_TOTO, key), 50):.2f} ms")
    path = work / "ledger.jsonl"
    entry = median_ms(lambda: ledger.append(path, payload, time=clock.now()), 50)
    table.row("append to the ledger, synced", f"{entry:.2f} ms")
