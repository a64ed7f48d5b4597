"""What a test runner loads besides the tests: setup, transforms, mappings, reporters (policy set v2, class G08).

Rules, for what the change adds to the configuration that `loaded` reads:

- A mapping of a module that the project has itself to another file blocks: the tests no longer see the module
  (`mapped`). What product code goes by, too, blocks where it leads to a file among tests or fakes.
- A test runner of one's own blocks, and is shown where the change wrote it, too. So does a resolver that gives a file
  among fakes or mocks, and a transform of one's own for the project's code whose answer does not depend on the code it
  is given.
- A file that takes the run over (`takeover`) blocks where it is loaded, too. Other files of the project that the
  runner now loads are for a person; packages are not. What it loaded before blocks where the change has it take over.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import cached_property

from ralph.guardrails.config.readers import SCRIPT_SUFFIXES
from ralph.guardrails.config.side import Side, resolve
from ralph.guardrails.javascript.code import code
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import stem
from ralph.guardrails.javascript.runner.derived import answers
from ralph.guardrails.javascript.runner.loaded import CONFIGS, MAPPED, NAMED, RUN, Loaded, configs, loaded
from ralph.guardrails.javascript.runner.mapped import (
    ASIDE,
    ASSET,
    ENDINGS,
    IMPORTS,
    PRETENDS,
    SUFFIXES,
    Mapping,
    hides,
    is_aside,
    is_module,
    takes_place,
    target,
)
from ralph.guardrails.javascript.runner.plugins import plugins
from ralph.guardrails.javascript.runner.takeover import brought, taken_over
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.source import Source
from ralph.system.patterns import later

_OF_TESTS = later(r"(?:^|/)(?:jest|vitest|playwright|cypress|karma|wdio|ava|\.mocharc|\.?jasmine)[^/]*$")
"""Configuration that no build goes by."""
_REPLACED = later(r"\.replace(?:All)?\(\s*([\"'`])((?:(?!\1)[^\\\n]){3,})\1")
_ANY = later(r"\.[*+]|\[\^|\\w[*+]")
_PROCESS = frozenset({"process", "processAsync"})


def runners(change: Change) -> Iterator[Hit]:
    changed = [file.path for file in change.files if CONFIGS.search(file.path) and file.status != "D"]
    if changed:
        yield from _Runners(change).hits(changed)
    yield from _rewritten(change)


def _rewritten(change: Change) -> Iterator[Hit]:
    """What the change adds to a file that was loaded before."""
    files = [file.path for file in change.files if file.status == "M" and file.path.endswith(SCRIPT_SUFFIXES)]
    names = [posixpath.splitext(posixpath.basename(path))[0].encode() for path in files if not is_test_file(path)]
    if not names:
        return
    side = Side(change.blobs.after, change.blobs.paths_after())
    for config in configs(side):
        data = side.bytes(config) or b""
        for each in loaded(side, config) if any(name in data for name in names) else ():
            to = target(each.value, config, side)
            if to in files:
                yield from brought(taken_over(to, change), change)


class _Runners:
    def __init__(self, change: Change) -> None:
        self._change = change
        self._before = Side(change.blobs.before, change.blobs.paths_before())
        self._after = Side(change.blobs.after, change.blobs.paths_after())

    def hits(self, changed: list[str]) -> Iterator[Hit]:
        known = {each.identity for file in self._change.files for each in loaded(self._before, file.path)}
        for path in changed:
            for each in loaded(self._after, path):
                if each.identity not in known:
                    yield from self._judged(each, path)
            if path.endswith(SCRIPT_SUFFIXES):
                yield from plugins(path, self._after, self._change)
                yield from self._imported(path) if _OF_TESTS.search(path) else ()

    def _imported(self, path: str) -> Iterator[Hit]:
        """What configuration that is code loads itself: `reporters: [new Quiet()]`."""
        data, old = (side.bytes(path) or b"" for side in (self._after, self._before))
        for match in IMPORTS.finditer(data):
            name = match[1].decode("utf-8", "replace")
            to = resolve(self._after.paths, path, name, SUFFIXES) if name.startswith(".") else None
            if to is None or match[1] in old or not (taken := taken_over(to, self._change)):
                continue
            line, text = data[: match.start()].count(b"\n") + 1, match[0].decode("utf-8", "replace")
            yield hit_at(taken[0].rule, path, line, f"loads {to}", text, key=text)
            yield from brought(taken, self._change)

    @cached_property
    def _led(self) -> list[Mapping]:
        """The mappings of the base."""
        return [
            each.mapping(path)
            for path in configs(self._before)
            for each in loaded(self._before, path)
            if each.setting in (*MAPPED, *NAMED)
        ]

    def _judged(self, loaded: Loaded, path: str) -> Iterator[Hit]:
        if loaded.setting in (*MAPPED, *NAMED):
            yield from self._mapped(loaded, path)
            return
        to = target(loaded.value, path, self._after)
        if to is None:
            return
        if loaded.setting in RUN:
            yield from self._at_both("js.runner-replaced", loaded, path, to)
        elif (loaded.setting == "resolver" and _pretends(to, self._after)) or (
            loaded.setting == "transform" and _edits_one(loaded.key, to, self._after)
        ):
            yield from self._at_both("js.subject-mapped", loaded, path, to)
        else:
            if loaded.setting == "transform" and not ASSET.search(loaded.key):
                yield from _transform(to, self._change)
            taken = taken_over(to, self._change)
            yield _hit(taken[0].rule if taken else "js.runner-loads", loaded, path)
            yield from brought(taken, self._change)

    def _mapped(self, loaded: Loaded, path: str) -> Iterator[Hit]:
        mapping, side = loaded.mapping(path), self._after
        to = target(mapping.value, path, side)
        if loaded.setting in NAMED or not hides(mapping, to, side):
            to = takes_place(mapping, lambda: self._led, side, self._change)
            if to is None or (loaded.setting in NAMED and not (is_aside(to, path) or PRETENDS.search(to))):
                return
        yield from self._at_both("js.subject-mapped", loaded, path, to)

    def _at_both(self, rule: str, loaded: Loaded, path: str, to: str | None) -> Iterator[Hit]:
        """The finding where it is said, and once more where the change wrote what is loaded."""
        yield _hit(rule, loaded, path)
        if to is not None and any(file.path == to and file.status != "D" for file in self._change.files):
            yield hit_at(rule, to, 1, to, "")


def _edits_one(pattern: str, transform: str, side: Side) -> bool:
    """A transform for one module of the project puts other words for some of that module's."""
    if _ANY.search(pattern) or ASSET.search(pattern) or "node_modules" in pattern:
        return False
    names = [each for each in re.findall(r"[\w-]+", pattern.replace("\\", "")) if each not in ENDINGS]
    modules = [path for path in side.paths if names and is_module(path) and stem(path) == names[-1]]
    replaced = [match[2] for match in _REPLACED.finditer(side.text(transform) or "")]
    return any(word in (side.text(path) or "") for path in modules for word in replaced)


