"""Files in a `__mocks__` folder that Jest uses for a package of the project by itself (policy set v2, class G06).

What lies in `__mocks__` beside `node_modules` takes the place of the package of its name in every test, without any
`jest.mock`: `__mocks__/@acme/pricing.ts` for `@acme/pricing`, which in a workspace is the project's own.

Rule: such a file that the change brings blocks where a test of the base compares answers of that package. It does not
where the test says what it wants (`jest.unmock`, `jest.mock`, `jest.requireActual`), nor for packages of others, or
where another runner than Jest runs the tests. A mock that hands on the real one (`requireActual`) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.doubles.asserted import Asserted
from ralph.guardrails.javascript.doubles.mocks import FAKED
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.source import Source
from ralph.system.patterns import later

PLACE = later(
    r"(?P<folder>(?:[^/]+/)*?)__mocks__/(?P<name>(?:@[\w.-]+/)?[\w.-]+?)(?:\.[cm]?[jt]sx?|/index\.[cm]?[jt]sx?)"
)
ACTUAL = later(rb"\b(?:requireActual|importActual|createMockFromModule)\b")
ASSERTS = later(r"(?:expect|assert(?:\.\w+)*|should)\b")
MOST_TESTS = 200


def auto_mocked(change: Change) -> Iterator[Hit]:
    for file in change.files:
        place = PLACE.fullmatch(file.path) if file.status == "A" and "__mocks__/" in file.path else None
        if place is None or ACTUAL.search(change.blobs.after(file.path) or b""):
            continue
        side = Side(change.blobs.after, change.blobs.paths_after())
        folder, name = place["folder"], place["name"]
        if not _is_own(name, side) or not _is_beside_modules(folder, side):
            continue
        test = next(_comparing(name, folder, file.path, change), None)
        if test is not None:
            detail = f"{test} compares answers of {name}, for which Jest takes this file by itself"
            first = next((line for _, line in file.added()), b"").decode("utf-8", "replace").strip()
            yield hit_at(FAKED, file.path, 1, detail, first, key=f"automatic mock of {name}")


def _is_own(name: str, side: Side) -> bool:
    """A package of the tree has that name."""
    for path in side.by_name.get("package.json", ()):
        node = side.node(path) if name.encode() in (side.bytes(path) or b"") else None
        named = node.at("name") if node is not None else None
        if named is not None and canonical(named) == name:
            return True
    return False


def _is_beside_modules(folder: str, side: Side) -> bool:
    """A package is installed there, and Jest runs its tests."""
    manifest = side.bytes(f"{folder}package.json") or b""
    config = any(each.startswith(f"{folder}jest.config.") for each in side.paths)
    return bool(manifest) and (config or re.search(rb"\bjest\b", manifest) is not None)


def _comparing(name: str, folder: str, own: str, change: Change) -> Iterator[str]:
    both = change.blobs.paths_before() & change.blobs.paths_after()
    tests = (path for path in both if path.startswith(folder) and path != own and is_test_file(path))
    wanted = name.encode()
    for path in nearest(tests, change, MOST_TESTS):
        data, old = change.blobs.after(path) or b"", change.blobs.before(path) or b""
        if wanted not in data or wanted not in old or _says(name, data):
            continue
        language = language_of(path)
        if language is not None and all(_compares(code(Source(path, language, each)), name) for each in (old, data)):
            yield path


def _says(name: str, data: bytes) -> bool:
    """The test tells what becomes of the package."""
    form = rf"\b(?:unmock|dontMock|mock|doMock|requireActual|setMock)(?:<[^<>\n]*>)?\(\s*[\"'`]{re.escape(name)}"
    return re.search(form.encode(), data) is not None


def _compares(read: Code, name: str) -> bool:
    if any(path[0] == name for path in Asserted(read).paths):
        return True
    return any(_is_of(read, call, name) and _is_in_assertion(read, call) for call in read.calls)


def _is_of(read: Code, call: tree_sitter.Node, name: str) -> bool:
    path = read.origins.of(call.child_by_field_name("function"))
    return path is not None and path[0] == name


def _is_in_assertion(read: Code, call: tree_sitter.Node) -> bool:
    """It says what is expected: `expect(total).toBe(quote(lines).total)`."""
    around = (each for each in read.names.above(call) if each.type == "call_expression")
    return any(ASSERTS.match(read.text(each)) is not None for each in around)
