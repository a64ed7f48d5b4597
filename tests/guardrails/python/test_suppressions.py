"""Comments that switch checks off: what counts as one, what it is worth, and what is only a word."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, judge, rules, worst

BASE = "import os\nx: int = 1\n\n\ndef f(a):\n    return eval(a)\n"
TRAILING = {
    "#noqa": "py.noqa",
    "# NOQA:F401": "py.noqa",
    "# ruff: ignore[F401]": "py.noqa",
    "# type: ignore[misc] # why": "py.type-ignore",
    "# type: int # type: ignore": "py.type-ignore",
    "# pyright: ignore": "py.checker",
    "# pyright: ignore because": "py.checker",
    "# why # pyright: ignore[reportCallIssue]": "py.checker",
    "#ty:ignore": "py.checker",
    "# pyrefly: ignore[bad-return]": "py.checker",
    "# pyre-fixme[7]: later": "py.checker",
    "# pytype: disable=attribute-error": "py.checker",
    "#pylint:disable=all": "py.pylint",
    "# see pylint: disable=unused-import": "py.pylint",
    "# pylint: disable-msg=W0611": "py.pylint",
    "# nosec B102": "py.nosec",
    "# fine # nosec": "py.nosec",
    "#nosecure": "py.nosec",
    "# nosemgrep: python.lang": "comment.nosemgrep",
    "# safe because nosemgrep": "comment.nosemgrep",
    "# gitleaks:allow": "comment.secret",
    "# pragma: allowlist secret": "comment.secret",
    "# pragma: whitelist secret": "py.secret",
    "# trufflehog:ignore": "py.secret",
    "# ggignore": "py.secret",
    "# NOSONAR": "comment.nosonar",
    "# lgtm[py/x]": "comment.codeql",
    "# skipcq: BAN-B307": "py.linter",
    "# nopep8": "py.linter",
    "# lint-ignore: Rule": "py.linter",
    "# pragma: no mutate": "py.linter",
}
ALONE = {
    "# ruff: noqa": "py.noqa-file",
    "# FLAKE8=NOQA": "py.noqa-file",
    "# ruff: file-ignore[F401]": "py.noqa-file",
    "# ruff: disable[F401]": "py.noqa-range",
    "# type: ignore": "py.type-ignore-file",
    "# mypy: ignore-errors": "py.mypy-file",
    "# mypy: allow-untyped-defs": "py.mypy-file",
    "# mypy: disallow_untyped_defs=False": "py.mypy-file",
    "# mypy: no-check-untyped-defs": "py.mypy-file",
    "# mypy: no-strict-optional": "py.mypy-file",
    "# mypy: always-false=CHECKED": "py.mypy-file",
    "# mypy: follow-imports=skip": "py.mypy-file",
    "#pyright: reportGeneralTypeIssues=none, reportX=true": "py.pyright-file",
    "# pyright: strict, reportUnusedImport=false": "py.pyright-file",
    "# ty: ignore[x]": "py.checker",
    "# pyrefly: ignore-errors": "py.checker-file",
    "# pyre-ignore-all-errors": "py.checker-file",
    "# pyre-unsafe": "py.checker-file",
    "# pyre-fixme[7]: later": "py.checker",
    "# pyre-ignore: the stub is wrong": "py.checker",
    "# pytype: skip-file": "py.checker-file",
    "# pylint: skip-file": "py.pylint-file",
    "# pylint: disable=missing-docstring": "py.pylint-file",
    "# pylint: disable-next=eval-used": "py.pylint",
    "# noinspection PyUnresolvedReferences": "comment.noinspection",
    "# pragma: allowlist nextline secret": "comment.secret",
}
FOR_A_PERSON = {
    "# noqa: E501": "py.noqa-comment",
    "# pyright: basic": "py.pyright-level",
    "# fmt: off": "py.style",
    "# isort: skip_file": "py.style",
    "# ruff: isort: off": "py.style",
    "# yapf: disable": "py.style",
}
WORSE = {
    "a second copy": ("import a  # noqa: F401\nimport b\n", "import a  # noqa: F401\nimport b  # noqa: F401\n"),
    "one code more": ("import a  # noqa: F401\n", "import a  # noqa: F401, E402\n"),
    "another code": ("import a  # noqa: F401\n", "import a  # noqa: E402\n"),
    "every code": ("import a  # noqa: F401\n", "import a  # noqa\n"),
    "the whole file": ("import a  # noqa: F401\n", "# ruff: noqa: F401\nimport a\n"),
    "one more error": ("x = f()  # type: ignore[misc]\n", "x = f()  # type: ignore[misc, arg-type]\n"),
    "one more check": ("eval(a)  # nosec B307\n", "eval(a)  # nosec\n"),
    "one more message": ("import a  # pylint: disable=x\n", "import a  # pylint: disable=x,y\n"),
    "one more option": ('# mypy: disable-error-code="misc"\n', '# mypy: disable-error-code="misc, arg-type"\n'),
    "pyright no longer strict": ("# pyright: strict\nimport a\n", "# pyright: basic\nimport a\n"),
    "a ruff range left open": (
        "# ruff: disable[F401]\nimport a\n# ruff: enable[F401]\n",
        "# ruff: disable[F401]\nimport a\n",
    ),
    "a pylint range left open": ("# pylint: disable=x\na = 1\n# pylint: enable=x\n", "# pylint: disable=x\na = 1\n"),
}
NO_WORSE = {
    "pyright strict still": ("# pyright: strict\nimport a\n", "# pyright: strict\nimport a, b\n"),
    "pyright strict at last": ("# pyright: basic\nimport a\n", "# pyright: strict\nimport a\n"),
    "narrowed": ("import a  # noqa\n", "import a  # noqa: F401\n"),
    "one code less": ("import a  # noqa: F401,E402\n", "import a  # noqa: E402\n"),
    "another order and spelling": ("import a  # noqa:F401,E402\n", "import a  # NOQA: E402, F401 -- why\n"),
    "ruff's newer word": ("import a  # noqa: F401\n", "import a  # ruff: ignore[F401]\n"),
    "the line changed": ("from a import b  # noqa: F401\n", "from a import b, c  # noqa: F401\n"),
    "the line moved": ("import a  # noqa: F401\nx = 1\n", "x = 1\nimport a  # noqa: F401\n"),
    "pylint narrowed": ("# pylint: disable=all\nimport a\n", "# pylint: disable=unused-import\nimport a\n"),
    "a range closed": ("# ruff: disable[F401]\nimport a\n", "# ruff: disable[F401]\nimport a\n# ruff: enable[F401]\n"),
    "an option less": ('# mypy: disable-error-code="misc, arg-type"\n', '# mypy: disable-error-code="misc"\n'),
    "pyright narrowed": ("f()  # pyright: ignore\n", "f()  # pyright: ignore[reportCallIssue]\n"),
    "formatting on again": ("# fmt: off\nx = 1\n# fmt: on\n", "x = 1\n"),
}
ONLY_WORDS = (
    "x = 1  # noqaville is the town",
    "# Use noqa sparingly; the linter reports every noqa.",
    "# mypy: this is prose about mypy",
    "x = 1  # mypy cannot infer this",
    "# mypy: disallow-untyped-defs, warn-unused-ignores",
    "# pyright: strict",
    "# pyright: ignore comments are not allowed in this package",
    "# ty: ignore is what the other team uses",
    "# pyre-fixme comments are no longer written here",
    "# pylint: enable=unused-import",
    "# pylint is not used in this project",
    "# pragma: once",
    "x = 1  # ruff: see the docs",
    "# isort: this is prose",
    "def g(a):\n    # type: (int) -> str\n    b = []  # type: list[int]\n    return b",
    'x = f"{a}  # noqa"',
    "y = \"#\"; z = '# type: ignore'",
    'S = """\nx = 1  # type: ignore\n# mypy: ignore-errors\n# ruff: noqa\n"""',
    "def g():\n    '''Adds # pylint: disable=all where asked.'''",
    "R = re.compile(r'''\n    \\#\\s*noqa   # text inside the pattern\n''', re.X)",
)


