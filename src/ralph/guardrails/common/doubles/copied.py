"""Tests that ask a copy of the product, which stands among the tests (policy set v2, class G06).

`require_relative "../lib/calc"` that became `require_relative "support/calc"`: what the specs call is still called
`Calc`, and nobody asks the product's any more. Python and JavaScript follow their imports themselves.

Rules, for a file of tests of the base in which an import went and another one came:

- The new one names another file of tests, and the old one a file of the product, and both declare a name: by the last
  part of a path (Ruby, PHP, C, shell), by the folder of a package that is called the same (Go), by the very name that
  is imported (Java, Kotlin, Rust, Elixir), or by a namespace (C#).
- In Java and Kotlin none has to go where the tests stand in the package of what they are about.
- A line that stayed asks for that name, in an assertion, or in tests that are called like it.
- A file that has the product answer, as it imports it itself, is no copy.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from ralph.guardrails.common.doubles.in_front import SOURCE
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.inventory.readers import TEST_PLACE, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.texts import as_text
from ralph.system.patterns import later

OTHERS = frozenset(("python", "javascript", "typescript", "tsx", "vue"))
KINDS = {".exs": ".ex", ".bats": ".sh", ".bash": ".sh"} | dict.fromkeys((".c", ".cc", ".cpp", ".hpp", ".hh"), ".h")
"""Files that ask for each other, by how they end."""
WORTH = later(
    rb"(?m)^[ \t]*(?:(?:pub[ \t]+)?(?:use|mod)[ \t]|#[ \t]*include\b"
    rb"|(?:import|using|(?:require|include)(?:_once|_relative)?)\b|(?:alias|load|source|\.)[ \t]"
    rb"|(?:\w+[ \t]+)?\"[\w./-]+\"[ \t]*$)"
)
IMPORT = later(WORTH.pattern.decode().removeprefix("(?m)"))
DECLARES = later(
    r"(?m)^(?:(?:export|public|internal|pub(?:\([^)\n]*\))?|static|final|abstract|sealed|data|open|partial|inline|async"
    r"|extern)[ \t]+)*"
    r"(?:(?:class|module|interface|object|enum|record|struct|trait|fn|func|fun|function|def)[ \t]+(?:self\.)?"
    r"|defmodule[ \t]+(?:\w+\.)*|(?=\w+[ \t]*\(\)[ \t]*\{)"
    r"|(?:[A-Za-z_]\w*[ \t*]+){1,3}(?=\w+\([^;\n]*(?:\{|\n\{)))"
    r"(?P<name>[A-Za-z_]\w*)"
)
"""What stands at the left margin."""
DECLARES_IN_GO = later(r"(?m)^(?:func|type|var|const)[ \t]+(?P<name>[A-Za-z_]\w*)")
BELONGS = later(r"(?m)^[ \t]*(?:namespace|package|module|defmodule)[ \t]+(?P<names>[\w.:\\]+)")
WORD = later(r"[A-Za-z]\w*")
TOLD = later(r"[\"'<](?P<path>[^\"'<>\n]+)[\"'>]|(?P<dotted>[\w.:\\/${}\"-]*[\w}])[ \t]*;?[ \t]*(?://.*|#.*)?$")
LAST = later(r"(?P<last>\w+)(?:\.(?:rb|php|inc|c|cc|cpp|h|hpp|hh|sh|bash|bats))?[\"}]*$")
BY_PATH = frozenset((".rb", ".php", ".h", ".sh"))
BY_NAME = frozenset((".java", ".kt", ".ex"))
ASSERTS = later(r"(?i)assert|expect|should|equal|fatal|error|verify|refute|==|!=|^\s*run\s")
KEYWORDS = frozenset(("use", "mod", "pub", "crate", "super", "include", "import", "static", "using", "require")) | {
    *("require_once", "require_relative", "include_once", "alias", "load", "source", "__dir__", "dirname", "__file__"),
    "self",
}
IN_PACKAGE = later(r"/(?:java|kotlin)/(?P<folders>.+)/\w+\.(?:java|kt)$")
NAMED = later(r"Tests?\.\w+$")
SHORTEST = 2
MOST = 100
"""So many files of tests, and of the product, are looked at for one import."""


def copied(change: Change) -> Iterator[Hit]:
    tests = [file for file in change.files if file.status == "M" and _is_asking(file, change)]
    if not tests:
        return
    trees = _Trees(change)
    for file in tests:
        gone = [line for _, line in _imports(file, old=True)]
        asked = _asked(file, change)
        for number, line in _imports(file, old=False):
            if found := _copy(line, gone, asked, file, trees):
                yield hit_at("test.subject-faked", file.path, number, found, line.strip())
                break


class _Trees:
    """The files of the head by how they end, and what each declares: many imports lead to the same ones."""

    def __init__(self, change: Change) -> None:
        self.change = change
        self._declared: dict[str, frozenset[str]] = {}
        self._products: dict[str, list[str]] = {}
        self.tests: dict[str, list[str]] = {}
        for path in sorted(change.blobs.paths_after()):
            if _is_of_tests(path):
                self.tests.setdefault(_kind(path), []).append(path)

    def text(self, path: str) -> str:
        return as_text(self.change.blobs.after(path))

    def declared(self, path: str) -> frozenset[str]:
        if path not in self._declared:
            self._declared[path] = _declared(self.text(path), path)
        return self._declared[path]

    def products(self, kind: str) -> list[str]:
        """Those that both sides have."""
        if kind not in self._products:
            kept = self.change.blobs.paths_after() & self.change.blobs.paths_before()
            same = (path for path in kept if _kind(path) == kind and not (_is_of_tests(path) or is_sample(path)))
            self._products[kind] = nearest(same, self.change, MOST)
        return self._products[kind]


def _is_asking(file: FileChange, change: Change) -> bool:
    if file.binary or not _is_of_tests(file.path) or language(file, change) in OTHERS:
        return False
    went = IN_PACKAGE.search(file.path) is not None or any(WORTH.match(line) for line in file.removed())
    return went and WORTH.search(file.added_text) is not None


def _is_of_tests(path: str) -> bool:
    source = SOURCE.search(path) is not None or _kind(path) in (".sh", ".ex")
    return source and (TEST_PLACE.search(path) is not None or NAMED.search(path) is not None)


def _imports(file: FileChange, *, old: bool) -> list[tuple[int, str]]:
    lines = enumerate(file.removed()) if old else file.added()
    read = ((number, line.decode("utf-8", "replace")) for number, line in lines)
    return [(number, line) for number, line in read if IMPORT.match(line)]


def _copy(line: str, gone: Sequence[str], asked: AbstractSet[str], file: FileChange, trees: _Trees) -> str:
    """What the new import leads to, said of it; empty if that is no copy."""
    was, kind = frozenset[str]().union(*map(_words, gone)), _kind(file.path)
    new, led, leads = _words(line) - was, {_last(each) for each in gone}, _last(line)
    for other in [path for path in trees.tests.get(kind, ()) if path != file.path and new & _parts(path)][:MOST]:
        names = _named(trees.declared(other) & asked, line, gone, kind)
        text = trees.text(other)
        if not names or not _is(leads, other, text, kind) or _imports_all(was, text):
            continue
        for product in trees.products(kind):
            shared = names & trees.declared(product)
            own = trees.text(product) if shared else ""
            leads_here = any(_is(each, product, own, kind) for each in led or {leads})
            if shared and leads_here and (led or _in_one_package(file.path, product)):
                return f"{min(shared)} is the one of {other} now, no more that of {product}"
    return ""


def _named(names: AbstractSet[str], line: str, gone: Sequence[str], kind: str) -> AbstractSet[str]:
    """Where an import says the name itself, the old one and the new one say it."""
    if kind == ".rs":
        said = set(WORD.findall(line))
        return {name for name in names & said if any(name in WORD.findall(each) for each in gone)}
    if kind in BY_NAME:
        return {
            name for name in names if _last(line) == name and all(_last(each) == name for each in gone if name in each)
        }
    if kind == ".go":
        return {name for name in names if name[:1].isupper() and any(_last(each) == _last(line) for each in gone)}
    return names


def _is(led: str, path: str, text: str, kind: str) -> bool:
    """An import with this last part may be one of that file."""
    stem, folder = posixpath.splitext(posixpath.basename(path))[0], posixpath.basename(posixpath.dirname(path))
    if kind == ".go":
        return led == folder
    if kind in BY_PATH or kind in BY_NAME:
        return led == stem or kind == ".ex" or (kind == ".kt" and led in WORD.findall(text))
    spaces = (match["names"].rpartition(".")[2] for match in BELONGS.finditer(text))
    return kind == ".rs" or led in spaces


def _last(line: str) -> str:
    """The last part of what an import names, without how a file of it ends."""
    told = TOLD.search(line.strip())
    last = LAST.search((told["path"] or told["dotted"]).strip()) if told is not None else None
    return last["last"] if last is not None else ""


def _imports_all(was: AbstractSet[str], text: str) -> bool:
    """It may hand on what the tests had."""
    return bool(was) and any(was <= _words(line) for line in text.split("\n") if IMPORT.match(line))


def _in_one_package(one: str, other: str) -> bool:
    own, others = (IN_PACKAGE.search(path) for path in (one, other))
    return own is not None and others is not None and own["folders"] == others["folders"]


def _asked(file: FileChange, change: Change) -> AbstractSet[str]:
    """The words of the lines that stayed and assert; of all that stayed, those that the file is called by."""
    added, called = file.added_numbers, posixpath.basename(file.path).lower()
    lines = enumerate(as_text(change.blobs.after(file.path)).split("\n"), 1)
    kept = [line for number, line in lines if number not in added and not IMPORT.match(line)]
    asserting = [ASSERTS.search(line) is not None for line in kept]
    words = {
        word
        for line, asserts in zip(kept, asserting, strict=True)
        for word in WORD.findall(line)
        if asserts or word.lower() in called
    }
    return {word for word in words if len(word) >= SHORTEST}


def _declared(text: str, path: str) -> frozenset[str]:
    """In Go, where a type stands behind the name of a field, by a word of its own alone."""
    form = DECLARES_IN_GO if path.endswith(".go") else DECLARES
    return frozenset(match["name"] for match in form.finditer(text))


def _words(text: str) -> AbstractSet[str]:
    return {word.lower() for word in WORD.findall(text)} - KEYWORDS


def _parts(path: str) -> AbstractSet[str]:
    """Folders and name of a file, without how it ends."""
    return _words(posixpath.splitext(path)[0])


def _kind(path: str) -> str:
    end = posixpath.splitext(path)[1]
    return KINDS.get(end, end)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (copied,)
