"""A helper that made what the tests are about, and gives them a double of the tests now (policy set v2, class G06).

`newStore(t)` gave a `NewSQL(db)`; it gives a `&keeper{}` now, which the change writes beside the tests. All tests
pass, and none of them asks the product any more.

Rule (Go, JavaScript, TypeScript, Java, Kotlin, C#, Ruby; Python has its own): a function beside tests, which the base
has as well, gave back something of the product by its maker, and gives back a type that the change writes beside
tests, with two methods or more of what it was. It blocks where no file of tests makes the product's own any more, and
one asks what the function gives. A type that holds the real thing passes on, and is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.common.product.special import tests_of
from ralph.guardrails.config.node import names
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import without_note
from ralph.system.patterns import later

LANGUAGES = frozenset({"go", "javascript", "typescript", "tsx", "java", "kotlin", "csharp", "ruby"})
MADE = later(
    r"\bnew\s+(?:\w+\.)*(?P<new>[A-Z]\w*)\s*[(<{]|\b(?P<ruby>[A-Z][\w:]*)\.new\b|&?\b(?P<literal>[A-Za-z]\w*)\{"
    r"|(?<![\w.])(?:\w+\.)?(?P<go>New[A-Z]\w*)\(|(?<![\w.])(?P<call>[A-Z]\w*)\("
)
"""Something made: a class, a literal of Go, what a maker of Go's gives."""
RETURNS = later(r"^\s*(?:return\b\s*(?P<said>[^\n;]*)|(?P<last>[^\n]*))")
GETS = r"{name}\b(?:\s*:\s*[\w<>]+|,\s*\w+)?\s*:?=\s*"
ASSIGNED = rf"(?m)^[ \t]*(?:(?:const|let|var|val|final|[\w<>\[\]]+)[ \t]+)?{GETS}(?P<value>[^\n]+)"
WRITES_TYPE = later(rb"\b(?:class|struct|object)\b")
METHOD = later(
    r"(?m)^func[ ]\(\w*[ ]?\*?(?P<of>\w+)\)[ ](?P<go>\w+)\(|^[ \t]+(?:[a-z]+[ ]){0,3}(?:def|fun)[ ](?P<plain>\w+)"
    r"|^[ \t]+(?:[^\s(=;][^(=;\n]{0,80}[ ])?(?P<member>\w+)[ ]?\([^;\n]*\{[ \t]*$"
)
NO_METHOD = frozenset(names("if for while switch catch constructor initialize function return synchronized"))
BY_SUBJECT = "described_class.new"
"""How a spec makes what it is about."""
LONGEST = 60_000
FEWEST = 2
MOST_FILES = 400


def makers(change: Change) -> Iterator[Hit]:
    files = [(file, spoken) for file in change.files if (spoken := _beside(file, change)) is not None]
    if not any(is_in(WRITES_TYPE, file.added_text) for file, _ in files):
        return
    for file, spoken in files:
        if file.status == "M":
            yield from _replaced(file, spoken, [other for other, _ in files], change)


def _beside(file: FileChange, change: Change) -> str | None:
    spoken = language(file, change)
    if spoken not in LANGUAGES or file.status not in "AM" or file.binary:
        return None
    return spoken if is_beside_tests(file.path, reader_of(spoken)) else None


def _replaced(file: FileChange, spoken: str, files: Sequence[FileChange], change: Change) -> Iterator[Hit]:
    before, after = (side(file.path) or b"" for side in (change.blobs.before, change.blobs.after))
    if max(len(before), len(after)) > LONGEST:
        return
    old = {name: body for _, name, _, body in functions_of(before)}
    for number, name, head, body in functions_of(after):
        was, now = _given(old.get(name, "")), _given(body)
        if not was or not now or was == now or was in body:
            continue
        written = next((each for each in files if _writes(now, each)), None)
        if written is None or _holds_real(now, was, change.blobs.after(written.path) or b""):
            continue
        if _is_double_of(was, now, spoken, written, change) and _is_lost(was, name, spoken, change):
            detail = f"{name} gave {was}, and gives {now} now, which stands beside the tests"
            yield hit_at("test.subject-faked", file.path, number + 1, detail, head.strip(), key=f"{name} gives {now}")


