"""Releases of the package manager that are kept in the project (policy set v2, class G18).

Rule: a new `.yarn/releases/yarn-3.4.1.cjs` of a release's size, which `packageManager` or `yarnPath` of the same folder
names by its version, is that program, packed. Its lines are not judged one by one: nobody wrote them here, and nobody
can read them. A person compares it with the release. One that is edited, or that nothing names, is a file like others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, Hit, hit_at
from ralph.system.patterns import later

RELEASE = later(r"^(?P<above>(?:.*/)?)\.yarn/releases/(?P<file>yarn-(?P<version>\d+\.\d+\.\d+[\w.-]*)\.cjs)$")
LEAST_BYTES = 500_000
"""No release is smaller, and nobody writes so much by hand."""


def is_release(path: str, change: Change) -> bool:
    found = RELEASE.match(path)
    if found is None or change.blobs.before(path) is not None or len(change.blobs.after(path) or b"") < LEAST_BYTES:
        return False
    manifest, settings = (change.blobs.after(found["above"] + name) or b"" for name in ("package.json", ".yarnrc.yml"))
    manager = rb"\"packageManager\"\s*:\s*\"yarn@%s[\"+]" % re.escape(found["version"].encode())
    named = rb"(?m)^yarnPath:\s*[\"']?(?:\./)?\.yarn/releases/%s[\"']?\s*$" % re.escape(found["file"].encode())
    return re.search(manager, manifest) is not None or re.search(named, settings) is not None


def releases(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if is_release(file.path, change):
            detail = f"a release of yarn: compare {file.path} with it"
            yield hit_at("hidden.generated-new", file.path, 0, detail, "")
