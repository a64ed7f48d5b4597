"""What takes some of a list away: `grep -v`, `awk '!/x/'`, `sed /x/d`, `head`; and what leaves it as it is.

A program that is none of these makes something that only running could tell: None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.lists.expressions import compiled
from ralph.guardrails.checks.lists.model import Entries, Entry, ReadText, Words
from ralph.record import record
from ralph.system.patterns import later

SAME = frozenset(("sort", "uniq", "cat", "tee", "tr", "shuf", "gsort", "xargs", "parallel", "nl"))
GREPS = {"grep": True, "ggrep": True, "egrep": False, "rg": False, "fgrep": False, "ag": False}
"""Programs, and whether they read expressions in the older form."""
AWKS = frozenset(("awk", "gawk", "mawk"))
SEDS = frozenset(("sed", "gsed"))
AWK_TERM = later(r"(?P<no>!?)\s*/(?P<text>(?:\\/|[^/])+)/|\$0\s*(?P<sign>!?~)\s*/(?P<other>(?:\\/|[^/])+)/")
AWK_REST = later(r"(?:\s|&&|\(|\)|\{\s*print(?:\s+\$0)?\s*(?:;\s*)?\})*")
SED_TERM = later(r"\\?(?P<mark>[/|#,])(?P<text>(?:\\/|(?!(?P=mark)).)+)(?P=mark)\s*(?P<no>!?)(?P<what>[dp])")
SED_CHANGE = later(r"s(?P<mark>[^\w\s]).*?(?P=mark).*?(?P=mark)\w*")
PERL_TERM = later(r"print\s+(?P<word>if|unless)\s*(?P<no>!?)\s*m?/(?P<text>(?:\\/|[^/])+)/;?")
NUMBER = later(r"(?:-n\s*|--lines=|-)(?P<number>\+?\d+)")


@record
class Filter:
    """`takes`: the expressions of which one that matches takes an entry away; `keeps`: one of these must match."""

    takes: tuple[re.Pattern[str], ...] = ()
    keeps: tuple[re.Pattern[str], ...] = ()
    first: int | None = None
    """Only so many of the list's first entries."""
    without: int = 0
    """Not so many of the first."""

    def of(self, entries: Entries) -> Entries:
        found = [entry for entry in entries if self._lets(entry)]
        return found[self.without : None if self.first is None else self.without + self.first]

    def _lets(self, entry: Entry) -> bool:
        kept = not self.keeps or any(form.search(entry.printed) for form in self.keeps)
        return kept and not any(form.search(entry.printed) for form in self.takes)


def filter_of(words: Words, text_of: ReadText) -> Filter | None:
    """What a program in the middle of a pipeline does to a list."""
    name = words[0].rpartition("/")[2]
    if name in SAME:
        return Filter()
    if name in GREPS:
        return _grep(name, words[1:], text_of)
    if name in AWKS:
        return _read(_awk(words[1:]))
    if name in SEDS:
        return _read(_sed(words[1:]))
    if name == "perl":
        return _read(_perl(words[1:]))
    if name in ("head", "tail"):
        return _part(name, words[1:])
    return None


def _grep(name: str, words: Words, text_of: ReadText) -> Filter | None:
    texts: list[str] = []
    inverted = fixed = whole = word = folded = False
    basic, plain, rest = GREPS[name], list[str](), iter(words)
    for each in rest:
        if each.startswith("--"):
            option, _, value = each.partition("=")
            inverted |= option == "--invert-match"
            fixed |= option == "--fixed-strings"
            folded |= option == "--ignore-case"
            texts += [value or next(rest, "")] if option == "--regexp" else []
            texts += _lines(text_of, value or next(rest, "")) if option == "--file" else []
        elif each.startswith("-") and len(each) > 1:
            flags = each[1:]
            inverted, fixed, folded = inverted or "v" in flags, fixed or "F" in flags, folded or "i" in flags
            whole, word, basic = whole or "x" in flags, word or "w" in flags, basic and not set("EP") & set(flags)
            texts += [next(rest, "")] if flags.endswith("e") else []
            texts += _lines(text_of, next(rest, "")) if flags.endswith("f") else []
        else:
            plain.append(each)
    texts = texts or plain[:1]
    if name == "fgrep" or fixed:
        texts, basic = [re.escape(text) for text in texts], False
    forms = [compiled(text.replace("$$", "$"), basic=basic, folded=folded) for text in texts]
    if whole or word:
        forms = [_bounded(form, whole=whole) for form in forms]
    known = tuple(form for form in forms if form is not None)
    if len(known) < len(forms) or not known:
        return None
    return Filter(takes=known) if inverted else Filter(keeps=known)


def _bounded(form: re.Pattern[str] | None, *, whole: bool) -> re.Pattern[str] | None:
    if form is None:
        return None
    return re.compile(rf"^(?:{form.pattern})$" if whole else rf"(?<!\w)(?:{form.pattern})(?!\w)", form.flags)


def _lines(text_of: ReadText, path: str) -> list[str]:
    return [line for line in (text_of(path.removeprefix("./")) or "").splitlines() if line.strip()] or [""]


def _awk(words: Words) -> Iterator[tuple[str, bool]] | None:
    """(expression, whether it takes away) of each part that must hold."""
    text = next((word for word in words if "/" in word), "")
    terms = list(AWK_TERM.finditer(text))
    if not terms or not AWK_REST.fullmatch(AWK_TERM.sub("", text)):
        return None
    return ((term["text"] or term["other"], (term["no"] or "") == "!" or term["sign"] == "!~") for term in terms)


def _sed(words: Words) -> Iterator[tuple[str, bool]] | None:
    quiet = any(re.fullmatch(r"-\w*n\w*", word) for word in words)
    texts = [part.strip() for word in words if not word.startswith("-") for part in word.split(";")]
    if not all(SED_TERM.fullmatch(text) or SED_CHANGE.fullmatch(text) for text in texts):
        return None
    found = (match for text in texts if (match := SED_TERM.fullmatch(text)))
    terms = [(match["text"], (match["what"] == "d") != (match["no"] == "!")) for match in found]
    return iter(terms) if quiet == any(not takes for _, takes in terms) or not quiet else None


def _perl(words: Words) -> Iterator[tuple[str, bool]] | None:
    found = next((match for word in words if (match := PERL_TERM.fullmatch(word.strip()))), None)
    return iter([(found["text"], (found["word"] == "unless") != (found["no"] == "!"))]) if found else None


def _read(terms: Iterator[tuple[str, bool]] | None) -> Filter | None:
    if terms is None:
        return None
    takes, keeps = list[re.Pattern[str]](), list[re.Pattern[str]]()
    for text, away in terms:
        form = compiled(text.replace("\\/", "/").replace(r"\|", "|"))
        if form is None:
            return None
        (takes if away else keeps).append(form)
    return Filter(takes=tuple(takes), keeps=tuple(keeps))


def _part(name: str, words: Sequence[str]) -> Filter | None:
    match = NUMBER.search(" ".join(words))
    if match is None:
        return Filter(first=10) if name == "head" else None
    number = match["number"]
    if name == "head":
        return Filter(first=int(number.lstrip("+")))
    return Filter(without=int(number[1:]) - 1) if number.startswith("+") else None
