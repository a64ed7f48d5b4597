"""Tests that the description of a build registers, and no longer does: CMake, Meson and Bazel (see `model`)."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.system.patterns import later

DESCRIBES = later(
    r"(?:^|/)(?:CMakeLists\.txt|CMake(?:User)?Presets\.json|CTestCustom\.\w+|meson\.build|BUILD(?:\.bazel)?|[\w.-]*\.bazelrc)$|\.cmake(?:\.in)?$"
)


def unregistered(change: Change) -> Iterable[Hit]:
    """A change without such a file is let by without loading the rest."""
    if not any(DESCRIBES.search(file.path) for file in change.files):
        return ()
    from ralph.guardrails.registered import detect

    return detect.unregistered(change)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unregistered,)
