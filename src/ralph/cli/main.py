"""The `ralph` command: a table of commands, and the one place that maps errors to exit codes.

Commands are loaded when they are called, so that `ralph --help` stays fast; their one-line helps stand in the table.
Exit codes: 0 PASS/done, 1 FAIL, 2 BLOCKED, 3 no verdict (usage, configuration, environment), 130 interrupted.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

import click

import ralph
from ralph.errors import RalphError

COMMANDS = {
    "demo": ("ralph.cli.demo:demo", "Watch Ralph refuse, block and pass an agent's work on a bundled project."),
    "init": ("ralph.cli.init:init", "Detect the project and write its ralph-context.yaml."),
    "verify": ("ralph.cli.verify:verify", "Verify the working tree: PASS, FAIL or BLOCKED, with signed evidence."),
    "scan": ("ralph.cli.scan:scan", "Run the guardrails alone."),
    "audit": ("ralph.cli.audit:audit", "List, show, check and re-judge recorded evidence."),
    "policy": ("ralph.cli.policy:policy", "Show the policy sets and their rules."),
    "doctor": ("ralph.cli.doctor:doctor", "Check that this machine and project have what Ralph needs."),
}


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else " `ralph --help` lists those there are."
            raise click.UsageError(f"There is no command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(ralph.__version__, prog_name="ralph")
def cli() -> None:
    """Ralph governs coding agents: "done" is never believed without proof."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command and exit with its code."""
    sys.exit(run(argv))


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code. Expected errors become one sentence on standard error."""
    try:
        code = cli.main(args=None if argv is None else list(argv), prog_name="ralph", standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.Abort:
        click.echo("ralph: interrupted", err=True)
        return 130
    except KeyboardInterrupt:
        click.echo("ralph: interrupted", err=True)
        return 130
    except click.ClickException as error:
        click.echo(f"ralph: {error.format_message()}", err=True)
        return 3
    except RalphError as error:
        from ralph.system.text import visible

        click.echo(f"ralph: {visible(str(error))}", err=True)
        return error.exit_code
    except BrokenPipeError:
        sys.stderr.close()
        return 3
    return code if isinstance(code, int) else 0
