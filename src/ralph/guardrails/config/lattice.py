"""What it means that a setting got worse. Each check takes both sides of one setting and yields every loss in it.

A setting that is absent counts as its tool's default, so that a flag that vanishes is judged as what then holds. Values
that cannot be read and that changed are reported as such: for a person to look at, never passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ralph.guardrails.config.exclusions.misspelt import put_right
from ralph.guardrails.config.node import MAX_NUMBER, Node, Opaque, canonical
from ralph.guardrails.config.patterns import Weight, covers, is_product, lies_in, weigh
from ralph.guardrails.texts import cut
from ralph.record import record


@record(kw_only=True)
class Worse:
    """`node` is the offender in the head's file, None when the setting is gone."""

    node: Node | None
    text: str
    minor: bool = False
    unreadable: bool = False
    was: float | None = None
    now: float | None = None


Check = Callable[[Node | None, Node | None, Sequence[str]], Iterable[Worse]]
"""(before, after, the source paths of the tree) -> what got worse."""

TRUE_WORDS = frozenset({"true", "yes", "on", "1", "enable", "enabled"})
FALSE_WORDS = frozenset({"false", "no", "off", "0", "disable", "disabled", ""})


def floor(default: float | None = None) -> Check:
    """A number that must not fall or vanish. None is "no floor", below every number."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = number(before, default), number(after, default)
        if isinstance(was, str) or isinstance(now, str):
            yield from _unreadable(before, after)
        # Written so that a NaN, which no comparison holds for, is a fall.
        elif was is not None and was > float("-inf") and (now is None or not now >= was):
            shown = "is gone" if after is None else f"falls from {_shown(before)} to {_shown(after)}"
            yield Worse(node=after, text=shown, was=was, now=now)

    return check


def ceiling(default: float | None = None, mild: float = 0) -> Check:
    """A number that must not rise or vanish. None is "no limit", above every number, and so is one below nought, as
    tools count: `--max-warnings=-1`. Up to `mild` times it is minor."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = number(before, default), number(after, default)
        if isinstance(was, str) or isinstance(now, str):
            yield from _unreadable(before, after)
        elif was is not None and was >= 0 and (now is None or not 0 <= now <= was):
            lifted = now is not None and now < 0
            minor = bool(mild) and not lifted and (now is None or now < mild * was)
            text = f"rises from {_shown(before)} to {_shown(after)}" if after else "is gone"
            text = f"is {_shown(after)}, which is no limit" if lifted else text
            yield Worse(node=after, text=text, minor=minor)

    return check


def flag(*, good: bool, default: bool = False) -> Check:
    """A switch that must not leave `good`."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = truth(before, default), truth(after, default)
        if was is None or now is None:
            yield from _unreadable(before, after)
        elif was is good and now is not good:
            yield Worse(node=after, text="is gone" if after is None else f"is {_shown(after)}")

    return check


def kept_on() -> Check:
    """A switch that must not be taken back, nor be said to be off; unsaid, another place decides."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = truth(before, default=True), truth(after, default=True)
        if was and ((after is None and before is not None) or now is False):
            yield Worse(node=after, text="is gone" if after is None else f"is {_shown(after)}")

    return check


def ranked(order: str, default: str) -> Check:
    """One of several words, weakest first, that must not fall. Equal ranks are written with `=`."""
    ranks = {word: rank for rank, words in enumerate(order.split()) for word in words.split("=")}

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (ranks.get(_word(node, default)) for node in (before, after))
        if was is None or now is None:
            yield from _unreadable(before, after)
        elif now < was:
            yield Worse(node=after, text=f"falls from {_shown(before)} to {_shown(after)}" if after else "is gone")

    return check


def absent(*harmless: str) -> Check:
    """A setting that narrows the check as soon as it says anything but what narrows nothing."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (canonical(node) if node and node.value not in (None, False) else "" for node in (before, after))
        if now and now != was and now not in harmless:
            yield Worse(node=after, text=f"is {cut(now, 120)}")

    return check


def same() -> Check:
    """A setting of which only a person can tell whether another value is a weaker one."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (canonical(node) if node else "" for node in (before, after))
        if was != now:
            yield Worse(node=after, text=f"is {cut(now, 120)}" if now else "is gone")

    return check


def no_more(default: Iterable[str] = (), *, prefixes: bool = False, usual: str | None = None) -> Check:
    """A list of what is left out (rules, codes) that must not grow. With `prefixes`, `F` holds `F401`.

    What matches the regular expression `usual` is left out by many, and minor.
    """
    standard = tuple(default)
    minor = re.compile(usual) if usual else None

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old = {canonical(item) for item in words(before)} if before else set(standard)
        for item in words(after) if after else ():
            name = canonical(item)
            if name not in old and not (prefixes and any(name.startswith(code) for code in old)):
                yield Worse(
                    node=item,
                    text=f"gains {name}",
                    minor=bool(minor and minor.fullmatch(name)),
                    unreadable=isinstance(item.value, Opaque),
                )

    return check


