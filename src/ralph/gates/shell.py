"""Runs the command of a verify gate, and says how it ended: only a real exit 0, on a tree that stays the same, passes.

Rules (spec: shell verify gates; research: verify gates, 4.5; design decisions 1, 2, 7, 22, 25, 27):

- It runs like every step: `bash --noprofile --norc -c`, a clean environment, the sandbox, a time limit, nothing left
  alive. `pipefail` is set where it can only turn an end with 0 into a failure (see `outcome`); elsewhere the exit code
  of a pipeline is bash's own.
- Before it runs, it is judged: by the permissions where there are any (what they deny, or leave to a person, is
  refused), and by itself: a line that cannot fail proves nothing, and a folder outside the project is none of a gate's.
  What is refused is not run and not tried again.
- An end that proves nothing is told apart in `problem`: a signal (also as 128+n, which is how a shell reports one), the
  time limit, 126 and 127, a command that could not be started, tools other than those that the run began with, a tree
  that the command changed.
- Everything that was written is in the log; the attempt holds an excerpt.

Not held: the command's text is fixed, but what it calls lies in the tree, where the agent may change it (a script, the
`test` entry of a package.json). It is judged as it stands in the tree that the attempt names; to see that such a change
weakens a check is the business of the guardrails.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ralph.errors import SandboxUnavailable
from ralph.gates.excerpt import excerpt
from ralph.gates.model import Attempt, VerifyGate
from ralph.gates.outcome import cannot_fail, pipefail_only_lowers
from ralph.permissions.decide import decide
from ralph.permissions.model import Outcome, Permissions, RunCommand
from ralph.permissions.place import Place
from ralph.permissions.sandbox.confine import require, run_confined
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.walls import demanded, walls_for_steps
from ralph.record import record, replace
from ralph.system.ends import mishap, signal_of
from ralph.system.process import Command, Ended, shell_argv
from ralph.system.text import visible


@record(kw_only=True)
class Bench:
    """Where gates are run. `root` is a real path; `tree` tells the hash of the working tree as it stands.

    `env` is the clean environment of the steps (`steps.environment`). `law` are the permissions and where they hold;
    None where the project has none.
    """

    root: Path
    env: Mapping[str, str]
    level: Level
    tree: Callable[[], str]
    writable: tuple[Path, ...] = ()
    law: tuple[Permissions, Place] | None = None
    tools_changed: Callable[[], str | None] = lambda: None
    """Why the tools are not those that the run began with, as a clause."""


def attempt(gate: VerifyGate, bench: Bench, *, number: int, log: Path, baseline: bool = False) -> Attempt:
    """Run the gate once. Raises StorageError, and RepositoryError if the tree cannot be told."""
    tree = bench.tree()
    place = log.relative_to(bench.root) if log.is_relative_to(bench.root) else log
    made = Attempt(
        number=number, tree=tree, exit_code=None, sandbox_level=str(bench.level), baseline=baseline, log=str(place)
    )
    if reason := objection(gate, bench):
        return replace(made, problem=reason, refused=True, log="")
    folder = bench.root / (gate.cwd or ".")
    if not folder.is_dir():
        return replace(made, problem=f"there is no folder {visible(gate.cwd or '.')} in the project", log="")
    try:
        ended = _run(gate, bench, Path(os.path.realpath(folder)), log)
    except SandboxUnavailable as error:
        return replace(made, problem=str(error), refused=True, log="")
    return replace(
        made,
        exit_code=ended.exit_code,
        signal=ended.signal or signal_of(ended.exit_code),
        timed_out=ended.timed_out,
        problem=mishap(ended, gate.timeout_s) or bench.tools_changed() or _moved(tree, bench.tree()),
        excerpt=excerpt(ended.output),
        duration_ms=ended.duration_ms,
    )


def objection(gate: VerifyGate, bench: Bench) -> str | None:
    """Why the gate's command is not run at all, as a clause; None if it may be."""
    if not gate.command.strip():
        return "the gate has no command"
    if "\0" in gate.command:
        return "the command holds a NUL character"
    folder = os.path.realpath(bench.root / (gate.cwd or "."))
    if not Path(folder).is_relative_to(bench.root):
        return f"the folder {visible(gate.cwd or '.')} lies outside the project"
    if cannot_fail(gate.command):
        return "the command ends with 0 whatever it finds, so it proves nothing: name one that can fail"
    return _forbidden(gate.command, folder, bench)


def _run(gate: VerifyGate, bench: Bench, folder: Path, log: Path) -> Ended:
    if bench.law:
        require(bench.level, demanded(bench.law[0]))
    *shell, option, line = shell_argv(gate.command)
    if pipefail_only_lowers(gate.command):
        shell += ["-o", "pipefail"]
    command = Command(line=(*shell, option, line), cwd=folder, env=bench.env, log=log, timeout_s=gate.timeout_s)
    return run_confined(command, walls_for_steps(bench.root, bench.env, writable=bench.writable), bench.level)


def _forbidden(command: str, folder: str, bench: Bench) -> str | None:
    if bench.law is None:
        return None
    permissions, place = bench.law
    decision = decide(RunCommand(command, folder), permissions, place)
    match decision.outcome:
        case Outcome.ALLOW:
            return None
        case Outcome.APPROVE:
            return f"{decision.reason} ({decision.rule}): a person must run it, or allow it in {permissions.source}"
        case Outcome.DENY:
            instead = f"; instead: {decision.alternative}" if decision.alternative else ""
            return f"the permissions deny it: {decision.reason} ({decision.rule}){instead}"


def _moved(before: str, after: str) -> str | None:
    if before == after:
        return None
    return (
        "the tree is not the same after the command as before, so what it judged is gone: ignore what it writes in git"
    )
