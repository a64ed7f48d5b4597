"""How the end of a command is told apart from a result: what ended it, if it was not the command itself."""

from __future__ import annotations

import re
import signal

from ralph.system.process import Ended
from ralph.system.text import visible

_NOT_FOUND = re.compile(r"([^\s:]+): (?:command )?not found")
_SIGNALS = frozenset(signal.valid_signals()) & set(range(1, 32))


def mishap(ended: Ended, timeout_s: float, said: str = "") -> str | None:
    """Why the end of a command says nothing, as a clause; None when it ended by itself and was able to run.

    `said` is what the command said last, for one that could not be run.
    """
    if ended.timed_out:
        return f"it did not end within {timeout_s:g} s and was stopped"
    if ended.trouble:
        return ended.trouble
    if ended.signal:
        return f"it was ended by {ended.signal}"
    code = ended.exit_code
    if code in (126, 127):
        found = _NOT_FOUND.search(ended.output)
        what = f"{visible(found[1])}: command not found" if found else said or "the command cannot be run"
        return f"{what} (exit {code})"
    if name := signal_of(code):
        return f"it was ended by {name} (exit {code})"
    return "it was not started" if code is None else None


def signal_of(code: int | None) -> str | None:
    """The signal that a shell, or a sandbox, reports as 128 and its number."""
    return signal.Signals(code - 128).name if code is not None and code - 128 in _SIGNALS else None
