"""`ralph permissions`: what a policy says about an action, without doing it (design section 7; spec: policy engine).

Exit codes of a single question: 0 allow, 4 a person is asked, 2 deny. With `--stdin` every line gets its answer and the
exit code is 0.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option, working_copy
from ralph.cli.output import print_json

if TYPE_CHECKING:
    from ralph.permissions.model import Action, Decision, Permissions
    from ralph.permissions.place import Place

EXIT = {"allow": 0, "deny": 2, "approve": 4}
POLICY_FILE = "ralph.policy.json"


@click.group()
def permissions() -> None:
    """Ask what an agent may do here."""


@permissions.command(short_help="Say whether an action is allowed, denied, or needs a person.")
@click.option("--command", metavar="C", help="Judge a shell line.")
@click.option("--read", metavar="P", help="Judge reading a path.")
@click.option("--write", metavar="P", help="Judge writing a path.")
@click.option("--stdin", "from_stdin", is_flag=True, help='Judge JSON lines: {"command":…}, {"read":…} or {"write":…}.')
@click.option(
    "--policy-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="F",
    help=f"Take this policy instead of the project's {POLICY_FILE}.",
)
@directory_option
@json_option
def check(
    command: str | None,
    read: str | None,
    write: str | None,
    from_stdin: bool,
    policy_file: Path | None,
    directory: Path,
    as_json: bool,
) -> int:
    """Say whether an action is allowed, denied, or needs a person, and by which rule.

    Nothing is run, written or recorded.
    """
    from ralph.errors import UsageError
    from ralph.permissions.disk import here
    from ralph.permissions.loader import load

    given = {name: text for name, text in (("command", command), ("read", read), ("write", write)) if text is not None}
    if len(given) + from_stdin != 1:
        raise UsageError("`permissions check` takes exactly one of --command, --read, --write and --stdin.")
    place = here(working_copy(directory))
    policy = load(policy_file or Path(place.root) / POLICY_FILE)
    cwd = str(directory.resolve())
    if from_stdin:
        for number, line in enumerate(sys.stdin.buffer, 1):
            print_line(_answer(line, number, cwd, policy, place))
        return 0
    document = _decided(_action(given, cwd), policy, place)
    if as_json:
        print_json(document)
    else:
        _show(document)
    return EXIT[document["decision"]]


def print_line(document: dict[str, Any]) -> None:
    """One JSON line, at once: the asker may wait for it before it asks again."""
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


def _answer(line: bytes, number: int, cwd: str, policy: Permissions, place: Place) -> dict[str, Any]:
    """The answer to one line; what cannot be read is denied."""
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        asked = None
    kinds = ("command", "read", "write")
    if isinstance(asked, dict) and len(asked) == 1:
        ((kind, text),) = asked.items()
        if kind in kinds and isinstance(text, str):
            return _decided(_action({kind: text}, cwd), policy, place)
    reason = f'line {number} is not a JSON object with one of "command", "read" and "write" and a text'
    return {"decision": "deny", "rule": "INPUT", "reason": reason, "classes": [], "alternative": None}


def _action(given: dict[str, str], cwd: str) -> Action:
    from ralph.permissions.model import ReadPath, RunCommand, WritePath

    ((kind, text),) = given.items()
    if kind == "command":
        return RunCommand(text, cwd)
    return ReadPath(text, cwd) if kind == "read" else WritePath(text, cwd)


def _decided(action: Action, policy: Permissions, place: Place) -> dict[str, Any]:
    from ralph.permissions.decide import decide

    decision: Decision = decide(action, policy, place)
    return {
        "decision": str(decision.outcome),
        "rule": decision.rule,
        "reason": decision.reason,
        "classes": [str(name) for name in decision.classes],
        "alternative": decision.alternative,
        "span": list(decision.span) if decision.span else None,
    }


def _show(document: dict[str, Any]) -> None:
    from ralph.system.text import visible

    click.echo(f"{document['decision'].upper()}  {visible(document['reason'])}")
    click.echo(f"  rule  {visible(document['rule'])}")
    if document["classes"]:
        click.echo(f"  asks  {', '.join(document['classes'])}")
    if document["alternative"]:
        click.echo(f"  do    {visible(document['alternative'])}")
