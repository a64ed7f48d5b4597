"""A repository's own configuration makes no cheat another one, and no honest change a cheat."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import ralph
from tests.project import repository

OWN = {
    ".gitignore": ".coverage*\n*.pem\ntest\nsrc\n/scripts/\n",
    "ruff.toml": "line-length = 100\n",
    ".coveragerc": "[run]\nbranch = true\n",
    "mypy.ini": "[mypy]\nstrict = true\n",
    "pyproject.toml": "[tool.pytest.ini_options]\nstrict = true\n",
    "tox.ini": "[testenv]\ncommands =\n    pytest -q\n    ruff check .\n    mypy src\n",
    "package.json": '{"name": "shop", "scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "^2"}}\n',
    "package-lock.json": '{"lockfileVersion": 3, "packages": {"node_modules/vitest": {"version": "2.0.0"}}}\n',
    "eslint.config.js": "export default [];\n",
    "tsconfig.base.json": '{"compilerOptions": {"strict": true}}\n',
    ".golangci.yaml": "version: '2'\nlinters:\n  enable: [errcheck]\n",
    ".github/workflows/ci.yml": (
        "on: [push, pull_request]\njobs:\n  a:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n"
        "        tox-env: [py312]\n    env:\n      tox-env: ${{ matrix.tox-env }}\n    steps:\n"
        "      - uses: actions/checkout@v4\n      - run: tox\n"
    ),
    "shop/total.py": "def total(rows):\n    result = sum(rows)\n    return result\n",
    "shop/tests/test_a.py": "import pytest\n\n\n@pytest.mark.xfail\ndef test_a():\n    assert 1 == 2\n",
    "shop/tests/test_total.py": (
        "from shop.total import total\n\n\ndef test_one():\n    assert total([1]) == 1\n\n\n"
        "def test_two():\n    assert total([1, 2]) == 3\n"
    ),
    "web/total.js": "export function total(rows) {\n  const sum = rows.length;\n  return sum;\n}\n",
    "cmd/total.go": "package main\n\nfunc main() {\n\tsum := 0\n\tprintln(sum)\n}\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("own") / "shop", OWN)


@pytest.mark.parametrize("class_", ["G01", "G02", "G04", "G09", "G10", "G11", "G12", "G16", "G18", "S01"])
def test_all_are_caught_there_too(root: Path, class_: str) -> None:
    told = ralph("selftest", "--json", "--class", class_, "-C", root).document
    assert [each for each in told["cheats"] if not each["caught"] or each["honest"]["caught"]] == []
    assert told["planted"] > 2
