"""Declaration files that import from a file which the change takes away (policy set v2, class G01).

    import type { Money } from "../money/types.js";  // in `events.d.ts`; the file is gone

With `skipLibCheck` TypeScript reports nothing in declaration files, those of the project among them: what such a file
imports from nowhere is `any`, and everything that uses it compiles.

Rule: a declaration file of the head, new or not, imports by a relative path what was there at the base and is not any
more, and a project of the tree skips the check of declarations. It blocks at the import. What never was in the tree may
be made when the project is built.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

RULE = "js.untyped-module"
CODE = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json")
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
IMPORT = later(rb"(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*)[\"'](?P<module>\.{1,2}/[^\"'\n]+)[\"']")
SKIPS = later(rb"\"skipLibCheck\"\s*:\s*true\b")
PROJECT = later(r"(?:^|/)tsconfig[\w.-]*\.json$")
WRITTEN = {".js": (".ts", ".tsx", ".d.ts"), ".mjs": (".mts", ".d.mts"), ".cjs": (".cts", ".d.cts"), ".jsx": (".tsx",)}
"""What stands for the name that runs."""
MOST_FILES, MOST_IMPORTS = 300, 100


def lost_types(change: Change) -> Iterator[Hit]:
    before, after = change.blobs.paths_before(), change.blobs.paths_after()
    gone = {file.path for file in change.files if file.status == "D" and file.path.endswith(CODE)}
    if not gone or not _skips(change, after):
        return
    declared = (path for path in after if path.endswith(DECLARATIONS))
    for path in nearest(declared, change, MOST_FILES):
        data = change.blobs.after(path) or b""
        for found in list(IMPORT.finditer(data))[:MOST_IMPORTS]:
            module = found["module"].decode("utf-8", "replace")
            was = _file(path, module, before)
            if was in gone and _file(path, module, after) is None:
                line = data.count(b"\n", 0, found.start()) + 1
                detail = f"{was} is gone: what it gave is any here"
                yield hit_at(RULE, path, line, detail, module, key=module)


def _skips(change: Change, paths: AbstractSet[str]) -> bool:
    return any(SKIPS.search(change.blobs.after(path) or b"") for path in paths if PROJECT.search(path))


def _file(importer: str, module: str, paths: AbstractSet[str]) -> str | None:
    base = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
    stem, suffix = posixpath.splitext(base)
    ends = (*CODE, *DECLARATIONS)
    named = [base, *(f"{stem}{end}" for end in WRITTEN.get(suffix, ())), *(f"{base}{end}" for end in ends)]
    return next((each for each in (*named, *(f"{base}/index{end}" for end in ends)) if each in paths), None)
