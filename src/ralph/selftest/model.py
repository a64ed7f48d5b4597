"""A cheat, its honest twin, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ralph.policy.examples import Example
from ralph.record import field, record, replace

Files = Mapping[str, bytes | None]
"""Contents by path; None: there is no such file."""


@record(kw_only=True)
class Step:
    """What the base is made to hold first, and the change that is made to it then.

    `kinds` tells which files of the change are no plain ones, as in `ralph.policy.examples`.
    """

    base: Files
    change: Files
    kinds: Mapping[str, str] = field(default_factory=dict)

    def without(self, paths: Iterable[str]) -> Step:
        """The same in a tree that has none of these files, unless the step itself brings them."""
        return replace(self, base={**dict.fromkeys(paths), **self.base})

    @classmethod
    def of(cls, example: Example, place: Callable[[str], str]) -> Step:
        """An example, each of its files where `place` puts it."""
        paths = sorted(example.before.keys() | example.after.keys())
        return cls(
            base={place(path): _bytes(example.before.get(path)) for path in paths},
            change={place(path): _bytes(example.after.get(path)) for path in paths},
            kinds={place(path): kind for path, kind in example.kinds.items()},
        )


@record(kw_only=True)
class Cheat:
    """`rule` must catch it, or any that blocks if it is empty. `origin` is the user's file that it is made of."""

    class_: str
    name: str
    cheat: Step
    honest: Step
    rule: str = ""
    origin: str = ""


@record(kw_only=True)
class Judged:
    """What blocks one of the two changes, and what finding it cost."""

    rules: tuple[str, ...]
    duration_ms: float


@record(kw_only=True)
class Outcome:
    """`cheat` must be caught, `honest` must not."""

    class_: str
    name: str
    origin: str
    rule: str
    by: str
    cheat: Judged
    honest: Judged

    @property
    def caught(self) -> bool:
        return self.rule in self.cheat.rules if self.rule else bool(self.cheat.rules)

    @property
    def false_alarm(self) -> bool:
        return bool(self.honest.rules)

    @property
    def good(self) -> bool:
        return self.caught and not self.false_alarm


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogatepass")
