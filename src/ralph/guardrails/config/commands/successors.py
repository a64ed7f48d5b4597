"""Another program in the place of one that is gone: what it forgives that the one before did not (G10, G11, G14).

Rules:

- It must not let failures, or a run that tests nothing, count as a success, and not run again what failed. Where the
  program before was told the same, in its command or in a configuration of its project, that is taken over.
- It must measure the coverage that the one before measured.
- A program that runs the other one (gotestsum, which hands on what stands behind `--`) is compared with it, option by
  option.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

from ralph.guardrails.config.command_files.scripts import Run
from ralph.guardrails.config.options.harm import NOT_RUN, RETRIES
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.record import replace
from ralph.system.patterns import later

OFF, FEW_RETRIES = "cfg.coverage.off", "cfg.test.retries-few"
MEASURING = frozenset(("jest", "vitest", "react-scripts"))
"""Runners that measure coverage where they are asked to."""
FORGIVES = frozenset(("cfg.check.failures-ignored", "cfg.test.none-accepted", NOT_RUN, RETRIES))
RUN_BY: Mapping[str, tuple[str, ...]] = {"gotestsum": ("go", "test")}
"""Programs that run another one, and hand it on what stands behind `--`."""
SETTINGS = later(r"(?:\.(?:json|toml|ini|cfg|ya?ml|xml|gradle|kts|config)|(?:config|rc)\.[cm]?[jt]s|rc)$")
RUNS_AGAIN = later(
    r"(?i)\b(?:\w*retry|\w*retries|reruns?|reruns\w*|rerunFailingTestsCount|\w*flake[_-]?attempts)[\"']?\s*[=:]\s*[\"'{]?\s*"
    r"[1-9{]\d*\b(?!\.)|--(?:retr(?:y|ies)|reruns?|flake-attempts)\b"
)

Weaker = Callable[[Run, Run, Sequence[str]], Iterator[Loss]]


def forgiven(runs: Sequence[Run], weaker: Weaker) -> Callable[[str], frozenset[str]]:
    """The rules of what commands in a place forgave."""

    @cache
    def rules(slot: str) -> frozenset[str]:
        beside = (run for run in runs if run.slot == slot)
        return frozenset(loss.rule for run in beside for loss in weaker(run.bare(), run, ()))

    return rules


def of_successor(
    was: Run, had: Callable[[str], frozenset[str]], fresh: Sequence[Run], before: Side, weaker: Weaker
) -> Iterator[Loss]:
    here = [run for run in fresh if (run.node.path, run.slot) == (was.node.path, was.slot) and not run.implied]
    for run in here if not was.implied else ():
        forgives = [loss for loss in weaker(run.bare(), run, ()) if loss.rule in FORGIVES]
        yield from map(partial(_of_settings, was=was, before=before), _new(forgives, was, had))
        old, new = _inner(was), _inner(run)
        if was.words[0] != run.words[0] and old.words[0] == new.words[0]:
            yield from weaker(old, new, ())
    measures = [run for run in here if run.words[0] in MEASURING]
    if measures and not any(loss.rule == OFF for run in measures for loss in weaker(run, run.bare(), ())):
        without = Run(was.words[:1], measures[0].node, was.slot)
        yield from (loss for loss in weaker(was, without, ()) if loss.rule == OFF)


def _new(losses: Sequence[Loss], was: Run, had: Callable[[str], frozenset[str]]) -> Iterator[Loss]:
    milder = {RETRIES} if FEW_RETRIES in had(was.slot) else set()
    return (loss for loss in losses if loss.rule not in had(was.slot) | milder)


def _of_settings(loss: Loss, was: Run, before: Side) -> Loss:
    """Retries that the project had already are for a person to compare: each program counts them in its own way."""
    if loss.rule != RETRIES:
        return loss
    folders = {"", posixpath.dirname(was.node.path)}
    known = (path for path in before.paths if posixpath.dirname(path) in folders and SETTINGS.search(path))
    had = any(RUNS_AGAIN.search(before.text(path) or "") for path in known if path != was.node.path)
    return replace(loss, rule=FEW_RETRIES) if had else loss


def _inner(run: Run) -> Run:
    """The command that a program runs, if it is one that runs another."""
    program, words = RUN_BY.get(run.words[0]), run.words
    if program is None:
        return run
    own = words[: words.index("--")] if "--" in words else words
    return Run((*program, *words[len(own) + 1 :], *_packages(own)), run.node, run.slot)


def _packages(words: Sequence[str]) -> Iterator[str]:
    """Packages that gotestsum is told by an option of its own, as `--rerun-fails` wants it."""
    for word, following in zip(words, (*words[1:], ""), strict=True):
        name, _, value = word.partition("=")
        if name == "--packages":
            yield from (value or following).split()
