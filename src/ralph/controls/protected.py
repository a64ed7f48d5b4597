"""Which changed files decide how tests are run, rather than what they test.

Rules:

- Known by name: conftest, configuration of runners and transformers, files that Python or the shell loads by
  themselves, task files, and modules that stand in for a test runner or, as `__mocks__`, for others.
- Of a file that is about other things too (`pyproject.toml`, `package.json`), only a change in the parts about tests
  and scripts counts.
- Known by what uses them: scripts that a command names, and files that the configuration of a JavaScript runner names.
- A module beside the tests that has hooks or fixtures of its own. One with plain helper functions has not: what a test
  calls belongs to the test, and rules over text compare it.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, FileChange
from ralph.steps.commandline import read_line

_BY_NAME = re.compile(
    r"(?x)(?:conftest\.py|\.?pytest\.(?:ini|toml)|\.coveragerc|(?:site|user)customize\.py|noxfile\.py|[^/]*\.pth"
    r"|(?:GNU)?[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml|\.npmrc|\.pnpmfile\.cjs|\.envrc"
    r"|(?:jest|vitest|vite|babel|karma|playwright|cypress|ava|wallaby)[.-](?:config|workspace|setup|conf)[^/]*"
    r"|setup-?[Tt]ests?\.[cm]?[jt]sx?|(?:jest|vitest|test)[.-]?[sS]etup\.[cm]?[jt]sx?|\.babelrc[^/]*|\.swcrc|\.mocharc[^/]*)"
)
_STAND_INS = re.compile(
    r"(?:src/|lib/|tests?/)?(?:pytest|_pytest|unittest)(?:\.py|/.*\.py)|(?:.*/)?__mocks__/.*|(?:jest|vitest)\.[cm]?js"
)
_SETTINGS = re.compile(r"(?:jest|vitest|vite)[.-](?:config|workspace)[^/]*|package\.json")
_NAMED = re.compile(r"""["']([^"'\s]+)["']""")
_POWERS = re.compile(rb"\bdef\s+pytest_|\bhookimpl\b|\bpytest_plugins\b|\bfixture\b|\bcollect_ignore")
_CODE = frozenset({".py", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".jsx", ".tsx"})


def protected(change: Change, commands: Iterable[str]) -> list[str]:
    """The paths of those files, sorted. `commands` are the shell lines of the steps."""
    named = {*_in_commands(commands, change), *_in_settings(change)}
    return sorted(file.path for file in change.files if _decides(file, change, named))


def _decides(file: FileChange, change: Change, named: set[str]) -> bool:
    path = PurePosixPath(file.path)
    if path.name in _PARTS:
        old, new = (_part(path.name, data) for data in (change.blobs.before(file.path), change.blobs.after(file.path)))
        return old != new or old is None
    if file.path in named or _BY_NAME.fullmatch(path.name) or _STAND_INS.fullmatch(file.path):
        return True
    if path.suffix != ".py" or not is_support(file.path):
        return False
    both = (change.blobs.before(file.path), change.blobs.after(file.path))
    return not path.name.startswith("test_") and any(_POWERS.search(data or b"") for data in both)


def _in_commands(commands: Iterable[str], change: Change) -> Iterator[str]:
    """Words of the commands, and of the package scripts, that are paths."""
    lines = [*commands]
    for data in (change.blobs.before("package.json"), change.blobs.after("package.json")):
        scripts = (_part("package.json", data) or {}).get("scripts")
        lines += [line for line in scripts.values() if isinstance(line, str)] if isinstance(scripts, dict) else []
    for line in lines:
        for simple in read_line(line).commands:
            yield from (str(PurePosixPath(text)) for text in simple.texts)


def _in_settings(change: Change) -> Iterator[str]:
    """Paths that the configuration of a JavaScript runner names, on either side."""
    for side, paths in (
        (change.blobs.before, change.blobs.paths_before()),
        (change.blobs.after, change.blobs.paths_after()),
    ):
        for path in paths:
            if "/node_modules/" not in f"/{path}" and _SETTINGS.fullmatch(PurePosixPath(path).name):
                text = (side(path) or b"").decode("utf-8", "replace")
                yield from _files_named(text, PurePosixPath(path).parent, paths)


def _files_named(text: str, folder: PurePosixPath, paths: frozenset[str]) -> Iterator[str]:
    for name in _NAMED.findall(text):
        plain = name.replace("<rootDir>", "").lstrip("/").removeprefix("./")
        for ending in ("", ".js", ".ts", ".cjs", ".mjs"):
            path = str(folder / f"{plain}{ending}")
            if path in paths and PurePosixPath(path).suffix in _CODE:
                yield path


def _toml(data: bytes) -> dict[str, Any]:
    tool = tomllib.loads(data.decode()).get("tool", {})
    whole = {name: tool.get(name) for name in ("pytest", "coverage", "tox", "poe", "taskipy")}
    return whole | {name: tool.get(name, {}).get(key) for name, key in (("hatch", "envs"), ("pdm", "scripts"))}


def _ini(data: bytes) -> dict[str, Any]:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    parser.read_string(data.decode())
    about = ("pytest", "tool:pytest", "coverage", "tox", "testenv")
    return {name: dict(parser[name]) for name in parser.sections() if name.startswith(about)}


def _package(data: bytes) -> dict[str, Any]:
    document = json.loads(data)
    about = ("scripts", "jest", "vitest", "babel", "mocha", "ava", "c8", "nyc", "type")
    return {name: document.get(name) for name in about}


_PARTS: Mapping[str, Callable[[bytes], dict[str, Any]]] = {
    "pyproject.toml": _toml,
    "setup.cfg": _ini,
    "tox.ini": _ini,
    "package.json": _package,
}


def _part(name: str, data: bytes | None) -> dict[str, Any] | None:
    """What of such a file is about tests; None if it cannot be read, which never counts as equal."""
    if data is None:
        return {}
    try:
        return _PARTS[name](data)
    except (ValueError, TypeError, AttributeError, configparser.Error):
        return None
