"""What a build of an image, or a service of compose, is given where it is called: `--build-arg TESTS=0`, or a variable
in front of `docker compose run test`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.called.environments import environment, environments
from ralph.guardrails.config.called.parameters.blocks import Block, Entry
from ralph.guardrails.config.command_files.containers import is_compose
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

BUILDS = later(r"\b(?:docker|podman|buildah|nerdctl)\b[^\n]*?\b(?:build|bud)\b(?P<words>[^\n]*)")
GIVEN = later(r"--build-arg[ \t=]+[\"']?(?P<name>\w+)=(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']*)")
FILE = later(r"(?:^|\s)(?:-f|--file)[ \t=]*(?P<path>[\w./-]+)")
ARGUMENT = later(r"(?m)^[ \t]*ARG[ \t]+(?P<name>\w+)=[\"']?(?P<value>[^\"'\n]*)[\"']?[ \t]*$")
COMPOSES = later(r"(?P<set>(?:\b[A-Za-z_]\w*=\S+[ \t]+)*)\b(?:docker|podman)[ -]compose\b")
PAIR = later(r"(?P<name>[A-Za-z_]\w*)=[\"']?(?P<value>[^\s\"']*)")
FILLED = later(r"\$\{(?P<name>[A-Za-z_]\w*)(?::?-[^}\n]*)?\}")
SAYS = later(r"--build-arg|(?:docker|podman)[ -]compose")
NAMES = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")


def parts(text: str, side: Side) -> Iterator[str]:
    """The files of images and services that a text calls with something."""
    if "--build-arg" in text:
        found = (FILE.search(call["words"]) for call in BUILDS.finditer(text))
        yield from dict.fromkeys(posixpath.normpath(said["path"]) if said else "Dockerfile" for said in found)
    if COMPOSES.search(text) is not None:
        yield from (name for name in NAMES if name in side.paths)


def is_part(path: str) -> bool:
    name = posixpath.basename(path).lower()
    return is_compose(name) or "dockerfile" in name or "containerfile" in name


def blocks(path: str, lines: Sequence[str], caller: str) -> Iterator[Block]:
    """`caller`: the text that calls it."""
    if is_compose(posixpath.basename(path).lower()):
        yield Block(0, len(lines), FILLED, list(_of_compose(caller)), "")
        return
    usual = {found["name"]: found["value"] for found in ARGUMENT.finditer("\n".join(lines))}
    if usual:
        hole = re.compile(rf"\$(?:\{{(?=(?:{'|'.join(usual)})\b))?(?P<name>{'|'.join(usual)})\b(?::?-[^}}\n]*)?\}}?")
        yield Block(0, len(lines), hole, [{**usual, **given} for given in _of_builds(path, caller)], "")


def _of_builds(path: str, text: str) -> Iterator[Entry]:
    for call in BUILDS.finditer(text.replace("\\\n", " ")):
        said = FILE.search(call["words"])
        if posixpath.normpath(said["path"] if said else "Dockerfile") == path:
            yield {found["name"]: found["value"].strip("\"'") for found in GIVEN.finditer(call["words"])}


def _of_compose(text: str) -> Iterator[Entry]:
    lines = text.split("\n")
    around = environments(lines)
    for number, line in enumerate(lines):
        for call in COMPOSES.finditer(line) if "compose" in line else ():
            own = {found["name"]: found["value"] for found in PAIR.finditer(call["set"])}
            yield {**environment(number, around), **own}
