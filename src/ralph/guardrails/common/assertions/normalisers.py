"""A helper of tests that takes far more out of what is compared than before (policy set v2, class G05): all languages.

Rule: a file beside tests replaced something certain in a text (`\\d{4}-\\d\\d-\\d\\d`, `\\d+ms`), and in the place of
that pattern stands one that fits all numbers, or all words, wherever they are (`\\d+`): nothing that they say is
compared any more. It blocks in a file that is about comparing, and so it does where one line takes them out of both
sides; where such a pattern only joins the others, it is for a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, Hunk, hit_at
from ralph.record import record
from ralph.system.patterns import later

REPLACES = later(
    r"(?:\b(?:re|regex)\.(?:sub|compile)|\.(?:gsub!?|sub!?|replaceAll|replace_all|replace|ReplaceAll\w*)|\bRegex(?:::new|\.Replace)?"
    r"|\bMustCompile|\bnew RegExp|\bpreg_replace|\bPattern\.compile|\.toRegex)\(\s*(?:text\s*,\s*)?[rb@$]?"
    r"(?P<quote>[\"'`/])(?P<pattern>(?:\\.|(?!(?P=quote))[^\n])+)(?P=quote)"
)
CLASS = r"(?:\\{1,2}[dwWS]|\[(?:0-9|a-z|A-Z|\\{1,2}[dw.]|[.,_-])+\]|\.)"
BARE = later(rf"\(?(?:\\{{1,2}}b)?{CLASS}(?:[+*]\??|\{{1,\}})?(?:\\{{1,2}}b)?\)?")
COMPARED = later(
    r"(?i)normali[sz]|scrub|saniti[sz]|mask|redact|stable|golden|snapshot|canonical|clean|compar|approv|expected"
)


@record
class Replaced:
    line: int
    pattern: str
    written: str


def takes_more(change: Change) -> Iterator[Hit]:
    for file in change.files:
        reader = reader_of(language(file, change))
        if file.status != "M" or file.binary or reader is None:
            continue
        if not is_beside_tests(file.path, reader):
            continue
        for hunk in file.hunks:
            yield from _judged(file, hunk, change)


def _judged(file: FileChange, hunk: Hunk, change: Change) -> Iterator[Hit]:
    added = list(_replaced(hunk.added, hunk.new_start))
    bare = [each for each in added if BARE.fullmatch(each.pattern)]
    if not bare:
        return
    before = [each.pattern for each in _replaced(hunk.removed, 1)]
    kept = {each.pattern for each in added}
    certain = [each for each in before if not BARE.fullmatch(each) and each not in kept]
    around = f"{file.path}\n{(change.blobs.after(file.path) or b'').decode('utf-8', 'replace')}"
    if any(BARE.fullmatch(each) for each in before) or COMPARED.search(around) is None:
        return
    both = any(one.line == other.line and one is not other for one in bare for other in bare)
    text = f"{bare[0].pattern} takes out more than {certain[0]}" if certain else f"{bare[0].pattern} is taken out, too"
    yield hit_at(
        "test.weakened" if certain or both else "test.somewhat-weaker",
        file.path,
        bare[0].line,
        text,
        bare[0].written.strip(),
        key=bare[0].pattern,
    )


def _replaced(lines: tuple[bytes, ...], first: int) -> Iterator[Replaced]:
    for number, line in enumerate(lines, first):
        written = line.decode("utf-8", "replace")
        if len(written) <= 400:
            yield from (Replaced(number, match["pattern"], written) for match in REPLACES.finditer(written))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (takes_more,)
