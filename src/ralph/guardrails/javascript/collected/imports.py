"""What a test of JavaScript can depend on, as far as its imports tell (class G05: expected values).

A test whose imports were all followed, and lead to files of the project, test frameworks and libraries that only
compute, cannot notice a change of any other code. Whatever might reach further (the network, a process, a browser, a
file that is read, a specifier that is computed or an alias) makes the answer: nobody knows.
"""

from __future__ import annotations

import posixpath

from ralph.guardrails.config.side import resolve
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.layout import is_test_file
from ralph.system.patterns import later

MOST_FILES = 60
SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json")
_IMPORTS = later(
    rb"(?:\bfrom|\bimport|\b(?:require|import|importActual|requireActual)\s*(?:<[^<>\n]*>)?\s*\()\s*[\"'`]([^\"'`\n]+)[\"'`]"
)
_COMPUTED = later(rb"\b(?:require|import)\s*\(\s*(?![\s\"'])|\b(?:require|import)\s*\(\s*[\"'][^\"'\n]*[\"']\s*\+")
_REACHES = later(
    rb"\bfetch\s*\(|\bXMLHttpRequest\b|\bWebSocket\b|\bWorker\s*\(|\bWebAssembly\b|\bDeno\s*\.|\bBun\s*\.|import\.meta\.(?:glob|url)"
    rb"|\b__dirname\b|\b__filename\b|\bnavigator\s*\.|\bcy\s*\.|\bprocess\s*\.\s*(?:binding|dlopen|chdir)|\brequire\s*\.\s*(?:resolve|context)"
)
_HARMLESS = later(
    r"(?:node:)?(?:assert(?:/strict)?|test|util|path|url|events|crypto|buffer|os|querystring|string_decoder|timers(?:/promises)?)"
    r"|vitest|@jest/globals|bun:test|mocha|chai|expect|ava|tape|uvu(?:/assert)?|sinon|should|fast-check|jest-extended|jsdom|tslib"
    r"|@testing-library/[\w-]+(?:/vitest)?|react(?:-dom)?(?:/[\w-]+)*|react-test-renderer|vue|@vue/test-utils|svelte(?:/\w+)?|preact"
    r"|(?:lodash|ramda|date-fns|rxjs|lodash-es)(?:/\w+)*|dayjs|luxon|moment|uuid|zod|immer|clsx|classnames|nanoid|decimal\.js|big\.js"
)


def reached(path: str, side: Paths) -> frozenset[str] | None:
    """The files that the test file imports, and those that they do; None where it may depend on more."""
    paths, seen, waiting = side.all(), {path}, [path]
    while waiting:
        each = waiting.pop()
        data = side.read(each)
        if data is None or _COMPUTED.search(data) or _REACHES.search(data):
            return None
        for name in {match[1].decode("utf-8", "replace") for match in _IMPORTS.finditer(data)}:
            if _HARMLESS.fullmatch(name):
                continue
            target = resolve(paths, each, name, SUFFIXES) if name.startswith(("./", "../")) else None
            if target is None or len(seen) >= MOST_FILES:
                return None
            if target not in seen and not target.endswith(".json"):
                waiting.append(target)
            seen.add(target)
    product = any(not is_test_file(each) and posixpath.splitext(each)[1] != ".json" for each in seen)
    return frozenset(seen) if product else None
