"""Hooks that are installed with the packages of a project, and no longer are by anything (class G16).

Rules:

- What installs a manager's hooks (`husky`, `lefthook install`) stands in a script that the package manager runs by
  itself, or in another file that people run. Under a name that nothing runs by itself it installs none any more, unless
  a script that is run leads there.
- cargo-husky installs those hooks that its features name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.spoken import spoken
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

RULE = "vcs.hooks-disabled"
INSTALLS = later(
    r"^(?:husky(?: install)?|lefthook install|simple-git-hooks|pre-commit install.*|prek install.*|yorkie"
    r"|(?:\S*/)?captainhook install.*|(?:\S*/)?grumphp git:init|cghooks add.*)$"
)
BY_ITSELF = {
    "package.json": names("prepare postinstall install preinstall prepublish postprepare preprepare"),
    "composer.json": names(
        "post-install-cmd post-update-cmd post-autoload-dump post-create-project-cmd pre-install-cmd pre-update-cmd"
    ),
}
"""Scripts that the package manager runs for whoever installs the packages."""
CARGO_HUSKY = (("dev-dependencies", "cargo-husky"), ("workspace", "dev-dependencies", "cargo-husky"))


def installers_gone(paths: Sequence[str], before: Side, after: Side) -> Iterator[Hit]:
    old = [each for path in paths for each in _installers(before, path)]
    if old and not any(True for path in paths for _ in _installers(after, path)):
        path, text = old[0]
        yield hit_at(RULE, path, 0, f"{text} is gone", text, key=text)
    for path in paths:
        if path.rpartition("/")[2] == "Cargo.toml":
            yield from _fewer_of_cargo(path, before, after)


def _installers(side: Side, path: str) -> Iterator[tuple[str, str]]:
    """(file, command) of what installs hooks where it is run."""
    by_itself = BY_ITSELF.get(path.rpartition("/")[2])
    node = side.node(path) if by_itself is not None else None
    scripts = node.at("scripts") if node is not None else None
    if by_itself is None or scripts is None:
        for said in spoken(side, path):
            if INSTALLS.match(" ".join(said.words)):
                yield path, " ".join(said.words)
        return
    run = " ".join(_text(scripts.mapping[name]) for name in by_itself if name in scripts.mapping)
    for name, script in scripts.mapping.items():
        for part in re.split(r"&&|\|\||;|\n", _text(script)):
            led_to = name in by_itself or re.search(rf"(?<![\w:-]){re.escape(name)}(?![\w:-])", run)
            if led_to and INSTALLS.match(part.strip()):
                yield path, part.strip()


def _text(node: Node) -> str:
    return "\n".join(canonical(item) for item in node.items)


def _fewer_of_cargo(path: str, before: Side, after: Side) -> Iterator[Hit]:
    was, now = (_hooks_of_cargo(side.node(path)) for side in (before, after))
    lost = [name for name in was if name not in now]
    if lost and path in after.paths:
        yield hit_at(RULE, path, 0, f"cargo-husky no longer has {', '.join(lost)}", "cargo-husky")


def _hooks_of_cargo(node: Node | None) -> tuple[str, ...]:
    """What cargo-husky's hooks do; what it does by default, where the features do not say."""
    for key in CARGO_HUSKY:
        husky = node.at(*key) if node is not None else None
        if husky is not None:
            features = husky.at("features")
            by_default = canonical(husky.at("default-features") or husky.with_value(True)) != "false"
            said = tuple(canonical(item) for item in features.items) if features is not None else ()
            return (*(("prepush-hook", "run-cargo-test") if by_default else ()), *said)
    return ()
