"""Tests that the change takes out of the run, or puts alone into it (spec: governance engine 1.4; classes G02 and G03).

Both sides are compared, because what a skip means depends on the test before the change:

1. A test that ran at the base and does not run now is blocked, whether it kept its title or not: a skipped test in a
   file that lost another one counts as that one renamed.
2. A test that is new and arrives skipped takes nothing away: shown. So is a skip whose condition is about the platform,
   unless it holds on every platform, or for every engine that the project tests with.
3. A test or suite that was skipped before may move, get another suite around it, or another title for the same code;
   what a title puts in (`${zone}`) is a place in it, however it is written. So may one under the same condition whose
   title only got longer, where no other test is gone.
4. A focus (`only`) silences every other test, old or new: blocked; as an option, which runners refuse or want a flag
   for, shown, unless the project's commands give it.
5. A skip on a platform, or under a condition that nobody knows, answers for none that holds always.
6. A test defined behind a constant or an opt-in variable counts as skipped; behind another condition it is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from ralph.guardrails.compare import new_hits
from ralph.guardrails.javascript.code import Code, code, may_use_tests
from ralph.guardrails.javascript.collected.cases import Case
from ralph.guardrails.javascript.failures.wrappers import CALLERS, MOST_CALLERS
from ralph.guardrails.javascript.files import Side, Sides
from ralph.guardrails.javascript.skipped import everywhere
from ralph.guardrails.javascript.skipped.offs import Definitions, Off
from ralph.guardrails.javascript.skipped.values import Values
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.constants import Verdict
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.javascript.words import MODIFIER_WORDS
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.record import field, record, replace
from ralph.system.patterns import later

Title = tuple[str, ...]
HOOK = later(rb"\b(?:before(?:Each|All)?|mochaHooks)\b[\s\S]*\bskip\b")
"""A file without tests may have hooks that skip those of others."""
MATCHING = "js.test-skip"
"""One rule for all while the sides are compared; `_rule` says what a new one is called."""
WHEN = {Verdict.PLATFORM: ("platform",), Verdict.UNKNOWN: ("platform", "unknown")}
"""When a skip holds that does not always do so: the scope of its hit."""
_TEXT = later(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`")
_PLACE = later(r"\$\{[^{}]*\}")


@record(frozen=False)
class Inventory:
    """The tests of one side of one file."""

    path: str
    running: set[Title] = field(default_factory=set)
    known: set[Title] = field(default_factory=set)
    """Titles of all tests, running or not, and of all suites."""
    offs: list[tuple[Hit, Off, frozenset[Title]]] = field(default_factory=list)
    """What is off, and the titles of the tests that it covers."""


def skipped(change: Change, files: Sequence[Sides], tests: Callable[[], Iterable[Sides]]) -> Iterator[Hit]:
    """`files` are those with a word that matters; `tests` gives every changed file that may hold tests."""
    engines = cache(lambda: everywhere.engines(change))
    after = [_inventory(sides.path, sides.after, engines) for sides in files]
    if any(inventory.offs for inventory in after):
        off = [sides for sides, inventory in zip(files, after, strict=True) if inventory.offs]
        known = {sides.path: _inventory(sides.path, sides.before, engines) for sides in off}
        if not Counter(map(_same, dict.fromkeys(_hits(after)))) - Counter(map(_same, _hits(known.values()))):
            return  # each was off in its file: nobody has to read the others
        before = [known.get(sides.path) or _inventory(sides.path, sides.before, engines) for sides in files]
        if not new_hits(_hits(before), list(dict.fromkeys(_hits(after))), change.files):
            return
        read = {sides.path for sides in files}
        others = [sides for sides in tests() if sides.path not in read]
        before += [_inventory(sides.path, sides.before, engines) for sides in others]
        if any(inventory.known or inventory.offs for inventory in before):  # else there is nothing that may have moved
            after += [_inventory(sides.path, sides.after, engines) for sides in others]
        yield from _new(change, before, after)


def _same(hit: Hit) -> tuple[object, ...]:
    """What a hit has in common with the one that it was before the change."""
    return (hit.path, hit.rule, hit.key, hit.scope)


def _hits(inventories: Iterable[Inventory]) -> list[Hit]:
    return [hit for inventory in inventories for hit, _, _ in inventory.offs]


def _new(change: Change, before: Sequence[Inventory], after: Sequence[Inventory]) -> Iterator[Hit]:
    judged = {hit: (off, covered) for inventory in after for hit, off, covered in inventory.offs}
    was = {hit: off for inventory in before for hit, off, _ in inventory.offs}
    old = _hits(before)
    new = new_hits(old, list(judged), change.files)
    history = _History(before, after)
    alone = cache(lambda: _runs_focused(change))

    def alike(one: Hit, other: Hit) -> bool:
        return _body(was[one]) == _body(judged[other][0]) != b"" or (
            was[one].verdict is judged[other][0].verdict and history.is_told_more_of(one, other)
        )

    for hit in _not_moved(new, old, history, alike):
        off, covered = judged[hit]
        rule = history.rule(hit.path, off, covered)
        if rule == "js.test-focus-option" and alone():
            rule = "js.test-focus"
        if rule is not None:
            detail = "a modifier that cannot be read" if off.label == "?" else None
            yield replace(hit, rule=rule, detail=detail)


def _runs_focused(change: Change) -> bool:
    """The project's own commands want tests that ask to run alone, and no others."""
    callers = sorted(path for path in change.blobs.paths_after() if CALLERS.search(path))[:MOST_CALLERS]
    return any(b"--test-only" in (change.blobs.after(path) or b"") for path in callers)


