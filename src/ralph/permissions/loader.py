"""Reads `ralph.policy.json` into `Permissions`: to the letter, all errors at once, never a permissive default.

Spec: policy engine. A missing or broken policy is a ConfigError whose message lists every problem, each with its JSON
path and the way out. Nothing is read but JSON of the standard library: this is on the start-up path of the hook.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import Any

from ralph.errors import ConfigError
from ralph.permissions.model import Permissions
from ralph.permissions.schema import POLICY
from ralph.permissions.strict_json import MAX_BYTES, decoded
from ralph.record import replace

POLICY_FILE = "ralph.policy.json"
MAX_SHOWN = 100


def load(path: Path) -> Permissions:
    """The policy in a file. Raises ConfigError, also when there is none."""
    return parse(_read(path), str(path))


def parse(data: bytes, source: str) -> Permissions:
    """The policy in these bytes; `source` names them in errors. Raises ConfigError."""
    try:
        document = decoded(data)
    except ValueError as error:
        raise ConfigError(f"{source} {error}.") from None
    problems: list[str] = []
    permissions = POLICY(document, "$", problems)
    problems += _contradictions(document, permissions)
    if problems:
        raise ConfigError(_told(source, problems))
    read: Permissions = replace(permissions, source=source, digest=hashlib.sha256(data).hexdigest())
    return read


def _contradictions(document: Any, permissions: Permissions | None) -> list[str]:
    """Rules that look as if they did something and do not."""
    if permissions is None:
        return []
    found = []
    for key, rules in (("paths", permissions.approval.paths), ("scripts", permissions.approval.scripts)):
        for name in rules:
            if rules[name] and name not in permissions.approval.required_for:
                # A list alone has no class in it to point at.
                place = f".{name}" if isinstance(document["approval"][key], dict) else ""
                found.append(
                    f'$.approval.{key}{place} names what belongs to "{name}", but nobody is asked about that: '
                    f"add it to $.approval.requiredFor, or remove this"
                )
    return found


def _told(source: str, problems: list[str]) -> str:
    if len(problems) == 1:
        return f"{source}: {_sentence(problems[0])}"
    lines = [f"  {_sentence(problem)}" for problem in problems[:MAX_SHOWN]]
    if len(problems) > MAX_SHOWN:
        lines.append(f"  And {len(problems) - MAX_SHOWN} more.")
    return "\n".join([f"{source} has {len(problems)} errors; correct each:", *lines])


def _sentence(problem: str) -> str:
    return problem if problem.endswith(("?", ".")) else f"{problem}."


def _read(path: Path) -> bytes:
    try:
        # Without O_NONBLOCK a pipe that somebody put there would be waited for forever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise ConfigError(
            f"There is no {path}, and without it nothing is allowed: write one with `ralph init`, or name another file."
        ) from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError(f"{path} is no plain file: remove it, and write one with `ralph init`.")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from None
    finally:
        os.close(descriptor)
