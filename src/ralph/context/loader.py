"""Reads contexts, and refuses one that tries to be policy.

Spec: governance engine 2.3. A key that belongs to the policy is refused wherever it stands, in any spelling
of case and word separator, also as a dotted path: an exception "just this once" has no place to hide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ralph.context.schema import AppContext
from ralph.errors import ConfigError, PolicyOverrideError
from ralph.system.records import parse
from ralph.system.yaml import decode_yaml, read_source

CONTEXT_FILE = "ralph-context.yaml"

FORBIDDEN = frozenset(
    {
        "guardrails",
        "forbiddenpatterns",
        "patterns",
        "policy",
        "policyversion",
        "rules",
        "thresholds",
        "coveragemin",
        "mincoverage",
        "minpercent",
        "minallowed",
        "maxerrors",
        "maxlinesadded",
        "maxfileschanged",
        "mustallpass",
        "required",
        "verdicts",
        "steps",
        "steporder",
        "contract",
        "contracts",
        "limits",
        "exceptions",
    }
)
"""Keys that only governance sets, written without case, `_`, `-` and blanks."""


def read_context(path: Path) -> AppContext:
    """The context in a file. Raises ConfigError (unreadable, unknown key) or PolicyOverrideError."""
    return parse_context(read_source(path, "The context file"), str(path))


def parse_context(data: bytes, source: str) -> AppContext:
    """The context in the bytes of a file called `source`."""
    loaded = decode_yaml(data, source)
    for place in _keys(loaded):
        if forbidden := _forbidden(place[-1]):
            raise PolicyOverrideError(
                f"{source}: an application's context cannot set {'.'.join(place)!r}: "
                f"{forbidden!r} is governed by Ralph's policy and contracts; remove the key."
            )
    context = parse(AppContext, loaded, source)
    for name in ("coverage_report", "test_report"):
        _inside(getattr(context.paths, name), f"paths.{name}", source)
    return context


def _forbidden(key: str) -> str | None:
    """The part of a key (dotted or not) that is the policy's, or None."""
    return next((part for part in key.split(".") if re.sub(r"[\W_]", "", part).casefold() in FORBIDDEN), None)


def _keys(value: object, place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every key, at any depth of mappings and lists."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            here = (*place, str(key))
            yield here
            yield from _keys(item, here)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _keys(item, (*place, str(index)))


def _inside(path: str | None, key: str, source: str) -> None:
    """A report is the project's own file: absolute paths and `..` are refused."""
    if path is None:
        return
    if Path(path).is_absolute() or ".." in Path(path).parts or not path.strip() or "\0" in path:
        raise ConfigError(f"{source}: {key} must be a path inside the project, not {path!r}.")
