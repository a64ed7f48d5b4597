"""Where a path as it is written really is.

One path has up to three forms, and a rule that denies counts if it names any of them:

- `lexical`: absolute, with `..` removed by words alone (what a person reads);
- `own`: the entry itself, every link above it resolved (what a deletion or a rename acts on);
- `resolved`: with the last link followed as well (what reading and writing act on).

What cannot be told is a `problem`, and nobody vouches for it: characters that hide what is written, another person's
`~`, loops, /proc with its other names for everything, devices, and what is neither file nor folder.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata

from ralph.permissions.path_patterns import Components, components, composed, folded
from ralph.permissions.place import Place
from ralph.record import record

MAX_CHARACTERS = 4096
_HIDING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_STREAMS = re.compile(r"/dev/(?:null|std(?:in|out|err)|fd/[012])")


@record(kw_only=True)
class Located:
    """A path of an action. `root` and `home` are those of the place it was looked up in.

    `links`: how many names a file has (0: none, or a folder). `stream`: it is /dev/null or a standard stream.
    """

    text: str
    root: str
    home: str
    lexical: str
    own: str
    resolved: str
    links: int = 0
    stream: bool = False
    problem: str | None = None
    folded_forms: tuple[Components, ...] = ()
    """The names below the root in each form that lies inside it, as denying rules compare them; () is the root."""
    folded_entry_forms: tuple[Components, ...] = ()
    """The same without what a link leads to."""

    @property
    def relative(self) -> str | None:
        """The resolved path from the root ("." is the root itself); None outside it."""
        below = names_below(self.resolved, self.root)
        return None if below is None else "/".join(below) or "."


def locate(text: str, cwd: str | None, place: Place) -> Located:
    """Look a path up. `cwd` is absolute, None means the root. Never raises: what is wrong is the `problem`."""
    if problem := unreadable(text):
        return _nowhere(text, place, problem)
    if text.startswith("~"):
        user, _, rest = text[1:].partition("/")
        if user:
            return _nowhere(text, place, f"~{user} is a folder that Ralph does not look up")
        text = posixpath.join(place.home, rest)
    absolute = posixpath.join(place.root, cwd or "", text)
    lexical = _normal(absolute)
    if _STREAMS.fullmatch(lexical):
        return Located(
            text=text, root=place.root, home=place.home, lexical=lexical, own=lexical, resolved=lexical, stream=True
        )
    if (system := components(lexical)[:1]) and system[0] in ("proc", "sys", "dev"):
        return _nowhere(text, place, f"/{system[0]} holds devices and other names for files of the whole system")
    try:
        return _looked_up(text, absolute, lexical, place)
    except (OSError, ValueError) as error:
        return _nowhere(text, place, f"it cannot be looked up ({getattr(error, 'strerror', None) or error})", lexical)


def unreadable(text: str) -> str | None:
    """Why a person or a program could take this text for something else than it is."""
    if not text:
        return "it is empty"
    if len(text) > MAX_CHARACTERS:
        return f"it is longer than {MAX_CHARACTERS} characters"
    if text.isascii() and text.isprintable():
        return None
    if any(unicodedata.category(sign) in _HIDING or (sign.isspace() and sign != " ") for sign in text):
        return "it holds characters that cannot be seen"
    return None


def names_below(path: str, folder: str) -> Components | None:
    """The names that lead from a folder to a path, both absolute and normal; None if it is not below."""
    if folder == "/":
        return components(path)
    if path == folder:
        return ()
    return components(path[len(folder) :]) if path.startswith(f"{folder}/") else None


def _looked_up(text: str, absolute: str, lexical: str, place: Place) -> Located:
    files = place.files
    resolved = _normal(files.resolve(absolute))
    name = posixpath.basename(absolute.rstrip("/"))
    is_entry = name not in ("", ".", "..")
    folder = _normal(files.resolve(posixpath.dirname(absolute.rstrip("/")) or "/")) if is_entry else resolved
    own = posixpath.join(folder, name) if is_entry else resolved
    # A slash behind a link's name means the folder it leads to, to most programs.
    own = resolved if absolute.endswith("/") else own
    return Located(
        text=text,
        root=place.root,
        home=place.home,
        lexical=lexical,
        own=own,
        resolved=resolved,
        links=0 if files.is_directory(resolved) else files.links(resolved),
        folded_forms=_folded(place.root, resolved, own, lexical),
        folded_entry_forms=_folded(place.root, own, lexical),
    )


def _folded(root: str, *paths: str) -> tuple[Components, ...]:
    inside = (names_below(path, root) for path in dict.fromkeys(paths))
    return tuple(tuple(folded(name) for name in names) for names in inside if names is not None)


def _normal(path: str) -> str:
    """POSIX keeps two leading slashes apart from one; Linux and macOS do not."""
    return "/" + posixpath.normpath(path).lstrip("/")


def _nowhere(text: str, place: Place, problem: str, lexical: str = "") -> Located:
    return Located(
        text=text,
        root=place.root,
        home=place.home,
        lexical=lexical,
        own=lexical,
        resolved=lexical,
        problem=problem,
    )


def as_composed(form: Components) -> Components:
    return tuple(composed(name) for name in form)
