"""Groups of commands in a test of bats whose status is lost (policy set v2, class G05).

Rules: `{ … } || true`, `( … ) || :`, `{ … } | cat`, `{ … } &` and `! { … }` hear nothing of what fails inside, and so
it is with a status that is told in another way (`|| return 1` is). After `set +e` a command that fails stops nothing,
up to `set -e`; only the last one of the test counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.system.patterns import later

OPENS = later(r"^[ \t]*(?P<not>![ \t]*)?(?P<sign>[{(])[ \t]*$")
CLOSES = later(r"^[ \t]*(?P<sign>[})])(?P<rest>.*)$")
BEGINS = later(r"\{[ \t]*$")
LOSES = later(
    r"^[ \t]*(?:\|\|[ \t]*(?:true|:|echo\b.*|printf\b.*|return(?:[ \t]+0)?|exit[ \t]+0)[ \t]*$|\|(?!\|)|&(?!&))"
)
LETS_FAIL = later(r"^[ \t]*set[ \t]+\+[a-zA-Z]*e")
STOPS = later(r"^[ \t]*set[ \t]+-[a-zA-Z]*e")
COMMAND = later(r"^[ \t]*(?P<name>[A-Za-z_][\w-]*)(?![\w-]*[ \t]*(?:\(|=))")


def unheard_lines(body: Sequence[str]) -> frozenset[int]:
    """The lines, by their places, in which a failure stops nothing."""
    found: set[int] = set()
    opened: list[tuple[int, bool, bool]] = []
    last = max((at for at, line in enumerate(body) if line.strip() not in ("", "}")), default=0)
    lets_fail = False
    for at, line in enumerate(body):
        lets_fail = (lets_fail or LETS_FAIL.match(line) is not None) and not STOPS.match(line)
        if lets_fail and at != last:
            found.add(at)
        if opens := OPENS.match(line):
            opened.append((at, True, opens["not"] is not None))
        elif BEGINS.search(line):
            opened.append((at, False, False))
        elif (closes := CLOSES.match(line)) and opened:
            first, is_group, negated = opened.pop()
            if is_group and (negated or LOSES.match(closes["rest"])):
                found.update(range(first, at))
    return frozenset(found)


def called_in(body: Sequence[str]) -> frozenset[str]:
    """Names with which commands of the test begin: its own functions are among them."""
    return frozenset(match["name"] for line in body if (match := COMMAND.match(line)))
