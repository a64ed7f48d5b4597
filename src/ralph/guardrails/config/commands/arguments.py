"""Coverage floors that a command gives to a script of the project: `./scripts/min-cover.sh cover.out 80`.

Rules: the script's name speaks of coverage and of a limit, or an option does that is given with the number. The same
call, but for its number, is the same floor; one that is gone or called in another way is no matter of these rules.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ralph.guardrails.config.command_files.scripts import Run
from ralph.guardrails.config.lattice import Worse, floor
from ralph.guardrails.config.node import Key, Node
from ralph.system.patterns import later

MEASURE = later(r"(?:^|[-_.])(?:test)?cov(?:er|erage|rate)?(?:$|[-_.])|coverage", re.IGNORECASE)
LIMIT = later(
    r"(?:^|[-_.])(?:min(?:imum)?|thresh(?:old)?|floor|gate|check(?:er)?|require[ds]?|ensure|assert|enforce|verify"
    r"|fail|below|under|guard|limit|ratchet|goal|target)(?:$|[-_.])",
    re.IGNORECASE,
)
CEILING = later(r"max|uncovered|missed|missing|drop|delta|decrease|retries|jobs|timeout", re.IGNORECASE)
"""Of these fewer is stricter, or they are no floor at all."""
NUMBER = later(r"(?:\d{1,3})(?:\.\d+)?%?")
FILE = later(r"\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|php|go|awk)$")
INTERPRETERS = later(r"(?:ba|da|z|k)?sh|python[\d.]*|node|ruby|perl|php|bun|deno|tsx|ts-node|awk|go")


def argument_floors(runs: Iterable[Run]) -> Mapping[Key, Node]:
    """Every number that such a call gives, by the call without its numbers and by the number's place."""
    found: dict[Key, Node] = {}
    twice: set[Key] = set()
    for run in runs:
        for key, number in _of_call(run.words):
            (twice if key in found else set()).add(key)
            found[key] = run.node.with_value(number.rstrip("%"))
    return {key: node for key, node in found.items() if key not in twice}


def _of_call(words: Sequence[str]) -> Iterator[tuple[Key, str]]:
    at = 1 if INTERPRETERS.fullmatch(words[0]) and len(words) > 1 else 0
    at += int(words[at] == "run" and len(words) > at + 1)
    script = FILE.sub("", posixpath.basename(words[at]))
    if not MEASURE.search(script) or CEILING.search(script) or (at and not FILE.search(words[at])):
        return
    rest = words[at + 1 :]
    shape = " ".join("#" if NUMBER.fullmatch(word) else word.partition("=")[0] for word in rest)
    for index, word in enumerate(rest):
        option, given, value = word.partition("=")
        option, value = (option, value) if given else (rest[index - 1] if index else "", word)
        if not NUMBER.fullmatch(value):
            continue
        named = option.startswith("-") and option.strip("-") != ""
        says = option.strip("-") if named else script
        if LIMIT.search(says) and not CEILING.search(says):
            yield ("argument", script, shape, str(index)), value


def lower(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """A floor that both sides name and that fell."""
    if before is not None and after is not None:
        yield from floor()(before, after, paths)
