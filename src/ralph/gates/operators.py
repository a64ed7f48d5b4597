"""What looks like an operator and is none, refused with the form to write instead. Spec: shell verify gates.

The earlier system that this language comes from knew more operators. Those that Ralph lacks are errors where they
stand as operators, not where they are part of a sentence. A `verify` that nothing would run is an error everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from ralph.gates.forms import NAME, PRESETS, fold
from ralph.gates.tokens import Cursor, Quoted, Token, shorten

_QUOTE_IT = "or put the text into quotes if it is text"
_STRAY_VERIFY = re.compile(r"(?<![\w-])verify[:=\"]")
_BEGINNINGS = {
    "@": "a framework (@name) is not supported; say in the prompt how to work",
    "#": "a style (#name) is not supported; say in the prompt how to write",
    "%": "a modifier (%name) is not supported; leave it out",
    "&": "the text is escaped for XML; write the character > itself",
    "{": 'JSON is not taken here; write >>name key:"value"',
    "/": "a prompt begins with >>, not with /; write >>name",
}


def refuse_beginning(cursor: Cursor, token: Token) -> NoReturn:
    """The error for a word that stands where a step begins and is no prompt."""
    raw = token.raw
    refuse_operator(cursor, token, behind_text=False, beginning=True)
    if raw[0] in _BEGINNINGS:
        problem, _, way = _BEGINNINGS[raw[0]].partition("; ")
        cursor.fail(token.start, problem, way)
    if raw == ">>":
        cursor.fail(token.end, "the name of the prompt is missing", "write it directly behind >>")
    if not raw.startswith(">"):
        cursor.fail(token.start, "a step begins with the name of a prompt", "write >>name")
    if not raw.startswith(">>"):
        cursor.fail(token.start, "a single > begins nothing", "write >>name")
    name = re.match(rf">>(?:{NAME})?", raw)
    wrong = token.start + (name.end() if name else 0)
    way = "use ASCII letters, digits, - and _ (64 at most), a letter first, then a blank"
    cursor.fail(wrong, "this does not belong to the name of a prompt", way)


def refuse_operator(cursor: Cursor, token: Token, *, behind_text: bool, beginning: bool = False) -> None:
    """Raises LanguageError if the word is no ordinary word where it stands, outside gates."""
    if token.raw.isascii() and token.raw.isalpha() and token.raw.lower() != "verify":
        return  # as most words are
    bare = token.bare
    _refuse_arrows(cursor, token, bare)
    _refuse_colons(cursor, token, bare)
    _refuse_stray_verify(cursor, token, bare)
    _refuse_mispaired(cursor, token)
    if beginning:
        return
    if bare.startswith(">>"):
        cursor.fail(token.start, "a second prompt stands here without an arrow", f"put --> before it, {_QUOTE_IT}")
    _refuse_single(cursor, token, behind_text)


def _refuse_arrows(cursor: Cursor, token: Token, bare: str) -> None:
    if (at := bare.find("==>")) >= 0:
        cursor.fail(token.start + at, "delegation (==>) is not supported", f"write -->, {_QUOTE_IT}")
    if (at := bare.find("-->")) >= 0:
        cursor.fail(token.start + at, "the arrow does not stand alone", f"put blanks around -->, {_QUOTE_IT}")
    if bare in ("—>", "–>"):
        cursor.fail(token.start, f"{bare} is no arrow", f"type -->, {_QUOTE_IT}")


def _refuse_colons(cursor: Cursor, token: Token, bare: str) -> None:
    if not fold(bare).strip(":∷"):
        cursor.fail(
            token.start, f"`{shorten(bare)}` is no operator", f"write :: with a blank on either side, {_QUOTE_IT}"
        )
    if bare.startswith("::"):
        cursor.fail(token.start, "a blank is missing behind ::", f"write :: and then the gate, {_QUOTE_IT}")
    if bare.startswith(":") and fold(bare[1:12]) in PRESETS:
        cursor.fail(
            token.start, f"the option {bare} has no command before it", f'put it behind verify:"command", {_QUOTE_IT}'
        )
    if bare.endswith("::"):
        cursor.fail(token.end - 2, "a blank is missing before ::", f"put one there, {_QUOTE_IT}")


def _refuse_stray_verify(cursor: Cursor, token: Token, bare: str) -> None:
    following = cursor.peek()
    folded = fold(bare)
    goes_on = following is not None and following.kind == "word" and following.raw[0] in "\"':="
    if (goes_on and folded.strip("-:;,.([{") == "verify") or _STRAY_VERIFY.search(folded):
        cursor.fail(
            token.start,
            "verify stands outside a gate, where nothing runs it",
            f'write :: verify:"command", {_QUOTE_IT}',
        )


def _refuse_mispaired(cursor: Cursor, token: Token) -> None:
    """A single quote that holds a verify gate was an apostrophe: `'90s page :: verify:"pytest" for users'`."""
    for quoted in token.quoted:
        if cursor.text[quoted.start] == "'" and _STRAY_VERIFY.search(fold(quoted.value)):
            _fail_in_quotes(cursor, quoted)


def refuse_swallowed(cursor: Cursor, words: Iterable[Token]) -> None:
    """Raises LanguageError if these words of a text hold a quote with an operator in it.

    Only in a text that stands in double quotes as a whole it is certain that nothing opened them by mistake.
    """
    for word in words:
        for quoted in word.quoted:
            folded = fold(quoted.value)
            if _STRAY_VERIFY.search(folded) or not {"::", "-->"}.isdisjoint(folded.split()):
                _fail_in_quotes(cursor, quoted)


def _fail_in_quotes(cursor: Cursor, quoted: Quoted) -> NoReturn:
    problem = "the quote that opens here takes an operator into the text"
    cursor.fail(quoted.start, problem, "put the whole text into double quotes if that is meant, else remove the quote")


def _refuse_single(cursor: Cursor, token: Token, behind_text: bool) -> None:
    """`+`, `?`, `=` and `*N`, which are ordinary words in a sentence."""
    following = cursor.peek()
    quote_follows = following is not None and following.opens_quote
    if token.raw == "+" and not behind_text:
        cursor.fail(token.start, "steps side by side (+) are not supported", f"write -->, {_QUOTE_IT}")
    if token.raw == "+" and following is not None and following.raw.startswith(">>"):
        cursor.fail(token.start, "steps side by side (+) are not supported", f"write -->, {_QUOTE_IT}")
    if token.raw == "?" and (quote_follows or not behind_text):
        cursor.fail(token.start, "conditions (?) are not supported", f"ask for it in the text, {_QUOTE_IT}")
    if token.raw == "=" and (quote_follows or not behind_text):
        cursor.fail(token.start, "the gate operator = is no longer supported", f"write ::, {_QUOTE_IT}")
    if not behind_text and re.fullmatch(r"\*[0-9]+", token.raw):
        cursor.fail(token.start, "a blank is missing behind *", f"write * {token.raw[1:][:9]}, {_QUOTE_IT}")
