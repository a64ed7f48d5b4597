"""Regular expressions that are compiled when they are first asked.

There are hundreds, and a command asks few of them: to compile them all would take longer than most commands.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class Later:
    """Stands for the compiled expression; each of its methods is fetched once."""

    __isabstractmethod__ = False
    """Asked of whatever a class with abstract methods holds."""

    def __init__(self, expression: str | bytes, flags: int) -> None:
        self.pattern = expression
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def later(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile`, when it is needed; whatever is wrong with the expression shows only then.

    To `re`'s own functions it is no expression: call its methods.
    """
    return cast("re.Pattern[AnyStr]", Later(expression, flags))
