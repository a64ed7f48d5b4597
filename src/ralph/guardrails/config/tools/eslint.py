"""ESLint, both of its formats, as one list of blocks: which files, which rules, how severe.

1. A rule must keep its severity for every file that it held for; a new exception for some files is a loss for those.
2. A rule that is switched off is lost if it was on, or if a preset may have switched it on.
3. Presets (`extends`, spread or called configurations) are known by name only: fewer of them is a loss.
4. Files ignored for all rules must not grow.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ralph.guardrails.config.lattice import no_more_paths, words
from ralph.guardrails.config.node import SPREAD, Key, Node, Opaque, Settings, canonical, merged
from ralph.guardrails.config.patterns import Weight, covers, weigh
from ralph.guardrails.config.rows import MINOR_EXCLUSION, UNREADABLE_VALUE, Loss
from ralph.guardrails.config.side import Side, resolve
from ralph.guardrails.config.tool import Place, Tool, Unit

FLAT = tuple(f"eslint.config.{end}" for end in ("js", "mjs", "cjs", "ts", "mts", "cts"))
LEGACY = (".eslintrc.js", ".eslintrc.cjs", ".eslintrc.yaml", ".eslintrc.yml", ".eslintrc.json", ".eslintrc")
NAMES = (*FLAT, *LEGACY, "package.json", ".eslintignore")
MAX_EXTENDS = 8
SEVERITY = {"off": 0, "false": 0, "0": 0, "warn": 1, "1": 1, "error": 2, "2": 2}
LIMITS = ("complexity", "max-", "sonarjs/cognitive-complexity")

WHOLE: Key = ()
IGNORE_FILE: Key = ("ignore file",)


@dataclass(frozen=True, slots=True)
class Block:
    files: tuple[str, ...]
    """Empty: every file."""
    place: Node
    rules: dict[str, Node]
    ignores: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Config:
    blocks: tuple[Block, ...]
    presets: tuple[Node, ...]
    ignores: Node | None
    inline: Node | None


def config(root: Node) -> Config:
    """The blocks of either format; a legacy object is one block and its overrides."""
    blocks: list[Block] = []
    presets: list[Node] = []
    ignored: list[Node] = []
    inline: Node | None = None
    for entry in _entries(root):
        if isinstance(entry.value, Opaque):
            presets.append(entry)
            continue
        keys = entry.mapping
        presets += [value for key, value in keys.items() if key.startswith(SPREAD)]
        presets += keys["extends"].items if "extends" in keys else []
        presets += [item for item in _files(keys.get("rules")) if isinstance(item.value, Opaque)]
        files = tuple(canonical(item) for item in words(keys.get("files")))
        own_ignores = tuple(words(keys.get("ignores")))
        if set(keys) <= {"ignores", "name"} or "ignorePatterns" in keys:
            ignored += words(keys.get("ignores")) + words(keys.get("ignorePatterns"))
            own_ignores = ()
        inline = keys.get("linterOptions", entry).at("noInlineConfig") or keys.get("noInlineConfig") or inline
        rules = {
            name: node
            for name, node in (keys["rules"].mapping if "rules" in keys else {}).items()
            if not name.startswith(SPREAD)
        }
        blocks.append(Block(files, keys.get("files", entry), rules, own_ignores))
    return Config(tuple(blocks), tuple(presets), root.with_value(list(ignored)), inline)


def _files(rules: Node | None) -> list[Node]:
    return [node for name, node in rules.mapping.items() if name.startswith(SPREAD)] if rules else []


def _entries(root: Node) -> Iterator[Node]:
    if isinstance(root.value, list):
        for item in root.value:
            yield from _entries(item)
    elif isinstance(root.value, dict):
        yield root
        for override in root.mapping["overrides"].items if "overrides" in root.mapping else ():
            yield from _entries(override)
    elif isinstance(root.value, Opaque):
        yield root


def judge(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    old, new = (config(side[WHOLE]) if WHOLE in side else Config((), (), None, None) for side in (before, after))
    yield from _presets(old, new)
    yield from _ignores(_ignore_list(before, old), _ignore_list(after, new), paths)
    yield from _block_ignores(old, new, paths)
    yield from _kept(old, new, paths)
    yield from _exceptions(old, new, paths)
    if old.inline and canonical(old.inline) == "true" and (new.inline is None or canonical(new.inline) != "true"):
        yield Loss(
            rule="cfg.eslint.inline-config", key="noInlineConfig", text="is off", node=new.inline, old=old.inline
        )


def severity(node: Node) -> int | None:
    first = node.items[0] if isinstance(node.value, list) and node.value else node
    return SEVERITY.get(canonical(first))


def _presets(old: Config, new: Config) -> Iterator[Loss]:
    was, now = ({canonical(node): node for node in side.presets} for side in (old, new))
    lost = [name for name in was if name not in now]
    gained = [name for name in now if name not in was]
    if len(lost) > len(gained):
        for name in lost[len(gained) :]:
            yield Loss(rule="cfg.eslint.preset-removed", key=name, text="is gone", node=None, old=was[name])
    for name in gained:
        if lost or not _stricter(name):
            yield Loss(rule=UNREADABLE_VALUE, key="presets", text=f"gains {name}", node=now[name], old=None)


def _stricter(name: str) -> bool:
    """Known names of presets that only switch rules on."""
    return any(
        word in name.lower() for word in ("recommended", "strict", "all", "stylistic", "airbnb", "standard", "next")
    )


def _ignore_list(settings: Settings, found: Config) -> Node | None:
    extra = settings.get(IGNORE_FILE)
    items = [*(found.ignores.items if found.ignores else []), *(extra.items if extra else [])]
    base = found.ignores or extra
    return base.with_value(items) if base else None


def _ignores(old: Node | None, new: Node | None, paths: Sequence[str]) -> Iterator[Loss]:
    for worse in no_more_paths()(old, new, paths):
        rule = UNREADABLE_VALUE if worse.unreadable else MINOR_EXCLUSION if worse.minor else "cfg.eslint.ignores"
        yield Loss(rule=rule, key="ignores", text=worse.text, node=worse.node, old=old)


def _block_ignores(old: Config, new: Config, paths: Sequence[str]) -> Iterator[Loss]:
    """Files taken out of one block; blocks are paired by the files they are for."""
    known = {block.files: [canonical(node) for node in block.ignores] for block in old.blocks}
    for block in new.blocks:
        for node in block.ignores if block.files in known else ():
            if canonical(node) not in known[block.files]:
                rule = MINOR_EXCLUSION if weigh(canonical(node), paths) is Weight.MINOR else "cfg.eslint.ignores"
                yield Loss(rule=rule, key="ignores", text=f"gains {canonical(node)}", node=node, old=None)


def _kept(old: Config, new: Config, paths: Sequence[str]) -> Iterator[Loss]:
    """Every rule that was on must be as severe, for all its files, in some block that holds them."""
    reported: set[int] = set()
    for block in old.blocks:
        for name, node in block.rules.items():
            was = severity(node)
            if was is None:
                yield from _opaque_rule(name, node, block, new)
            if not was:
                continue
            wide = [other for other in new.blocks if name in other.rules and _holds(other.files, block.files, paths)]
            # The last block that holds the files decides.
            now = severity(wide[-1].rules[name]) if wide else None
            if wide and now is None:
                yield Loss(rule=UNREADABLE_VALUE, key=name, text="changes", node=wide[-1].rules[name], old=node)
            elif wide and now is not None and now < was:
                yield _lowered(name, wide[-1].rules[name], node)
            elif wide:
                yield from _limit(name, node, wide[-1].rules[name])
            else:
                yield from _lost(name, node, block, new, reported)


def _lost(name: str, node: Node, block: Block, new: Config, reported: set[int]) -> Iterator[Loss]:
    narrowed = next((other for other in new.blocks if name in other.rules and severity(other.rules[name])), None)
    if narrowed is None:
        yield Loss(rule="cfg.eslint.rule-removed", key=name, text="is gone", node=None, old=node)
    elif id(narrowed) not in reported:
        reported.add(id(narrowed))
        text = f"holds for {', '.join(narrowed.files)} only"
        yield Loss(rule="cfg.eslint.files-narrowed", key="files", text=text, node=narrowed.place, old=block.place)


def _exceptions(old: Config, new: Config, paths: Sequence[str]) -> Iterator[Loss]:
    """Rules that are now less than they were, or than a preset may have made them, for the files of one block."""
    for block in new.blocks:
        for name, node in block.rules.items():
            now = severity(node)
            if now is None or now == 2:
                continue
            same = [b for b in old.blocks if name in b.rules and b.files == block.files]
            wide = [b for b in old.blocks if name in b.rules and _holds(b.files, block.files, paths)]
            if same or (wide and not block.files):
                # Judged by _kept, which sees the same pair.
                continue
            was = severity(wide[-1].rules[name]) if wide else (2 if old.presets else 0)
            if was is not None and now < was:
                tests_only = block.files and all(weigh(pattern, paths) is Weight.MINOR for pattern in block.files)
                loss = _lowered(name, node, None)
                yield Loss(
                    rule=MINOR_EXCLUSION if tests_only else loss.rule, key=name, text=loss.text, node=node, old=None
                )


def _opaque_rule(name: str, node: Node, block: Block, new: Config) -> Iterator[Loss]:
    now = next((other.rules[name] for other in new.blocks if name in other.rules and other.files == block.files), None)
    if now is None or canonical(now) != canonical(node):
        yield Loss(rule=UNREADABLE_VALUE, key=name, text="changes", node=now, old=node)


def _lowered(name: str, node: Node, old: Node | None) -> Loss:
    rule = "cfg.eslint.severity-lowered" if severity(node) else "cfg.eslint.rule-off"
    return Loss(rule=rule, key=name, text=f"is {canonical(node)[:60]}", node=node, old=old)


def _limit(name: str, old: Node, new: Node) -> Iterator[Loss]:
    if name.startswith(LIMITS):
        was, now = _numbers(old), _numbers(new)
        if was and now and max(now) > max(was):
            yield Loss(rule="cfg.lint.limit-raised", key=name, text=f"rises to {max(now)}", node=new, old=old)


def _numbers(node: Node) -> list[float]:
    found: list[float] = []
    for option in node.items[1:]:
        values = option.mapping.values() if option.mapping else [option]
        found += [value.value for value in values if isinstance(value.value, int | float)]
    return found


def _holds(wide: tuple[str, ...], narrow: tuple[str, ...], paths: Sequence[str]) -> bool:
    """True if a block for `wide` holds for every file of one for `narrow`."""
    if not wide or wide == narrow:
        return True
    if not narrow:
        return False
    for pattern in narrow:
        held = [path for path in paths if covers(pattern, path, regex=False)]
        if pattern not in wide and not (held and all(any(covers(w, path, regex=False) for w in wide) for path in held)):
            return False
    return True


def units(side: Side) -> Mapping[str, Unit]:
    """One unit per directory: the flat format wins over the older one; an ignore file belongs to the older."""
    directories = {posixpath.dirname(path) for name in NAMES for path in side.by_name.get(name, [])}
    found: dict[str, Unit] = {}
    for directory in sorted(directories):
        side.touched = set()
        roots = (_root(side, posixpath.join(directory, name)) for name in (*FLAT, *LEGACY, "package.json"))
        root = next((node for node in roots if node), None)
        ignored = side.node(posixpath.join(directory, ".eslintignore"))
        settings = {key: node for key, node in ((WHOLE, root), (IGNORE_FILE, ignored)) if node}
        if settings:
            found[directory] = Unit(settings, tuple(sorted(side.touched)))
    return found


def _root(side: Side, path: str, depth: int = 0) -> Node | None:
    node = side.node(path)
    if node is None:
        return None
    name = posixpath.basename(path)
    root = node.at("eslintConfig") if name == "package.json" else node.at("default") or node
    if root is None or name in FLAT or depth > MAX_EXTENDS:
        return root
    bases = [
        base for item in (root.at("extends") or root.with_value([])).items if (base := canonical(item)).startswith(".")
    ]
    for base in bases:
        target = resolve(side.paths, path, base, (".js", ".cjs", ".json", ".yaml", ".yml"))
        below = _root(side, target, depth + 1) if target else None
        root = merged(below, root) if below else root
    if bases:
        names = [item for item in root.mapping["extends"].items if canonical(item) not in bases]
        root = root.with_value({**root.mapping, "extends": root.with_value(list(names))})
    return root


ESLINT = Tool(
    name="eslint",
    places=tuple(Place(name) for name in NAMES),
    rows=(),
    suffixes=(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue"),
    needs_config=True,
    units=units,
    judge=judge,
    watches=(".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"),
)
