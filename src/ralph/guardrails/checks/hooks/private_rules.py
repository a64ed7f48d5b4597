"""Attributes, ignored files and drivers of diffs that a command sets outside of the tree (policy set v2, class G18).

Rules:

- What is written to `.git/info/attributes`, or to the file that `core.attributesFile` names, hides what the same lines
  would hide in a `.gitattributes`; where the command does not say what it writes, the lines of its file tell, or those
  of the file of the tree that it copies.
- What is written to `.git/info/exclude`, or named by `core.excludesFile`, keeps source code of the tree from tools that
  ask git: it blocks for what is there or for any; another file of that kind is for a person. Files of one's own are
  what it is for.
- A driver for diffs that shows nothing hides what it is for. Settings of a user (`--global`, a file in the home folder)
  are nobody else's.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.hooks.files import WRITTEN
from ralph.guardrails.config.side import Side
from ralph.guardrails.hiding.attributes import Tree, judged_text
from ralph.guardrails.hiding.gitpatterns import About, about, holds_source
from ralph.guardrails.hiding.ignores import LOCAL, USUAL
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

Found = tuple[str, str]
PRIVATE = later(r"(?:^|[/\s\"'])info/(?P<kind>attributes|exclude)\b")
SETTING = later(r"(?i)^core\.(?P<kind>attributes|excludes)file$")
OWN = later(r"^(?:~|\$\{?(?:HOME|XDG_CONFIG_HOME)\b|/dev/null$|$)")
USERS = frozenset(("--global", "--system"))
READS = frozenset(("--get", "--unset", "--unset-all", "--get-all", "-l", "--list", "get", "unset"))
DRIVER = later(r"(?i)^diff\.(?:external|[\w.-]+\.(?:command|textconv))$")
NOTHING = later(r"^(?:/(?:usr/)?bin/)?(?:true|:|false|echo|printf|exit)\b|^:$|/dev/null")
OUTSIDE = later(r"^[\"']?(?:\$\([^)]*\)|\$\{?\w+\}?)/|^(?:\.\./)+|[\"']")
"""What stands before the path of a file in the tree: its root, or the way back from where a link lies."""
QUOTED = later(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'")
ECHOED = later(r"^\s*echo\s+(?:-\w+\s+)*([^\"'|>&;]+)")
UNWATCHED = later(r"\bgit\b.*\bupdate-index\b.*--(?:assume-unchanged|skip-worktree)")
INTERPRETERS = later(r"(?:python|node|ruby|perl)[\d.]*")
WRITES = later(r"write|append|['\"][aw]\+?b?['\"]|>>")
COPIERS = frozenset(("cp", "mv", "ln", "install", "cat", "tee"))


def private_rules(words: Sequence[str], line_text: str, path: str, side: Side) -> Iterator[Found]:
    """What a command (see `spoken`) of this file hides so; `line_text`: the line it stands on."""
    program, shown = words[0].rpartition("/")[2], cut(" ".join(words), 120)
    if program == "git":
        yield from _configured(words[1:], shown, path, side)
    elif program == WRITTEN and (found := PRIVATE.search(words[1])):
        yield from _judged(found["kind"], words[2], _copied(words[2].split(), path, side), path, side)
    elif program in COPIERS and len(words) > 1 and (found := PRIVATE.search(words[-1])):
        known = line_text if program == "tee" else ""
        yield from _judged(found["kind"], known, _copied(words[:-1], path, side), path, side)
    elif program in ("xargs", "find", "parallel") and UNWATCHED.search(shown):
        yield "vcs.changes-hidden", shown
    elif INTERPRETERS.fullmatch(program) and (found := PRIVATE.search(shown)) and WRITES.search(shown):
        yield from _judged(found["kind"], " ".join(words), None, path, side)
    elif program == "sed" and (found := PRIVATE.search(words[-1])):
        yield from _judged(found["kind"], "", None, path, side)


def hides_diffs(name: str, value: str) -> bool:
    """A variable by which git shows no diff."""
    return name == "GIT_EXTERNAL_DIFF" and NOTHING.search(value) is not None


def _configured(words: Sequence[str], shown: str, path: str, side: Side) -> Iterator[Found]:
    given = [words[index + 1].partition("=") for index, word in enumerate(words[:-1]) if word == "-c"]
    settings = [(name, value) for name, _, value in given]
    rest = [word for word in words if not word.startswith("-")]
    if "config" in rest and not READS & set(words):
        after = [word for word in rest[rest.index("config") + 1 :] if word not in ("set", "add")]
        named = next((index for index, word in enumerate(after) if "." in word and "/" not in word), None)
        settings += [(after[named], " ".join(after[named + 1 :]))] if named is not None else []
    for name, value in settings:
        if DRIVER.match(name) and value and NOTHING.search(value):
            yield "hidden.from-review", shown
        elif name.lower() == "core.ignorestat" and value.lower() in ("true", "1", "yes"):
            yield "vcs.changes-hidden", shown
        elif (found := SETTING.match(name)) and not OWN.match(value) and not USERS & set(words):
            kind = found["kind"].lower().replace("excludes", "exclude")
            yield from _judged(kind, "", _copied([value], path, side), path, side)


def _copied(words: Sequence[str], path: str, side: Side) -> str | None:
    """The text of a file of the tree that a command names."""
    for word in words:
        name = OUTSIDE.sub("", word)
        for folder in (posixpath.dirname(path), ""):
            text = side.text(posixpath.normpath(posixpath.join(folder, name))) if "." in name or "/" in name else None
            if text is not None:
                return text
    return None


def _judged(kind: str, said: str, copied: str | None, path: str, side: Side) -> Iterator[Found]:
    if kind == "attributes":
        texts = [copied] if copied is not None else ["\n".join(_rows(text)) for text in (said, side.text(path) or "")]
        found = (list(judged_text(text.encode(), Tree(side.paths, side.paths))) for text in texts)
        yield from next(filter(None, found), [("hidden.attribute", "attributes outside of the tree")])
        return
    patterns = copied.splitlines() if copied is not None else list(_rows(said))
    for pattern in map(str.strip, patterns):
        if (rule := _of_pattern(pattern, side)) is not None:
            yield rule, pattern


def _of_pattern(pattern: str, side: Side) -> str | None:
    if not pattern or pattern.startswith(("!", "#")) or " " in pattern or USUAL.match(pattern) or LOCAL.search(pattern):
        return None
    if holds_source(pattern, "", side.paths):
        return "hidden.ignored"
    if about(pattern) is not About.SOURCE:
        return None
    return "hidden.ignored" if "*" in pattern or pattern.endswith("/") else "hidden.ignored-shown"


def _rows(text: str) -> Iterator[str]:
    """The lines that a text of the shell may write: what is quoted, what `echo` is given, and here documents."""
    for match in QUOTED.finditer(text):
        yield from (match[1] or match[2] or "").replace("\\n", "\n").split("\n")
    for line in text.split("\n"):
        if echoed := ECHOED.match(line):
            yield echoed[1].strip()
    if "<<" in text:
        yield from text.split("\n")[1:-1]
