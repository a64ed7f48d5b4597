"""Parts of the product that a container of dependencies is told to take from the tests (policy set v2, class G06).

    app.dependency_overrides[get_pricing] = lambda: TablePricing(rates)
    .overrideProvider(PricingService).useClass(TablePricing)
    services.AddSingleton<IPricing, TablePricing>();

Rules, for a line that is new, where the base's files of tests gave the container nothing for this part:

- The double is a class of the tests which works out what the product works out: a method of one name computes in both.
  A double that gives constants, or keeps what it is given in memory, stands for something that is out of reach.
- It blocks where the product's class does nothing but compute: it asks no network, no database, no file, no clock. Such
  a class is in reach, and what tests compare is now their own formula. Else it is for a person.
- A test of the base that is still there speaks of what the method, or its class, is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from ralph.guardrails.common.functions import functions
from ralph.guardrails.inventory.readers import is_beside_tests, is_support, language, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

LANGUAGES = frozenset({"python", "javascript", "typescript", "tsx", "csharp", "java", "kotlin"})
WORTH = later(
    rb"dependency_overrides|\.override\(|overrideProvider|useClass|\.Add(?:Singleton|Scoped|Transient)|@Primary"
)
FORMS = (
    later(r"\bdependency_overrides\s*\[\s*(?:\w+\.)*(?P<key>\w+)\s*\]\s*=\s*(?P<value>[^\n]+)"),
    later(r"\bdependency_overrides(?:\.update\(|\s*=)\s*\{\s*(?:\w+\.)*(?P<key>\w+)\s*:\s*(?P<value>[^\n]+)"),
    later(r"\b(?P<key>\w+)\.override\(\s*(?P<value>(?:providers\.\w+\(\s*)?\w[^\n]*)"),
    later(r"\boverrideProvider\(\s*(?P<key>\w+)[^()]*\)\s*\.\s*use(?:Class|Value)\(\s*(?P<value>[^\n]+)"),
    later(r"\boverrideProvider\(\s*(?P<key>\w+)\s*,\s*\{\s*use(?:Class|Value)\s*:\s*(?P<value>[^\n]+)"),
    later(r"\bprovide\s*:\s*(?P<key>\w+)\s*,\s*use(?:Class|Value)\s*:\s*(?P<value>[^\n]+)"),
    later(r"\.Add(?:Singleton|Scoped|Transient)<\s*(?P<key>\w+)\s*,\s*(?P<value>\w+)\s*>"),
    later(r"\.Add(?:Singleton|Scoped|Transient)<\s*(?P<key>\w+)\s*>\(\s*(?P<value>[^\n]*\bnew\s+\w+[^\n]*)"),
    later(r"@Primary\b\s*(?:@\w+\s*)*(?:public\s+)?(?P<key>\w+)\s+\w+\([^()]*\)\s*\{\s*return\s+(?P<value>new\s+\w+)"),
    later(r"@Primary\b\s*(?:@\w+\s*)*fun\s+\w+\([^()]*\)\s*:\s*(?P<key>\w+)\s*=\s*(?P<value>\w+)"),
)
CLASS = (
    r"(?m)^(?P<deep>[ \t]*)(?:(?:export|public|internal|private|sealed|final|open|data|static|abstract)[ \t]+)*"
    r"class[ \t]+"
)
TYPES = later(r"\b[A-Z]\w*")
COMPUTES = later(
    r"(?<![*/])[*/%](?![*/])|[\w)\]][ \t]*[-+](?![-+=>])[ \t]*[\w(]|(?:\bplus|\bminus|\btimes|\bmultiply|\badd)\("
)
IN_TEXTS = later(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|(?:#|//)[^\n]*|\"\"\"[\s\S]*?\"\"\"|->|=>")
OUT_OF_REACH = later(
    r"(?i)https?\b|request\.|requests\b|urlopen|urllib|socket|session|cursor|execut|query\b|sql\b|database|\bdb\b|redis|mongo|kafka"
    r"|boto|s3|smtp|subprocess|process\b|\bopen\(|\bread\(|write\(|\bfs\b|file|path\b|environ|getenv|process\.env|now\(|today\(|clock"
    r"|random|uuid|sleep|fetch\(|axios|repository|dbcontext|jdbc|entitymanager|stripe|client\."
)
NAMES = later(r"\w+")
LONGEST, MOST_FILES, SHORTEST = 200_000, 400, 4


def overridden(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        if file.status not in "AM" or file.binary or spoken not in LANGUAGES or not is_in(WORTH, file.changed_text):
            continue
        if is_beside_tests(file.path, reader_of(spoken)):
            yield from _overridden(file, change)


def _overridden(file: FileChange, change: Change) -> Iterator[Hit]:
    text = _text(change.blobs.after(file.path))
    added = {number for number, _ in file.added()}
    for form in FORMS:
        for match in form.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            last = text.count("\n", 0, match.end()) + 1
            if added.isdisjoint(range(line, last + 1)) or _was_given(match["key"], form, change):
                continue
            yield from _compared(file, change, match, text, line)


def _compared(file: FileChange, change: Change, match: re.Match[str], text: str, line: int) -> Iterator[Hit]:
    tests, product = _texts(change, of_tests=True), _texts(change, of_tests=False)
    value = _meant(match["value"], text)
    for name in dict.fromkeys(TYPES.findall(value)):
        own = _computing(name, [text, *tests])
        for real in _taken_by(match["key"], product) if own else ():
            shared = sorted(own.keys() & _computing(real, product).keys())
            asked = next((each for each in shared if _is_asked(each, change)), "")
            if asked and real != name:
                reached = OUT_OF_REACH.search(_body(real, product)) is None
                rule = "test.subject-faked" if reached else "test.subject-faked-in-new-test"
                snippet = text.split("\n")[line - 1].strip()
                detail = f"{name} of the tests works out {asked} in the place of {real}"
                yield hit_at(rule, file.path, line, detail, snippet, key=f"{match['key']} is overridden")
                return


def _meant(value: str, text: str) -> str:
    """What a function of the file gives, if it is named."""
    name = value.strip().rstrip(",;)}").strip()
    if not name.isidentifier() or name[:1].isupper():
        return value
    bodies = (body for _, called, _, body in functions(text.split("\n")) if called == name)
    return next(bodies, value)


def _was_given(key: str, form: re.Pattern[str], change: Change) -> bool:
    paths = [path for path in change.blobs.paths_before() if _is_of_tests(path)]
    texts = (_text(change.blobs.before(path)) for path in nearest(paths, change, MOST_FILES))
    return any(match["key"] == key for each in texts if key in each for match in form.finditer(each))


def _taken_by(key: str, product: Sequence[str]) -> Iterator[str]:
    """The classes of the product that stood there: of that name, given by a function of that name, made from it."""
    escaped = re.escape(key)
    for each in product:
        if key in each:
            if re.search(rf"{CLASS}{escaped}\b", each):
                yield key
            yield from re.findall(
                rf"\bdef[ \t]+{escaped}\([^()]*(?:\([^()]*\)[^()]*)*\)[ \t]*->[ \t]*[\"']?(?:\w+\.)*(\w+)", each
            )
            yield from re.findall(
                rf"\bclass[ \t]+(\w+)[^\n{{]*(?::|\bimplements\b|\bextends\b)[^\n{{]*\b{escaped}\b", each
            )
            yield from re.findall(rf"\b{escaped}[ \t]*=[ \t]*providers\.\w+\([ \t]*(?:\w+\.)*(\w+)", each)


def _computing(name: str, texts: Sequence[str]) -> dict[str, str]:
    """The methods of a class that work something out, with their bodies."""
    body = _body(name, texts)
    told = ((called, IN_TEXTS.sub("", f"{head}\n{inner}")) for _, called, head, inner in functions(body.split("\n")))
    return {called: inner for called, inner in told if len(called) >= SHORTEST and COMPUTES.search(inner)}


def _body(name: str, texts: Sequence[str]) -> str:
    head = _head(name)
    for each in texts:
        if name in each and (match := head.search(each)) is not None:
            lines, deep = each[match.start() :].split("\n"), len(match["deep"])
            end = next(
                (at for at, line in enumerate(lines[1:], 1) if line.strip() not in ("", "{") and depth(line) <= deep),
                len(lines),
            )
            return "\n".join(lines[1:end])
    return ""


@cache
def _head(name: str) -> re.Pattern[str]:
    return re.compile(rf"{CLASS}{re.escape(name)}\b")


def _is_asked(name: str, change: Change) -> bool:
    """A test that the base had speaks of it."""
    both = change.blobs.paths_before() & change.blobs.paths_after()
    paths = nearest([path for path in both if _is_of_tests(path)], change, MOST_FILES)
    return any(name.lower() in _text(change.blobs.after(path)).lower() for path in paths)


def _texts(change: Change, *, of_tests: bool) -> list[str]:
    paths = [path for path in change.blobs.paths_after() if language_of(path) in LANGUAGES]
    chosen = [path for path in paths if _is_of_tests(path) == of_tests]
    return [_text(change.blobs.after(path)) for path in nearest(chosen, change, MOST_FILES)]


def _is_of_tests(path: str) -> bool:
    spoken = language_of(path)
    return spoken in LANGUAGES and (is_support(path) or is_beside_tests(path, reader_of(spoken)))


def _text(data: bytes | None) -> str:
    return (data or b"")[:LONGEST].decode("utf-8", "replace")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (overridden,)
