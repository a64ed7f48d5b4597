"""Objects of the product that equal everything, so that no comparison with one can fail (policy set v2, class G08).

Rule, for Rust, Java, Kotlin, C#, Ruby, Go, Swift and C++; Python has its own (`python.runner.equality`): the type's own
equality holds nothing but a yes, and the base's did not, though the type was there and held something. A type of the
tests may stand for any value, and so may one without anything to compare, or whose name says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

RULE = "py.always-equal"
_TRUE = r"(?:\{\s*(?:return\s+)?true\s*;?\s*\}|=>?\s*true\b)"
_FALSE = r"(?:\{\s*(?:return\s+)?false\s*;?\s*\}|=>?\s*false\b)"
FORMS = {
    "rust": rf"\bfn\s+(?:eq\s*\([^)]*\)\s*->\s*bool\s*{_TRUE}|ne\s*\([^)]*\)\s*->\s*bool\s*{_FALSE})",
    "java": rf"\bboolean\s+equals\s*\([^)]*\)\s*{_TRUE}",
    "kotlin": rf"\bfun\s+equals\s*\([^)]*\)\s*(?::\s*Boolean\s*)?{_TRUE}",
    "csharp": (
        rf"\bbool\s+(?:\w+(?:<\w+>)?\.)?(?:Equals|operator\s*==)\s*\([^)]*\)\s*{_TRUE}"
        rf"|\bbool\s+operator\s*!=\s*\([^)]*\)\s*{_FALSE}"
    ),
    "ruby": (
        r"\bdef\s+(?:===?|eql\?|equal\?)\s*\(?\s*\w*\s*\)?\s*"
        r"(?:=\s*true\b|[;\n]\s*(?:return\s+)?true\s*[;\n]\s*end\b)"
    ),
    "go": rf"\bfunc\s+\([^)]*\)\s+Equals?\s*\([^)]*\)\s*bool\s*{_TRUE}",
    "cpp": rf"\boperator\s*==\s*\([^)]*\)\s*(?:const\s*)?(?:noexcept\s*)?{_TRUE}",
    "swift": rf"\bfunc\s*==\s*\([^)]*\)\s*->\s*Bool\s*{_TRUE}",
}
COMPILED = {spoken: later(form) for spoken, form in FORMS.items()}
WORTH = later(rb"\btrue\b|\bfalse\b")
OWNER = later(
    r"\bimpl\b[^{\n]*\bfor\s+(?P<of>\w+)|\b(?:class|struct|record|enum|object|extension|module)\s+(?P<name>\w+)"
    r"|\bfunc\s+\(\s*(?:\w+\s+)?\*?(?P<receiver>\w+)\s*\)"
)
COMMENT = later(r"(?://|#(?!\[))[^\n]*")
MATCHES = later(r"(?i)any|ignor|wild|match|never|empty|null|unit|noop|dummy|fake|stub|mock|test|phantom|marker")
LONGEST = 300_000


def equal_to_all(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = "swift" if file.path.endswith(".swift") else language_of(file.path)
        if file.status != "M" or spoken not in FORMS or is_support(file.path) or not is_in(WORTH, file.added_text):
            continue
        reader = reader_of(spoken)
        if reader is None or not reader.is_test_file(file.path):
            yield from _in_file(file, spoken, change)


def _in_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    before, after = (_text(read(file.path)) for read in (change.blobs.before, change.blobs.after))
    old = {owner for owner, _ in _found(spoken, before)}
    for owner, at in _found(spoken, after):
        if owner not in old and not MATCHES.search(owner) and _holds_something(owner, before):
            line = after.count("\n", 0, at) + 1
            snippet = after.split("\n")[line - 1].strip()
            detail = f"{owner} equals everything"
            yield hit_at(RULE, file.path, line, detail, snippet)


def _text(data: bytes | None) -> str:
    return "" if data is None or len(data) > LONGEST else COMMENT.sub("", data.decode("utf-8", "replace"))


def _found(spoken: str, text: str) -> Iterator[tuple[str, int]]:
    """Types that equal everything, and where they say so."""
    for match in COMPILED[spoken].finditer(text):
        above = text[: match.end()] if spoken == "go" else text[: match.start()]
        owners = list(OWNER.finditer(above))
        if owners:
            yield next(filter(None, owners[-1].groups())), match.start()


def _holds_something(owner: str, text: str) -> bool:
    """The base declared it, and not as something empty."""
    declared = re.compile(
        rf"\b(?:class|struct|record|enum|object|type)\s+{re.escape(owner)}\b[^\n;{{]*(?P<rest>[^\n]*\n?[^\n]*)"
    )
    match = declared.search(text)
    return match is not None and re.fullmatch(r"\s*;?|\s*\{\s*\}.*|;.*", match["rest"], re.DOTALL) is None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (equal_to_all,)
