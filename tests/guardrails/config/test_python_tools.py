"""Python's tools: coverage.py, pytest, mypy, ruff, flake8, pyright, pylint, bandit."""

from __future__ import annotations

import pytest

from tests.guardrails.config.cases import Case, one, places, rules

SRC = {"src/app/pay.py": "X = 1\n", "tests/test_pay.py": "def test(): ...\n"}


def pyproject(name: str, before: str, after: str, *found: str) -> Case:
    return one(name, "pyproject.toml", before, after, *found, tree=SRC)


COV = "[tool.coverage.report]\nfail_under = 80\n"

WORSE = [
    Case(
        "a file that comes first names files that nobody has",
        {"a.py": "", "pyproject.toml": "[tool.pytest.ini_options]\nminversion = '8.0'\n"},
        {
            "a.py": "",
            "pyproject.toml": "[tool.pytest.ini_options]\nminversion = '8.0'\n",
            ".pytest.ini": "[pytest]\npython_files = verify_*.py\n",
        },
        ("cfg.test.collection", "cfg.unreadable-value"),
    ),
    pyproject("fail_under falls a little", COV, COV.replace("80", "79.99"), "cfg.coverage.threshold"),
    pyproject("fail_under as a smaller text", COV, COV.replace("80", '"70"'), "cfg.coverage.threshold"),
    pyproject("fail_under zero", COV, COV.replace("80", "0"), "cfg.coverage.threshold"),
    pyproject("fail_under not a number", COV, COV.replace("80", "nan"), "cfg.coverage.threshold"),
    pyproject("fail_under from a variable", COV, COV.replace("80", '"${MIN}"'), "cfg.unreadable-value"),
    pyproject("dotted key falls", COV, "tool.coverage.report.fail_under = 60\n", "cfg.coverage.threshold"),
    pyproject(
        "inline table falls", COV, "[tool]\ncoverage = { report = { fail_under = 60 } }\n", "cfg.coverage.threshold"
    ),
    pyproject("section gone", COV, "[project]\nname = 'x'\n", "cfg.coverage.threshold"),
    pyproject("no longer TOML", COV, COV + "[[[\n", "cfg.unreadable"),
    pyproject("twice the same key", COV, COV + "fail_under = 80\n", "cfg.unreadable"),
    one(
        "a .coveragerc shadows",
        ".coveragerc",
        None,
        "[run]\nbranch = true\n",
        "cfg.coverage.threshold",
        tree=SRC | {"pyproject.toml": COV},
    ),
    one("file deleted", ".coveragerc", "[report]\nfail_under = 90\n", None, "cfg.coverage.threshold", tree=SRC),
    one(
        "duplicate INI key wins",
        ".coveragerc",
        "[report]\nfail_under = 90\n",
        "[report]\nfail_under = 90\nfail_under = 10\n",
        "cfg.coverage.threshold",
        tree=SRC,
    ),
    one(
        "setup.cfg floor",
        "setup.cfg",
        "[coverage:report]\nfail_under=90\n",
        "[coverage:report]\nfail_under : 9\n",
        "cfg.coverage.threshold",
        tree=SRC,
    ),
    pyproject(
        "omit everything",
        "[tool.coverage.run]\nbranch = true\n",
        '[tool.coverage.run]\nbranch = true\nomit = ["*"]\n',
        "cfg.coverage.exclude",
    ),
    pyproject(
        "omit product",
        "[tool.coverage.run]\nbranch = true\n",
        '[tool.coverage.run]\nbranch = true\nomit = ["*/pay.py"]\n',
        "cfg.coverage.exclude",
    ),
    pyproject(
        "omit tests",
        "[tool.coverage.run]\nbranch = true\n",
        '[tool.coverage.run]\nbranch = true\nomit = ["tests/*"]\n',
        "cfg.coverage.exclude-minor",
    ),
    pyproject("exclude every line", COV, COV + 'exclude_lines = [".*"]\n', "cfg.coverage.exclude"),
    pyproject(
        "source removed",
        '[tool.coverage.run]\nsource = ["src"]\nbranch = true\n',
        "[tool.coverage.run]\nbranch = true\n",
        "cfg.coverage.scope",
    ),
    pyproject("precision lowered", COV + "precision = 2\n", COV, "cfg.coverage.precision"),
    pyproject(
        "first configuration, weak",
        "[project]\nname='x'\n",
        "[project]\nname='x'\n[tool.ruff.lint]\nignore=['F401']\n",
        "cfg.ruff.ignore",
    ),
    pyproject(
        "mypy strict off", "[tool.mypy]\nstrict = true\n", "[tool.mypy]\nstrict = false\n", "cfg.mypy.strict-off"
    ),
    pyproject(
        "mypy strict gone", "[tool.mypy]\nstrict = true\n", "[tool.mypy]\npretty = true\n", "cfg.mypy.strict-off"
    ),
    pyproject(
        "mypy member off",
        "[tool.mypy]\nstrict = true\n",
        "[tool.mypy]\nstrict = true\ndisallow_untyped_defs = false\n",
        "cfg.mypy.check-off",
    ),
    pyproject(
        "mypy optional off",
        "[tool.mypy]\nstrict = true\n",
        "[tool.mypy]\nstrict = true\nstrict_optional = false\n",
        "cfg.mypy.check-off",
    ),
    pyproject(
        "mypy code off",
        "[tool.mypy]\nstrict = true\n",
        "[tool.mypy]\nstrict = true\ndisable_error_code = ['arg-type']\n",
        "cfg.mypy.codes-off",
    ),
    pyproject(
        "mypy excludes product",
        "[tool.mypy]\nstrict = true\n",
        "[tool.mypy]\nstrict = true\nexclude = 'app/pay'\n",
        "cfg.mypy.exclude",
    ),
    pyproject(
        "mypy excludes everything",
        "[tool.mypy]\nstrict = true\n",
        "[tool.mypy]\nstrict = true\nexclude = ['.*']\n",
        "cfg.mypy.exclude",
    ),
    pyproject(
        "mypy module of ours silent",
        "[tool.mypy]\nstrict = true\n",
        "[tool.mypy]\nstrict = true\n[[tool.mypy.overrides]]\nmodule = 'app.*'\nignore_errors = true\n",
        "cfg.mypy.module-off",
        "cfg.mypy.module-relaxed",
    ),
    pyproject(
        "mypy all modules silent",
        "[tool.mypy]\nstrict = true\n",
        "[tool.mypy]\nstrict = true\n[[tool.mypy.overrides]]\nmodule = '*'\nignore_errors = true\n",
        "cfg.mypy.module-off",
        "cfg.mypy.module-relaxed",
    ),
    one(
        "new mypy.ini shadows",
        "mypy.ini",
        None,
        "[mypy]\n",
        "cfg.mypy.strict-off",
        tree=SRC | {"pyproject.toml": "[tool.mypy]\nstrict = true\n"},
    ),
    one(
        "mypy.ini section relaxes",
        "mypy.ini",
        "[mypy]\nstrict=True\n",
        "[mypy]\nstrict=True\n[mypy-app.*]\ndisallow_untyped_defs=False\n",
        "cfg.mypy.module-relaxed",
        tree={**SRC, "src/other/rate.py": "X = 1\n"},
    ),
    one(
        "mypy.ini section relaxes every module",
        "mypy.ini",
        "[mypy]\nstrict=True\n",
        "[mypy]\nstrict=True\n[mypy-app.*]\ndisallow_untyped_defs=False\n",
        "cfg.mypy.check-off",
        "cfg.mypy.module-relaxed",
        tree=SRC,
    ),
    pyproject(
        "ruff select shrinks to a part",
        "[tool.ruff.lint]\nselect=['E','F']\n",
        "[tool.ruff.lint]\nselect=['E4','F']\n",
        "cfg.ruff.select",
    ),
    pyproject(
        "ruff select emptied",
        "[tool.ruff.lint]\nselect=['E','F']\n",
        "[tool.ruff.lint]\nselect=[]\n",
        "cfg.ruff.select",
    ),
    pyproject(
        "ruff default replaced",
        "[tool.ruff]\nline-length=100\n",
        "[tool.ruff]\nline-length=100\nlint.select=['I']\n",
        "cfg.ruff.select",
    ),
    pyproject(
        "ruff ALL gone",
        "[tool.ruff.lint]\nselect=['ALL']\n",
        "[tool.ruff.lint]\nselect=['E','F','W']\n",
        "cfg.ruff.select",
    ),
    pyproject(
        "ruff old place ignored",
        "[tool.ruff]\nselect=['E','F']\n",
        "[tool.ruff]\nselect=['E','F']\nextend-ignore=['F']\n",
        "cfg.ruff.ignore",
    ),
    pyproject(
        "ruff product file",
        "[tool.ruff.lint]\nselect=['F']\n",
        "[tool.ruff.lint]\nselect=['F']\nper-file-ignores={'src/**'=['F401']}\n",
        "cfg.ruff.per-file",
    ),
    pyproject(
        "ruff one product file by its name",
        "[tool.ruff.lint]\nselect=['F']\n",
        "[tool.ruff.lint]\nselect=['F']\nper-file-ignores={'./src/app/pay.py'=['ALL']}\n",
        "cfg.exclude-minor",
    ),
    pyproject(
        "ruff a pattern for one product file",
        "[tool.ruff.lint]\nselect=['F']\n",
        "[tool.ruff.lint]\nselect=['F']\nper-file-ignores={'src/app/p*.py'=['ALL']}\n",
        "cfg.ruff.per-file",
    ),
    one(
        "ruff one product file and another",
        "ruff.toml",
        "lint.select = ['F']\n",
        "lint.select = ['F']\nlint.per-file-ignores = {'pay.py' = ['F'], 'src/app/due.py' = ['F']}\n",
        "cfg.ruff.per-file",
        tree=SRC | {"src/app/due.py": ""},
    ),
    one(
        "flake8 one product file of several",
        ".flake8",
        "[flake8]\n",
        "[flake8]\nper-file-ignores = src/app/pay.py: F401,E722\n",
        "cfg.flake8.per-file",
        tree=SRC | {"src/app/due.py": ""},
    ),
    pyproject(
        "mypy one module",
        "[tool.mypy]\nstrict = true\n",
        "[tool.mypy]\nstrict = true\n[[tool.mypy.overrides]]\nmodule = 'app.pay'\nignore_errors = true\n",
        "cfg.mypy.module-relaxed",
    ),
    one(
        "ruff.toml shadows",
        "ruff.toml",
        None,
        "line-length = 100\n",
        "cfg.ruff.select",
        tree=SRC | {"pyproject.toml": "[tool.ruff.lint]\nselect=['ALL']\n"},
    ),
    one(
        "nested ruff.toml shadows",
        "src/ruff.toml",
        None,
        "line-length = 100\n",
        "cfg.ruff.select",
        tree=SRC | {"pyproject.toml": "[tool.ruff.lint]\nselect=['ALL']\n"},
    ),
    one(
        "flake8 select",
        "tox.ini",
        "[flake8]\nselect = E,F,B\n",
        "[flake8]\nselect = E\n",
        "cfg.flake8.select",
        tree=SRC,
    ),
    one(
        "flake8 complexity",
        "setup.cfg",
        "[flake8]\nmax-complexity = 10\n",
        "[flake8]\nmax-complexity = 29\n",
        "cfg.lint.limit-raised",
        tree=SRC,
    ),
    one(
        "flake8 complexity without a limit",
        "setup.cfg",
        "[flake8]\nmax-complexity = 10\n",
        "[flake8]\nmax-complexity = 30\n",
        "cfg.lint.limit-lifted",
        tree=SRC,
    ),
    one(
        "flake8 per file",
        ".flake8",
        "[flake8]\n",
        "[flake8]\nper-file-ignores =\n    src/app/pay.py: F401\n",
        "cfg.flake8.per-file",
        tree=SRC,
    ),
    one(
        "pyright mode",
        "pyrightconfig.json",
        '{"typeCheckingMode": "strict"}',
        '{"typeCheckingMode": "basic"}',
        "cfg.pyright.mode",
        tree=SRC,
    ),
    one(
        "pyright warning",
        "pyrightconfig.json",
        '{"reportReturnType": "error"}',
        '{"reportReturnType": "warning"}',
        "cfg.pyright.rule",
        tree=SRC,
    ),
    one(
        "pyright with a byte order mark",
        "pyrightconfig.json",
        '\ufeff{"typeCheckingMode": "strict"}',
        '\ufeff{"typeCheckingMode": "off"}',
        "cfg.pyright.mode",
        tree=SRC,
    ),
    one(
        "pylint disable",
        ".pylintrc",
        "[MESSAGES CONTROL]\ndisable=fixme\n",
        "[MESSAGES CONTROL]\ndisable=fixme,\n    no-member\n",
        "cfg.pylint.disable",
        tree=SRC,
    ),
    pyproject(
        "pylint floor",
        "[tool.pylint.main]\nfail-under = 9.5\n",
        "[tool.pylint.main]\nfail-under = 5\n",
        "cfg.pylint.disable",
    ),
    pyproject(
        "warnings tolerated",
        "[tool.pytest.ini_options]\nfilterwarnings=['error']\n",
        "[tool.pytest.ini_options]\nfilterwarnings=[]\n",
        "cfg.pytest.strictness",
    ),
    Case(
        "renamed so that no tool finds it",
        SRC | {"pyproject.toml": COV},
        SRC | {"Pyproject.toml": COV},
        ("cfg.coverage.threshold",),
    ),
    pyproject(
        "usual lines left out",
        COV,
        COV + "exclude_also = ['if TYPE_CHECKING:', '@(abc\\.)?abstractmethod', 'raise NotImplementedError']\n",
        "cfg.coverage.exclude-minor",
    ),
    one(
        "pyright for one folder",
        "pyrightconfig.json",
        "{}",
        '{"executionEnvironments": [{"root": "src", "reportReturnType": false}]}',
        "cfg.pyright.rule",
        tree=SRC,
    ),
    pyproject(
        "mypy for one file",
        "[tool.mypy]\nfiles = ['src']\n",
        "[tool.mypy]\nfiles = ['src/app/ok.py']\n",
        "cfg.mypy.exclude",
    ),
    pyproject(
        "mypy extra codes",
        "[tool.mypy]\nenable_error_code = ['truthy-bool']\n",
        "[tool.mypy]\nenable_error_code = []\n",
        "cfg.mypy.check-off",
    ),
    pyproject(
        "a pattern that takes for ever",
        "[tool.mypy]\nstrict = true\n",
        "[tool.mypy]\nstrict = true\nexclude = '(a|a)+$'\n",
        "cfg.mypy.exclude",
    ),
    one(
        "ruff tolerates unused imports of a package",
        "ruff.toml",
        "lint.select = ['F']\n",
        "lint.select = ['F']\nlint.per-file-ignores = {'__init__.py' = ['F401']}\n",
        "cfg.exclude-minor",
        tree=SRC | {"src/app/__init__.py": ""},
    ),
]

