"""File patterns in a command's words (`cat src/*.ts`): what they could mean and what they do mean now.

Every path that a pattern expands to now is judged like any other, so that a link with a harmless name does not help;
one that expands to nothing is passed on as it stands, and judged so. To be read, a pattern must be harmless by its
text too, whatever is there: it is denied if it could match a denied name (`.e*` may be `.env`, `src/*.ts` may not).
"""

from __future__ import annotations

import glob
import posixpath
import re
from collections.abc import Mapping

from ralph.permissions.located import Located, locate, unreadable
from ralph.permissions.model import Outcome, Permissions
from ralph.permissions.path_patterns import Components, components, folded, is_wild, may_overlap
from ralph.permissions.paths import Access, PathDecision, deny_patterns, judge_path, key_of
from ralph.permissions.place import Place

_UNKNOWN = re.compile(r"[@?*+!]\(|[\\]")


def could_match(words: Components, patterns: Mapping[str, Components]) -> str | None:
    """The first of `patterns` (by its text) that could match what a shell makes of `words`, both from the root."""
    return next((text for text, pattern in patterns.items() if may_overlap(pattern, words)), None)


def judge_pattern(
    pattern: str, cwd: str | None, access: Access, place: Place, permissions: Permissions
) -> PathDecision:
    """What the file rules say about every path that a shell's pattern could stand for."""
    if problem := unreadable(pattern) or _odd(pattern):
        return PathDecision(Outcome.DENY, "path", f"the pattern {pattern!a} cannot be judged: {problem}")
    absolute = posixpath.join(glob.escape(posixpath.join(place.root, cwd or "")), pattern)
    fixed, names = _parted(absolute)
    folder = locate(fixed, None, place)
    if folder.problem or folder.relative is None:
        # The folder itself stays: what is done happens in it.
        outside = judge_path(folder, "read" if access == "read" else "write", permissions)
        if outside.outcome is Outcome.DENY:
            return outside
    if access == "read" and (denied := _by_text(pattern, folder, names, permissions)):
        return denied
    found = place.files.matches(absolute)
    if found is None:
        return PathDecision(Outcome.DENY, "path", f"{pattern} stands for too many files to judge")
    # A shell passes a pattern that matches nothing on as it stands.
    judged = [judge_path(locate(path, None, place), access, permissions) for path in found or [_unescaped(absolute)]]
    return min(judged, key=lambda decision: _STRICTNESS[decision.outcome])


_STRICTNESS = {Outcome.DENY: 0, None: 1, Outcome.APPROVE: 2, Outcome.ALLOW: 3}
"""Unlisted is stricter than asking: a mode may deny it."""


def _by_text(pattern: str, folder: Located, names: Components, permissions: Permissions) -> PathDecision | None:
    patterns = deny_patterns(permissions, "read")
    wild = tuple(folded(name) for name in names)
    for form in folder.folded_forms:
        if rule := could_match((*form, *wild), patterns):
            reason = f"the pattern {pattern} could stand for a path that may not be read"
            return PathDecision(Outcome.DENY, f"{key_of('read', 'deny')}: {rule}", reason)
    return None


def _odd(pattern: str) -> str | None:
    if _UNKNOWN.search(pattern):
        return "its form is not one that Ralph knows"
    names = pattern.split("/")
    first = next((at for at, name in enumerate(names) if is_wild(_ESCAPED.sub("", name))), len(names))
    return "it goes up from a folder that is not known" if ".." in names[first:] else None


def _parted(absolute: str) -> tuple[str, Components]:
    """The folder in front of the first wildcard, and the rest."""
    names = absolute.split("/")
    first = next((at for at, name in enumerate(names) if is_wild(_ESCAPED.sub("", name))), len(names) - 1)
    return _unescaped("/".join(names[:first])) or "/", components("/".join(names[first:]))


_ESCAPED = re.compile(r"\[([*?[])\]")


def _unescaped(pattern: str) -> str:
    """The text that an escaped pattern without wildcards stands for."""
    return _ESCAPED.sub(r"\1", pattern)
