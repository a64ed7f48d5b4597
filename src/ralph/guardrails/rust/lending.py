"""Rust: the files that lend tests their helpers, and macros that assert something of what they are given.

Rules:

- `common::check(x)`, and `check(x)` behind `use common::check;` or `use common::*;`, is the function of `common.rs` or
  `common/mod.rs` beside the file, or above or below it; `#[path]` says where else that stands.
- A macro of one rule whose parameters are single expressions is a function of them: it says what its body says.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.rust.built import STRING
from ralph.guardrails.source import Source
from ralph.syntax import parse
from ralph.system.patterns import later

USE = later(r"(?m)^[ \t]*(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);")
OUTSIDE = later(r"(?m)^[ \t]*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;")
PLACED = r"#\[\s*path\s*=\s*\"([^\"\n]+)\"\s*\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+%s\s*;"
KEYWORDS = frozenset({"crate", "self", "super"})
PARAMETER = later(r"\$(\w+)\s*:\s*(?:expr|literal|ident|path)")
TRAILING = later(r"\s*\$\(\s*,\s*\)\s*[?*]\s*$")
VARIABLE = later(r"\$(?:(crate)|(\w+))\b")
DEEPEST = 8

Path = tuple[str, ...]


def file_of(called: str, source: Source, paths: Paths) -> str | None:
    """The file that has what a call calls, its path written with dots; None if it is this one, or nobody can tell."""
    *modules, name = called.split(".")
    text = source.data.decode("utf-8", "replace")
    ways = [tuple(modules)] if modules else imported(name.removesuffix("!"), text)
    defines = rb"\bfn\s+%s\b" % name.encode()
    if name.endswith("!"):
        defines = rb"\bmacro_rules!\s*%s\b" % name[:-1].encode()
        ways = ways if any(set(way) - KEYWORDS for way in ways) else [(each,) for each in OUTSIDE.findall(text)]
    found = {file for way in ways for file in _files(way, text, source.path, paths)}
    found = {file for file in found if re.search(defines, paths.read(file) or b"")}
    return found.pop() if len(found) == 1 else None


def imported(name: str, text: str) -> list[Path]:
    """The modules that a file may have a name from: the one that it says, or all that it takes everything of."""
    uses = [each for tree in USE.findall(text) for each in _uses(tree)]
    said = [path for path, there, here in uses if here == name and there == name]
    renamed = any(here == name != there for _, there, here in uses)
    return [] if renamed else said or [path for path, there, _ in uses if there == "*"]


def as_function(macro: tree_sitter.Node) -> tree_sitter.Node | None:
    """A macro as a function of what it is given, on the lines where its body stands; None where it is no such thing."""
    rules = [each for each in macro.named_children if each.type == "macro_rule"]
    name = macro.child_by_field_name("name")
    left, right = (
        (rules[0].child_by_field_name(side) for side in ("left", "right")) if len(rules) == 1 else (None, None)
    )
    if name is None or left is None or right is None:
        return None
    listed = between_commas(TRAILING.sub("", text_of(left)[1:-1].strip()), STRING)
    taken = [PARAMETER.fullmatch(each.strip()) for each in listed if each.strip()]
    names = [each[1] for each in taken if each is not None]
    body = VARIABLE.sub(lambda match: match[1] or _given(match[2]), text_of(right)[1:-1])
    if len(names) < len(taken) or "$" in body:
        return None
    head = ", ".join(f"{_given(each)}: T" for each in names)
    made = f"{chr(10) * right.start_point.row}fn {text_of(name)}({head}) {{{body}}}"
    root = parse("rust", made.encode()).root_node
    return root.named_children[0] if root.named_children and not root.has_error else None


def _given(name: str) -> str:
    """A name that no variable of the macro's own has."""
    return f"given_as_{name}"


def _uses(tree: str, above: Path = (), depth: int = DEEPEST) -> Iterator[tuple[Path, str, str]]:
    """What `use a::{b, c as d, e::*}` takes: where it stands, its name there, and its name here."""
    head, brace, rest = tree.strip().partition("{")
    parts = [part.strip() for part in head.split("::") if part.strip()]
    if brace and depth:
        for each in between_commas(rest.rpartition("}")[0], STRING):
            yield from _uses(each, (*above, *parts), depth - 1)
    elif parts:
        there, _, here = parts[-1].partition(" as ")
        yield (*above, *parts[:-1]), there.strip(), (here or there).strip()


def _files(way: Path, text: str, path: str, paths: Paths) -> Sequence[str]:
    modules = [each for each in way if each not in KEYWORDS]
    if not modules:
        return ()
    folder, stem = posixpath.dirname(path), posixpath.basename(path)[:-3]
    if (placed := re.search(PLACED % re.escape(modules[0]), text)) is not None:
        place = posixpath.normpath(posixpath.join(folder, placed[1]))
        return [place] if len(modules) == 1 and place in paths.all() else ()
    folders = (folder, posixpath.join(folder, stem), posixpath.dirname(folder))
    ends = ("/".join(modules) + ".rs", "/".join(modules) + "/mod.rs")
    named = {posixpath.join(each, end) for each in folders for end in ends} - {path}
    return sorted(named & paths.all())
