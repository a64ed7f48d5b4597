"""Variables in commands of tox that stand for nothing unless somebody says more: `pytest {posargs:{env:ARGUMENTS:}}`.

Rule: `{env:NAME:}` is what the section, or else the general one, sets under that name, and nothing where neither does.
What is set for some of the listed environments only (`psutil: NAME = -k psutil`) is not what the others run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ralph.guardrails.config.node import Key, Node
from ralph.guardrails.config.python_tasks.tox_lists import is_asked_for, listed_in
from ralph.system.patterns import later

VARIABLE = later(r"\{env:(?P<name>\w+):\}")
SAID = later(r"(?:(?P<condition>!?[\w.{},!-]+):\s+)?(?P<name>\w+)\s*=\s*(?P<value>.*)")
DEEPEST = 3
"""One variable may stand for another."""
LONGEST = 2_000


def filled_in(text: str, node: Node, section: Key) -> str:
    """The command with what such variables stand for; `node` is the whole file."""
    if "{env:" not in text:
        return text
    said = dict(_said(node, section))
    for _ in range(DEEPEST):
        said = {name: _put_in(value, said) for name, value in said.items()}
    return _put_in(text, said)


def _said(node: Node, section: Key) -> Iterator[tuple[str, str]]:
    """The names and values that hold in all environments; of several the last one counts."""
    listed = listed_in(node)
    for place in (("testenv",), section):
        for key in ("setenv", "set_env"):
            value = node.at(*place, key)
            for item in value.items if value is not None else ():
                found = SAID.match(item.text.strip())
                if found is not None and all(is_asked_for(found["condition"] or "", each) for each in listed):
                    yield found["name"], found["value"].strip()


def _put_in(text: str, said: Mapping[str, str]) -> str:
    filled = VARIABLE.sub(lambda found: said.get(found["name"], ""), text)
    return filled if len(filled) <= LONGEST else text
