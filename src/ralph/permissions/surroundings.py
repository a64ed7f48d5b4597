"""What the shell itself does around its commands: folders, redirects, variables, tests and pipes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from ralph.permissions import matching
from ralph.permissions.access import Spot, Touched
from ralph.permissions.answers import allow, ask, ask_for, deny
from ralph.permissions.judge import Judge
from ralph.permissions.model import ApprovalClass, Decision, Outcome
from ralph.permissions.programs.model import Arg, Call, Use
from ralph.permissions.programs.variables import assignment_hazard
from ralph.permissions.state import State
from ralph.permissions.words import argument, is_process
from ralph.shell.model import Redirect

_EMPTYING = frozenset({">", ">|", "&>", ">&"})


def entered(folder: Arg, cwds: Sequence[str]) -> tuple[str, ...]:
    """Where a shell or a program stands that goes to a folder; nowhere if that is not known."""
    if folder.text is None:
        return ()
    return tuple(posixpath.normpath(posixpath.join(cwd, folder.text)) for cwd in cwds)


def moved(judge: Judge, call: Call, state: State, spot: Spot) -> tuple[tuple[str, ...], Decision | None]:
    """Where `cd`, `pushd` or `popd` leads, or why it may not."""
    words = [arg for arg in call.args if arg.text not in ("-L", "--")]
    if call.name == "popd" or [arg.text for arg in words] == ["-"]:
        return state.seen or state.cwds, None
    target = words[0].text if len(words) == 1 else None
    if target is None or target.startswith(("-", "+")):
        reason = "the folder is not known before it runs, and neither is all that follows"
        return (), deny("OPAQUE_FOLDER", reason, spot.span, "name the folder in full")
    for cwd in state.cwds:
        if outside := judge.leaves(words[0], cwd):
            return (), deny("path", f"`{call.name}` leaves the project: {outside}", spot.span)
    return entered(words[0], state.cwds), None


def redirected(judge: Judge, redirect: Redirect, state: State, spot: Spot) -> Iterator[Decision]:
    """A file that the shell opens for a command."""
    if redirect.target is None or is_process(redirect.target):
        return
    arg = argument(redirect.target, state, judge.place)
    if (
        redirect.operator in ("<&", ">&")
        and arg.text is not None
        and (arg.text.rstrip("-").isdigit() or arg.text == "-")
    ):
        return
    # A descriptor that is opened in one direction can be opened again in the other, through /dev/stdout or /dev/stdin.
    inwards, number = redirect.operator in ("<", "<&"), redirect.descriptor
    both = redirect.operator == "<>" or (number not in (None, 0) if inwards else number == 0)
    reads = (arg,) if inwards or both else ()
    writes = (arg,) if not inwards or both else ()
    for each in judge.accesses.of(Use(reads=reads, writes=writes), spot):
        yield _opened(judge, each, spot)


def _opened(judge: Judge, touched: Touched, spot: Spot) -> Decision:
    found = touched.decision
    if found.outcome is Outcome.DENY or (found.outcome is None and judge.closes(touched)):
        return deny(found.rule, found.reason, spot.span)
    if asking := touched.classes & judge.permissions.approval.required_for:
        return ask_for(asking, "the file that is written", spot.span)
    if found.outcome is Outcome.APPROVE:
        return ask(found.rule, found.reason, spot.span)
    return allow(found.rule, found.reason, spot.span)


def emptied(judge: Judge, redirects: Iterable[Redirect], spot: Spot) -> Iterator[Decision]:
    """A redirect without anything to write empties the file."""
    if ApprovalClass.DESTRUCTIVE not in judge.permissions.approval.required_for:
        return
    for each in redirects:
        if each.operator in _EMPTYING and each.target and each.target.literal != "/dev/null":
            yield ask_for([ApprovalClass.DESTRUCTIVE], "emptying a file by a redirect", spot.span)


def settings(assignments: Iterable[tuple[str, Arg]], spot: Spot, *, exported: bool) -> Iterator[Decision]:
    """Variables that are set for a program (`exported`) or for the shell alone."""
    for name, _ in assignments:
        if reason := assignment_hazard(name, exported=exported):
            yield deny(f"variable: {name}", reason, spot.span)


def piped(judge: Judge, stages: Sequence[Sequence[Call]], spot: Spot) -> Iterator[Decision]:
    """Patterns of the policy that name several programs (`curl | sh`)."""
    for pattern in judge.denied:
        if pattern.is_pipeline and matching.denies_pipe(pattern.commands, stages):
            yield deny(f"commands.deny: {pattern.text}", f"the policy denies `{pattern.text}`", spot.span)
