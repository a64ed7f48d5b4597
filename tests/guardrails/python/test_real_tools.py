"""Honoured by the tool if, and only if, found by us: measured with the real ruff, mypy and coverage.py.

A tool's new release that reads its directives otherwise makes these tests fail: then the rules are to be adapted.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from coverage.config import DEFAULT_EXCLUDE, DEFAULT_PARTIAL
from coverage.parser import PythonParser

from ralph.guardrails import python
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.side import side_hits

TRAILING_NOQA = """
# noqa|#noqa|# NOQA|# NoQa|#  noqa|#\tnoqa|#\xa0noqa|#\u3000noqa|#\x0cnoqa|## noqa|# noqa#x|# noqa because|# noqa - why
# noqa:F401|# noqa: F401|# noqa : F401|# noqa\t: F401|# noqa:\xa0F401|# noqa:\tF401|# noqa F401|# noqa: F401,E501
# noqa: E501 F401|# noqa: E501F401|# noqa: F401E501|# noqa: F401,,E501|# noqa: ,F401|# noqa: F401,|# noqa: F401, why
# noqa: F401 why|# noqa: F401#x|# noqa: F401 -- why|# noqa: F401,x|# why # noqa
# why #noqa|# a ## noqa|# a; # noqa:F401
# noqa # type: ignore|# type: ignore # noqa|# type:ignore#noqa|# pylint: x # noqa|# fmt: skip # noqa
#\u200bnoqa|#: noqa|#! noqa|# noqa:|# noqa: because|# noqa: f401|# noqa: F|# noqa: noqa|# noqa.|# noqa,|# noqa!|# noqa;
# noqa(F401)|# noqa[F401]|# noqa=F401|# noqa-F401|# noqa_F401|# noqaF401|# noqa1|# noqa\xe9|# noqa/x|# why noqa
# x; noqa
# (noqa)|# "noqa"|# see the noqa policy|# do not add noqa here|# noqaville|# NOQAs are counted|# type: ignore noqa
# noqaville # noqa|# x # noqa. # noqa|# a # noqa: because # noqa: F401|# see "# noqa" there|# `# noqa`|# (# noqa)
# noqa: F401abc|# noqa: F401(x)|# noqa: F401-x|# noqa: F401;|# noqa: F401.|# noqa: F401:|# noqa:: F401|# noqa:F401/E501
# noqa: F401 E501abc|# noqa: because F401|# noqa : because|# noqa\u200b
# n\u043eqa|# \uff4e\uff4f\uff51\uff41|# -noqa|#,noqa
# ruff: noqa|# flake8: noqa|# ruff: noqa: F401
# ruff: ignore[F401]|# ruff:ignore[F401]|#ruff:ignore[F401]|# ruff : ignore[F401]|# ruff: ignore [F401]
# ruff: ignore[ F401 ]|# ruff: ignore[E501,F401]|# ruff: ignore[F401,]|# ruff: ignore[F401,x]|# ruff: ignore[F401] why
# ruff: ignore[F401]x|# x # ruff: ignore[F401]|## ruff: ignore[F401]|#\xa0ruff: ignore[F401]|# noqa # ruff: ignore[F401]
# RUFF: ignore[F401]|# ruff: IGNORE[F401]|# ruff: ignore[f401]|# ruff: ignore[E501 F401]|# ruff: ignore|# ruff: ignore[]
# ruff: ignore[F]|# ruff: ignore F401|# x ruff: ignore[F401]|# ruff: ignore[F401|# ruff: ignore[,F401]
# ruff: ignored[F401]|# ruff: disable[F401]|# ruff: file-ignore[F401]|# ruff: ignore[F401;E501]
"""
ALONE_NOQA = """
# ruff: noqa|#ruff:noqa|# ruff:noqa|# ruff: NOQA|# ruff: NoQA|# ruff : noqa|# ruff:  noqa|#  ruff: noqa|#\xa0ruff: noqa
# flake8: noqa|# flake8:noqa|# flake8 : noqa|# flake8: noqa: F401|# ruff: noqa: F401|# ruff: noqa:F401|# ruff: noqa F401
# ruff: noqa: E501 F401|# ruff: noqa why|# ruff: noqa - x|# x # ruff: noqa|## ruff: noqa|# ruff: noqa # x
# flake8: noqa why|# ruff: noqa:F401 x
# RUFF: noqa|# Ruff: noqa|# ruff: noqa: because|# ruff: noqaville|# x ruff: noqa|# ruff: noqa, x|# ruff: noqa:
# noqa|# noqa: F401|# flake8: noqa: x
# ruff: file-ignore[F401]|# ruff:file-ignore[F401]|# ruff: file-ignore[E501,F401] x|# ruff: file-ignore [F401]
# RUFF: file-ignore[F401]|# ruff: file-ignore|# x # ruff: file-ignore[F401]|# ruff: file_ignore[F401]
# ruff: disable[F401]|# ruff:disable[F401]|# ruff: disable[E501, F401]|# ruff: disable[F401] x
# ruff: disable|# x # ruff: disable[F401]|## ruff: disable[F401]|# ruff: enable[F401]
# ruff: ignore[F401]|# ruff: ignore[F401] why
"""
PLACES = {
    "trailing file-level noqa": "x = 1; # ruff: noqa\nimport os\n",
    "indented file-level noqa": "if 1:\n    # ruff: noqa\n    import os\n",
    "file-level noqa at the end": "import os\n# ruff: noqa\n",
    "file-level noqa in brackets": "x = (1,\n# ruff: noqa\n2)\nimport os\n",
    "file-level noqa behind a form feed": "\x0c# ruff: noqa\nimport os\n",
    "file-level noqa behind a byte order mark": "\ufeff# ruff: noqa\nimport os\n",
    "indented file-ignore": "if 1:\n    # ruff: file-ignore[F401]\n    import os\n",
    "trailing file-ignore": "x = 1 # ruff: file-ignore[F401]\nimport os\n",
    "trailing disable": "x = 1 # ruff: disable[F401]\nimport os\n",
    "indented disable": "if 1:\n    # ruff: disable[F401]\n    import os\n",
    "noqa in a string": 'x = "# noqa"; import os\n',
    "noqa in a docstring": 'import os; """x\n# noqa"""\n',
    "noqa behind a docstring": 'import os; """x\n"""  # noqa\n',
    "noqa behind an f-string": 'import os; f"""\n"""  # noqa\n',
    "noqa behind a continued line": "import \\\n  os  # noqa\n",
    "noqa behind an opening bracket": "from os import (  # noqa\n path,\n)\n",
}
TYPE_IGNORE = """
# type: ignore|#type: ignore|# type:ignore|#type:ignore|#  type:  ignore|#\ttype:\tignore|#\xa0type: ignore
# type:\xa0ignore|#\u3000type: ignore|#\x0ctype: ignore|# type: ignore[assignment]|# type: ignore [assignment]
# type: ignore[ assignment ]|# type: ignore[attr-defined,assignment]|# type: ignore[]|# type: ignore[assignment] # x
# type: ignore[assignment]# x|# type: ignore # x|# type: ignore#x|# type: ignore\xa0|# type: int # type: ignore
# type: int  # type:ignore[assignment]
# TYPE: ignore|# type: Ignore|# type : ignore|# type: ignore[assignment|# type: ignore[assignment] because
# type: ignore because|# type: ignore, x|# type: ignored|# type: ignore-x|# type: ignore.|# type: ignore: x
# type: ignore_x|# type: ignor\xe9|# x # type: ignore|# noqa  type: ignore|## type: ignore|# # type: ignore
# x type: ignore|#! type: ignore|# type: ignore; x|#\u200btype: ignore|# type\xa0: ignore|# type: ignore(x)
# types are ignored upstream|# mypy: ignore|# mypy: ignore[assignment]|# mypy: ignore-errors
"""
MYPY_FILE = """
# mypy: ignore-errors|# mypy:ignore-errors|# mypy:  ignore-errors|# mypy: ignore_errors|# mypy: ignore-errors=True
# mypy: ignore-errors=true|# mypy: ignore-errors = True|# mypy: IGNORE-ERRORS|# mypy: no-ignore-errors=False
# mypy: disable-error-code=assignment|# mypy: disable-error-code="assignment, arg-type"|# type: ignore
# type: ignore # x
#mypy: ignore-errors|#  mypy: ignore-errors| # mypy: ignore-errors|# mypy: ignore-errors=False|# MYPY: ignore-errors
# mypy: disallow-untyped-defs|# mypy: no-ignore-errors
"""
MYPY_CODE = {
    "not TYPE_CHECKING": "from typing import TYPE_CHECKING\nif not TYPE_CHECKING:\n    {}\n",
    "else of TYPE_CHECKING": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    pass\nelse:\n    {}\n",
    "elif of TYPE_CHECKING": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    pass\nelif id(1):\n    {}\n",
    "and not TYPE_CHECKING": "from typing import TYPE_CHECKING\nif id(1) and not TYPE_CHECKING:\n    {}\n",
    "MYPY": "MYPY = False\nif not MYPY:\n    {}\n",
    "own TYPE_CHECKING": "TYPE_CHECKING = False\nif not TYPE_CHECKING:\n    {}\n",
    "short cut or": "from typing import TYPE_CHECKING\nTYPE_CHECKING or print({})\n",
    "short cut and": "from typing import TYPE_CHECKING\nnot TYPE_CHECKING and print({})\n",
    "assert": "from typing import TYPE_CHECKING\nassert not TYPE_CHECKING\n{}\n",
    "return": "from typing import TYPE_CHECKING\ndef f() -> None:\n    if TYPE_CHECKING:\n        return\n    {}\n",
    "no_type_check": "from typing import no_type_check\n@no_type_check\ndef f() -> None:\n    {}\n",
    "or not TYPE_CHECKING": "from typing import TYPE_CHECKING\nif not TYPE_CHECKING or id(1):\n    {}\n",
    "another flag": "CHECKING = False\nif not CHECKING:\n    {}\n",
    "TYPE_CHECKING itself": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    {}\n",
}
NO_COVER = """
# pragma: no cover|#pragma: no cover|# pragma:no cover|#pragma:no cover|# pragma no cover|# pragma nocover
# PRAGMA: NO COVER|# pragma:  no  cover|# pragma\tno cover|# pragma: no covering|# why # pragma: no cover
# pragma: no cover because|#\xa0pragma: no cover|# pragma: no\xa0cover|## pragma: no cover
# Pragma: no cover|# pragma : no cover|# pragma: No cover|# pragma: no-cover|# pragma; no cover|# no cover
# pragma: cover|# why pragma: no cover|# pragma: no c\u043ever
"""


