"""What takes the place of a test's subject, seen from both sides of a change (policy set v2, class G06).

Rules:

- A name that a test file imported from the project and whose answers its tests compare, and that the file now defines
  itself without the module's help, blocks: the test checks its own code.
- So does a function of that name within a test.
- So does one that now comes from a file among tests, fakes or mocks, while the module it came from is still there.
- A manual mock (`__mocks__/total.js`) that the change brings, for a subject that a test of the change mocks, blocks.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side as ConfigSide
from ralph.guardrails.config.side import resolve
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.doubles.asserted import Asserted
from ralph.guardrails.javascript.doubles.mocks import FAKED, SUFFIXES, Doubles
from ralph.guardrails.javascript.files import Side, Sides
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, Binding, unwrapped
from ralph.guardrails.javascript.syntax.origins import LOCAL_MODULE
from ralph.guardrails.javascript.words import A_TEST_FRAMEWORK
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.prefilter import prefilter
from ralph.system.patterns import later

WORDS = (
    r"\bimport\b|\brequire\s*\(|mock",
    r"\b(?:const|let|var)\s+\w+\s*(?::[^=\n]+)?=\s*(?:async\s*)?(?:\(|function|\w+\s*=>)|\bfunction\s+\w",
)

_PRETENDS = later(
    r"(?i)(?:^|[/._-])(?:__mocks__|mocks?|fakes?|stubs?|doubles?|fixtures?|dummy|testdata|testing|test[-_]?(?:utils?|kit)|spec|tests?)(?:[/._-]|$)"
)


def replaced(change: Change, files: Sequence[Sides]) -> Iterator[Hit]:
    for sides in files:
        head = _code(sides.after) if _may_matter(sides) else None
        if head is None or not head.cases.are_tests:
            continue
        base = _code(sides.before)
        if base is not None:
            compared = _Compared(change, sides, base, head)
            yield from compared.hits()
            yield from compared.shadowed()
        yield from _manual(change, sides, head)


def _may_matter(sides: Sides) -> bool:
    """A new file has nothing that was there before; it may still mock."""
    head = sides.after.normal
    return prefilter(A_TEST_FRAMEWORK).matches(head) and (bool(sides.before.sources) or b"mock" in head.lower())


def _code(side: Side) -> Code | None:
    return code(side.sources[0]) if len(side.sources) == 1 else None


class _Compared:
    def __init__(self, change: Change, sides: Sides, base: Code, head: Code) -> None:
        self._change, self._sides, self._base, self._head = change, sides, base, head

    def hits(self) -> Iterator[Hit]:
        before, after = self._base.names.outermost, self._head.names.outermost
        moved = [name for name in sorted(before.keys() & after.keys()) if self._has_moved(before[name], after[name])]
        compared = {self._base.text(callee).split(".")[0] for callee in Asserted(self._base).callees} if moved else ()
        for name in (name for name in moved if name in compared):
            old, new = self._base.origins.bound(before[name]) or ("",), self._head.origins.bound(after[name])
            if new is None and self._is_own(after[name]):
                yield self._hit(name, after[name], "the test file now defines it")
            elif new is not None and new[0] != old[0] and self._pretends(old[0], new[0]):
                yield self._hit(name, after[name], f"it now comes from {new[0]}")

    def shadowed(self) -> Iterator[Hit]:
        """A function of a test has the name of what the test compared before."""
        outermost = self._head.names.outermost
        for callee in Asserted(self._head).callees:
            name = self._head.text(callee)
            binding = self._head.names.binding(callee) if callee.type == "identifier" else None
            old = self._base.names.outermost.get(name)
            if binding is None or old is None or binding is outermost.get(name):
                continue
            origin = self._base.origins.bound(old)
            if origin is not None and LOCAL_MODULE.match(origin[0]) and self._is_own(binding):
                yield self._hit(name, binding, "the test now defines it")
                return

    def _has_moved(self, old: Binding, new: Binding) -> bool:
        """It came from the project, and now comes from somewhere else."""
        origin = self._base.origins.bound(old)
        return (
            origin is not None
            and LOCAL_MODULE.match(origin[0]) is not None
            and (self._head.origins.bound(new) != origin)
        )

    def _is_own(self, binding: Binding) -> bool:
        """A function of the file that has nothing from the project in it."""
        value = unwrapped(binding.value)
        if value is None or value.type not in (*FUNCTIONS, "class", "class_declaration"):
            return False
        for node in self._head.source.walk(value):
            if node.type in ("identifier", "call_expression"):
                path = self._head.origins.of(node)
                if path is not None and LOCAL_MODULE.match(path[0]):
                    return False
        return True

    def _pretends(self, old: str, new: str) -> bool:
        if old.startswith("#") and new.startswith("."):
            led = _led_to(old, self._change)
            if led is not None and led == resolve(self._change.blobs.paths_after(), self._sides.path, new, SUFFIXES):
                return False
        if not new.startswith(".") or not old.startswith("."):
            return bool(_PRETENDS.search(new)) and not _PRETENDS.search(old)
        paths = self._change.blobs.paths_after()
        still = resolve(paths, self._sides.path, old, SUFFIXES)
        target = resolve(paths, self._sides.path, new, SUFFIXES)
        if still is None or target is None or still == target:
            return False
        folder = posixpath.dirname(still)
        return bool(_PRETENDS.search(target)) and not _PRETENDS.search(posixpath.relpath(still, folder))

    def _hit(self, name: str, binding: Binding, why: str) -> Hit:
        place = binding.value or self._head.source.tree.root_node
        hit = self._head.source.hit(FAKED, place, f"{name} replaced", detail=f"{name}: {why}")
        return self._sides.after.in_git_lines(hit)


def _led_to(name: str, change: Change) -> str | None:
    """The file that a name stands for in every package of the base that gives it one (`imports`)."""
    side = ConfigSide(change.blobs.before, change.blobs.paths_before())
    found = set()
    for path in side.by_name.get("package.json", ()):
        if name.encode() in (change.blobs.before(path) or b"") and (node := side.node(path)) is not None:
            value = node.at("imports", name)
            if value is not None:
                found.add(resolve(side.paths, path, canonical(value), SUFFIXES) if value.text[:1] == "." else None)
    return found.pop() if len(found) == 1 else None


def _manual(change: Change, sides: Sides, head: Code) -> Iterator[Hit]:
    for module in Doubles(head).automocked():
        if not module.startswith("."):
            continue
        base = posixpath.normpath(posixpath.join(posixpath.dirname(sides.path), module))
        folder, name = posixpath.split(base)
        wanted = posixpath.join(folder, "__mocks__", name.split(".")[0])
        for file in change.files:
            if file.status != "D" and posixpath.splitext(file.path)[0] == wanted:
                first = next((line for hunk in file.hunks for line in hunk.added), b"").decode("utf-8", "replace")
                detail = f"{sides.path} tests {module}, and mocks it"
                yield hit_at(FAKED, file.path, 1, detail, first.strip(), key=f"manual mock of {module}")
