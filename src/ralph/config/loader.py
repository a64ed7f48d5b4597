"""Reads `ralph.yml`: strictly, and only a version of it that the tree under judgement cannot have written.

Design section 6 and decision 5. The file counts as it stands in the base, or as a person accepted it; without one,
the defaults count. A key that this version would not act on is refused: a limit that is written down and not kept
would be believed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ralph.config.check import check
from ralph.config.schema import Config
from ralph.record import record
from ralph.system.git import Repository
from ralph.system.governing import governing, present
from ralph.system.records import parse
from ralph.system.yaml import decode_yaml, read_source

CONFIG_FILE = "ralph.yml"


@record
class Sourced:
    """A configuration and where it came from, for people. `overlooked`: the working copy has another one."""

    config: Config
    source: str
    overlooked: bool = False


def from_repository(repo: Repository, base: str | None, accepted: Mapping[str, str]) -> Sourced:
    """The configuration that counts in a repository. Raises ConfigError."""
    found, here = governing(CONFIG_FILE, repo, base, accepted), present(repo.root / CONFIG_FILE)
    if found is None:
        return Sourced(Config(), "the defaults", overlooked=here is not None)
    return Sourced(parse_config(found.data, found.name), found.source, overlooked=here not in (None, found.data))


def read_config(path: Path) -> Config:
    """The configuration in a file, whatever counts. Raises ConfigError."""
    return parse_config(read_source(path, "The configuration"), str(path))


def parse_config(data: bytes, source: str) -> Config:
    """The configuration in the bytes of a file called `source`. Raises ConfigError."""
    loaded = decode_yaml(data, source)
    if loaded is None:  # empty, or nothing but comments
        return Config()
    config = parse(Config, loaded, source)
    check(config, source)
    return config
