"""Settings in Ruby that hold only where a variable is set: `if ENV["COVERAGE"]` around them.

Rule: a variable that no command, no recipe and no pipeline of the tree sets is not there: what hangs on it is not said.
Those that CI sets by itself are there. A condition with other parts, or a default, may hold.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.side import Side
from ralph.guardrails.source import Source, parent_of
from ralph.system.patterns import later

ASKED = later(
    r"(?P<not>!|not )?\s*\(?ENV(?:\[|\.(?:fetch|key\?|has_key\?|include\?|member\?)\(?\s*)\s*"
    r"[\"'](?P<name>\w+)[\"']\s*[\])]?(?P<rest>.*)",
    re.DOTALL,
)
BY_ITSELF = later(r"CI|CONTINUOUS_INTEGRATION|\w+_CI|CIRCLECI|TRAVIS|GITHUB_\w+|GITLAB_\w+|BUILDKITE\w*|JENKINS_\w+")
TRUE = later(r"\)?\s*(?:==\s*[\"']?\w+[\"']?|\.(?:present\?|to_s\.\S+)|=~.*)?\s*")
FALSE = later(r"\)?\s*(?:\.(?:nil|blank|to_s\.empty)\?|!=\s*[\"']?\w+[\"']?|==\s*nil)\s*")
TASKS = later(r"(?:^|/)(?:Rakefile|\.env[\w.]*|\.envrc|\.rspec|\.travis\.yml|Procfile[\w.]*|[^/]+\.rake)$|(?:^|/)bin/")
POSITIVE, NEGATIVE = frozenset({"if", "if_modifier", "elsif"}), frozenset({"unless", "unless_modifier"})


def holds(source: Source, node: tree_sitter.Node, side: Side) -> bool:
    """Nothing that a place hangs on is unset."""
    below, above = node, parent_of(node)
    while above is not None:
        condition = above.child_by_field_name("condition")
        if condition is not None and below != condition and above.type in POSITIVE | NEGATIVE:
            wanted = (above.type in POSITIVE) is not (below == above.child_by_field_name("alternative"))
            if _answer(source.text(condition), side) is (not wanted):
                return False
        if any(_leaves(source, each, side) for each in _before(above, below)):
            return False
        below, above = above, parent_of(above)
    return True


def _before(place: tree_sitter.Node, child: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    if place.type == "program":
        yield from (each for each in place.named_children if each.end_byte <= child.start_byte)


def _leaves(source: Source, statement: tree_sitter.Node, side: Side) -> bool:
    """`return unless ENV["COVERAGE"]`."""
    body, condition = (statement.child_by_field_name(name) for name in ("body", "condition"))
    if statement.type not in ("if_modifier", "unless_modifier") or body is None or condition is None:
        return False
    return body.type == "return" and _answer(source.text(condition), side) is (statement.type == "if_modifier")


def _answer(condition: str, side: Side) -> bool | None:
    """What a question for a variable gives where that is unset; None for one that is set, and for any other. In CI,
    `CI` is set."""
    asked = ASKED.fullmatch(condition.strip())
    if asked is None or (asked["name"] != "CI" and BY_ITSELF.fullmatch(asked["name"])):
        return None
    answer = False if TRUE.fullmatch(asked["rest"]) else True if FALSE.fullmatch(asked["rest"]) else None
    if answer is not None and asked["name"] == "CI":
        return answer is bool(asked["not"])
    if answer is None or _is_set(asked["name"], side):
        return None
    return answer is not bool(asked["not"])


def _is_set(name: str, side: Side) -> bool:
    form = re.compile(rf"\b{name}\b[\"']?\]?\s*(?:\|\|=|=>|=(?![=~])|:)")
    tasks = (path for path in side.paths if TASKS.search(path) and not posixpath.basename(path).endswith(".rb"))
    return any(form.search(side.text(path) or "") for path in sorted({*tasks, *command_files(side)}))
