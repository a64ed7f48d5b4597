"""The toolchain that cargo is called with: `cargo +1.97 test` (class G09).

Rules:

- It is no path and no name of a test: `cargo +nightly fmt` looks at what `cargo fmt` looks at.
- A newer release, a newer day of a channel and the channel itself are an update of it.
- An older one checks less. Of another channel, and of a fixed one where none was named, only running could tell.
- A run with another toolchain is no other place where a check is still run.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.config.commands.cargo_words import spelled_out
from ralph.system.patterns import later

CHANNELS = frozenset(("stable", "beta", "nightly"))
RELEASE = later(r"\d+(?:\.\d+){1,2}")
DATED = later(r"(stable|beta|nightly)-(\d{4}-\d{2}-\d{2})")


def toolchain(words: Sequence[str]) -> str:
    """What stands behind the plus; empty where the usual one is meant."""
    return words[1][1:] if words[0] == "cargo" and len(words) > 1 and words[1].startswith("+") else ""


def arguments(words: Sequence[str]) -> list[str]:
    """The words after the program; those of cargo as `config.commands.cargo_words` spells them."""
    rest = words[2 if toolchain(words) else 1 :]
    if words[0] != "cargo":
        return list(rest)
    return spelled_out(rest[1:] if rest[:1] == ("hack",) else rest)


def may_stand_for(was: Gate, now: Gate) -> bool:
    return toolchain(now.words) in ("", toolchain(was.words))


def no_longer_with(was: Gate, now: Gate, runs: Sequence[Gate]) -> tuple[str, bool] | None:
    """What a call no longer checks with, in words, and whether that is certainly less."""
    old, new = toolchain(was.words), toolchain(now.words)
    if new in ("", old) or any(toolchain(run.words) == old for run in runs):
        return None
    if not old:
        return None if new in CHANNELS else (f"is bound to the toolchain {new}", False)
    released, then = _order(old), _order(new)
    if released and then:
        same = released[0] == then[0]
        if same and released[1] <= then[1]:
            return None
        return f"runs with {new} and no longer with {old}", same
    if new in CHANNELS and (new == "stable" if RELEASE.fullmatch(old) else old.startswith(f"{new}-")):
        return None
    return f"runs with {new} and no longer with {old}", False


def _order(name: str) -> tuple[str, list[int]] | None:
    """The channel of a fixed toolchain and its place there; None for what moves."""
    if RELEASE.fullmatch(name):
        return "release", [int(part) for part in name.split(".")]
    dated = DATED.fullmatch(name)
    return (dated[1], [int(part) for part in dated[2].split("-")]) if dated else None
