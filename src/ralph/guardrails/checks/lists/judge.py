"""Whether checks that look at what a command lists look at less than before (class G09).

Rules:

- All runs of a program in a file count together, those with a list and those with paths. What the head's runs look at
  no longer, of what the base's looked at and both trees hold, blocks.
- Folders that other checks are for, and what a setting of the base names already, are for a person.
- Where the tree has nothing of the kind, what a filter names counts, unless it is what nobody checks: other people's
  code, generated code, build output.
- A list of which only running could tell says nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.checks.lists.fed import Fed, fed
from ralph.guardrails.checks.lists.filters import filter_of
from ralph.guardrails.checks.lists.listers import listed
from ralph.guardrails.checks.lists.named import named_by
from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.known import identity, says_so
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.readers.files import place_of
from ralph.guardrails.checks.scope.looked_at import EVERYTHING, LANGUAGE, UNKNOWN, holds, is_minor, matters, targets
from ralph.guardrails.config.patterns import Weight, is_output, is_test, weigh
from ralph.guardrails.config.python_tasks.projects import PROJECT_FILES
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

APART = later(
    r"(?:^|/)(?:vendor|third_party|examples?|e2e|integration|acceptance|bench\w*|mocks?|tools|hack|test)(?:/|$)"
)
"""Folders of tests that need a surrounding of their own, and what is not the project's."""
UNUSUAL = later(
    r"(?i)vendor|third.?party|node_modules|mocks?\b|generated|\bgen\b|_?pb2?\b|proto|examples?|e2e|integration|testdata"
    r"|fixtures?|bench|acceptance"
)
"""What a filter of tests names that nobody tests there."""
BY_NAME = later(
    r"(?:^|/)(?:test_[^/]*|[^/]*[._-](?:tests?|spec|e2e|cy)\.\w+|[^/]*(?:Tests?|Spec)\.\w+|[^/]*\.bats)$"
    r"|/__tests__/[^/]+$"
)
GO_TEST = later(r"(?m)^func (?:Test|Fuzz|Example)\w*\(")
SETTINGS = (
    *PROJECT_FILES,
    *("ruff.toml", ".ruff.toml", ".flake8", "mypy.ini", ".eslintignore", ".prettierignore", "biome.json"),
    *(".golangci.yml", ".golangci.yaml", ".pre-commit-config.yaml", ".codespellrc", ".yamllint", ".yamllint.yml"),
)
Holds = Callable[[str], bool]
OF_A_CHANGE = frozenset({"diff", "diff-tree", "diff-index", "show", "log", "status"})


def filtered_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    if path not in before.side.paths or path not in after.side.paths:
        return
    old, new = (list(_of_checks(side, path)) for side in (before.side, after.side))
    if [(one.words, one.stages) for one in old] == [(one.words, one.stages) for one in new]:
        return
    for name in dict.fromkeys(identity(one.words) for one in (*new, *old)):
        was, now = ([one for one in lists if identity(one.words) == name] for lists in (old, new))
        yield from _of_program(path, name, was, now, before, after)


def _of_checks(side: Side, path: str) -> Iterator[Fed]:
    yield from (one for one in fed(side, path) if one.kind != "named" or says_so(one.words))


def _of_program(
    path: str, name: str, was: Sequence[Fed], now: Sequence[Fed], before: Reach, after: Reach
) -> Iterator[Hit]:
    plain = _plain(name, was, before.of_file(path))
    held = [_holds(one, before.side) for one in was]
    kept = [_holds(one, after.side) for one in now]
    if not (plain or held) or None in held:
        return
    others = _plain(name, now, _elsewhere(path, after))
    if None in kept:
        if plain and not others:
            touched = place_of(path) != "hook" and any(_is_of_a_change(one) for one in now)
            told = "what a change touched" if touched else "what only running could tell"
            rule = "check.narrowed" if touched else "check.narrowed-unclear"
            yield _hit(rule, path, now[0], f"{now[0].words[0]} looks at {told}")
        return
    looked = [*filter(None, held), *map(_of_gate, plain)]
    looks = [*filter(None, kept), *map(_of_gate, others)]
    first = (*now, *was)[0]
    gate = Gate(words=first.words, kind=first.kind, path=path, line=first.line, slot="", place="local")
    there = sorted(each for each in before.side.paths & after.side.paths if _counts(gate, each, after.side))
    seen = [each for each in there if any(holds_it(each) for holds_it in looked)]
    lost = [each for each in seen if not any(holds_it(each) for holds_it in looks)]
    names = _named(now, after.side) - _named(was, before.side)
    place = next((one for one in now if _named([one], after.side) & names), first)
    if lost:
        certain = [each for each in lost if not _is_apart(gate, each)]
        known = not was and any(_is_set(text, before.side) for text in names)
        rule = "check.narrowed" if certain and not known else "check.narrowed-unclear"
        yield _hit(rule, path, place, f"{gate.text} no longer looks at {(certain or lost)[0]}")
    elif not seen and (unusual := sorted(text for text in names if _is_unusual(gate, text))):
        yield _hit("check.narrowed", path, place, f"{gate.text} no longer looks at what matches {unusual[0]}")


