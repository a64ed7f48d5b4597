"""Tests that are written as data: requests and what is wanted of their answers (policy set v2, classes G02, G04, G05).

Of Hurl, Bruno, Postman, Tavern, Venom, Goss, container-structure-test, helm-unittest, Chainsaw and Rego.

Rules: what a file of such tests asserted, and none of the change's files of its kind asserts any more, blocks: what is
gone, what asks less of the same, and what wants another value. Where product code changed with it, another value, and
a test that is gone as a whole, are for a person. What is only written in another way says the same words. A mark that
keeps a test from running blocks, too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later


@record(kw_only=True)
class Kind:
    """`asserts` finds assertions in a line, `within` opens a block of them; `test` begins one test."""

    files: re.Pattern[str]
    test: re.Pattern[str]
    asserts: re.Pattern[str] | None = None
    within: re.Pattern[str] | None = None
    holds: re.Pattern[str] | None = None
    """What a file must hold to be one of these, where its name does not tell."""
    off: re.Pattern[str] | None = None


@record
class Asked:
    text: str
    test: str
    line: int


_EVERY = later(r"\S.*")
_YAML = r"(?i)\.ya?ml$"
KINDS = {
    "hurl": Kind(
        files=later(r"\.hurl$"),
        test=later(r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+\S+"),
        asserts=later(
            r"^(?:HTTP(?:/[\d.]+)?\s+\d+|(?:status|url|header|cookie|body|xpath|jsonpath|regex|variable|duration|sha256|md5"
            r"|bytes|certificate|redirects|version)\b.*\s(?:==|!=|[<>]=?|not|starts|ends|contains|matches|exists|is)\w*.*)$"
        ),
    ),
    "bruno": Kind(
        files=later(r"\.bru$"),
        test=later(r"(?:get|post|put|patch|delete|head|options)\s*\{"),
        within=later(r"(?:assert|tests)\s*\{"),
    ),
    "postman": Kind(
        files=later(r"(?i)postman[\w.-]*\.json$"),
        test=later(r"\"name\"\s*:.*"),
        asserts=later(r"pm\.(?:expect\(|response\.to\.)[^;]*;?"),
        off=later(r"pm\.test\.skip\("),
    ),
    "tavern": Kind(
        files=later(r"\.tavern\.ya?ml$"),
        test=later(r"test_name\s*:.*|-?\s*name\s*:.*"),
        within=later(r"response\s*:"),
        off=later(r"-\s*skip\b|_xfail\s*:"),
    ),
    "venom": Kind(
        files=later(_YAML),
        holds=later(r"(?m)^testcases\s*:"),
        test=later(r"-?\s*name\s*:.*"),
        within=later(r"assertions\s*:"),
        off=later(r"skip\s*:(?!\s*(?:false|\[\s*\]))"),
    ),
    "goss": Kind(
        files=later(r"(?:^|/)goss[\w.-]*\.ya?ml$"),
        test=later(r"[\w./:-]+\s*:\s*$"),
        asserts=later(r"^(?!(?:title|meta|skip)\b)(?:-\s*)?\S.*(?<!:)$"),
        off=later(r"skip\s*:\s*true"),
    ),
    "structure": Kind(
        files=later(_YAML),
        holds=later(r"(?m)^schemaVersion\s*:[\s\S]*^(?:command|fileExistence|fileContent|metadata)Tests?\s*:"),
        test=later(r"-?\s*name\s*:.*"),
        asserts=later(
            r"^(?:-\s*)?(?:expectedOutput|excludedOutput|expectedError|excludedError|exitCode|shouldExist|permissions"
            r"|expectedContents|excludedContents|uid|gid|isExecutableBy|path)\s*:.*$"
        ),
        within=later(r"(?:expectedOutput|expectedError|expectedContents|excludedContents|excludedOutput)\s*:"),
    ),
    "helm": Kind(
        files=later(_YAML),
        holds=later(r"(?m)^suite\s*:[\s\S]*^\s+-?\s*asserts\s*:"),
        test=later(r"-\s*it\s*:.*"),
        within=later(r"asserts\s*:"),
        off=later(r"skip\s*:"),
    ),
    "chainsaw": Kind(
        files=later(_YAML),
        holds=later(r"(?m)^apiVersion:\s*(?:chainsaw\.kyverno\.io|kuttl\.dev)"),
        test=later(r"kind\s*:\s*Test\b"),
        asserts=later(r"^-\s*(?:assert|error)\s*:.*$"),
        off=later(r"skip\s*:\s*true"),
    ),
    "rego": Kind(
        files=later(r"_test\.rego$"),
        test=later(r"(?:todo_)?test_\w+"),
        within=later(r"test_\w+(?:\s+if)?\s*\{"),
        off=later(r"todo_test_"),
    ),
}
ENDINGS = (".hurl", ".bru", ".json", ".yaml", ".yml", ".rego")
COMMENT = later(r"\s*(?:#|//|~)")
CLOSES = later(r"[\]})]+[,;]?")
SUBJECT = later(
    r"\s+(?:not\s+)?(?:==|!=|[<>]=?|:=|starts\w*|ends\w*|contains|matches|exists|is[A-Z]\w*|Should\w+)(?=\s|$)"
    r"|\.to\.|:\s|:$"
)
WEAK = later(
    r"\b(?:exists?|isDefined|isString|isNumber|isTruthy|isNotEmpty|isNotNull|isNotNullOrEmpty|ShouldNotBe\w+|ShouldExist"
    r"|neq|notEqual|true\b.*\btrue)\b|!any\w*|!=|\.(?:exist|ok|not)\b|[\"']?\.[*+][\"']?|\[\s*[1-5]\d\d\s*,|>=\s*0\b|\bnot\b"
)
WORD = later(r"[\w.$-]+")


def declared_tests(change: Change) -> Iterator[Hit]:
    found: dict[str, list[tuple[FileChange, str, str]]] = defaultdict(list)
    for file in change.files:
        if file.path.lower().endswith(ENDINGS) and not file.binary and (sides := _sides(file, change)):
            kind = next((name for name, each in KINDS.items() if _is_one(each, file.path, sides)), "")
            if kind:
                found[kind].append((file, *sides))
    for name, files in found.items():
        yield from _lost(KINDS[name], files, change)
        yield from _put_off(KINDS[name], files)


def _sides(file: FileChange, change: Change) -> tuple[str, str] | None:
    if not any(kind.files.search(file.path) for kind in KINDS.values()):
        return None
    before, after = (
        (read(file.path) or b"").decode("utf-8", "replace") for read in (change.blobs.before, change.blobs.after)
    )
    return before, after


def _is_one(kind: Kind, path: str, sides: tuple[str, str]) -> bool:
    return kind.files.search(path) is not None and (kind.holds is None or any(map(kind.holds.search, sides)))


def _asked(kind: Kind, text: str) -> Iterator[Asked]:
    test, inside = "", -1
    for number, line in enumerate(text.split("\n"), 1):
        bare, depth = line.strip(), len(line) - len(line.lstrip())
        if not bare or COMMENT.match(bare):
            continue
        if inside >= 0 and depth <= inside and not (bare.startswith("-") and depth == inside):
            inside = -1
        opens = kind.within.match(bare.removeprefix("- ")) if kind.within is not None else None
        if inside >= 0 and not CLOSES.fullmatch(bare):
            yield Asked(bare.removeprefix("- ").rstrip(",;"), test, number)
        elif kind.asserts is not None:
            yield from (Asked(match[0].removeprefix("- "), test, number) for match in kind.asserts.finditer(bare))
        if (head := kind.test.match(bare)) is not None:
            test = head[0]
        if opens is not None and inside < 0:
            inside = depth


def _lost(kind: Kind, files: Sequence[tuple[FileChange, str, str]], change: Change) -> Iterator[Hit]:
    new = [each for _, _, after in files for each in _asked(kind, after)]
    there = Counter(each.text for each in new)
    tests = {each.test for each in new}
    own = {file.path for file, _, _ in files}
    with_product = any(file.path not in own and _may_be_asked(file.path) for file in change.files)
    said = frozenset(word for file, _, _ in files for word in _words_added(file))
    old = [(file, each) for file, before, _ in files for each in _asked(kind, before)]
    had = Counter(each.text for _, each in old)
    fresh = [each for each in new if there[each.text] > had[each.text]]
    for file, each in old:
        if there[each.text] > 0:
            there[each.text] -= 1
            continue
        rule, line = _judged(each, fresh, tests, said, with_product=with_product)
        if rule:
            there_now = file.status != "D"
            detail = (
                f"{each.test}: nothing stands for `{each.text}`"
                if not line
                else f"{each.test}: `{each.text}` is `{line.text}`"
            )
            yield hit_at(rule, file.path, line.line if line and there_now else 0, detail, each.text)


def _may_be_asked(path: str) -> bool:
    """What such tests are about is code, or other data: a chart's templates, an image."""
    return not is_support(path) and not path.startswith(".")


