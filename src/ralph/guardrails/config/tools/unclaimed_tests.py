"""Tests that belong to none of a runner's projects (policy set v2, class G09): Playwright, jest, Vitest.

Rule, where a configuration has several projects, or comes to have them, and each of them says by a list which tests are
its own: a test of the tree that the base's configuration held, and that no project holds, is run no more. What one
project of several no longer holds is for a person, as another one may (`runners`); a project without a list holds all
that there is, and a pattern that only running could tell says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ralph.guardrails.config.filters import is_held
from ralph.guardrails.config.lattice import words
from ralph.guardrails.config.node import Key, Node, Opaque, Settings, canonical
from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.config.rows import Loss
from ralph.system.patterns import later

Judge = Callable[[Settings, Settings, Sequence[str]], Iterable[Loss]]
UNKNOWN = later(r"\$\{|\.\.\.")
TEST = later(r"[.-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|/)__tests__/")
"""What runners take for tests where nobody says anything."""
SEVERAL, ONE = "several", "projects"


def unclaimed(name: str, *, folder: str = "") -> Judge:
    """`name`: of the list of a project; `folder`: of the setting that says below which folder all tests are."""

    def judge(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
        lists = _lists(after, name)
        if not lists or any(map(_unreadable, lists)):
            return
        if before.keys() == after.keys() and all(before[key].value == after[key].value for key in after):
            return
        old, new = _held(before, name), [canonical(item) for each in lists for item in words(each)]
        inside = canonical(before[(folder,)]).strip("./") if folder and (folder,) in before else ""
        below = f"{inside}/" if inside else ""
        for path in paths if new else ():
            was_held = path.startswith(below) and (old is None or is_held(old, path, regex=True))
            if was_held and is_test(path) and TEST.search(path) and not is_held(new, path, regex=True):
                text = f"leaves {path} to none"
                key = f"{SEVERAL}.{name}"
                yield Loss(rule="cfg.test.collection", key=key, text=text, node=lists[-1], old=None)
                return

    return judge


def _lists(settings: Settings, name: str) -> list[Node]:
    """Those of all projects; none where there are no several projects, or one has no list of its own."""
    projects = {key[1] for key in settings if len(key) > 1 and key[0] == SEVERAL}
    found = [settings.get((SEVERAL, each, name)) for each in sorted(projects)]
    own = [node for node in found if node is not None]
    return own if own and len(own) == len(found) and ("folders", "in") not in settings else []


def _held(settings: Settings, name: str) -> list[str] | None:
    """The patterns by which the base held tests; None where it held all."""
    keys: set[Key] = {key[:2] for key in settings if len(key) > 1 and key[0] in (SEVERAL, ONE)}
    lists = [settings.get((*key, name), settings.get((name,))) for key in keys] or [settings.get((name,))]
    if any(each is None for each in lists):
        return None
    return [canonical(item) for each in lists if each is not None for item in words(each)]


def _unreadable(node: Node) -> bool:
    return any(isinstance(item.value, Opaque) or UNKNOWN.search(canonical(item)) for item in words(node))
