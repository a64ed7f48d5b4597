"""A test that failed by a call, and that only tells of it now (policy set v2, class G05): all languages.

Rule: where `self.fail(...)`, `pytest.fail(...)`, `fail(...)` or `flunk` stood in a file of tests, there is a log, a
print or nothing to be done in its place, and the file has fewer such calls than before. A call that fails in another
way (an assertion, an exception) is no loss, nor is a call that moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.texts import stripped
from ralph.system.patterns import later

FAILS = later(
    r"(?:(?:self|cls|this|pytest|Assertions?|TestCase|chai|assert|expect)\.)?(?:[fF]ail|flunk)(?:Now)?"
    r"(?:\(.*\)| [\"'].*);?"
)
FAIL = later(rb"(?i)\b(?:fail|flunk)\w*[( ]")
TELLS = later(
    r"(?:[\w.]*\b(?:log|logger|logging|LOG|LOGGER|_log|_logger|console|warnings|sys\.std(?:err|out)|System\.(?:out|err)|Console|Rails\.logger)\.\w+"
    r"|print|println|puts|warn|pprint|p)[( ].*|pass|\.\.\.|continue;?|return(?: None)?;?|(?://|\#).*|\);?|\}"
)
DOES = later(r"(?!(?://|\#|\}|\)))\S.*")


def unfailing(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not any(FAIL.search(line) for hunk in file.hunks for line in hunk.removed):
            continue
        reader = reader_of(language(file, change))
        if reader is None or not reader.is_test_file(file.path):
            continue
        before, after = ((side(file.path) or b"").split(b"\n") for side in (change.blobs.before, change.blobs.after))
        if _calls(after) >= _calls(before):
            continue
        for hunk in file.hunks:
            removed, added = (list(filter(None, stripped(side))) for side in (hunk.removed, hunk.added))
            was = next((line for line in removed if FAILS.fullmatch(line)), None)
            if was is not None and any(map(DOES.match, added)) and all(map(TELLS.fullmatch, added)):
                yield hit_at(
                    "test.weakened",
                    file.path,
                    hunk.new_start,
                    f"`{was}` became `{added[0]}`",
                    added[0],
                    key=f"{was} became {added[0]}",
                )


def _calls(lines: Sequence[bytes]) -> int:
    return sum(FAILS.fullmatch(line) is not None for line in stripped(lines))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unfailing,)
