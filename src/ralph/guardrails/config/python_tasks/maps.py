"""Functions of a Python script that are handed to what calls them for each item: `pool.map(run, CHECKS)`.

`pool.submit(run, gate)` in a loop does so, too. What such a function gives goes to whoever asks for it: in a
dictionary, the one who asks for the key; in a tuple, the one who takes it apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.syntax import walk
from ralph.system.patterns import later

Node = tree_sitter.Node
MAPS = later(rb"(?:\w+\.)*(?:map|imap|imap_unordered)")
HANDS = later(rb"(?:\w+\.)*(?:submit|apply|apply_async|to_thread|run_in_executor|run_sync)")
TAKEN_APART = later(r"\bfor\s+\w+\s*,|^\s*\w+\s*,[^\n=]*=(?!=)|\.result\(|\bstarmap\b|\bzip\(", re.MULTILINE)
"""`for name, code in results`, `code.result()`."""
WORD = later(rb"\w+")
WRITTEN_OUT = later(r"\bjson\.|\.write|\bcsv\.|\bpickle\b|\basdict\b|\.values\(\)|\.items\(\)|\*\*")
"""Others may read what is kept."""


def given_items(function: Node, name: bytes | None, root: Node) -> Iterator[Node]:
    """What stands for the first parameter of a function: an iterable in a map, or an argument that is handed on."""
    own, listed = function.child_by_field_name("name"), function.child_by_field_name("parameters")
    first = next((each for each in listed.named_children if each.type != "comment"), None) if listed else None
    word = WORD.match(first.text or b"") if first is not None else None
    if own is None or name is None or word is None or word[0] != name:
        return
    for call in walk(root):
        called, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if call.type != "call" or called is None or given is None:
            continue
        arguments = [each for each in given.named_children if each.type != "comment"]
        at = next((at for at, each in enumerate(arguments) if each.text == own.text), -1)
        if 0 <= at < len(arguments) - 1 and (MAPS.fullmatch(called.text or b"") or HANDS.fullmatch(called.text or b"")):
            yield arguments[at + 1]


def is_unread(value: Node, text: str) -> bool:
    """It stands in a dictionary under a key that nobody asks for, or in a tuple that nobody takes apart: in what a
    function gives back or adds to a list."""
    kept = value.parent
    whole = kept.parent if kept is not None and kept.type == "pair" else kept
    above = whole.parent if whole is not None else None
    if above is not None and above.type == "argument_list" and above.parent is not None:
        called = above.parent.child_by_field_name("function")
        above = above.parent if called is not None and (called.text or b"").endswith(b".append") else None
    if kept is None or above is None or above.type not in ("return_statement", "call") or WRITTEN_OUT.search(text):
        return False
    if kept.type == "pair":
        key = kept.child_by_field_name("key")
        word = re.escape((key.text or b"").decode("utf-8", "replace").strip("\"'")) if key is not None else ""
        return bool(word) and re.search(rf"(?:\[|\b(?:get|pop|itemgetter)\()\s*[\"']{word}[\"']", text) is None
    at = kept.named_children.index(value)
    taken = re.search(rf"\[\s*(?:{at}|-{len(kept.named_children) - at})\s*\]", text)
    return taken is None and TAKEN_APART.search(text) is None
