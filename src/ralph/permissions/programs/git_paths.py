"""What git's operands name: revisions, files of the work tree, files inside a revision.

Rules: a word behind `--` is a pathspec; a word before it may be a revision or a pathspec. `REV:PATH` and `:/PATH` name
a file from the top of the work tree, `REV:./PATH` one from the working folder. A pathspec is a pattern if it has one of
`*?[`; magic other than `top`, `literal`, `glob`, `icase` and exclusion is not known. Spec: policy engine.
"""

from __future__ import annotations

import re

from ralph.permissions.programs.model import Arg
from ralph.record import replace

LONG_MAGIC = re.compile(r":\(([^)]*)\)")
WILD_START = re.compile(r"\*+|\?|\[[^\]]*\]?")
SHORT_MAGIC = re.compile(r":([/!^]+):?")
KNOWN_MAGIC = frozenset({"top", "literal", "glob", "icase", "exclude", ""})


class Named:
    """The files that operands name, collected word by word."""

    def __init__(self) -> None:
        self.reads: list[Arg] = []
        self.maybe: list[Arg] = []
        self.top: list[Arg] = []
        self.unknown: str | None = None

    def pathspec(self, word: Arg) -> None:
        """Take a word that is a pathspec."""
        text = word.text
        if text is None or not text.startswith(":"):
            self.reads += _patterns(word)
            return
        magic = LONG_MAGIC.match(text)
        if magic is not None:
            signs = set(magic[1].split(","))
            if not signs <= KNOWN_MAGIC:
                self.unknown = self.unknown or f"the pathspec `{text}` has magic that Ralph does not know"
            excluded, top = "exclude" in signs, "top" in signs
        else:
            magic = SHORT_MAGIC.match(text)
            if magic is None:
                self.unknown = self.unknown or f"the pathspec `{text}` cannot be read"
                return
            excluded, top = bool({"!", "^"} & set(magic[1])), "/" in magic[1]
        if not excluded:
            (self.top if top else self.reads).extend(_patterns(word.behind(magic.end())))

    def revision_or_path(self, word: Arg) -> None:
        """Take a word before `--`."""
        text = word.text
        if text is None:
            self._unknown_word(word)
        elif text.startswith(":") and text[1:2] in {"/", "!", "^", "("}:
            self.pathspec(word)
        elif ":" in text:
            for place in (place for place, sign in enumerate(text) if sign == ":"):
                self._inside(word.behind(place + 1))
            self.maybe += _patterns(word)
        else:
            self.maybe += _patterns(word)

    def _unknown_word(self, word: Arg) -> None:
        """`"$rev":file` and the like: what stands behind a colon that is not known may be any file."""
        if word.pattern is not None and ":" not in word.pattern:
            self.reads.append(word)
        else:
            self.unknown = self.unknown or "a revision or file is known only at run time"

    def _inside(self, word: Arg) -> None:
        """A path inside a revision, from the top unless it begins with a dot."""
        if word.text and word.text.startswith(("./", "../")):
            self.reads.append(word)
        elif word.text:
            self.top.append(replace(word, text=word.text.lstrip("/")))


def _patterns(word: Arg) -> list[Arg]:
    """A pathspec as git takes it: wildcards are its own matter, although the shell passed them quoted.

    Git's `*` stands for dots at the start and for slashes as well, which a shell's does not: the shell patterns that
    together mean as much, some folders deep, are all named. A backslash only protects the next character.
    """
    text = word.text
    if text is None or not any(sign in text for sign in "*?[\\"):
        return [word]
    return [_as_pattern(each, word) for each in sorted(_meanings(text.replace("\\", "")))]


def _meanings(text: str) -> set[str]:
    deep = {text}
    if "*" in text:
        deep |= {text.replace("*", folders, 1) for folders in ("*/*", "*/*/*", "*/*/*/*")}
    meanings = set(deep)
    for each in deep:
        folder, slash, name = each.rpartition("/")
        start = WILD_START.match(name)
        if start is not None:
            rest = name[start.end() :]
            dotted = {f".*{rest}", rest} if name.startswith("*") else {f".{rest}"}
            meanings |= {f"{folder}{slash}{last}" for last in dotted if last}
    return meanings


def _as_pattern(text: str, word: Arg) -> Arg:
    if not any(sign in text for sign in "*?["):
        return Arg(text, word.span)
    before = re.split(r"[*?\[]", text, maxsplit=1)[0]
    return Arg(None, word.span, before=before, pattern=text, reason="git expands the pattern")
