"""Performs a turn: gives an agent its prompt, its tools and its law, records what it does, and says how it ended.

Rules (design decisions 25, 30, 33, 36):

- The prompt, the permissions and the tools are made anew for each turn, from the files as they are.
- Everything the agent does is on the disk before anybody acts on it. A turn whose end was recorded is not played again;
  one that was cut off is, as the same iteration, and what it had used counts.
- What a client ran without a decision is found by comparing its records with the court's.
- A person's word to stop ends the turn; the same iteration is played again when the run goes on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

from ralph.agents.base import Agent, Decided, End, Record, Started, Text, Turn, Usage
from ralph.agents.reconcile import reconcile
from ralph.agents.recording import Recording
from ralph.events import bus as buses
from ralph.events import inbox, tokens
from ralph.events.model import Event
from ralph.hats.model import Hat
from ralph.hook import docket
from ralph.hook.court import TurnCourt
from ralph.loop import turn_folder
from ralph.loop.budget import turn_limits
from ralph.loop.effects import RunAgent
from ralph.loop.inputs import TurnEnded
from ralph.loop.memory.handoff import REQUEST
from ralph.loop.moves import counted
from ralph.loop.phases.tools import TOOLS
from ralph.loop.prompting import facts
from ralph.loop.prompts.turn import turn_prompt
from ralph.loop.site import Site
from ralph.loop.state import State
from ralph.loop.toolbox import Desk, Seat, tools
from ralph.loop.toolbox.person import asker
from ralph.loop.turn_folder import TurnFolder
from ralph.permissions.capabilities import Capabilities
from ralph.permissions.model import Permissions
from ralph.permissions.narrowing import narrowed
from ralph.record import record, replace
from ralph.record import replace as record_replace

SILENT = Capabilities(name="a handoff", write=(), shell=False, web=False, delegate=False, ask=False)
"""What an agent may do while it only sums up."""


@record(kw_only=True)
class _Seated:
    """Who plays, and what woke them."""

    agent: Agent
    hat: Hat | None
    given: tuple[Event, ...]
    model: str | None


def act(site: Site, state: State, effect: RunAgent, stop: threading.Event) -> TurnEnded:
    """Play a turn to its end. Raises StorageError if Ralph's own files cannot be written."""
    before = turn_folder.played(site.folder, effect.iteration, effect.kind)
    uncounted = _uncounted(before, effect.played)
    folder = turn_folder.following(site.folder, effect.iteration, effect.kind, before)
    seated, begun = _seated(site, state, effect), time.monotonic()
    turn = _turn(site, state, effect, seated, folder)
    for heard in Recording(seated.agent).run(replace(turn, stop=stop)):
        site.view.record(heard)
    return _told([*uncounted, folder], folder, time.monotonic() - begun)


def finished(run: Path, effect: RunAgent) -> TurnEnded | None:
    """How a turn ended of which Ralph recorded the end before it died; None if it is to be played."""
    uncounted = _uncounted(turn_folder.played(run, effect.iteration, effect.kind), effect.played)
    return _told(uncounted, uncounted[-1], 0.0) if uncounted and uncounted[-1].end else None


def cut_off(run: Path, effect: RunAgent) -> TurnEnded | None:
    """How a turn ended that nobody plays any more, as far as it was recorded; None if it never began."""
    uncounted = _uncounted(turn_folder.played(run, effect.iteration, effect.kind), effect.played)
    if not uncounted:
        return None
    told = _told(uncounted, uncounted[-1], 0.0)
    return told if uncounted[-1].end else replace(told, reason="interrupted", detail="Ralph died in it")


def _uncounted(played: Sequence[TurnFolder], told: int) -> list[TurnFolder]:
    """The playings that are not in the run's log yet: those behind the last one that was told."""
    ended = [number for number, each in enumerate(played) if each.end is not None]
    return list(played[ended[told - 1] + 1 :] if told else played)


def _seated(site: Site, state: State, effect: RunAgent) -> _Seated:
    hat, given = None, tuple[Event, ...]()
    if state.work:
        bus = site.published.bus()
        name = state.session.hat if effect.kind == "handoff" else buses.next_hat(bus) or ""
        hat, given = site.topology.hat(name), bus.waiting.get(name, ())
    agent = site.agents((hat.agent if hat else None) or state.agent)
    return _Seated(agent=agent, hat=hat, given=given, model=hat.model if hat else None)


