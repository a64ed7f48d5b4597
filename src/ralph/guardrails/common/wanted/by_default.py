"""Whether a helper records anew unless a variable that nothing sets tells it not to (class G13: see `overwritten`).

A condition around the write, or one that left the function before it, has to hold where no variable of the environment
is set. Services set some (`CI`), and the project others: in its scripts, in the configuration of its tools, or in CI.
So it is with an option (`-frozen`) that nothing there gives. A condition that says the same whether its variable is set
or not (`process.env.UPDATE ?? "0"`, where any text is a yes) may be about any.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.common.unset import is_settled, unset, variables
from ralph.guardrails.model import Change
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

BY_SERVICES = later(r"CI|CONTINUOUS_INTEGRATION|GITHUB_\w+|GITLAB_\w+|TF_BUILD|BUILD\w*|CIRCLE\w*|TRAVIS\w*|JENKINS\w*")
SETS = later(
    r"(?:^|/)(?:package\.json|[Mm]akefile|[Jj]ustfile|Rakefile|tox\.ini|setup\.cfg|pyproject\.toml|noxfile\.py|pytest\.ini"
    r"|Taskfile\.ya?ml|\.env[\w.]*|Dockerfile[\w.]*|Jenkinsfile|[\w.-]*\.(?:sh|ya?ml)|\.cargo/config\.toml|[\w.-]*\.config\.\w+)$"
)
MOST_FILES = 200
IF = later(
    r"^\s*(?:\}\s*)?(?:(?:else\s+)?if|elif|elsif)\b\s*(?P<said>.*?)\s*(?:\{\s*$|:\s*$|then\s*$|$|\breturn\b|\{.*\}$)"
)
ONE_LINE = later(r"^\s*(?:\}\s*)?(?:else\s+)?if\s*\((?P<said>(?:[^()]|\([^()]*\))*)\)\s*(?=[A-Za-z_])")
UNLESS = later(r"^\s*unless\b\s*(?P<said>.*?)\s*$")
BEHIND = later(r"\s(?P<how>if|unless)\s+(?P<said>.+?)\s*;?$")
ELSE = later(r"^\s*(?:\}\s*)?else\b")
LEAVES = later(r"\breturn\b|\bnext\b")
ENDS = later(r"\s*return\b")
Sets = Callable[[str], bool]


def setting(change: Change) -> Sets:
    """Whether anything of the head sets a variable, or gives an option (`--frozen`)."""

    def sets(name: str) -> bool:
        if BY_SERVICES.fullmatch(name):
            return True
        bare = re.escape(name.removeprefix("--")).encode()
        option, variable = rb"(?<![\w-])--?" + bare + rb"(?![\w-])", rb"(?<!\w)" + bare + rb"[\"']?\s*\]?\s*[=:](?!=)"
        form = re.compile(option if name.startswith("--") else variable)
        places = sorted(path for path in change.blobs.paths_after() if SETS.search(path))[:MOST_FILES]
        return any(form.search(change.blobs.after(path) or b"") for path in places)

    return sets


def records_by_default(body: str, start: int, text: str, sets: Sets) -> bool:
    """`start` is where a function writes what it compares with; `text` is the whole file."""
    guards = list(_guards(body, start))
    truths = [(truth if holds else not truth) for said, holds in guards if (truth := unset(said, text)) is not None]
    settled = [said for said, _ in guards if is_settled(said, text)]
    names = frozenset(name for said, _ in guards if said not in settled for name in variables(said, text))
    return bool(truths) and all(truths) and bool(names or settled) and not any(map(sets, names))


def without_told(body: str, text: str) -> str:
    """The function as it runs where no variable is set."""
    kept: list[str] = []
    lines, at = body.split("\n"), 0
    while at < len(lines):
        said, deep = IF.match(lines[at]), depth(lines[at])
        inside = _block(lines, at)
        truth = unset(said["said"], text) if said is not None else None
        kept.append(lines[at])
        at += 1 if truth is not False else 1 + len(inside)
        if truth is True and at < len(lines):
            end = at + len(inside)
            if end < len(lines) and depth(lines[end]) == deep and ELSE.match(lines[end]):
                kept += lines[at:end]
                at = end + 1 + len(_block(lines, end))
            elif any(depth(line) <= depth(inside[0]) and ENDS.match(line) for line in inside):
                kept += lines[at:end]  # nobody comes to what stands behind
                while end < len(lines) and (not lines[end].strip() or depth(lines[end]) >= deep):
                    end += 1
                at = end
    return "\n".join(kept)


def _block(lines: Sequence[str], at: int) -> list[str]:
    """What stands deeper below a line."""
    inside: list[str] = []
    for line in lines[at + 1 :]:
        if line.strip() and depth(line) <= depth(lines[at]):
            break
        inside.append(line)
    return inside


def _guards(body: str, start: int) -> Iterator[tuple[str, bool]]:
    """The conditions that decide about the line that writes, and whether they have to hold."""
    lines = body.split("\n")
    at = body[:start].count("\n")
    behind = BEHIND.search(lines[at])
    if behind is not None:
        yield behind["said"], behind["how"] == "if"
    own = ONE_LINE.match(lines[at]) or IF.match(lines[at])
    if own is not None:
        yield own["said"], True
    deep, otherwise = depth(lines[at]), False
    for number in range(at - 1, -1, -1):
        line = lines[number]
        if not line.strip():
            continue
        said, unless = IF.match(line), UNLESS.match(line)
        if depth(line) < deep:
            deep, otherwise = depth(line), ELSE.match(line) is not None and said is None
            if said is not None:
                yield said["said"], True
            elif unless is not None:
                yield unless["said"], False
        elif depth(line) == deep and said is not None:
            leaves = LEAVES.search(line) or any(LEAVES.search(each) for each in _block(lines, number))
            if otherwise or leaves:
                yield said["said"], False
                otherwise = False
