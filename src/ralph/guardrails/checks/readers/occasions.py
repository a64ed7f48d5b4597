"""What is known about a run of GitHub's workflows before it starts, for the conditions in it (see `expressions`).

Rules: a run is judged as one of the repository itself at its first attempt, where everything before a step succeeded.
A repository that nothing in the tree names is another one. A matrix, a runner and the events of a workflow are what the
workflow says: a condition is looked at for every entry of the matrix.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from ralph.guardrails.checks.readers.expressions import Possible, Value, truth
from ralph.guardrails.checks.readers.matrix import Entry, entries
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import covers
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

MANIFESTS = later(
    r"(?i)^(?:readme|changelog|contributing|security|history|news)[\w.-]*$|^(?:pyproject\.toml|package\.json|go\.mod|cargo\.toml"
    r"|setup\.(?:py|cfg)|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|[\w.-]+\.gemspec"
    r"|mkdocs\.yml|codeowners|\.github/codeowners|citation\.cff|docker-compose\.ya?ml|dockerfile)$"
)
SYSTEMS = {"ubuntu": "linux", "windows": "windows", "macos": "macos"}
DRAFTS = later(r"\s*(?:\$\{\{)?\s*github\.event\.pull_request\.draft\s*(?:==\s*true\s*)?(?:\}\}\s*)?")
USUAL_TYPES = frozenset(("opened", "synchronize", "reopened"))
WORTH = later(
    r"(?:always|success|failure|cancelled|never)\(\)"
    r"|github\.(?:repository|event|job|run_)|runner\.|matrix\.|hashFiles|==|!=|\b\d+ *[<>]"
)
INDEX = later(r"\[\s*'([^'\]]*)'\s*\]")
COMPARED = later(r"(\bmatrix\.[\w-]+\s*[!=]=\s*)(?:env\.(\w+)\b|\$\{\{\s*env\.(\w+)\s*\}\})")
NUMBER = later(r"\d+(?:\.\d+)?")
STATUS = {"always": True, "success": True, "failure": False, "cancelled": False, "never": False}


class Occasion:
    """`job` and `name`: the job in which the condition stands."""

    def __init__(self, side: Side, workflow: Node, job: Node | None = None, name: str = "") -> None:
        self.side, self.workflow, self.job, self.name = side, workflow, job, name
        self.entry: Entry | None = None

    @property
    def steps(self) -> Node | None:
        """Those of the job, or of the action."""
        return self.job.at("steps") if self.job is not None else self.workflow.at("runs", "steps")

    def written_out(self, condition: str) -> str:
        """With what a matrix is compared with, where that is a constant of the workflow (`matrix.go == env.LATEST`)."""
        return COMPARED.sub(self._written_out, condition)

    def _written_out(self, match: re.Match[str]) -> str:
        return match[1] + (self._constant(match[2] or match[3]) or match[0][len(match[1]) :])

    def _constant(self, name: str) -> str:
        """As it would be written in a condition; empty if a step or the job may set it anew."""
        node = self.workflow.at("env", name)
        if node is None or "${{" in (text := canonical(node)) or "'" in text:
            return ""
        if self.job is not None and re.search(rf"\b{re.escape(name)}\b['\"]?\s*[=:]", canonical(self.job)):
            return ""
        return text if NUMBER.fullmatch(text) else f"'{text}'"

    def never(self, condition: str) -> bool:
        """True for a condition that holds in no run of the workflow, or of no change that is ready to be merged."""
        if DRAFTS.fullmatch(condition):
            return True
        return bool(WORTH.search(condition)) and self._truths(condition) == {False}

    def always(self, condition: str) -> bool:
        """True for a condition that holds in every run of the workflow."""
        return self._truths(condition) == {True}

    def _truths(self, condition: str) -> set[bool | None]:
        found: set[bool | None] = set()
        # An empty matrix runs nothing; what is said about it is left open.
        for entry in (self._entries or (None,)) if "matrix" in condition.lower() else (None,):
            self.entry = entry
            found.add(truth(condition, self.look, self.ask))
        self.entry = None
        return found

    @cached_property
    def _entries(self) -> list[Entry] | None:
        return entries(self.job)

    def look(self, name: str) -> Value:
        name = INDEX.sub(r".\1", name)
        parts = name.lower().split(".")
        if parts[0] == "matrix":
            return self._matrix(parts[1:])
        match name.lower():
            case "github.repository" | "github.repository_owner":
                return Possible(self._is_known)
            case "github.event_name":
                return _one_of(self._events())
            case "github.event.action":
                return _one_of([*self._types(), ""])
            case "github.event.repository.fork":
                return False
            case "github.run_attempt":
                return "1"
            case "github.job":
                return self.name or None
            case "runner.os":
                return self._system()
        return None

    def ask(self, name: str, arguments: Sequence[Value]) -> Value:
        if name == "hashfiles":
            globs = [str(each) for each in arguments]
            some = any(covers(glob, path, regex=False) for glob in globs for path in self.side.paths)
            # What a run makes or fetches before it asks is in no tree.
            return "hash" if some or not all(map(self._is_checked_in, globs)) else ""
        if name in ("contains", "startswith", "endswith") and len(arguments) == 2:
            return _holds_text(name, *arguments)
        if name == "fromjson" and len(arguments) == 1:
            return _listed(arguments[0])
        return STATUS.get(name)

    def _is_checked_in(self, glob: str) -> bool:
        folder = re.split(r"[*?\[]", glob)[0].strip("/").partition("/")[0]
        return not re.search(r"(?i)^(?:\.|~|dist|build|out|target|node_modules|coverage|reports?|$)|lock|sum$", folder)

    def _matrix(self, names: Sequence[str]) -> Value:
        if self.entry is not None:
            value: Value = self.entry
            for name in names:
                value = value.get(name, "") if isinstance(value, Mapping) else None
            return None if isinstance(value, Mapping) else value
        matrix = self.job.at("strategy", "matrix") if self.job is not None else None
        named = {key.lower(): value for key, value in matrix.mapping.items()} if matrix is not None else {}
        values = named.get(names[0]) if len(names) == 1 else None
        if matrix is None or values is None or not isinstance(values.value, list) or matrix.at("include") is not None:
            return None
        return _one_of([canonical(item) for item in values.items])

    def _system(self) -> Value:
        runner = self.job.at("runs-on") if self.job is not None else None
        text = canonical(runner).lower() if runner is not None else ""
        return next((named for start, named in SYSTEMS.items() if text.startswith(start)), None)

    def proposed_by(self, events: Sequence[str]) -> str:
        """The first of these events that starts the workflow; one that is called may be started by any."""
        own = self._events()
        return next((event for event in events if event in own or "*" in own), "")

    def _events(self) -> list[str]:
        on = self.workflow.at("on")
        found = list(on.mapping) or [canonical(item) for item in on.items] if on is not None else []
        called = not found or "workflow_call" in found
        return ["*"] if called else found

    def _types(self) -> list[str]:
        on = self.workflow.at("on")
        events: Mapping[str, Node] = on.mapping if on is not None else {}
        listed = [types for event in events.values() if (types := event.at("types")) is not None]
        return (
            ["*"]
            if set(self._events()) - {"push", "pull_request"}
            else [*USUAL_TYPES, *(canonical(item) for types in listed for item in types.items)]
        )

    def _is_known(self, name: str) -> bool:
        """Something in the tree names the repository, or its owner."""
        words = [word for word in re.split(r"/", name.lower()) if word]
        paths = (path for path in self.side.paths if not path.startswith(".github/workflows/"))
        if any(words[-1] in path.lower() for path in paths):
            return True
        texts = ((self.side.text(path) or "").lower() for path in self.side.paths if MANIFESTS.search(path))
        return any(word in text for text in texts for word in words)


def _holds_text(name: str, whole: Value, part: Value) -> bool | None:
    """Upper and lower case are one, as GitHub compares them."""
    if isinstance(whole, tuple) and name == "contains" and isinstance(part, str | bool):
        return None if None in whole else str(part).lower() in {str(each).lower() for each in whole}
    if isinstance(whole, tuple) and name == "contains" and isinstance(part, Possible):
        return None if None in whole or any(part.may(str(each)) for each in whole) else False
    if not isinstance(whole, str) or not isinstance(part, str):
        return None
    one, other = whole.lower(), part.lower()
    return other in one if name == "contains" else one.startswith(other) if name[0] == "s" else one.endswith(other)


def _listed(text: Value) -> Value:
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    if isinstance(found, list):
        return tuple(each if isinstance(each, bool | str) else str(each) for each in found)
    return found if isinstance(found, bool) else None


def _one_of(values: Sequence[str]) -> Value:
    known = frozenset(value.lower() for value in values)
    return Possible(lambda value: value.lower() in known or any("*" in each or "${" in each for each in known))