def _pretends(resolver: str, side: Side) -> bool:
    """It names a file of the project among fakes or mocks, or a copy of a module, which it gives for something else."""
    named = re.findall(r"[\"'`]([^\"'`\n]+)[\"'`]", side.text(resolver) or "")
    for each in named:
        to = target(each, resolver, side)
        if to is not None and (PRETENDS.search(each) or (ASIDE.search(to) and _has_twin(to, side))):
            return True
    return False


def _has_twin(path: str, side: Side) -> bool:
    return any(stem(each) == stem(path) and not ASIDE.search(each) and is_module(each) for each in side.paths)


def _transform(to: str, change: Change) -> Iterator[Hit]:
    data = change.blobs.after(to)
    language = language_of(to)
    if data is None or language is None:
        return
    found = code(Source(to, language, data))
    for node in found.names.of_types("pair", "method_definition", "assignment_expression", "function_declaration"):
        name = node.child_by_field_name("key") or node.child_by_field_name("name") or node.child_by_field_name("left")
        value = node.child_by_field_name("value") or node.child_by_field_name("right") or node
        if name is None or value.type not in FUNCTIONS or found.text(name).split(".")[-1] not in _PROCESS:
            continue
        if answers(found, value) and not ASSET.search(found.text(value)):
            yield found.source.hit("js.transform-answers", value, "transform without its source")


def _hit(rule: str, loaded: Loaded, path: str) -> Hit:
    key = f"{loaded.setting} {loaded.key} {loaded.value}".replace("  ", " ")
    line = loaded.node.line
    return Hit(
        rule=rule,
        path=loaded.node.path or path,
        line=line,
        column=max(loaded.node.column, min(line, 1)),
        key=key,
        snippet=key,
        detail=key,
    )
