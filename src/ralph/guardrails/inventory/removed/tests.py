"""Tests of the base that the head no longer has.

Rules (policy set v2, class G04; `match` says which test is which):

- A test of the base is gone if no test of the head is it, and not all of its assertions stand in tests that the change
  adds or extends. It blocks. What is left of it in the head (commented out, renamed so that nothing collects it) is
  where the finding stands.
- It is for a person where it was always skipped or might fail (`expected_to_fail`), where the product no longer defines
  something that the test names or calls, or did through what it called (`through_gone`), or no longer asks it of what
  it is given (`lost_members`), and where other tests arrive that name the same things and demand as much (`replaced`),
  or tests of another language that ask the same of the same inputs (`ported`); but not where it was joined with others
  to a table that lacks its case, nor where the others of its file moved without it (`passed_over`).
- Tests of one file that are gone for one reason are one finding. Where the file moved and left them behind, it is shown
  at both places.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.equivalents.ledger import Ledger
from ralph.guardrails.inventory.findings import about_file, at
from ralph.guardrails.inventory.match import Matching
from ralph.guardrails.inventory.model import Facts, Ghost, Grade, Test
from ralph.guardrails.inventory.product_changes.context import Context
from ralph.guardrails.inventory.product_changes.lost_members import LostMembers
from ralph.guardrails.inventory.product_changes.refused_now import is_refused_now
from ralph.guardrails.inventory.removed.commented import commented
from ralph.guardrails.inventory.removed.delegated import Delegated
from ralph.guardrails.inventory.removed.doubled import in_larger_table, is_double
from ralph.guardrails.inventory.removed.passed_over import is_passed_over
from ralph.guardrails.inventory.removed.ported import Ported
from ralph.guardrails.inventory.removed.replaced import rewritten
from ralph.guardrails.inventory.removed.through_gone import ThroughGone
from ralph.guardrails.inventory.removed.untouched import Untouched
from ralph.guardrails.inventory.rows.joined import TRUTHS, holds, is_left_behind, lacks_an_example
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.python.removed.expected_to_fail import may_fail
from ralph.guardrails.python.removed.floors import runs_on_none
from ralph.guardrails.python.removed.gone_modules import GoneModules
from ralph.guardrails.python.removed.handed_down import HandedDown

MOSTLY = 0.8
"""So much of a file makes another one the same."""


def removed(
    matching: Matching, ledger: Ledger, ghosts: Sequence[Ghost], context: Context, change: Change
) -> Iterator[Hit]:
    gone: dict[tuple[str, str], list[Test]] = defaultdict(list)
    untouched, handed_down, ported = Untouched(change), HandedDown(matching, change), Ported(matching.added)
    gone_modules, delegated = GoneModules(change), Delegated(change)
    through_gone, members = ThroughGone(change, context), LostMembers(change)
    for test in matching.removed:
        facts = test.facts()
        if test.kind != "test" or facts.empty or _says_nothing(facts) or not _is_lost(test, matching, ledger):
            continue
        if (
            handed_down.has(test)
            or untouched.hold(test)
            or is_double(test, context.base_of(test.path), matching.removed)
        ):
            continue
        if in_larger_table(test, (pair.new for pair in matching.pairs)):
            continue
        ghost = min((one for one in ghosts if _is_of(one, test)), key=lambda one: one.path != test.path, default=None)
        ghost = ghost or commented(test, test.path, change)
        about_gone = context.is_about_gone(test) or gone_modules.are_imported_by(test)
        about_gone = about_gone or through_gone.was_asked_by(test)
        about_gone = about_gone or members.were_asked_by(test)
        if about_gone or facts.nowhere or runs_on_none(test, change) or may_fail(test, change):
            gone["test.removed-with-code", test.path].append(test)
        elif ghost is not None:
            yield at(ghost, "test.not-run", test.name, f"{test.name}: {ghost.why}")
            if ghost.path != test.path:  # it is shown where it was, too
                gone["test.not-run", test.path].append(test)
        elif _is_written_anew(test, matching, ledger, context, delegated) or ported.has(test):
            gone["test.rewritten", test.path].append(test)
        else:
            gone["test.removed", test.path].append(test)
    for (rule, path), tests in gone.items():
        for place in dict.fromkeys((path, *_moved_to(path, matching, change))) if rule == "test.removed" else (path,):
            yield about_file(rule, place, [test.name for test in tests])


def _is_written_anew(test: Test, matching: Matching, ledger: Ledger, context: Context, delegated: Delegated) -> bool:
    if context.concerned(test) and is_refused_now(test, matching.added):
        return True
    if not rewritten(test, matching, ledger, context, delegated.names(test)) or is_passed_over(test, matching):
        return False
    return not _is_joined(test, matching, context)


def _is_joined(test: Test, matching: Matching, context: Context) -> bool:
    """A table took others in, but not this one, and nothing changed that it was about; or nothing of it is left."""
    return is_left_behind(test, matching) or (lacks_an_example(test, matching) and not context.concerned(test))


def _moved_to(path: str, matching: Matching, change: Change) -> Iterator[str]:
    """Where most of the other tests of a file are that is no longer there: the one without the test is the new one."""
    if path in change.blobs.paths_after():
        return
    yield from _out_of_reach(path, change)
    pairs = (*matching.moved, *matching.pairs)
    places = Counter(pair.new.path for pair in pairs if pair.old.path == path and pair.new.path != path)
    yield from (place for place, _ in places.most_common(1))


def _out_of_reach(path: str, change: Change) -> Iterator[str]:
    """A new file that holds what the file held, and is none that a runner reads."""
    taken = Counter(line for file in change.files if file.path == path for hunk in file.hunks for line in hunk.removed)
    for file in change.files if taken else ():
        if file.status == "A" and posixpath.dirname(file.path) == posixpath.dirname(path):
            there = Counter(line for hunk in file.hunks for line in hunk.added)
            if (taken & there).total() >= MOSTLY * taken.total():
                yield file.path


def _says_nothing(facts: Facts) -> bool:
    """All that it does is to pass: it keeps a place."""
    return bool(facts.checks) and facts.words <= {"pass"} and not any(check.grade for check in facts.checks)


def _is_lost(test: Test, matching: Matching, ledger: Ledger) -> bool:
    """Some of its assertions stand nowhere, and no table of cases took it in."""
    facts = test.facts()
    if not ledger.rest(test) and facts.checks and any(check.grade for check in facts.checks):
        return False
    if not facts.literals - TRUTHS:
        return True
    wanted = max((check.grade for check in facts.checks), default=Grade.NOTHING)
    tables = (each.facts() for each in (*matching.added, *(pair.new for pair in matching.pairs)) if each.kind == "test")
    return not any(
        holds(table, facts) and wanted <= max((check.grade for check in table.checks), default=0)
        for table in tables
        if table.words & facts.words and any(check.times != 1 for check in table.checks)
    )


def _is_of(ghost: Ghost, test: Test) -> bool:
    """By what it does; in the file of the test, or where that is not known, its name is enough."""
    same = ghost.name == test.parts[-1] and (not ghost.body or ghost.path == test.path)
    return same or (bool(ghost.body) and ghost.body == test.facts().body)
