"""Options that several commands have (design section 7)."""

from __future__ import annotations

from pathlib import Path

import click

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
"""Gives `as_json`."""

directory_option = click.option(
    "-C",
    "directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Work in DIR instead of the current directory.",
)
"""Gives `directory`."""

policy_option = click.option(
    "--policy", "policy", metavar="V", help="The policy set; the newest released one by default."
)
"""Gives `policy`."""

base_option = click.option(
    "--base", metavar="REV", help="The commit to judge against; the merge-base with the default branch by default."
)
"""Gives `base`."""


def working_copy(directory: Path) -> Path:
    """The top of the working copy that `directory` lies in, or itself where there is none."""
    start = directory.resolve()
    return next((each for each in (start, *start.parents) if (each / ".git").exists()), start)