def _given(body: str) -> str:
    """The type, or the maker, of what a function gives back: what it says last, or what that was given."""
    lines = [line for line in (without_note(each, "//").rstrip() for each in body.split("\n")) if line.strip(" })];\t")]
    lines = [line for line in lines if line.strip() not in ("end", "}")]
    match = RETURNS.match(lines[-1]) if lines else None
    said = (match["said"] if match["said"] is not None else match["last"]).strip() if match is not None else ""
    if re.fullmatch(r"\w+(?:,\s*\w+)?", said):
        given = list(re.finditer(ASSIGNED.format(name=re.escape(re.match(r"\w+", said)[0])), body))  # type: ignore[index]
        said = given[-1]["value"] if given else ""
    made = MADE.search(said)
    return next(filter(None, made.groups()), "") if made is not None else ""


def _writes(name: str, file: FileChange) -> bool:
    declared = re.compile(rb"\b(?:class|type|object|struct)\s+" + re.escape(name.encode()) + rb"\b")
    return declared.search(file.added_text) is not None


def _holds_real(double: str, real: str, data: bytes) -> bool:
    """It is made of the real thing, which it passes on to: `type counted struct { Store }`, `this.inner.get(name)`."""
    text = data.decode("utf-8", "replace")
    at = re.search(rf"\b(?:class|type|object|struct)\s+{re.escape(double)}\b", text)
    body = text[at.start() :] if at is not None else ""
    bare = real.removeprefix("New")
    passes_on = re.compile(rf"\b(?:super\b|(?:inner|real|wrapped|delegate)\.)|\b{re.escape(bare)}\b")
    return real in body or passes_on.search(body) is not None


def _is_double_of(was: str, now: str, spoken: str, written: FileChange, change: Change) -> bool:
    """It has methods of the type of the product that it stands for."""
    own = _methods(change.blobs.after(written.path) or b"", now, spoken)
    bare = was.removeprefix("New") if spoken == "go" else was.rpartition(":")[2]
    defines = re.compile(rb"\b(?:func|class|struct|type|object)\s+(?:New)?" + re.escape(bare.encode()) + rb"\b")
    paths = (path for path in change.blobs.paths_after() if _is_product(path, spoken, written.path))
    for path in nearest(paths, change, MOST_FILES):
        data = change.blobs.after(path) or b""
        if bare.encode() in data and len(data) <= LONGEST and defines.search(data) is not None:
            return len(own & _methods(data, bare, spoken)) >= FEWEST
    return False


def _is_product(path: str, spoken: str, beside: str) -> bool:
    ending = beside.rpartition(".")[2]
    return path.endswith(f".{ending}") and not is_beside_tests(path, reader_of(spoken))


def _methods(data: bytes, name: str, spoken: str) -> set[str]:
    """Of the type; where a class has its methods in it, of what stands below its name."""
    text = data.decode("utf-8", "replace")
    if spoken != "go":
        at = re.search(rf"\b(?:class|object)\s+{re.escape(name)}\b", text)
        text = text[at.end() :] if at is not None else ""
    found = METHOD.finditer(text)
    named = {match["go"] or match["plain"] or match["member"] for match in found if match["of"] in (None, name)}
    return {each for each in named if each} - NO_METHOD


def _is_lost(was: str, maker: str, spoken: str, change: Change) -> bool:
    """No file of tests makes the product's own, and one asks what the helper gives."""
    word = re.escape(was)
    makes = re.compile(rf"\bnew\s+(?:\w+\.)*{word}\b|\b{word}(?:\.new\b|\(|\{{)")
    described = re.compile(rf"\bdescribe\b[^\n]*\b{word}\b")
    gets = GETS.format(name=r"(?P<name>\w+)")
    held = re.compile(rf"\b{gets}(?:await\s+)?(?:\w+\.)?{re.escape(maker)}\b(?!\w)")
    asked = False
    for test in tests_of(change, spoken):
        if makes.search(test) or (BY_SUBJECT in test and described.search(test)):
            return False
        holding = {match["name"] for match in held.finditer(test)}
        asked = asked or any(re.search(rf"\b{re.escape(name)}\.\w+[!?]?[( ]", test) for name in holding)
    return asked


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (makers,)