def _words_added(file: FileChange) -> Iterator[str]:
    for _, data in file.added():
        line = data.decode("utf-8", "replace")
        if not COMMENT.match(line):
            yield from WORD.findall(line)


def _judged(
    gone: Asked, fresh: Sequence[Asked], tests: set[str], said: frozenset[str], *, with_product: bool
) -> tuple[str, Asked | None]:
    """The rule, and what asks of the same now; no rule for what is only written in another way."""
    same = next((each for each in fresh if _subject(each.text) == _subject(gone.text)), None)
    if same is not None and WEAK.search(same.text) and not WEAK.search(gone.text):
        return "test.weakened", same
    if said.issuperset(WORD.findall(gone.text)):
        return "", None
    if same is not None:
        return ("test.expected-changed-with-code" if with_product else "test.expected-changed"), same
    if gone.test and gone.test not in tests:
        return ("test.removed-with-code" if with_product else "test.removed"), None
    return "test.assertion-removed", None


def _subject(text: str) -> str:
    return SUBJECT.split(text, maxsplit=1)[0].strip()


def _put_off(kind: Kind, files: Sequence[tuple[FileChange, str, str]]) -> Iterator[Hit]:
    if kind.off is None:
        return
    for file, before, _ in files:
        had = Counter(kind.off.findall(before))
        for number, data in file.added() if before else ():
            line = data.decode("utf-8", "replace").strip()
            match = kind.off.search(line)
            if match is None or COMMENT.match(line):
                continue
            if had[match[0]] > 0:
                had[match[0]] -= 1
                continue
            yield hit_at("test.not-run", file.path, number, "a test is left out", line)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (declared_tests,)
