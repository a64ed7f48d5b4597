"""Files that a setting or a command puts in front of a file of the product (policy set v2, class G06).

Rules, for a new file of tests, of doubles or of the root that has the name of a file of the product, its place below
a root and something that it declares, where a test of the base asks for that file:

- A path on which modules, headers or sources are looked for (`pythonpath`, `PYTHONPATH`, `sys.path.insert`,
  `NODE_PATH`, `moduleDirectories`, `RUBYLIB`, `-I`, `include_directories`, `CLASSPATH`) comes to hold the folder of the
  new file. Where it names the product's own root before that, the product is still found first.
- One line comes to name the new file, or its folder, and then the product's: it is mounted over it, copied over it,
  linked or mapped in its place (`volumes`, `COPY`, `cp`, `go build -overlay`).
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.patterns import is_product
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.record import record
from ralph.system.patterns import later

RULE = "test.subject-faked"
SOURCE = later(r"\.(?:py|pyi|[cm]?[jt]sx?|rb|go|c|h|cc|cpp|hpp|hh|java|kt|php|p[lm]|lua|ex|cs|rs|swift)$")
DOUBLES = later(
    r"(?i)(?:^|[/_.-])(?:tests?|specs?|testing|testdata|stubs?|fakes?|mocks?|doubles?|shims?|overrides?)(?:[/_.-]|$)"
)
ROOTS = frozenset(("", "src", "lib", "app", "source", "include", "python", "pkg", "server", "main", "java", "kotlin"))
LOOKED_FOR = later(
    r"(?i)python_?path|\bsys\.path\.insert|\bsys\.path\[:?0?\]|\bsys\.path\s*=|syspath_prepend|addsitedir|node_path"
    r"|moduleDirectories|modulePaths|(?<!\.)resolve\b(?!\()|modules\b|moduleRoots|\broots\b|rubylib|load_path|\$:|\blibs\b|(?<!\w)-I"
    r"|--include|include_?dir|include_path|cpath\b|cplus_include|-isystem|-iquote|perl5lib|lua_path|class_?path|-cp\b"
    r"|source-?path|src_?dirs?\b|sourceDirectory|vpath|-pa\b|elixirc_paths|autoload|mypypath"
    r"|add_executable|target_sources|\bsources?\b"
)
IN_PLACE = later(
    r"(?i)\bcp\b|\bmv\b|\bln\b|\binstall\b|\bcopy\b|\brsync\b|\bADD\b|volumes?|mount|(?:^|\s)-v\s|replace|overlay"
    r"|Copy-Item|shutil|symlink"
)
DECLARED = later(
    r"(?m)^[ \t]*(?!(?:return|import|from|if|else|for|while|raise|yield|assert|package|using|require|include|throw)\b)"
    r"(?:(?:export|default|async|static|inline|public|pub|extern)[ \t]+)*"
    r"(?:(?:def|class|function\*?|func|fn|sub|const|let|var|module|struct|interface|type|object|#[ \t]*define)[ \t]+"
    r"(?:self\.)?|(?:[A-Za-z_][\w<>:]*[ \t*&]+){1,3})(?P<name>[A-Za-z_]\w*)"
)
NO_NAMES = frozenset(("__init__.py", "conftest.py", "setup.py", "index.js", "index.ts", "main.go", "doc.go"))
ABOVE = 12
"""Lines in which what a list is for may stand above one of its items."""
MOST_NEW, MOST_TESTS = 200, 400


@record
class Double:
    """A new file, the folder by which it is found, and the file of the product that it stands in front of."""

    file: FileChange
    folder: str
    product: str
    root: str


def in_front(change: Change) -> Iterator[Hit]:
    new = [file for file in change.files if file.status == "A" and _may_stand(file)][:MOST_NEW]
    others = [file for file in change.files if file.status in "AM" and not file.binary] if new else []
    for double in _doubles(change, new) if len(others) > 1 else ():
        for other in others:
            if other.path != double.file.path and (found := _put_in_front(change, other, double)) is not None:
                number, line = found
                yield hit_at(RULE, other.path, number, f"{double.file.path} is found before {double.product}", line)
                break


def _may_stand(file: FileChange) -> bool:
    path = file.path
    at_root = "/" not in path
    double = not is_product(path) or DOUBLES.search(posixpath.dirname(path)) is not None
    return SOURCE.search(path) is not None and posixpath.basename(path) not in NO_NAMES and (at_root or double)


def _doubles(change: Change, new: Sequence[FileChange]) -> Iterator[Double]:
    kept = change.blobs.paths_after() & change.blobs.paths_before()
    named: Mapping[str, list[str]] = defaultdict(list)
    names = {posixpath.basename(file.path) for file in new}
    for path in kept:
        if posixpath.basename(path) in names and is_product(path) and not DOUBLES.search(posixpath.dirname(path)):
            named[posixpath.basename(path)].append(path)
    for file in new:
        for product in sorted(named[posixpath.basename(file.path)]):
            if (found := _in_same_place(file.path, product, kept)) is not None and _is_alike(change, file, product):
                yield Double(file, found[0], product, found[1])


def _in_same_place(path: str, product: str, kept: frozenset[str]) -> tuple[str, str] | None:
    """(folder, root) below which both have the same path."""
    own, other = path.split("/"), product.split("/")
    shared = 0
    while shared < min(len(own), len(other)) and own[-1 - shared] == other[-1 - shared]:
        shared += 1
    for deep in range(shared, 0, -1):
        folder, root = "/".join(own[:-deep]), "/".join(other[:-deep])
        if root.rpartition("/")[2] in ROOTS and folder != root and f"{root}/__init__.py" not in kept:
            return folder, root
    return None


def _is_alike(change: Change, file: FileChange, product: str) -> bool:
    """They declare the same, and a test of the base asks for the product's."""
    new, old = (change.blobs.after(path) or b"" for path in (file.path, product))
    same = _declared(new) & _declared(old)
    if not same:
        return False
    stem = re.escape(posixpath.splitext(posixpath.basename(product))[0])
    asks = re.compile(rf"(?<![\w]){stem}(?!\w)|{'|'.join(map(re.escape, sorted(same)))}".encode())
    tests = (path for path in change.blobs.paths_before() if SOURCE.search(path) and TEST_PLACE.search(path))
    return any(asks.search(change.blobs.before(path) or b"") for path in nearest(tests, change, MOST_TESTS))


