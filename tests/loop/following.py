"""An agent that does what a hat's own instructions say: it runs their `ralph emit` lines in a real shell."""

from __future__ import annotations

import re
import textwrap
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ralph.agents.base import End, Record, Turn
from ralph.agents.scripted import ScriptedAgent
from ralph.events.topics import matches
from ralph.hats.model import Hat, Topology

_EMIT = re.compile(r"""^ +ralph emit (\S+) (?:"[^"]*"|'[^']*')$""", re.MULTILINE)


def examples(hat: Hat) -> dict[str, str]:
    """The lines that the instructions show, by topic; the first of each."""
    found: dict[str, str] = {}
    for match in _EMIT.finditer(hat.instructions):
        found.setdefault(match[1], textwrap.dedent(match[0]).strip())
    return found


def way(topology: Topology) -> dict[str, str]:
    """What each hat publishes on the shortest way from the start to the end, by the hat's id."""
    queue: deque[tuple[str, tuple[tuple[str, str], ...]]] = deque([(topology.start, ())])
    seen = {topology.start}
    while queue:
        topic, path = queue.popleft()
        if topic == topology.done:
            return dict(path)
        for hat in topology.hats:
            if any(matches(trigger, topic) for trigger in hat.triggers):
                for following in hat.publishes:
                    if following in examples(hat) and following not in seen:
                        seen.add(following)
                        queue.append((following, (*path, (hat.id, following))))
    raise AssertionError(f"{topology.name}: nothing that its instructions show leads from {topology.start} to its end")


@dataclass
class Follower:
    """Publishes, in its one turn, the line that its instructions show."""

    line: str
    name: str = "follower"
    prompts: list[str] = field(default_factory=list)

    def run(self, turn: Turn) -> Iterator[Record]:
        self.prompts.append(turn.prompt)
        agent = ScriptedAgent(self.name, ((("run", self.line),),))
        once = replace(turn, iteration=1)
        yield from (record for record in agent.run(once) if not isinstance(record, End))
        yield End("completed")
