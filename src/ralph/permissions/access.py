"""What the file rules say about the words of a command that name paths.

A word that is only partly known is judged by what is certain: `/etc/$x` lies outside, `.e$x` may be `.env`. One of
which nothing is known may be read (the sandbox holds what is denied); it may never be written or deleted.
"""

from __future__ import annotations

import glob
import posixpath
from collections.abc import Iterator

from ralph.permissions.classes import classes_of_write, configured_classes
from ralph.permissions.model import ApprovalClass, Outcome, Permissions
from ralph.permissions.paths import Access, PathDecision, judge_path, locate
from ralph.permissions.place import Place
from ralph.permissions.programs.model import Arg, Span, Use
from ralph.permissions.shell_globs import judge_pattern
from ralph.record import record

_PIPE = "/dev/fd/"
"""How the name of a pipe to other commands begins (`<(…)`), which are judged themselves."""


@record
class Spot:
    """Where in the line, and in which folders, a command runs."""

    cwds: tuple[str, ...]
    span: Span


@record
class Touched:
    """One path of a use, what the rules say of it, and the classes that changing it belongs to."""

    access: Access
    decision: PathDecision
    classes: frozenset[ApprovalClass] = frozenset()
    configured: frozenset[ApprovalClass] = frozenset()
    """Those of them that the policy itself names for this path (`approval.paths`)."""


@record
class Accesses:
    """The file rules of one policy in one place."""

    permissions: Permissions
    place: Place

    def of(self, use: Use, spot: Spot) -> Iterator[Touched]:
        """Everything that a use touches."""
        for arg in use.reads:
            yield from self.word(arg, "read", spot)
        for arg in use.maybe_reads:
            yield from (each for each in self.word(arg, "read", spot) if self._is_path(arg, each, spot))
        for arg in use.reads_from_top:
            yield from self.word(arg, "read", Spot((self.place.root,), spot.span))
        for arg in use.writes:
            yield from self.word(arg, "write", spot)
        for arg in use.writes_below:
            yield from self.word(arg, "write", spot)
            yield from (each for each in self.word(arg, "delete", spot) if each.decision.outcome is Outcome.DENY)
        for arg in use.deletes:
            yield from self.word(arg, "delete", spot)

    def word(self, arg: Arg, access: Access, spot: Spot) -> Iterator[Touched]:
        """One word in every folder that it may be meant in."""
        for cwd in spot.cwds:
            if arg.text is not None:
                yield self.path(arg.text, access, cwd)
                continue
            for value in arg.maybe:
                yield self.path(value, access, cwd)
            if arg.pattern is not None:
                yield Touched(access, judge_pattern(arg.pattern, cwd, access, self.place, self.permissions))
            elif access == "read":
                yield from self._partly_known(arg, cwd)
            else:
                verb = "written" if access == "write" else "deleted"
                reason = f"what is {verb} is not known before it runs: {arg.reason}"
                yield Touched(access, PathDecision(Outcome.DENY, "OPAQUE_PATH", reason))

    def path(self, text: str, access: Access, cwd: str) -> Touched:
        located = locate(text, cwd, self.place)
        decision = judge_path(located, access, self.permissions)
        if access == "read":
            return Touched(access, decision)
        named = configured_classes(located, self.permissions)
        return Touched(access, decision, classes_of_write(located, self.permissions), named)

    def _partly_known(self, arg: Arg, cwd: str) -> Iterator[Touched]:
        """The folder that a word certainly begins with, and what a begun name may become."""
        if arg.before == _PIPE:
            return
        folder, slash, begun = arg.before.rpartition("/")
        if slash:
            yield self.path(folder or "/", "read", cwd)
        if begun and begun not in (".", ".."):
            pattern = posixpath.join(glob.escape(folder + slash), f"{glob.escape(begun)}*")
            yield Touched("read", judge_pattern(pattern, cwd, "read", self.place, self.permissions))

    def _is_path(self, arg: Arg, touched: Touched, spot: Spot) -> bool:
        """A word that may also be a revision counts if such a file exists or a rule denies that name."""
        if arg.text is None or touched.decision.rule.startswith("files.deny"):
            return True
        return any(self.place.files.exists(posixpath.join(cwd, arg.text)) for cwd in spot.cwds)
