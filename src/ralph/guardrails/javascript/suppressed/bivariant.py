"""Members of types that may be given a narrower function from now on (policy set v2, class G01): TypeScript.

    handle: (event: E) => void;   // became `handle(event: E): void;`

`strictFunctionTypes` looks at the former alone: a member that is written as a method may be given a function that takes
less than it will be called with. Rule: a member of the same name, parameters and answer that is a method now is shown,
where a parameter is more than a text or a number; a person tells a matter of style from an error that went away. So is
a new type that is named for the trick (`bivarianceHack`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.system.patterns import later

RULE = "js.cast-any"
LANGUAGES = (".ts", ".tsx", ".mts", ".cts")
MEMBER = later(
    r"(?:readonly\s+)?(?P<name>\w+\??)\s*:\s*(?P<generic><[^<>()]*>)?\((?P<takes>[^()]+)\)\s*=>(?P<gives>[^;,{}=]+)[;,]?"
)
METHOD = later(r"(?P<name>\w+\??)(?P<generic><[^<>()]*>)?\((?P<takes>[^()]+)\)\s*:(?P<gives>[^;,{}=]+)[;,]?")
PLAIN = frozenset({"string", "number", "boolean", "bigint", "symbol", "undefined", "null", "unknown", "any"})
TRICK = later(r"\bbivarianceHack\b")


def bivariant(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or file.binary or not file.path.endswith(LANGUAGES) or not is_product(file.path):
            continue
        for hunk in file.hunks:
            if not any(b"=>" in line for line in hunk.removed) and not any(b"Hack" in line for line in hunk.added):
                continue
            old, new = _texts(hunk.removed), _texts(hunk.added)
            gone = {_said(match) for text in old if (match := MEMBER.fullmatch(text)) is not None}
            known = any(map(TRICK.search, old))
            for number, text in enumerate(new, hunk.new_start):
                match = METHOD.fullmatch(text) if gone else None
                if match is not None and _said(match) in gone and not _is_plain(match["takes"]):
                    detail = f"{match['name']} may be given a function that takes less"
                    yield hit_at(RULE, file.path, number, detail, text, key=match["name"])
                elif not known and TRICK.search(text):
                    yield hit_at(RULE, file.path, number, "a function may be given one that takes less", text)


def _texts(lines: Sequence[bytes]) -> list[str]:
    return [line.decode("utf-8", "replace").strip() for line in lines]


def _said(match: re.Match[str]) -> str:
    return "".join(f"{match['name']}{match['generic'] or ''}({match['takes']}){match['gives']}".split())


def _is_plain(takes: str) -> bool:
    """None of the parameters is more than a text, a number and the like."""
    kinds = re.findall(r":([^,:]+)", takes)
    return bool(kinds) and all(word.strip() in PLAIN for kind in kinds for word in kind.split("|"))
