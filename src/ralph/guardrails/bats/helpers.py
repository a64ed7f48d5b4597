"""Functions of a file of bats that run something and ask about it, written out where a test calls them (class G05).

    expands_to() {                      @test "a name stays" {
      run expand "$1"                     expands_to db db
      [ "$status" -eq 0 ]               }
      [ "$output" = "$2" ]
    }

Rules: a function whose body is plain commands, one after the other, that asks something, and that is defined once, in
the file or in one that it loads. What it is handed stands for `$1`, `$2` and `$@`. One that is called with something
after it (`|| true`), and one whose words only running could tell, stays as it is.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence

from ralph.guardrails.bats.joined import joined
from ralph.guardrails.inventory.readers import Paths
from ralph.system.patterns import later

HEAD = later(r"^(?:function[ \t]+)?(?P<name>[A-Za-z_][\w-]*)[ \t]*(?:\(\))?[ \t]*\{[ \t]*$")
ASKS = later(r"^(?:\[\[?[ \t]|test[ \t]|assert|refute|!?[ \t]*(?:diff|cmp|grep|[ef]grep)[ \t])")
BRANCHES = later(
    r"^(?:if|for|while|until|case|select|return|exit|shift|trap|set|eval|skip|done|fi|esac|then|else|do)\b|^[{}()]"
    r"|(?:&&|\|\|)|[^&>]&[ \t]*$|[^|]\|[^|]"
)
CALL = later(
    r"(?P<name>[A-Za-z_][\w-]*)(?P<words>(?:[ \t]+(?:\$'(?:[^'\\]|\\.)*'|'[^']*'|\"[^\"$`]*\"|[\w./:,=@%+-]+))*)"
)
WORD = later(r"\$'(?:[^'\\]|\\.)*'|'[^']*'|\"[^\"$`]*\"|[\w./:,=@%+-]+")
PARAMETER = later(r"(?P<quote>\"?)\$(?:\{(?P<braced>[1-9]|[@*])\}|(?P<plain>[1-9]|[@*]))(?P=quote)")
ANY_PARAMETER = later(r"\$\{?[\d@*#]")
LOADS = later(r"[ \t]*(?:load|source|\.)[ \t]+[\"']?(?P<name>[^\s\"';|&]+)")
FOLDER = later(r"^\$\{?(?:BATS_TEST_DIRNAME|TEST_DIR)\}?/|^\./")
MOST = 20
"""Commands of a function that is written out."""

Statements = Callable[[Sequence[str]], list[str]]


def functions_of(outside: Sequence[str], statements: Statements) -> Mapping[str, Sequence[str]]:
    """The commands of each function that is plain, by its name."""
    found: dict[str, Sequence[str]] = {}
    twice: set[str] = set()
    for at, line in enumerate(outside):
        head = HEAD.match(line)
        if head is None:
            continue
        end = next((each for each in range(at + 1, len(outside)) if outside[each].startswith("}")), at)
        body = statements(joined(outside[at + 1 : end]))
        if head["name"] in found:
            twice.add(head["name"])
        plain = len(body) <= MOST and not any(map(BRANCHES.search, body))
        if plain and any(map(ASKS.match, body)):
            found[head["name"]] = body
    return {name: body for name, body in found.items() if name not in twice}


def loaded(outside: Sequence[str], path: str, paths: Paths) -> list[str]:
    """The lines of the files beside it that a file loads."""
    found: list[str] = []
    for line in outside:
        match = LOADS.match(line)
        name = FOLDER.sub("", match["name"]) if match is not None else ""
        if name and "$" not in name:
            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            known = next((each for each in (place, f"{place}.bash", f"{place}.sh") if each in paths.all()), None)
            data = paths.read(known) if known is not None else None
            found += (data or b"").decode("utf-8", "replace").split("\n")
    return found


def written_out(statement: str, functions: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The commands of a call, or what is none as it is."""
    call = CALL.fullmatch(statement) if functions else None
    body = functions.get(call["name"], ()) if call is not None else ()
    if call is None or not body:
        return (statement,)
    words = WORD.findall(call["words"])
    told = [_handed(each, words) for each in body]
    return (statement,) if any(map(ANY_PARAMETER.search, told)) else told


def _handed(command: str, words: Sequence[str]) -> str:
    def given(match: re.Match[str]) -> str:
        name = match["braced"] or match["plain"]
        if name in "@*":
            return " ".join(words)
        return words[int(name) - 1] if int(name) <= len(words) else '""'

    whole = PARAMETER.sub(lambda match: given(match) if _is_word(match) else match[0], command)
    return PARAMETER.sub(lambda match: f"{match['quote']}{_bare(given(match))}{match['quote']}", whole)


def _is_word(match: re.Match[str]) -> bool:
    """Nothing else stands in the word."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    return (not before or before[-1] in " \t=") and (not after or after[0] in " \t;")


def _bare(word: str) -> str:
    return word[1:-1] if word[:1] in "'\"" else word
