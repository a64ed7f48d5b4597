"""A property that leaves out what the product fails on (policy set v2, class G05): all languages.

Rule: a test with made-up values asked a function of the product, and now it leaves out those values for which that very
function fails: `prop_assume!(parse(&text).is_ok())`, `assume(parse(text) is not None)`, `fc.pre(parse(text).ok)`,
`.filter(lambda text: parse(text) is not None)`, or a handler that gives such a value up (`except E: assume(False)`). No
value can be the counter-example then that the test was there to find. It blocks, whatever else changed; a function that
only says whether a value is one (`is_valid(text)`), and one that the test did not ask before, are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

PROPERTIES = later(
    rb"(?i)\b(?:proptest|quickcheck|hypothesis|fast-check|jqwik|gopter|rapid|FsCheck|CsCheck|kotest\.property|prop_?check|rantly)\b"
)
LEAVES_OUT = later(
    r"\b(?:prop_assume!|assume\w*|Assume\.that|fc\.pre|Assumptions?\.assume\w*)\s*\("
    r"|\.(?:prop_filter(?:_map)?|filter(?:Not)?|[sS]uchThat|When|guard)\s*\("
)
GIVES_UP = later(
    r"\bassume\((?:False|false)\)|\breject\(\)|fc\.pre\(false\)|TestResult::discard\(\)|TestCaseError::reject\(|\bdiscard\(\)"
    r"|\bt\.Skip\w*\("
)
FAILURE = later(r"\bexcept\b|\bcatch\b|\brescue\b|\bErr\(_?\w*\)\s*=>|\bis_err\(\)|\berr != nil\b|\belse \{")
SUCCEEDS = later(
    r"\.(?:is_ok|is_some|isPresent|isSuccess\w*|isOk|isRight|isDefined|IsSuccess|success\?|ok\?|present\?)\b"
    r"|\.(?:ok|success|Success)\b"
    r"|\bis not None\b|!==? ?(?:null|undefined|nil)\b|\bis not null\b|\berr == nil\b"
    r"|(?:!|\bnot\s).*\.(?:is_err|is_none|isEmpty)\(\)"
    r"|\.(?:is_ok|is_some)_and\("
)
CALLED = later(r"(?<![\w])((?:\w+(?:\.|::))*\w+[?!]?)(?:::<[^>]*>)?\(")
PREDICATE = later(r"(?:is|has|can|should|in)(?:_|[A-Z])\w*|(?:is|[vV])alid\w*")
OWN = later(
    r"(?:prop_)?assume!?\w*|that|pre|filter\w*|prop_filter\w*|suchThat|SuchThat|is_\w+|is[A-Z]\w*|len|str|lambda|func|fn|if|Some|Ok|to_string"
    r"|clone|unwrap|expect|format|String|int|print\w*|list|set|dict|tuple|as_str|trim|split|and|or|not|reject|Skip\w*|catch|except|match"
)
NEAR = 25
"""Lines around a change that may belong to the same property."""
MOST = 400
LONGEST = 300_000


def discarded(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or file.binary or not may_have_properties(file, change):
            continue
        before = (change.blobs.before(file.path) or b"")[:LONGEST]
        if PROPERTIES.search(before):
            yield from _in_file(file, before.decode("utf-8", "replace").split("\n"))


def may_have_properties(file: FileChange, change: Change) -> bool:
    """Those of Rust may stand beside what they are about."""
    reader = reader_of(language(file, change))
    beside = TEST_PLACE.search(file.path) is not None or file.path.endswith(".rs")
    return reader is not None and (beside or reader.is_test_file(file.path))


def _in_file(file: FileChange, before: list[str]) -> Iterator[Hit]:
    for hunk in file.hunks:
        added = [line.decode("utf-8", "replace") for line in hunk.added]
        near = before[max(0, hunk.old_start - NEAR) : hunk.old_start + len(hunk.removed) + NEAR]
        for number, asked in _left_out(added):
            names = {name.rpartition(".")[2].rpartition("::")[2] for name in CALLED.findall(asked)}
            names = {name for name in names if not OWN.fullmatch(name) and not PREDICATE.fullmatch(name)}
            for name in sorted(names):
                if _was_asked(name, near):
                    text = added[number].strip()
                    detail = f"what {name} fails on is left out: `{cut(text, 80)}`"
                    line = hunk.new_start + number
                    yield hit_at("test.weakened", file.path, line, detail, text, key=text)
                    break


def _left_out(added: list[str]) -> Iterator[tuple[int, str]]:
    """The lines that leave something out where something fails, each with the code that has to succeed."""
    for number, line in enumerate(added):
        match = LEAVES_OUT.search(line)
        above = added[max(0, number - 5) : number + 1]
        if GIVES_UP.search(line) and any(map(FAILURE.search, above)):
            yield number, "\n".join(above)
        elif match is not None:
            asked = _balanced("\n".join((line[match.end() :], *added[number + 1 : number + 6])))
            if SUCCEEDS.search(asked):
                yield number, asked


def _balanced(text: str) -> str:
    """Up to the parenthesis that closes what was opened before the text."""
    deep = 1
    for number, letter in enumerate(text[:MOST]):
        deep += (letter == "(") - (letter == ")")
        if not deep:
            return text[:number]
    return text[:MOST]


def _was_asked(name: str, near: list[str]) -> bool:
    """The property called it before, and left nothing out by it."""
    called = re.compile(rf"(?<!\w)(?<!def )(?<!fn )(?<!func )(?<!fun ){re.escape(name)}(?:::<[^>]*>)?\(")
    lines = [line for line in near if called.search(line)]
    return bool(lines) and not any(LEAVES_OUT.search(line) for line in lines)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (discarded,)
