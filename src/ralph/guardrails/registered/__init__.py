"""Tests that the description of a build registers, and no longer does: CMake, Meson and Bazel (see `model`).

What a build of the JVM or of .NET takes to run its tests stands in `engines`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.system.patterns import later

DESCRIBES = later(
    r"(?:^|/)(?:CMakeLists\.txt|CMake(?:User)?Presets\.json|CTestCustom\.\w+|meson\.build|BUILD(?:\.bazel)?|[\w.-]*\.bazelrc)$|\.cmake(?:\.in)?$"
)

BUILDS = later(r"(?:^|/)(?:build\.gradle(?:\.kts)?|pom\.xml|[^/]+\.(?:cs|fs|vb)proj)$")


def unregistered(change: Change) -> Iterable[Hit]:
    """A change without such a file is let by without loading the rest."""
    if not any(DESCRIBES.search(file.path) for file in change.files):
        return ()
    from ralph.guardrails.registered import detect

    return detect.unregistered(change)


def without_engine(change: Change) -> Iterable[Hit]:
    """A change without such a file is let by without loading the rest."""
    if not any(BUILDS.search(file.path) for file in change.files):
        return ()
    from ralph.guardrails.registered import engines

    return engines.without_engine(change)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unregistered, without_engine)
