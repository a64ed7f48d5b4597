"""The words of a command of cargo: what it does, and which packages and features it names.

- After `--` stand words for the compiler or the tests, where `-F` forbids a lint; before it, that is short for
  `--features`.
- `cargo hack check` is a `cargo check` for several sets of features.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.guardrails.config.node import names
from ralph.system.patterns import later

PACKAGE, FEATURES = "cargo --package", "cargo --features"
SPELLED = {PACKAGE: ("-p", "--package"), FEATURES: ("-F", "--features")}
VALUED = frozenset(
    names(
        "-p --package -F --features --depth --skip --exclude --exclude-features --include-features --group-features "
        "--mutually-exclusive-features --manifest-path --target --config --color --profile -Z -j --jobs"
    )
)
BETWEEN = later(r"[,\s]+")


def verb(words: Sequence[str]) -> str:
    """What a command does: the first word that is no option, no value of one and no toolchain."""
    before = ""
    for word in words[1:]:
        if not word.startswith(("-", "+")) and before not in VALUED and word != "hack":
            return word
        before = word
    return ""


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
