"""The projects that the matrices judge: each a sample, and snippets of its language that make it better or worse."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ralph.context import read_context
from tests.engine.sample import SAMPLES, sample
from tests.project import write


@dataclass(frozen=True, kw_only=True)
class Project:
    """`test` is a template of one more test: `{name}`, and `{value}`, which is 1 in a test that passes."""

    name: str
    sample: str
    overlay: Mapping[str, str | None] = field(default_factory=dict)
    """Files that the base has instead of the sample's."""
    source: str
    tests: str
    report: str
    """The coverage report that the context names."""

    clean: Mapping[str, str]
    """What a good change appends: a function and its test."""
    unused: str
    """`{name}`: what the linter says is unused."""
    ill_typed: str
    """`{name}`: a function that the type checker refuses and that no test calls."""
    test: str
    flaky: str
    """`{mark}`: a file; the test fails as long as it is missing, and makes it."""
    mostly_uncovered: Mapping[str, str]
    """Brings 100 lines to measure with the sample's, of which 79 are covered."""

    lint_reason: str
    type_reason: str
    no_tests: str
    """A command of the runner that selects no test."""
    strays: str
    """A file that only a suppression makes acceptable."""
    stray: str

    def base(self, root: Path, extra: Mapping[str, str | None] | None = None) -> Path:
        return sample(self.sample, root, {**self.overlay, **(extra or {})})

    def command(self, key: str) -> str:
        """The command of the sample's own context."""
        command = getattr(read_context(SAMPLES / self.sample / "ralph-context.yaml").commands, key)
        assert isinstance(command, str)
        return command

    def passing(self, name: str) -> str:
        return self.test.format(name=name, value=1)

    def failing(self, name: str) -> str:
        return self.test.format(name=name, value=2)


def append(root: Path, texts: Mapping[str, str]) -> None:
    write(root, {name: (root / name).read_text() + text for name, text in texts.items()})


def _python_table() -> str:
    covered = [f"a{n} = {n}" for n in range(73)]
    missed = [f"    b{n} = {n}" for n in range(20)]
    return "\n".join([*covered, "def unused() -> int:", *missed, "    return b1", ""])


PYTHON = Project(
    name="python",
    sample="python",
    source="src/calc/__init__.py",
    tests="tests/test_mean.py",
    report="coverage.json",
    clean={
        "src/calc/__init__.py": "\n\ndef double(value: float) -> float:\n    return 2 * value\n",
        "tests/test_mean.py": "\n\ndef test_double() -> None:\n    import calc\n\n    assert calc.double(2) == 4\n",
    },
    unused="\nimport {name}\n",
    ill_typed="\n\ndef {name}() -> None:\n    print(missing_{name})\n",
    test="\n\ndef test_{name}() -> None:\n    assert mean([1.0]) == {value}.0\n",
    flaky=(
        "\n\ndef test_flaky() -> None:\n    import pathlib\n\n    mark = pathlib.Path('{mark}')\n"
        "    seen = mark.exists()\n    mark.touch()\n    assert seen\n"
    ),
    mostly_uncovered={
        "src/calc/__init__.py": "\nfrom calc import table as table\n",
        "src/calc/table.py": _python_table(),
    },
    lint_reason="F401",
    type_reason="name-defined",
    no_tests="pytest -q -k absent",
    strays="new/deep.py",
    stray="import os  # noqa\n",
)


def _typescript_table() -> str:
    covered = [f"export const a{n} = {n};" for n in range(76)]
    missed = [f"  total += {n};" for n in range(19)]
    return "\n".join(
        [*covered, "export function unused(): number {", "  let total = 0;", *missed, "  return total;", "}", ""]
    )


VITEST = Project(
    name="vitest",
    sample="typescript",
    source="src/mean.ts",
    tests="tests/mean.test.ts",
    report="coverage/lcov.info",
    clean={
        "src/mean.ts": "\nexport const double = (value: number): number => 2 * value;\n",
        "tests/mean.test.ts": (
            'test("double", async () => {\n  const { double } = await import("../src/mean");\n\n'
            "  expect(double(2)).toBe(4);\n});\n"
        ),
    },
    unused="\nconst {name} = 1;\n",
    ill_typed="\nexport const {name} = (): number => missing_{name};\n",
    test='\ntest("{name}", () => {{\n  expect(mean([1])).toBe({value});\n}});\n',
    flaky=(
        '\ntest("flaky", async () => {{\n  const {{ existsSync, writeFileSync }} = await import("node:fs");\n'
        '  const seen = existsSync("{mark}");\n  writeFileSync("{mark}", "");\n  expect(seen).toBe(true);\n}});\n'
    ),
    mostly_uncovered={"tests/mean.test.ts": '\nimport "../src/table";\n', "src/table.ts": _typescript_table()},
    lint_reason="no-unused-vars",
    type_reason="TS2304",
    no_tests="npx vitest run absent --passWithNoTests",
    strays="new/deep.ts",
    stray="// eslint-disable-next-line\nconst unused = 1;\n",
)


def _on_jest() -> dict[str, str | None]:
    """The TypeScript sample with jest for vitest: compiled by a few lines of the compiler's own interface."""
    package = json.loads((SAMPLES / "typescript" / "package.json").read_text())
    package["scripts"] |= {"test": "jest", "test:coverage": "jest --coverage"}
    package["devDependencies"] = {"eslint": "*", "jest": "*", "typescript": "*", "typescript-eslint": "*"}
    package["jest"] = {
        "transform": {"\\.ts$": "./transform.cjs"},
        "collectCoverageFrom": ["src/**"],
        "coverageReporters": ["lcovonly"],
        "coverageThreshold": {"global": {"lines": 80}},
    }
    tests = (SAMPLES / "typescript" / "tests" / "mean.test.ts").read_text()
    context = (SAMPLES / "typescript" / "ralph-context.yaml").read_text()
    return {
        "package.json": json.dumps(package, indent=2),
        "transform.cjs": TRANSFORM,
        "vitest.config.ts": None,
        "tests/mean.test.ts": tests.replace('"vitest"', '"@jest/globals"'),
        "ralph-context.yaml": context.replace("vitest", "jest"),
        "eslint.config.js": ESLINT.replace("coverage/", "*.cjs"),
    }


TRANSFORM = """\
const { ModuleKind, ScriptTarget, transpileModule } = require("typescript");

const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, inlineSourceMap: true };

exports.process = (text, fileName) => ({ code: transpileModule(text, { fileName, compilerOptions }).outputText });
"""
ESLINT = (SAMPLES / "typescript" / "eslint.config.js").read_text()

JEST = dataclasses.replace(VITEST, name="jest", overlay=_on_jest(), no_tests="npm test -- absent --passWithNoTests")
