"""ESLint: what its blocks no longer check.

1. A rule must keep its severity for every file that it held for; a new exception for some files is a loss for those.
2. A rule that is switched off is lost if it was on, or if a preset may have switched it on; not where its successor
   does its work (`eslint_successors`), or a preset that is known to hold it. One that comes with ESLint's recommended
   preset, and is off from the start, is for a person where only plugins' presets were there before.
3. Presets (`extends`, spread or called configurations) must not become fewer or milder (`eslint_presets`).
4. Files ignored for all rules must not grow; what was ignored for all may be ignored for some.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import no_more_paths
from ralph.guardrails.config.node import Node, Settings, canonical
from ralph.guardrails.config.patterns import Weight, covers, is_output, weigh, written_out
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, MINOR_EXCLUSION, RAISED, UNREADABLE_VALUE, Loss
from ralph.guardrails.config.tool import Place, Tool, Unit
from ralph.guardrails.config.tools import eslint_presets
from ralph.guardrails.config.tools.eslint_config import (
    IGNORE_FILE,
    NAMES,
    WHOLE,
    Block,
    Config,
    alone,
    config,
    severity,
    units,
)
from ralph.guardrails.config.tools.eslint_options import loosened, unused_comments
from ralph.guardrails.config.tools.eslint_presets import preset
from ralph.guardrails.config.tools.eslint_recommended import OWN_RECOMMENDED, RECOMMENDED
from ralph.guardrails.config.tools.eslint_successors import COMPILER, brought_by, is_namesake, may_bring, succeeds
from ralph.guardrails.config.tools.heirs import heir_of_eslint
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

SCRIPTS, TYPED_SCRIPTS = (".js", ".mjs", ".cjs"), (".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue")
CONFIGURES = later(r"(?:^|/)(?:[^/]+\.(?:config|conf|setup|d)\.[^/]+|\.[^/]*)$")
LIMITS = ("complexity", "max-", "sonarjs/cognitive-complexity")
FIRST_FORMAT = later(r"\.eslintrc(?:\.\w+)?|package\.json")
TYPED = later(r"\.(?:[mc]?tsx?|\{(?:[mc]?tsx?,?)+\})$")


def judge(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    old, new = (config(side[WHOLE]) if WHOLE in side else Config((), (), None, None) for side in (before, after))
    was, now = ({preset(node): node for node in side.presets} for side in (old, new))
    yield from eslint_presets.losses(was, now, map(preset, new.everywhere))
    ignored = _ignore_list(before, old)
    yield from _ignores(ignored, _ignore_list(after, new), paths)
    yield from _block_ignores(old, new, paths, ignored)
    files = Files(paths, _suffixes(before))
    yield from _kept(old, new, files)
    yield from _exceptions(old, new, files)
    yield from unused_comments(old.unused, new.unused)
    if old.inline and canonical(old.inline) == "true" and (new.inline is None or canonical(new.inline) != "true"):
        yield Loss(
            rule="cfg.eslint.inline-config", key="noInlineConfig", text="is off", node=new.inline, old=old.inline
        )


def _asks(settings: Settings) -> bool:
    """A preset, or a rule that is an error."""
    found = config(settings[WHOLE]) if WHOLE in settings else None
    errors = (severity(node) == 2 for block in (found.blocks if found else ()) for node in block.rules.values())
    return found is not None and (bool(found.presets) or any(errors))


def _in_a_preset(name: str, config: Config) -> bool:
    """What a preset may have switched on; what ESLint's own ones and those of many plugins hold is known."""
    presets = {preset(node) for node in config.presets}
    return any(may_bring(name, each) for each in presets or {OWN_RECOMMENDED})


def _comes_off(name: str, old: Config, new: Config) -> bool:
    """A rule of ESLint's own recommended preset, which is new; plugins' presets switch on what is theirs."""
    was, now = ({preset(node) for node in side.presets} for side in (old, new))
    return name in RECOMMENDED and OWN_RECOMMENDED in now - was and all(each.startswith("plugin:") for each in was)


def _ignore_list(settings: Settings, found: Config) -> Node | None:
    extra = settings.get(IGNORE_FILE)
    items = [*(found.ignores.items if found.ignores else []), *(extra.items if extra else [])]
    base = found.ignores or extra
    return base.with_value(items) if base else None


def _ignores(old: Node | None, new: Node | None, paths: Sequence[str]) -> Iterator[Loss]:
    for worse in no_more_paths()(old, new, paths):
        rule = UNREADABLE_VALUE if worse.unreadable else MINOR_EXCLUSION if worse.minor else "cfg.eslint.ignores"
        yield Loss(rule=rule, key="ignores", text=worse.text, node=worse.node, old=old)


