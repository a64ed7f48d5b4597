"""What a phase takes away from a policy: capabilities as further conditions of every decision (design decision 33).

Rules:

- What is allowed after narrowing was allowed before, and nothing outside the capabilities is. They are compared like
  allowing rules: anchored at the project's root, with the path that is really touched.
- The one exception is the folder in which a phase leaves its own work, `specs`: where the capabilities open it, it may
  be written although the policy does not mention it, as long as nothing denies it. Otherwise a policy that lists the
  code alone would leave discovery without a way to say what it found.
- Where writing is narrowed, files outside the project and git's own are closed to what agents name; a command that
  nobody can look into is held by the walls, which open only what both allow, and which are demanded then.
- A tool that nobody described may do anything: it is left to the policy only where neither the shell nor the web nor
  writing is taken away.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ralph.permissions.capabilities import ALL, Capabilities
from ralph.permissions.model import Permissions
from ralph.permissions.path_patterns import Components, components, composed, is_wild, matches
from ralph.record import record, replace

OUTPUT = "specs"
WEB = frozenset({"WebFetch", "WebSearch", "web_fetch", "web_search"})
DELEGATES = frozenset({"Agent", "Task", "spawn_agent"})
ASKS = frozenset({"AskUserQuestion", "request_user_input"})


@record
class Taken:
    """What is taken away, as a decision names it."""

    rule: str
    reason: str


def narrowed(permissions: Permissions, capabilities: Capabilities) -> Permissions:
    """The permissions with what the capabilities lack taken away."""
    if replace(capabilities, name="", look=False) == ALL:
        return permissions
    own = tuple(rule for rule in capabilities.write or () if components(rule)[:1] == (OUTPUT,))
    files = replace(permissions.files, allow_write=tuple(dict.fromkeys((*permissions.files.allow_write, *own))))
    return replace(permissions, files=files, narrowed_to=(*permissions.narrowed_to, capabilities))


def writes_narrowed(permissions: Permissions) -> bool:
    """True if writing is narrowed at all: then the walls are what holds a command."""
    return any(each.write is not None for each in permissions.narrowed_to)


def command(permissions: Permissions, *, only_reads: bool) -> Taken | None:
    """Why a command may not be run, that only reads or does more."""
    open_ = (each.shell or (only_reads and each.look and each.read) for each in permissions.narrowed_to)
    closed = next((each for each, may in zip(permissions.narrowed_to, open_, strict=True) if not may), None)
    return _taken(closed, "shell", "no command may be run") if closed else None


def git(permissions: Permissions) -> Taken | None:
    """Why git may not change the repository."""
    closed = next((each for each in permissions.narrowed_to if each.write is not None), None)
    return _taken(closed, "write", f"{_only(closed)}, and git would change the rest as well") if closed else None


def reading(permissions: Permissions) -> Taken | None:
    """Why no file may be read."""
    closed = next((each for each in permissions.narrowed_to if not each.read), None)
    return _taken(closed, "read", "no file may be read") if closed else None


def writing(form: Components | None, permissions: Permissions) -> Taken | None:
    """Why a path may not be changed; `form` is composed, from the root, and None outside the project."""
    for each in permissions.narrowed_to:
        if each.write is not None and (form is None or not any(covers(rule, form) for rule in each.write)):
            return _taken(each, "write", _only(each))
    return None


def tool(name: str, permissions: Permissions) -> Taken | None:
    """Why a tool may not be used that is neither shell nor file."""
    for each in permissions.narrowed_to:
        for has, names, key, reason in _tables(each):
            if not has and name in names:
                return _taken(each, key, reason)
    return None


def unknown_tool(name: str, permissions: Permissions) -> Taken | None:
    """Why a tool may not be used of which nobody knows what it does."""
    if name in WEB:
        return None
    for each in permissions.narrowed_to:
        if not (each.shell and each.web and each.write is None and each.read):
            return _taken(each, "tools", f"nobody knows what {name} does, and not everything may be done")
    return None


def _tables(given: Capabilities) -> Iterator[tuple[bool, frozenset[str], str, str]]:
    yield given.web, WEB, "web", "nothing may be searched or fetched on the web"
    yield given.delegate, DELEGATES, "delegate", "no subagent may be started"
    yield given.ask, ASKS, "ask", "nobody is there to answer: decide, and note what you assume"


def _only(given: Capabilities) -> str:
    return f"only {', '.join(given.write)} may be changed" if given.write else "nothing may be changed"


def _taken(given: Capabilities, key: str, reason: str) -> Taken:
    where = f"in the phase {given.name}" if given.name else "in this turn"
    return Taken(f"capabilities.{key}", f"{where} {reason}")


@lru_cache(maxsize=256)
def _rule(text: str) -> tuple[Components, bool]:
    names = components(composed(text))
    return names, not (names and is_wild(names[-1]))


def covers(rule: str, form: Components) -> bool:
    """True if a path, from the root, is one that this rule of a phase leaves open."""
    pattern, below = _rule(rule)
    return matches(pattern, form, below=below)
