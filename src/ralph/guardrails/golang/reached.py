"""What a test of Go can depend on, as its imports tell (class G05: expected values).

A test is built of all files of its folder, and of the packages that they import, whatever system those are for. A
package is found by the modules of the tree (`go.mod`). Where an import may be of the tree, and is not found in it,
where code is linked by name or loaded while it runs, and where tests build or start programs, look through source, or
ask a server, nobody can tell. Code in other languages may be a part of any of it, and counts as reached.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict

from ralph.guardrails.inventory.readers import Paths, written_otherwise
from ralph.record import record
from ralph.system.patterns import later

MOST_FILES = 1_000
COMMENT = later(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
HEAD = later(rb"\s*package\s+\w+(?:[\s;]+import\b\s*(?:\([^)]*\)|(?:[\w.]+\s*)?[\"`][^\"`\n]*[\"`]))*")
"""All that stands before the first declaration, without comments."""
IMPORT = later(rb"[\"`]([^\"`\n]+)[\"`]")
MODULE = later(rb"(?m)^module[ \t]+\"?([^\s\"]+)")
REPLACE = later(rb"(?m)^(?:replace[ \t]+|[ \t]+)([^\s=]+)(?:[ \t]+v[^\s=]+)?[ \t]*=>[ \t]*(\.{1,2}/?[^\s]*)")
LOADS = later(
    rb"//go:linkname\b|\bplugin\.Open\(|\bexec\.Command(?:Context)?\((?:[\w.()]+,\s*)?\"(?:go|sh|bash|make)\""
)
"""It reaches what it does not import."""
STARTS = later(
    rb"\bexec\.Command(?:Context)?\((?!(?:[\w.()]+,\s*)?\"(?:git|tar|ls|cat|echo|sleep|true|false|diff)\")"
    rb"|\bos\.StartProcess\b|\.go[\"`]|\"go/(?:parser|build|packages|token|types|importer)\"|\bgolang\.org/x/tools/"
    rb"|\btestscript\b|\btestcontainers\b|\bdockertest\b|\bchromedp\b|\bplaywright\b|\bselenium\b|\benvtest\b"
    rb"|\bfilepath\.(?:Walk|WalkDir|Glob)\(\s*\"\.{1,2}[/\"]"
)
"""A test that builds or starts a program, or looks through source."""
ADDRESSES = later(rb"\blocalhost\b|\b127\.0\.0\.1\b|\bos\.(?:Getenv|LookupEnv)\([^)\n]*(?:URL|HOST|PORT|ADDR|ENDPOINT)")
DIALS = later(
    rb"\bhttp\.(?:Get|Post|Head|PostForm|DefaultClient|Client)\b|\b(?:Dial\w*|Connect\w*|Open\w*|New\w*Client\w*)\(|\bgrpc\."
    rb"|\b[cC]lient\.New\("
)
"""With an address: a test that asks a server, which may run elsewhere."""
DEFINES = later(rb"(?m)^func\s+(?:\([^)\n]*\)\s*)?(?!(?:Test(?!Main)|Benchmark|Fuzz|Example)[A-Z_\d(])(\w+)")
WORD = later(rb"\w+")
EMBEDS = later(rb"(?m)^//go:embed\b")
VENDORED = later(r"(?:^|.*/)vendor/(.+)")
STANDARD = later(
    r"(?:archive|bufio|builtin|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt"
    r"|go|hash|html|image|index|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv"
    r"|strings|structs|sync|syscall|testing|text|time|unicode|unique|unsafe|weak|C)(?:/.*)?"
)
LIBRARY = "-"
"""Stands for the folder of what the tree does not hold."""


@record
class Imported:
    """What is known of one file."""

    folders: frozenset[str]
    """Those of the tree that it imports."""
    embedded: frozenset[str]
    """Code that may be its data."""


class Packages:
    """Those of one side, by folder."""

    def __init__(self, paths: Paths) -> None:
        self.read = paths.read
        self._files: dict[str, list[str]] = defaultdict(list)
        for path in paths.all():
            if path.endswith(".go"):
                self._files[posixpath.dirname(path)].append(path)
        self._modules = _modules(paths)
        kept = ((VENDORED.fullmatch(folder), folder) for folder in self._files)
        self._vendored = {match[1]: folder for match, folder in kept if match is not None}

    def files(self, folder: str, *, tests: bool) -> list[str]:
        return [path for path in self._files.get(folder, ()) if tests or not path.endswith("_test.go")]

    def folder(self, name: str) -> str | None:
        """Where a package stands; None where it may be here and is not."""
        if STANDARD.fullmatch(name):
            return LIBRARY
        owners = [each for each in self._modules if name == each or name.startswith(f"{each}/")]
        if not owners:
            elsewhere = LIBRARY if self._modules and "." in name.partition("/")[0] else None
            return self._vendored.get(name, elsewhere)
        module = max(owners, key=len)
        folder = posixpath.normpath(posixpath.join(self._modules[module], name[len(module) :].lstrip("/")))
        folder = "" if folder == "." else folder
        return folder if folder in self._files else None

    def below(self, folder: str) -> list[str]:
        inside = (self._files[each] for each in self._files if not folder or f"{each}/".startswith(f"{folder}/"))
        return [path for files in inside for path in files]


def reached(path: str, paths: Paths) -> frozenset[str] | None:
    """The files that tests of a file may notice; None where nobody can tell."""
    packages, own = _packages(paths), posixpath.dirname(path)
    seen: set[str] = set()
    folders, waiting = {own}, [own]
    while waiting:
        folder = waiting.pop()
        files = packages.files(folder, tests=folder == own)
        if folder == own and any(_asks(each, path, paths) for each in files):
            return None
        seen.update(files)
        if len(seen) > MOST_FILES:
            return None
        for each in files:
            found = _imported(each, packages, paths)
            if found is None:
                return None
            waiting += found.folders - folders
            folders |= found.folders
            seen |= found.embedded
    if all(each.endswith("_test.go") for each in seen):
        return None
    return frozenset(seen) | written_otherwise(paths, "go")


def _asks(path: str, test: str, paths: Paths) -> bool:
    """A file of tests starts something or asks a server, and is the test's own, or has helpers that the test names."""
    helpers = paths.memo.once(("go helpers", path), lambda: _helpers_that_ask(path, paths))
    if helpers is None or path == test or helpers & {b"TestMain", b"init"}:
        return helpers is not None
    return not helpers.isdisjoint(WORD.findall(paths.read(test) or b""))


