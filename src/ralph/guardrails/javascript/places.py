"""What a JavaScript file is for, by its path: a test, support of tests, a tool's configuration, a command, product."""

from __future__ import annotations

import posixpath

from ralph.guardrails.javascript.layout import END, is_test_file
from ralph.system.patterns import later

_SUPPORT = later(
    rf"(?i)(?:^|/)(?:[^/]*[-_.])?(?:setup|teardown|reporter|global-?(?:setup|teardown)|set-?up-?(?:tests?|files?|env|jest|vitest)"
    rf"|setuptests?|jest[-_.]?(?:setup|env\w*)|test[-_.]?(?:setup|helpers?|utils?|env\w*)|transform(?:er)?|runner)(?:[-_.][^/]*)?{END}"
)
_CONFIG = later(
    rf"(?i)(?:^|/)[^/]*(?:\.config|rc){END}|(?:^|/)(?:gulpfile|gruntfile|webpack|rollup|vite|vitest|jest|babel|karma|protractor)"
    rf"[^/]*{END}|(?:^|/)(?:config|\.?storybook|webpack|build)/"
)
_COMMAND = later(
    rf"(?i)(?:^|/)(?:bin|cli|scripts?|tools?|tasks?|commands?|cmd|examples?|benchmarks?|bench|demo|hack|ci|\.github)/"
    rf"|(?:^|/)(?:[^/]*[-_.])?(?:cli|main|bin|index|server|app|start|run|worker|daemon|exit|shutdown|process|signals?"
    rf"|bootstrap|entry(?:point)?|command|script|postinstall|install)(?:[-_.][^/]*)?{END}"
)
_NAME_END = later(r"(?:[._-](?:test|spec|cy|e2e|unit|int|integration))*\.[cm]?[jt]sx?$")


def is_test_code(path: str) -> bool:
    return is_test_file(path) or is_support(path)


def is_support(path: str) -> bool:
    """Setup files, reporters and their kind, wherever they stand."""
    return _SUPPORT.search(path) is not None


def is_config(path: str) -> bool:
    return _CONFIG.search(path) is not None


def is_command(path: str) -> bool:
    """Something that is run, and may end the process it runs in."""
    return _COMMAND.search(path) is not None


def is_product(path: str) -> bool:
    return not (is_test_code(path) or is_config(path))


def stem(path: str) -> str:
    """What a module or a test is called after: `src/total/index.ts`, `total.test.js` and `./total` are `total`."""
    name = _NAME_END.sub("", posixpath.basename(path))
    if name in ("index", "") and posixpath.dirname(path) not in ("", "."):
        return posixpath.basename(posixpath.dirname(path))
    return name
