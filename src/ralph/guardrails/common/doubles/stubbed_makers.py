"""A helper that made what the tests are about, and stubs of it now what they compare (policy set v2, class G06).

`fun engine() = Engine()` became `fun engine() = spyk(Engine()) { every { prorate(any()) } returns 1000 }`. The tests
still ask `engine.prorate(plan)`, and compare the answer with what the helper made up.

Rule (Java, Kotlin, C#, JavaScript, TypeScript, Ruby; see `makers` for doubles that the change writes itself): a
function beside tests, which the base has as well, made an object of a class of the product, and stubs a method of it
now. It blocks where a test compares what that method answers of an object which the function gave, and no file of
tests makes the real one. A double that tests only hand on, or ask something else, is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.beside_tests import edited_helpers
from ralph.guardrails.common.doubles.makers import BY_SUBJECT
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.common.product.special import tests_of
from ralph.guardrails.inventory.readers import is_beside_tests, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

LANGUAGES = frozenset({"java", "kotlin", "csharp", "javascript", "typescript", "tsx", "ruby"})
WORTH = later(rb"(?i)mock|spy|stub|substitute|receive\(|double\(|a\.fake|jest\.fn|vi\.fn")
MADE = later(r"\bnew\s+(?P<new>[A-Z]\w*)\s*[(<]|\b(?P<ruby>[A-Z]\w*)\.new\b|(?<![\w.])(?P<call>[A-Z]\w*)\(")
DOUBLED = later(
    r"(?i)\bspyk?\(|\bmockk?\b[(<.]|\bnew\s+mock<|substitute\.for|a\.fake<|(?:instance_)?double\(|createstubinstance\("
    r"|\bspyon\(|allow\(|\bstub\(|(?:jest|vi|sinon)\.\w+\("
)
STUBBED = later(
    r"\b(?:every|coEvery)\s*\{\s*(?:\w+\.)*(?P<every>\w+)\(|\b(?:when|whenever|given)\(\s*\w+\.(?P<when>\w+)\("
    r"|\.when\(\s*\w+\s*\)\.(?P<do>\w+)\(|\.Setup\w*\(\s*\w+\s*=>\s*\w+\.(?P<setup>\w+)|\breceive\(\s*:(?P<receive>\w+[?!]?)\)(?!\.and_(?:call|wrap)_original)"
    r"|\bspyOn\(\s*[\w.]+\s*,\s*[\"'`](?P<on>\w+)[\"'`]\s*\)\s*\.(?:mock[RI]|returns|callsFake|and\.)|\.(?P<mocked>(?!spyOn)\w+)(?:\((?:[^()\n]|\([^()\n]*\))*\))?\.(?:mock(?:Return|Resolved|Impl)\w*|Returns\w*|returns)\("
    r"|\b\w+\.(?P<put>\w+)\s*=\s*(?:jest|vi|sinon)\.\w+\(|\bstub\(\s*\w+\s*,\s*[\"'](?P<stub>\w+)|\.stubs?\(\s*:(?P<old>\w+)"
    r"|\bA\.CallTo\(\s*\(\)\s*=>\s*\w+\.(?P<fake>\w+)"
)
ASSERTS = r"(?:expect|assert\w*|Assert\w*|should\w*|is_expected|verify)[^\n]*?"
NEAR = 40
"""Letters before what is made, in which stands that it is watched: `mockk(relaxed = true, Engine(`."""
LONGEST = 60_000
MOST_FILES = 400


def stubbed_makers(change: Change) -> Iterator[Hit]:
    for file, spoken in edited_helpers(change, WORTH, LANGUAGES):
        yield from _stubbed(file, spoken, change)


def _stubbed(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    before, after = (side(file.path) or b"" for side in (change.blobs.before, change.blobs.after))
    if max(len(before), len(after)) > LONGEST:
        return
    old = {name: f"{head}\n{body}" for _, name, head, body in functions_of(before)}
    for number, name, head, body in functions_of(after):
        was, now = old.get(name, ""), f"{head}\n{body}"
        if not was or was == now or DOUBLED.search(was) is not None or DOUBLED.search(now) is None:
            continue
        methods = {next(filter(None, match.groups())) for match in STUBBED.finditer(now)}
        made = {next(filter(None, match.groups())) for match in MADE.finditer(was)}
        kept = sorted(each for each in made if re.search(rf"\b{each}\b", now) is not None)
        for real in kept if methods else ():
            if not _is_of_product(real, file.path, spoken, change):
                continue
            method = _compared(name, now, real, methods, spoken, change)
            if method:
                detail = f"{name} gave a real {real}, and makes up now what its {method} answers"
                yield hit_at("test.subject-faked", file.path, number + 1, detail, head.strip(), key=f"{name} {method}")


def _is_of_product(real: str, beside: str, spoken: str, change: Change) -> bool:
    ending, defines = beside.rpartition(".")[2], re.compile(rb"\bclass\s+" + real.encode() + rb"\b")
    paths = (path for path in change.blobs.paths_after() if path.endswith(f".{ending}"))
    product = (path for path in paths if not is_beside_tests(path, reader_of(spoken)))
    return any(defines.search(change.blobs.after(path) or b"") for path in nearest(product, change, MOST_FILES))


def _compared(maker: str, helper: str, real: str, methods: set[str], spoken: str, change: Change) -> str:
    """The method that is stubbed, and whose answer a test compares, where no test has the real one."""
    makes = re.compile(rf"\bnew\s+{real}\b|(?<![\w.]){real}(?:\.new\b|\()|\b{re.escape(BY_SUBJECT)}\b")
    described = re.compile(rf"\bdescribe\b[^\n]*\b{real}\b")
    held = re.compile(
        rf"\b(?P<name>\w+)\s*(?::\s*[\w<>]+\s*)?=\s*(?:await\s+)?(?:\w+\.)*{re.escape(maker)}\b"
        rf"|\b(?:let!?|subject)\(:(?P<let>\w+)\)\s*\{{\s*(?:\w+\.)*{re.escape(maker)}\b"
    )
    found = ""
    for text in tests_of(change, spoken):
        test = text.replace(helper, "")
        made = [each for each in makes.finditer(test) if each[0] != BY_SUBJECT or described.search(test)]
        if any(DOUBLED.search(test, max(0, each.start() - NEAR), each.start()) is None for each in made):
            return ""
        for match in held.finditer(test):
            name = re.escape(match["name"] or match["let"])
            for method in sorted(methods):
                asked = re.compile(rf"{ASSERTS}\b{name}\.{re.escape(method)}(?!\w)")
                found = found or (method if asked.search(test) is not None else "")
    return found


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (stubbed_makers,)
