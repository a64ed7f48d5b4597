"""The words of a command of cargo: what it does, and which packages and features it names.

- After `--` stand words for the compiler or the tests, where `-F` forbids a lint; before it, that is short for
  `--features`.
- `cargo hack check` is a `cargo check` for several sets of features.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ralph.guardrails.config.node import names
from ralph.system.patterns import later

PACKAGE, FEATURES = "cargo --package", "cargo --features"
SPELLED = {PACKAGE: ("-p", "--package"), FEATURES: ("-F", "--features")}
VALUED = frozenset(
    names(
        "-p --package -F --features --depth --skip --exclude --exclude-features --include-features --group-features "
        "--mutually-exclusive-features --manifest-path --target --target-dir --message-format --config --color "
        "--profile --cargo-profile -C -Z -j --jobs --build-jobs --test-threads --retries --status-level --config-file "
        "--tool-config-file"
    )
)
"""Options that are followed by a value."""
BETWEEN = later(r"[,\s]+")


def plain(words: Sequence[str]) -> list[str]:
    """The words that are no options, no values of one and no toolchain."""
    return [word for before, word in pairwise(words) if not word.startswith(("-", "+")) and before not in VALUED]


def verb(words: Sequence[str]) -> str:
    """What a command does: the first of these words."""
    return next((word for word in plain(words) if word != "hack"), "")


def own(words: Sequence[str]) -> list[str]:
    """The words for cargo itself."""
    return list(words[: words.index("--")] if "--" in words else words)


def spelled_out(words: Sequence[str]) -> list[str]:
    said = own(words)
    return [re.sub(r"^-F(?==|$)", "--features", word) for word in said] + list(words[len(said) :])


def named(words: Sequence[str], key: str) -> set[str]:
    """The packages or features that a command names; a feature may have its package before it."""
    found: set[str] = set()
    said = own(words)
    for index, word in enumerate(said):
        option, given, value = word.partition("=")
        if option in SPELLED[key]:
            found |= set(BETWEEN.split(value if given else " ".join(said[index + 1 : index + 2])))
    return {re.split("[@#]", name.rpartition("/")[2])[0] for name in found if name}