INNOCENT = [
    pyproject("a list where a table belongs", "[[tool.mypy]]\n", "[[tool.mypy]]\n[project]\nname = 'a'\n"),
    pyproject("fail_under as equal text", COV, COV.replace("80", '"80.0"')),
    pyproject("fail_under rises", COV, COV.replace("80", "80.01")),
    pyproject("reformatted", COV, "[tool]\n[tool.coverage]\nreport = {fail_under = 80} # fail_under = 10\n"),
    pyproject(
        "dependencies bumped",
        COV + "[project]\ndependencies=['a==1']\n",
        COV + "[project]\ndependencies=['a==2','b']\n",
    ),
    pyproject("line length", "[tool.ruff]\nline-length=88\n", "[tool.ruff]\nline-length=120\ntarget-version='py312'\n"),
    pyproject(
        "stricter, with an exception of its own",
        "[tool.ruff.lint]\nselect=['E','F']\n",
        "[tool.ruff.lint]\nselect=['E','F','D']\nignore=['D203']\n",
    ),
    pyproject(
        "select written wider", "[tool.ruff.lint]\nselect=['E4','E7','F401']\n", "[tool.ruff.lint]\nselect=['E','F']\n"
    ),
    pyproject(
        "select moved to extend-select",
        "[tool.ruff.lint]\nselect=['E4','E7','E9','F','B']\n",
        "[tool.ruff.lint]\nextend-select=['B']\n",
    ),
    pyproject(
        "old lint keys moved",
        "[tool.ruff]\nselect=['E','F']\nignore=['E501']\n",
        "[tool.ruff.lint]\nselect=['E','F']\nignore=['E501']\n",
    ),
    pyproject(
        "ignore narrowed",
        "[tool.ruff.lint]\nselect=['E']\nignore=['E5']\n",
        "[tool.ruff.lint]\nselect=['E']\nignore=['E501']\n",
    ),
    pyproject(
        "order of lists", "[tool.ruff.lint]\nselect=['E','F']\n", "[tool.ruff.lint]\nselect=[\n 'F',\n 'E', # both\n]\n"
    ),
    pyproject("mypy strict spelled out", "[tool.mypy]\nwarn_return_any=true\n", "[tool.mypy]\nstrict=true\n"),
    pyproject(
        "exception narrowed",
        "[[tool.mypy.overrides]]\nmodule='a.*'\nignore_errors=true\n",
        "[[tool.mypy.overrides]]\nmodule='a.*'\ndisallow_untyped_defs=false\n",
    ),
    pyproject(
        "new test paths and markers",
        "[tool.pytest.ini_options]\naddopts='-q'\n",
        "[tool.pytest.ini_options]\naddopts='-q'\nmarkers=['slow: slow']\npythonpath=['src']\n",
    ),
    Case(
        "ruff configuration moved",
        SRC | {"ruff.toml": "[lint]\nselect=['E','F','B']\n"},
        SRC | {"pyproject.toml": "[tool.ruff.lint]\nselect=['E','F','B']\n"},
    ),
    Case(
        "coverage configuration moved",
        SRC | {".coveragerc": "[run]\nbranch = True\nomit =\n    a/*\n    b/*\n[report]\nfail_under = 85\n"},
        SRC
        | {"pyproject.toml": "[tool.coverage]\nrun = {branch = true, omit = ['b/*', 'a/*']}\nreport.fail_under = 85\n"},
    ),
    Case(
        "flake8 configuration moved",
        SRC | {".flake8": "[flake8]\nmax-complexity=10\nextend-ignore=E203\n"},
        SRC | {"setup.cfg": "[flake8]\nmax_complexity=10\nextend_ignore=E203\n"},
    ),
    Case(
        "strict flag moved into the configuration",
        SRC | {"Makefile": "lint:\n\tmypy --strict src\n"},
        SRC | {"Makefile": "lint:\n\tmypy src\n", "mypy.ini": "[mypy]\nstrict=True\n"},
    ),
    Case(
        "floor moved into the configuration",
        SRC | {"Makefile": "test:\n\tpytest --cov --cov-fail-under=85\n", "pyproject.toml": "[project]\nname='x'\n"},
        SRC
        | {"Makefile": "test:\n\tpytest --cov\n", "pyproject.toml": "[project]\nname='x'\n" + COV.replace("80", "85")},
    ),
    one(
        "a new project's first configuration",
        "pyproject.toml",
        None,
        "[tool.mypy]\nignore_missing_imports=true\n[tool.ruff.lint]\nignore=['F401']\n",
        tree={"README.md": "x"},
    ),
    one(
        "a new package's configuration", "pkg/pyproject.toml", None, "[tool.coverage.report]\nfail_under=50\n", tree=SRC
    ),
    one("no parse before, none after", "pyproject.toml", "[[[", "[[[ \n", tree=SRC),
    one("repaired", "pyproject.toml", "[[[", COV, tree=SRC),
    one("ruff exclude entry removed", "ruff.toml", "extend-exclude=['src/app']\n", "extend-exclude=[]\n", tree=SRC),
    one("template of a project", "{{name}}/pyproject.toml", COV, COV.replace("80", "10"), tree=SRC),
    one("data of a test", "tests/fixtures/a/pyproject.toml", COV, COV.replace("80", "10"), tree=SRC),
    Case("package deleted with its configuration", SRC | {"lib/pyproject.toml": COV, "lib/a.py": ""}, SRC),
]