def _helpers_that_ask(path: str, paths: Paths) -> frozenset[bytes] | None:
    """All helpers of a file of tests that starts something or asks a server; None for any other file."""
    data = (paths.read(path) or b"") if path.endswith("_test.go") else b""
    if not STARTS.search(data) and not (ADDRESSES.search(data) and DIALS.search(data)):
        return None
    return frozenset(DEFINES.findall(data))


def _imported(path: str, packages: Packages, paths: Paths) -> Imported | None:
    return paths.memo.once(("go imports", path), lambda: _read(path, packages))


def _read(path: str, packages: Packages) -> Imported | None:
    data = packages.read(path)
    if data is None or LOADS.search(data):
        return None
    head = HEAD.match(COMMENT.sub(b"", data))
    if head is None:
        return None
    folders = {packages.folder(name.decode("utf-8", "replace")) for name in IMPORT.findall(head[0])}
    if None in folders:
        return None
    there = frozenset(each for each in folders if each is not None) - {LIBRARY}
    embedded = packages.below(posixpath.dirname(path)) if EMBEDS.search(data) else ()
    return Imported(there, frozenset(embedded))


def _packages(paths: Paths) -> Packages:
    return paths.memo.once("go packages", lambda: Packages(paths))


def _modules(paths: Paths) -> dict[str, str]:
    """The folders of the modules of the tree, by their names and those that others of them know them by."""
    found: dict[str, str] = {}
    for path in paths.all():
        folder, _, name = path.rpartition("/")
        if name == "go.mod" and "/testdata/" not in f"/{path}":
            data = paths.read(path) or b""
            for module in MODULE.findall(data)[:1]:
                found[module.decode("utf-8", "replace")] = folder
            for module, place in REPLACE.findall(data):
                there = posixpath.normpath(posixpath.join(folder, place.decode("utf-8", "replace")))
                found.setdefault(module.decode("utf-8", "replace"), "" if there == "." else there)
    return found
