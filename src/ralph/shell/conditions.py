"""The operands of `[[ … ]]`. It runs no command by itself, but what it computes with can: `-eq` and its like evaluate
both sides as arithmetic and `-v` a subscript, so that only plain numbers and names are read there."""

from __future__ import annotations

import re

from tree_sitter import Node

from ralph.shell.lexer import Lexer
from ralph.shell.model import Group, Word
from ralph.shell.opaque import Opaque

_SIGN = re.compile(r"\s+|&&|\|\||[()]|[<>](?!\()|!(?=\s)")
_ARITHMETIC = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_NAMES = frozenset({"-v", "-R", "-o"})
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Conditions(Lexer):
    def condition(self, node: Node) -> Group:
        start, end = node.start_byte, node.end_byte
        words: list[Word] = []
        at = start + 2
        while at < end - 2:
            if sign := _SIGN.match(self.text, at, end):
                at = sign.end()
                continue
            word, at = self.word(at, "pattern")
            words.append(word)
        if at != end - 2 or not words or not self.text.startswith("]]", at):
            raise Opaque("a `[[` whose end is unclear", (start, end))
        _check(words)
        return Group("test", (), (start, end), values=tuple(words))


def _check(words: list[Word]) -> None:
    for place, word in enumerate(words):
        beside = words[max(place - 1, 0) : place + 2]
        if word.literal in _ARITHMETIC and not (
            len(beside) == 3 and all(_NUMBER.fullmatch(side.literal or "") for side in (beside[0], beside[2]))
        ):
            raise Opaque("a comparison that evaluates its operands", word.span, "OPAQUE_ARITHMETIC")
        if word.literal in _NAMES and not _NAME.fullmatch(beside[-1].literal or ""):
            raise Opaque("a test that evaluates its operand", word.span, "OPAQUE_ARITHMETIC")
