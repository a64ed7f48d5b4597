"""Which changes decide how tests are run."""

from __future__ import annotations

import json

import pytest

from ralph.controls.protected import protected
from tests.guardrails.memory import change

PACKAGE = {"name": "a", "version": "1.0.0", "scripts": {"test": "jest"}, "jest": {"bail": 1}}
PYPROJECT = "[project]\nname = 'a'\nversion = '1'\n\n[tool.pytest.ini_options]\naddopts = '-q'\n"


def package(**more: object) -> str:
    return json.dumps({**PACKAGE, **more})


DECIDING = {
    "conftest": ("tests/conftest.py", "", "x = 1\n"),
    "a new conftest": ("conftest.py", None, "x = 1\n"),
    "a conftest that is gone": ("conftest.py", "x = 1\n", None),
    "pytest.ini": ("pytest.ini", "[pytest]\n", "[pytest]\naddopts = -q\n"),
    "pyproject": ("pyproject.toml", PYPROJECT, PYPROJECT.replace("-q", "-k x")),
    "pyproject that cannot be read": ("pyproject.toml", PYPROJECT, "[[[\n"),
    "setup.cfg": ("setup.cfg", "[tool:pytest]\naddopts = -q\n", "[tool:pytest]\n"),
    "tox.ini": ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = true\n"),
    "package script": ("package.json", package(), package(scripts={"test": "jest || true"})),
    "jest in package.json": ("package.json", package(), package(jest={"bail": 0})),
    "jest.config": ("jest.config.ts", "export default {};\n", "export default { bail: 1 };\n"),
    "vitest workspace": ("vitest.workspace.ts", "export default [];\n", "export default ['a'];\n"),
    "babel": (".babelrc", "{}", '{"plugins": []}'),
    "mocks": ("__mocks__/axios.js", None, "module.exports = {};\n"),
    "Makefile": ("Makefile", "test:\n\tpytest\n", "test:\n\ttrue\n"),
    "a script of the command": ("scripts/check.sh", "pytest\n", "true\n"),
    "sitecustomize": ("src/sitecustomize.py", None, "x = 1\n"),
    "a module in pytest's place": ("pytest.py", None, "x = 1\n"),
    "hooks beside the tests": ("tests/plugin.py", "x = 1\n", "def pytest_runtest_call(item):\n    pass\n"),
    "fixtures beside the tests": ("tests/shared.py", "import pytest\n\n@pytest.fixture\ndef a(): ...\n", "x = 1\n"),
}
OTHER = {
    "source": ("src/a.py", "x = 1\n", "x = 2\n"),
    "a test": ("tests/test_a.py", "x = 1\n", "import pytest\n\n@pytest.fixture\ndef a(): ...\n"),
    "a helper": ("tests/helpers.py", "x = 1\n", "def make():\n    return 1\n"),
    "a version in pyproject": ("pyproject.toml", PYPROJECT, PYPROJECT.replace("'1'", "'2'")),
    "a version in package.json": ("package.json", package(), package(version="1.0.1")),
    "metadata in setup.cfg": ("setup.cfg", "[metadata]\nname = a\n", "[metadata]\nname = b\n"),
    "the word coverage in a path": ("src/coverage/map.py", "x = 1\n", "x = 2\n"),
    "another script": ("scripts/deploy.sh", "a\n", "b\n"),
    "a document": ("README.md", "a\n", "b\n"),
}


def found(path: str, old: str | None, new: str | None) -> list[str]:
    before, after = ({path: text} if text is not None else {} for text in (old, new))
    return protected(change(before, after), ["bash scripts/check.sh --all", "pytest -q"])


@pytest.mark.parametrize("name", DECIDING)
def test_deciding(name: str) -> None:
    assert found(*DECIDING[name]) == [DECIDING[name][0]]


@pytest.mark.parametrize("name", OTHER)
def test_not_deciding(name: str) -> None:
    assert found(*OTHER[name]) == []


@pytest.mark.parametrize("name", ["./support/start", "<rootDir>/support/start.ts", "support/start.ts"])
def test_a_file_that_the_configuration_names(name: str) -> None:
    config = {"vitest.config.ts": f'export default {{ test: {{ setupFiles: ["{name}"] }} }};\n'}
    before, after = ({**config, "support/start.ts": text, "support/end.ts": text} for text in ("a();\n", "b();\n"))
    assert protected(change(before, after), ["vitest run"]) == ["support/start.ts"]


def test_a_script_that_a_package_script_names() -> None:
    config = {"package.json": package(scripts={"test": "node tools/run.js && jest"})}
    before, after = ({**config, "tools/run.js": text} for text in ("a();\n", "b();\n"))
    assert protected(change(before, after), ["npm test"]) == ["tools/run.js"]
