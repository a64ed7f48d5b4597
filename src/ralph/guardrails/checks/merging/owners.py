"""Who is asked to review: CODEOWNERS compared between base and head (class G16).

Rules:

- An entry whose files are gone may go, too; a file that moved is the same file. Of several lists the first counts:
  `.github` or `.gitlab`, then the root, then `docs`.
- The last entry that fits a file decides, within its section: one that comes to stand behind another, and holds all of
  it, takes its owners away. One that is new and holds a part of it is for a person to look at.
- What stands under a section without owners of its own has those of the section. An optional section (`^[x]`)
  asks nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.patterns import covers
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

NAME = "codeowners"
PLACES = (".github/", ".gitlab/", "", "docs/")
SECTION = later(r"(?P<optional>\^?)\[(?P<name>[^\]]+)\](?:\[(?P<count>\d+)\])?(?P<owners>.*)")
EVERYTHING = frozenset(("*", "**", "/", "/*", "/**", "**/*", "/**/*"))
MOST_FILES = 5_000


@record
class Entry:
    pattern: str
    owners: frozenset[str]
    section: str = ""
    optional: bool = False


def owner_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    if not _is_list(file.path):
        return
    before, after = change.blobs.before, change.blobs.after
    old, new = _entries(before(file.path)), _entries(after(file.path))
    if file.status == "D":
        new = _entries(next((after(path) for path in change.blobs.paths_after() if _is_list(path)), None))
    elif file.status == "A" and (other := _hidden_by(file.path, change.blobs.paths_before())):
        old = _entries(before(other))
    yield from _of_patterns(change, file.path, old, new)
    yield from _of_order(change, file.path, old, new)


def _of_patterns(change: Change, path: str, was: Sequence[Entry], is_now: Sequence[Entry]) -> Iterator[Hit]:
    old, new = ({entry.pattern: entry for entry in entries} for entries in (was, is_now))
    for pattern, entry in old.items():
        now, owners = new.get(pattern), entry.owners
        detail = f"{pattern} {' '.join(sorted(owners))}"
        if now is not None and owners and now.optional and not entry.optional:
            yield hit_at("ci.owner-removed", path, 0, f"{detail} is optional")
        elif now is not None and owners <= now.owners:
            continue
        elif now is not None and now.owners:
            yield hit_at("ci.owner-changed", path, 0, f"{detail} is now {' '.join(sorted(now.owners))}")
        elif owners and not _is_gone(change, pattern):
            yield hit_at("ci.owner-removed", path, 0, f"{detail} is gone")
    for pattern, entry in new.items():
        if not entry.owners and pattern not in old:
            yield hit_at("ci.owner-removed", path, 0, f"{pattern} has no owner")


def _of_order(change: Change, path: str, old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Hit]:
    """Entries that are there on both sides, and that a later one now overrides."""
    hidden = {(entry.pattern, entry.owners) for entry, _ in _overridden(old)}
    known = {(entry.pattern, entry.owners) for entry in old}
    for entry, by in _overridden(new):
        said = (entry.pattern, entry.owners)
        if said in known and said not in hidden and not _is_gone(change, entry.pattern):
            detail = f"{entry.pattern} {' '.join(sorted(entry.owners))} is overridden by {by.pattern}"
            yield hit_at("ci.owner-removed", path, 0, detail)
    patterns = {entry.pattern for entry in old}
    fresh = [entry for entry in new if entry.pattern not in patterns and entry.owners]
    for entry in fresh:
        held = [each for each in sorted(change.blobs.paths_before())[:MOST_FILES] if _covers(entry.pattern, each)]
        lost = next((one for each in held if (one := _last(old, each)) and not one.owners <= entry.owners), None)
        if lost is not None and lost.pattern not in EVERYTHING and _last(new, held[0]) is entry:
            detail = f"{entry.pattern} {' '.join(sorted(entry.owners))} takes files of {lost.pattern}"
            yield hit_at("ci.owner-changed", path, 0, detail)


def _overridden(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Each entry that decides about no file, with the one that decides instead."""
    for index, entry in enumerate(entries):
        behind = (each for each in entries[index + 1 :] if each.section == entry.section)
        by = next((each for each in behind if _holds_all(each.pattern, entry.pattern)), None)
        if by is not None and entry.owners and not entry.owners <= by.owners:
            yield entry, by


def _holds_all(wide: str, pattern: str) -> bool:
    if wide in EVERYTHING:
        return pattern not in EVERYTHING
    folder = re.sub(r"/\*{0,2}$", "", wide)
    if wide == pattern or folder == wide or re.search(r"[*?\[]", folder):
        return False
    return f"/{pattern.lstrip('/')}".startswith(f"/{folder.lstrip('/')}/")


def _last(entries: Sequence[Entry], path: str) -> Entry | None:
    return next((entry for entry in reversed(entries) if _covers(entry.pattern, path)), None)


def _covers(pattern: str, path: str) -> bool:
    return pattern in EVERYTHING or covers(pattern, path, regex=False)


def _entries(data: bytes | None) -> list[Entry]:
    found: list[Entry] = []
    name, optional, usual = "", False, frozenset[str]()
    for line in (data or b"").decode("utf-8", "replace").splitlines():
        said = re.split(r"(?:^|\s)#", line)[0].strip()
        if match := SECTION.fullmatch(said):
            name, optional = match["name"].strip().lower(), bool(match["optional"])
            usual = frozenset(match["owners"].split())
        elif words := said.split():
            found.append(Entry(words[0], frozenset(words[1:]) or usual, name, optional))
    return found


def _hidden_by(path: str, paths: frozenset[str]) -> str:
    """The list that counted before this one came; empty if there was none, or if that still counts."""
    own = path.rpartition("/")[0] + "/" if "/" in path else ""
    behind = PLACES[PLACES.index(own) + 1 :] if own in PLACES else ()
    first = next((each for place in PLACES for each in paths if _is_list(each) and _folder(each) == place), "")
    return first if first and _folder(first) in behind else ""


def _folder(path: str) -> str:
    return path[: len(path) - len(NAME)]


def _is_gone(change: Change, pattern: str) -> bool:
    """Nothing is left that the entry speaks of. The list of owners counts as long as it is there itself."""

    def held(paths: frozenset[str]) -> bool:
        return any(covers(pattern, path, regex=False) for path in paths)

    before, after = change.blobs.paths_before(), change.blobs.paths_after()
    others = [path for path in after if not path.startswith(".github/") and not _is_list(path)]
    return not held(after) and (bool(others) or held(frozenset(path for path in before if not _is_list(path))))


def _is_list(path: str) -> bool:
    return path.rpartition("/")[2].lower() == NAME
