"""C#: what `#if` leaves out of a build (see `inventory`).

Rules: a symbol holds if the file, a project, or a file of properties defines it, or if the compiler, the SDK or a usual
platform may; one that nobody defines does not, nor does `false`. Of `&&`, `||` and `!` the usual, and what nobody can
tell is built.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

CONDITIONAL = frozenset({"preproc_if", "preproc_elif", "preproc_else"})
USUAL = later(
    r"DEBUG|TRACE|RELEASE|NET\w*|CORE\w*|WINDOWS\w*|LINUX|OSX|MACOS\w*|UNIX|UNITY\w*|ANDROID\w*|IOS\w*|MONO\w*|TVOS\w*"
    r"|MACCATALYST\w*|BROWSER\w*|WASM|TIZEN\w*|UAP\w*|WINUI\w*|XAMARIN\w*|CI|X86|X64|ARM64|CODE_ANALYSIS|NUNIT\w*|XUNIT\w*"
    r"|MSTEST\w*|STRYKER\w*|JETBRAINS\w*|BENCHMARK\w*|SILVERLIGHT|PORTABLE\w*|DOTNET\w*|FEATURE_\w+|HAS_\w+|SUPPORTS_\w+"
)
"""What a build may define by itself."""
PROJECTS = later(r"(?i)\.(?:csproj|props|targets|rsp|proj|vbproj|asmdef|cake|ya?ml|sh|ps1|cmd|sln|fsx)$")
"""Files that may define a symbol for a build."""
MOST_FILES = 400
TOKEN = later(r"\s*(&&|\|\||[!=]=|[!()]|[A-Za-z_]\w*|\d+)")
OPERATORS = frozenset({"&&", "||", "==", "!=", ")", ""})


def left_out(node: tree_sitter.Node, source: Source, paths: Paths, top: tree_sitter.Node | None = None) -> str:
    """Why no build has this place; with `top` only what that node says about it."""
    child, above = node, node.parent
    while above is not None:
        condition = above.child_by_field_name("condition") if above.type in CONDITIONAL else None
        if condition is not None and child != above.child_by_field_name("alternative"):
            if (top is None or above == top) and holds(text_of(condition), source, paths) is False:
                return f"`#if {text_of(condition)}` leaves it out"
        elif condition is not None and above == (top or above) and holds(text_of(condition), source, paths) is True:
            return f"`#if {text_of(condition)}` leaves it out"
        if above == top:
            return ""
        child, above = above, above.parent
    return ""


def holds(condition: str, source: Source, paths: Paths) -> bool | None:
    """Whether a condition does in each build; None if nobody can tell."""
    words = iter([*TOKEN.findall(condition.partition("//")[0]), ""])
    value, _ = _either(next(words), words, lambda name: _defined(name, source, paths))
    return value


def _defined(name: str, source: Source, paths: Paths) -> bool | None:
    if name in ("true", "false"):
        return name == "true"
    if name.isdecimal():
        return name != "0"
    if re.search(rb"^[ \t]*#[ \t]*define[ \t]+" + name.encode() + rb"\b", source.data, re.MULTILINE):
        return True
    known = paths.memo.once("csharp symbols", lambda: _symbols(paths))
    return None if USUAL.fullmatch(name) or name in known else False


def _symbols(paths: Paths) -> frozenset[str]:
    """Every word of the files that may define one."""
    listed = sorted(path for path in paths.all() if PROJECTS.search(path))[:MOST_FILES]
    texts = ((paths.read(path) or b"").decode("utf-8", "replace") for path in listed)
    return frozenset(word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text))


Known = Callable[[str], bool | None]


def _either(word: str, rest: Iterator[str], known: Known) -> tuple[bool | None, str]:
    """The value of what begins with `word`, and the word after it: `a || b`."""
    value, word = _both(word, rest, known)
    while word == "||":
        other, word = _both(next(rest, ""), rest, known)
        value = True if True in (value, other) else None if None in (value, other) else False
    return value, word


def _both(word: str, rest: Iterator[str], known: Known) -> tuple[bool | None, str]:
    value, word = _one(word, rest, known)
    while word in ("&&", "==", "!="):
        operator = word
        other, word = _one(next(rest, ""), rest, known)
        if operator == "&&":
            value = False if False in (value, other) else None if None in (value, other) else True
        else:
            value = None if None in (value, other) else (value == other) == (operator == "==")
    return value, word


def _one(word: str, rest: Iterator[str], known: Known) -> tuple[bool | None, str]:
    if word == "!":
        value, word = _one(next(rest, ""), rest, known)
        return (None if value is None else not value), word
    if word == "(":
        value, _ = _either(next(rest, ""), rest, known)
        return value, next(rest, "")
    return (None if word in OPERATORS else known(word)), next(rest, "")