def spellings(table: str) -> list[str]:
    return [spelling for line in table.strip("\n").split("\n") for spelling in line.split("|")]


def found(files: Mapping[str, str], rules: Iterable[str]) -> dict[str, bool]:
    """Which of the files hold something that blocks by one of the rules."""
    words, wanted = prefilter(python.WORDS), set(rules)

    def holds(text: str) -> bool:
        data = text.encode()
        if not words.matches(data):
            return False
        return any(hit.rule in wanted for hit in side_hits("a.py", "python", data, words, lambda _: True))

    return {name: holds(text) for name, text in files.items()}


def written(folder: Path, files: Mapping[str, str]) -> dict[str, str]:
    """Writes the files under names without meaning; returns the real name of each."""
    names = {f"case{number}": name for number, name in enumerate(files)}
    for stem, name in names.items():
        (folder / f"{stem}.py").write_text(files[name], newline="")
    return names


def honoured_by_ruff(folder: Path, files: Mapping[str, str]) -> dict[str, bool]:
    names = written(folder, files)
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--select=F401",
        "--output-format=json",
    ]
    result = subprocess.run([*command, str(folder)], capture_output=True, check=False)
    reported = {Path(entry["filename"]).stem for entry in json.loads(result.stdout)}
    assert reported, "ruff must find something, or it did not look"
    return {name: stem not in reported for stem, name in names.items()}


