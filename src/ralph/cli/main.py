"""The `ralph` command: a table of commands, and the one place that maps errors to exit codes.

Commands are loaded when they are called, so that `ralph --help` stays fast; their one-line helps stand in the table.
Exit codes: 0 PASS/done, 1 FAIL, 2 BLOCKED, 3 no verdict (usage, configuration, environment), 130 interrupted.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

import ralph
from ralph.errors import RalphError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "demo": ("ralph.cli.demo:demo", "Watch Ralph refuse, block and pass an agent's work on a bundled project."),
    "run": ("ralph.cli.run:run", "Let an agent work until everything is proven, or say why not."),
    "resume": ("ralph.cli.run:resume", "Go on with the run that ended, was cut off, or is paused."),
    "init": ("ralph.cli.init:init", "Detect the project and write its context and policy."),
    "verify": ("ralph.cli.verify:verify", "Verify the working tree: PASS, FAIL or BLOCKED, with signed evidence."),
    "scan": ("ralph.cli.scan:scan", "Run the guardrails alone."),
    "audit": ("ralph.cli.audit:audit", "List, show, check and re-judge recorded evidence."),
    "approvals": ("ralph.cli.approvals:approvals", "See what agents ask for; approve, reject, or suggest another way."),
    "gate": ("ralph.cli.gate:gate", "See the gates of prompt runs; retry, skip or abort one that is stuck."),
    "exceptions": ("ralph.cli.exceptions:exceptions", "See, grant and revoke what a person takes upon themselves."),
    "checkpoint": ("ralph.cli.rollback:checkpoint", "Keep the present state of the working tree."),
    "rollback": ("ralph.cli.rollback:rollback", "Bring the working tree back to a checkpoint; what it was is kept."),
    "emit": ("ralph.cli.emit:emit", "Publish an event from within an agent's turn."),
    "events": ("ralph.cli.events:events", "Ask what the evidence gates make of a claim."),
    "hats": ("ralph.cli.hats:hats", "Show the roles that agents play, and how work goes from one to the next."),
    "claims": ("ralph.cli.claims:claims", "See how often what agents claimed was true."),
    "permissions": ("ralph.cli.permissions:permissions", "Ask what an agent may do here."),
    "hook": ("ralph.cli.hook:hook", "Answer an agent client that asks before it uses a tool."),
    "exec": ("ralph.cli.hook:execute", "Run the command of a ticket in the sandbox; `ralph hook` makes tickets."),
    "status": ("ralph.cli.status:status", "Show how the newest run stands, and follow it."),
    "pause": ("ralph.cli.pause:pause", "Let the run at work end its turn, and then wait."),
    "stop": ("ralph.cli.pause:stop", "End the run at work; nothing is lost."),
    "inject": ("ralph.cli.inject:inject", "Tell the agent something in its next prompt."),
    "breaker": ("ralph.cli.breaker:breaker", "See what halted a run, and let it try again."),
    "memory": ("ralph.cli.memory:memory", "Show what agents are told of what was before; clean it up."),
    "handoff": ("ralph.cli.handoff:handoff", "End the session: the work goes on with a fresh context."),
    "reset": ("ralph.cli.reset:reset", "Start the project over; what was there is kept."),
    "mcp": ("ralph.cli.mcp:mcp", "Offer Ralph's tools over MCP."),
    "prompt": ("ralph.cli.prompt:prompt", "Call prompts by name, with gates that a real exit 0 ends."),
    "plan": ("ralph.cli.plan:plan", "See the plan, add tasks, import them, and have it criticised."),
    "tasks": ("ralph.cli.tasks:tasks", "List what is to be done, and which task is next."),
    "policy": ("ralph.cli.policy:policy", "Show the policy sets and their rules."),
    "notify": ("ralph.cli.notify:notify", "See what people were told of; send what is left; try a target."),
    "stats": ("ralph.cli.stats:stats", "See what proven work costs, and how often it works at once."),
    "deliver": ("ralph.cli.deliver:deliver", "Make a branch and a pull request from a signed PASS."),
    "web": ("ralph.cli.web:web", "Show runs, approvals and records in a browser."),
    "worker": ("ralph.cli.worker:worker", "Take verifications and runs from a queue, and do them."),
    "submit": ("ralph.cli.submit:submit", "Ask for a verification or a run, here or by a queue."),
    "queue": ("ralph.cli.queue:queue", "See the jobs and the workers; cancel, retry, answer."),
    "ci": ("ralph.cli.ci:ci", "Judge a change in a pipeline, and give the verdict back."),
    "schema": ("ralph.cli.schema:schema", "Print the JSON Schemas of the files that people write."),
    "completions": ("ralph.cli.completions:completions", "Print what a shell needs to complete Ralph's commands."),
    "selftest": ("ralph.cli.selftest:selftest", "Plant known cheats in a copy, and show that each is caught."),
    "doctor": ("ralph.cli.doctor:doctor", "Check that this machine and project have what Ralph needs."),
}

GARBAGE = 50_000
"""New objects before Python looks for garbage. Nothing that is loaded is garbage: to look as often as it does by itself
is a twelfth of the time of a short command."""


class LazyGroup(click.Group):
    """A group that imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        named = [CompletionItem(name, help=text) for name, (_, text) in COMMANDS.items() if name.startswith(incomplete)]
        return named + super(click.Group, self).shell_complete(ctx, incomplete)  # the group's own would load them all

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f". Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"There is no command {args[0]!r}{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(ralph.__version__, prog_name="ralph")
@click.pass_context
def cli(context: click.Context) -> None:
    """Ralph governs coding agents: "done" is never believed without proof."""
    if os.environ.get("NO_COLOR"):
        context.color = False


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command and exit with its code. A request to end is an interruption like Ctrl-C: all is cleaned up."""
    import signal

    gc.set_threshold(GARBAGE)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # under nohup it stays ignored
            signal.signal(number, signal.default_int_handler)
    code = run(argv)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # said again now, it would take the place of the exit code
    gc.freeze()  # a process that ends need not sort out its memory first: 30 ms
    sys.exit(code)


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code. Expected errors become one sentence on standard error."""
    try:
        code = cli.main(args=None if argv is None else list(argv), prog_name="ralph", standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _complain("interrupted", 130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 3
    except click.ClickException as error:
        return _complain(_usage(error), 3)
    except RalphError as error:
        return _complain(str(error), error.exit_code)
    except OSError as error:
        from ralph.system.files import reason

        where = f"{os.fsdecode(error.filename)} " if isinstance(error.filename, str | bytes) else "a file "
        return _complain(f"{where}cannot be used: {reason(error)}.", 3)
    except SystemExit as error:
        return 3 if error.code else 0  # click's way out when nobody reads standard output any more
    return code if isinstance(code, int) else 0


def _complain(sentence: str, code: int) -> int:
    from ralph.system.text import visible

    first, *further = visible(sentence, keep="\n").split("\n")
    told = "\n  ".join([first, *(line.lstrip() for line in further)])  # none of them can look like another message
    click.echo(f"ralph: {told}", err=True)
    return code


def _usage(error: click.ClickException) -> str:
    """What is wrong with the arguments, and where to read what they may be."""
    message = error.format_message().rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None or message.endswith(("?", "?)")):
        return message
    return f"{message}; `{context.command_path} --help` shows what it takes."
