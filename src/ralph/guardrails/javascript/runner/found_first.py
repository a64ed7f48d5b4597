"""A script that is found before the module of the same name (policy set v2, class G08).

    src/shipping.js   // comes beside src/shipping.ts, and "../src/shipping" is the script for Jest and Vite

Rule: Jest and Vite look for `.js` and `.mjs` before they look for TypeScript, and TypeScript's compiler builds its own.
A script that the change brings beside a module of TypeScript that stays, and that somebody asks for without an ending,
is what tests see from now on: it blocks. What a compiler made of the module is shown, and a configuration that says
which endings come first decides otherwise.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from itertools import islice

from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.runner.loaded import CONFIGS
from ralph.guardrails.javascript.runner.mapped import IMPORTS
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.system.patterns import later

FIRST, AFTER = (".js", ".mjs"), (".ts", ".tsx", ".mts")
BUILT = later(rb"\A\s*[\"']use strict[\"'];?\s*Object\.defineProperty\(exports, [\"']__esModule[\"']|sourceMappingURL=")
SCRIPTS = (*FIRST, *AFTER, ".jsx", ".cjs", ".cts")
RUNNERS = later(rb"\b(?:jest|vitest|vite)\b")
OTHER_ORDER = later(rb"\b(?:moduleFileExtensions|extensions)[\"']?\s*:")
MOST_FILES = 400


def found_first(change: Change) -> Iterator[Hit]:
    paths, there = change.blobs.paths_after(), change.blobs.paths_before()
    for file in change.files:
        name, end = posixpath.splitext(file.path)
        if end not in FIRST or file.path in there or file.status == "D" or is_test_file(file.path):
            continue
        module = next((name + each for each in AFTER if name + each in paths and name + each in there), None)
        if module is not None and _goes_by_endings(change) and _is_asked_for(name, change):
            data = change.blobs.after(file.path) or b""
            rule = "js.runner-loads" if BUILT.search(data) else "js.subject-mapped"
            yield hit_at(rule, file.path, 1, f"it is found before {module}", "")


def _goes_by_endings(change: Change) -> bool:
    """Jest or Vite runs the tests, in the order of endings that they come with."""
    configs = [path for path in change.blobs.paths_after() if CONFIGS.search(path) and "node_modules/" not in path]
    texts = [change.blobs.after(path) or b"" for path in sorted(configs)[:MOST_FILES]]
    said = [*texts, *(path.encode() for path in configs)]
    return any(map(RUNNERS.search, said)) and not any(map(OTHER_ORDER.search, texts))


def _is_asked_for(module: str, change: Change) -> bool:
    """Without its ending, by a script; tests are asked first."""
    word = posixpath.basename(module).encode()
    scripts = (path for path in change.blobs.paths_after() if path.endswith(SCRIPTS) and "node_modules/" not in path)
    for path in islice(sorted(scripts, key=lambda path: (not is_test_file(path), path)), MOST_FILES):
        data = change.blobs.after(path) or b""
        for match in IMPORTS.finditer(data) if word in data else ():
            asked = match[1].decode("utf-8", "replace")
            if asked.startswith(".") and posixpath.normpath(posixpath.join(posixpath.dirname(path), asked)) == module:
                return True
    return False
