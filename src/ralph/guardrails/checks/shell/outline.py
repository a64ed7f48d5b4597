"""What a shell text holds before anything runs: its checks, the texts that it gives to other shells, its functions.

A name that the text itself defines as a function or an alias is no program of that name any more.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from ralph.guardrails.checks.failures.detached import is_detached
from ralph.guardrails.checks.failures.listings import LISTERS
from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.programs.known import kind_of, one_by_one, says_so
from ralph.guardrails.checks.programs.services import called
from ralph.guardrails.checks.programs.tables import INTERPRETERS, SUBCOMMANDS
from ralph.guardrails.checks.shell.fed import fed
from ralph.guardrails.checks.shell.finds import Handed, handed
from ralph.guardrails.checks.shell.script import Script, Variables
from ralph.guardrails.config.command_files.shellwords import unwrapped
from ralph.guardrails.config.node import names
from ralph.record import field, record
from ralph.system.patterns import later

MAX_DEPTH, MAX_CHECKS = 3, 200
RETRYING = frozenset(("retry", "flaky", "retry-cli"))
CARRIERS = RETRYING | frozenset(
    [
        "docker",
        "podman",
        "docker-compose",
        "kubectl",
        "nix",
        "nix-shell",
        "ssh",
        "su",
        "xargs",
        "parallel",
        "direnv",
        "doppler",
        "op",
        "script",
        "travis_wait",
        "chronic",
        "unbuffer",
        "stdbuf",
        "ionice",
        "setsid",
        "taskset",
    ]
)
"""They run a command that stands somewhere among their words."""
LOOPS = frozenset(("for_statement", "c_style_for_statement", "while_statement"))
LEAVES = later(r"\{?\s*(?:break|exit(?: 0)?|return(?: 0)?)\s*;?\s*\}?$")
ARGUMENTS = later(r"\$(?:[@*]|\{[@*](?::\d)?\})")
"""A function that runs what it is given: `run() { "$@"; }`, but for its first words: `shift`, `"${@:2}"`."""
IDLE = later(r"(?:[\w./]*/)?(?:echo|printf|true|cat|which|:)")
"""They run nothing of what stands behind them."""
SHIFT = later(r"(?m)(?:^|[;&{]|\bthen\b)\s*shift\b[ \t]*(?P<number>\d)?")
FROM = later(r"\$\{[@*]:(?P<number>\d)\}")
SHELLS = later(r"(?:ba|da|z|k|a)?sh")
PREDICATES = frozenset(
    names(
        "command which type hash whereis pip pip3 apt-get apt brew apk conda echo printf "
        "cat grep rm cp mv ls touch mkdir export"
    )
)


@record
class Check:
    """A check that a text runs: its bare words, its kind, the row of the text on which it begins."""

    words: tuple[str, ...]
    kind: Kind
    row: int
    retried: bool = False
    certain: bool = True
    detached: bool = False
    """Nobody hears how it ends."""
    folder: str | None = ""
    """Where it runs, from the place of the text on (see `folders`)."""


@record(slots=False)
class Outline:
    script: Script
    checks: Mapping[int, Sequence[Check]] = field(default_factory=dict)
    """By the place of the command in the text; one command may run several targets."""
    inner: Mapping[int, Outline] = field(default_factory=dict)
    functions: Mapping[str, tree_sitter.Node] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    handed: Mapping[int, Handed] = field(default_factory=dict)
    """What `find` runs, by the place of the `find`."""

    def places(self) -> Iterator[tuple[tuple[int, ...], Check]]:
        """Every check with its place, from this text inwards."""
        for place, checks in self.checks.items():
            yield from (((place,), check) for check in checks)
        for place, outline in self.inner.items():
            yield from (((place, *deeper), check) for deeper, check in outline.places())


def outline(script: Script, variables: Variables, depth: int = 0, *, everything: bool = False) -> Outline:
    """`everything`: in a place whose name says that it checks, programs that are run there are its checks."""
    nodes = list(script.walk())
    functions = {
        script.of(name): body
        for node in nodes
        if node.type == "function_definition"
        and (name := node.child_by_field_name("name"))
        and (body := node.child_by_field_name("body"))
    }
    known = {**variables, **_assigned(script, nodes, variables)}
    commands = [(node, script.words(node, known)) for node in nodes if node.type == "command"]
    aliases = dict(found for _, words in commands for found in _aliases(words))
    checks: dict[int, list[Check]] = {}
    inner: dict[int, Outline] = {}
    given: dict[int, Handed] = {}
    for node, words in commands[: MAX_CHECKS * 5]:
        if not words:
            continue
        while words and words[0] in functions:
            runs_given = ARGUMENTS.search(script.of(functions[words[0]])) is not None
            words = words[1 + _taken_off(script.of(functions[words[0]])) :] if runs_given else []
        if not words:
            continue
        words = [*aliases[words[0]].split(), *words[1:]] if words[0] in aliases else words
        if (runs := handed(words)) is not None:
            run = next((each for each in runs if text_of_shell(each.words) or check_of(each.words)), None)
            if run is None:
                continue
            given[node.start_byte], words = run, list(run.words)
        row = script.row + node.start_point.row
        inside = text_of_shell(words) or fed(script, node, words) if depth < MAX_DEPTH else None
        if inside is not None and not is_detached(words, ("sh",), script.of(script.root)):
            inner[node.start_byte] = outline(Script(inside, row), known, depth + 1, everything=everything)
        elif found := check_of(words, everything=everything):
            again = words[0] in RETRYING or _retried(script, node, found[0][0])
            apart = is_detached(words, found[0], script.of(script.root))
            checks[node.start_byte] = [
                Check(words, found[1], row, again, everything or found[1] != "named" or says_so(words), apart)
                for words in one_by_one(found[0])
            ]
    return Outline(script, checks, inner, functions, aliases, given)


def _taken_off(body: str) -> int:
    """How many words a function that runs what it is given keeps for itself."""
    shifts = sum(int(match["number"] or 1) for match in SHIFT.finditer(body))
    first = FROM.search(body)
    return shifts + (max(int(first["number"]) - 1, 0) if first else 0)


SAME_PROGRAM = {"py.test": "pytest", "gmake": "make", "nosetests3": "nosetests"}


def check_of(words: Sequence[str], *, everything: bool = False) -> tuple[tuple[str, ...], Kind] | None:
    """The innermost check of a command line, bare."""
    found: tuple[tuple[str, ...], Kind] | None = None
    for bare in unwrapped(list(words)):
        if bare[0] in CARRIERS:
            service = called(bare)
            found = _carried(bare) or (None if service is None else (service, "named")) or found
            continue
        bare = _as_program(bare)
        kind = kind_of(bare)
        if kind:
            found = tuple(bare), kind
        if bare[0] in PREDICATES and not (bare[0] == "command" and _runs_it(bare)):
            return None
    if found is None and everything and runs_a_program(words):
        return tuple(words), "named"
    return found


def _runs_it(bare: Sequence[str]) -> bool:
    """`command pytest`, unlike `command -v pytest`."""
    return len(bare) > 1 and not bare[1].startswith("-")


def _as_program(bare: list[str]) -> list[str]:
    """`python manage.py test` is `manage.py test`; other names of a program are that program."""
    if INTERPRETERS.fullmatch(bare[0]) and len(bare) > 1 and posixpath.basename(bare[1]) in SUBCOMMANDS:
        return [posixpath.basename(bare[1]), *bare[2:]]
    return [SAME_PROGRAM.get(bare[0], bare[0]), *bare[1:]]


def runs_a_program(words: Sequence[str]) -> bool:
    """True for a file of the project that is run, by itself or by an interpreter."""
    program = words[0]
    if re.fullmatch(r"(?:python|node|ruby|perl|php|deno|bun|tsx|ts-node|ba?sh)[\d.]*", posixpath.basename(program)):
        return any(re.search(r"\.\w+$", word) for word in words[1:])
    return program.startswith("./")


def _carried(words: Sequence[str]) -> tuple[tuple[str, ...], Kind] | None:
    for start in range(1, len(words)):
        text = " ".join(words[start:]) if " " in words[start] and start == len(words) - 1 else None
        rest = text.split() if text else list(words[start:])
        if IDLE.fullmatch(rest[0] if rest else "") or words[start - 1] == "--entrypoint":
            return None
        if rest and kind_of([posixpath.basename(rest[0]), *rest[1:]]) and not rest[0].startswith("-"):
            return check_of(rest)
    return None


def _retried(script: Script, node: tree_sitter.Node, program: str) -> bool:
    """True for a check that is run until it succeeds, or once more when it failed."""
    below, above = node, node.parent
    leaves = False
    while above is not None:
        if above.type == "while_statement" and below != above.child_by_field_name("body"):
            return True
        if above.type == "list" and below == above.children[0]:
            rest = script.of(above.children[-1])
            again = re.search(rf"(?:^|[\s/({{]){re.escape(program)}(?:\s|$)", rest) is not None
            if above.children[1].type == "||" and again and program not in LISTERS:
                return True
            leaves = leaves or (above.children[1].type == "&&" and bool(LEAVES.match(rest)))
        if above.type == "if_statement" and below.type != "else_clause":
            leaves = leaves or bool(re.search(r"\bthen\b[^#]*?\b(?:break|exit 0|return 0)\b", script.of(above)))
        if above.type in LOOPS and leaves:
            return True
        below, above = above, above.parent
    return False


def shell_flags(words: Sequence[str]) -> tuple[bool, bool]:
    """errexit and pipefail, as the options of a shell's command line (or of `#!`) set them."""
    text = " ".join(word for word in words[:6] if " " not in word)
    return bool(re.search(r"(?:^| )-[a-z]*e|-o errexit", text)), "pipefail" in text


