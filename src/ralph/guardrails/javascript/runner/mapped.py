"""A file in the place of a module that the project has (policy set v2, class G08).

Rules, for a mapping that the change adds to what a runner, a bundler, a compiler or Node looks names up in:

- A pattern that names a module of the project, and leads to another one, blocks: to a file of another name, or to one
  among fakes and mocks.
- So does a file of the same name that the change brings, or that stands among tests, if somebody still asks for the
  module and it is still there: by a relative path that leads to it, or by an alias that led to it at the base.
- What a package says for a condition of tests alone (`imports: {"#cart": {"test": …}}`) counts as a runner's own.
- The source of a package of the project may stand for it, by its name (`@shop/cart`, `../cart/src/index.ts`).
- A whole prefix (`^@/(.*)$`) takes modules away only where it did the same before for what it takes away now; styles,
  pictures, packages and modules that moved are what mappings are for.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice

from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.readers import SCRIPT_SUFFIXES
from ralph.guardrails.config.side import Side, resolve
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import stem
from ralph.guardrails.model import Change
from ralph.record import record
from ralph.system.patterns import later

SUFFIXES = (*SCRIPT_SUFFIXES, ".jsx", ".tsx", ".json")
ASSET = later(r"\\?\.\(?(?:\w+\|)*(?:css|less|s[ac]ss|svg|png|jpe?g|gif|webp|woff2?|ttf|eot|mp[34]|md|graphql|html)\b")
PRETENDS = later(r"(?i)mock|fake|stub|dummy|fixture|double")
ASIDE = later(
    r"(?i)(?:^|/)(?:[\w.-]*(?:tests?|specs?|mocks?|fakes?|stubs?|doubles?|fixtures?|canned)(?:[-_.][\w.-]*)?|support)/"
)
_META = later(r"[(\[{|*+?)\]}]")
_ANYTHING = later(r"\.[*+]|\[\^")
_PART = later(r"\$(?:\d|\{\d+\}|&)")
IMPORTS = later(rb"(?:\bfrom|\bimport|\b(?:require|import|requireActual|importActual)\s*\()\s*[\"'`]([^\"'`\n]+)[\"'`]")
ENDINGS = ("js", "ts", "jsx", "tsx", "index", "mjs", "cjs", "mts", "cts")
ENTRIES = frozenset({"index", "main", "mod"})
MOST_FILES = 400


@record
class Mapping:
    """`key` is a pattern, an alias or a name; `value` what it leads to; `path` the file that says so."""

    key: str
    value: str
    path: str

    @property
    def is_whole(self) -> bool:
        """It leads to as many files as there are."""
        return _PART.search(self.value) is not None

    def leads_to(self, side: Side) -> str | None:
        """The project's file that it always leads to."""
        return None if self.is_whole else target(self.value, self.path, side)

    def directory(self, side: Side) -> str | None:
        """The folder that everything leads to, with a slash behind it."""
        match = re.search(r"\.{1,2}/[\w./@-]*", _local(_PART.split(self.value)[0]))
        if match is None:
            return None
        found = posixpath.normpath(posixpath.join(posixpath.dirname(self.path), match[0]))
        return f"{found}/" if found in side.directories and found != "." else None

    def covers(self, name: str, *, whole: bool) -> bool:
        plain = self.key.replace("\\", "").strip("/")
        lead = _META.split(plain.lstrip("^").rstrip("$"))[0]
        rest = plain.lstrip("^")[len(lead) :]
        if rest[:1] in ("?", "*", "{"):
            lead = lead[:-1]
        if (plain.startswith("^") or not rest) and not name.startswith(lead) and plain.strip("^$") != _name(name):
            return False
        return whole or _ANYTHING.search(plain) is not None or _name(name) in re.findall(r"[\w-]+", plain)


def target(value: str, path: str, side: Side) -> str | None:
    """The project's file that a value names."""
    local = _local(value)
    if re.fullmatch(r"[\w@-][\w.@-]*(?:/[\w.@-]+)+\.[cm]?[jt]sx?", local):
        return resolve(side.paths, path, f"./{local}", SUFFIXES)
    match = re.search(r"\.{0,2}/[\w./@-]+|^[\w@-]+\.[cm]?[jt]sx?$", local)
    if match is None or (not local.startswith((".", "/")) and match.start() == 0 and "/" in value and "." not in value):
        return None
    text = match[0] if match[0].startswith(".") else f"./{match[0].lstrip('/')}"
    return resolve(side.paths, path, text, SUFFIXES)


def _local(value: str) -> str:
    """As it would be written beside the configuration: `<rootDir>`, `__dirname` and parts that are joined gone."""
    plain = value.replace("\\", "")
    joined = re.sub(r"(?<=\w)[\"'`]\s*,\s*[\"'`](?=\w)", "/", plain)
    return re.sub(r"^<rootDir>/|^.*?__dirname\s*,?\s*[\"'`]?/?(?:\./)?", "./", joined)


