"""What the rules for files say about one path (spec: policy engine; design decisions 22 to 26).

- Denying rules come first, for every form of the path (see `located`), folded. A denying pattern without a slash is
  meant in every folder, as in .gitignore: `.env` is also `config/.env`, `dist` is also `docs/dist`; `./dist` is only
  the one at the root.
- Allowing rules are anchored at the root and compared exactly, with the resolved path only: what is really touched.
- Outside the root nothing is allowed, in any mode, but /dev/null, the standard streams and `sandbox.writable`.
- To delete a folder is to delete what lies in it: it is denied where a denied or closed path lies below.
- A file with several names is not written to: one of the other names could be a denied one.
- Ralph's own files, git's and those that run on the host have rules of their own: see `own_files`.

A path that no rule names is unlisted: `outcome` is None, and the mode decides.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from ralph.permissions import narrowing, own_files
from ralph.permissions.located import Located, as_composed, locate, names_below
from ralph.permissions.model import Outcome, Permissions
from ralph.permissions.path_patterns import (
    ANY_DEPTH,
    Components,
    components,
    composed,
    folded,
    is_wild,
    matches,
    may_match_below,
)
from ralph.record import record

__all__ = ["Access", "Located", "PathDecision", "judge_path", "locate"]

Access = Literal["read", "write", "delete"]
_VERBS = {"read": "read", "write": "written", "delete": "deleted"}


@record
class PathDecision:
    """`outcome` None: no rule names the path. `rule` names what decided."""

    outcome: Outcome | None
    rule: str
    reason: str


def judge_path(located: Located, access: Access, permissions: Permissions) -> PathDecision:
    """What the file rules say about reading, writing or deleting a path."""
    if located.problem:
        return _denied("path", located, access, located.problem)
    if located.stream:
        return _stream(located, access)
    found = _denial(located, access, permissions) or _permission(located, access, permissions)
    if found.outcome is Outcome.DENY or not permissions.narrowed_to:
        return found
    return _taken_away(located, access, permissions) or found


def deny_patterns(permissions: Permissions, access: Access) -> dict[str, Components]:
    """Every denying pattern for this access as it is compared, by its text."""
    rules = permissions.files.deny_read if access == "read" else permissions.files.deny_write
    return {rule: denying(rule) for rule in rules}


@lru_cache(maxsize=1024)
def denying(rule: str) -> Components:
    """A denying pattern as it is compared: folded, and in every folder if it has no slash."""
    names = components(folded(rule))
    return (ANY_DEPTH, *names) if "/" not in rule.rstrip("/") else names


@lru_cache(maxsize=1024)
def _allowing(rule: str) -> tuple[Components, bool]:
    names = components(composed(rule))
    return names, not (names and is_wild(names[-1]))


def key_of(access: Access, kind: Literal["allow", "deny"]) -> str:
    """The key of the policy file, for the `rule` of a decision."""
    return f"files.{kind}{'Read' if access == 'read' else 'Write'}"


def _denial(located: Located, access: Access, permissions: Permissions) -> PathDecision | None:
    forms = located.folded_entry_forms if access == "delete" else located.folded_forms
    if _is_secret(located):
        return _denied("ralph: secrets", located, access, "it lies in a folder of secrets")
    if access != "read" and any(own_files.closed(form) for form in forms):
        return _denied("ralph: closed", located, access, "Ralph and git keep it themselves; no agent writes there")
    for rule, pattern in deny_patterns(permissions, access).items():
        if any(matches(pattern, form, below=True) for form in forms):
            return _denied(f"{key_of(access, 'deny')}: {rule}", located, access, "the policy denies it")
    if names_below(_target(located, access), located.root) is None:
        return _outside(located, access, permissions)
    return _denied_change(located, access, permissions) if access != "read" else None


def _denied_change(located: Located, access: Access, permissions: Permissions) -> PathDecision | None:
    if access == "write" and located.links > 1:
        reason = f"the file has {located.links} names, and another of them could be one that is denied"
        return _denied("path", located, access, reason)
    if access != "delete":
        return None
    for form in located.folded_entry_forms:
        if not form:
            return _denied("path", located, access, "it is the project itself")
        if own_files.closed_below(form):
            return _denied("ralph: closed", located, access, "Ralph's own records lie in it")
        for rule, pattern in deny_patterns(permissions, "delete").items():
            if pattern[:1] != (ANY_DEPTH,) and may_match_below(pattern, form):
                return _denied(
                    f"{key_of(access, 'deny')}: {rule}", located, access, "what the policy denies lies in it"
                )
    return None


def _permission(located: Located, access: Access, permissions: Permissions) -> PathDecision:
    form = as_composed(names_below(_target(located, access), located.root) or ())
    key = key_of(access, "allow")
    rules = permissions.files.allow_read if access == "read" else permissions.files.allow_write
    found = _first_allowing(rules, form)
    if access != "read" and (special := _special(located, permissions, found)):
        return special
    if found is None:
        return PathDecision(None, key, f"{_shown(located)} is not in {key}")
    return PathDecision(Outcome.ALLOW, f"{key}: {found}", f"{key} names {_shown(located)}")


def _taken_away(located: Located, access: Access, permissions: Permissions) -> PathDecision | None:
    if access == "read":
        taken = narrowing.reading(permissions)
    else:
        below = names_below(_target(located, access), located.root)
        taken = narrowing.writing(None if below is None else as_composed(below), permissions)
    return _denied(taken.rule, located, access, taken.reason) if taken else None


def _target(located: Located, access: Access) -> str:
    """What is really touched: a deletion takes the link, everything else goes through it."""
    return located.own if access == "delete" else located.resolved


def _first_allowing(rules: Iterable[str], form: Components) -> str | None:
    for rule in rules:
        pattern, below = _allowing(rule)
        if matches(pattern, form, below=below):
            return rule
    return None


def _special(located: Located, permissions: Permissions, allowed_by: str | None) -> PathDecision | None:
    """A person is asked about what governs Ralph or starts programs; delivery denies what is not even listed."""
    forms = located.folded_forms
    governs = any(own_files.governing(form) for form in forms)
    hosts = {own_files.runs_on_host(form) for form in forms} - {None}
    if not governs and not hosts:
        return None
    what = "it tells Ralph what to do" if governs else "programs are started from it outside the sandbox"
    rule = "ralph: governing file" if governs else "ralph: runs on the host"
    if allowed_by is None and permissions.mode == "delivery":
        return PathDecision(Outcome.DENY, rule, f"{_shown(located)} is not in files.allowWrite, and {what}")
    if not governs and hosts == {"tool"} and allowed_by is not None and _names(allowed_by):
        return None
    return PathDecision(Outcome.APPROVE, rule, f"a person decides about {_shown(located)}: {what}")


def _names(rule: str) -> bool:
    """True for an allowing rule that speaks of such a file itself, not of all that is there."""
    return own_files.runs_on_host(components(folded(rule))) == "tool"


def _outside(located: Located, access: Access, permissions: Permissions) -> PathDecision:
    for folder in permissions.sandbox.writable:
        place = posixpath.join(located.home, folder[2:]) if folder.startswith("~/") else folder
        below = names_below(_target(located, access), posixpath.normpath(place))
        if below is not None and (below or access != "delete"):
            return PathDecision(Outcome.ALLOW, f"sandbox.writable: {folder}", f"{_shown(located)} is in {folder}")
    return _denied("path", located, access, "it lies outside the project")


def _is_secret(located: Located) -> bool:
    below = (names_below(path, located.home) for path in (located.lexical, located.own, located.resolved))
    return any(own_files.secret(tuple(folded(name) for name in names)) for names in below if names)


def _stream(located: Located, access: Access) -> PathDecision:
    """Each stream in its own direction: opened again the other way, it is the file behind it, judged or not."""
    written = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2")
    fits = {"read": ("/dev/null", "/dev/stdin", "/dev/fd/0"), "write": written, "delete": ()}[access]
    if located.lexical in fits:
        return PathDecision(Outcome.ALLOW, "path", f"{located.lexical} is a standard stream")
    return _denied("path", located, access, "it is a device of the system")


def _denied(rule: str, located: Located, access: Access, reason: str) -> PathDecision:
    return PathDecision(Outcome.DENY, rule, f"{_shown(located)} may not be {_VERBS[access]}: {reason}")


def _shown(located: Located) -> str:
    """The path as it is told to people and models: nothing hidden, and of a length that can be read."""
    text = "".join(sign if sign.isprintable() else f"\\u{{{ord(sign):x}}}" for sign in located.text)
    return text if len(text) <= 120 else f"{text[:100]}…"
