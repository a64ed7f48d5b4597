"""Scripts of a package, started by name (`npm run NAME`, `yarn NAME`, `composer run NAME`).

Rule: a name that is, or begins or ends with, `deploy`, `release` or `publish` as a word of its own (`deploy:prod`,
`predeploy` is run by it) is `production_impacting_edits`; a policy may name further ones. Design decision 23.
"""

from __future__ import annotations

import re

from ralph.permissions.model import ApprovalClass

PRODUCTION_NAMES = frozenset({"deploy", "release", "publish"})
_WORDS = re.compile(r"[:._/-]")


def script_classes(name: str) -> frozenset[ApprovalClass]:
    """The classes that a script belongs to by its name alone."""
    words = _WORDS.split(name.lower())
    bare = {word.removeprefix("pre").removeprefix("post") for word in words} | set(words)
    return frozenset({ApprovalClass.PRODUCTION}) if bare & PRODUCTION_NAMES else frozenset()
