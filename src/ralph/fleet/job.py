"""One job in a process of its own: `python -m ralph.fleet.job FOLDER`.

Rules:

- A worker hands over `request.json` and reads `result.json`, which is written whole or not at all. No result means that
  the process died; then the job is taken up again.
- The process knows nothing of the queue: not its address, not its password. What an agent runs below it cannot either.
- Killing it is safe at any moment: everything that it started dies with it, what it borrowed is free at once, and a
  run's own log knows where it stood.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ralph.errors import RalphError, StorageError
from ralph.fleet.home import Home
from ralph.fleet.model import Job, Verification, work_of
from ralph.system import files, process
from ralph.system.wardens import Leash

REQUEST, RESULT = "request.json", "result.json"
HIDDEN = ("RALPH_QUEUE", "DBOS_", "PGHOST", "PGUSER", "PGPASS", "PGSERVICE", "PGDATABASE", "PGPORT")


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """That of a worker, without what leads to the queue."""
    return {name: value for name, value in environ.items() if not name.startswith(HIDDEN)}


def command(folder: Path, request: Mapping[str, Any], leash: Leash | None, timeout_s: float) -> process.Command:
    """What runs a job in `folder`, where the request is left. Raises StorageError."""
    files.write_json(folder / REQUEST, request)
    return process.Command(
        line=(sys.executable, "-P", "-m", "ralph.fleet.job", str(folder)),
        cwd=folder,
        env=environment(os.environ),
        log=folder / "log",
        timeout_s=timeout_s,
        leash=leash,
    )


def request_of(home: Home, job: Job, word: Mapping[str, str] | None = None, *, anew: bool = False) -> dict[str, Any]:
    """What a job's process is told. `anew`: a person wants the run that ended to go on."""
    here = {"home": str(home.path), "home_id": home.id}
    return {**here, "kind": job.kind, "work": asdict(job.work), "anew": anew, "word": dict(word) if word else None}


def result_of(folder: Path, ended: process.Ended) -> dict[str, Any]:
    """What the process left. Raises StorageError that says why there is nothing."""
    path = folder / RESULT
    if path.exists():
        return dict(files.read_json(path))
    how = ended.trouble or (f"signal {ended.signal}" if ended.signal else f"exit code {ended.exit_code}")
    last = ended.output.strip().splitlines()[-1:] or ["it said nothing"]
    raise StorageError(f"The job's process ended without a result ({how}): {last[0][:300]}")


def main(arguments: list[str]) -> int:
    """The job runs beside the main thread, where a run takes no signal for an order: to end means to die at once."""
    working = threading.Thread(target=_leave_result, args=(Path(arguments[0]),))
    working.start()
    working.join()
    return 0


def _leave_result(folder: Path) -> None:
    try:
        result = perform(files.read_json(folder / REQUEST))
    except RalphError as error:
        result = {"error": str(error)}
    except OSError as error:
        result = {"error": f"{error.filename or 'A file'} cannot be used: {files.reason(error)}."}
    files.write_json(folder / RESULT, result)


def perform(request: Mapping[str, Any]) -> dict[str, Any]:
    """Do what the request says. Raises RalphError."""
    home = Home(Path(request["home"]), request["home_id"])
    work = work_of(request["kind"], request["work"])
    if isinstance(work, Verification):
        gc.disable()  # nothing that is loaded is garbage
        from ralph.fleet.verifying import verify

        gc.enable()
        return verify(home, work, os.environ)
    from ralph.fleet.running import go_on

    return go_on(home, work, request["word"], os.environ, anew=request["anew"])


if __name__ == "__main__":
    code = main(sys.argv[1:])
    gc.freeze()  # a process that ends need not sort out its memory first
    sys.exit(code)
