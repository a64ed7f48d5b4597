"""The one error of the readers."""

from __future__ import annotations


class Unreadable(Exception):
    """The file does not parse as its format; the text says why."""
