"""Lines that nobody compiles: in a comment over several lines, or under a condition that never holds."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.system.patterns import later

OPENS = later(
    r"(?P<star>/\*)|(?P<long>--\[=*\[)|(?P<equal>\#=)|(?P<round>\(\*(?!\)))|(?P<bar>\#\|)|(?P<brace>\{-)"
    r"|(?P<begin>=(?:begin|pod|head\d|for)\b)|(?P<never>\#[ \t]*if[ \t]+(?:0|false|False|FALSE)\b)"
)
CLOSES = {
    "star": later(r"\*/"),
    "long": later(r"\]=*\]"),
    "equal": later(r"=\#"),
    "round": later(r"\*\)"),
    "bar": later(r"\|\#"),
    "brace": later(r"-\}"),
    "begin": later(r"^=(?:end|cut)\b"),
    "never": later(r"^\#[ \t]*endif\b"),
}
BRANCHES, OTHERWISE = later(r"\#[ \t]*if"), later(r"\#[ \t]*(?:else|elif|elseif)\b")
NEVER = later(r"(?:if[ (]+(?:false|FALSE|False|0|nil)|unless[ (]+true)[ )]*(?:do|then|\{)$")
OPENED, CLOSED = later(r"(?:\b(?:do|then)|\{)$"), later(r"(?:end\b|\})")


def seen(lines: Sequence[str]) -> list[str]:
    """All lines, with nothing in the place of those that are not compiled. A comment counts that begins its line:
    `"src/*.c"` is none. What a documentation comment says stays (`@dataProvider`): with a star before it it is no code.
    """
    kept: list[str] = []
    within, depth = "", 0
    for line in lines:
        text = line.strip()
        if within:
            depth += _deeper(within, text)
            other = within == "never" and depth == 1 and OTHERWISE.match(text) is not None
            kept.append(line if within == "star" and text.startswith("*") else "")
            within = within if depth > 0 and not other else ""
            continue
        within = _opened(text)
        depth = 1
        kept.append("" if within and text != "/**" else line)
    return kept


def _opened(text: str) -> str:
    """What begins with a line and does not end with it."""
    if (opened := OPENS.match(text)) is None:
        return "dead" if NEVER.match(text) else ""
    kind = opened.lastgroup or ""
    return kind if kind == "never" or CLOSES[kind].search(text, opened.end()) is None else ""


def _deeper(within: str, text: str) -> int:
    """How many more are open behind a line: conditions stand in one another, comments do not."""
    if within == "dead":
        return (OPENED.search(text) is not None) - (CLOSED.match(text) is not None)
    return (within == "never" and BRANCHES.match(text) is not None) - (CLOSES[within].search(text) is not None)
