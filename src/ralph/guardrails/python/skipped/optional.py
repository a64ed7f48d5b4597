"""An import whose failure skips tests: of a dependency, or of something that the project does not know (G02).

Rules: `importorskip` of a module that nothing in the base names (no import, no list of dependencies), that no list of
dependencies of the head names, and that is not in the standard library, can only skip, so that it is a skip like any
other; so is a skip where the import of one failed, and where it asks for a version that there is not: one that no
package has reached, one above that of the project itself, or any of a module of it that has none; or for a package that
the very change takes out of all that installs packages. In a file that is
new, in a change that takes no file of tests away, it takes no test out of the run. Any other one is for a person.

So it is with a module of the project itself that is not there: its package is, no file bears its name (an extension
that is compiled does), nothing else imports it, and no build writes it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import accumulate

from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.python.imports.packages import MOST_FILES, NAMING, written
from ralph.guardrails.python.imports.tried import may_try, missing
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.trees import parsed_module
from ralph.record import replace
from ralph.system.patterns import later

CALL = later(r"importorskip\(\s*[\"']([\w.]+)[\"']")
VERSION = later(
    r"importorskip\(\s*[\"'](?P<module>[\w.]+)[\"']\s*,\s*(?:minversion\s*=\s*)?[\"'](?P<version>\d[\w.]*)[\"']"
)
DECLARED = later(rb"(?m)^__version__[ \t]*(?::[ \t]*\w+[ \t]*)?=[ \t]*[\"'](\d[^\"'\n]*)[\"']")
NUMBER = later(r"\d+")
UNHEARD_OF, YEARS = 99, range(1990, 2100)
"""Versions from here on do not exist, unless they are years."""
NAMED_LIKE = later(r"\..*$")
BUILDS = later(
    r"(?:^|/)(?:setup\.(?:py|cfg)|pyproject\.toml|CMakeLists\.txt|meson\.build|[Mm]akefile|Cargo\.toml|\.gitignore"
    r"|MANIFEST\.in|[^/]*build\w*\.py)$"
)
"""Files that may say that a module is written by a build."""
INSTALLS = later(
    r"\.(?:toml|cfg|txt|ini|ya?ml|lock|in|sh|json)$|(?:^|/)(?:Pipfile|[^/]*(?:Docker|Container|[Mm]ake|[Jj]ust)file[^/]*"
    r"|(?:setup|noxfile|tasks|dodo)\.py)$"
)
"""Files that say which packages are installed, or install them."""
TEST = later(rb"\s*(?:async\s+)?def\s+test")


def unknown_modules(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        named = _needed(hit, change) if hit.rule == "py.skip-condition" else frozenset()
        why = _asks_too_much(hit, change) if named else ""
        if named and not why and not any(_is_known(each.partition(".")[0], change) for each in named):
            why = f"nothing names {' or '.join(sorted(named))}"
        if named and not why and all(_is_missing(each, hit.path, change) for each in named):
            why = f"there is no {' or '.join(sorted(named))}"
        if named and not why and any(_is_dropped(each.partition(".")[0], change) for each in named):
            why = f"nothing installs {' or '.join(sorted(named))} any more"
        if why:
            rule = "py.skip-new-test" if is_new_file(hit.path, change) else "py.skip"
            hit = replace(hit, rule=rule, detail=f"{hit.detail or hit.key}: {why}")
        yield hit


def _asks_too_much(hit: Hit, change: Change) -> str:
    """What is wrong with the version that it wants of a module."""
    asked = VERSION.search(hit.snippet)
    if asked is None:
        return ""
    wanted = _numbers(asked["version"])
    if wanted[0] >= UNHEARD_OF and wanted[0] not in YEARS:
        return f"no release of {asked['module']} has reached {asked['version']}"
    text = _own_module(asked["module"].replace(".", "/"), hit.path, change)
    if text is None:
        return ""
    declared = DECLARED.search(text)
    if declared is None:
        return "" if b"__version__" in text else f"{asked['module']} has no version, and is skipped for any"
    had = declared[1].decode("utf-8", "replace")
    return f"{asked['module']} is {had}, and {asked['version']} is asked for" if _numbers(had) < wanted else ""


def _own_module(place: str, asked_by: str, change: Change) -> bytes | None:
    """The module's file in the head, where the project has it: from a folder of the test or one above it."""
    known = change.blobs.paths_after()
    folders = [f"{above}/" for above in accumulate(asked_by.split("/")[:-1], "{}/{}".format)]
    roots = (f"{folder}{root}" for folder in ("", *folders) for root in ("", "src/", "lib/"))
    places = (f"{root}{place}{end}" for root in roots for end in ("/__init__.py", ".py"))
    return next((change.blobs.after(path) for path in places if path in known), None)


