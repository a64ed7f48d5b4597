"""The codes that flake8 passes over in some files, by file: `per-file-ignores`.

Rules: commas, blanks and lines all part its words. Behind a colon stand the codes of the files that are named before
it; the first word that is no code begins with the next files. So several files may share a line, and one may take many.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

WORD = later(r"[^\s:,]+|:")
CODE = later(r"[A-Z]+[0-9]*")


def codes_by_file(node: Node | None) -> Iterator[tuple[str, Node]]:
    """Each pattern of files with one code after the other, which knows its line."""
    files: list[str] = []
    behind_colon = False
    for line in node.items if node is not None else ():
        for word in WORD.findall(canonical(line)):
            if word == ":":
                behind_colon = True
            elif behind_colon and CODE.fullmatch(word):
                code = line.with_value(word)
                yield from ((name, code) for name in files)
            else:
                files = [word] if behind_colon else [*files, word]
                behind_colon = False
