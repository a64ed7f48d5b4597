"""How commands write. What comes from a repository is shown, never obeyed: pass it through `system.text.visible`.

Colour is used on a terminal only, and never when NO_COLOR is set.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console


def print_json(document: Any) -> None:
    """One JSON document on standard output. Undecodable bytes of paths stay as escaped surrogates."""
    click.echo(json.dumps(document, indent=2))


def console(*, stderr: bool = False) -> Console:
    """A console that writes what it is given: no markup, no emoji, no highlighting of its own."""
    from rich.console import Console

    return Console(
        file=sys.stderr if stderr else sys.stdout,
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=True,
        no_color=bool(os.environ.get("NO_COLOR")),
    )