def _is_of_a_change(one: Fed) -> bool:
    """Its list is what differs from another commit: of all other files nobody looks any more."""
    return any(words[:1] == ("git",) and OF_A_CHANGE.intersection(words) for words in one.stages)


def _elsewhere(path: str, after: Reach) -> list[Gate]:
    """What may look at the rest: in CI, and in a file that CI leads to, only what CI leads to."""
    in_ci = [leaf for gate in after.everywhere if gate.place == "ci" for leaf in after.leaves(gate)]
    if place_of(path) != "ci" and all(leaf.path != path for leaf in in_ci):
        return after.everywhere
    return in_ci


def _plain(name: str, lists: Sequence[Fed], gates: Sequence[Gate]) -> list[Gate]:
    """The runs that get no list, and whose paths can be read."""
    given = Counter(one.words for one in lists)
    found: list[Gate] = []
    for gate in gates:
        if identity(gate.words) != name or any(UNKNOWN.search(word) for word in gate.words):
            continue
        if given[gate.words]:
            given[gate.words] -= 1
        else:
            found.append(gate)
    return found


def _of_gate(gate: Gate) -> Holds:
    places = [target.strip("\"'") for target in targets(gate)]
    if not places or EVERYTHING & set(places):
        return lambda _path: True
    return lambda path: any(holds(gate, place, path) for place in places)


def _holds(one: Fed, side: Side) -> Holds | None:
    """Whether a path is among what is listed; None where only running could tell."""
    entries = listed(one.stages[0], sorted(side.paths), side.text)
    for stage in one.stages[1:]:
        made = filter_of(stage, side.text)
        if made is None or entries is None:
            return None
        entries = made.of(entries)
    if entries is None:
        return None
    paths = frozenset(entry.path for entry in entries)
    if one.stages[0][0].rpartition("/")[2] == "go":
        return lambda path: posixpath.dirname(path) in paths
    return paths.__contains__


def _counts(gate: Gate, path: str, side: Side) -> bool:
    """A file that a run of the program is for."""
    if gate.words[0] not in LANGUAGE:
        return not is_output(posixpath.dirname(path)) and (gate.kind != "test" or is_test(path))
    if not matters(gate, path) or (gate.kind == "test" and not BY_NAME.search(path)):
        return False
    return gate.words[0] != "go" or gate.kind != "test" or GO_TEST.search(side.text(path) or "") is not None


def _is_apart(gate: Gate, path: str) -> bool:
    if gate.kind == "test":
        return APART.search(posixpath.dirname(path)) is not None
    return is_minor(path) and gate.words[0] != "shellcheck"


def _named(lists: Sequence[Fed], side: Side) -> set[str]:
    return {text for one in lists for text in named_by(one.stages, side.text)}


def _is_set(text: str, side: Side) -> bool:
    """A setting of the base says it already, so that the program by itself did not look at it either."""
    words = [word for word in re.findall(r"[\w-]{3,}", text.replace("\\", "")) if not word.startswith("-")]
    said = [side.text(name) or "" for name in SETTINGS if name in side.paths]
    return bool(words) and any(re.search(rf"(?<!\w){re.escape(words[-1])}(?!\w)", each) for each in said)


def _is_unusual(gate: Gate, text: str) -> bool:
    """A name that stands for what is checked everywhere else."""
    if not re.search(r"\w{3}", text):
        return False
    if gate.kind == "test":
        return not is_output(text) and UNUSUAL.search(text) is None
    return weigh(text, ()) is Weight.UNKNOWN


def _hit(rule: str, path: str, one: Fed, detail: str) -> Hit:
    return hit_at(rule, path, one.line, detail, one.stages[0][0])
