"""`ralph completions SHELL`: what a shell needs to complete the commands of Ralph (design section 7).

The shell then asks `ralph` itself at every TAB, by click's own protocol. Only the command that is being typed is
loaded.
"""

from __future__ import annotations

import click

HOW = {
    "bash": 'eval "$(ralph completions bash)"     # in ~/.bashrc; needs bash 4.4',
    "zsh": 'eval "$(ralph completions zsh)"      # in ~/.zshrc, behind compinit',
    "fish": "ralph completions fish > ~/.config/fish/completions/ralph.fish",
}
PROGRAMS = ("ralph", "ralph-agent")
VARIABLE = "_RALPH_COMPLETE"
"""By which a shell asks, whatever name the program was called by."""


@click.command(epilog="\b\n" + "\n".join(HOW.values()))
@click.argument("shell", type=click.Choice(list(HOW)))
def completions(shell: str) -> None:
    """Print what SHELL needs to complete Ralph's commands and options."""
    from click.shell_completion import get_completion_class

    from ralph.cli.main import cli

    kind = get_completion_class(shell)
    assert kind is not None
    for program in PROGRAMS:
        made = kind(cli, {}, program, VARIABLE)
        click.echo(made.source_template % made.source_vars())
