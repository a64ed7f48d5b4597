"""Programs that list files of the tree: what they print, as far as the tree tells it.

`git ls-files` with pathspecs, `git ls-tree`, `find`, `fd`, `rg --files`, `ls` and `echo` of patterns that the shell
puts files in the place of, `go list`. None is a list of which only running could tell.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.checks.lists import finds
from ralph.guardrails.checks.lists.expressions import compiled
from ralph.guardrails.checks.lists.model import Entries, Entry, ReadText, Words
from ralph.guardrails.config.patterns import written_out
from ralph.system.globs import matches_any
from ralph.system.patterns import later

MAGIC = later(r":(?:\((?P<long>[^)]*)\)|(?P<short>[!^/]*):?)(?P<text>.*)")
UNKNOWN = frozenset(("diff", "diff-tree", "grep"))
"""Commands of git whose lists only running could tell."""
UNTOLD = frozenset(("-d", "-m", "-u", "-o", "--deleted", "--modified", "--unmerged", "--others"))
FD_VALUES = frozenset(("-e", "--extension", "-E", "--exclude", "-t", "--type", "-d", "--max-depth", "-j", "-c", "-S"))
RUNS = frozenset(("-x", "-X", "--exec", "--exec-batch"))
RG_VALUES = frozenset(("-g", "--glob", "--iglob", "-t", "--type", "-T", "--type-not"))
MODULE = later(r"(?m)^module\s+(\S+)")
FINDS, FDS = frozenset(("find", "gfind", "bfs")), frozenset(("fd", "fdfind"))
ECHOES = frozenset(("ls", "echo", "printf"))
MAY_LIST = later(
    r"\bfor\s+\w+\s+in\b[^\n]*\*|\b(?:ls-files|ls-tree|git diff|git grep|find|fd|fdfind|rg|ls|echo|printf|list|bfs)\b"
)


def lists(words: Words) -> bool:
    """True for a command that lists files or packages."""
    if not words:
        return False
    name, rest = words[0].rpartition("/")[2], words[1:]
    return (
        (name in FINDS | FDS)
        or (name == "git" and bool({"ls-files", "ls-tree", *UNKNOWN} & set(rest)))
        or (name == "rg" and "--files" in rest)
        or (name == "go" and rest[:1] == ["list"] and "-m" not in rest)
        or (name in ECHOES and any(re.search(r"[*?]", word) for word in rest))
    )


def listed(words: Words, paths: Sequence[str], text_of: ReadText) -> Entries | None:
    """What such a command prints. `paths`: all of the tree, in order."""
    name, rest = words[0].rpartition("/")[2], list(words[1:])
    if name in FINDS:
        return finds.found(words, paths)
    if name in FDS:
        return _fd(rest, paths)
    if name == "git":
        return _git(rest, paths)
    if name == "rg":
        return _rg([word for word in rest if word != "--files"], paths)
    if name == "go":
        return _go(rest[1:], paths, text_of)
    return _shell([word for word in rest if not word.startswith("-")], paths)


def _git(words: Words, paths: Sequence[str]) -> Entries | None:
    verb = next((word for word in words if word in ("ls-files", "ls-tree")), "")
    if (
        not verb
        or "-C" in words
        or (verb == "ls-files" and UNTOLD & set(words) and not {"-c", "--cached"} & set(words))
    ):
        return None
    rest = iter(words[list(words).index(verb) + 1 :])
    specs: list[str] = []
    for word in rest:
        if word in ("-x", "-X", "--exclude", "--exclude-from"):
            next(rest, "")
        elif not word.startswith("-"):
            specs.append(word)
    if verb == "ls-tree":
        specs = specs[1:]
    taken = [text for spec in specs if (text := without(spec)) is not None]
    kept = [MAGIC.sub(r"\g<text>", spec) for spec in specs if without(spec) is None]
    if any("$" in spec for spec in specs):
        return None
    return [
        Entry(path, path)
        for path in paths
        if (not kept or any(_is_in(spec, path) for spec in kept)) and not any(_is_in(spec, path) for spec in taken)
    ]


def without(spec: str) -> str | None:
    """What a pathspec leaves out: `:!x`, `:^x`, `:(exclude)x`."""
    match = MAGIC.fullmatch(spec)
    if match is None or not (set("!^") & set(match["short"] or "") or "exclude" in (match["long"] or "")):
        return None
    return match["text"]


def _is_in(spec: str, path: str) -> bool:
    """A folder, a file, or a pattern whose stars cross folders."""
    plain = posixpath.normpath(spec) if spec else "."
    if plain == "." or path == plain or path.startswith(f"{plain}/"):
        return True
    return fnmatchcase(path, plain) or fnmatchcase(path, f"{plain.removesuffix('/**')}/*")


def _fd(words: Words, paths: Sequence[str]) -> Entries | None:
    endings, taken, plain, rest = list[str](), list[str](), list[str](), iter(words)
    deep = 0
    for word in rest:
        if word in RUNS:
            break
        option, given, value = word.partition("=") if word.startswith("--") else (word, "", "")
        value = (value if given else next(rest, "")) if option in FD_VALUES else ""
        endings += [f".{value.lstrip('.')}"] if option in ("-e", "--extension") else []
        taken += [value] if option in ("-E", "--exclude") else []
        deep = int(value) if option in ("-d", "--max-depth") and value.isdigit() else deep
        plain += [word] if not word.startswith("-") else []
    form = compiled("" if plain[:1] == ["."] else plain[0]) if plain else None
    if plain and plain[0] != "." and form is None and not {"-g", "--glob"} & set(words):
        return None
    found = _shell(plain[1:] or ["."], paths)
    return found and [
        entry
        for entry in found
        if (not endings or entry.path.endswith(tuple(endings)))
        and not matches_any(entry.path, tuple(_anywhere(taken)))
        and (not deep or entry.path.count("/") < deep)
        and (not plain or plain[0] == "." or _is_named(entry.path, plain[0], form, words))
    ]


def _is_named(path: str, text: str, form: re.Pattern[str] | None, words: Words) -> bool:
    name = posixpath.basename(path)
    if {"-g", "--glob"} & set(words):
        return fnmatchcase(name, text)
    return form is not None and form.search(path if {"-p", "--full-path"} & set(words) else name) is not None


def _rg(words: Words, paths: Sequence[str]) -> Entries | None:
    globs, places, rest = list[str](), list[str](), iter(words)
    for word in rest:
        option, given, value = word.partition("=") if word.startswith("--") else (word, "", "")
        value = (value if given else next(rest, "")) if option in RG_VALUES else ""
        if option in ("-t", "--type", "-T", "--type-not", "--iglob"):
            return None
        globs += [value] if option in ("-g", "--glob") else []
        places += [word] if not word.startswith("-") else []
    kept = tuple(_anywhere(glob for glob in globs if not glob.startswith("!")))
    taken = tuple(_anywhere(glob[1:] for glob in globs if glob.startswith("!")))
    found = _shell(places or ["."], paths)
    return found and [
        entry for entry in found if (not kept or matches_any(entry.path, kept)) and not matches_any(entry.path, taken)
    ]


def _anywhere(globs: Iterable[str]) -> Iterator[str]:
    """As of a `.gitignore`: one without a slash holds at any depth, and for what lies in a folder, too."""
    for glob in globs:
        plain = glob.strip("/").removesuffix("/**")
        anchored = plain if "/" in glob.strip("/") else f"**/{plain}"
        yield from (anchored, f"{anchored}/**")


def _shell(words: Sequence[str], paths: Sequence[str]) -> Entries | None:
    """Words that name files or folders, or patterns of them."""
    found: dict[str, Entry] = {}
    for glob in (each for word in words for each in written_out(word)):
        plain = posixpath.normpath(glob)
        if "$" in glob:
            return None
        deep = plain.count("/")
        for path in paths:
            part = "/".join(path.split("/")[: deep + 1])
            crosses = "**" in plain and matches_any(path, (plain,))
            if plain == "." or crosses or fnmatchcase(part, plain):
                found.setdefault(path, Entry(path, path))
    return list(found.values())


def _go(words: Words, paths: Sequence[str], text_of: ReadText) -> Entries | None:
    rest = iter(words)
    places: list[str] = []
    for word in rest:
        if word in ("-f", "-tags"):
            next(rest, "")
        elif not word.startswith("-"):
            places.append(word.removeprefix("./"))
    if any("$" in place for place in places):
        return None
    module = MODULE.search(text_of("go.mod") or "")
    root = module[1] if module is not None else "x"
    folders = dict.fromkeys(posixpath.dirname(path) for path in paths if path.endswith(".go"))
    return [
        Entry(folder, f"{root}/{folder}" if folder else root)
        for folder in folders
        if any(_is_package(place, folder) for place in places or ["."])
    ]


def _is_package(place: str, folder: str) -> bool:
    if place in ("...", "all"):
        return True
    if place.endswith("/..."):
        return folder == place[:-4] or folder.startswith(f"{place[:-4]}/")
    return folder == place.rstrip("/") or (place == "." and not folder)
