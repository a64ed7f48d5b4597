"""Checks that got weaker: what the head runs, compared with what the base ran (classes G09, G10, G14, G16)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from ralph.guardrails.checks.failures.sloppy import is_looked_at, is_sloppy
from ralph.guardrails.checks.model import Flaw, Gate
from ralph.guardrails.checks.pipelines.left_out_folders import is_certain, left_to_nobody
from ralph.guardrails.checks.pipelines.new_may_fail import only_new_may_fail
from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.programs.tables import PROGRAMS
from ralph.guardrails.checks.programs.toolchains import may_stand_for
from ralph.guardrails.checks.reach import Reach, hidden_by, program
from ralph.guardrails.checks.removed.apart import is_split, runs_apart
from ralph.guardrails.checks.removed.asserted import Asserted
from ralph.guardrails.checks.removed.bare_programs import runs_it_bare
from ralph.guardrails.checks.removed.gathered_by import gathered_by
from ralph.guardrails.checks.removed.including import including
from ralph.guardrails.checks.removed.missing import has_nothing_left, was_missing
from ralph.guardrails.checks.removed.pairs import Pair, pairs
from ralph.guardrails.checks.removed.ported_scripts import heir_of
from ralph.guardrails.checks.removed.ported_tests import runs_ported
from ralph.guardrails.checks.removed.reporting import only_reports
from ralph.guardrails.checks.removed.taken_over import is_taken_over
from ralph.guardrails.checks.removed.told_by_file import with_file
from ralph.guardrails.checks.removed.unnamed import only_named_others
from ralph.guardrails.checks.scope.looked_at import exists, targets
from ralph.guardrails.checks.scope.narrowed import narrowed
from ralph.guardrails.config.commands.losses import weaker_options
from ralph.guardrails.config.patterns import is_product, is_sample
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.record import replace

RULES: Mapping[Flaw, str] = {
    "lost": "check.result-lost",
    "lost-if": "check.result-lost",
    "lost-maybe": "check.result-doubtful",
    "lost-round": "check.result-lost",
    "not-run": "check.not-run",
    "run-if": "check.conditional",
    "run-maybe": "check.condition-added",
    "allowed": "check.failure-allowed",
    "allowed-partly": "check.failure-allowed-partly",
    "off": "check.switched-off",
    "off-maybe": "check.condition-added",
    "retried": "check.retried",
    "unheard": "check.result-lost",
}
MILDER: Mapping[Flaw, frozenset[Flaw]] = {
    "lost-maybe": frozenset(("lost", "lost-if", "allowed")),
    "lost-if": frozenset(("lost", "allowed")),
    "lost-round": frozenset(("lost", "lost-if", "lost-maybe", "allowed", "off", "not-run", "retried")),
    "run-if": frozenset(("not-run", "off", "lost")),
    "run-maybe": frozenset(("not-run", "run-if", "off", "lost")),
    "allowed-partly": frozenset(("allowed", "lost")),
    "allowed": frozenset(("lost", "off", "not-run")),
    "lost": frozenset(("allowed", "off", "not-run")),
    "off": frozenset(("lost", "allowed", "not-run")),
    "not-run": frozenset(("off", "lost", "allowed")),
    "unheard": frozenset(("lost", "lost-if", "lost-maybe", "allowed", "off", "not-run")),
}
"""A flaw is nothing new where one of these was."""
STRONG = frozenset(("lost", "not-run", "off"))
BUILDS = frozenset(("build", "compile", "dev", "start", "watch", "prepack", "prepare", "dist"))
"""Scripts that nobody runs to check: what a script that is run to check no longer does is not left to them."""


def _last(slot: str) -> str:
    return slot.rpartition("/")[2]


class Judgement:
    def __init__(self, change: Change, before: Side, after: Side) -> None:
        self.change = change
        self._asserted = Asserted(change)
        self.before, self.after = Reach(before), Reach(after)
        own = {file.path for file in change.files if not is_sample(file.path)}
        self.through = including(own, before, after)
        changed = sorted(own.union(self.through, (other for path in own for other in hidden_by(path))))
        self.old = [gate for path in changed for gate in self.before.of_file(path) if self.before.is_check(gate)]
        self.new = [gate for path in changed for gate in self.after.of_file(path) if self.after.is_check(gate)]
        self.files: dict[str, FileChange] = {file.path: file for file in change.files}
        self.pairs, self.fresh = pairs(self.old, self.new, self.before, self.after)

    def hits(self) -> Iterator[Hit]:
        for pair in self.pairs:
            if pair.now is None:
                yield from self._gone(pair.was)
            else:
                yield from self._weaker(pair, pair.now)
        for gate in self.fresh:
            yield from self._born(gate)

    def _weaker(self, pair: Pair, now: Gate) -> Iterator[Hit]:
        had = set(pair.was.flaws)
        for flaw, text in now.flaws.items():
            if flaw == "not-run" and self._runs_anyway(now):
                continue
            if flaw not in had and not MILDER.get(flaw, frozenset()) & had:
                # A build that is left to the main branch is usual.
                flaw = "run-maybe" if flaw == "run-if" and now.kind == "build" else flaw
                flaw = "allowed-partly" if only_new_may_fail(flaw, now, self.before, self.after) else flaw
                yield self.hit(RULES[flaw], now, f"{now.text}: {text}")
        less = narrowed(pair.was, now, self._beside(now, now), self.before.side.paths, self.after.side.paths)
        if less is not None:
            certain = is_certain(less, pair.was, now, self.before, self.after)
            rule = "check.narrowed" if certain else "check.narrowed-unclear"
            yield self.hit(rule, now, f"{now.text} {less.text}")
        if pair.replaced:
            yield from self._replaced(pair.was, now)

    def _replaced(self, was: Gate, now: Gate) -> Iterator[Hit]:
        """Another check in the place of one: what both lead to is compared, as far as that is known."""
        new = [leaf for leaf in self.after.leaves(now) if leaf.kind != "named"]
        same = False
        for old in (leaf for leaf in self.before.leaves(was) if leaf.kind != "named"):
            alike = [leaf for leaf in new if leaf.words[0] == old.words[0]]
            if (leaf := min(alike, key=lambda each: program(each) != program(old), default=None)) is None:
                continue
            same = True
            less = narrowed(old, leaf, [leaf, *self._beside(now, leaf)], self.before.side.paths, self.after.side.paths)
            told = with_file(old.words, self.before.side), with_file(leaf.words, self.after.side)
            eased = weaker_options(*told)
            if less is not None or eased:
                if runs_apart(was, self.before, self.after) or is_split(old, now, self.after):
                    yield self.hit("check.replaced", now, f"{now.text} and others stand where {was.text} stood")
                    return
                text = less.text if less is not None else "is called with options that check less"
                rule = "check.narrowed" if eased or less is None or not less.to_one else "check.narrowed-unclear"
                yield self.hit(rule, now, f"{now.text} stands for {was.text}: {leaf.text} {text}")
        if not same:
            unrun = left_to_nobody(was, now, self.before, self.after)
            rule, end = ("check.narrowed", f", and nothing runs {unrun}") if unrun else ("check.replaced", "")
            yield self.hit(rule, now, f"{now.text} stands where {was.text} stood{end}")

    def _beside(self, now: Gate, leaf: Gate) -> list[Gate]:
        """What else the file runs of a program."""
        return [gate for gate in self.new if gate.path == now.path and program(gate) == program(leaf)]

    def _gone(self, was: Gate) -> Iterator[Hit]:
        """A check whose directory is gone leaves nothing unchecked with it; nor does a script that was not there."""
        if STRONG & set(was.flaws) or self._project_is_gone(was) or was_missing(was, self.before, self.files):
            return
        if has_nothing_left(was, self.before.side, self.after.side):
            return
        if self._asserted.knows(was):
            yield self.hit(
                "check.removed-here", was, f"{was.text} is gone, about which {was.path} asserts something", gone=True
            )
            return
        if runs_apart(was, self.before, self.after) or only_named_others(was, self.before, self.after):
            yield self.hit("check.removed-here", was, f"{was.text} is gone ({was.path} runs its parts)", gone=True)
            return
        places = ("ci",) if was.place == "ci" else ("ci", "hook") if was.place == "hook" else ("ci", "hook", "local")
        # What a target or script leads to is no other place that runs it.
        own = {(leaf.path, leaf.slot) for leaf in self.after.leaves(was)} if was.kind == "named" else set()
        others = [
            gate
            for gate in self.after.everywhere
            if gate.place in places and not STRONG & set(gate.flaws)
            if (gate.path, gate.slot) not in own or (gate.words == was.words and gate.slot == was.slot)
            if not (is_named(_last(was.slot)) and gate.place == "local" and _last(gate.slot) in BUILDS)
        ]
        wanted = self.before.tools(was)
        leaves = [leaf for leaf in self.before.leaves(was) if leaf.kind != "named"]
        elsewhere = next(
            (
                gate
                for gate in others
                if wanted <= self.after.tools(gate) and all(self._led_to(leaf, gate) for leaf in leaves)
            ),
            None,
        )
        elsewhere = elsewhere or next((gate for gate in others if self._runs_as_much(was, gate)), None)
        if was.words[0] == "hook":
            elsewhere = elsewhere or next((gate for gate in others if self._leads_to_as_much(was, gate)), None)
        # A bare `make` may run anything.
        elsewhere = elsewhere or next((gate for gate in others if gate.words == ("make",)), None)
        beside = [gate for gate in self.after.of_file(was.path) if gate.slot == was.slot and gate.words != was.words]
        elsewhere = elsewhere or gathered_by(was, [*others, *beside], self.before, self.after)
        elsewhere = elsewhere or heir_of(was, self.pairs, self.before, self.after)
        elsewhere = elsewhere or runs_it_bare(was, self.before, self.after)
        elsewhere = elsewhere or runs_ported(was, [*others, *beside], self.change, self.after)
        if is_taken_over(was, self.before.side, self.after.side):
            elsewhere = None
        if elsewhere is not None or _builds_only(was.kind, self.before.kinds(was)) or self._is_minor(was):
            where = f" ({elsewhere.path} still runs it)" if elsewhere else ""
            yield self.hit("check.removed-here", was, f"{was.text} is gone{where}", gone=True)
        else:
            found = self.hit("check.removed", was, f"{was.text} is gone", gone=True)
            yield found
            if found.path != was.path:  # it is shown where it was, too
                yield replace(found, path=was.path)

    def _led_to(self, old: Gate, gate: Gate) -> bool:
        same = [leaf for leaf in self.after.leaves(gate) if program(leaf) == program(old)]
        return not same or any(self._runs_as_much(old, leaf) for leaf in same)

    def _runs_as_much(self, was: Gate, gate: Gate) -> bool:
        """The same program, on no fewer paths. The hook `ruff-format` is what `ruff format` does."""
        if program(gate).replace(" ", "-") != program(was).replace(" ", "-") or not may_stand_for(was, gate):
            return False
        if self._never_stood_for(was, gate):
            return False
        return narrowed(was, gate, [gate], self.before.side.paths, self.after.side.paths) is None

    def _leads_to_as_much(self, was: Gate, gate: Gate) -> bool:
        return any(self._runs_as_much(was, leaf) for leaf in self.after.leaves(gate) if not STRONG & set(leaf.flaws))

    def _never_stood_for(self, was: Gate, gate: Gate) -> bool:
        """A run of all tests that stood beside a run of some in CI was not thought to hold them, and they are there."""
        if was.place != "ci" or was.kind != "test" or targets(gate) or not targets(was):
            return False
        beside = any((one.words, one.slot) == (gate.words, gate.slot) for one in self.before.of_file(gate.path))
        return beside and any(exists(target, self.after.side.paths) for target in targets(was))

    def _project_is_gone(self, was: Gate) -> bool:
        if was.kind == "named" and self._leads_nowhere(was):
            return True
        directory = posixpath.dirname(was.path)
        if was.place != "local" or not directory or directory in self.after.side.directories:
            return False
        return any(
            path.startswith(f"{directory}/") and is_product(path) and path != was.path and not path.endswith(".sh")
            for path in self.before.side.paths
        )

    def _leads_nowhere(self, was: Gate) -> bool:
        """All that the name led to was about a directory that is gone with the product code in it."""
        steps = [step for step in self.before.steps(was) if self.before.is_check(step)]
        return bool(steps) and all(any(map(self._is_gone, step.words[1:])) for step in steps)

    def _is_gone(self, word: str) -> bool:
        folder = word.removeprefix("./").rstrip("/")
        if not folder or folder in self.after.side.directories or folder not in self.before.side.directories:
            return False
        return any(path.startswith(f"{folder}/") and is_product(path) for path in self.before.side.paths)

    def _born(self, gate: Gate) -> Iterator[Hit]:
        """A new check takes nothing away; one that cannot fail, in a place that seems to check, deceives."""
        slot = gate.slot.rpartition("/")[2] or posixpath.basename(gate.path)
        for flaw, text in gate.flaws.items():
            if flaw == "not-run" and self._runs_anyway(gate):
                continue
            text_of_file = self.after.side.text(gate.path) or ""
            if flaw in ("lost", "not-run", "lost-if") and not is_sloppy(gate, text_of_file):
                seems = is_named(slot) and gate.kind in ("test", "lint", "types") and flaw != "lost-if"
                seems = seems and not (flaw == "lost" and is_looked_at(gate, text_of_file))
                rule = RULES[flaw] if seems else "check.born-weak"
                yield self.hit(rule, gate, f"{gate.text}: {text}")
            elif flaw in ("allowed", "off", "retried", "run-if", "lost-round"):
                yield self.hit("check.born-weak", gate, f"{gate.text}: {text}")

    def _runs_anyway(self, gate: Gate) -> bool:
        """The same command stands in the other branch."""
        words = [word for word in gate.words if word]
        here = (one for one in self.new if (one.path, one.slot) == (gate.path, gate.slot))
        same = (one for one in here if [word for word in one.words if word] == words)
        return any(one is not gate and not {"not-run", "off"} & set(one.flaws) for one in same)

    def hit(self, rule: str, gate: Gate, detail: str, *, gone: bool = False) -> Hit:
        path = self._renamed_away(gate.path) if gone else gate.path
        side = self.before.side if gone else self.after.side
        lines = (side.text(gate.path) or "").splitlines()
        line = lines[gate.line - 1].strip() if 0 < gate.line <= len(lines) else ""
        nowhere = gone or path in self.through
        return Hit(
            rule=rule,
            path=self.through.get(path, path),
            line=0 if nowhere else gate.line,
            column=0 if nowhere else 1,
            key=detail,
            snippet=line,
            detail=detail,
        )

    def _is_minor(self, gate: Gate) -> bool:
        """A report to a service, and a hook that is no known checker."""
        if gate.words[0] == "hook" and gate.kind == "named":
            words = re.split(r"[-_]", program(gate))
            return not (program(gate) in PROGRAMS or PROGRAMS.keys() & set(words))
        return only_reports(gate, self.before.side)

    def _renamed_away(self, path: str) -> str:
        """The file to which a file that ran checks was moved, where nothing runs it; one that is read in its place."""
        if path in self.after.side.paths:
            first = (each for each in self.files if path in hidden_by(each) and each in self.after.side.paths)
            return next(first, path)
        content = self.change.blobs.before(path)
        added: Iterable[str] = (file.path for file in self.change.files if file.status == "A")
        return next((new for new in added if self.change.blobs.after(new) == content), path)


def _builds_only(kind: Kind, kinds: frozenset[Kind]) -> bool:
    return kind == "build" or kinds == {"build"}