def honoured_by_mypy(folder: Path, files: Mapping[str, str]) -> dict[str, bool]:
    names = written(folder, files)
    command = [sys.executable, "-m", "mypy", "--config-file=", "--cache-dir=/dev/null", "--no-pretty", "."]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    reported = set(re.findall(r"^(\w+)\.py:\d+: error: .*\[(?:assignment|operator)\]$", result.stdout, re.MULTILINE))
    assert reported, result.stdout + result.stderr
    return {name: stem not in reported for stem, name in names.items()}


def test_noqa_at_the_end_of_a_line(tmp_path: Path) -> None:
    files = {spelling: f"import os  {spelling}\n" for spelling in spellings(TRAILING_NOQA)}
    assert found(files, {"py.noqa"}) == honoured_by_ruff(tmp_path, files)


def test_noqa_on_a_line_of_its_own(tmp_path: Path) -> None:
    files = {spelling: f'"""doc"""\n{spelling}\nimport os\n' for spelling in spellings(ALONE_NOQA)}
    assert found(files, {"py.noqa", "py.noqa-file", "py.noqa-range"}) == honoured_by_ruff(tmp_path, files)


def test_noqa_in_strange_places(tmp_path: Path) -> None:
    assert found(PLACES, {"py.noqa", "py.noqa-file", "py.noqa-range"}) == honoured_by_ruff(tmp_path, PLACES)


