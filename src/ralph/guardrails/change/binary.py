"""Which files are looked at line by line, though git sees a NUL in them and calls them binary.

Git's rule stands for everything else: binary is what has a NUL among its first 8000 bytes. But most tools run or read
a text with a NUL in a comment like any other, so a NUL must not hide its lines. Such a file is text all the same if

- its name is one that tools read as source or configuration, or
- it begins with `#!`, or
- it would be plain text without its NULs (which is how UTF-16 without a byte order mark looks, too).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from ralph.guardrails.languages import language_of
from ralph.system.patterns import later

HEAD_BYTES = 8000
"""How far git looks for a NUL."""

_SUFFIXES = later(
    r"\.(bat|bazel|bzl|cfg|cmake|cmd|conf|csproj|css|dockerfile|env|gradle|groovy|html?|ini|json[5c]?|less|lock|lua|make"
    r"|mdx?|mk|mod|nix|p[lm]|properties|props|psm?1|r|rst|s[ac]ss|scala|sql|sum|svg|swift|targets|tf|tfvars|toml|txt|xml"
    r"|ya?ml)"
)
_NAMES = later(
    r"(gnu)?makefile|dockerfile|containerfile|jenkinsfile|procfile|justfile|vagrantfile|codeowners|build|workspace"
    r"|\.env(\..*)?|\..*rc|\..*ignore|\.gitattributes|\.gitmodules|\.editorconfig|\.bash_profile|\.profile"
)
_NEVER_IN_TEXT = later(rb"[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f]")


def is_text_all_the_same(path: str, beginnings: Iterable[bytes]) -> bool:
    """True if a file with a NUL is looked at line by line; `beginnings` are the first bytes of each of its sides."""
    pure = PurePosixPath(path)
    if language_of(path) or _SUFFIXES.fullmatch(pure.suffix.lower()) or _NAMES.fullmatch(pure.name.lower()):
        return True
    sides = list(beginnings)
    return any(side.startswith(b"#!") for side in sides) or all(_would_be_text(side) for side in sides)


def _would_be_text(beginning: bytes) -> bool:
    rest = beginning[:HEAD_BYTES].replace(b"\0", b"")
    try:
        rest.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(rest) - 3:  # not only a character that is cut at the end
            return False
    return bool(rest) and not _NEVER_IN_TEXT.search(rest)
