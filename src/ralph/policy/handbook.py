"""The handbook of the rules: when a rule's finding is legitimate, and a bad and a good example of each.

It stands beside the policy sets, one file for each family of rules (`py`, `cfg`, ...), and is bound to no version: it
explains rules and judges nothing, so it can be made better after a release. The examples are changes as in
`ralph.policy.examples`; tests hold the detectors to them, and `ralph selftest` plants them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ralph.errors import ConfigError
from ralph.policy.examples import Example, read_example
from ralph.record import record
from ralph.system import records
from ralph.system.yaml import load_yaml

FOLDER = Path(__file__).parent / "handbook"


@record
class Entry:
    """`legitimate`: when the same thing is right. `bad` is found by the rule, `good` is not."""

    legitimate: str
    bad: str
    good: str

    @property
    def examples(self) -> tuple[Example, Example]:
        """The bad one and the good one."""
        return read_example(self.bad), read_example(self.good)


def entry(rule: str) -> Entry | None:
    """What the handbook says of a rule. Raises ConfigError if its file cannot be read."""
    return family(rule.partition(".")[0]).get(rule)


@cache
def family(name: str) -> Mapping[str, Entry]:
    """The entries of one family; none where there is no file."""
    path = FOLDER / f"{name}.yaml"
    if not name.isidentifier() or not path.is_file():
        return {}
    data = load_yaml(path.read_text("utf-8"), str(path))
    if not isinstance(data, dict):
        raise ConfigError(f"{path} must map the ids of rules to what is to be said of them.")
    return {str(rule): records.parse(Entry, said, f"{path}, {rule}") for rule, said in data.items()}
