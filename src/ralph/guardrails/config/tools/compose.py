"""Services of a compose file that check something, and what a file that is laid over it makes of them.

`compose.override.yaml` is read by itself beside `compose.yaml`: what it says of a service takes the place of what that
one says. A service with profiles is started only by those who ask for one of them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import Check, Worse, same
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.texts import cut
from ralph.record import replace
from ralph.system.patterns import later

BASES = tuple(f"{name}.{end}" for name in ("compose", "docker-compose") for end in ("yaml", "yml"))
OVERRIDES = tuple(f"{name}.override.{end}" for name in ("compose", "docker-compose") for end in ("yaml", "yml"))
CHECKS = later(
    r"\b(?:pytest|unittest|tox|nox|mypy|ruff|flake8|pylint|jest|vitest|mocha|playwright|cypress|rspec|rubocop|phpunit"
    r"|phpstan|eslint|tests?|check|lint|verify)\b"
)
IDLE = later(r"(?:\S*/)?(?:true|:|exit 0|(?:echo|printf|cat|sleep|tail)\b[^&|;]*)")


def _units(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in [path for name in BASES for path in files_named(side, name)]:
        directory = posixpath.dirname(path)
        over = [each for name in OVERRIDES if (each := posixpath.join(directory, name)) in side.paths]
        files = [path, *over[:1]]
        services = [_services(side, each) for each in files]
        settings: dict[Key, Node] = {}
        for name, service in services[0].items():
            laid = services[-1].get(name, service) if over else service
            if CHECKS.search(" ".join((name, *(_words(service, key) for key in ("entrypoint", "command"))))):
                settings |= _of_service(name, service, laid)
        if directory not in found:
            found[directory] = Unit(settings, tuple(files))
    return found


def _services(side: Side, path: str) -> Mapping[str, Node]:
    node = side.node(path)
    table = node.at("services") if node is not None else None
    return table.mapping if table is not None else {}


def _of_service(name: str, service: Node, laid: Node) -> Settings:
    found: dict[Key, Node] = {}
    for key in ("entrypoint", "command", "profiles"):
        if (said := laid.at(key) or service.at(key)) is not None:
            found[key, name] = said.with_value(_words(said))
    return found


def _words(node: Node, *keys: str) -> str:
    said = node.at(*keys)
    return " ".join(map(canonical, said.items)) if said is not None else ""


def _laid_over() -> Check:
    """What an override makes of a command; a change of the command itself is judged as one of any other command."""
    other = same()

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        if after is None or ".override." not in after.path:
            return
        for worse in other(before, after, paths):
            yield replace(worse, minor=IDLE.fullmatch(canonical(after).strip()) is None)

    return check


def _not_started(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    if before is None and after is not None and canonical(after):
        yield Worse(node=after, text=f"is only started by {cut(canonical(after), 80)}")


COMPOSE = Tool(
    name="services that check",
    places=tuple(Place(name) for name in (*BASES, *OVERRIDES)),
    rows=(
        *(Row(f"{key}.*", _laid_over(), "cfg.test.not-run", "cfg.test.partly") for key in ("entrypoint", "command")),
        Row("profiles.*", _not_started, "cfg.test.partly"),
    ),
    suffixes=(),
    units=_units,
    adds_only=True,
)
