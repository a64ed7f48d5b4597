"""Makes a topology of a preset and of the hats in `ralph.yml`.

Spec: events, evidence and confession; design section 2. A preset is a file of hats: those that come with Ralph, and
the user's own in `presets/` of Ralph's configuration folder, which stand before ours. Hats of `ralph.yml` change it: of
a hat that the preset has, the keys that are given; any other hat is added. Without either there is one hat, `builder`.
What is loaded here is well-formed; whether the hats can work together says `hats.check`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ralph.config import Config, HatEntry
from ralph.errors import ConfigError
from ralph.events.topics import matches
from ralph.hats.flow import COMPLETE
from ralph.hats.model import Hat, Topology
from ralph.record import record, replace
from ralph.system.places import config_home
from ralph.system.records import parse
from ralph.system.yaml import decode_yaml, read_source

BUNDLED = Path(__file__).parent / "presets"
DEFAULT = "builder"


@record(kw_only=True)
class Preset:
    """A preset as its file has it."""

    description: str
    """What the preset is for."""
    hats: Mapping[str, HatEntry]
    """Its hats by id."""
    start: str = "build.task"
    """The topic that begins a task."""
    done: str = COMPLETE
    """The topic that ends a task once it is accepted."""
    confidence: int = 80
    """The confidence, in percent, that a confession must have in every objective."""


def available() -> dict[str, Path]:
    """Presets by name. The user's own stand before ours."""
    folders = (BUNDLED, config_home() / "presets")
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.y*ml"))}


def topology(config: Config, gated: Collection[str], preset: str | None = None) -> Topology:
    """The hats that a configuration asks for; `preset` replaces the one it names. Raises ConfigError.

    Hats without a preset are done with the only gated topic that none of them takes, else with LOOP_COMPLETE.
    """
    name = preset or config.preset
    if name is None and config.hats:
        hats = _over((), config.hats)
        made = Topology(name="ralph.yml", hats=hats, done=_last(hats, gated))
    else:
        made = load(name or DEFAULT)
        made = replace(made, hats=_over(made.hats, config.hats))
    loop = config.event_loop
    return replace(
        made,
        done=made.done if loop.done is None else loop.done,
        confidence=made.confidence if loop.confidence is None else loop.confidence,
    )


def load(name: str) -> Topology:
    """A preset by its name. Raises ConfigError."""
    known = available()
    if name not in known:
        raise ConfigError(f"There is no preset {name!r}; there are: {', '.join(sorted(known))}.")
    return parse_preset(read_source(known[name], "The preset"), name, str(known[name]))


def parse_preset(data: bytes, name: str, source: str) -> Topology:
    """The preset in the bytes of a file called `source`. Raises ConfigError."""
    preset = parse(Preset, decode_yaml(data, source), source)
    if not 0 <= preset.confidence <= 100:
        raise ConfigError(f"{source}: 'confidence' must be a percentage from 0 to 100, but is {preset.confidence}.")
    return Topology(
        name=name,
        hats=_over((), preset.hats),
        start=preset.start,
        done=preset.done,
        description=preset.description.strip(),
        confidence=preset.confidence,
    )


def _over(hats: tuple[Hat, ...], entries: Mapping[str, HatEntry]) -> tuple[Hat, ...]:
    """The hats with what the entries say of them, then the hats that are new."""
    made = {hat.id: hat for hat in hats}
    for identifier, entry in entries.items():
        given: dict[str, Any] = {key: value for key, value in asdict(entry).items() if value is not None}
        before = made.get(identifier) or Hat(id=identifier, name=identifier.replace("-", " ").replace("_", " ").title())
        made[identifier] = replace(before, **given)
    return tuple(made.values())


def _last(hats: tuple[Hat, ...], gated: Collection[str]) -> str:
    published = {topic for hat in hats for topic in hat.publishes}
    taken = [pattern for hat in hats for pattern in hat.triggers]
    last = [topic for topic in gated if topic in published and not any(matches(pattern, topic) for pattern in taken)]
    return last[0] if len(last) == 1 and COMPLETE not in published else COMPLETE
