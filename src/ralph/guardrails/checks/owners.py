"""Who is asked to review: CODEOWNERS compared between base and head (class G16)."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.patterns import covers
from ralph.guardrails.model import Change, FileChange, Hit

NAME = "codeowners"


def owner_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    """An entry whose files are gone may go, too; a file that moved is the same file."""
    if file.path.rpartition("/")[2].lower() != NAME:
        return
    old, new = _entries(change.blobs.before(file.path)), _entries(change.blobs.after(file.path))
    if file.status == "D":
        new = next(
            (_entries(change.blobs.after(path)) for path in change.blobs.paths_after() if path.lower().endswith(NAME)),
            {},
        )
    for pattern, owners in old.items():
        now = new.get(pattern)
        if now == owners or (now is not None and owners < now):
            continue
        detail = f"{pattern} {' '.join(sorted(owners))}"
        if now:
            yield _hit("ci.owner-changed", file.path, f"{detail} is now {' '.join(sorted(now))}")
        elif owners and not _is_gone(change, pattern):
            yield _hit("ci.owner-removed", file.path, f"{detail} is gone")
    for pattern, owners in new.items():
        if not owners and pattern not in old:
            yield _hit("ci.owner-removed", file.path, f"{pattern} has no owner")


def _entries(data: bytes | None) -> dict[str, frozenset[str]]:
    lines = (line.split("#")[0].split() for line in (data or b"").decode("utf-8", "replace").splitlines())
    return {words[0]: frozenset(words[1:]) for words in lines if words and not words[0].startswith(("[", "^["))}


def _is_gone(change: Change, pattern: str) -> bool:
    """Nothing is left that the entry speaks of. The list of owners counts as long as it is there itself."""

    def held(paths: frozenset[str]) -> bool:
        return any(covers(pattern, path, regex=False) for path in paths)

    before, after = change.blobs.paths_before(), change.blobs.paths_after()
    others = [path for path in after if not path.startswith(".github/") and not _is_list(path)]
    return not held(after) and (bool(others) or held(frozenset(path for path in before if not _is_list(path))))


def _is_list(path: str) -> bool:
    return path.lower().endswith(NAME)


def _hit(rule: str, path: str, detail: str) -> Hit:
    return Hit(rule=rule, path=path, line=0, column=0, key=detail, snippet=detail, detail=detail)