class _History:
    """What the tests of the head were at the base."""

    def __init__(self, before: Sequence[Inventory], after: Sequence[Inventory]) -> None:
        self.known_before = {title for inventory in before for title in inventory.known}
        self.known_after = {title for inventory in after for title in inventory.known}
        self._ran = {title for inventory in before for title in inventory.running}
        self._gone = self._ran - self.known_after
        self._gone_names = {title[-1] for title in self._gone}
        self._files_with_loss = {inventory.path for inventory in before if inventory.running & self._gone}
        self._new_files = {inventory.path for inventory in after if inventory.running or inventory.known} - {
            inventory.path for inventory in before if inventory.running
        }

    def is_told_more_of(self, one: Hit, other: Hit) -> bool:
        """Under the same condition, a test that is called as one of the file was, with more words; all tests that are
        gone from the file are called so."""
        more = one.path == other.path and other.key.strip('"').startswith(one.key.strip('"'))
        same = _TEXT.sub("", one.snippet) == _TEXT.sub("", other.snippet)
        return more and same and self._gone <= {_title(one)}

    def rule(self, path: str, off: Off, covered: frozenset[Title]) -> str | None:
        if off.what == "focus-option":
            return "js.test-focus-option"
        if off.what == "focus":
            return "js.test-focus"
        ran = self._took_away(path, off, covered)
        if covered and not ran and covered <= self.known_before:
            return None  # off before in another way
        if off.verdict is Verdict.PLATFORM:
            return "js.test-skip-platform"
        if off.what == "condition" and off.verdict is Verdict.UNKNOWN:
            return "js.test-conditional" if ran else None
        return "js.test-skip" if ran else "js.test-skip-in-new-test"

    def _took_away(self, path: str, off: Off, covered: frozenset[Title]) -> bool:
        if path in self._files_with_loss:
            return True
        if not covered:
            return path not in self._new_files  # a file without tests of its own can only be about others
        return any(title in self._ran or title[-1] in self._gone_names for title in covered)


def _everywhere(off: Off, found: Code, engines: Callable[[], frozenset[str]]) -> Off:
    """A skip for platforms beside which there is no other is one for good."""
    if off.verdict is not Verdict.PLATFORM or off.condition is None:
        return off
    always = everywhere.Everywhere(found, engines()).holds(*off.condition)
    return replace(off, verdict=Verdict.OPT_IN) if always else off


