"""Subclasses of the product beside tests that answer themselves what tests compare (policy set v2, class G06).

`new Tariff()` became `new TestTariff(day)`, and a new file beside the tests has `class TestTariff : Tariff` with a
version of its own of the method that the tests ask. They pass, and nobody asks the product's. (See `given` for one in
the file of the tests, and `inventory.arranged.subclassed`.)

Rule (Java, Kotlin, C#, JavaScript, TypeScript, Ruby, PHP): a class that the change writes beside tests derives from one
that the base's tests made; a name of a test file that had the product's has its own now; and a line that stayed
compares what a method answers, which the new class has a version of. It blocks where the class stands. A version that
asks the product's (`super`, `base`), or that the product leaves open (`abstract`), is none, nor is one while tests
still make the product's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.doubles.given import compared_answers
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

LANGUAGES = frozenset({"java", "kotlin", "csharp", "javascript", "typescript", "tsx", "ruby", "php"})
WORTH = later(rb"\bclass [A-Z]")
CLASS = later(r"(?m)^[ \t]*(?:[\w@]+[ \t]+)*?class[ \t]+(?P<own>[A-Z]\w*)(?P<rest>[^{\n]*)")
GROUP = later(r"\([^()]*\)|<[^<>]*>")
PARENT = later(r"\s*(?:\bextends\s+|:\s*|<\s*)(?:\w+(?:\.|::))*(?P<product>[A-Z]\w*)")
HANDS_ON = later(r"\b(?:super|base|parent)\b")
MADE = r"(?<![\w.]){name}\s*(?::\s*[\w?]+\s*)?=\s*(?:new\s+{kind}\s*[({{;]|{kind}\s*\(|{kind}\.new\b)"
TYPED = r"\b{kind}\??\s+{name}\s*=\s*new\s*\("
ANY = r"\bnew\s+{kind}\s*[({{;]|(?<![\w.<]){kind}\.new\b|=\s*{kind}\s*\(|\b{kind}\??\s+\w+\s*=\s*new\s*\("
GIVES = later(r"(?<![\w.])@?(?P<name>\w+)\s*(?::\s*[\w?]+\s*)?=\s*(?:new\s+)?(?P<kind>[A-Z]\w*)(?:\.new\b|\s*[({;])")
LET = later(r"(?:let!?|subject)\s*\(?:(?P<name>\w+)\)\s*\{\s*(?P<kind>[A-Z]\w*)\.new\b")
LONGEST = 300_000


@record
class Own:
    """A class of the change that is made of one that it does not say."""

    path: str
    line: int
    name: str
    product: str
    body: str


def own_subclasses(change: Change) -> Iterator[Hit]:
    if not any(is_in(WORTH, file.added_text) for file in change.files):
        return
    files = [file for file in change.files if _is_beside(file, change)]
    known = [own for file in files if is_in(WORTH, file.added_text) for own in _classes(file, change)]
    for own in known:
        found = [each for file in files if file.status == "M" for each in _asked(file, own, change)]
        if found and not any(_is_made(file, own.product, change) for file in files):
            detail = f"{own.name} answers {found[0]} itself, which a test compares, and was {own.product}'s"
            yield hit_at("test.subject-faked", own.path, own.line, detail, own.body.partition("\n")[0].strip())


def _is_beside(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    if spoken not in LANGUAGES or file.binary or file.status not in "AM":
        return False
    return is_beside_tests(file.path, reader_of(spoken)) or re.search(r"Tests?/", file.path) is not None


def _classes(file: FileChange, change: Change) -> Iterator[Own]:
    before, after = (
        (side(file.path) or b"")[:LONGEST].decode("utf-8", "replace")
        for side in (change.blobs.before, change.blobs.after)
    )
    for match in CLASS.finditer(after):
        rest, last = match["rest"], ""
        while rest != last:
            rest, last = GROUP.sub(" ", rest), rest
        parent = PARENT.match(rest)
        if parent is None or re.search(rf"\bclass\s+{match['own']}\b", before):
            continue
        line = after.count("\n", 0, match.start("own")) + 1
        yield Own(file.path, line, match["own"], parent["product"], _body(after.split("\n")[line - 1 :]))


def _body(lines: list[str]) -> str:
    """The head, and what is deeper than it."""
    inner = lines[1:]
    own = [at for at, each in enumerate(inner) if each.strip() and depth(each) <= depth(lines[0])]
    end = next((at for at in own if inner[at].strip() != "{"), len(inner))
    return "\n".join([lines[0], *inner[:end]])


def _asked(file: FileChange, own: Own, change: Change) -> Iterator[str]:
    """The methods of which a test compares the answer, before and now, and which the class answers itself."""
    before, after = (
        (side(file.path) or b"")[:LONGEST].decode("utf-8", "replace")
        for side in (change.blobs.before, change.blobs.after)
    )
    if own.name not in after or own.product not in before:
        return
    kept = {line.strip() for line in before.split("\n")}
    for form in (GIVES, LET):
        for given in form.finditer(after):
            name = given["name"]
            if given["kind"] != own.name or not _had(name, own.product, before):
                continue
            for method, line in compared_answers(name, after):
                if line in kept and _answers(method, own, change):
                    yield method


def _had(name: str, kind: str, before: str) -> bool:
    told = {"name": re.escape(name), "kind": re.escape(kind)}
    if re.search(MADE.format(**told), before) or re.search(TYPED.format(**told), before):
        return True
    return any(match["name"] == name and match["kind"] == kind for match in LET.finditer(before))


def _answers(method: str, own: Own, change: Change) -> bool:
    """It has a version of that method, and asks nobody else for it; the product has one, too."""
    lines = own.body.split("\n")
    defined = re.compile(
        rf"^\s*(?:@\w+\s+)*(?:(?!return\b|await\b|new\b)[\w<>\[\],?.]+\s+)*(?:self\.)?{re.escape(method)}\s*"
        r"(?:<[^<>()]*>)?(?:\(|$|=(?!=))"
    )
    at = next((number for number, line in enumerate(lines) if number and defined.match(line)), None)
    if at is None or HANDS_ON.search(_body(lines[at:])):
        return False
    return not any(_leaves_open(method, own.product, file, change) for file in change.files)


def _leaves_open(method: str, product: str, file: FileChange, change: Change) -> bool:
    text = (change.blobs.after(file.path) or b"")[:LONGEST].decode("utf-8", "replace")
    if not re.search(rf"\b(?:class|interface)\s+{re.escape(product)}\b", text):
        return False
    return (
        re.search(rf"\binterface\s+{re.escape(product)}\b|\babstract\b[^\n;{{]*\b{re.escape(method)}\b", text)
        is not None
    )


def _is_made(file: FileChange, product: str, change: Change) -> bool:
    text = (change.blobs.after(file.path) or b"")[:LONGEST].decode("utf-8", "replace")
    return product in text and re.search(ANY.format(kind=re.escape(product)), text) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (own_subclasses,)