@pytest.mark.parametrize(("comment", "rule"), TRAILING.items(), ids=TRAILING)
def test_a_comment_behind_code(comment: str, rule: str) -> None:
    after = BASE.replace("import os", f"import os  {comment}")
    assert rule in rules(BASE, after, "app/a.py")
    assert judge(BASE, after, "app/a.py") == "block"


@pytest.mark.parametrize(("comment", "rule"), ALONE.items(), ids=ALONE)
def test_a_comment_on_a_line_of_its_own(comment: str, rule: str) -> None:
    assert rule in rules(BASE, f"{comment}\n{BASE}", "app/a.py")
    assert judge(BASE, f"{comment}\n{BASE}", "app/a.py") == "block"


@pytest.mark.parametrize(("comment", "rule"), FOR_A_PERSON.items(), ids=FOR_A_PERSON)
def test_a_comment_for_a_person(comment: str, rule: str) -> None:
    assert rules(BASE, BASE.replace("\n\n\n", f"\n\n\n{comment}\n"), "app/a.py") == {rule}


@pytest.mark.parametrize(("before", "after"), WORSE.values(), ids=WORSE)
def test_more_is_switched_off_than_before(before: str, after: str) -> None:
    assert judge(before, after, "app/a.py") == "block"


@pytest.mark.parametrize(("before", "after"), NO_WORSE.values(), ids=NO_WORSE)
def test_no_more_is_switched_off_than_before(before: str, after: str) -> None:
    assert judge(before, after, "app/a.py") == "clean"


@pytest.mark.parametrize("code", ONLY_WORDS)
def test_words_that_switch_nothing_off(code: str) -> None:
    assert judge(BASE, f"{BASE}\n{code}\n", "app/a.py") == "clean"


def test_what_mypy_does_not_honour_and_others_do_is_for_a_person() -> None:
    for comment in ("# why # type: ignore", "# type: ignore because", "# type : ignore"):
        assert rules("x = f()\n", f"x = f()  {comment}\n", "app/a.py") == {"py.type-ignore-elsewhere"}


def test_a_suppression_that_moves_to_another_file_with_its_line_is_the_old_one() -> None:
    before = {"app/a.py": "import os  # noqa: F401\nx = 1\n", "app/b.py": "y = 1\n"}
    after = {"app/a.py": "x = 1\n", "app/b.py": "import os  # noqa: F401\ny = 1\n"}
    assert worst(findings(before, after)) == "clean"
