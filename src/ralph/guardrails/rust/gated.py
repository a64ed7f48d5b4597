"""Rust: tests that could not be built without a feature before they were kept back without it (class G04).

Rule: a test of the base that names an item, or stands in a module that imports one, was built only where that item was.
Where each declaration of the item follows from the condition that the test has now, the test loses no run. It counts
what the base says, and there only what is named whatever is on:

- the imports of the test and of its module, the types that the test names, and what it calls;
- a declaration is kept back by its own `cfg` attributes, those of what encloses it, those of the `mod` lines that lead
  to its file, and by a macro around it whose definition names one feature;
- the declarations of the file that a path leads to, else those of the test's own file, else all of the package.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cache

import tree_sitter

from ralph.guardrails.config.commands.manifests import manifest_of
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change
from ralph.guardrails.rust.declared import leading
from ralph.guardrails.rust.implied import follows
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

MOST_FILES = 400
WHOLE = "#[cfg({})]"
FEATURE = later(rb"\bfeature\s*=\s*\"([^\"]+)\"")
TURNED = later(rb"\b(?:not|any)\s*\(")
DECLARING = (
    rb"\b(?:(?:struct|enum|union|type|trait|fn|const|static)\s+%s\b|pub(?:\([^)]*\))?\s+use\b[^;]*\b%s\b(?:\s*[,;}]))"
)
MACRO = rb"\bmacro_rules!\s*%s\s*\{"
CFG = later(r"#!?\[\s*cfg\s*\(")
Path = tuple[str, ...]


class Gated:
    """What the base's package of a file keeps back."""

    def __init__(self, change: Change) -> None:
        self._read = change.blobs.before
        self._after = change.blobs.after
        self._paths = change.blobs.paths_before()
        self._source = cache(lambda path: read_source(path, "rust", self._read(path)))
        self._files = cache(self._files_of)

    def was_needed(self, path: str, test: Path) -> bool:
        """Whether the test was built at the base only where all that it asks for now holds."""
        was, now = _test(self._source(path), test), _test(read_source(path, "rust", self._after(path)), test)
        source = self._source(path)
        if source is None or was is None or now is None or manifest_of(path, self._paths) is None:
            return False
        known = [" ".join(each.split()) for each in _all_around(was)]
        asked = [each for each in _all_around(now) if " ".join(each.split()) not in known]
        named = list(dict.fromkeys(_named(source, was)))
        return bool(asked) and all(any(self._follows(each, path, name) for name in named) for each in asked)

    def _follows(self, attribute: str, path: str, named: Path) -> bool:
        declared = False
        for conditions in self._declarations(path, named):
            if not follows(attribute, conditions):
                return False
            declared = True
        return declared

    def _declarations(self, path: str, named: Path) -> Iterator[Sequence[str]]:
        """The conditions of each declaration that the name may mean."""
        form = re.compile(DECLARING % ((re.escape(named[-1].encode()),) * 2))
        inside = [each for each in named[:-1] if each not in ("crate", "self", "super")]
        files = self._files(manifest_of(path, self._paths) or "")
        if inside:
            led = tuple("/".join(inside) + end for end in (".rs", "/mod.rs"))
            files = [each for each in files if f"/{each}".endswith(tuple(f"/{end}" for end in led))] or files
        else:
            files = [path] if form.search(self._read(path) or b"") else files
        for file in files:
            source = self._source(file) if form.search(self._read(file) or b"") else None
            for match in form.finditer(source.data) if source is not None else ():
                if source is not None and (node := _item_at(source, match.start())) is not None:
                    yield [*self._around(source, node), *self._of_file(file, 0)]

    def _around(self, source: Source, node: tree_sitter.Node) -> Iterator[str]:
        """The conditions of an item, with those of macros around it."""
        yield from _all_around(node)
        above: tree_sitter.Node | None = node
        while above is not None:
            macro = above.child_by_field_name("macro") if above.type == "macro_invocation" else None
            if macro is not None and (only := self._of_macro(source.path, text_of(macro))):
                yield only
            above = above.parent

    def _of_macro(self, path: str, name: str) -> str:
        """The condition of a macro that is defined in the package, where that is plain."""
        form = re.compile(MACRO % re.escape(name.rpartition("::")[2].encode()))
        for file in self._files(manifest_of(path, self._paths) or ""):
            data = self._read(file) or b""
            match = form.search(data)
            if match is not None:
                text = data[match.start() : _end(data, match.end())]
                names = set(FEATURE.findall(text))
                plain = len(names) == 1 and TURNED.search(text) is None
                return WHOLE.format(f'feature = "{names.pop().decode("utf-8", "replace")}"') if plain else ""
        return ""

    def _of_file(self, path: str, depth: int) -> list[str]:
        """What the `mod` lines above a file ask for."""
        name = posixpath.basename(path)
        stem = posixpath.basename(posixpath.dirname(path)) if name == "mod.rs" else name.removesuffix(".rs")
        for above in leading(path, self._paths) if depth < 8 else ():
            source = self._source(above)
            line = re.search(rb"\bmod\s+%s\s*;" % re.escape(stem.encode()), source.data if source else b"")
            node = _item_at(source, line.start()) if source is not None and line is not None else None
            if source is not None and node is not None:
                return [*self._around(source, node), *self._of_file(above, depth + 1)]
        return []

    def _files_of(self, manifest: str) -> list[str]:
        """The product files of a package, if they are not too many."""
        folder = posixpath.join(posixpath.dirname(manifest), "src/")
        found = sorted(path for path in self._paths if path.startswith(folder) and path.endswith(".rs"))
        return found if len(found) <= MOST_FILES else []


