"""Whether hats can work together: every problem at once, each with its place and the way out. Pure.

Spec: events, evidence and confession; decisions 18 to 20. Hats are sound when

- each has an id and a name of its own and instructions, and its topics are well written;
- no event wakes two of them, but for one that listens to `*` alone and takes what nobody else does;
- every trigger is published by somebody, and everything that is published wakes a hat or ends the work;
- every hat is reached from the start, and from every hat the end is reached;
- they leave to Ralph what is Ralph's (reserved topics), and silence proves nothing (a gated topic as a default).
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product

from ralph.config.schema import Evidence
from ralph.errors import ConfigError
from ralph.events.bus import COORDINATOR
from ralph.events.topics import EVERY, is_negative, is_pattern, is_reserved, is_topic, matches, overlap
from ralph.hats.flow import COMPLETE, Flow
from ralph.hats.model import Hat, Topology
from ralph.record import record

_ID = re.compile(r"[a-z][a-z0-9_-]*")


@record
class Problem:
    """What is wrong, where (a path of keys), and the way out."""

    place: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}; {self.remedy}."


def check(topology: Topology, refusals: Mapping[str, str], evidence: Evidence = "measured") -> list[Problem]:
    """Every problem; empty when the hats are sound. `refusals` maps each gated topic to what refuses its claims."""
    flow = Flow(topology, refusals)
    return [
        *_identity(topology),
        *(problem for hat in topology.hats for problem in (*_written(hat), *_allowed(hat, flow, evidence))),
        *_ambiguous(topology),
        *_start_and_end(flow),
        *(problem for hat in topology.hats for problem in (*_strangers(hat, flow), *_stranded(hat, flow))),
    ]


def require(topology: Topology, refusals: Mapping[str, str], evidence: Evidence, source: str) -> None:
    """Raises ConfigError that lists every problem, if there is one."""
    problems = check(topology, refusals, evidence)
    if len(problems) == 1:
        raise ConfigError(f"{source}: {problems[0]}")
    if problems:
        lines = [
            f"{source}: the hats have {len(problems)} problems; correct each:",
            *(f"  {each}" for each in problems),
        ]
        raise ConfigError("\n".join(lines))


def _identity(topology: Topology) -> Iterator[Problem]:
    if not topology.hats:
        yield Problem("hats", "there is none", "write one, or name a preset")
    ids = Counter(hat.id for hat in topology.hats)
    names = Counter(_plain(hat.name) for hat in topology.hats)
    for hat in topology.hats:
        place = f"hats.{hat.id}"
        if not _ID.fullmatch(hat.id):
            yield Problem(place, "an id is a lower case letter, then such letters, digits, `-` and `_`", "rename it")
        if hat.id == COORDINATOR:
            yield Problem(place, "this is Ralph's own name, for whom no hat takes", "rename it")
        if ids[hat.id] > 1:
            yield Problem(place, "two hats have this id", "rename one")
        if not hat.name.strip():
            yield Problem(f"{place}.name", "it is empty", "name the role, or remove the key")
        elif names[_plain(hat.name)] > 1:
            yield Problem(f"{place}.name", f"two hats are called {hat.name!r}", "give each a name of its own")


def _written(hat: Hat) -> Iterator[Problem]:
    """Keys of one hat that are wrong whatever the other hats are."""
    place = f"hats.{hat.id}"
    if not hat.instructions.strip():
        yield Problem(f"{place}.instructions", "they are empty", "say what the agent is to do, and what to publish")
    if hat.max_activations is not None and hat.max_activations < 1:
        yield Problem(f"{place}.max_activations", f"{hat.max_activations} is less than 1", "remove the key, or the hat")
    for key, texts in (("agent", [hat.agent]), ("model", [hat.model]), ("tools", hat.tools)):
        if any(text is not None and not text.strip() for text in texts):
            yield Problem(f"{place}.{key}", "it is empty", "name one, or remove the key")
    if not hat.triggers:
        yield Problem(f"{place}.triggers", "there is none, so nothing wakes this hat", "name the topics that do")
    for key, topics, fits in (("triggers", hat.triggers, is_pattern), ("publishes", hat.publishes, is_topic)):
        for topic, times in Counter(topics).items():
            if times > 1:
                yield Problem(f"{place}.{key}", f"{topic!r} stands there twice", "remove one")
            if not fits(topic):
                wildcard = "" if key == "publishes" else ", or `*` for a whole part"
                rule = f"{topic!r} is no topic: letters, digits, `_` and `-`, parted by single points{wildcard}"
                yield Problem(f"{place}.{key}", rule, "rename it")


def _allowed(hat: Hat, flow: Flow, evidence: Evidence) -> Iterator[Problem]:
    """What a hat may publish, and what nobody may publish by saying nothing."""
    place = f"hats.{hat.id}"
    for topic in hat.publishes:
        if is_reserved(topic):
            yield Problem(f"{place}.publishes", f"only Ralph publishes {topic!r}", "choose a topic of your own")
    for trigger in hat.triggers:
        ended = [topic for topic in flow.ends if trigger != EVERY and matches(trigger, topic)]
        if ended:
            taken = f"{trigger!r} takes {ended[0]!r}, which ends the work and wakes no hat"
            yield Problem(f"{place}.triggers", taken, "remove it, or end the work with another topic (`done`)")
        if trigger.startswith("loop."):
            yield Problem(f"{place}.triggers", f"{trigger!r} is the loop's own and wakes no hat", "remove it")
    default = hat.default_publishes
    if default is None:
        return
    if default not in hat.publishes:
        undeclared = f"{default!r} is not among what the hat publishes"
        yield Problem(f"{place}.default_publishes", undeclared, "add it to `publishes`, or remove it here")
    silent = f"{default!r} would be published for an agent that said nothing"
    if default == COMPLETE:
        yield Problem(f"{place}.default_publishes", silent, "choose a topic that does not end the loop")
    elif evidence == "measured" and (default in flow.refusals or default == flow.topology.done):
        yield Problem(
            f"{place}.default_publishes", silent, "choose one that claims nothing, or set `evidence: claimed`"
        )


def _ambiguous(topology: Topology) -> Iterator[Problem]:
    for one, other in combinations(topology.hats, 2):
        for left, right in product(one.triggers, other.triggers):
            if (left == EVERY) == (right == EVERY) and overlap(left, right):
                same = f"{right!r} wakes {one.id!r} too"
                what = same if left == right else f"some topics of {right!r} wake {one.id!r} too, by its {left!r}"
                yield Problem(f"hats.{other.id}.triggers", what, "let each event wake one hat")


def _start_and_end(flow: Flow) -> Iterator[Problem]:
    topology = flow.topology
    if not topology.hats:
        return
    for key, topic in (("start", topology.start), ("done", topology.done)):
        if not is_topic(topic):
            yield Problem(key, f"{topic!r} is no topic", "rename it")
    if is_negative(topology.done) or topology.done in flow.refusals.values():
        yield Problem("done", f"{topology.done!r} says that something is not done", "name the topic that says it is")
    if all(edge.target is None for edge in flow.edges if edge.source is None):
        yield Problem("hats", f"no hat is woken by {topology.start!r}, which begins the work", "let one be")
    if not any(topology.done in hat.publishes for hat in topology.hats):
        missing = f"no hat publishes {topology.done!r}, which ends the work"
        yield Problem("hats", missing, "let one publish it, or end the work with another topic (`done`)")


def _strangers(hat: Hat, flow: Flow) -> Iterator[Problem]:
    """Topics that only this hat knows."""
    sources = set(flow.sources())
    for trigger in hat.triggers:
        if trigger == EVERY or trigger in flow.ends or is_reserved(trigger):
            continue
        if not any(matches(trigger, topic) for topic in sources):
            unknown = f"nobody publishes {trigger!r}{_near(trigger, sources)}"
            yield Problem(f"hats.{hat.id}.triggers", unknown, "let a hat publish it, or remove it")
    heard = {pattern for each in flow.topology.hats for pattern in each.triggers}
    for topic in hat.publishes:
        if topic not in flow.ends and not is_reserved(topic) and not any(matches(each, topic) for each in heard):
            unknown = f"no hat is woken by {topic!r}{_near(topic, [*heard, *flow.ends])}"
            yield Problem(f"hats.{hat.id}.publishes", unknown, "add it to a hat's `triggers`, or remove it")


def _stranded(hat: Hat, flow: Flow) -> Iterator[Problem]:
    if hat.id not in flow.reached and hat.triggers:
        nothing = f"no course of events from {flow.topology.start!r} wakes this hat"
        yield Problem(f"hats.{hat.id}", nothing, "let a hat that is reached publish one of its triggers, or remove it")
    if hat.id not in flow.finishing:
        endless = f"from here the work never ends: nothing leads to {' or '.join(flow.ends)}"
        yield Problem(f"hats.{hat.id}", endless, "let it, or a hat that it wakes, publish one of these")


def _near(topic: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(topic, sorted(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
