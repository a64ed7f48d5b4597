"""What a shell knows while it goes through a line: where it stands, and which names mean something of their own.

A state is a value; a subshell works on its own copy by nature. Whatever is not certain is several possibilities, and
every one of them is judged.
"""

from __future__ import annotations

from collections.abc import Mapping

from ralph.record import field, record, replace
from ralph.shell.model import Group

MAX_POSSIBILITIES = 8


@record(kw_only=True)
class State:
    """`cwds`: the folders the shell may stand in, the likeliest first; `seen`: all that it may have stood in.

    `values`: the literal values that a variable was given somewhere; it may have others, so that they only serve to
    be judged as well. `functions`: bodies by name; `certain` are those that are surely defined.
    """

    cwds: tuple[str, ...]
    seen: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    functions: Mapping[str, tuple[Group, ...]] = field(default_factory=dict)
    certain: frozenset[str] = frozenset()

    @property
    def overflows(self) -> bool:
        return len(self.cwds) > MAX_POSSIBILITIES

    def moved(self, places: tuple[str, ...]) -> State:
        return replace(self, cwds=_unique(places), seen=_unique((*self.seen, *self.cwds, *places)))

    def assigned(self, name: str, values: tuple[str, ...]) -> State:
        known = _unique((*self.values.get(name, ()), *values))
        return replace(self, values={**self.values, name: known[:MAX_POSSIBILITIES]})

    def defined(self, name: str, body: Group) -> State:
        bodies = (*self.functions.get(name, ()), body)
        return replace(self, functions={**self.functions, name: bodies}, certain=self.certain | {name})

    def merged(self, other: State) -> State:
        """Either this or `other` holds: after an `if`, a loop, or a list whose parts may fail."""
        functions = {
            name: tuple(dict.fromkeys((*self.functions.get(name, ()), *other.functions.get(name, ()))))
            for name in {*self.functions, *other.functions}
        }
        values = {
            name: _unique((*self.values.get(name, ()), *other.values.get(name, ())))[:MAX_POSSIBILITIES]
            for name in {*self.values, *other.values}
        }
        return State(
            cwds=_unique((*self.cwds, *other.cwds)),
            seen=_unique((*self.seen, *other.seen)),
            values=values,
            functions=functions,
            certain=self.certain & other.certain,
        )


def _unique(items: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