def _test(source: Source | None, test: Path) -> tree_sitter.Node | None:
    """The only function of that path."""
    functions = source.captures("(function_item) @found") if source is not None else ()
    found = [node for node in functions if _path_of(node) == test]
    return found[0] if len(found) == 1 else None


def _path_of(node: tree_sitter.Node) -> Path:
    names: list[str] = []
    above: tree_sitter.Node | None = node
    while above is not None:
        name = above.child_by_field_name("name") if above.type in ("function_item", "mod_item") else None
        names += [text_of(name)] if name is not None else []
        above = above.parent
    return tuple(reversed(names))


def _named(source: Source, test: tree_sitter.Node) -> Iterator[Path]:
    """The paths that stand in a test, and in the imports beside it, under no condition."""
    beside = test.parent.named_children if test.parent is not None else []
    body = test.child_by_field_name("body")
    local = set(re.findall(r"\b(?:let(?: mut)?|fn|struct|enum|type|trait)\s+(\w+)", text_of(body) if body else ""))
    for place in (*(each for each in beside if each.type == "use_declaration"), *([body] if body else [])):
        for node in source.walk(place):
            if node.type == "use_declaration" and not _is_conditional(node, test):
                yield from _imported(text_of(node))
            path = _path_at(node)
            if path and path[0] not in local and not _is_conditional(node, test):
                yield path


def _path_at(node: tree_sitter.Node) -> Path:
    """A type that is named, or what is called; what a macro is given are single words."""
    parent = node.parent
    if parent is None:
        return ()
    if parent.type == "token_tree":
        after = text_of(node.next_sibling)[:1] if node.next_sibling is not None else ""
        means = node.type == "identifier" and (after == "(" or (text_of(node)[:1].isupper() and after != ":"))
        return tuple(reversed([text_of(node), *_words_before(node)])) if means else ()
    called = parent.type == "call_expression" and parent.child(0) == node
    plain = node.type == "type_identifier" and parent.type != "scoped_type_identifier"
    if plain or node.type == "scoped_type_identifier" or (called and node.type in ("identifier", "scoped_identifier")):
        return tuple(re.sub(r"<.*?>|\s", "", text_of(node)).split("::"))
    return ()


def _words_before(node: tree_sitter.Node) -> Iterator[str]:
    """Those of the path that ends in a word among the words for a macro, the last first."""
    mark = node.prev_sibling
    while mark is not None and mark.type == "::" and mark.prev_sibling is not None:
        yield text_of(mark.prev_sibling)
        mark = mark.prev_sibling.prev_sibling


def _imported(text: str) -> Iterator[Path]:
    """The paths of a `use`; none of another package, and not what a star takes."""
    told = re.fullmatch(r"(?:pub(?:\([^)]*\))?\s+)?use\s+((?:crate|super|self)\b[^{;]*)(?:\{([^{}]*)\})?\s*;", text)
    if told is None:
        return
    start = [each for each in re.sub(r"\s+as\s+\w+|\s", "", told[1]).split("::") if each]
    for name in (told[2] or "").split(",") if told[2] is not None else [""]:
        path = [*start, *re.sub(r"\s+as\s+\w+|\s", "", name).split("::")] if name.strip() else start
        if path[-1] not in ("*", "self") and len(path) > 1 and (name.strip() or told[2] is None):
            yield tuple(path)


def _is_conditional(node: tree_sitter.Node, test: tree_sitter.Node) -> bool:
    """Something between a place and its test has a condition of its own."""
    above: tree_sitter.Node | None = node
    while above is not None and above != test and above.type not in ("mod_item", "source_file"):
        if any(True for _ in _conditions(above)):
            return True
        above = above.parent
    return False


def _all_around(node: tree_sitter.Node) -> Iterator[str]:
    """The `cfg` attributes of an item and of all that encloses it."""
    above: tree_sitter.Node | None = node
    while above is not None:
        yield from _conditions(above)
        above = above.parent


def _conditions(node: tree_sitter.Node) -> Iterator[str]:
    """The `cfg` attributes above an item."""
    above = node.prev_named_sibling
    while above is not None and (above.type == "attribute_item" or "comment" in above.type):
        text = text_of(above) if above.type == "attribute_item" else ""
        if CFG.match(text):
            yield text
        above = above.prev_named_sibling


def _item_at(source: Source, place: int) -> tree_sitter.Node | None:
    """What is declared at a place; None for what stands in a comment or a text."""
    node = source.tree.root_node.descendant_for_byte_range(place, place + 1)
    while node is not None and node.type not in ("source_file", "token_tree"):
        if "comment" in node.type or "string" in node.type:
            return None
        if node.type.endswith(("_item", "_declaration")):
            return node
        node = node.parent
    return node if node is not None and node.type == "token_tree" else None


def _end(data: bytes, start: int) -> int:
    """Where the braces that were opened before `start` are closed."""
    depth = 1
    for mark in re.finditer(rb"[{}]", data[start:]):
        depth += 1 if mark[0] == b"{" else -1
        if not depth:
            return start + mark.end()
    return len(data)
