"""Everything that this part of the guardrails finds in a change, each thing once.

What reads commands is loaded only if a file was changed that may hold some: code and prose run nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.code import is_code
from ralph.guardrails.checks.evidence.goldens import golden_hits
from ralph.guardrails.checks.evidence.reports import is_report, unmeasured_hits
from ralph.guardrails.checks.failures.stated import stated_hits
from ralph.guardrails.checks.merging.owners import owner_hits
from ralph.guardrails.checks.replaced_tools.impostors import impostor_hits
from ralph.guardrails.checks.replaced_tools.packages import package_hits
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.model import Change, Hit


def weakened(change: Change) -> Iterator[Hit]:
    seen = set()
    for hit in _hits(change):
        identity = (hit.rule, hit.path, hit.line, hit.key)
        if identity not in seen:
            seen.add(identity)
            yield hit


def _hits(change: Change) -> Iterator[Hit]:
    paths = [file.path for file in change.files if not is_sample(file.path)]
    if not all(map(is_code, paths)):
        yield from _of_commands(change, paths)
    for file in change.files:
        yield from impostor_hits(change, file)
        yield from package_hits(change, file)
        yield from owner_hits(change, file)
        if not is_sample(file.path):
            yield from stated_hits(change, file)
    yield from golden_hits(change)


def _of_commands(change: Change, paths: Sequence[str]) -> Iterator[Hit]:
    from ralph.guardrails.checks.evidence.doctored import doctored_hits, may_doctor
    from ralph.guardrails.checks.evidence.made_before import made_before_hits
    from ralph.guardrails.checks.evidence.posted_statuses import posted_hits
    from ralph.guardrails.checks.evidence.uncovered import may_uncover, uncovered_hits
    from ralph.guardrails.checks.failures.result_steps import result_step_hits
    from ralph.guardrails.checks.failures.unheard import unheard_hits
    from ralph.guardrails.checks.hooks.bypass import bypass_hits, speaks
    from ralph.guardrails.checks.hooks.lefthook import lefthook_hits
    from ralph.guardrails.checks.lists.judge import filtered_hits
    from ralph.guardrails.checks.lists.rounds import round_hits
    from ralph.guardrails.checks.merging.gates import deaf_gates
    from ralph.guardrails.checks.merging.gathering import deafened
    from ralph.guardrails.checks.merging.protection import protection_hits
    from ralph.guardrails.checks.merging.shipping import gitlab_hits, make_hits
    from ralph.guardrails.checks.merging.waiting import waiting_hits
    from ralph.guardrails.checks.pipelines.action_calls import action_hits
    from ralph.guardrails.checks.pipelines.base_code import of_the_base
    from ralph.guardrails.checks.pipelines.included import included_hits
    from ralph.guardrails.checks.pipelines.lent_templates import lent_hits
    from ralph.guardrails.checks.pipelines.made_already import made_already
    from ralph.guardrails.checks.pipelines.moved import moved_hits
    from ralph.guardrails.checks.pipelines.of_nothing import nothing_hits
    from ralph.guardrails.checks.pipelines.other_matrices import matrix_hits
    from ralph.guardrails.checks.pipelines.reused import reused_hits
    from ralph.guardrails.checks.pipelines.shards import unrun_parts
    from ralph.guardrails.checks.pipelines.unstarted import unshipped_hits, unstarted_hits
    from ralph.guardrails.checks.pipelines.workflows import workflow_hits
    from ralph.guardrails.checks.reach import MAKEFILES
    from ralph.guardrails.checks.replaced_tools.installed import installed_hits
    from ralph.guardrails.checks.replaced_tools.missing import missing_hits
    from ralph.guardrails.checks.replaced_tools.wrappers import wrapper_hits
    from ralph.guardrails.checks.scope.contexts import context_hits
    from ralph.guardrails.checks.scope.images import image_hits
    from ralph.guardrails.checks.scope.prepared import prepared_hits
    from ralph.guardrails.checks.scope.solutions import empty_calls
    from ralph.guardrails.checks.scope.spread_by_shell import spread_hits
    from ralph.guardrails.checks.scope.taken_away import taken_hits
    from ralph.guardrails.checks.spoken import spoken
    from ralph.guardrails.checks.weaker import Judgement
    from ralph.guardrails.config.side import Side

    blobs = change.blobs
    before, after = Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after())
    judgement = Judgement(change, before, after)
    yield from judgement.hits()
    yield from bypass_hits([file.path for file in change.files if speaks(file)], before, after)
    yield from doctored_hits(
        [file.path for file in change.files if file.path in paths and may_doctor(file)], before, after
    )
    filtering = [file.path for file in change.files if file.path in paths and may_uncover(file)]
    yield from uncovered_hits(filtering, before, after)
    if any(map(is_report, change.files)):
        said = [(path, one.words) for path in paths for one in spoken(after, path) if not one.variable]
        yield from unmeasured_hits(change, judgement.old, judgement.new, said)
    for file in change.files:
        yield from wrapper_hits(file, judgement.before, after)
        yield from missing_hits(file, judgement.before, after)
    yield from unheard_hits(paths, judgement.before, judgement.after)
    yield from unstarted_hits(paths, judgement.new, judgement.before, judgement.after)
    yield from reused_hits(change, paths, before, after)
    yield from unshipped_hits(paths, judgement.new, judgement.before, judgement.after)
    yield from empty_calls([file for file in change.files if file.path in set(paths)], before, after)
    yield from spread_hits([file for file in change.files if file.path in set(paths)], before, after)
    yield from made_already(change, judgement.before, judgement.after)
    yield from nothing_hits(paths, judgement.before, judgement.after)
    yield from made_before_hits(paths, judgement.before, judgement.after)
    yield from moved_hits(judgement.pairs, judgement.before, judgement.after)
    yield from image_hits(paths, judgement.before, judgement.after)
    for path in paths:
        if "/workflows/" in path:
            yield from workflow_hits(path, judgement.before, judgement.after)
            yield from of_the_base(path, judgement.before, judgement.after)
            yield from deaf_gates(path, before, after)
            yield from action_hits(path, before, after)
            yield from deafened(path, judgement.before, judgement.after)
        elif "gitlab-ci" in path:
            yield from gitlab_hits(path, judgement.before, judgement.after)
            yield from included_hits(path, judgement.before, judgement.after)
        elif path.rpartition("/")[2] in MAKEFILES:
            yield from make_hits(path, judgement.before, judgement.after)
        if path.endswith((".yml", ".yaml")):
            yield from lent_hits(path, judgement.before, judgement.after)
        if not is_code(path):
            yield from filtered_hits(path, judgement.before, judgement.after)
            yield from posted_hits(path, judgement.before, judgement.after)
            yield from round_hits(path, judgement.before, judgement.after)
            yield from taken_hits(path, judgement.before, judgement.after)
            yield from prepared_hits(path, judgement.before, judgement.after)
        yield from lefthook_hits(path, before, after)
        yield from result_step_hits(path, before, after)
        yield from protection_hits(path, before, after)
        yield from matrix_hits(path, judgement.before, judgement.after)
        yield from waiting_hits(path, judgement.before, judgement.after)
        yield from context_hits(path, judgement.before, judgement.after)
        yield from unrun_parts(path, before, after)
        yield from installed_hits(path, before, after)
