"""The spellings of `spellings` put to the tools themselves: what ESLint and TypeScript honour is what is found.

The tools are those of `tests/node/node_modules`; every spelling is a file, and each tool runs once over all of them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ralph.guardrails.source import Source
from tests.guardrails.javascript import spellings
from tests.guardrails.javascript.outcome import ADDS, PATH, TESTS
from tests.guardrails.javascript.test_skips import SKIPPED

TOOLS = Path(__file__).parents[2] / "node" / "node_modules"


def test_typescript_honours_what_is_found(tmp_path: Path) -> None:
    above, header = list(spellings.TSC_ABOVE.items()), list(spellings.TSC_HEADER.items())
    code = "export const sum = (xs: number[]) => xs.length;\n"
    for number, (text, _) in enumerate(above):
        (tmp_path / f"above{number}.ts").write_text(f"{code}{text}\nsum('abc');\n", "utf-8")
    for number, (text, _) in enumerate(header):
        (tmp_path / f"header{number}.ts").write_text(f"{text}\n{code}sum('abc');\n", "utf-8")
    options = {"lib": ["es5"], "types": [], "noEmit": True, "skipLibCheck": True}
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options}))
    output = _node(tmp_path, "typescript/bin/tsc", "--pretty", "false")
    failing = {line.partition("(")[0] for line in output.splitlines() if "error TS" in line}
    assert {text: f"above{n}.ts" not in failing for n, (text, _) in enumerate(above)} == spellings.TSC_ABOVE
    assert {text: f"header{n}.ts" not in failing for n, (text, _) in enumerate(header)} == spellings.TSC_HEADER


def test_eslint_honours_what_is_found(tmp_path: Path) -> None:
    above, behind = list(spellings.ESLINT_ABOVE.items()), list(spellings.ESLINT_BEHIND.items())
    (tmp_path / "eslint.config.mjs").write_text(
        'const linterOptions = { reportUnusedDisableDirectives: "off" };\n'
        'export default [{ rules: { "no-debugger": "error" }, linterOptions }];\n'
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


OTHER_RUNNERS = ("xit(", '"xit"', "failing(", "pending()", "this.skip", "isSlow", "before(")
"""Spellings that Vitest does not know."""


def test_vitest_runs_no_test_that_is_found_skipped(tmp_path: Path) -> None:
    assert "failed" in _vitest(tmp_path / "honest", [TESTS])[0]
    spelled = [new for new in SKIPPED if not any(other in new for other in OTHER_RUNNERS)]
    texts = [TESTS.replace(ADDS, new) for new in spelled]
    whole = [text for text in texts if not Source(PATH, "typescript", text.encode()).tree.root_node.has_error]
    assert len(whole) > 45
    results = _vitest(tmp_path / "gamed", whole)
    assert [text for text, result in zip(whole, results, strict=True) if "failed" in result] == []


def _vitest(directory: Path, texts: Sequence[str]) -> list[set[str]]:
    """The outcomes of each file's tests."""
    directory.mkdir()
    (directory / "node_modules").symlink_to(TOOLS)
    for number, text in enumerate(texts):
        (directory / f"{number}.test.ts").write_text(text, "utf-8")
    report = directory / "report.json"
    arguments = ("run", "--pool=threads", "--no-isolate", "--reporter=json", f"--outputFile={report}")
    _node(directory, "vitest/vitest.mjs", *arguments)
    outcomes: list[set[str]] = [set() for _ in texts]
    for file in json.loads(report.read_text())["testResults"]:
        number = int(Path(file["name"]).name.partition(".")[0])
        outcomes[number] = {result["status"] for result in file["assertionResults"]}
    return outcomes


def _names(directory: Path, pattern: str) -> list[str]:
    return sorted(path.name for path in directory.glob(pattern))


def _node(directory: Path, tool: str, *arguments: str) -> str:
    command: Sequence[str] = ["node", str(TOOLS / tool), *arguments]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120, check=False).stdout
