"""Scripts before and after others that npm and pnpm pass over (policy set v2, class G10).

    "pretest": "eslint src && tsc --noEmit",   // package.json
    ignore-scripts=true                        // .npmrc: `npm test` runs `test` alone

Rules: with `ignore-scripts` (or, for pnpm, without its pre and post scripts) a script that is called by its name runs,
and what stands before and after it does not; a release runs nothing of what is to come before it. Where one of these
runs a check, that is passed over from now on, and the setting blocks: in a file of settings, as a variable, and as a
word of a command that runs such a script. For installing, where nothing else hangs on it, it is a protection.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.checks.shell.outline import check_of
from ralph.guardrails.checks.spoken import newly_spoken
from ralph.guardrails.config.command_files.shellwords import commands
from ralph.guardrails.config.lattice import truth
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import prefilter
from ralph.system.patterns import later

RULE = "check.not-run"
WORDS = prefilter((r"ignore[-_]scripts|enable[-_]?pre[-_]?post[-_]?scripts|ignoreScripts|enablePrePostScripts",))
SETTINGS = {
    "ignore-scripts": True,
    "ignoreScripts": True,
    "enable-pre-post-scripts": False,
    "enablePrePostScripts": False,
}
"""Each with what it must not be."""
FILES = frozenset({".npmrc", "pnpm-workspace.yaml"})
VARIABLE = later(r"(?i)(?:npm|pnpm)_config_ignore_scripts")
PROGRAMS = frozenset({"npm", "pnpm"})
SHORT = {"t": "test", "tst": "test"}
RELEASES = {
    "publish": ("prepublishOnly", "prepublish", "prepack", "prepare"),
    "pack": ("prepack", "prepare"),
    "version": ("preversion",),
}
OF_THEIR_OWN = tuple(dict.fromkeys(name for each in RELEASES.values() for name in each))


def unhooked(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if file.status != "D" and not file.binary]
    files = [file for file in files if WORDS.matches(file.added_text)]
    if not files:
        return
    before, after = (
        Side(change.blobs.before, change.blobs.paths_before()),
        Side(change.blobs.after, change.blobs.paths_after()),
    )
    for file in files:
        if posixpath.basename(file.path) in FILES:
            yield from _of_settings(file, before, after)
        else:
            yield from _of_commands(file, before, after)


def _of_settings(file: FileChange, before: Side, after: Side) -> Iterator[Hit]:
    was, now = (side.node(file.path) for side in (before, after))
    for name, bad in SETTINGS.items():
        said = now.at(name) if now is not None else None
        if said is None or truth(said, default=not bad) is not bad:
            continue
        old = was.at(name) if was is not None else None
        lost = next(_checks(posixpath.dirname(file.path), before, after), "")
        if lost and truth(old, default=not bad) is not bad:
            yield hit_at(RULE, file.path, said.line, f"`{lost}` is passed over", f"{name}={canonical(said)}", key=name)


def _of_commands(file: FileChange, before: Side, after: Side) -> Iterator[Hit]:
    for said in newly_spoken(before, after, file.path):
        words = list(said.words)
        if said.variable:
            ignores = VARIABLE.fullmatch(words[0]) and words[1].strip("\"'").lower() in ("true", "1")
            lost = next(_checks("", before, after), "") if ignores else ""
        elif words[0] in PROGRAMS and "--ignore-scripts" in words:
            called = [word for word in words[1:] if not word.startswith("-") and word not in ("run", "run-script")]
            name = SHORT.get(called[0], called[0]) if called else ""
            own = RELEASES.get(name, (f"pre{name}", f"post{name}"))
            lost = next((each for each in _checks("", before, after) if each in own), "")
        else:
            continue
        if lost:
            yield said.hit(RULE, file.path, f"`{lost}` is passed over")


def _checks(folder: str, before: Side, after: Side) -> Iterator[str]:
    """Scripts of packages below that are run before or after others, and check something, as they did before."""
    start = f"{folder}/" if folder else ""
    for path in sorted(after.by_name.get("package.json", ())):
        if path.startswith(start) and "node_modules/" not in path:
            old, new = (_scripts(side.node(path)) for side in (before, after))
            for name, text in new.items():
                hooked = name in OF_THEIR_OWN or any(name in (f"pre{each}", f"post{each}") for each in new)
                if hooked and name in old and any(check_of(each.words) for each in commands(text, {})):
                    yield name


def _scripts(node: Node | None) -> dict[str, str]:
    listed = node.at("scripts") if node is not None else None
    return {name: canonical(each) for name, each in listed.mapping.items()} if listed is not None else {}


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unhooked,)
