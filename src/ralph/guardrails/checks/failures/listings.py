"""Programs that list what is wrong and end well whatever they list: `gofmt -l .` (policy set v2, class G10).

Rule: somebody has to ask whether they listed anything: `test -z "$(gofmt -l .)"`, `diff <(gofmt -d .) <(echo -n)`,
`gofmt -l . | grep .`. What asks fails, or does not, as it would with one file in the list. Where nobody asks any more,
the failure of the check is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.checks.shell.script import Script
from ralph.system.patterns import later

LISTERS = frozenset(("gofmt", "goimports", "gofumpt"))
LISTED = "a.go"
"""What they list, as it were."""
SUBSTITUTED = frozenset({"command_substitution", "process_substitution"})
COUNTS = later(r"\|\s*wc\b")
COMPARES, FINDS = frozenset(("diff", "cmp")), frozenset(("grep", "egrep", "read"))
UNHEARD = "it ends well whatever it lists, and nobody asks whether it lists anything"


def is_lister(words: Sequence[str]) -> bool:
    return words[0] in LISTERS and not {"-l", "-d"}.isdisjoint(words)


def ends_well(words: Sequence[str]) -> bool:
    """Whatever it finds; newer versions of gofmt fail with `-d`."""
    return words[0] in LISTERS and "-l" in words and "-d" not in words


def is_heard(script: Script, place: int) -> bool:
    """What the command at this place writes goes to another one, or into a word."""
    node: tree_sitter.Node | None = script.root.descendant_for_byte_range(place, place + 1)
    while node is not None:
        above = node.parent
        if node.type in SUBSTITUTED:
            return True
        if above is not None and above.type == "pipeline" and node != above.named_children[-1]:
            return True
        node = above
    return False


def listed_in(script: Script, substitution: tree_sitter.Node) -> str:
    """What a substitution gives that holds one that lists something."""
    return "1" if COUNTS.search(script.of(substitution)) else LISTED


def name_of(substitution: tree_sitter.Node) -> str:
    """Under which name what it gives is held among the variables of the script."""
    return f"$({substitution.start_byte})"


def asks(node: tree_sitter.Node, words: Sequence[str], failing: int) -> int | None:
    """How a command ends that compares or looks through what is listed; None for any other."""
    if words[0] not in COMPARES | FINDS or not (_holds(node, failing) or _comes_before(node, failing)):
        return None
    return int(words[0] in COMPARES)


def _comes_before(node: tree_sitter.Node, failing: int) -> bool:
    """What is listed is piped into the command."""
    above = node.parent
    while above is not None:
        if above.type == "pipeline" and above.start_byte <= failing < node.start_byte:
            return True
        above = above.parent
    return False


def _holds(node: tree_sitter.Node, failing: int) -> bool:
    return node.start_byte <= failing < node.end_byte
