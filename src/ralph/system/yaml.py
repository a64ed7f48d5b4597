"""The one reader of YAML: plain data only, every key once, and an error that says where.

YAML's own loader lets the last of two equal keys win, so that a file can say one thing to a person and another
to a program. Here a repeated key is an error, as is anything but mappings, lists and scalars.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from ralph.errors import ConfigError

MAX_BYTES = 1 << 20
MAX_DEPTH = 100
MAX_VALUES = 100_000
"""What aliases repeat counts each time."""


class StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The safe loader (libyaml's where it is built in) that refuses a repeated key."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Hashable] = set()
        for node_of_key, _ in node.value:
            if node_of_key.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(node_of_key, deep=True)
            if not isinstance(key, Hashable):
                continue  # refused below, with its place
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} stands twice in one mapping", node_of_key.start_mark
                )
            seen.add(key)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return mapping


def read_source(path: Path, what: str) -> bytes:
    """The bytes of a file that a person wrote. Raises ConfigError, also when it is too large to be one."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{what} {path} cannot be read: {getattr(error, 'strerror', error)}.") from None
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{what} {path} holds more than {MAX_BYTES >> 20} MiB; name another file.")
    return data


def decode_yaml(data: bytes, source: str) -> Any:
    """The data of one YAML document in UTF-8. Raises ConfigError that names `source` and the line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"{source} is not UTF-8 text; save it as UTF-8.") from None
    return load_yaml(text, source)


def load_yaml(text: str, source: str) -> Any:
    """The data of one YAML document. Raises ConfigError that names `source` and the line."""
    try:
        refuse_swarms(text)
        return yaml.load(text, Loader=StrictLoader)
    except yaml.YAMLError as error:
        raise ConfigError(f"{source}{_line(error)}: {_problem(error)}; correct the file.") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{source}: not readable as YAML ({type(error).__name__}: {error}); correct the file."
        ) from error


def refuse_swarms(text: str) -> None:
    """Few brackets can end Ralph without a word, since libyaml's loader is recursive in C, and few aliases can stand
    for more values than there is memory. The parser is neither: what the text would become is counted here first.

    Raises yaml.YAMLError.
    """
    size, height = 0, 0
    open_values: list[tuple[str | None, int, int]] = []
    anchors: dict[str, tuple[int, int]] = {}
    for event in yaml.parse(text, Loader=StrictLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            open_values.append((event.anchor, size, height))
            size, height = size + 1, 0
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, size_before, height_beside = open_values.pop()
            if anchor is not None:
                anchors[anchor] = (size - size_before, height + 1)
            height = max(height_beside, height + 1)
        elif isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _, _ in open_values):
                raise yaml.YAMLError(f"*{event.anchor} holds itself")
            more, taller = anchors.get(event.anchor or "", (1, 0))
            size, height = size + more, max(height, taller)
        elif isinstance(event, yaml.ScalarEvent):
            size += 1
            if event.anchor is not None:
                anchors[event.anchor] = (1, 0)
        if len(open_values) + height > MAX_DEPTH:
            raise yaml.YAMLError(f"more than {MAX_DEPTH} levels of nesting")
        if size > MAX_VALUES:
            raise yaml.YAMLError(f"more than {MAX_VALUES} values")


def _line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return f", line {mark.line + 1}" if mark else ""


def _problem(error: yaml.YAMLError) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).splitlines()[0]
    return str(problem)