def _given_text(bare: Sequence[str]) -> str | None:
    """`docker run app sh -c TEXT`, `ssh host TEXT`, `script -qec TEXT file`, which without `-e` always ends well."""
    if bare[0] == "script":
        at = next((index for index, word in enumerate(bare) if re.fullmatch(r"-[a-z]*c|--command", word)), len(bare))
        heard = any(re.fullmatch(r"-[a-z]*e[a-z]*|--return", word) for word in bare[1 : at + 1])
        return bare[at + 1] if at + 1 < len(bare) and heard else None
    if bare[0] != "ssh":
        start = next((index for index, word in enumerate(bare) if SHELLS.fullmatch(word.rpartition("/")[2])), 0)
        return text_of_shell(bare[start:]) if start else None
    if " " in bare[-1] and re.search(r"[;|&]", bare[-1]):
        return bare[-1]
    return None


def text_of_shell(words: Sequence[str]) -> str | None:
    for bare in unwrapped(list(words)):
        if bare[0] in CARRIERS and (inner := _given_text(bare)) is not None:
            return inner
        if bare[0] == "eval" and len(bare) > 1:
            return " ".join(bare[1:])
        if SHELLS.fullmatch(bare[0]):
            at = next((index for index, word in enumerate(bare) if re.fullmatch(r"-[a-z]*c", word)), len(bare))
            return bare[at + 1] if at + 1 < len(bare) else None
    return None


def _assigned(script: Script, nodes: Sequence[tree_sitter.Node], variables: Variables) -> dict[str, str | None]:
    """Variables that are set to one known text; what is set twice is not known."""
    found: dict[str, str | None] = {}
    for node in nodes:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if node.type == "variable_assignment" and name is not None and value is not None:
            called = script.of(name)
            text = script.value(value, {**variables, **found}, defaults=True)
            found[called] = text if called not in found else None
    return found


def _aliases(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """`alias NAME=TEXT`, and `hash -p PROGRAM NAME`."""
    if words[:1] == ["alias"]:
        for word in words[1:]:
            name, given, text = word.partition("=")
            if given:
                yield name, text
    elif list(words[:2]) == ["hash", "-p"] and len(words) > 3:
        yield from ((name, words[2]) for name in words[3:])
