"""Scripts that get the words behind their name at their end: those of PDM, Poe and Composer, and `rake`'s variables."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.called.call import Call, task_file, written
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.python_tasks.task_words import ARGS, CALLERS, declared
from ralph.guardrails.config.side import Side

RAKE = {"SPEC": "rspec", "SPEC_OPTS": "rspec", "TEST": "rails test", "TESTOPTS": "rails test"}
"""What stands in a variable of a task of tests, and the program that would get it as words."""
TASKS = {"RSpec::Core::RakeTask": "rspec", "TestTask": "rails test"}
"""What a Rakefile makes such a task with, and a program that takes the same words."""


def of_pdm(call: Call, side: Side) -> list[str]:
    return _appended(_script(side, "pyproject.toml", "tool", "pdm", "scripts", *call.words[:1]), call.words[1:])


def of_poe(call: Call, side: Side) -> list[str]:
    """A task that declares its arguments gets nothing at its end."""
    task = _script(side, "pyproject.toml", "tool", "poe", "tasks", *call.words[:1])
    arguments = task.at("args") if task is not None else None
    if task is None or arguments is None:
        return _appended(task, call.words[1:])
    handed = written(call.words[1:])
    return [declared(text, arguments).replace(CALLERS, handed).strip() for text in _texts(task)]


def of_composer(call: Call, side: Side) -> list[str]:
    words = tuple(word for word in call.words[1:] if word != "--")
    return _appended(_script(side, "composer.json", "scripts", *call.words[:1]), words)


def of_rake(call: Call, side: Side) -> list[str]:
    """Its own tasks of tests ask for these variables."""
    path = task_file(side, "Rakefile", "rakefile", "Rakefile.rb")
    text = side.text(path) or "" if path is not None else ""
    programs = [
        program for word, program in (("RSpec::Core::RakeTask", "rspec"), ("TestTask", "rails test")) if word in text
    ]
    given = {**call.environment, **call.assigned}
    return [
        _with(program, [given[name] for name, of in RAKE.items() if of == program and name in given])
        for program in programs
    ]


def _with(program: str, words: list[str]) -> str:
    return " ".join((program, *words))


def _script(side: Side, name: str, *keys: str) -> Node | None:
    path = task_file(side, name)
    node = side.node(path) if path is not None else None
    return node.at(*keys) if node is not None else None


def _appended(script: Node | None, words: tuple[str, ...]) -> list[str]:
    texts = [] if script is None else list(_texts(script))
    if not texts:
        return []
    last, handed = texts[-1], written(words)
    if ARGS.search(last) is not None:
        return [ARGS.sub(lambda found: handed or found["default"] or "", last)]
    return [f"{last} {handed}".rstrip()]


def _texts(script: Node) -> Iterator[str]:
    said = script
    if script.mapping:
        said = next((found for key in ("cmd", "shell") if (found := script.at(key)) is not None), script)
        if isinstance(said.value, list):
            yield written([item.text for item in said.items])
            return
    yield from (item.value for item in said.items if isinstance(item.value, str))
