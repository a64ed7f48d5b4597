"""pre-commit: which files its hooks look at.

Rules, for hooks that stood there before: `exclude` must not take away product code, `files` and types not leave any of
it out; a pattern that fits no file at all runs for none. Where the tree holds no product code, a pattern says it all.
Of a hook whose program reads one kind of file, the patterns must not leave out one of these that it looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.exclusions.hook_reads import READ, reads
from ralph.guardrails.config.node import Node, Settings, canonical, names
from ralph.guardrails.config.patterns import Weight, covers, is_output, is_product, weigh
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.suffixes import LOOKED_AT_BY, is_foreign
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

NAMES_CODE = later(
    r"^\^?(?:\./)?(?:\((?:\?:)?(?:[^()|]*\|)*)?(?:src|lib|libs|apps?|pkg|packages|services?|internal|cmd|crates|modules)\b"
    r"|(?<!min)(?<!bundle)(?<!_pb2)(?<!generated)\\\.(?:\((?:\?:)?(?:\w+\|)*)?(?:py|[jt]sx?|go|rs|rb)\b|^\.[*+]|^\^\.[*+]\$?$"
)
NAMES_NOTHING = later(r"\^[\w-]+\$")
"""One file at the root without an ending: there are such files, but this one is not there."""
NARROWED, UNCLEAR = "check.narrowed", "check.narrowed-unclear"
KEYS = ("files", "exclude", "types", "types_or", "exclude_types")
CODE = frozenset(
    names(
        "python javascript jsx ts tsx vue svelte go rust ruby java kotlin scala swift c c++ c# php shell bash sh lua "
        "perl elixir dart r text file"
    )
)
ALL_TYPES = frozenset(names("executable non-executable pyi header cython jupyter"))
"""Beside those of code: what may hold code, too."""
ONE_OF = frozenset(
    names(
        "python pyi javascript ts go rust ruby java kotlin scala swift php lua perl elixir markdown toml yaml json css"
    )
)
"""A file is of one of these at most."""
Hooks = dict[str, dict[str, Node]]


def judge(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    old, new = _hooks(before), _hooks(after)
    for name in (name for name in new if name in old):
        yield from _types(name, old[name], new[name])
        seen = _seen_by(name, paths)
        for key, rule in (("exclude", _excludes), ("files", _leaves_out)):
            node, had = new[name].get(key), old[name].get(key)
            if node is None or (had is not None and canonical(had) == canonical(node)):
                continue
            was = canonical(had) if had is not None else None
            special = _of_its_kind(name, key, was, canonical(node), seen) if name in READ else None
            found = special if name in READ else rule(was, canonical(node), seen)
            if found is not None:
                certain, text = found
                yield Loss(
                    rule=NARROWED if certain else UNCLEAR, key=f"{name} {key}".strip(), text=text, node=node, old=had
                )


def _seen_by(name: str, paths: Sequence[str]) -> Sequence[str]:
    """The files but for the code of other languages than the hook's tool looks at."""
    suffixes = LOOKED_AT_BY.get(name) or LOOKED_AT_BY.get(name.partition("-")[0])
    return [each for each in paths if not is_foreign(each, suffixes)] if suffixes else paths


def _hooks(settings: Settings) -> Hooks:
    """The patterns of each hook, and under no name those of all. A hook that is there twice is left out."""
    found: Hooks = {"": {key: settings[key,] for key in ("files", "exclude") if (key,) in settings}}
    repositories = settings.get(("repos",))
    seen: list[str] = []
    for repository in repositories.items if repositories else ():
        for hook in (repository.at("hooks") or repository.with_value([])).items:
            name = canonical(hook.at("id") or hook.with_value(""))
            seen.append(name)
            found[name] = {key: node for key in KEYS if (node := hook.at(key)) is not None}
    return {name: patterns for name, patterns in found.items() if seen.count(name) < 2}


