"""What it means that fewer tests run: checks of the lattice for filters, excluded tests and lists of where tests are.

A pattern that leaves out build output or documentation is minor; one that leaves out tests, or what nothing in the tree
answers to, is not. A value that only running could tell is shown as such.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial

from ralph.guardrails.config.lattice import Check, Worse, words
from ralph.guardrails.config.node import Node, Opaque, canonical, names, occurrences
from ralph.guardrails.config.patterns import COSTLY, covers, is_output, is_test, lies_in, spelled_out
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

UNKNOWN = later(r"\$|\{\{|\{pos")
NO_PRODUCT = later(
    r"(?i)(?:^|[/@!_-])(?:docs?|web-?site|examples?|playgrounds?|storybook|bench\w*|e2e|demos?)(?:$|[/_-])"
)
"""Packages of a workspace that are none of the product, or have checks of another kind."""
AS_GLOB = later(r"(?<![.)\]}])(?<!\\[A-Za-z])\*(?!\()")
HARMLESS_PLUGINS = frozenset(("cacheprovider", "sugar", "pretty", "legacypath", "nose", "randomly", "xdist"))
SHOWN = frozenset(("default", "always", "all", "module", "once"))
"""What only shows a warning."""
STAND_INS = names("a.test.js src/a.test.ts src/a.spec.js tests/a.test.ts src/__tests__/a.js")
"""Where tests of JavaScript usually are, for a tree of which none is known."""
EVERYTHING = frozenset((".", "./", "", "*", "**", "<rootDir>", "<rootDir>/", "**/*", "./..."))
LEAVES_OUT = "leaves out"
"""How a finding about a list of tests that are left out begins."""


def filtered() -> Check:
    """A filter that lets only some tests run. Fewer of the old one's conditions are a wider filter."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old = {term for item in occurrences(before) for term in _terms(canonical(item))}
        for item in occurrences(after):
            text = canonical(item)
            if item.value in (None, False, "", "false") or (old and _terms(text) <= old):
                continue
            yield Worse(node=item, text=f"is {cut(text, 100)}", unreadable=_unknown(item))

    return check


def chosen() -> Check:
    """A choice of environments or sessions: none is all of them, fewer are fewer; a person judges what is unknown."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old, new = ({canonical(item) for item in words(node)} for node in (before, after))
        if new and new != old and not (old and old < new):
            unknown = any(UNKNOWN.search(name) for name in new)
            minor = unknown or not (not old or new < old)
            yield Worse(node=after, text=f"is {cut(', '.join(sorted(new)), 100)}", minor=minor)

    return check


def taken_out() -> Check:
    """Packages of a workspace: one that is left out by its name (`!web`) is no longer looked at; which ones a choice
    holds only running could tell, or other runs hold the rest."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old, new = ([canonical(item) for item in words(node)] for node in (before, after))
        left_out = [name for name in new if name not in old and name.startswith("!")]
        left_out = [name for name in left_out if not UNKNOWN.search(name) and not NO_PRODUCT.search(name)]
        if new and new != old:
            told = left_out or new
            yield Worse(node=after, text=f"is {cut(', '.join(told), 100)}", minor=not left_out)

    return check


def picked() -> Check:
    """Names of packages or files of tests: none is all of them, more are more, and a pattern holds what it fits."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old, new = ([canonical(item) for item in words(node)] for node in (before, after))
        lost = [name for name in old if not any(fnmatchcase(name, each) for each in new)]
        if after is not None and new and (lost or not old):
            unknown = any(_unknown(item) for item in words(after))
            text = f"loses {', '.join(lost)}" if set(new) < set(old) else f"is {', '.join(new)}"
            yield Worse(node=after, text=cut(text, 100), unreadable=unknown)

    return check


def no_fewer_features() -> Check:
    """Parts of a program that are built with it, and tested: none is the usual ones."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old, new = (
            {name for item in occurrences(node) for name in re.findall(r"[^,\s]+", canonical(item))}
            for node in (before, after)
        )
        yield from (Worse(node=after, text=f"loses {name}") for name in sorted(old - new))

    return check


