"""Checks of an image's build that are not built any more, or that are given fewer files (classes G09, G16).

Rules:

- A stage is built if the last one comes from it or copies from it, or if a command or a compose file names it as the
  target. A stage with a check that was built, and is there but is built no longer, blocks.
- What a stage copies before a check, or the stages it comes from, is what the check looks at. A test, a checked source
  or the settings of a check that both trees hold and that is copied no longer blocks.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.scope.contexts import misses
from ralph.guardrails.config.command_files import embedded
from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.record import field, record, replace
from ralph.system.globs import matches_any
from ralph.system.patterns import later

FROM = later(r"(?i)\s*FROM\s+(?:--\S+\s+)*(?P<base>\S+)(?:\s+AS\s+(?P<name>\S+))?")
COPY = later(r"(?i)\s*(?:COPY|ADD)\s+(?P<rest>.*)", re.DOTALL)
SOURCE = later(r"(?:--from=|\bfrom=)(?P<name>[\w.-]+)")
TARGET = later(
    r"--target[= ]\s*[\"']?(?P<name>[\w.-]+)|(?m:(?:^|[{,])\s*target:\s*[\"']?(?P<other>[\w.-]+))"
    r"|target\s*=\s*\"(?P<baked>[\w.-]+)\""
)
BOUND = later(r"--mount=type=bind")
SPEAKS = (".yml", ".yaml", ".hcl")


@record
class Copy:
    line: int
    sources: tuple[str, ...]
    without: tuple[str, ...]


@record
class Stage:
    name: str
    base: str
    first: int
    copies: list[Copy] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)
    """Other stages that it copies from."""
    bound: list[int] = field(default_factory=list)
    """Lines of commands to which the context is mounted."""


def image_hits(paths: Sequence[str], before: Reach, after: Reach) -> Iterator[Hit]:
    """`paths`: what the change touches."""
    images = [path for path in sorted(before.side.paths & after.side.paths) if is_image(path)]
    for image in images:
        if image in paths:
            yield from _copied_no_longer(image, before, after)
        if image in paths or any(TARGET.search(before.side.text(path) or "") for path in paths):
            yield from _built_no_longer(image, paths, before, after)


def is_image(path: str) -> bool:
    return embedded.is_image(posixpath.basename(path).lower()) and not path.endswith(".dockerignore")


def _built_no_longer(image: str, paths: Sequence[str], before: Reach, after: Reach) -> Iterator[Hit]:
    old, new = stages(before.side.text(image) or ""), stages(after.side.text(image) or "")
    if len(old) < 2 or len(new) < 2:
        return
    was, now = _built(old, before.side), _built(new, after.side)
    gates = {stage.name: gate for gate in _gates(image, after) if (stage := _stage(new, gate.line)) is not None}
    for gate in _gates(image, before):
        stage = _stage(old, gate.line)
        if stage is None or stage.name not in was or stage.name not in gates or stage.name in now:
            continue
        place = image if image in paths else _who_built(stage.name, paths, before.side) or image
        line = gates[stage.name].line if place == image else 1
        yield hit_at("check.not-run", place, line, f"{gate.text}: nothing builds the stage {stage.name} of {image}")
        return


def _who_built(name: str, paths: Sequence[str], side: Side) -> str | None:
    return next((path for path in paths if path in side.paths and name in _targets(side.text(path) or "")), None)


def _built(found: Sequence[Stage], side: Side) -> set[str]:
    """Numbers and names of the stages that are built."""
    by_name = {name: stage for index, stage in enumerate(found) for name in (stage.name, str(index))}
    others = [path for path in side.paths if path.endswith(SPEAKS) and posixpath.dirname(path).count("/") < 3]
    named = {name for path in {*command_files(side), *others} for name in _targets(side.text(path) or "")}
    waiting = [found[-1].name, *(name for name in named if name in by_name)]
    built: set[str] = set()
    while waiting:
        stage = by_name.get(waiting.pop())
        if stage is not None and stage.name not in built:
            built.add(stage.name)
            waiting += [stage.base, *stage.uses]
    return built


def _targets(text: str) -> set[str]:
    found = TARGET.finditer(text) if "target" in text else ()
    return {match["name"] or match["other"] or match["baked"] for match in found}


def _copied_no_longer(image: str, before: Reach, after: Reach) -> Iterator[Hit]:
    old, new = stages(before.side.text(image) or ""), stages(after.side.text(image) or "")
    there = sorted(before.side.paths & after.side.paths)
    head = {gate.words: gate for gate in _gates(image, after)}
    for gate in _gates(image, before):
        if gate.words not in head:
            continue
        was, now = _copies(old, gate.line), _copies(new, head[gate.words].line)
        if not was or not now or {copy.sources for copy in was} == {copy.sources for copy in now} == set():
            continue
        for path in there:
            if misses(gate, path) and _is_copied(was, image, path) and not _is_copied(now, image, path):
                yield hit_at("check.narrowed", image, now[-1].line, f"{path} is not copied to where {gate.text} runs")
                return


def _copies(found: Sequence[Stage], line: int) -> list[Copy]:
    """What is copied before a line, by its stage and by those that it comes from; none where all is mounted."""
    by_name = {stage.name: stage for stage in found}
    stage = _stage(found, line)
    if stage is None or line in stage.bound:
        return []
    copies = [copy for copy in stage.copies if copy.line < line]
    seen = {stage.name}
    while (above := by_name.get(stage.base)) is not None and above.name not in seen:
        seen.add(above.name)
        copies, stage = [*above.copies, *copies], above
    return [] if any("$" in source for copy in copies for source in copy.sources) else copies


def _is_copied(copies: Sequence[Copy], image: str, path: str) -> bool:
    """The context is the root of the tree, or the folder of the image file."""
    folder = posixpath.dirname(image)
    inside = [path, path[len(folder) + 1 :]] if folder and path.startswith(f"{folder}/") else [path]
    return any(
        _lies_in(source, each) and not any(_lies_in(less, each) for less in copy.without)
        for copy in copies
        for source in copy.sources
        for each in inside
    )


def _lies_in(source: str, path: str) -> bool:
    plain = posixpath.normpath(source).lstrip("/")
    if plain in (".", "", "*"):
        return True
    anchored = ("/" in plain or "/" not in path) and matches_any(path, (plain,))
    return anchored or path.startswith(f"{plain}/") or matches_any(path, (f"{plain}/**",))


def _gates(image: str, reach: Reach) -> Iterator[Gate]:
    """The checks themselves, at the lines on which the image runs them."""
    for gate in reach.of_file(image):
        leaves = [leaf for leaf in reach.leaves(gate) if leaf.kind not in ("named", "build")]
        yield from (replace(leaf, path=image, line=gate.line) for leaf in leaves)


def _stage(found: Sequence[Stage], line: int) -> Stage | None:
    return next((stage for stage in reversed(found) if stage.first <= line), None)


def stages(text: str) -> list[Stage]:
    found: list[Stage] = []
    for whole, line in embedded.instructions(text):
        if match := FROM.match(whole):
            found.append(Stage(match["name"] or str(len(found)), match["base"], line))
        elif found and (match := COPY.match(whole)):
            if source := SOURCE.search(match["rest"]):
                found[-1].uses.add(source["name"])
            else:
                found[-1].copies.append(_copy(match["rest"], line))
        elif found and BOUND.search(whole):
            mount = SOURCE.search(whole)
            found[-1].uses.update([mount["name"]] if mount else [])
            found[-1].bound.extend([] if mount else [line])
    return found


def _copy(rest: str, line: int) -> Copy:
    try:
        words = re.findall(r'"([^"]*)"', rest) if rest.lstrip().startswith("[") else shlex.split(rest)
    except ValueError:
        words = rest.split()
    without = tuple(word.partition("=")[2] for word in words if word.startswith("--exclude="))
    plain = [word for word in words if not word.startswith("--")]
    return Copy(line, tuple(plain[:-1]), without)