def _inventory(path: str, side: Side, engines: Callable[[], frozenset[str]]) -> Inventory:
    found = Inventory(path)
    for source in side.sources:
        if not may_use_tests(source) and HOOK.search(source.data) is None:
            continue
        cases = code(source).cases
        defined = Definitions(cases)
        offs = list(defined.where_defined()) if cases.are_tests else []
        if prefilter(MODIFIER_WORDS).matches(source.data):
            offs += [*(defined.in_bodies() if cases.are_tests else defined.hooks()), *Values(cases).offs()]
        off_titles: set[Title] = set()
        for off in (_everywhere(off, code(source), engines) for off in offs):
            covered = frozenset(map(_named, _covered(off, cases.all)))
            found.offs.append((side.in_git_lines(_hit(source, off)), off, covered))
            if off.what in ("skip", "condition") and off.verdict is Verdict.OPT_IN:
                off_titles |= covered
        titles = {_named(case.title) for case in cases.all if case.kind == "test"}
        found.known |= {_named(case.title) for case in cases.all}
        found.running |= titles - off_titles
    return found


def _covered(off: Off, cases: Iterable[Case]) -> Iterator[Title]:
    """The tests that cannot run because of `off`."""
    if off.is_value:
        return
    for case in cases:
        if case.kind == "test" and (off.case is None or off.case.holds(case)):
            yield case.title
    if off.case is not None and off.case.kind == "test":
        yield off.case.title


def _hit(source: Source, off: Off) -> Hit:
    title = " > ".join(_named(off.case.title)) if off.case is not None else ""
    if off.is_value:
        title = f"value {source.text(off.node)}"
    label = off.label if off.what != "focus-option" else "only option"
    times = WHEN.get(off.verdict, ()) if off.what in ("skip", "condition") else ()
    return source.hit(MATCHING, off.node, f'{label} "{title}"', frozenset(f"{when} {title}" for when in times))


def _named(title: Title) -> Title:
    return tuple(_PLACE.sub("${}", part) for part in title)


def _body(off: Off) -> bytes:
    """The code of a test that is off, free of layout."""
    function = next((each for each in arguments(off.case.node) if each.type in FUNCTIONS), None) if off.case else None
    body = function.child_by_field_name("body") if function is not None else None
    return b"" if body is None or body.text is None else b"".join(body.text.split())


def _not_moved(
    new: Sequence[Hit], old: Sequence[Hit], history: _History, alike: Callable[[Hit, Hit], bool]
) -> Iterator[Hit]:
    """Without hits of tests that were off before, in a suite that now has another title, or under another one."""
    spare = [hit for hit in old if _title(hit) not in history.known_after]
    for hit in new:
        as_wide = [other for other in spare if _reaches_as_far(other, hit)]
        match = next((other for other in as_wide if _same_test(other, hit)), None)
        match = match or next((other for other in as_wide if _label(other) == _label(hit) and alike(other, hit)), None)
        if match is not None and _title(hit) not in history.known_before:
            spare.remove(match)
        else:
            yield hit


def _reaches_as_far(old: Hit, new: Hit) -> bool:
    was, now = ({each.partition(" ")[0] for each in hit.scope or ()} for hit in (old, new))
    return not was or bool(now and now <= was)


def _same_test(one: Hit, other: Hit) -> bool:
    label, _, title = one.key.partition(" ")
    other_label, _, other_title = other.key.partition(" ")
    return label == other_label and title.split(" > ")[-1].strip('"') == other_title.split(" > ")[-1].strip('"')


def _label(hit: Hit) -> str:
    return hit.key.partition(" ")[0]


def _title(hit: Hit) -> Title:
    return tuple(hit.key.partition(" ")[2].strip('"').split(" > "))