def no_more_tests() -> Check:
    """A list of tests or folders that are left out, which must not grow."""

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        old = [canonical(item) for item in words(before)]
        for item in words(after):
            name = canonical(item)
            if name in old or any(_inside(name, wide) for wide in old):
                continue
            text = f"{LEAVES_OUT} {cut(name, 100)}"
            yield Worse(node=item, text=text, minor=_is_minor(name, paths), unreadable=_unknown(item))

    return check


def no_fewer_tests(default: Iterable[str] = (), *, folders: bool = False, regex: bool = False) -> Check:
    """A list of places or names of tests: what it held it must still hold, of the tests that the tree has.

    `default` is what holds without the setting; empty means everything. `folders`: seen from the unit's own folder.
    `regex`: the names may be regular expressions. Read as one, `test_*.py` would hold `a_test.py`.
    """
    standard = tuple(default)
    holds = _below if folders else partial(is_held, regex=regex)

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        old = [canonical(item) for item in words(before)] or list(standard)
        new = [canonical(item) for item in words(after)] or list(standard)
        if after is not None and any(_unknown(item) for item in words(after)) and old != new:
            yield Worse(node=after, text="changes to what only running could tell", unreadable=True)
            return
        gains = old and _all_kept(old, new) and not any(name.startswith("!") for name in set(new) - set(old))
        if not new or gains or EVERYTHING & set(new):
            return
        tests = [path for path in paths if is_test(path)]
        held = [path for path in tests if not old or holds(old, path)]
        lost = [path for path in held if not holds(new, path)]
        gone = [name for name in old if name not in new]
        if folders and not held and any(holds(new, path) for path in tests):
            return  # the folders moved, with all that they held
        if lost or not held:
            what = f"no longer holds {lost[0]}" if lost else f"loses {', '.join(gone)}" if gone else "holds less"
            usual = before is None and not tests and holds(standard, STAND_INS[0])
            usual = usual and not any(holds(new, name) for name in STAND_INS)
            unclear = not held and not usual and not all(_names_one(name) for name in new)
            yield Worse(node=after, text=what, unreadable=unclear)

    return check


def at_most_few(few: int) -> Check:
    """A number of repetitions that must not rise; up to `few` is minor."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = _largest(before), _largest(after)
        if after is not None and now > was:
            plain = re.fullmatch(r"\s*\d+\s*", canonical(after)) is not None
            yield Worse(
                node=after,
                text=f"rises from {was} to {cut(canonical(after), 80)}",
                minor=now <= few or (not plain and now <= few + 1),
                was=was,
                now=now,
            )

    return check


def no_check_off() -> Check:
    """A list of checks, in which `-SA1000` takes one away: it must not take away more, nor name fewer."""

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        old, new = ({canonical(item) for item in words(node)} for node in (before, after))
        off = sorted(name for name in new - old if name.startswith("-"))
        if after is not None and off:
            yield Worse(node=after, text=f"leaves out {', '.join(off)}")
        elif after is not None and not any(name in new for name in ("all", "inherit", "*")) and new != old:
            yield Worse(node=after, text=f"is {', '.join(sorted(new))}")

    return check


def not_local() -> Check:
    """A module that must not become one of the project's own, which is no runner that anybody else looks after."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (canonical(node) if node else "" for node in (before, after))
        if now != was and re.match(r"\.{0,2}/|<rootDir>", now):
            yield Worse(node=after, text=f"is {cut(now, 100)}")

    return check


