"""Files that the build context of an image no longer holds, of which the image runs checks (class G09).

Rule: a pattern of a `.dockerignore`, a `<name>.dockerignore` or a `.containerignore` that is new and matches a file of
both trees takes it out of the context, unless a later `!pattern` lets it back in. Where an image file of that context
runs a check, or CI or a compose file runs one in an image, a test or checked source of its language and the
configuration of a check are missed: that blocks. An image that only holds the product leaves tests out, and says
nothing; so does one whose files are mounted when it runs.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.lists.fed import texts
from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.scope.looked_at import LANGUAGE, targets
from ralph.guardrails.checks.shell.outline import check_of
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.command_files import containers, embedded
from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.patterns import is_output, is_product, is_test
from ralph.guardrails.config.side import Side
from ralph.guardrails.hiding.ignores import patterns
from ralph.guardrails.model import Hit, hit_at
from ralph.record import record
from ralph.system.globs import matches_any
from ralph.system.patterns import later

IGNORES = (".dockerignore", ".containerignore")
SETTINGS = later(
    r"(?:^|/)(?:pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|conftest\.py|\.?mypy\.ini|\.?ruff\.toml|\.flake8|\.coveragerc"
    r"|\.pylintrc|pyrightconfig\.json|tsconfig[\w.-]*\.json|\.?eslint[\w.-]*|\.stylelintrc[\w.-]*|\.golangci\.\w+"
    r"|(?:jest|vitest|playwright|cypress)\.config\.\w+|biome\.jsonc?|\.rubocop\.yml|phpstan[\w.-]*|clippy\.toml)$"
)
"""Without its settings a check finds less, or nothing."""
GLOB = later(r"[*?\[]")
IN_IMAGE = later(r"\b(?:docker|podman|nerdctl|docker-compose|buildah)\b.*\b(?:run|exec)\b", re.DOTALL)
MOUNTS = later(
    r"(?:^|\s)(?:-v|--volume|--mount)[= ]?\s*\S*"
    r"(?:\$\{?PWD|\$\(pwd\)|`pwd`|\.[:/]|\$\{?\{?\s*github\.workspace|type=bind)"
)


@record
class Row:
    """A line of an ignore file; an empty `plain` is everything."""

    number: int
    pattern: str
    plain: str
    literal: bool
    piece: str
    """The longest text that every file it fits must hold, so that most need no look at the pattern."""


def context_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    if not path.endswith(IGNORES):
        return
    folder = posixpath.dirname(path)
    gates = list(_gates(path, after))
    if not gates:
        return
    had, rows = _left_out(before.side, path), _left_out(after.side, path)
    for file in sorted(before.side.paths & after.side.paths):
        row = _row(rows, folder, file)
        if row is None or _row(had, folder, file) is not None:
            continue
        gate = next((gate for gate in gates if misses(gate, file)), None)
        if gate is not None:
            detail = f"{file} is not in the image in which {gate.text} runs"
            yield hit_at("check.narrowed", path, row.number, detail, row.pattern)
            return


def _left_out(side: Side, path: str) -> list[Row]:
    """The last pattern first."""
    rows = patterns(side.bytes(path)) if path in side.paths else ()
    return [_read(number, pattern) for number, pattern in reversed(list(rows))]


def _read(number: int, pattern: str) -> Row:
    plain = posixpath.normpath(pattern.removeprefix("!").strip().strip("/") or ".")
    piece = max(re.split(r"\[[^\]]*\]|[*?/]", plain), key=len)
    everything = plain in ("*", "**", ".")
    return Row(
        number, pattern, "" if everything else plain, literal=everything or GLOB.search(plain) is None, piece=piece
    )


def _row(rows: Sequence[Row], folder: str, file: str) -> Row | None:
    """The pattern that takes a file out: the last that fits it. All are read from the context's root."""
    if folder and not file.startswith(f"{folder}/"):
        return None
    inside = file[len(folder) + 1 :] if folder else file
    row = next((row for row in rows if _fits(row, inside)), None)
    return None if row is None or row.pattern.startswith("!") else row


def _fits(row: Row, inside: str) -> bool:
    """A pattern without a folder means the context's root alone, unlike one of a `.gitignore`."""
    if row.literal:
        return not row.plain or inside == row.plain or inside.startswith(f"{row.plain}/")
    if row.piece not in inside:
        return False
    at_root = "/" not in row.plain
    part = inside.partition("/")[0] if at_root else inside
    return matches_any(part, (row.plain,)) or (not at_root and matches_any(inside, (f"{row.plain}/**",)))


def _gates(path: str, after: Reach) -> Iterator[Gate]:
    """The checks that run in an image of the context."""
    side, folder, name = after.side, posixpath.dirname(path), posixpath.basename(path)
    own = name[: -len(".dockerignore")] if name.endswith(".dockerignore") else ""
    for other in sorted(side.paths):
        base = posixpath.basename(other)
        inside = not folder or other.startswith(f"{folder}/")
        if not inside or not (embedded.is_image(base.lower()) or containers.is_compose(base.lower())):
            continue
        if own and base != own:
            continue
        if not own and f"{other}.dockerignore" in side.paths:
            continue
        yield from _of_compose(after, other) if containers.is_compose(base.lower()) else _leaves(after, other)
    if not own:
        yield from _in_images(side)


def _leaves(after: Reach, path: str) -> Iterator[Gate]:
    yield from (leaf for gate in after.of_file(path) for leaf in after.leaves(gate) if leaf.kind != "named")


def _of_compose(after: Reach, path: str) -> Iterator[Gate]:
    """Services that are built here and have none of its files mounted."""
    node = after.side.node(path)
    services = node.at("services") if node is not None else None
    for name, service in services.mapping.items() if services is not None else ():
        mounted = service.at("volumes")
        local = mounted is not None and any(canonical(item).startswith(".") for item in mounted.items)
        if service.at("build") is not None and not local:
            yield from (gate for gate in _leaves(after, path) if gate.slot == f"services/{name}")


def _in_images(side: Side) -> Iterator[Gate]:
    """`docker compose run app pytest` in a script or in CI."""
    for path in command_files(side):
        if not IN_IMAGE.search(side.text(path) or ""):
            continue
        for text, line in texts(side, path):
            script = Script(text)
            for node in (node for node in script.walk() if node.type == "command"):
                written = script.of(node)
                check = check_of(script.words(node, {})) if IN_IMAGE.search(written) else None
                if check is not None and check[1] != "named" and not MOUNTS.search(written):
                    yield Gate(words=check[0], kind=check[1], path=path, line=line, slot="", place="local")


def misses(gate: Gate, file: str) -> bool:
    """A file that the check is for, or its settings."""
    if is_output(posixpath.dirname(file)):
        return False
    if SETTINGS.search(file):
        return gate.kind != "build"
    suffixes = LANGUAGE.get(gate.words[0])
    if suffixes is not None and not file.endswith(suffixes):
        return False
    named = [target.strip("\"'").removeprefix("./").rstrip("/") for target in targets(gate)]
    places = [target for target in named if re.fullmatch(r"[\w./-]+", target) and target not in (".", "")]
    there = not places or any(file == place or file.startswith(f"{place}/") for place in places)
    return is_test(file) if gate.kind == "test" else gate.kind in ("lint", "types") and is_product(file) and there
