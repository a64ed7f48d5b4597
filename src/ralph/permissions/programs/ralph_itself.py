"""Ralph as a program that an agent calls: what only tells or publishes is for agents, everything else is a person's.

Rule: nobody approves their own action. Approvals, exceptions, gates, the breaker, the policy's start and the doors of
clients are refused under every name that Ralph has. Design decisions 24 and 27.
"""

from __future__ import annotations

from itertools import pairwise

from ralph.permissions.programs.answers import subcommands
from ralph.permissions.programs.arguments import sort_words, table
from ralph.permissions.programs.model import Call, Reader, Use
from ralph.record import replace

OPTIONS = table(flags="--json --help -h --version", directories="-C")
TELLING = frozenset(
    {
        ("emit",),
        ("status",),
        ("tasks",),
        ("verify",),
        ("scan",),
        ("claims",),
        ("doctor",),
        ("plan", "list"),
        ("plan", "show"),
        ("plan", "next"),
        ("memory", "--show"),
        ("memory", "--stats"),
        ("audit", "list"),
        ("audit", "show"),
        ("audit", "verify"),
        ("policy", "list"),
        ("policy", "show"),
        ("policy", "rules"),
        ("policy", "explain"),
        ("hats", "list"),
        ("hats", "show"),
        ("hats", "graph"),
        ("events", "check"),
        ("permissions", "check"),
        ("prompt", "parse"),
    }
)
READS_FILES = frozenset({"--adapter", "--context", "--policy-file", "--contract", "--diff"})
OF_A_PERSON = "is a person's decision or starts Ralph itself: it is not for agents"


def ralph(call: Call) -> Use:
    """`ralph …`, `ralph-agent …`, `python -m ralph …`."""
    words = sort_words(call.args, OPTIONS, leading=True)
    operands = words.operands
    if not operands:
        return replace(words.use(), subcommand=("ralph",), only_reads=bool(call.args) and not words.unknown)
    texts = tuple("" if arg.text is None else arg.text for arg in operands[:2])
    named = ("ralph", *subcommands(operands, 2))
    if any(arg.text is None for arg in operands[:2]) or not {texts[:1], texts} & TELLING:
        shown = " ".join(texts).strip()
        return replace(words.use(), subcommand=named, refused=f"`ralph {shown}` {OF_A_PERSON}")
    files = tuple(value for option, value in pairwise(operands) if option.text in READS_FILES)
    return replace(words.use(), subcommand=named, reads=files)


PROGRAMS: dict[str, Reader] = {"ralph": ralph, "ralph-agent": ralph, "ralph-governance": ralph}