def _block_ignores(old: Config, new: Config, paths: Sequence[str], everywhere: Node | None) -> Iterator[Loss]:
    """Files taken out of one block, and not out of all before; blocks are paired by their files, and of several by a
    rule."""
    out = {canonical(node).strip("/") for node in everywhere.items} if everywhere else set()
    for block in new.blocks:
        same = [other for other in old.blocks if other.files == block.files]
        akin = [other for other in same if other.rules.keys() & block.rules.keys()] or same
        known = {canonical(node) for other in akin for node in other.ignores}
        for node in block.ignores if same else ():
            if canonical(node) not in known and canonical(node).strip("/") not in out:
                rule = MINOR_EXCLUSION if weigh(canonical(node), paths) is Weight.MINOR else "cfg.eslint.ignores"
                yield Loss(rule=rule, key="ignores", text=f"gains {canonical(node)}", node=node, old=None)


def _kept(old: Config, new: Config, files: Files) -> Iterator[Loss]:
    """Every rule that was on must be as severe, for all its files, in some block that holds them."""
    reported: set[int] = set()
    for block in old.blocks:
        for name, node in block.rules.items():
            was = severity(node)
            if was is None:
                yield from _opaque_rule(name, node, block, new)
            if not was:
                continue
            wide = [other for other in new.blocks if name in other.rules and files.hold(other.files, block.files)]
            if not (wide and severity(wide[-1].rules[name]) == was) and _succeeded(name, was, block, old, new, files):
                continue
            # The last block that holds the files decides.
            now = severity(wide[-1].rules[name]) if wide else None
            if wide and now is None:
                yield Loss(rule=UNREADABLE_VALUE, key=name, text="changes", node=wide[-1].rules[name], old=node)
            elif wide and now is not None and now < was:
                yield _lowered(name, wide[-1].rules[name], node)
            elif wide:
                yield from _limit(name, node, wide[-1].rules[name])
                yield from loosened(name, node, wide[-1].rules[name])
            else:
                yield from _lost(name, node, block, new, reported)


def _succeeded(name: str, was: int, block: Block, old: Config, new: Config, files: Files) -> bool:
    """Another rule, or a new preset, asks for the same: for the same files, and no more mildly."""
    gained = {preset(node) for node in new.presets} - {preset(node) for node in old.presets}
    brought = any(brought_by(name, each) for each in gained)
    brought = brought or any(is_namesake(name, preset(node)) for node in new.everywhere)
    if brought and not any(name in other.rules for other in new.blocks):
        return True
    heirs = [
        (other, rule)
        for other in new.blocks
        for rule in other.rules
        if succeeds(name, rule) and files.hold(other.files, block.files)
    ]
    return bool(heirs) and (severity(heirs[-1][0].rules[heirs[-1][1]]) or 0) >= was


def _lost(name: str, node: Node, block: Block, new: Config, reported: set[int]) -> Iterator[Loss]:
    narrowed = next((other for other in new.blocks if name in other.rules and severity(other.rules[name])), None)
    if narrowed is None:
        yield Loss(rule="cfg.eslint.rule-removed", key=name, text="is gone", node=None, old=node)
    elif id(narrowed) not in reported:
        reported.add(id(narrowed))
        text = f"holds for {', '.join(narrowed.files)} only"
        yield Loss(rule="cfg.eslint.files-narrowed", key="files", text=text, node=narrowed.place, old=block.place)


def _exceptions(old: Config, new: Config, files: Files) -> Iterator[Loss]:
    """Rules that are now less than they were, or than a preset may have made them, for the files of one block."""
    for block in new.blocks:
        for name, node in block.rules.items():
            now = severity(node)
            if now is None or now == 2:
                continue
            same = [b for b in old.blocks if name in b.rules and b.files == block.files]
            wide = [b for b in old.blocks if name in b.rules and files.hold(b.files, block.files)]
            if same or (wide and not block.files):
                # Judged by _kept, which sees the same pair.
                continue
            was = severity(wide[-1].rules[name]) if wide else (2 if _in_a_preset(name, old) else 0)
            if was is not None and now < was and not _succeeded(name, was, block, old, new, files):
                tests_only = block.files and all(weigh(pattern, files.paths) is Weight.MINOR for pattern in block.files)
                tests_only = tests_only or _compiled(name, block)
                loss = _lowered(name, node, None)
                perhaps = UNREADABLE_VALUE if not wide and _comes_off(name, old, new) else loss.rule
                rule = MINOR_EXCLUSION if tests_only else perhaps
                yield Loss(rule=rule, key=name, text=loss.text, node=node, old=None)