def test_type_ignore(tmp_path: Path) -> None:
    files = {spelling: f'x: int = "s"  {spelling}\n' for spelling in spellings(TYPE_IGNORE)}
    assert found(files, {"py.type-ignore"}) == honoured_by_mypy(tmp_path, files)


def test_comments_and_code_that_keep_mypy_out(tmp_path: Path) -> None:
    files = {spelling: f'{spelling}\nx: int = "s"\n' for spelling in spellings(MYPY_FILE)}
    files |= {name: form.format('(1 + "")') for name, form in MYPY_CODE.items()}
    rules = {"py.type-ignore-file", "py.mypy-file", "py.unchecked-branch", "py.no-type-check"}
    ours, mypy = found(files, rules), honoured_by_mypy(tmp_path, files)
    ours["TYPE_CHECKING itself"] = mypy["TYPE_CHECKING itself"] = False
    assert ours == mypy


def test_pragma_no_cover() -> None:
    files = {spelling: f"if x:  {spelling}\n    y = 1\n" for spelling in spellings(NO_COVER)}
    files["over two lines"] = "if x: # pragma: no\n    cover = 1\n"
    files["in a string of a branch"] = 'if x and "# pragma: no cover":\n    y = 1\n'
    patterns = (*DEFAULT_EXCLUDE, "pragma: no cover")  # the second is what projects write that set it themselves
    assert found(files, {"py.no-cover"}) == {name: excluded(text, patterns) for name, text in files.items()}


def test_pragma_no_branch() -> None:
    files = {
        text: f"if x:  {text}\n    y = 1\n" for text in ("# pragma: no branch", "# pragma nobranch", "# no branch")
    }
    assert found(files, {"py.no-branch"}) == {name: excluded(text, DEFAULT_PARTIAL) for name, text in files.items()}


def excluded(text: str, patterns: Iterable[str]) -> bool:
    parser = PythonParser(text=text, exclude="|".join(f"(?:{pattern})" for pattern in patterns))
    parser.parse_source()
    return bool(parser.excluded)