def _declared(data: bytes) -> set[str]:
    return {match["name"] for match in DECLARED.finditer(data.decode("utf-8", "replace"))}


def _put_in_front(change: Change, other: FileChange, double: Double) -> tuple[int, str] | None:
    added = [(number, line.decode("utf-8", "replace")) for number, line in other.added()]
    lines: list[str] = []
    for number, line in added:
        place = _place_of(line, other.path, double)
        if place is None:
            continue
        lines = lines or (change.blobs.after(other.path) or b"").decode("utf-8", "replace").split("\n")
        above = "\n".join([*lines[max(0, number - ABOVE) : number - 1], line])
        if IN_PLACE.search(above) and (double.product in line[place:] or f"/{double.root or '.'}" in line[place:]):
            return number, line
        root = re.search(rf"(?<![\w/-]){re.escape(double.root)}(?![\w/-])", line[:place]) if double.root else None
        if LOOKED_FOR.search(above) and root is None:
            return number, line
    return None


def _place_of(line: str, path: str, double: Double) -> int | None:
    """Where a line names the folder, or the file itself, seen from the root or from the file that holds the line."""
    if not double.folder:
        dot = re.search(r"(?<![\w./*])\.(?![\w./*])", line)
        return dot.start() if dot is not None and "path" in line.lower() else None
    here = posixpath.dirname(path)
    names = {double.folder, posixpath.relpath(double.folder, here or "."), double.file.path}
    for name in sorted(names, key=len, reverse=True):
        # A call of that name is no folder: `test("resolves the path", ...)`.
        if name != "." and (found := re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-]|\()", line)) is not None:
            return found.start()
    parts = r"[\"']\s*[,/+]\s*[\"']".join(
        re.escape(part) for part in double.folder.removeprefix(here).strip("/").split("/")
    )
    found = re.search(rf"[\"']{parts}[\"']", line)
    return found.start() if found is not None else None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (in_front,)
