"""Tests that ask for a skip that lies in another file: a mark under a neutral name, a fixture that skips (class G02).

Rules (policy set v2):

- Where a change brings such a helper, the helper has the finding; so has each place of the change that asks for it: a
  decorator, `pytestmark`, `marks=`, `usefixtures`, a parameter of a test, a call.
- Where the helper was there before, a test of the base that newly asks for it is skipped: a mark or a fixture that
  skips whatever happens. What skips under a condition says itself when.
- A mark of a whole module or class (`usefixtures`) that nothing in the file asked for before is forced on its tests: a
  fixture that skips under a condition takes them out, too.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.lending.borrowed import conftests
from ralph.guardrails.python.runner.forced import done_by
from ralph.guardrails.python.skipped.new_tests import source_at
from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source
from ralph.system.patterns import later

SKIPS = frozenset({"py.skip", "py.xfail"})
ASKS = later(rb"^\s*@|\bpytestmark\b|\busefixtures\b|^\s*(?:async\s+)?def\s+test\w*\(.*\w|\bmarks\s*=")
ASKED = later(
    rb"^\s*@\s*(?:\w+\.)?(\w+)\s*(?:#.*)?$|\bpytestmark\b[^#\n]*|\busefixtures\([^#\n]*|\bdef\s+test\w*\([^#\n]*"
)
NAMED = later(rb"[A-Za-z_]\w{2,}")
FORCED = later(rb"\busefixtures\(([^)\n]*)\)")
CLASS = later(rb"[ \t]*class\b")
IMPORT = later(rb"^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^#\n]*)", re.MULTILINE)
TEST = later(rb"^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)", re.MULTILINE)
ROOTS = ("", "src/", "tests/", "test/")


def with_asking(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, and one more for each place that asks for a skip in another file."""
    yield from hits
    named = {(name, hit.rule, hit.path) for hit in hits if hit.rule in SKIPS and (name := _name_at(hit, change))}
    if not named:
        return
    seen = {(hit.rule, hit.path, hit.line) for hit in hits}
    files = [file for file in change.files if file.status in "AM" and file.path.endswith(".py")]
    texts = {file.path: file.added_text for file in files}
    for name, rule, path in sorted(named):
        for file in files:
            if file.path != path and name.encode() in texts[file.path]:
                for found in _asking(name, rule, file):
                    if (rule, found.path, found.line) not in seen:
                        yield found


def _name_at(hit: Hit, change: Change) -> str:
    """What others call the skip at a place: the mark, the fixture or the function that holds it; empty for a test."""
    source = source_at(hit.path, change.blobs.after)
    if source is None:
        return ""
    point = (hit.line - 1, max(hit.column - 1, 0))
    node: Node | None = source.tree.root_node.descendant_for_point_range(point, point)
    while node is not None and node.parent is not None and node.parent.type != "module":
        node = node.parent
    if node is None:
        return ""
    name = _defined(node, source)
    return "" if name.startswith("test") or name in ("pytestmark", "setup_module", "setUpModule") else name


def _defined(statement: Node, source: Source) -> str:
    node = statement.child_by_field_name("definition") or statement
    if node.type == "expression_statement" and node.named_children:
        node = node.named_children[0]
    target = node.child_by_field_name("left" if node.type == "assignment" else "name")
    if target is None or target.type != "identifier" or node.type not in ("assignment", "function_definition"):
        return ""
    given = re.search(r"fixture\([^)]*\bname\s*=\s*[\"'](\w+)[\"']", source.text(statement).partition("def ")[0])
    return given[1] if given else source.text(target)


def _asking(name: str, rule: str, file: FileChange) -> Iterator[Hit]:
    form = re.compile(
        rf"^\s*@\s*(?:\w+\.)*{name}\b|\bpytestmark\b.*\b{name}\b|\busefixtures\(.*[\"']{name}[\"']|\bmarks\s*=.*\b{name}\b"
        rf"|\bdef\s+test\w*\(.*\b{name}\b|^\s*(?:\w+\.)*{name}\(|\bgetfixturevalue\([\"']{name}[\"']"
    )
    for number, line in file.added():
        text = line.decode("utf-8", "replace")
        if name in text and form.search(text):
            yield _hit(rule, file.path, number, text, name)