def _types(name: str, had: dict[str, Node], has: dict[str, Node]) -> Iterator[Loss]:
    """Kinds of files: code must not be left out, nor may prose alone be left; no file is of two languages."""
    yield from _languages(name, had, has)
    for key in ("exclude_types", "types", "types_or"):
        node, old = has.get(key), had.get(key)
        if node is None or (old is not None and canonical(old) == canonical(node)):
            continue
        kinds = {canonical(item).lower() for item in node.items}
        before = {canonical(item).lower() for item in old.items} if old is not None else set[str]()
        if key == "exclude_types" and kinds & CODE - before:
            text = f"leaves out {', '.join(sorted(kinds & CODE - before))}"
            yield Loss(rule=NARROWED, key=f"{name} {key}", text=text, node=node, old=old)
        elif key != "exclude_types" and not kinds & (CODE | ALL_TYPES) and (not before or before & (CODE | ALL_TYPES)):
            yield Loss(rule=UNCLEAR, key=f"{name} {key}", text=f"is {', '.join(sorted(kinds))}", node=node, old=old)


def _languages(name: str, had: dict[str, Node], has: dict[str, Node]) -> Iterator[Loss]:
    """`types` must all fit a file, one of `types_or` must."""
    node = has.get("types") or has.get("types_or")
    was, now = (_named(each, "types") | _named(each, "types_or") for each in (had, has))
    both = _named(has, "types") & ONE_OF
    none = len(both) > 1 and len(_named(had, "types") & ONE_OF) < 2
    lost = sorted((was - now) & ONE_OF) if now & ONE_OF else []
    if node is not None and (none or lost):
        text = f"is {', '.join(sorted(both))}, which fits no file" if none else f"no longer holds {', '.join(lost)}"
        yield Loss(rule=NARROWED, key=f"{name} types", text=text, node=node, old=had.get("types"))


def _named(hook: dict[str, Node], key: str) -> set[str]:
    node = hook.get(key)
    return {canonical(item).lower() for item in node.items} if node is not None else set()


def _of_its_kind(name: str, key: str, had: str | None, pattern: str, paths: Sequence[str]) -> tuple[bool, str] | None:
    """A file that the hook reads, and that it no longer gets."""
    for path in (path for path in paths if reads(name, path)):
        got = had is None or covers(had, path) is (key == "files")
        if got and covers(pattern, path) is not (key == "files"):
            return True, f"is {cut(pattern, 60)}, which leaves out {path}"
    return None


def _excludes(had: str | None, pattern: str, paths: Sequence[str]) -> tuple[bool, str] | None:
    product = [path for path in paths if is_product(path) and not (had and covers(had, path))]
    taken = next((path for path in product if covers(pattern, path)), None)
    if taken is not None:
        return True, f"is {cut(pattern, 60)}, which takes away {taken}"
    if pattern in ("", "^$") or is_output(pattern):
        return None
    certain = not product and NAMES_CODE.search(pattern) is not None and weigh(pattern, paths) is not Weight.MINOR
    return certain, f"is {cut(pattern, 60)}"


def _leaves_out(had: str | None, pattern: str, paths: Sequence[str]) -> tuple[bool, str] | None:
    if pattern in ("", ".*"):
        return None
    seen = [path for path in paths if had is None or covers(had, path)]
    left = [path for path in seen if covers(pattern, path)]
    lost = next((path for path in seen if path not in left and is_product(path)), None)
    if not left:
        certain = any(map(is_product, paths)) or NAMES_NOTHING.fullmatch(pattern) is not None
        return certain, f"is {cut(pattern, 60)}, which fits no file"
    certain = had is not None or not any(map(is_product, left))
    return None if lost is None else (certain, f"is {cut(pattern, 60)}, which leaves out {lost}")


PRE_COMMIT = Tool(
    name="pre-commit",
    places=(Place(".pre-commit-config.yaml"), Place(".pre-commit-config.yml")),
    rows=(),
    suffixes=("",),
    judge=judge,
)
