"""Which files of a tree a test of Python reaches (`ralph.guardrails.python.imports.reached`)."""

from __future__ import annotations

import pytest

from ralph.guardrails.inventory.readers import Side
from ralph.guardrails.python.imports.reached import MOST_FILES, reached

TEST = "tests/test_it.py"


def of(files: dict[str, str], path: str = TEST) -> set[str] | None:
    """What a test reaches beside itself."""
    tree = {name: text.encode() for name, text in files.items()}
    found = reached(path, Side(tree.get, lambda: frozenset(tree)))
    return None if found is None else set(found - {path})


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ("import a", {"a/__init__.py"}),
        ("import a.b as c", {"a/__init__.py", "a/b.py"}),
        ("from a import b", {"a/__init__.py", "a/b.py"}),
        ("from a import name", {"a/__init__.py"}),
        ("from a.b import *", {"a/__init__.py", "a/b.py"}),
        ("from a.deep.c import c", {"a/__init__.py", "a/deep/c.py", "a/b.py"}),
        ("def f():\n    from a import b", {"a/__init__.py", "a/b.py"}),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import b", {"a/__init__.py", "a/b.py"}),
        ("import pytest\npytest.importorskip('a.b')", {"a/__init__.py", "a/b.py"}),
        ("import importlib\nimportlib.import_module('a.b')", {"a/__init__.py", "a/b.py"}),
        ("import importlib\nimport a\nimportlib.import_module('.b', 'a')", None),
        ("from unittest.mock import patch\nimport one\npatch('a.b.name')", {"one.py", "a/__init__.py", "a/b.py"}),
        ("import one\nSCRIPT = 'scripts/go.py'", {"one.py", "scripts/go.py"}),
        ("import one\nimport json\nimport numpy\nimport nobody_knows_it", {"one.py"}),
        ("import one\ntry:\n    import a._fast\nexcept ImportError:\n    pass", {"one.py"}),
        ("import one\nfrom a._version import v", {"one.py", "a/__init__.py"}),
        ("import one\nfrom ns import inner", {"one.py", "lib/ns/inner.py"}),
        ("import one\nfrom ns import nothing", None),
        ("import a.nothing", None),
        ("import one\nimport importlib\nimportlib.import_module(one.NAME)", None),
        ("import one\nfrom importlib import import_module as load", None),
        ("import one\nimport importlib\nload = importlib.import_module", None),
        ("import one\nimport runpy\nrunpy.run_path('x')", None),
        ("import os", None),
        ("import one\n(", None),
    ],
)
def test_imports(imports: str, expected: set[str] | None) -> None:
    tree = {
        "a/__init__.py": "",
        "a/b.py": "",
        "a/deep/c.py": "from ..b import c\n",
        "one.py": "",
        "scripts/go.py": "",
        "lib/ns/inner.py": "",
        "unrelated.py": "",
    }
    assert of({**tree, TEST: f"{imports}\n"}) == expected


def test_conftests_and_packages_on_the_way() -> None:
    tree = {
        "conftest.py": "import one\n",
        "tests/__init__.py": "import two\n",
        "tests/other/conftest.py": "import three\n",
        "one.py": "",
        "two.py": "",
        "three.py": "",
        TEST: "",
    }
    assert of(tree) == {"conftest.py", "tests/__init__.py", "one.py", "two.py"}


def test_a_package_in_any_folder() -> None:
    tree = {"packages/shop/src/shop/__init__.py": "", "packages/shop/src/shop/cart.py": "", "packages/bank/x.py": ""}
    found = of({**tree, TEST: "from shop import cart\n"})
    assert found == {"packages/shop/src/shop/__init__.py", "packages/shop/src/shop/cart.py"}


def test_what_may_be_meant_counts() -> None:
    """Nobody can tell which of two comes first on the path."""
    tree = {"one/util.py": "", "two/util.py": "", "shop/__init__.py": "", "shop/util.py": "", "three.py": ""}
    assert of({**tree, TEST: "import util\n"}) == {"one/util.py", "two/util.py"}


def test_code_in_other_languages_may_be_loaded() -> None:
    found = of({"one.py": "", "src/lib.rs": "", "ui/app.ts": "", "data.json": "", TEST: "import one\n"})
    assert found == {"one.py", "src/lib.rs", "ui/app.ts"}


def test_all_below_a_package_whose_modules_are_worked_out() -> None:
    package = "import importlib\n\n\ndef load(name):\n    return importlib.import_module(f'{__name__}.{name}')\n"
    tree = {"shop/drivers/__init__.py": package, "shop/drivers/fast.py": "", "shop/slow.py": ""}
    found = of({**tree, TEST: "from shop import drivers\n"})
    assert found == {"shop/drivers/__init__.py", "shop/drivers/fast.py"}


def test_too_many_files() -> None:
    many = {f"m{number}.py": f"import m{number + 1}\n" for number in range(MOST_FILES + 1)}
    assert of({**many, f"m{MOST_FILES + 1}.py": "", TEST: "import m0\n"}) is None


def test_a_plugin_of_its_own_runner() -> None:
    entry = '[project]\nname = "it"\n[project.entry-points.pytest11]\nit = "it.plugin"\n'
    tree = {"it/__init__.py": "", "it/plugin.py": "from it import more\n", "it/more.py": "", "it/other.py": ""}
    found = of({**tree, "pyproject.toml": entry, TEST: "import it\n"})
    assert found == {"it/__init__.py", "it/plugin.py", "it/more.py"}
