"""Releases of the package manager and of its plugins that are kept in the project (policy set v2, class G18).

Rules:

- A new `.yarn/releases/yarn-3.4.1.cjs` of a release's size, which `packageManager` or `yarnPath` of the same folder
  names by its version, is that program, packed.
- A new `.yarn/plugins/@yarnpkg/plugin-version.cjs` of a packed plugin's size and form, which `.yarnrc.yml` of the same
  folder takes from the package manager's own ones (`spec: "@yarnpkg/plugin-version"`), is that plugin.

Their lines are not judged one by one: nobody wrote them here, and nobody can read them. A person compares the file with
the release. One that is edited, or that nothing names, is a file like others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.record import replace
from ralph.system.patterns import later

RELEASE = later(r"^(?P<above>(?:.*/)?)\.yarn/releases/(?P<file>yarn-(?P<version>\d+\.\d+\.\d+[\w.-]*)\.cjs)$")
PLUGIN = later(r"^(?P<above>(?:.*/)?)\.yarn/plugins/(?P<name>@yarnpkg/plugin-[\w-]+)\.cjs$")
PACKED = later(
    rb"(?:/\*[^*\n]*\*/\n|//[^\n]*\n)*module\.exports ?= ?\{\nname: \"(?P<name>@yarnpkg/plugin-[\w-]+)\",\nfactory"
)
LEAST_BYTES = 500_000
"""No release is smaller, and nobody writes so much by hand."""
LEAST_OF_PLUGIN = 50_000
FOLDER = ".yarn/"


def is_release(path: str, change: Change) -> bool:
    if FOLDER not in path or change.blobs.before(path) is not None:
        return False
    content = change.blobs.after(path) or b""
    if (found := PLUGIN.match(path)) is not None:
        return len(content) >= LEAST_OF_PLUGIN and _is_taken(found["name"], found["above"], content, change)
    found = RELEASE.match(path)
    if found is None or len(content) < LEAST_BYTES:
        return False
    manifest, settings = (change.blobs.after(found["above"] + name) or b"" for name in ("package.json", ".yarnrc.yml"))
    manager = rb"\"packageManager\"\s*:\s*\"yarn@%s[\"+]" % re.escape(found["version"].encode())
    named = rb"(?m)^yarnPath:\s*[\"']?(?:\./)?\.yarn/releases/%s[\"']?\s*$" % re.escape(found["file"].encode())
    return re.search(manager, manifest) is not None or re.search(named, settings) is not None


def _is_taken(name: str, above: str, content: bytes, change: Change) -> bool:
    """The plugin says what it is, and the settings say the same and where it was taken from."""
    head = PACKED.match(content)
    if head is None or head["name"] != name.encode():
        return False
    settings = change.blobs.after(f"{above}.yarnrc.yml") or b""
    spelled = re.escape(name.encode())
    place = rb"path:[ \t]*[\"']?(?:\./)?\.yarn/plugins/%s\.cjs[\"']?[ \t]*\n" % spelled
    origin = rb"[ \t]*spec:[ \t]*[\"']%s[\"']" % spelled
    return re.search(rb"(?m)^[ \t]*(?:-[ \t]+)?" + place + origin, settings) is not None


def without_releases(change: Change) -> Change:
    """The same change, in which these files have no lines."""
    if not any(FOLDER in file.path for file in change.files):
        return change
    return replace(change, files=tuple(_emptied(file, change) for file in change.files))


def _emptied(file: FileChange, change: Change) -> FileChange:
    return replace(file, hunks=()) if file.hunks and is_release(file.path, change) else file


def releases(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if is_release(file.path, change):
            detail = f"a release of yarn: compare {file.path} with it"
            yield hit_at("hidden.generated-new", file.path, 0, detail, "")