def hides(mapping: Mapping, to: str | None, side: Side) -> bool:
    """The pattern names a module that the project has, and leads to something of another name."""
    if mapping.is_whole or ASSET.search(mapping.key) or to is None:
        return False
    pattern = mapping.key.replace("\\", "").replace("^", "").replace("$", "")
    names = re.findall(r"[\w-]+", pattern)
    name = next((each for each in reversed(names) if each not in ENDINGS), None)
    pretends = PRETENDS.search(to) is not None
    if name is None or (not re.search(r"[/.@~#]", pattern) and not pretends):
        return False
    if not pretends and _is_entry(to, pattern, side):
        return False
    own = [other for other in side.paths if stem(other) == name and other != to and is_module(other)]
    return bool(own) and (stem(to) != name or pretends)


def _is_entry(path: str, package: str, side: Side) -> bool:
    """The source with which a package of the project begins that has this name: what others would load of it, built."""
    if posixpath.basename(path).partition(".")[0] not in ENTRIES or ASIDE.search(path):
        return False
    folder = posixpath.dirname(path)
    while folder and f"{folder}/package.json" not in side.paths:
        folder = posixpath.dirname(folder)
    node = side.node(f"{folder}/package.json") if folder else None
    said = node.at("name") if node is not None else None
    return said is not None and canonical(said) == package


def takes_place(mapping: Mapping, known: Callable[[], Sequence[Mapping]], side: Side, change: Change) -> str | None:
    """The file of a module's own name that those get who ask for the module; None for no such."""
    if ASSET.search(mapping.key) or "node_modules/" in mapping.value:
        return None
    added = {file.path for file in change.files if file.status == "A"}
    folder = mapping.directory(side)
    one = mapping.leads_to(side)
    below = (path for path in side.paths if folder and path.startswith(folder) and path.endswith(SUFFIXES[:-1]))
    found: list[str] = [*([one] if one else ()), *sorted(below)]
    there = change.blobs.paths_before()
    for each in found[:MOST_FILES]:
        if not is_aside(each, mapping.path) and not (each in added and is_module(each)):
            continue
        names = {stem(each), *(re.findall(r"[\w-]+", mapping.key) if each == one else ())}
        own = [path for path in side.paths if path != each and stem(path) in names and path in there]
        own = [path for path in own if is_module(path) and not (folder and path.startswith(folder))]
        if own and _asked(mapping, own, known, side, change, whole=each != one):
            return each
    return None


def _asked(
    mapping: Mapping,
    own: Sequence[str],
    known: Callable[[], Sequence[Mapping]],
    side: Side,
    change: Change,
    *,
    whole: bool,
) -> bool:
    """Somebody asks for one of the modules by a name that the mapping answers."""
    names = {stem(path) for path in own}
    named = resolve(side.paths, mapping.path, re.sub(r"^\^|\$$", "", mapping.key), SUFFIXES)
    for path, asked in _imports(side, names):
        if _name(asked) not in names:
            continue
        if asked.startswith(".") and named in own and resolve(side.paths, path, asked, SUFFIXES) == named:
            return True
        if not mapping.covers(asked, whole=whole):
            continue
        if asked.startswith("."):
            if path not in own and resolve(side.paths, path, asked, SUFFIXES) in own:
                return True
        elif _is_below(path, mapping.path) and any(
            _is_below(path, each.path) and _led(each, asked, own, change) for each in known()
        ):
            return True
    return False


def _imports(side: Side, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(file, what it asks for) of files that may ask for one of the names, those of tests first."""
    words = [name.encode() for name in names]
    scripts = (path for path in side.paths if path.endswith(SUFFIXES[:-1]) and "node_modules/" not in path)
    for path in islice(sorted(scripts, key=lambda path: (not is_test_file(path), path)), MOST_FILES):
        data = side.bytes(path)
        if data is not None and any(word in data for word in words):
            yield from ((path, match[1].decode("utf-8", "replace")) for match in IMPORTS.finditer(data))


def asked_by_tests(names: set[str], change: Change) -> bool:
    """A test asks for a module of the project of such a name."""
    side = Side(change.blobs.after, change.blobs.paths_after())
    for path, asked in _imports(side, names) if names else ():
        to = resolve(side.paths, path, asked, SUFFIXES) if asked.startswith(".") and is_test_file(path) else None
        if to is not None and stem(to) in names and is_module(to) and not ASIDE.search(to):
            return True
    return False


def is_aside(path: str, config: str) -> bool:
    """Among tests or fakes, as the project sees it that the configuration is of."""
    folder = posixpath.dirname(config)
    return ASIDE.search(path.removeprefix(f"{folder}/")) is not None


def _is_below(path: str, config: str) -> bool:
    folder = posixpath.dirname(config)
    return not folder or path.startswith(f"{folder}/")


def _led(mapping: Mapping, asked: str, own: Sequence[str], change: Change) -> bool:
    """At the base the alias led to one of the modules."""
    before = Side(change.blobs.before, change.blobs.paths_before())
    folder = mapping.directory(before)
    one = mapping.leads_to(before)
    if one is not None and one in own:
        return mapping.covers(asked, whole=False)
    ends = tuple(f"/{_name(asked)}{end}" for end in chain(SUFFIXES, (f"/index{end}" for end in SUFFIXES)))
    below = any(folder and path.startswith(folder) and path.endswith(ends) for path in own)
    return below and mapping.covers(asked, whole=True)


def _name(specifier: str) -> str:
    return stem(specifier).lstrip("#@~")


def is_module(path: str) -> bool:
    return path.endswith(SUFFIXES[:-1]) and not is_test_file(path) and "node_modules/" not in path