def _turn(site: Site, state: State, effect: RunAgent, seated: _Seated, folder: TurnFolder) -> Turn:
    """Everything that an agent gets."""
    hat, silent = seated.hat, effect.kind == "handoff"
    capabilities = SILENT if silent else record_replace(TOOLS[state.phase].capabilities, name=str(state.phase))
    token, seal = tokens.mint(effect.iteration)
    whose = inbox.Turn(
        iteration=effect.iteration,
        hat=hat.id if hat else None,
        agent=seated.agent.name,
        model=seated.model,
        task=effect.task,
    )
    place = folder.open(whose, seal)
    rules = replace(site.rules, seal=seal)
    env = {**site.env, **inbox.open_turn(place, whose, rules, token), "RALPH_AGENT": seated.agent.name}
    permissions = narrowed(site.permissions, capabilities)
    seat = Seat(turn=whose, rules=rules, phase=state.phase, folder=place, token=token)
    offered = () if silent else tools(_desk(site, state, seat, seated.agent.name, permissions))
    return Turn(
        prompt=REQUEST if silent else turn_prompt(facts(site, state, hat, seated.given, offered)),
        workdir=site.root,
        iteration=effect.iteration,
        env=env,
        session=state.session.clients.get(hat.id if hat else ""),
        folder=folder.path,
        model=seated.model,
        tools=offered,
        capabilities=capabilities,
        court=TurnCourt(
            root=site.root,
            permissions=permissions,
            client=seated.agent.name,
            folder=folder.path,
            session=state.run,
            wait_s=site.wait_s,
        ),
        limits=turn_limits(state.settings.limits, state.session.spent, counted(state)),
    )


def _desk(site: Site, state: State, seat: Seat, agent: str, permissions: Permissions) -> Desk:
    context, base = site.context, state.checkpoint.commit if state.checkpoint else state.base
    verify = None
    if context is not None:
        engine = site.engine(base)
        verify = lambda: engine.verify(context, site.contract, site.contract.agent)  # noqa: E731 - one expression
    return Desk(
        root=site.root,
        plan=site.plan,
        states=site.saved,
        seat=seat,
        verify=verify,
        ask=asker(site.root, permissions, agent=agent),
        now=site.now,
    )


def _told(played: Sequence[TurnFolder], last: TurnFolder, runtime_s: float) -> TurnEnded:
    """How a turn ended, from what was recorded of it. `played` are the playings whose usage was not counted yet."""
    records, card = last.records, last.card
    end = last.end or End("crashed", "the agent's records have no end")
    started = [each.session for each in records if isinstance(each, Started) and each.session]
    said = [each.text for each in records if isinstance(each, Text)]
    return TurnEnded(
        reason=end.reason,
        detail=end.detail or "",
        usage=_sum([folder.usage for folder in played]),
        runtime_s=runtime_s,
        session=started[-1] if started else None,
        hat=card.turn.hat if card else None,
        retry_after_s=end.retry_after_s,
        summary="\n".join(said),
        ungoverned=reconcile(_with_noted(records, last)),
    )


def _with_noted(records: Sequence[Record], folder: TurnFolder) -> Sequence[Record]:
    """With the decisions that hooks in other processes have written down."""
    known = {each.id for each in records if isinstance(each, Decided)}
    noted = [
        Decided(id=each.id, tool=each.tool, outcome=each.outcome, reason=each.reason)
        for each in docket.read(folder.path)[0]
        if each.id and each.id not in known
    ]
    return [*noted, *records]


def _sum(usages: Sequence[Usage | None]) -> Usage | None:
    """What several playings used together; the context is that of the last one. Unknown costs stay unknown."""
    known = [each for each in usages if each is not None]
    if not known:
        return None
    costs = [each.cost_usd for each in known]
    return replace(
        known[-1],
        input_tokens=sum(each.input_tokens for each in known),
        output_tokens=sum(each.output_tokens for each in known),
        cache_read_tokens=sum(each.cache_read_tokens for each in known),
        cache_write_tokens=sum(each.cache_write_tokens for each in known),
        model_calls=sum(each.model_calls for each in known),
        cost_usd=None if None in costs else sum(each for each in costs if each is not None),
    )
