"""How commands write. What comes from a repository is shown, never obeyed: pass it through `system.text.visible`."""

from __future__ import annotations

import json
from typing import Any

import click


def print_json(document: Any) -> None:
    """One JSON document on standard output. Undecodable bytes of paths stay as escaped surrogates."""
    click.echo(json.dumps(document, indent=2))
