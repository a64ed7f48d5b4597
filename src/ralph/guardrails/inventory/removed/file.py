"""Tests that go with what they are about, though they do not name it (policy set v2, class G04).

Rules:

- A file of tests goes with the file of the product that it is called after (`user_spec.rb`, `user.rb`), where both are
  deleted, no other file of the head has that name, and most of what the product's file defined is defined nowhere in
  the change any more, or some of it is not, and no other file of the product came to define the rest, which others had
  as well before: it was taken out, and did not move. Requests to a controller of Rails are tested under its name
  without that word.
- Tests that stand in a file of the product, as in Rust, go with that file in the same way.
- A test names what the file names that it is given (`run("rows.fixture.js")`), where that file is deleted with it.
- In Ruby a text of one word and a symbol are names like others, and `ready?` is what `def ready?` defines.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change
from ralph.system.patterns import later

AFFIX = later(r"(?i)^(?:test|spec)[-_.]|[-_.]?(?:tests?|specs?)$")
"""What the name of a file of tests has more than that of what it is about."""
WORD = later(r":?[\"']?([A-Za-z_][\w-]*)[\"']?")

NAMES = later(r"[A-Za-z_]\w*")
QUOTES = "'\"`"


def own_files(change: Change, gone: frozenset[str], defined: Callable[[Iterable[bytes]], frozenset[str]]) -> set[str]:
    """The deleted files of tests whose own file of the product is taken out."""
    deleted = [file.path for file in change.files if file.status == "D"]
    tests = [path for path in deleted if is_support(path)]
    if not tests:
        return set()
    left = {_name(path) for path in change.blobs.paths_after() if not is_support(path)}
    products = (path for path in deleted if not is_support(path))
    taken = {_name(path) for path in _taken(products, change, gone, defined)}
    return {path for path in tests if _about(path) in taken - left}


def taken_out(change: Change, products: Iterable[tuple[str, frozenset[str]]], gone: frozenset[str]) -> set[str]:
    """The deleted files with tests of which most of what the product had there is gone."""
    deleted = {file.path for file in change.files if file.status == "D"}
    return {path for path, names in products if path in deleted and 2 * len(names & gone) > len(names)}


def is_given(test: Test, names: frozenset[str]) -> bool:
    """One of its texts is such a name."""
    return (
        any(posixpath.basename(literal.strip(QUOTES)) in names for literal in test.facts().literals) if names else False
    )


def named(test: Test) -> frozenset[str]:
    """What a test names."""
    facts = test.facts()
    if not test.path.endswith(".rb"):
        return facts.words
    texts = (WORD.fullmatch(literal) for literal in facts.literals)
    return facts.words | {word.rstrip("?!") for word in facts.words} | {text[1] for text in texts if text is not None}


def given_away(change: Change, gone: frozenset[str]) -> frozenset[str]:
    """The names of deleted files beside tests that name something that is gone."""
    beside = (file.path for file in change.files if file.status == "D" and is_support(file.path))
    texts = ((posixpath.basename(path), change.blobs.before(path) or b"") for path in beside if gone)
    return frozenset(
        name for name, text in texts if not gone.isdisjoint(NAMES.findall(text.decode("utf-8", "replace")))
    )


def _taken(
    paths: Iterable[str], change: Change, gone: frozenset[str], defined: Callable[[Iterable[bytes]], frozenset[str]]
) -> set[str]:
    """Those of these files whose code is nowhere now."""
    names = {path: defined([change.blobs.before(path) or b""]) for path in paths}
    mostly = {path for path, own in names.items() if 2 * len(own & gone) > len(own)}
    partly = {path: _names(own) for path, own in names.items() if path not in mostly and _names(own & gone)}
    came = _came(change, defined) if partly else frozenset()
    return mostly | {path for path, own in partly.items() if came.isdisjoint(own)}


def _names(defined: Iterable[str]) -> frozenset[str]:
    """Without texts, as those of imports, that are no names."""
    return frozenset(each for each in defined if each.isidentifier())


def _came(change: Change, defined: Callable[[Iterable[bytes]], frozenset[str]]) -> frozenset[str]:
    """What files of the product define that did not define it before."""
    found: set[str] = set()
    for file in change.files:
        if file.status != "D" and language_of(file.path) and not is_support(file.path):
            old, new = (defined([read(file.path) or b""]) for read in (change.blobs.before, change.blobs.after))
            found |= new - old
    return frozenset(found)


def _name(path: str) -> tuple[str, str]:
    stem, suffix = posixpath.splitext(posixpath.basename(path))
    return stem.removesuffix("_controller") if "app/controllers/" in path else stem, suffix


def _about(path: str) -> tuple[str, str]:
    """The name of what a file of tests is about."""
    stem, suffix = _name(path)
    return AFFIX.sub("", stem), suffix
