"""The entry of the program: `ralph`, and `python -m ralph`.

`hook` and `exec` are doors for machines that start them for every use of a tool: they go past the command line's
library. Whatever goes wrong behind them, a module that is missing included, is one sentence and exit code 2, which the
clients take as a denial; standard output then stays empty.
"""

from __future__ import annotations

import os
import sys

from ralph.errors import RalphError

DOORS = {"hook": "ralph.hook.main", "exec": "ralph.hook.exec"}


def main() -> None:
    """Run what the arguments say, and exit."""
    arguments = sys.argv[1:]
    if arguments and arguments[0] in DOORS and not {"-h", "--help"}.intersection(arguments):
        os._exit(door(DOORS[arguments[0]], arguments[1:]))  # nothing that ends later can change the answer
    from ralph.cli.main import main as program

    program()


def door(module: str, arguments: list[str]) -> int:
    """The exit code of a door; 2 for whatever goes wrong."""
    try:
        import gc
        import importlib

        gc.disable()  # nothing that is loaded is garbage, so nobody needs to look for it
        entered = importlib.import_module(module)
        gc.freeze()
        gc.enable()
        code: int = entered.main(arguments)
    except BaseException as error:  # noqa: BLE001 - an error that got away would let the tool run
        complain(error)
        return 2
    return code


def complain(error: BaseException) -> None:
    """One sentence on standard error, whatever becomes of it."""
    if isinstance(error, RalphError):
        sentence = str(error)
    elif isinstance(error, KeyboardInterrupt):
        sentence = "Ralph was told to end, so nothing goes on."
    else:
        sentence = f"Ralph failed ({type(error).__name__}: {error}), so nothing is allowed."
    try:
        os.write(2, b"ralph: " + " ".join(sentence.split()).encode("utf-8", "backslashreplace")[:4000] + b"\n")
    except OSError:
        return


if __name__ == "__main__":
    main()
