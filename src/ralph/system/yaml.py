"""The one reader of YAML: plain data only, every key once, and an error that says where.

YAML's own loader lets the last of two equal keys win, so that a file can say one thing to a person and another
to a program. Here a repeated key is an error, as is anything but mappings, lists and scalars.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import yaml

from ralph.errors import ConfigError

MAX_DEPTH = 100


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


def load_yaml(text: str, source: str) -> Any:
    """The data of one YAML document. Raises ConfigError that names `source` and the line."""
    try:
        _refuse_depths(text)
        return yaml.load(text, Loader=StrictLoader)
    except yaml.YAMLError as error:
        raise ConfigError(f"{source}{_line(error)}: {_problem(error)}; correct the file") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{source}: not readable as YAML ({type(error).__name__}: {error}); correct the file"
        ) from error


def _refuse_depths(text: str) -> None:
    """libyaml's loader is recursive in C: a file of brackets would end Ralph without a word. Its parser is not."""
    depth = 0
    for event in yaml.parse(text, Loader=StrictLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise yaml.YAMLError(f"more than {MAX_DEPTH} levels of nesting")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return f", line {mark.line + 1}" if mark else ""


def _problem(error: yaml.YAMLError) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).splitlines()[0]
    return str(problem)
