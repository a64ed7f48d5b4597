"""A command of tox as text: what it runs if its caller says nothing more.

Rules:

- `{posargs:-W docs}` stands for its default, and so does `{ replace = "posargs", default = ["-W", "docs"] }` in a list
  of words. What other tables stand for is not known.
- `{/}` and `{:}` are what they show.
"""

from __future__ import annotations

from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

SIGN = later(r"\{([/:])\}")
DEFAULT = later(r"\{posargs:((?:[^{}]++|\{[^{}]*+\})++)\}")


def command(item: Node) -> str:
    """`item` is a line of text, or a list of words."""
    text = " ".join(map(_word, item.items)) if isinstance(item.value, list) else item.text
    return DEFAULT.sub(lambda found: found[1], SIGN.sub(r"\1", text))


def _word(word: Node) -> str:
    if not word.mapping:
        return canonical(word)
    said, default = word.at("replace"), word.at("default")
    if said is None or default is None or canonical(said) != "posargs":
        return "{posargs}"
    return " ".join(map(canonical, default.items))