@pytest.mark.parametrize("case", WORSE, ids=lambda case: case.name)
def test_worse(case: Case) -> None:
    assert rules(case.before, case.after) == tuple(sorted(case.rules))


@pytest.mark.parametrize("case", INNOCENT, ids=lambda case: case.name)
def test_innocent(case: Case) -> None:
    assert rules(case.before, case.after) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"mypy.ini": "[mypy]\nstrict = True\n"}, {"pyproject.toml": "[tool.mypy]\nfiles = ['src']\n"}),
        ({"setup.cfg": "[mypy]\nstrict = True\n"}, {"mypy.ini": "[mypy]\nfiles = src\n"}),
        (
            {"pyproject.toml": "[tool.mypy]\nstrict = true\n"},
            {"pyproject.toml": "[tool.mypy]\nstrict = true\n", ".mypy.ini": "[mypy]\nfiles = src\n"},
        ),
    ],
)
def test_what_a_move_loses_is_missing_in_the_file_that_counts_now(old: dict[str, str], new: dict[str, str]) -> None:
    found = places(SRC | old, SRC | new)
    assert {rule for rule, _, _ in found} == {"cfg.mypy.strict-off"}
    assert (new.keys() - old.keys()) < {path for _, path, _ in found}


def test_a_move_that_loses_nothing_is_clean() -> None:
    strict = {"pyproject.toml": "[tool.mypy]\nstrict = true\n"}
    assert places(SRC | {"mypy.ini": "[mypy]\nstrict = True\n"}, SRC | strict) == []


def test_names_of_files_that_the_tests_now_have_are_shown() -> None:
    after = {"verify_a.py": "", "pytest.ini": "[pytest]\npython_files = verify_*.py\n"}
    assert rules({"test_a.py": "", "pytest.ini": "[pytest]\n"}, after) == ("cfg.unreadable-value",)
