"""What a package that is not here is called, and how it comes: the extras of `pyproject.toml`.

Everything that needs an extra says so by `missing`, so that it is always the same sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ralph.errors import MissingToolError


def missing(what: str, extra: str) -> str:
    """The sentence, of which `what` is the beginning: "The dashboard"."""
    return f"{what} needs packages that are missing: pip install 'ralph-governance[{extra}]'."


@contextmanager
def needed(what: str, extra: str) -> Iterator[None]:
    """For the imports of what `extra` brings. Raises MissingToolError where it did not come.

    A module of Ralph's own that is not there is no missing extra, and stays the defect that it is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "ralph":
            raise
        raise MissingToolError(missing(what, extra)) from error
