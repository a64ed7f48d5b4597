"""Projects that run their coroutine tests themselves, without a mark on each (policy set v2, class G05).

Rule: a coroutine in a file of tests is run in a loop where the settings that pytest takes say so of all of them
(`asyncio_mode = auto`, `trio_mode = true`, `anyio_mode = auto`) and a file of requirements names that plugin; and
where a conftest above it, or a module that the settings load with `-p`, has a hook that runs what is a coroutine. It
is as good as marked. `unittest` with its plain class takes no notice of that.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.python.assertions.facts import PLAIN_CASE
from ralph.system.patterns import later

MARK = "pytest.mark.runs_in_a_loop"
SETTINGS = (
    ("pytest.ini", rb""),
    (".pytest.ini", rb""),
    ("pyproject.toml", rb"[tool.pytest"),
    ("tox.ini", rb"[pytest]"),
    ("setup.cfg", rb"[tool:pytest]"),
)
"""In the order in which pytest looks for them, with the section that makes it take one."""
NEXT_SECTION = later(rb"\n\[[A-Za-z]")
MODE = later(
    rb"(?m)^[ \t]*(asyncio|anyio)_mode[ \t]*=[ \t]*[\"']?auto\b|^[ \t]*(trio)_mode[ \t]*=[ \t]*[\"']?true\b"
    rb"|^[^#\n]*--(asyncio)-mode[= ]auto\b"
)
PLUGINS = {
    b"asyncio": later(rb"(?i)\bpytest[-_]asyncio\b"),
    b"anyio": later(rb"(?i)\banyio\b"),
    b"trio": later(rb"(?i)\bpytest[-_]trio\b"),
}
LOADS = later(rb"(?<![\w-])-p[ \t]+([A-Za-z_][\w.]*)(?!\S*:)")
BLOCKS = later(rb"(?<![\w-])-p[ \t]*no:(?:pytest[-_])?(?:asyncio|anyio|trio)\b")
REQUIREMENTS = later(
    r"(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|Pipfile|environment\.ya?ml|[^/]*requirements[^/]*)"
)
HOOK = later(
    rb"(?ms)^def pytest_pyfunc_call\((?:(?!^\S).)*?\biscoroutine\w*\((?:(?!^\S).)*?"
    rb"(?:\brun\w*\([^\n]*(?:obj|func)|\.obj[ \t]*=[^=\n]*\.obj\b)"
)
"""It asks what is a coroutine, and runs it or puts something made of it in its place."""


def marks(path: str, text: str, bases: str, paths: Paths) -> tuple[str, ...]:
    """The mark that a test has from its project, if it is a coroutine and has it."""
    if "async def" not in text or bases == PLAIN_CASE:
        return ()
    folders = paths.memo.once("loops", lambda: frozenset(_folders(paths)))
    return (MARK,) if any(not folder or path.startswith(f"{folder}/") for folder in folders) else ()


def _folders(paths: Paths) -> Iterator[str]:
    """Those below which coroutines are run."""
    settings = _settings(paths)
    mode = None if BLOCKS.search(settings) else MODE.search(settings)
    if mode is not None and mode.lastindex is not None and _is_required(PLUGINS[mode[mode.lastindex]], paths):
        yield ""
    loaded = tuple(name.decode().replace(".", "/") + ".py" for name in LOADS.findall(settings))
    for path in paths.all():
        folder, _, name = path.rpartition("/")
        by_option = any(path == each or path.endswith(f"/{each}") for each in loaded)
        if (by_option or name == "conftest.py") and HOOK.search(paths.read(path) or b""):
            yield "" if by_option else folder


def _settings(paths: Paths) -> bytes:
    for name, section in SETTINGS:
        data = paths.read(name)
        if data is not None and section in data:
            found = data[data.index(section) + 1 :] if section else data
            after = NEXT_SECTION.search(found) if section else None
            return found[: after.start()] if after is not None else found
    return b""


def _is_required(plugin: re.Pattern[bytes], paths: Paths) -> bool:
    places = (path for path in paths.all() if REQUIREMENTS.fullmatch(posixpath.basename(path)))
    return any(plugin.search(paths.read(place) or b"") for place in places)
