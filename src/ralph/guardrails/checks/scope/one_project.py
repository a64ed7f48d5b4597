"""A check of all projects of a repository that is run in one of them only (class G09): for a person to look at.

Rules, where no run beside it still goes through all of them:

- Gradle runs a task in every project that has it, and `:web:test` in one.
- Yarn goes through all with `workspaces foreach`, and looks into one with `workspace`.
- Stack, Cabal and Leiningen test all without a name; `dotnet test` what it finds without a project.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ralph.guardrails.checks.model import Gate
from ralph.system.patterns import later

OF_ALL_CABAL = frozenset(("all", "--enable-tests"))
IN_ONE = later(r":?[\w-]+(?::[\w-]+)*:(?P<task>\w+)")
PROJECT = later(r"[^\s*?]+\.(?:cs|fs|vb)proj")


def one_project(was: Gate, now: Gate, runs: Sequence[Gate]) -> str | None:
    """The project in which it is still run, where that was all of them."""
    place = PLACES.get(was.words[0])
    if place is None or now.words[0] != was.words[0] or place(was.words) is not None:
        return None
    found = place(now.words)
    return None if found is None or any(place(run.words) is None for run in runs) else found


def _of_gradle(words: Sequence[str]) -> str | None:
    tasks = [word for word in words[1:] if not word.startswith("-")]
    own = [word for word in tasks if IN_ONE.fullmatch(word) is not None]
    return own[0] if own and len(own) == len(tasks) else None


def _of_yarn(words: Sequence[str]) -> str | None:
    return words[2] if words[1:2] == ("workspace",) and len(words) > 2 else None


def _behind_test(words: Sequence[str]) -> str | None:
    named = [word for word in words[2:] if not word.startswith("-") and word not in OF_ALL_CABAL]
    return named[0] if words[1:2] == ("test",) and named else None


def _of_dotnet(words: Sequence[str]) -> str | None:
    return next((word for word in words[2:] if PROJECT.fullmatch(word) is not None), None)


PLACES: dict[str, Callable[[Sequence[str]], str | None]] = {
    "gradle": _of_gradle,
    "gradlew": _of_gradle,
    "yarn": _of_yarn,
    "stack": _behind_test,
    "cabal": _behind_test,
    "lein": _behind_test,
    "dotnet": _of_dotnet,
}
"""The project in which a call works, None where that is all of them."""
