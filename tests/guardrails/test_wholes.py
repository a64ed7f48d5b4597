"""A suppression of a whole file that becomes one of single places is less, whatever it is called; nothing else is."""

from __future__ import annotations

import pytest

from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.memory import change

V2 = registry.load("v2")
JS = "export function pay(card) {\n  debugger;\n  return card;\n}\n"
JS_LINE = JS.replace("  debugger", "  // eslint-disable-next-line no-debugger\n  debugger")
TS_LINE = JS.replace("  debugger", "  // @ts-expect-error the types lag behind\n  debugger")
PY = "import os\nimport sys\n\nhere = os.getcwd()\n"
RUST = "pub struct Raw {\n    pad: u8,\n}\n\npub fn open() {}\n"
RUST_LINE = RUST.replace("    pad", "    #[allow(dead_code)]\n    pad")
JAVA = "class Cache {\n    Object get() {\n        return null;\n    }\n}\n"
JAVA_LINE = JAVA.replace("    Object", '    @SuppressWarnings("unchecked")\n    Object')
RUBY = "first = 1\nsecond = 2\n"
CSHARP = "class Cache\n{\n    int first;\n    int second;\n}\n"
CSHARP_LINE = CSHARP.replace(
    "    int first;", "#pragma warning disable CS0169\n    int first;\n#pragma warning restore CS0169"
)

NARROWER = {
    "eslint": ("a.js", f"/* eslint-disable */\n{JS}", JS_LINE),
    "eslint, a rule": ("a.js", f"/* eslint-disable no-debugger, no-alert */\n{JS}", JS_LINE),
    "eslint, two places of one": (
        "a.js",
        f"/* eslint-disable */\n{JS}alert(1);\n",
        f"{JS_LINE}alert(1); // eslint-disable-line no-alert\n",
    ),
    "compiler": ("a.ts", f"// @ts-nocheck\n{JS}", TS_LINE),
    "ruff": ("a.py", f"# ruff: noqa\n{PY}", PY.replace("sys\n", "sys  # noqa: F401\n")),
    "ruff, a code": ("a.py", f"# ruff: noqa: F401, E501\n{PY}", PY.replace("sys\n", "sys  # noqa: F401\n")),
    "mypy": ("a.py", f"# mypy: ignore-errors\n{PY}", PY.replace("wd()\n", "wd()  # type: ignore[attr-defined]\n")),
    "clippy": ("src/a.rs", f"#![allow(dead_code)]\n{RUST}", RUST_LINE),
    "javac": ("A.java", f'@SuppressWarnings("all")\n{JAVA}', JAVA_LINE),
    "rubocop": ("a.rb", f"# rubocop:disable Style/A\n{RUBY}", RUBY.replace("2\n", "2 # rubocop:disable Style/A\n")),
    "roslyn": ("A.cs", f"#pragma warning disable CS0169\n{CSHARP}", CSHARP_LINE),
}

NOT_NARROWER = {
    "another rule": ("a.js", f"/* eslint-disable no-alert */\n{JS}", JS_LINE),
    "no rule named": ("a.js", f"/* eslint-disable no-debugger */\n{JS}", JS_LINE.replace("line no-debugger", "line")),
    "it is still there": ("a.js", f"/* eslint-disable */\n{JS}", f"/* eslint-disable */\n{JS_LINE}"),
    "it ended before": ("a.js", f"/* eslint-disable */\nlog();\n/* eslint-enable */\n{JS}", f"log();\n{JS_LINE}"),
    "it began behind": ("a.js", f"{JS}/* eslint-disable */\nlog();\n", f"{JS_LINE}log();\n"),
    "another tool": ("a.ts", f"/* eslint-disable */\n{JS}", TS_LINE),
    "of a nested module": (
        "src/a.rs",
        f"mod odd {{\n    #![allow(dead_code)]\n}}\n{RUST}",
        f"mod odd {{\n}}\n{RUST_LINE}",
    ),
    "more codes": ("a.py", f"# ruff: noqa: E501\n{PY}", PY.replace("sys\n", "sys  # noqa: E501, F401\n")),
}


def _blocks(path: str, before: str, after: str) -> bool:
    return any(finding.blocks for finding in scan(change({path: before}, {path: after}), V2))


@pytest.mark.parametrize(("path", "before", "after"), NARROWER.values(), ids=NARROWER)
def test_narrower(path: str, before: str, after: str) -> None:
    assert not _blocks(path, before, after)
    assert _blocks(path, before.split("\n", 1)[1], after)  # where there was nothing before


@pytest.mark.parametrize(("path", "before", "after"), NOT_NARROWER.values(), ids=NOT_NARROWER)
def test_not_narrower(path: str, before: str, after: str) -> None:
    assert _blocks(path, before, after)


def test_another_file_is_another_matter() -> None:
    before = {"a.js": f"/* eslint-disable */\n{JS}", "b.js": JS}
    assert any(finding.blocks for finding in scan(change(before, {"a.js": JS, "b.js": JS_LINE}), V2))