def asked(change: Change) -> Iterator[Hit]:
    """Tests of the base that newly ask for a skip that the change does not bring."""
    touched = {file.path for file in change.files}
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or not is_test_file(file.path):
            continue
        lines = [(number, line) for number, line in file.added() if ASKS.search(line)]
        if lines:
            yield from _judged(file, lines, change, touched)


def _judged(file: FileChange, lines: Iterable[tuple[int, bytes]], change: Change, touched: set[str]) -> Iterator[Hit]:
    before, after = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
    rows = after.split(b"\n")
    for number, line in lines:
        test = TEST.search(b"\n".join(rows[number - 1 :]))
        module = b"pytestmark" in line
        if not module and (test is None or re.search(rb"\bdef[ \t]+%s\b" % re.escape(test[1]), before) is None):
            continue
        asked_for = (word for found in ASKED.finditer(line) for word in NAMED.findall(found[0]))
        for word in dict.fromkeys(asked_for):
            if len(re.findall(rb"\b%s\b" % word, after)) > len(re.findall(rb"\b%s\b" % word, before)):
                rule = _skip_under(word, file.path, after, change, touched)
                if rule:
                    yield _hit(rule, file.path, number, line.decode("utf-8", "replace"), word.decode())
        if module or CLASS.match(_below(rows, number)):
            yield from _of_all(file.path, number, line, before, change)


def _below(rows: Sequence[bytes], number: int) -> bytes:
    """The first line behind one that is neither empty nor a decorator."""
    return next((row for row in rows[number:] if row.strip() and not row.strip().startswith(b"@")), b"")


def _of_all(path: str, number: int, line: bytes, before: bytes, change: Change) -> Iterator[Hit]:
    """What the fixtures that a line forces on tests of the base do to them."""
    words = {word for found in FORCED.finditer(line) for word in NAMED.findall(found[1])}
    for word in sorted(words) if TEST.search(before) else ():
        if re.search(rb"\b%s\b" % word, before) is None:
            rules = {hit.rule for hit in done_by(word.decode(), change)}
            yield from (
                _hit(rule, path, number, line.decode("utf-8", "replace"), word.decode()) for rule in sorted(rules)
            )


def _skip_under(word: bytes, path: str, text: bytes, change: Change, touched: set[str]) -> str:
    """The rule that a name breaks which another file gives; empty if it skips nothing."""
    mark = rb"^%s\s*=\s*(?:\w+\.)?(?:mark\.|unittest\.)(skip|xfail|expectedFailure)\b(?!if)" % word
    fixture = (
        rb"fixture\b[^\n]*\n(?:async[ \t]+)?def[ \t]+%s\([^)]*\)[^\n:]*:\n(?:[ \t]+(?:\"\"\"[^\"]*\"\"\"|#[^\n]*)\n)?"
        rb"[ \t]+pytest\.(skip|xfail)\(" % word
    )
    for form, places in ((mark, _imported(word, path, text)), (fixture, conftests(path))):
        for place in places:
            found = re.search(form, change.blobs.after(place) or b"", re.MULTILINE)
            brought = place in touched and re.search(form, change.blobs.before(place) or b"", re.MULTILINE) is None
            if found is not None and not brought:
                return "py.skip" if found[1] == b"skip" else "py.xfail"
    return ""


def _imported(word: bytes, path: str, text: bytes) -> Iterator[str]:
    """The files from which a name may be imported."""
    folder = posixpath.dirname(path)
    for module, names in IMPORT.findall(text):
        if not re.search(rb"\b%s\b(?!\s+as\b)" % word, names):
            continue
        written = module.decode()
        levels = len(written) - len(written.lstrip("."))
        inner = written.lstrip(".").replace(".", "/")
        here = posixpath.normpath(posixpath.join(folder, *[".."] * (levels - 1))) if levels else folder
        roots = (here,) if levels else (*ROOTS, folder)
        yield from (posixpath.normpath(posixpath.join(root, f"{inner}.py")) for root in roots if inner)


def _hit(rule: str, path: str, line: int, text: str, name: str) -> Hit:
    return hit_at(rule, path, line, f"{name} skips, and a test asks for it", text.strip(), key=f"asks for {name}")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (asked,)
