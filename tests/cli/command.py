"""Runs `ralph` in this process, and says what a person and a program get from it."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ralph.cli.main import run
from tests.project import repository, write

CONTRACT = """
agent: none
version: "1"
steps:
  lint: {not_applicable: words have no linter}
  typecheck: {not_applicable: words have no types}
  tests: {not_applicable: words have no tests}
  coverage: {not_applicable: words have no lines}
"""
CONTEXT = "project: {name: words, path: ., language: other}\ncommands: {}\nautonomy_level: L2\n"


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.out)


def ralph(*arguments: str | Path) -> Answer:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = run([str(argument) for argument in arguments])
    return Answer(code, out.getvalue(), err.getvalue())


def words(root: Path) -> Path:
    """A repository of words with a context; `contract.yaml` beside it needs no step, so that a verdict is quick."""
    repository(root, {"ralph-context.yaml": CONTEXT, "a.md": "one\n"})
    write(root.parent, {"contract.yaml": CONTRACT})
    return root


def verify(root: Path, *options: str | Path) -> Answer:
    return ralph("verify", "-C", root, "--contract", root.parent / "contract.yaml", "--json", *options)


def refused(answer: Answer, *words_of_it: str) -> None:
    """Exit code 3, nothing on standard output, and one sentence that says what, where and what to do."""
    assert (answer.code, answer.out) == (3, ""), answer
    sentences = [line for line in answer.err.splitlines() if not line.startswith("  ")]  # without the progress
    assert len(sentences) == 1, answer.err
    assert sentences[0].startswith("ralph: "), answer.err
    for word in words_of_it:
        assert word in answer.err, answer.err
    for foreign in ("Traceback", "pydantic", "Error:", "Errno", "errors.pydantic.dev", "object at 0x"):
        assert foreign not in answer.err, answer.err
