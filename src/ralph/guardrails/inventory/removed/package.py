"""Tests that go with their whole package (policy set v2, class G04).

Rules:

- A package is a folder with a manifest. Where it is deleted to the last file, with product code in it of which no file
  arrives under its name elsewhere, its tests go with it.
- So do the tests of a project of .NET that is deleted to the last file, where a project that it refers to, by itself or
  with all that stand beside it, is such a package, and all words of that one's name are in its own.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change
from ralph.system.patterns import later

MANIFEST = later(
    r"(?:^|/)(?:package\.json|Cargo\.toml|pyproject\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|[^/]+\.(?:cs|fs|vb)proj)$"
)
SHARED = "Directory.Build.props"
REFERENCE = later(rb"<ProjectReference\s[^>]*\bInclude\s*=\s*\"([^\"]+)\"")


def of_gone_packages(change: Change) -> tuple[str, ...]:
    """The folders, each with a slash behind it."""
    manifests = [file.path for file in change.files if file.status == "D" and MANIFEST.search(file.path)]
    emptied = {path: f"{posixpath.dirname(path)}/" for path in manifests if _is_empty(posixpath.dirname(path), change)}
    gone = {path for path, folder in emptied.items() if _is_taken_out(folder, change)}
    asking = (path for path in emptied if path not in gone and not gone.isdisjoint(_referred(path, change)))
    return tuple(emptied[path] for path in (*gone, *asking))


def _is_empty(folder: str, change: Change) -> bool:
    return bool(folder) and not any(path.startswith(f"{folder}/") for path in change.blobs.paths_after())


def _is_taken_out(folder: str, change: Change) -> bool:
    """It had product code, and none of it stands elsewhere now."""
    deleted = (file.path for file in change.files if file.status == "D" and file.path.startswith(folder))
    names = {posixpath.basename(path) for path in deleted if language_of(path) and not is_support(path)}
    arrived = {posixpath.basename(file.path) for file in change.files if file.status == "A"}
    return bool(names) and names.isdisjoint(arrived)


def _referred(manifest: str, change: Change) -> Iterator[str]:
    """Projects that it is called after. What a folder above says of references holds for each project, from there."""
    folder, own = posixpath.dirname(manifest), _words(manifest)
    above = posixpath.dirname(folder)
    for path in (manifest, posixpath.join(above, SHARED), SHARED):
        for written in REFERENCE.findall(change.blobs.before(path) or b""):
            place = written.decode("utf-8", "replace").replace("\\", "/")
            if _words(place) <= own:
                yield posixpath.normpath(posixpath.join(folder, place))


def _words(manifest: str) -> frozenset[str]:
    return frozenset(posixpath.basename(manifest).split(".")[:-1])