def _is_missing(module: str, asked_by: str, change: Change) -> bool:
    """A module of a package of the project that the head does not have, and that nothing makes."""
    parent, _, name = module.rpartition(".")
    known = change.blobs.paths_after()
    package = parent.replace(".", "/")
    if not parent or not any(f"{root}{package}/__init__.py" in known for root in ("", "src/", "lib/")):
        return False
    if any(NAMED_LIKE.sub("", part) == name for path in known for part in path.split("/")):
        return False
    imports = re.compile(
        rf"(?<![\w.]){re.escape(module)}\b|\bfrom\s+(?:\.+|{re.escape(parent)}|\.+\w+)\s+import\b[^\n]*\b{re.escape(name)}\b"
        rf"|\bfrom\s+\.+{re.escape(name)}\b".encode()
    )
    built = re.compile(rf"[/.\"']{re.escape(name)}(?!\w)|(?<!\w){re.escape(name)}\.\w".encode())
    code = [path for path in sorted(known) if path != asked_by and path.endswith((".py", ".pyi", ".pyx"))]
    builds = [path for path in sorted(known) if BUILDS.search(path)]
    if len(code) > MOST_FILES:
        return False
    read = change.blobs.after
    return not any(imports.search(read(path) or b"") for path in code) and not any(
        built.search(read(path) or b"") for path in builds
    )


def _is_dropped(module: str, change: Change) -> bool:
    """What installs packages named it at the base, in a file of this change, and nothing of it does any more."""
    word, read = written(module), change.blobs
    if module in sys.stdlib_module_names or not any(
        INSTALLS.search(file.path) and word.search(read.before(file.path) or b"") for file in change.files
    ):
        return False
    kept = [path for path in sorted(read.paths_after()) if INSTALLS.search(path)]
    return len(kept) <= MOST_FILES and not any(word.search(read.after(path) or b"") for path in kept)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in NUMBER.findall(version)) or (0,)


def _needed(hit: Hit, change: Change) -> frozenset[str]:
    """The modules without which a hit's tests are skipped."""
    if named := CALL.search(hit.snippet):
        return frozenset({named[1]})
    data = change.blobs.after(hit.path) or b""
    tree = parsed_module(data) if may_try(data) else None
    return missing(tree, hit.line) if tree is not None else frozenset()


def is_new_file(path: str, change: Change) -> bool:
    """A file that nothing moved to."""
    status = {file.path: file.status for file in change.files}
    gone = any(file.status == "D" and is_test_file(file.path) for file in change.files)
    shrunk = any(file.status == "M" and is_test_file(file.path) and _loses_tests(file) for file in change.files)
    return status.get(path) == "A" and not gone and not shrunk


def _loses_tests(file: FileChange) -> bool:
    return any(TEST.match(line) for hunk in file.hunks for line in hunk.removed)


def _is_known(module: str, change: Change) -> bool:
    """In a tree too large to look through, it may be."""
    paths = [path for path in sorted(change.blobs.paths_before()) if NAMING.search(path)]
    if module in sys.stdlib_module_names or len(paths) > MOST_FILES:
        return True
    word = written(module)
    lists = (file.path for file in change.files if NAMING.search(file.path) and not file.path.endswith((".py", ".pyi")))
    declared = any(word.search(change.blobs.after(path) or b"") for path in lists)
    return declared or any(word.search(change.blobs.before(path) or b"") for path in paths)
