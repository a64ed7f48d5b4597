"""A project in which gates are run for real: real git, real processes, the sandbox of this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ralph.agents.base import Turn
from ralph.agents.scripted import ScriptedAgent
from ralph.exceptions.book import Book
from ralph.gates.language import parse
from ralph.gates.model import Attempt, GateRun, VerifyGate
from ralph.gates.prompts import prepare
from ralph.gates.shell import Bench, attempt
from ralph.gates.state import ChainRun, Shelf
from ralph.loop.prompt_run import Tools, run_prompt
from ralph.permissions.disk import here
from ralph.permissions.model import Permissions
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.probe import enforced_level
from ralph.steps.environment import clean_environment
from ralph.system.git import open_repository
from ralph.system.places import shadow_dir
from ralph.system.tree import snapshot
from tests.project import repository, write

PROMPT = """---
name: {name}
description: one of these tests
arguments:
  - name: text
---
Do the work of {name}. {{{{text}}}}
"""

_level = cache(enforced_level)
"""Probed once: every test has a cache folder of its own."""

Actions = list[dict[str, Any]]


def say(text: str) -> dict[str, Any]:
    return {"say": text}


def file(path: str, content: str) -> dict[str, Any]:
    return {"write": {"path": path, "content": content}}


@dataclass(frozen=True)
class Told:
    """A scripted agent, and every prompt that it was given."""

    agent: ScriptedAgent
    prompts: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.agent.name

    def run(self, turn: Turn) -> Any:
        self.prompts.append(turn.prompt)
        return self.agent.run(turn)


@dataclass(frozen=True)
class Workplace:
    root: Path

    @classmethod
    def at(cls, folder: Path, files: Mapping[str, str] | None = None) -> Workplace:
        root = repository(folder / "project", {"a.txt": "one\n", **(files or {})}).resolve()
        prompts = {f".ralph/prompts/{name}.md": PROMPT.format(name=name) for name in ("work", "more")}
        write(root, prompts)
        open_repository(root).exclude([".ralph/", "/state/"])
        return cls(root)

    def tree(self) -> str:
        return snapshot(open_repository(self.root), shadow_dir(self.root)).tree

    def bench(self, *, law: Permissions | None = None, level: Level | None = None) -> Bench:
        scratch = self.root.parent / "scratch"
        scratch.mkdir(exist_ok=True)
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return Bench(
            root=self.root,
            env=clean_environment({**os.environ, "PATH": path}, root=self.root, scratch=scratch, bytecode=scratch),
            level=_level() if level is None else level,
            tree=self.tree,
            writable=(scratch,),
            law=None if law is None else (law, here(self.root)),
        )

    def attempt(self, command: str, bench: Bench | None = None, **options: Any) -> Attempt:
        """One run of a gate's command."""
        log = self.root.parent / "attempt.log"
        return attempt(VerifyGate(command=command, **options), bench or self.bench(), number=1, log=log)

    def agent(self, *turns: Actions, name: str = "scripted") -> Told:
        script = self.root.parent / f"{name}.yaml"
        script.write_text(yaml.safe_dump({"name": name, "turns": list(turns)}))
        return Told(ScriptedAgent.from_yaml(script))

    def run(self, text: str, agent: Told, *, judge: Told | None = None, **options: Any) -> ChainRun:
        """A whole `prompt run`."""
        repo = open_repository(self.root)
        bench = options.pop("bench", None) or self.bench()
        tools = Tools(
            repo=repo,
            bench=bench,
            shelf=Shelf(self.root),
            book=Book(self.root, {}),
            agent=agent,
            judge=judge,
            env=bench.env,
            **options,
        )
        return run_prompt(text, [prepare(step, self.root) for step in parse(text).steps], tools)

    def book(self) -> Book:
        return Book(self.root, {})


def states(run: ChainRun) -> list[str]:
    return [gate.state for gate in run.gates]


def only(run: ChainRun) -> GateRun:
    (gate,) = run.gates
    return gate