def no_less(default: Iterable[str] = (), *, all_word: str | None = None, prefixes: bool = False) -> Check:
    """A list of what is checked that must not shrink. `all_word` alone holds everything, with `prefixes` `F` `F401`."""
    standard = tuple(default)

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old = [canonical(item) for item in words(before)] if before else list(standard)
        new = {canonical(item) for item in words(after)} if after else set(standard)
        for name in old:
            wider = prefixes and any(code and name.startswith(code) for code in new)
            if name not in new and all_word not in new and not wider:
                yield Worse(node=after, text=f"loses {name}")

    return check


EXCLUDES = "excludes"
"""How a finding about a list of excluded paths begins."""
LOST_PATHS = "no longer holds"
"""And one about a list of the paths that are checked."""


def no_more_paths(*, unknown_is_minor: bool = False) -> Check:
    """A list of excluded paths that must not grow; tests and build output are minor."""

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        old = [canonical(item) for item in words(before)]
        for item in words(after):
            name = canonical(item)
            held = (wide for wide in old if not wide.startswith("!"))
            if name in old or name.startswith("!") or any(lies_in(name, wide) for wide in held):
                continue
            weight = weigh(name, paths)
            minor = weight is Weight.MINOR or (weight is Weight.UNKNOWN and unknown_is_minor)
            yield Worse(
                node=item,
                text=f"{EXCLUDES} {name}, which {weight.value}",
                minor=minor,
                unreadable=isinstance(item.value, Opaque),
            )

    return check


def no_fewer_paths(*, absent_is_all: bool = True, suffixes: tuple[str, ...] = ("",)) -> Check:
    """A list of the paths that are checked: what it held it must still hold, of files with these suffixes."""

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        new = [_everything(item) for item in words(after)]
        if before is None:
            looked_at = (path for path in paths if path.endswith(suffixes) and is_product(path))
            left_out = (path for path in looked_at if not _held(path, new))
            if absent_is_all and after is not None and (after.value == [] or any(left_out)):
                yield Worse(node=after, text=f"leaves out product code ({_shown(after)})")
            return
        if after is None:
            if not absent_is_all:
                yield Worse(node=None, text="is gone")
            return
        for item in words(before):
            name = _everything(item)
            if name.startswith("!") or any(_within(name, wide) for wide in new):
                continue
            named = (path for path in paths if path.endswith(suffixes) and covers(name, path, regex=False))
            held = [path for path in named if name != "." or is_product(path)]
            lost = not all(_held(path, new) for path in held) if held else not put_right(name, new, paths)
            if lost:
                yield Worse(node=after, text=f"{LOST_PATHS} {name}")

    return check


def _everything(item: Node) -> str:
    """The pattern; an option without a value (`--cov`) and `*` stand for the whole tree."""
    name = canonical(item)
    return "." if name in ("true", "*", "**", "./") else name


def number(node: Node | None, default: float | None) -> float | str | None:
    """A number, None for none, or text for what is neither."""
    if node is None:
        return default
    value = node.value
    if isinstance(value, bool) or value is None:
        return 100.0 if value else None
    if isinstance(value, int | float):
        return float(max(-MAX_NUMBER, min(MAX_NUMBER, value)) if isinstance(value, int) else value)
    text = value.strip().strip("\"'") if isinstance(value, str) else canonical(node)
    match = re.fullmatch(r"([-+]?(?:\d+\.?\d*|\.\d+))\s*%?(?:\.toBigDecimal\(\))?", text)
    return float(match[1]) if match else (None if text == "" else text)


def truth(node: Node | None, default: bool) -> bool | None:
    """True or false, as tools read words and numbers; None for what is neither."""
    if node is None:
        return default
    value = node.value
    if value is None:
        return default
    if isinstance(value, bool | int | float):
        return bool(value)
    text = canonical(node).strip().lower()
    return True if text in TRUE_WORDS else False if text in FALSE_WORDS else None


def words(node: Node | None) -> list[Node]:
    """The items of a list, or of text with commas, semicolons, blanks or lines between its words."""
    found: list[Node] = []
    for item in node.items if node else ():
        if not isinstance(item.value, str):
            found.append(item)
        elif re.search(r"[,;\n]", item.value) and not re.search(r"[{(\[]", item.value):
            found += [item.with_value(word) for part in re.split(r"[,;\n]", item.value) if (word := part.strip())]
        elif item.value.strip():
            found.append(item.with_value(item.value.strip()))
    return found


def _unreadable(before: Node | None, after: Node | None) -> Iterator[Worse]:
    if (before and canonical(before)) != (after and canonical(after)):
        yield Worse(node=after, text=f"changes to {_shown(after)}, which cannot be judged", unreadable=True)


def _word(node: Node | None, default: str) -> str:
    if node is None or node.value is None:
        return default
    value = node.items[0] if isinstance(node.value, list) and node.value else node
    return canonical(value).strip().lower()


def _within(name: str, wide: str) -> bool:
    """True if the path or glob `name` lies in `wide`."""
    return name == wide or (
        not wide.startswith("!") and covers(wide, name.removeprefix("./").rstrip("/*"), regex=False)
    )


def _held(path: str, patterns: Sequence[str]) -> bool:
    return any(covers(pattern, path, regex=False) for pattern in patterns if not pattern.startswith("!"))


def _shown(node: Node | None) -> str:
    return "nothing" if node is None else cut(canonical(node), 120)
