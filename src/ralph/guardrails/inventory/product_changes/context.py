"""What else a change does: a test may change with the product, and go with what it was about.

Product code is what is neither a document nor stands beside tests. A word is gone if the changed product files defined
it, or had it as a text of one word, and no longer do, unless they only call it otherwise now (`renamed`).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ralph.guardrails.golang.removed.gone import GoneFromGo
from ralph.guardrails.golang.removed.shims import gone_with
from ralph.guardrails.golang.removed.signatures import Signatures
from ralph.guardrails.inventory.equivalents.renamed_words import only_renamed
from ralph.guardrails.inventory.failures.answering import Answering
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Inventory, Test
from ralph.guardrails.inventory.product_changes import packages, raised_now
from ralph.guardrails.inventory.product_changes.concerned import given, is_test, may_notice
from ralph.guardrails.inventory.product_changes.defined import defined, items
from ralph.guardrails.inventory.product_changes.deprecated import of_deprecated, warning_less
from ralph.guardrails.inventory.product_changes.gone_from_ruby import GoneFromRuby
from ralph.guardrails.inventory.product_changes.no_longer_said import only_loses
from ralph.guardrails.inventory.product_changes.noticed import is_noticed
from ralph.guardrails.inventory.product_changes.operators import calls_without_name
from ralph.guardrails.inventory.product_changes.patched import patched_in
from ralph.guardrails.inventory.product_changes.renamed import Names
from ralph.guardrails.inventory.product_changes.routes import Routes
from ralph.guardrails.inventory.readers import Side, after, before, inventory, is_support
from ralph.guardrails.inventory.removed.file import given_away, is_given, named, own_files, taken_out
from ralph.guardrails.inventory.removed.package import of_gone_packages
from ralph.guardrails.inventory.removed.said import GoneTexts
from ralph.guardrails.inventory.texts.sentinels import is_sentinel
from ralph.guardrails.model import Change, FileChange
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.csharp.gone import GoneFromProduct
    from ralph.guardrails.jvm.gone import GoneMembers

MADE = later(
    r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|packages\.lock\.json|pnpm-lock\.ya?ml|go\.sum|gradle\.lockfile"
    r"|[\w.-]*\.lock)$|\.(?:min\.js|map)$"
)
"""What tools write: it defines nothing that a test could be about."""
NAMELESS = later(
    rb"(?:\bmodule\.exports\s*=|\bexport\s+default)\s*(?:async\b\s*)?(?:function\b\s*\*?\s*\(|class\b\s*(?:extends\b|\{)|\(|\w+\s*=>)"
)
"""A module that gives one thing without a name: who imports it calls it as the file is called."""
WORD = later(r"[A-Za-z_$][\w$]*")
IMPORTED = later(
    r"\b(?:const|let|var|import)\s+([A-Za-z_$][\w$]*)\s*(?:=\s*(?:await\s+import|require)\s*\(\s*|from\s*)[\"'](\.[^\"'\n]*)[\"']"
)
"""A name for a module, and where it is."""


class Context:
    """`sides` are the inventories of files with tests; the rest of the change is read when it is asked about."""

    def __init__(self, change: Change, sides: Mapping[str, tuple[Inventory, Inventory]]) -> None:
        self._change = change
        self._sides = sides
        self._noticed: dict[str, bool] = {}

    @cached_property
    def product_changed(self) -> bool:
        """Some test could notice it. What was there before is looked at first: what is gone from it tells at once."""
        return any(self._is_noticed(*each) for each in sorted(self._products, key=lambda each: not each[1]))

    @cached_property
    def _tests(self) -> list[bytes]:
        return [self._change.blobs.after(path) or b"" for path in self._sides]

    def _is_noticed(self, path: str, old: bytes, new: bytes) -> bool:
        if path not in self._noticed:
            self._noticed[path] = is_noticed(path, old, new, self._tests)
        return self._noticed[path]

    def base_of(self, path: str) -> Sequence[Test]:
        """The tests of a file before the change."""
        return self._sides[path][0].tests if path in self._sides else ()

    def concerns(self, test: Test) -> bool:
        """Product code changed that the test may notice: what it depends on, and anything that is no code."""
        sides = [each for each in self._sides.get(test.path, ()) if each.tests]  # a test that moved here has no base
        noticed = may_notice(sides, self._noticeable, self._change.blobs.paths_after())
        return noticed or packages.is_given_others(test, self._change)

    def concerned(self, test: Test) -> bool:
        """The same of a test of the base, which may be gone."""
        return may_notice(self._sides.get(test.path, ()), self._noticeable, self._change.blobs.paths_after())

    @cached_property
    def product_only_loses(self) -> bool:
        """Its code lost lines, and nothing came in their place."""
        return only_loses(self._change.files, self._products)

    def refuses(self, error: str) -> bool:
        """The product came to give this error, on a condition."""
        return raised_now.names(error, self._refusals)

    @cached_property
    def _refusals(self) -> tuple[str, ...]:
        return raised_now.refusals(self._products)

    @cached_property
    def _noticeable(self) -> list[str]:
        changed = [path for path, old, new in self._products if self._is_noticed(path, old, new)]
        return [*changed, *given(self._change, self._sides)] if changed else []

    @cached_property
    def answering(self) -> Answering:
        return Answering(self._change)

    @cached_property
    def gone(self) -> frozenset[str]:
        """What the product neither defines any more nor calls otherwise now."""
        return self._names.gone - self._names.renamed

    @cached_property
    def _names(self) -> Names:
        written = [each for each in self._products if not MADE.search(each[0])]
        paths, old, new = zip(*written, strict=True) if written else ((), (), ())
        stems = [posixpath.basename(path).partition(".")[0] for path in paths]
        gone, there = (
            {stem for stem, text in zip(stems, side, strict=True) if NAMELESS.search(text)} for side in (old, new)
        )
        were, are = defined(old), defined(new)
        return Names(old, new, were - are | (gone - there), are - were | (there - gone))

    @cached_property
    def warning_less(self) -> frozenset[str]:
        """What the product defines in files that warn less often that something is deprecated."""
        return warning_less((old, new) for _, old, new in self._products)

    def is_about_gone(self, test: Test) -> bool:
        """It names something that the product no longer defines, or calls it by an operator; or all that it asks is
        asked of something deprecated that is gone."""
        facts, gone = test.facts(), self.gone
        if self._is_asked_by_new_names(test):
            return True
        felt = [check for check in facts.checks if check.grade]
        if felt and len(of_deprecated(felt, self.warning_less)) == len(felt):
            return True
        if self.names_gone(test) or self.routes.are_asked_by(test) or is_given(test, self._given_away):
            return True
        if gone and (test.path in self._files_of_gone or patched_in(facts.body) & gone):
            return True
        if self._names_of_gone(test.path) & frozenset(WORD.findall(facts.body)):
            return True
        if self._types is not None and test.path.endswith(".cs") and self._types.is_about(test):
            return True
        if test.path.endswith(".go") and self._gone_from_go.was_asked_by(test):
            return True
        if test.path.endswith(".rb") and self._gone_from_ruby.was_asked_by(test):
            return True
        return calls_without_name(test, gone) or self.texts.are_asked_by(test)

    @cached_property
    def texts(self) -> GoneTexts:
        return GoneTexts(self._change.files, self._products, self.gone, self._tests)

    def _is_asked_by_new_names(self, test: Test) -> bool:
        """A test of the head says the same of what has another name now."""
        names = self._names
        return bool(names.renamed & test.facts().words) and names.by_old(test.facts().body) in self._said_by_new_names

    @cached_property
    def _said_by_new_names(self) -> frozenset[str]:
        tests = (test for _, new in self._sides.values() for test in new.tests)
        return frozenset(self._names.by_new(test.facts().body) for test in tests)

    def asking_for_gone(self, checks: Sequence[Check], pair: Pair) -> Iterator[Check]:
        """The assertions that name something that the product no longer has, or gives."""
        if pair.new.path.endswith(".go"):
            yield from self._signatures.leave_no(checks, pair)
        elif pair.new.path.endswith(".cs") and self._types is not None:
            yield from filter(self._types.names_it, checks)

    @cached_property
    def _gone_from_go(self) -> GoneFromGo:
        return GoneFromGo(self._products)

    @cached_property
    def _gone_from_ruby(self) -> GoneFromRuby:
        return GoneFromRuby(self._products)

    @cached_property
    def _signatures(self) -> Signatures:
        return Signatures(self._change, self._products)

    @cached_property
    def _types(self) -> GoneFromProduct | None:
        if not any(file.path.endswith(".cs") for file in self._change.files):
            return None
        from ralph.guardrails.csharp.gone import GoneFromProduct

        return GoneFromProduct(self._change, self._products)

    def names_gone(self, test: Test) -> bool:
        if (named(test) | test.facts().stands_for) & (self.gone | self._gone_shims):
            return True
        return self._members.are_named_by(test)

    @cached_property
    def _gone_shims(self) -> frozenset[str]:
        return gone_with(self._change, self.gone)

    def holds_text(self, old: Check, new: Check) -> bool:
        """What is wanted now is the product's own name for the text that was."""
        return is_sentinel(old, new, self._products)

    def only_renamed(self, old: Check, new: Check, test: Test) -> bool:
        """The question is about what the file of the test calls otherwise now."""
        texts = [
            (read(test.path) or b"").decode("utf-8", "replace")
            for read in (self._change.blobs.before, self._change.blobs.after)
        ]
        return only_renamed(old, new, test, self.base_of(test.path), (texts[0], texts[1]))

    @cached_property
    def routes(self) -> Routes:
        return Routes(self._products)

    @cached_property
    def _members(self) -> GoneMembers:
        from ralph.guardrails.jvm.gone import GoneMembers

        return GoneMembers(self._change, self._products)

    @cached_property
    def _files_of_gone(self) -> set[str]:
        files = own_files(self._change, self.gone, defined) | taken_out(self._change, self._own_products(), self.gone)
        packages = of_gone_packages(self._change)
        return files | {path for path in self._sides if packages and path.startswith(packages)}

    def _own_products(self) -> Iterator[tuple[str, frozenset[str]]]:
        """What the product's part of each file with tests defined, with and without what is inside of functions."""
        parts = ((path, old) for path, old, _ in self._products if path in self._sides and old)
        yield from ((path, names) for path, old in parts for names in (defined([old]), items(old)))

    @cached_property
    def _given_away(self) -> frozenset[str]:
        return given_away(self._change, self.gone)

    @cached_property
    def _nameless(self) -> frozenset[str]:
        """Modules that are deleted and gave one thing without a name, without their suffixes."""
        files, blobs = self._change.files, self._change.blobs
        moved = {posixpath.basename(file.path) for file in files if file.status == "A"}
        deleted = (
            file.path
            for file in files
            if file.status == "D" and not is_support(file.path) and posixpath.basename(file.path) not in moved
        )
        return frozenset(posixpath.splitext(path)[0] for path in deleted if NAMELESS.search(blobs.before(path) or b""))

    def _names_of_gone(self, path: str) -> frozenset[str]:
        """What a file of tests called what such a module gave."""
        if not self._nameless:
            return frozenset()
        folder, found = posixpath.dirname(path), set()
        for name, specifier in IMPORTED.findall((self._change.blobs.before(path) or b"").decode("utf-8", "replace")):
            module = posixpath.normpath(posixpath.join(folder, specifier))
            if module in self._nameless or posixpath.splitext(module)[0] in self._nameless:
                found.add(name)
        return frozenset(found)

    @cached_property
    def _products(self) -> list[tuple[str, bytes, bytes]]:
        """The path of each file of the change, and what of it is the product's on both sides."""
        return [(file.path, *self._product(file)) for file in self._change.files]

    def _product(self, file: FileChange) -> tuple[bytes, bytes]:
        if file.path in self._sides:
            old, new = self._sides[file.path]
            return old.product, new.product
        if is_support(file.path) or is_test(file, self._change):
            return b"", b""
        return _read(file, before(self._change)), _read(file, after(self._change))


def _read(file: FileChange, side: Side) -> bytes:
    return side.read(file.path) or b""


Sides = dict[str, tuple[Inventory, Inventory]]


def sides_of(change: Change, files: Iterable[FileChange], known: Sides | None = None) -> Sides:
    """Both sides of each file with tests; of those that are known, they are not read again."""
    old, new = before(change), after(change)
    return {
        file.path: (known or {}).get(file.path) or (inventory(file, change, old), inventory(file, change, new))
        for file in files
    }
