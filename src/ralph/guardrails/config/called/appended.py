"""Scripts that get the words behind their name at their end: those of PDM, Poe and Composer, and `rake`'s variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from ralph.guardrails.config.called.call import Call, task_file, written
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.python_tasks.task_words import ARGS, CALLERS, declared
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

NAME = later(r"\w+")
RAKE_TASK = later(
    r"(?m)^[ \t]*task[ \t(]+:?(?P<name>[\w:]+),[ \t]*\[(?P<names>[^\]\n]*)\][^\n]*\n"
    r"(?P<body>(?:[ \t]+\S[^\n]*\n|[ \t]*\n)+)"
)
RAKE_DEFAULT = later(r"(?P<name>\w+):[ \t]*[\"'](?P<value>[^\"'\n]*)[\"']")
RAKE_SH = later(r"\bsh[ \t(]+\"(?P<text>[^\"\n]*)\"")
RAKE_USE = later(r"#\{args(?:\[:(?P<key>\w+)\]|\.(?P<member>\w+))\}")
BRACKETED = later(r"(?P<name>[\w:]+)\[(?P<words>[^\]]*)\]")
RAKE = {"SPEC": "rspec", "SPEC_OPTS": "rspec", "TEST": "rails test", "TESTOPTS": "rails test"}
"""What stands in a variable of a task of tests, and the program that would get it as words."""
TASKS = {"RSpec::Core::RakeTask": "rspec", "TestTask": "rails test"}
"""What a Rakefile makes such a task with, and a program that takes the same words."""


def of_pdm(call: Call, side: Side) -> list[str]:
    return appended(script(side, "pyproject.toml", "tool", "pdm", "scripts", *call.words[:1]), call.words[1:])


def of_poe(call: Call, side: Side) -> list[str]:
    """A task that declares its arguments gets nothing at its end."""
    task = script(side, "pyproject.toml", "tool", "poe", "tasks", *call.words[:1])
    arguments = task.at("args") if task is not None else None
    if task is None or arguments is None:
        return appended(task, call.words[1:])
    given = _declared(arguments, call.words[1:])
    handed = written(call.words[1:])
    used = re.compile("|".join(rf"\$\{{{name}(?::-[^{{}}]*)?\}}|\${name}\b" for name in given)) if given else None
    lines = texts(task) if used is None else (used.sub(partial(_value, given), text) for text in texts(task))
    return [declared(text, arguments).replace(CALLERS, handed).strip() for text in lines]


def _value(given: Mapping[str, str], found: re.Match[str]) -> str:
    return given[NAME.findall(found[0])[0]]


def _declared(arguments: Node, words: Sequence[str]) -> dict[str, str]:
    """What a call says for the arguments that a task declares: by their options, or one after the other."""
    listed = [(name, each) for name, each in arguments.mapping.items()]
    listed += [(canonical(own), each) for each in arguments.items if (own := each.at("name")) is not None]
    waiting, given = list(words), dict[str, str]()
    for name, each in listed:
        for option in (f"--{name}", f"--{name.replace('_', '-')}"):
            at = next((number for number, word in enumerate(waiting) if word.partition("=")[0] == option), None)
            if at is not None:
                _, equals, value = waiting.pop(at).partition("=")
                given[name] = value if equals or at >= len(waiting) else waiting.pop(at)
        if name not in given and each.at("positional") is not None and waiting:
            given[name] = waiting.pop(0)
    return given


def of_composer(call: Call, side: Side) -> list[str]:
    words = tuple(word for word in call.words[1:] if word != "--")
    return appended(script(side, "composer.json", "scripts", *call.words[:1]), words)


def of_rake(call: Call, side: Side) -> list[str]:
    """Its own tasks of tests ask for these variables."""
    path = task_file(side, "Rakefile", "rakefile", "Rakefile.rb")
    text = side.text(path) or "" if path is not None else ""
    programs = [
        program for word, program in (("RSpec::Core::RakeTask", "rspec"), ("TestTask", "rails test")) if word in text
    ]
    given = {**call.environment, **call.assigned}
    bracketed = [found for word in call.own if (found := BRACKETED.fullmatch(word)) is not None]
    handed = {found["name"]: [word.strip() for word in found["words"].split(",")] for found in bracketed}
    own = [line for task in RAKE_TASK.finditer(text) if task["name"] in call.names for line in _of_task(task, handed)]
    return own + [
        _with(program, [given[name] for name, of in RAKE.items() if of == program and name in given])
        for program in programs
    ]


def _of_task(task: re.Match[str], handed: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What a task of a Rakefile runs with the words between the brackets of its call."""
    values = {found["name"]: found["value"] for found in RAKE_DEFAULT.finditer(task["body"])}
    values |= {
        name: word
        for name, word in zip(NAME.findall(task["names"]), handed.get(task["name"], ()), strict=False)
        if word
    }
    for said in RAKE_SH.finditer(task["body"]):
        if RAKE_USE.search(said["text"]) is not None:
            yield RAKE_USE.sub(lambda found: values.get(found["key"] or found["member"], ""), said["text"])


def _with(program: str, words: list[str]) -> str:
    return " ".join((program, *words))


def script(side: Side, name: str, *keys: str) -> Node | None:
    """What a file of tasks has under these keys."""
    path = task_file(side, name)
    node = side.node(path) if path is not None else None
    return node.at(*keys) if node is not None else None


def appended(task: Node | None, words: tuple[str, ...], key: str = "cmd") -> list[str]:
    """The last command of a task with the words behind it, or in the place that it has for them."""
    said = [] if task is None else list(texts(task, key))
    if not said:
        return []
    last, handed = said[-1], written(words)
    if ARGS.search(last) is not None:
        return [ARGS.sub(lambda found: handed or found["default"] or "", last)]
    return [f"{last} {handed}".rstrip()]


def texts(task: Node, key: str = "cmd") -> Iterator[str]:
    """The commands of a task."""
    said = task
    if task.mapping:
        said = next((found for each in (key, "shell") if (found := task.at(each)) is not None), task)
        if isinstance(said.value, list):
            yield written([item.text for item in said.items])
            return
    yield from (item.value for item in said.items if isinstance(item.value, str))
