"""Which tests pytest's options for every call name (`addopts = tests/test_a.py`), or ask for by a setting (`-o`)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ralph.guardrails.config.filters import no_fewer_tests
from ralph.guardrails.config.lattice import Check, Worse
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.options.harm import FILTERED
from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.texts import cut

VALUED = frozenset(names("-k -m -n -p -c -o -W -r --rootdir --basetemp --confcutdir --ignore --deselect --junitxml"))
"""Options whose value is the next word; a place of tests behind another long one is no value."""
FILE_NAMES = ("test_*.py", "*_test.py")
LISTS: Mapping[str, tuple[str, ...]] = {"testpaths": (), "python_files": FILE_NAMES}
PREFIXES = {"python_classes": "Test", "python_functions": "test"}
"""Where pytest looks for tests, and how they are called, if nothing else is said."""


def no_narrower_ini() -> Check:
    """Settings given as options: one by which fewer tests are found is no minor thing."""

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        old = {canonical(item) for item in (before.items if before else ())}
        for item in after.items if after else ():
            if canonical(item) not in old:
                narrower = _narrower(item, *canonical(item).partition("=")[::2], paths)
                yield Worse(node=item, text=f"is {cut(canonical(item), 100)}", minor=not narrower)

    return check


def _narrower(item: Node, name: str, value: str, paths: Sequence[str]) -> bool:
    if name in PREFIXES:
        return not collects(value.split(), PREFIXES[name])
    if name not in LISTS:
        return False
    wanted = item.with_value([item.with_value(word) for word in value.split()])
    return any(True for _ in no_fewer_tests(LISTS[name])(None, wanted, paths))


def collects(prefixes: Iterable[str], name: str) -> bool:
    """A prefix of names is as wide as it is short."""
    return any(name.startswith(prefix.rstrip("*").rstrip("_")) for prefix in prefixes)


def lost_tests(
    old: Sequence[str], new: Sequence[str], place: Node, paths: Sequence[str], usual: Sequence[str]
) -> Iterator[Loss]:
    """Tests that options for every call leave out by naming others.

    `old` and `new`: the words of the options; `place`: where they stand; `usual`: the places that hold without any.
    """
    folder = posixpath.dirname(place.path)
    own = [path.removeprefix(f"{folder}/") for path in paths if not folder or path.startswith(f"{folder}/")]
    was, now = (place.with_value([place.with_value(word) for word in _places(words, own)]) for words in (old, new))
    for worse in no_fewer_tests(usual)(was, now, own) if now.items and canonical(was) != canonical(now) else ():
        yield Loss(rule=FILTERED, key="pytest", text=worse.text, node=place, old=None)


def _places(words: Sequence[str], paths: Sequence[str]) -> Iterator[str]:
    """The words that name tests of the tree."""
    before = ""
    for word in words:
        plain = word.partition("::")[0].removeprefix("./").rstrip("/")
        held = any(is_test(path) and (path == plain or path.startswith(f"{plain}/")) for path in paths)
        if not word.startswith("-") and held and before not in VALUED:
            yield word
        before = word
