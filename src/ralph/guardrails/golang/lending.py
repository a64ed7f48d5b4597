"""Where a package's files of tests have the helpers that another one of them calls."""

from __future__ import annotations

from ralph.guardrails.inventory.readers import Paths
from ralph.system.patterns import later

DEFINES = later(rb"(?m)^func (\w+)(?:\[[^\]\n]*\])?\(")
MOST_FILES = 200


def place_of(name: str, path: str, paths: Paths) -> str | None:
    """The file of tests beside `path` that defines the function; None for that file itself, too."""
    folder = path.rpartition("/")[0]
    found = paths.memo.once(("go helpers in", folder), lambda: _defined(folder, paths)).get(name)
    return found if found != path else None


def _defined(folder: str, paths: Paths) -> dict[str, str]:
    beside = sorted(each for each in paths.all() if each.endswith("_test.go") and each.rpartition("/")[0] == folder)
    found: dict[str, str] = {}
    for path in beside[:MOST_FILES]:
        found |= {name.decode("utf-8", "replace"): path for name in DEFINES.findall(paths.read(path) or b"")}
    return found
