"""The spellings of `spellings` put to the tools themselves: what ESLint and TypeScript honour is what is found.

The tools are those of `tests/node/node_modules`; every spelling is a file, and each tool runs once over all of them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.guardrails.javascript import spellings

TOOLS = Path(__file__).parents[2] / "node" / "node_modules"

pytestmark = pytest.mark.skipif(not TOOLS.is_dir(), reason="the Node tools are not installed (make venv does it)")


def test_typescript_honours_what_is_found(tmp_path: Path) -> None:
    above, header = list(spellings.TSC_ABOVE.items()), list(spellings.TSC_HEADER.items())
    code = "export const sum = (xs: number[]) => xs.length;\n"
    for number, (text, _) in enumerate(above):
        (tmp_path / f"above{number}.ts").write_text(f"{code}{text}\nsum('abc');\n", "utf-8")
    for number, (text, _) in enumerate(header):
        (tmp_path / f"header{number}.ts").write_text(f"{text}\n{code}sum('abc');\n", "utf-8")
    output = _node(tmp_path, "typescript/bin/tsc", "--noEmit", "--pretty", "false", *_names(tmp_path, "*.ts"))
    failing = {line.partition("(")[0] for line in output.splitlines() if "error TS" in line}
    assert {text: f"above{n}.ts" not in failing for n, (text, _) in enumerate(above)} == spellings.TSC_ABOVE
    assert {text: f"header{n}.ts" not in failing for n, (text, _) in enumerate(header)} == spellings.TSC_HEADER


def test_eslint_honours_what_is_found(tmp_path: Path) -> None:
    above, behind = list(spellings.ESLINT_ABOVE.items()), list(spellings.ESLINT_BEHIND.items())
    (tmp_path / "eslint.config.mjs").write_text(
        'export default [{ rules: { "no-debugger": "error" }, linterOptions: { reportUnusedDisableDirectives: "off" } }];'
    )
    for number, (text, _) in enumerate(above):
        (tmp_path / f"above{number}.js").write_text(f"{text}\ndebugger;\n", "utf-8")
    for number, (text, _) in enumerate(behind):
        (tmp_path / f"behind{number}.js").write_text(f"debugger; {text}\n", "utf-8")
    output = _node(tmp_path, "eslint/bin/eslint.js", "--format", "json", *_names(tmp_path, "*.js"))
    failing = {
        Path(file["filePath"]).name
        for file in json.loads(output)
        if any(message["ruleId"] == "no-debugger" for message in file["messages"])
    }
    assert {text: f"above{n}.js" not in failing for n, (text, _) in enumerate(above)} == spellings.ESLINT_ABOVE
    assert {text: f"behind{n}.js" not in failing for n, (text, _) in enumerate(behind)} == spellings.ESLINT_BEHIND


def _names(directory: Path, pattern: str) -> list[str]:
    return sorted(path.name for path in directory.glob(pattern))


def _node(directory: Path, tool: str, *arguments: str) -> str:
    command: Sequence[str] = ["node", str(TOOLS / tool), *arguments]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120, check=False).stdout
