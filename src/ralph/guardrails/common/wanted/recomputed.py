"""Wanted values that a helper read from a file, and now has the product compute (policy set v2, class G05).

Rule, for a function beside tests whose name says that it gives what is wanted (`expected_quote`, `loadGolden`): the
base read a file and gave what was in it, without the product. Where it now calls something that a file of the product
defines, and hands on nothing of the file as a whole, what the product gives is compared with what the product gives.
It blocks. Where all that was read is handed to the product (`Quote.from_h(data)`), or given back, it is only wrapped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import is_beside_tests, is_support, language, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.record import record
from ralph.system.patterns import later

SAYS_WANTED = later(r"(?i)expect|want|golden|reference|oracle|baseline|approved|agreed|snapshot|truth")
TESTS = later(r"(?:[tT]est|Benchmark|Example|Fuzz)(?![a-z])")
"""A test of that name gives nothing."""
READS = later(
    r"\b(?:File|IO|Files|fs|os|ioutil|YAML|JSON|Path|Paths|json|yaml|toml)(?:\.|::)(?:bin)?(?:read\w*|load\w*|open|Read\w*|new_?[bB]ufferedReader)\b"
    r"|\bopen\(|\.read_(?:text|bytes)\(|\breadFile(?:Sync)?\(|\bread_to_string\(|\binclude_(?:str|bytes)!|\bgetResource(?:AsStream)?\("
    r"|\breadText\(|\bReadAllText(?:Async)?\(|\bcsv\.(?:reader|DictReader)\(|\brequire\([\"'][^\"']+\.json[\"']\)"
)
NAME = later(r"(?<![\w\"'@$])(?<![^.]\.)(?:[A-Z]\w*(?:(?:::|\.)[A-Z]\w*)*|[a-z_]\w*[!?]?(?=\())")
GIVEN = later(
    r"(?m)^\s*(?:(?:const|let|var|val|final|[A-Z]\w*(?:<[^<>]*>)?)\s+)?(?P<name>[a-z_]\w*)(?:\s*,\s*\w+)?\s*(?::\s*[\w.<>]+\s*)?:?=\s*(?P<value>[^=\n].*)$"
)
NOTE = later(r"(?m)(?<!:)//[^\n]*|(?:^|(?<=\s))#(?![\[{])[^\n]*")
TEXT = later(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
WORTH = later(rb"(?i)(?:expect|want|golden|reference|oracle|baseline|approved|agreed|snapshot|truth)\w*[( =\r\n]")
MOST_FILES = 500
LONGEST = 200_000


@record
class Helper:
    line: int
    head: str
    body: str


def recomputed(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        reader = reader_of(spoken)
        if file.status != "M" or file.binary or reader is None:
            continue
        if not is_beside_tests(file.path, reader):
            continue
        if not WORTH.search(change.blobs.before(file.path) or b""):
            continue
        if not any(map(_says_wanted, _changed(file.path, change))):
            continue
        old, new = (_helpers(side(file.path)) for side in (change.blobs.before, change.blobs.after))
        for name, helper in new.items():
            was = old.get(name)
            if was is None or was.body == helper.body or not _says_wanted(name):
                continue
            if not _reads(was.body, old):
                continue
            fresh = _names(helper.body) - _names(was.body) - new.keys()
            product = _of_product(fresh, spoken, change) if fresh and not _whole(helper.body, new) else ""
            if product:
                yield _hit(file, name, helper, product)


def _hit(file: FileChange, name: str, helper: Helper, product: str) -> Hit:
    detail = f"{name} read what is wanted from a file, and has {product} compute it now"
    return hit_at("test.weakened", file.path, helper.line, detail, helper.head)


def _says_wanted(name: str) -> bool:
    return SAYS_WANTED.search(name) is not None and TESTS.match(name) is None


def _changed(path: str, change: Change) -> Iterator[str]:
    """Functions whose text is another one now."""
    old, new = (functions_of((side(path) or b"")[:LONGEST]) for side in (change.blobs.before, change.blobs.after))
    had = {(name, body) for _, name, _, body in old}
    return (name for _, name, _, body in new if (name, body) not in had)


def _helpers(data: bytes | None) -> dict[str, Helper]:
    return {
        name: Helper(number + 1, head.strip(), NOTE.sub("", body))
        for number, name, head, body in functions_of((data or b"")[:LONGEST])
    }


def _reads(text: str, helpers: dict[str, Helper]) -> bool:
    """A file, by itself or through a helper beside it."""
    return READS.search(text) is not None or any(_reads_itself(name, helpers) for name in _called(text, helpers))


def _reads_itself(name: str, helpers: dict[str, Helper]) -> bool:
    return READS.search(helpers[name].body) is not None


def _called(text: str, helpers: dict[str, Helper]) -> Iterator[str]:
    return (name for name in helpers if re.search(rf"(?<![\w.]){re.escape(name)}(?:\(|\s|$)", text))


def _names(text: str) -> frozenset[str]:
    found = NAME.findall(TEXT.sub("''", text))
    return frozenset(part for each in found for part in re.split(r"::|\.", each))


def _whole(body: str, helpers: dict[str, Helper]) -> bool:
    """All that is read is handed on, or given back; or it is read where nobody can tell what becomes of it."""
    held = {match["name"]: match.end() for match in GIVEN.finditer(body) if _reads(match["value"], helpers)}
    if not held:
        return _reads(body, helpers)
    return any(re.search(rf"(?<![\w.]){name}\b(?!\s*[.\[])", body[end:]) for name, end in held.items())


def _of_product(names: frozenset[str], spoken: str | None, change: Change) -> str:
    """One of the names that a file of the product defines."""
    defines = re.compile(
        r"\b(?:class|module|def|func|fn|fun|function|const|struct|record|object|interface|enum)\s+(?:\([^()]*\)\s*)?(?:self\.)?"
        rf"(?P<name>{'|'.join(map(re.escape, sorted(names)))})\b"
    )
    reader = reader_of(spoken)
    paths = (path for path in change.blobs.paths_after() if language_of(path) == spoken and not is_support(path))
    for path in nearest(paths, change, MOST_FILES):
        if reader is not None and not reader.is_test_file(path):
            text = (change.blobs.after(path) or b"")[:LONGEST].decode("utf-8", "replace")
            if (match := defines.search(text)) is not None:
                return match["name"]
    return ""


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (recomputed,)
