"""Product code that asks in one file whether it is being tested, and goes by the answer in another one (class G07).

Rule, for the languages of `aware`: a function or field of the product that holds the answer of such a question, new in
the change, is asked by name in a branch of another file of the product that the change edits, too, and there tests get
what nobody else does. It blocks where the question stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.product.aware import (
    FORMS,
    WORDS,
    answers_by_name,
    asked_name,
    is_negated,
    questions,
)
from ralph.guardrails.inventory.readers import is_support, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

ENDINGS = (".go", ".rs", ".java", ".kt", ".cs", ".rb")
HANDED_ON = later(r"[A-Za-z_]\w*")


def aware_elsewhere(change: Change) -> Iterator[Hit]:
    words = prefilter(WORDS)
    asking = [file for file in change.files if file.path.endswith(ENDINGS) and words.matches(file.added_text)]
    files = [file for file in change.files if _is_product(file, change)] if asking else []
    for file in asking if len(files) > 1 else ():
        if file not in files:
            continue
        for source, line, name, negated, asked in _names(file, change):
            others = (each for each in files if each is not file and name.encode() in each.added_text)
            if any(_answers(each, change, source.language, name, negated) for each in others):
                yield hit_at("code.detects-tests", file.path, line, f"{name} holds `{asked}`", source.line_text(line))


def _names(file: FileChange, change: Change) -> Iterator[tuple[Source, int, str, bool, str]]:
    """The names that hold the answer of a question of an added line, and whether they deny it."""
    source = read_source(file.path, language(file, change) or "", change.blobs.after(file.path))
    if source is None:
        return
    added = file.added_numbers
    for text, match in questions(source):
        line = text.count("\n", 0, match.start()) + source.first_line
        name = asked_name(source, text, match)
        if line in added and HANDED_ON.fullmatch(name):
            yield source, line, name, is_negated(source, text, match), match[0]


def _answers(file: FileChange, change: Change, spoken: str, name: str, negated: bool) -> bool:
    if language(file, change) != spoken or not re.search(rf"\b{re.escape(name)}\b".encode(), file.added_text):
        return False
    source = read_source(file.path, spoken, change.blobs.after(file.path))
    return source is not None and answers_by_name(source, name, negated=negated)


def _is_product(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    reader = reader_of(spoken)
    if spoken not in FORMS or file.binary or file.status not in "AM" or is_support(file.path):
        return False
    return reader is None or not reader.is_test_file(file.path)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (aware_elsewhere,)
