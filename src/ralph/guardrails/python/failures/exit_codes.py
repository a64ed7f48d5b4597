"""Programs and requests that Python tests start, and whose failure nobody hears of any more (policy set v2, G05).

Rules, for a function of a file of tests, or beside tests, that was there before:

- It starts as many programs by `subprocess`, or requests, as before, of fewer of which a failure is raised
  (`check=True`, `check_call`, `raise_for_status()`), and neither reads an exit code nor asserts anything more for it.
- It catches `CalledProcessError` now, and does nothing about it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

WORTH = later(
    rb"\bcheck\s*=|raise_for_status|\bcheck_(?:call|output|returncode)\b|CalledProcessError|\bsubprocess\.\w+\("
)
STARTS = later(
    r"\bsubprocess\.(?:run|call|Popen|check_call|check_output|getoutput|getstatusoutput)\(|\bos\.system\("
    r"|\b(?:requests|httpx|\w*client|\w*session|api)\.(?:get|post|put|patch|delete|head|options|request|send)\("
)
RAISES = later(
    r"\bcheck\s*=\s*True\b|\bsubprocess\.check_(?:call|output)\(|\.check_returncode\(\)|\.raise_for_status\(\)"
)
ASKS = later(r"\breturncode\b|\bexit_?code\b|\bassert\w*\b|\bfail\(|^\s*raise\b|\.wait\(\)\s*[!=]=")
DROPS = later(
    r"(?m)^(?P<deep>[ \t]*)except\b[^\n]*CalledProcessError[^\n]*:[ \t]*"
    r"(?:pass|\n(?P=deep)[ \t]+(?:pass|return|continue|print\()[^\n]*)$|\bsuppress\([^\n]*CalledProcessError"
)
BIG = 400_000


@record
class Started:
    """The programs and requests that one function starts: of how many a failure is raised, and what else is asked."""

    number: int
    raising: int
    asked: int
    dropped: int
    line: int
    text: str


def exit_codes(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or not TEST_PLACE.search(file.path):
            continue
        if any(WORTH.search(line) for hunk in file.hunks for line in (*hunk.removed, *hunk.added)):
            yield from _unheard(file, change)


def _unheard(file: FileChange, change: Change) -> Iterator[Hit]:
    old, new = (_started(read(file.path)) for read in (change.blobs.before, change.blobs.after))
    for name, now in new.items():
        was = old.get(name)
        if was is None or now.asked > was.asked:
            continue
        fewer = now.raising < was.raising and now.number - now.raising > was.number - was.raising
        if fewer or (now.dropped > was.dropped and was.raising):
            detail = f"{name}: nobody hears that a program or a request fails which it starts"
            yield hit_at("test.weakened", file.path, now.line, detail, now.text)


def _started(data: bytes | None) -> dict[str, Started]:
    """By the names of the functions; those of one name are told apart by their order."""
    if data is None or len(data) > BIG:
        return {}
    found: dict[str, Started] = {}
    seen: defaultdict[str, int] = defaultdict(int)
    for row, name, head, body in functions_of(data):
        if not STARTS.search(body):
            continue
        seen[name] += 1
        found[name if seen[name] == 1 else f"{name} ({seen[name]})"] = Started(
            number=len(STARTS.findall(body)),
            raising=len(RAISES.findall(body)),
            asked=len(ASKS.findall(body)),
            dropped=len(DROPS.findall(body)),
            line=row + 1,
            text=head.strip(),
        )
    return found


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (exit_codes,)
