"""What a run really did, by class: judged from the tree before it and the tree after it.

Text tells what a command is meant to do; two trees tell what it did. Counted as

- `destructive_ops`: files that stood in the tree before and are gone or empty now. What the run made and removed
  itself is in neither tree. A file that reappears unchanged at another path was moved, and is counted all the same:
  it is missing where it was;
- `dependency_changes`: dependency files, manifests only if what they depend on changed;
- `production_impacting_edits`: paths of production, changed in any way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from ralph.permissions.classes import classes_of_path
from ralph.permissions.manifests import dependencies_changed, is_dependency_file
from ralph.permissions.model import ApprovalClass, Permissions
from ralph.permissions.own_files import governing, runs_on_host
from ralph.permissions.path_patterns import components, folded
from ralph.record import record
from ralph.system.git import Repository
from ralph.system.git_diff import differences
from ralph.system.git_objects import MODE_GITLINK, Entry, Objects

MOST_EDITED = 200
"""Files that are compared line by line, to find those that were moved and edited at once."""


@record
class PathChange:
    """One path that differs. A side is None where nothing is; a gitlink's content is its commit."""

    path: str
    before: bytes | None
    after: bytes | None


@record(kw_only=True)
class Effects:
    """What was done, sorted by path. Only what belongs to a class stands in it."""

    deleted: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    """Those of `deleted` whose content came back at another path, most of its lines at least."""
    dependency_files: tuple[str, ...] = ()
    by_policy: Mapping[ApprovalClass, tuple[str, ...]]
    """Paths by class, through the built-in list of production paths and the policy's `approval.paths`."""
    governing: tuple[str, ...] = ()
    """What tells Ralph or an agent's client what to do, changed in any way."""
    changed: int = 0
    """How many paths differ in all."""

    @property
    def by_class(self) -> dict[ApprovalClass, tuple[str, ...]]:
        """The paths of each class that has any."""
        found = {name: set(paths) for name, paths in self.by_policy.items()}
        found.setdefault(ApprovalClass.DESTRUCTIVE, set()).update(self.deleted, self.emptied)
        found.setdefault(ApprovalClass.DEPENDENCY, set()).update(self.dependency_files)
        return {name: tuple(sorted(found[name])) for name in ApprovalClass if found.get(name)}

    @property
    def classes(self) -> frozenset[ApprovalClass]:
        return frozenset(self.by_class)


def effects_between(
    repo: Repository, before: str, after: str, permissions: Permissions, *, skipped: Collection[str] = ()
) -> Effects:
    """The effects of what turned one tree into another, but for the `skipped` paths. Raises RepositoryError."""
    objects = Objects(repo.objects_dir, repo.object_format)
    try:
        found = [each for each in differences(objects, before, after) if each.path not in skipped]
        changes = [PathChange(each.path, _content(objects, each.old), _content(objects, each.new)) for each in found]
    finally:
        objects.close()
    return classified(changes, permissions)


def classified(changes: Iterable[PathChange], permissions: Permissions) -> Effects:
    """The effects of these changes."""
    changes = sorted(changes, key=lambda change: change.path)
    by_policy: dict[ApprovalClass, list[str]] = {}
    for change in changes:
        for name in classes_of_path(change.path, permissions):
            by_policy.setdefault(name, []).append(change.path)
    deleted = [each for each in changes if each.before is not None and each.after is None]
    return Effects(
        deleted=tuple(each.path for each in deleted),
        moved=_moved(deleted, [each.after for each in changes if each.before is None and each.after is not None]),
        emptied=tuple(
            each.path for each in changes if each.before and each.after is not None and not each.after.strip()
        ),
        dependency_files=tuple(each.path for each in changes if _changes_dependencies(each)),
        by_policy={name: tuple(paths) for name, paths in by_policy.items()},
        governing=tuple(each.path for each in changes if _governs(each.path)),
        changed=len(changes),
    )


def _moved(deleted: Iterable[PathChange], made: Iterable[bytes]) -> tuple[str, ...]:
    """The deleted paths that stand elsewhere now. Each new file stands for one of them."""
    new, found, rest = Counter(made), list[PathChange](), list[PathChange]()
    for each in deleted:
        content = each.before or b""
        same = new[content] > 0
        (found if same else rest).append(each)
        new[content] -= same
    lines = [Counter(content.splitlines()) for content in list(new.elements())[:MOST_EDITED]]
    for each in rest[:MOST_EDITED]:
        wanted = Counter((each.before or b"").splitlines())
        place = next((number for number, present in enumerate(lines) if _alike(wanted, present)), None)
        if place is not None:
            found.append(each)
            del lines[place]
    return tuple(sorted(each.path for each in found))


def _alike(old: Counter[bytes], new: Counter[bytes]) -> bool:
    """At least half of the lines are there: what was lost is no more than any edit may remove."""
    return (old & new).total() * 2 >= max(old.total(), 1)


def _governs(path: str) -> bool:
    form = components(folded(path))
    return governing(form) or runs_on_host(form) == "client"


def _changes_dependencies(change: PathChange) -> bool:
    form = components(folded(change.path))
    return is_dependency_file(form) and dependencies_changed(change.path, change.before, change.after)


def _content(objects: Objects, entry: Entry | None) -> bytes | None:
    if entry is None:
        return None
    return entry.id.encode() if entry.mode == MODE_GITLINK else objects.blob(entry.id)
