"""What may be delivered: the tree of a signed PASS, and nothing else (spec: governance engine, section 4).

Rules:

- The evidence is checked to the last byte, and the tree is the one that was judged, as it was kept then. What stands in
  the working copy, its index or a branch plays no part.
- The commit's one parent is the base that the change was judged against, so that the commit is the judged change. A
  base that no branch of the person's holds (a checkpoint between two tasks) is refused.
- Everything that speaks against it is told at once. Nothing is written here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ralph.audit.check import check
from ralph.audit.keys import PublicKey
from ralph.audit.store import AuditStore
from ralph.deliver import secrets
from ralph.errors import EvidenceError, RepositoryError, StorageError
from ralph.loop import standing
from ralph.record import record
from ralph.system.git import Repository
from ralph.system.git_diff import Difference, differences
from ralph.system.git_objects import MODE_GITLINK, Entry
from ralph.system.text import visible
from ralph.verdict import Verdict, VerdictType

SUBJECT = 72
RUNS = Path(".ralph", "runs")


@record(kw_only=True)
class Caps:
    """How much one delivery may change. A reviewer has to read it."""

    lines: int = 2000
    files: int = 100
    file_bytes: int = 5 << 20


@record(kw_only=True)
class Parcel:
    """A change that may be delivered, unless there are `refusals`."""

    verdict: Verdict
    message: str
    files: int
    lines: int
    refusals: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.message.partition("\n")[0]


def pack(
    repo: Repository,
    store: AuditStore,
    run_id: str,
    keys: Mapping[str, PublicKey],
    caps: Caps,
    environ: Mapping[str, str],
    *,
    message: str = "",
) -> Parcel:
    """Look at a verdict and its tree. Raises EvidenceError if the evidence does not hold."""
    checked = check(store, run_id, keys, repo)
    if checked.verdict is None or not checked.holds:
        raise EvidenceError(f"The evidence of {run_id} does not hold, so nothing is delivered: {checked.problems[0]}.")
    verdict = checked.verdict
    if verdict.type is not VerdictType.PASS:
        why = f" ({verdict.failed_step}: {verdict.failure_reason})" if verdict.failed_step else ""
        return Parcel(
            verdict=verdict,
            message="",
            files=0,
            lines=0,
            refusals=(f"The verdict {run_id} is {verdict.type}{visible(why)}: only a PASS is delivered.",),
        )
    changed = differences(repo.objects, repo.tree_of(verdict.base_commit or repo.empty_tree), verdict.tree_hash)
    added = {each.path: _added(repo, each) for each in changed}
    told = written(repo.root, verdict, message)
    lines = sum(len(each) for each in added.values())
    refusals = (
        *_base(repo, verdict),
        *_caps(repo, changed, lines, caps),
        *secrets.found(
            {**{path: b"\n".join(each) for path, each in added.items()}, "the message": told.encode()}, environ
        ),
    )
    if not changed:
        refusals = (*refusals, "The judged tree is the base itself: there is nothing to deliver.")
    return Parcel(verdict=verdict, message=told, files=len(changed), lines=lines, refusals=refusals)


def written(root: Path, verdict: Verdict, message: str) -> str:
    """The commit's message: what was asked for, and by what it is proven."""
    asked = message.strip() or _asked(root, verdict.run_id) or f"Changes that {verdict.run_id} proves"
    subject, _, rest = visible(asked, keep="\n").partition("\n")
    if len(subject) > SUBJECT:
        subject, rest = f"{subject[: SUBJECT - 3]}...", f"{subject}\n{rest}"
    trailers = [
        f"Ralph-Verdict: {verdict.run_id}",
        f"Ralph-Tree: {verdict.tree_hash}",
        f"Ralph-Policy: {verdict.policy_version} {verdict.policy_digest}",
    ]
    return "\n\n".join(each for each in (subject, rest.strip()[:4000], "\n".join(trailers)) if each)


def _asked(root: Path, run_id: str) -> str:
    """The prompt of the run that this verdict ended."""
    for folder in sorted((root / RUNS).glob("*"), reverse=True):
        with suppress(StorageError, OSError):
            found = standing.of(folder)
            if found["verdict_run"] == run_id:
                return str(found["prompt"])
    return ""


def _base(repo: Repository, verdict: Verdict) -> list[str]:
    """Whether a person's branch holds the base."""
    if repo.is_shallow():
        return ["This clone is shallow, so its history cannot be pushed: run `git fetch --unshallow`."]
    ends = [repo.head(), (repo.default_branch() or ("", None))[1]]
    for end in ends:
        with suppress(RepositoryError):
            if end and verdict.base_commit and repo.merge_base(end, verdict.base_commit) == verdict.base_commit:
                return []
    base = verdict.base_commit or "nothing"
    why = f"The change was judged against {base}, which neither HEAD nor the default branch holds"
    return [f"{why}: deliver the verdict on the whole (`ralph verify --base COMMIT`)."]


def _caps(repo: Repository, changed: list[Difference], lines: int, caps: Caps) -> list[str]:
    told = []
    if len(changed) > caps.files:
        told.append(f"It changes {len(changed)} files, and {caps.files} are allowed (--max-files).")
    if lines > caps.lines:
        told.append(f"It adds {lines} lines, and {caps.lines} are allowed (--max-lines).")
    for each in changed:
        if (
            each.new is not None
            and each.new.is_file
            and (size := len(repo.objects.blob(each.new.id))) > caps.file_bytes
        ):
            told.append(f"{visible(each.path)} has {size} bytes, and {caps.file_bytes} are allowed (--max-file-bytes).")
    return told


def _added(repo: Repository, each: Difference) -> list[bytes]:
    """The lines that the file did not have, or not so often; those of a link are the path it leads to."""
    left = Counter(_lines(repo, each.old))
    added = []
    for line in _lines(repo, each.new):
        if left[line] > 0:
            left[line] -= 1
        else:
            added.append(line)
    return added


def _lines(repo: Repository, entry: Entry | None) -> list[bytes]:
    data = b"" if entry is None or entry.mode == MODE_GITLINK else repo.objects.blob(entry.id)
    return data.removesuffix(b"\n").split(b"\n") if data else []