def no_plugins_off() -> Check:
    """Plugins of pytest that are blocked or loaded, but for well-known ones and those that decide about looks."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old = {canonical(item) for item in occurrences(before)}
        for item in occurrences(after):
            name = canonical(item)
            known = name.removeprefix("no:") in HARMLESS_PLUGINS or name.startswith(("pytest_", "xdist"))
            if name not in old and not known:
                yield Worse(node=item, text=f"is {cut(name, 100)}")

    return check


def _largest(node: Node | None) -> int:
    """The largest number that a value holds: `process.env.CI ? 2 : 0` may be 2."""
    if node is None or node.value in (None, False):
        return 0
    if node.value is True:
        return 1
    text = node.value.text if isinstance(node.value, Opaque) else canonical(node)
    return max((int(found) for found in re.findall(r"(?<![\w.])\d{1,6}", text)), default=0)


def _terms(text: str) -> frozenset[str]:
    return frozenset(part.strip("() \"'") for part in re.split(r"\band\b|&&?", text) if part.strip("() \"'"))


def _unknown(node: Node) -> bool:
    return isinstance(node.value, Opaque) or bool(UNKNOWN.search(canonical(node).removesuffix("$")))


def _is_minor(name: str, paths: Sequence[str]) -> bool:
    if not re.search(r"\w", name) or re.search(COSTLY, name):
        return False
    if any(is_test(path) and not is_output(path) and covers(name, path) for path in paths):
        return False
    return is_output(name)


def _inside(name: str, wide: str) -> bool:
    return wide not in EVERYTHING and lies_in(name, wide)


def _all_kept(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whatever the tree has: each of the old places is among the new ones, or lies in one of them."""
    return all(name in new or any(_lies_in(name.strip("/"), wide.strip("/")) for wide in new) for name in old)


def _lies_in(name: str, wide: str) -> bool:
    if "*" not in wide:
        return name.startswith(f"{wide}/")
    deep = name.count("/") != wide.count("/")
    return not deep and not re.search(r"[\[{(?!]", name + wide) and fnmatchcase(name, wide)


def is_held(patterns: Sequence[str], path: str, *, regex: bool) -> bool:
    """`regex`: the patterns may be regular expressions."""
    left_out = (pattern[1:] for pattern in patterns if pattern.startswith("!") and not pattern.startswith("!("))
    if any(covers(spelled_out(pattern), path, regex=False) for pattern in left_out):
        return False
    return any(
        pattern in EVERYTHING or covers(spelled_out(pattern), path, regex=regex and not _is_glob(pattern))
        for pattern in patterns
        if not pattern.startswith("!")
    )


def _below(folders: Sequence[str], path: str) -> bool:
    """The path lies in one of these folders; what leads out of the unit's own folder is not known, and may hold it."""
    for folder in folders:
        place = posixpath.normpath(folder.replace("<rootDir>", ".").lstrip("/") or ".")
        if place == "." or place.startswith("..") or path == place or path.startswith(f"{place}/"):
            return True
        if re.search(r"[*?\[{$]", place) and covers(place, path, regex=False):
            return True
    return False


def _names_one(pattern: str) -> bool:
    """True for a pattern whose last part is one name."""
    return not re.search(r"[*?\[{(|+]", pattern.rstrip("/").rpartition("/")[2])


def _is_glob(pattern: str) -> bool:
    """A star behind a plain letter, or behind nothing, repeats nothing that a regular expression would repeat."""
    return AS_GLOB.search(pattern) is not None


def no_more_ignored() -> Check:
    """pytest's warning filters: one that ignores takes something away, unless all others are errors from now on.
    So does one that only shows all warnings, behind one that made them errors: the last one counts."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old, new = ({canonical(item): item for item in words(node)} for node in (before, after))
        stricter = any(name.startswith("error") for name in new.keys() - old.keys())
        errors = any(name.startswith("error") for name in old)
        milder = [name for name in new if name.startswith("ignore") or (errors and name.strip(":") in SHOWN)]
        for name in [] if stricter else [name for name in milder if name not in old]:
            yield Worse(node=new[name], text=f"gains {name}")

    return check
