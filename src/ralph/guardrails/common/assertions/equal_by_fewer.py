"""Values of the product that come to be equal though some of their members differ (policy set v2, class G05).

    #[derive(PartialEq)] struct Money { cents, currency }      ->      fn eq(..) { self.currency == other.currency }

Rule, for Rust, Kotlin, Java, C# and Swift (Python: `python.product.uncompared`, Go: `golang.assertions.own_equal`): a
type whose equality came with its members (derived, a data class, a record) gets one of its own that leaves some of them
out, or says of a member that it is left out. It blocks where a test that stays compares with a value of the type; where
tests only name the type, a person is asked. One that equals everything is `equal_to_all`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE, is_support
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

LESS, SOMEWHAT = "test.weakened", "test.somewhat-weaker"
WORTH = later(rb"\bfn\s+eq\b|\bequals\b|\bEquals\b|\bfunc\s*==|PartialEq\s*(?:\(|=)")
_LIST = r"(?P<members>(?:[^()]|\([^()]*\))*)"
_BLOCK = r"\{(?P<members>[^{}]*)\}"
WHOLES = {
    "rust": (
        rf"#\[derive\([^)]*\bPartialEq\b[^)]*\)\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?struct"
        rf"\s+(?P<name>\w+)[^{{;(]*{_BLOCK}"
    ),
    "kotlin": rf"\bdata\s+class\s+(?P<name>\w+)(?:<[^<>]*>)?\s*\({_LIST}\)",
    "java": rf"\brecord\s+(?P<name>\w+)(?:<[^<>]*>)?\s*\({_LIST}\)",
    "csharp": rf"\brecord\s+(?:struct\s+|class\s+)?(?P<name>\w+)(?:<[^<>]*>)?\s*\({_LIST}\)",
    "swift": rf"\bstruct\s+(?P<name>\w+)\s*:[^{{]*\b(?:Equatable|Hashable)\b[^{{]*{_BLOCK}",
}
"""Types that are compared by all of their members."""
OWN = {
    "rust": (
        r"\bimpl\s+PartialEq(?:<[^<>]*>)?\s+for\s+NAME\b[^{]*\{\s*(?:#\[[^\]\n]*\]\s*)*fn\s+eq\([^)]*\)\s*->\s*bool\s*"
        r"(?P<body>\{.*?\}\s*\n)"
    ),
    "kotlin": (
        r"\bclass\s+NAME\b.*?\boverride\s+fun\s+equals\([^)]*\)[^={]*"
        r"(?P<body>=[^\n]*(?:\n\s+(?:&&|\|\|)[^\n]*)*|\{.*?\n\s*\})"
    ),
    "java": r"\brecord\s+NAME\b.*?\bboolean\s+equals\([^)]*\)\s*(?P<body>\{.*?\n\s*\})",
    "csharp": (
        r"\brecord\s+(?:struct\s+|class\s+)?NAME\b.*?\bbool\s+Equals\([^)]*\)\s*(?P<body>=>[^;]*;|\{.*?\n\s*\})"
    ),
    "swift": r"\bstruct\s+NAME\b.*?\bfunc\s*==\s*\([^)]*\)\s*->\s*Bool\s*(?P<body>\{.*?\})",
}
MEMBER = {
    "rust": r"(?m)(?:^|,)\s*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*:",
    "kotlin": r"\b(?:val|var)\s+(\w+)\s*:",
    "java": r"(\w+)\s*(?:,|$)",
    "csharp": r"(\w+)\s*(?:=[^,]*)?(?:,|$)",
    "swift": r"\b(?:let|var)\s+(\w+)\s*:",
}
LEFT_OUT = later(
    r"#\[(?:derivative|educe|derive_where)\([^\n]*PartialEq[^\n]*(?:ignore|skip)[^\n]*\]\s*(?:pub(?:\([^)]*\))?\s+)?(?P<member>\w+)\s*:"
)
EQUALITY = (
    r"\bassert_eq!|\bassertEquals\(|\bAssert\.(?:Equal|AreEqual|That)\(|\.isEqualTo\(|\bXCTAssertEqual\(|\bshouldBe\b"
    r"|\.Should\(\)\.Be\w*\(|\.ShouldBe\(|#expect\([^\n]*=="
)
LONGEST = 300_000
MOST = 300


def equal_by_fewer(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = "swift" if file.path.endswith(".swift") else language_of(file.path)
        if file.status == "M" and spoken in WHOLES and not is_support(file.path) and WORTH.search(file.added_text):
            yield from _in_file(file, spoken, change)


def _in_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    old, new = (
        (read(file.path) or b"")[:LONGEST].decode("utf-8", "replace")
        for read in (change.blobs.before, change.blobs.after)
    )
    known = {match[0].strip() for match in LEFT_OUT.finditer(old)}
    for whole in re.finditer(WHOLES[spoken], old):
        name, members = whole["name"], set(re.findall(MEMBER[spoken], whole["members"].strip()))
        form = re.compile(OWN[spoken].replace("NAME", name), re.DOTALL)
        own = form.search(new) if form.search(old) is None else None
        asked = {member for member in members if own is not None and re.search(rf"\b{member}\b", own["body"])}
        lost, at = (members - asked, own.start("body")) if own is not None and asked else (set[str](), 0)
        for match in LEFT_OUT.finditer(new):
            member = match["member"]
            if member in members and match[0].strip() not in known:
                lost, at = lost | {member}, match.start() + len(match[0]) - len(match[0].lstrip())
        rule = _rule(name, change) if lost else ""
        if rule:
            line = new.count("\n", 0, at) + 1
            detail = f"values of {name} are equal though {', '.join(sorted(lost))} may differ"
            yield hit_at(rule, file.path, line, detail, new.split("\n")[line - 1].strip())


def _rule(name: str, change: Change) -> str:
    """By what tests do with values of the type; empty if none names it."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    compares = re.compile(rf"(?:{EQUALITY})[^;]{{0,300}}?\b{re.escape(name)}(?:::\w+)?\s*[({{]")
    kept = change.blobs.paths_after() & change.blobs.paths_before()
    tests = nearest((path for path in kept if TEST_PLACE.search(path)), change, MOST)
    own = (file.path for file in change.files if file.path.endswith(".rs") and file.path in kept)
    texts = [_text(change, path) for path in tests]
    texts += [text.partition("#[cfg(test)]")[2] for path in own if "#[cfg(test)]" in (text := _text(change, path))]
    if any(compares.search(text) for text in texts):
        return LESS
    return SOMEWHAT if any(word.search(text) for text in texts) else ""


def _text(change: Change, path: str) -> str:
    return (change.blobs.after(path) or b"")[:LONGEST].decode("utf-8", "replace")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (equal_by_fewer,)
