"""Begins a run, or goes on with one: everything that holds in it is settled here, once (design decisions 4, 5, 34, 36).

Rules:

- What governs is taken from the base, the commit that HEAD names when the run begins, or from what a person accepted;
  never from what stands in the working copy. Without a policy the starter policy counts, without a context what the
  base shows: the person is told so.
- Steps for which a project without a context file has no command do not apply in its runs; each verdict says so. Tests
  always apply.
- A run begins in discovery with a prompt and no open task, else in the phase that was recorded. A run that crashed is
  gone on with, not run over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ralph import config as configs
from ralph import contracts
from ralph.agents import registry
from ralph.agents.base import Agent
from ralph.config import Config
from ralph.context import sources, trust
from ralph.contracts import AutonomyContract, StepExemption
from ralph.errors import ConfigError, UsageError
from ralph.events.door import Rules
from ralph.events.gate_settings import configured
from ralph.hats.check import require as require_sound
from ralph.hats.loader import topology
from ralph.hook import run_policy
from ralph.hook.court import POLICY
from ralph.loop import card as cards
from ralph.loop import former
from ralph.loop import journal as journals
from ralph.loop.budget import unbounded
from ralph.loop.card import Card
from ralph.loop.control import Alive
from ralph.loop.entering import first_phase
from ralph.loop.inputs import Begun, Controlled, Resumed, Settings
from ralph.loop.journal import Journal
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import ImplementationPlan
from ralph.loop.projection import carried
from ralph.loop.published import Published
from ralph.loop.saved import StateStore
from ralph.loop.settings import limits_of, settings_of
from ralph.loop.site import Site, View
from ralph.loop.state import State
from ralph.loop.words import Phase
from ralph.permissions.sandbox.confine import require
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.probe import enforced_level
from ralph.permissions.sandbox.walls import demanded
from ralph.record import record, replace
from ralph.system import clock, files
from ralph.system.git import Repository, open_repository
from ralph.system.places import EXCLUDED

DEFAULT_CONTRACT = "feature"


@record(kw_only=True)
class Wanted:
    """What a person asked for. None is what the configuration says."""

    prompt: str = ""
    agent: str | None = None
    preset: str | None = None
    contract: str | None = None
    base: str | None = None
    phase: Phase | None = None
    iterations: int | None = None
    cost_usd: float | None = None


@record(kw_only=True)
class Prepared:
    """A run that can begin. `told` are sentences for the person: what counts, and where it comes from."""

    site: Site
    run: str
    agent: str
    wanted: Wanted
    config: Config
    card: Card
    policy: bytes
    told: tuple[str, ...]


def name(directory: Path, wanted: Wanted) -> str:
    """The name of a run that begins now. Raises UsageError if there is nothing to judge it against."""
    return clock.run_id(clock.now(), _base(open_repository(directory), wanted))


def _base(repo: Repository, wanted: Wanted) -> str:
    if (base := repo.resolve(wanted.base) if wanted.base else repo.head()) is None:
        raise UsageError(f"{repo.root} has no commit yet, so nothing could be judged against it: commit what there is.")
    return base


def prepare(directory: Path, wanted: Wanted, run: str, view: View, environ: Mapping[str, str]) -> Prepared:
    """Settle everything for a new run; nothing is written. Raises RalphError that says what is missing."""
    repo = open_repository(directory)
    base, accepted = _base(repo, wanted), trust.accepted(repo.root)
    config = configs.from_repository(repo, base, accepted)
    if (agent := wanted.agent or config.config.agent) is None:
        raise UsageError("No agent is named: give one with --agent (claude, codex, command:PROGRAM), or in ralph.yml.")
    policy = run_policy.policy_of_run(repo.root)
    card = Card(
        base=base,
        policy=policy.permissions.digest,
        policy_source=policy.permissions.source,
        contract=wanted.contract or DEFAULT_CONTRACT,
        preset=wanted.preset,
        iterations=wanted.iterations,
        cost_usd=wanted.cost_usd,
    )
    site, context_source = _site(repo, config.config, card, run, view, environ, policy.permissions)
    site.agents(agent)  # a client that is missing is told now, not after the first commit
    told = (f"The configuration is {config.source}.", f"The context is {context_source}.", policy.told, *_exempt(site))
    return Prepared(
        site=site,
        run=run,
        agent=agent,
        wanted=wanted,
        config=config.config,
        card=card,
        policy=policy.document,
        told=told,
    )


def begin(prepared: Prepared, at_work: Alive) -> Journal:
    """Write down that the run begins, after the one before it. Raises RalphError."""
    site = prepared.site
    if (before := former.newest(site.root)) is not None:
        former.close(replace(site, folder=before.folder), before, at_work)
    site.repo.exclude(EXCLUDED)
    site.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files.atomic_write(site.folder / POLICY, prepared.policy)
    cards.keep(site.folder, prepared.card)
    return journals.begin(site.root, beginning(prepared), site.now())


def newest(root: Path) -> str:
    """The run to go on with. Raises UsageError if there is none."""
    if not journals.runs(root):
        raise UsageError(f"There is no run in {root} to go on with: begin one with `ralph run`.")
    if (found := former.newest(root)) is None:
        raise UsageError(f"{root} was reset, and nothing has run since: begin with `ralph run`.")
    return found.state.run


def go_on(
    directory: Path, view: View, environ: Mapping[str, str], wanted: Wanted, *, reset_breaker: bool = False
) -> tuple[Site, Journal, tuple[Controlled | Resumed, ...]]:
    """The newest run, ready to go on, and what it is told as it does. Raises UsageError if there is none, or it has
    passed."""
    repo = open_repository(directory)
    found = journals.read(repo.root / journals.RUNS / newest(repo.root))
    state = found.state
    if state.end == "passed" and found.is_kept:
        raise UsageError(f"The run {state.run} has passed; begin another with `ralph run`.")
    card = cards.kept(found.folder)
    iterations, cost_usd = wanted.iterations or card.iterations, wanted.cost_usd or card.cost_usd
    wanted = replace(wanted, iterations=iterations, cost_usd=cost_usd)
    permissions = run_policy.kept(found.folder, card.policy, card.policy_source)
    config = configs.from_repository(repo, card.base, trust.accepted(repo.root)).config
    site, _ = _site(repo, config, card, state.run, view, environ, permissions)
    settings = _settings(config, site, wanted, state.agent)
    cards.keep(found.folder, replace(card, iterations=iterations, cost_usd=cost_usd))
    if state.status != "ended":
        return site, found, tuple(_after_a_crash(state, settings, reset_breaker))
    if state.end == "passed":  # and Ralph died before all that follows from it was done
        return site, found, ()
    saved = StateStore(repo.root).load_or_none()
    was_reset = state.breaker.state == "open" and saved is not None and saved.circuit_breaker.state != "open"
    return site, found, (Resumed(settings=settings, reset_breaker=reset_breaker or was_reset),)


def _after_a_crash(state: State, settings: Settings, reset_breaker: bool) -> Iterator[Controlled]:
    """The run is where it was, and so is what it was doing."""
    if settings != state.settings:
        yield Controlled(do="limits", settings=settings)
    if reset_breaker:
        yield Controlled(do="reset_breaker")
    if state.status == "paused" or state.wants_pause:  # whoever was asked to resume it has died
        yield Controlled(do="resume")


def _site(
    repo: Repository, config: Config, card: Card, run: str, view: View, environ: Mapping[str, str], permissions: Any
) -> tuple[Site, str]:
    accepted = trust.accepted(repo.root)
    sourced = sources.from_repository(repo, card.base, accepted)
    gates = configured(config.gates)
    hats = topology(config, gates, card.preset)
    evidence = config.evidence or "measured"
    require_sound(hats, {name: gate.refusal for name, gate in gates.items()}, evidence, "The hats")
    level = enforced_level()
    require(level, demanded(permissions))
    if config.sandbox.required:
        require(level, Level(config.sandbox.required))
    missing = sourced.detected.missing if sourced.detected else {}
    site = Site(
        repo=repo,
        folder=repo.root / journals.RUNS / run,
        permissions=permissions,
        contract=_contract(card.contract, missing),
        topology=hats,
        rules=Rules(
            hats=hats.hats,
            evidence=evidence,
            gates=gates,
            warn_mutation_below=config.event_loop.mutation_score_warn_threshold,
        ),
        agents=_agents(config),
        view=view,
        level=level,
        published=Published(repo.root, hats.hats),
        plan=PlanStore(repo.root),
        saved=StateStore(repo.root),
        context=sourced.context if evidence == "measured" else None,
        accepted=accepted,
        checks=tuple("tests" if each == "test" else each for each in permissions.checks.required),
        env=dict(environ),
        preset=bool(card.preset or config.preset or config.hats),
    )
    return site, sourced.source


def _agents(config: Config) -> Callable[[str], Agent]:
    """Each agent is made once."""
    return cache(lambda name: registry.resolve(name, config))


def _contract(name: str, missing: Mapping[str, str]) -> AutonomyContract:
    """The contract; a step that a project without a context has no command for does not apply, but for the tests."""
    contract = contracts.load(name)
    steps: dict[Any, StepExemption] = {
        step: StepExemption(not_applicable=f"{reason} (the run began without a context file)")
        for step, reason in missing.items()
        if step != "tests"
    }
    return replace(contract, steps={**steps, **contract.steps})


def _exempt(site: Site) -> tuple[str, ...]:
    lines = [f"{step} does not apply: {each.not_applicable}" for step, each in site.contract.steps.items()]
    return tuple(f"{line}." for line in lines)


def beginning(prepared: Prepared) -> Begun:
    """The first input of the run, as the project stands now. Raises UsageError, ConfigError if it cannot begin."""
    site, config, wanted = prepared.site, prepared.config, prepared.wanted
    saved, plan = StateStore(site.root).load_or_none(), PlanStore(site.root).load_or_none() or ImplementationPlan()
    spent, breaker = carried(saved)
    before = journals.latest(site.root)
    settings = _settings(config, site, wanted, prepared.agent)
    if why := unbounded(settings.limits, cost_known=registry.knows_its_cost(prepared.agent, config)):
        raise ConfigError(f"This run would have no end: {why}.")
    return Begun(
        run=prepared.run,
        prompt=wanted.prompt,
        phase=wanted.phase or first_phase(saved, plan, wanted.prompt),
        agent=prepared.agent,
        settings=settings,
        base=prepared.card.base,
        tree=site.tree(),
        plan=site.plan_version(),
        carried=spent,
        iterations=saved.iteration_count if saved else 0,
        sessions=saved.sessions if saved else 0,
        breaker=breaker,
        control=before.state.control if before else 0,
        hints=before.state.hints if before else (),
    )


def _settings(config: Config, site: Site, wanted: Wanted, agent: str) -> Settings:
    limits = limits_of(config, iterations=wanted.iterations, cost_usd=wanted.cost_usd)
    rollback = site.permissions.checks.rollback_on_fail
    return settings_of(config, registry.entry_of(agent, config), limits, rollback=rollback)


__all__ = ["Prepared", "Wanted", "begin", "beginning", "go_on", "name", "newest", "prepare"]