def _compiled(name: str, block: Block) -> bool:
    """What the compiler finds by itself, in files that only it reads."""
    return name in COMPILER and bool(block.files) and all(TYPED.search(pattern) for pattern in block.files)


def _opaque_rule(name: str, node: Node, block: Block, new: Config) -> Iterator[Loss]:
    now = next((other.rules[name] for other in new.blocks if name in other.rules and other.files == block.files), None)
    if now is None or canonical(now) != canonical(node):
        yield Loss(rule=UNREADABLE_VALUE, key=name, text="changes", node=now, old=node)


def _lowered(name: str, node: Node, old: Node | None) -> Loss:
    rule = "cfg.eslint.severity-lowered" if severity(node) else "cfg.eslint.rule-off"
    return Loss(rule=rule, key=name, text=f"is {cut(canonical(node), 60)}", node=node, old=old)


def _limit(name: str, old: Node, new: Node) -> Iterator[Loss]:
    if name.startswith(LIMITS):
        was, now = _numbers(old), _numbers(new)
        if was and now and max(now) > max(was):
            rule = LIFTED if max(now) >= MANIFOLD * max(was) else RAISED
            yield Loss(rule=rule, key=name, text=f"rises to {max(now)}", node=new, old=old)


def _numbers(node: Node) -> list[float]:
    found: list[float] = []
    for option in node.items[1:]:
        values = option.mapping.values() if option.mapping else [option]
        found += [value.value for value in values if isinstance(value.value, int | float)]
    return found


def _suffixes(before: Settings) -> tuple[str, ...]:
    """Of the files that the base's configuration was about."""
    text = canonical(before[WHOLE]) if WHOLE in before else ""
    if re.search(r"typescript|\.[mc]?ts|\.\{[^}]*ts", text):
        return SCRIPTS + TYPED_SCRIPTS
    return SCRIPTS + ((".jsx",) if "jsx" in text else ()) + ((".vue",) if "vue" in text else ())


def anywhere(pattern: str) -> str:
    """The files of that name in all folders."""
    return f"**/{pattern.rpartition('/')[2]}"


class Files:
    """Which block's files hold which other's; asked for every rule, found once per pair of blocks."""

    def __init__(self, paths: Sequence[str], suffixes: tuple[str, ...]) -> None:
        self.paths, self.suffixes = paths, suffixes
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}

    def hold(self, wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
        """True if a block for `wide` holds for every file of one for `narrow`."""
        if (wide, narrow) not in self._known:
            known = not wide or wide == narrow
            self._known[wide, narrow] = known or (self._all_held if narrow else self._every_held)(wide, narrow)
        return self._known[wide, narrow]

    def _every_held(self, wide: tuple[str, ...], _every: tuple[str, ...]) -> bool:
        """A block for every file holds for those of the tree that ESLint looks at; few lint what configures tools."""
        looked_at = (path for path in self.paths if path.endswith(self.suffixes) and not CONFIGURES.search(path))
        held = [path for path in looked_at if not is_output(posixpath.dirname(path))]
        return bool(held) and all(self._any(wide, path) for path in held)

    def _all_held(self, wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
        said = {each for pattern in wide for each in written_out(pattern)}
        for pattern in narrow:
            held = [path for path in self.paths if covers(pattern, path, regex=False)]
            told = said.issuperset(anywhere(each) if anywhere(each) in said else each for each in written_out(pattern))
            if not told and not (held and all(self._any(wide, path) for path in held)):
                return False
        return True

    def _any(self, wide: tuple[str, ...], path: str) -> bool:
        return any(covers(pattern, path, regex=False) for pattern in wide)


def _cascades(unit: Unit) -> bool:
    """ESLint's first format does, up to a file that calls itself the root."""
    whole = unit.settings.get(WHOLE)
    if whole is None or not FIRST_FORMAT.fullmatch(posixpath.basename(whole.path)):
        return False
    root = whole.at("root")
    return root is None or root.value is not True


ESLINT = Tool(
    name="eslint",
    places=tuple(Place(name) for name in NAMES),
    rows=(),
    suffixes=(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue"),
    needs_config=True,
    units=units,
    alone=alone,
    judge=judge,
    asks=_asks,
    cascades=_cascades,
    watches=(".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", "rc.json", "rc.yaml", "rc.yml"),
    heir=heir_of_eslint,
)
