"""Expressions that look at what they are given, and have one value whatever that is (policy set v2, class G19).

`text ? [] : []`, `[] if text else []`, `text and [] or []`, `text.slice(0, 0)`, `len(text) * 0`, `([], [])[bool(x)]`:
all languages, by their text. What they look at must be looked at only: `save(order) ? true : true` does its work.

Collections without anything are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ralph.system.patterns import later

_EMPTY = (
    r"\[\]|\{\}|\"\"|''|``|(?:list|dict|set|tuple|frozenset|str|bytes)\(\)|\(\)(?=$)"
    r"|(?:List|Set|Map|Stream|Arrays|ImmutableList)\.(?:of|asList)\(\)|Collections\.empty\w+\(\)|Optional\.empty\(\)"
    r"|(?:empty|mutable)?(?:[lL]ist|[mM]ap|[sS]et|[aA]rray)(?:Of)?(?:<[^<>]*>)?\(\)|empty\w+(?:<[^<>]*>)?\(\)"
    r"|new\s+[\w.]*(?:List|Map|Set|Array|Dictionary)(?:<[^()]*>)?(?:\(0?\)|\[0\])(?:\s*\{\s*\})?|Array\.(?:Empty<[^()]*>\(\)|from\(\[\]\))|Enumerable\.Empty<[^()]*>\(\)"
    r"|vec!\[\]|(?:Vec|String|HashMap|HashSet|BTreeMap)::new\(\)|Default::default\(\)"
    r"|(?:\[\]|map\[\w+\])\*?[\w.]+\{\}|(?:Array|Hash|Set)\.new(?:\(\))?|array\(\)|(?:string|std::string)\(\)"
)
_NULL = r"None|null|nil|undefined|nullptr|NULL"
_PLAIN = rf"-?\d[\w.]*|\"[^\"\\\n]*\"|'[^'\\\n]*'|true|false|True|False|:\w+|{_NULL}"
_FLAT = rf"(?:{_PLAIN}|{_EMPTY})"
HOLLOW = later(rf"(?![\"'`]|{_NULL})(?:{_EMPTY})")
"""A collection, which is no text and not nothing: those may mean something else."""
EMPTY = later(rf"(?:{_EMPTY}|{_NULL})")
NULL = later(_NULL)
CONSTANT = later(
    rf"(?:(?:Ok|Some|Right|Just|Promise\.resolve|Optional\.of)\()?(?:{_FLAT}|\[{_FLAT}(?:, {_FLAT})*\]"
    rf"|\{{ ?[\"']?\w+[\"']?: {_FLAT}(?:, [\"']?\w+[\"']?: {_FLAT})*,? ?\}})\)?(?:, nil)*"
)
"""A value that is written down, in the form that `spaced` gives it."""
CALLED = later(r"([A-Za-z_]\w*)[!?]?\s*(?:\(|\{)")
LOOKS = later(
    r"len|length|size|count|Count|Length|str|repr|bool|int|float|type|id|list|tuple|isinstance|callable|hasattr|"
    r"String|Number|Boolean|Array|Object|isArray|isNaN|keys|values|entries|is_empty|isEmpty|isNotEmpty|isBlank|"
    r"is_some|is_none|is_ok|is_err|as_str|as_bytes|as_ref|to_string|toString|to_s|to_a|to_i|trim|strip|lower|"
    r"upper|toLowerCase|toUpperCase|lowercase|uppercase|startsWith|startswith|starts_with|start_with|endsWith|"
    r"endswith|ends_with|end_with|includes|include|contains|Contains|has|containsKey|indexOf|charAt|equals|"
    r"Equals|eq|test|match|empty|nil|any|blank|present|zero|split|lines|chars|trimEnd|trimStart|hashCode|"
    r"isNullOrEmpty|IsNullOrEmpty|IsNullOrWhiteSpace|StartsWith|EndsWith|if|while|for|switch|when|unless|elif|"
    r"and|or|not|in|is|typeof|sizeof|explode|strlen|is_null|isset|is_array|is_string|first|last|get|range|"
    r"enumerate"
)
"""Functions that only look at what they are given."""
WORKS = later(r"\bawait\b|\byield\b|(?<![=!<>])=(?![=>])|:=|\+\+|--|<-|\bnew\b|!\s*\(")
STRING = later(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_CHAIN = r"(?:\??[.:]{1,2}(?!get|set)\w+[!?]?(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?)*"
NOTHING = later(
    r"(?P<of>.+?)(?:\.(?:slice|substring|subList|substr|Substring|sublist)\(0, ?0\)"
    r"|\.(?:take|first|limit|Take|prefix)\(0\)|\[0?:0\]"
    rf"|\[0?\.\.0\]|\[0\.\.\.0\]|\[0, 0\]|\.filter\(\(?\w*\)? => false\))(?P<then>{_CHAIN})"
)
COUNTED = later(r"(?:len|length|size|count|Count|Length)(?:\(\))?$")
WRAPPED = later(r"(?:list|tuple|sorted|set|len|str)\((?P<inside>.+)\)")
TIMES = later(r"(?P<one>.+?) \* 0|0 \* (?P<other>.+)|\[\] \* (?P<many>.+)")
NEVER = later(r"\[.+ for .+ in .+ if False\]")
PICKED = later(
    r"[\[(](?P<all>.+)[\])]\[(?P<by>[^\[\]]+)\]|\{(?P<named>.+)\}(?:\[(?P<key>[^\[\]]+)\]|\.get\((?P<got>.+)\))"
)
AT_ONCE = later(
    r"\((?:lambda \w*(?:, \w+)*:|\(?\w*(?:: \w+)?\)? =>) (?P<gives>.+)\)\((?P<given>[^()]*)\)"
    r"|(?P<let>[\w.]+)\??\.(?:let|run|also) ?\{ ?(?:\w+ -> )?(?P<then>[^{}]+)\}"
)
WITH_BRACES = later(
    r"if \(?(?P<asks>[^{}]+?)\)? \{ ?(?P<yes>[^{}]+?) ?\} else (?:\{ ?(?P<no>[^{}]+?) ?\}|(?P<next>if .+))"
)
WITH_PARENTHESES = later(r"if \((?P<asks>[^()]*(?:\([^()]*\)[^()]*)*)\) (?P<yes>.+?) else (?P<no>.+)")
CAST = later(r" (?:as|satisfies) [\w<>\[\]|. ]+$")
LENGTH = r"(?:\.(?:length|size|len|count|Length|Count)(?:\(\))?|len\(\w+\)|\bsizeof\(\w+\))"
ALWAYS = later(rf".*{LENGTH} (?:>= 0|> -1)")
NEVER_SO = later(rf".*{LENGTH} (?:< 0|<= -1)")
LONGEST = 300


def settled(text: str) -> str | None:
    """The value that an expression always has; None of one that may have another, or does something."""
    return _value(spaced(text), 6) if len(text) <= LONGEST else None


def is_constant(text: str) -> bool:
    """It is a value that is written down, and no choice."""
    return CONSTANT.fullmatch(_bare(spaced(text))) is not None


def spaced(text: str) -> str:
    """With one blank wherever there are any."""
    return " ".join(text.split())


def is_looking(text: str) -> bool:
    """Nothing is done by it but to look at something."""
    plain = STRING.sub('""', text)
    return WORKS.search(plain) is None and all(map(LOOKS.fullmatch, CALLED.findall(plain)))


def alike(values: Sequence[str | None]) -> str | None:
    """The one value of all; a list without anything is one, however it is written."""
    known = [each for each in values if each is not None]
    if len(known) < len(values) or not known:
        return None
    if len(set(known)) == 1:
        return known[0]
    return known[0] if all(map(HOLLOW.fullmatch, known)) else None


def _value(text: str, deep: int) -> str | None:
    text = _bare(text)
    if CONSTANT.fullmatch(text):
        return text
    if not deep:
        return None
    for way in (_chosen, _joined, _cut_off, _picked, _at_once):
        found = way(text, lambda part: _value(part, deep - 1))
        if found is not None:
            return found
    return None


Inner = Callable[[str], str | None]


def _chosen(text: str, inner: Inner) -> str | None:
    for asks, yes, no in _choices(text):
        if is_looking(asks):
            if ALWAYS.fullmatch(asks) or NEVER_SO.fullmatch(asks):
                return inner(yes if ALWAYS.fullmatch(asks) else no)
            return alike((inner(yes), inner(no)))
    return None


def _choices(text: str) -> Iterator[tuple[str, str, str]]:
    """The question, and both answers."""
    if "?" not in text and "if " not in text:
        return
    marks = list(_outside(text, ("?", ":", " if ", " else ")))
    question = next((at for at, mark in marks if mark == "?" and text[at + 1 : at + 2] not in (".", "?", "")), None)
    if question is not None and text[question - 1 : question] != "?":
        open_ones = 0
        for at, mark in marks:
            if at <= question or mark not in "?:":
                continue
            if mark == ":" and not open_ones:
                yield text[:question].strip(), text[question + 1 : at].strip(), text[at + 1 :].strip()
                break
            open_ones += 1 if mark == "?" else -1
    behind = next((at for at, mark in marks if mark == " if "), None)
    other = next((at for at, mark in marks if mark == " else " and behind is not None and at > behind), None)
    if behind is not None and other is not None:
        yield text[behind + 4 : other], text[:behind], text[other + 6 :]
    if text.startswith("if "):
        for form in (WITH_BRACES, WITH_PARENTHESES):
            if (said := form.fullmatch(text)) is not None:
                yield said["asks"], said["yes"], said["no"] or said["next"]


def _joined(text: str, inner: Inner) -> str | None:
    """`text and [] or []`; and `text && []`, which is empty whatever it is."""
    for either, both in ((" || ", " && "), (" or ", " and ")):
        parts = _split(text, either)
        if len(parts) == 2:
            left = _bare(parts[0])
            first, last = _split(left, both), inner(parts[1])
            return alike((inner(first[1]), last)) if len(first) == 2 and is_looking(first[0]) else None
        parts = _split(text, both)
        if len(parts) == 2 and is_looking(parts[0]):
            value = inner(parts[1])
            return value if value is not None and EMPTY.fullmatch(value) and not NULL.fullmatch(value) else None
    return None


def _cut_off(text: str, inner: Inner) -> str | None:
    """Nothing of what it is given, or none of it."""
    if (wrapped := WRAPPED.fullmatch(text)) is not None and (inside := inner(wrapped["inside"])) is not None:
        return ("0" if text.startswith("len") else "[]") if EMPTY.fullmatch(inside) else None
    if (cut := NOTHING.fullmatch(text)) is not None and is_looking(cut["of"]):
        return "0" if COUNTED.search(cut["then"] or "") else "[]"
    if (times := TIMES.fullmatch(text)) is not None:
        of = times["one"] or times["other"] or times["many"]
        return ("[]" if "[" in text else "0") if is_looking(of) and not _split(of, " + ")[1:] else None
    return "[]" if NEVER.fullmatch(text) else None


def _picked(text: str, inner: Inner) -> str | None:
    """One of several that are all the same."""
    found = PICKED.fullmatch(text)
    if found is None or not is_looking(found["by"] or found["key"] or found["got"] or ""):
        return None
    parts = _split(found["all"] or found["named"], ", ")
    if found["named"]:
        parts = [part.partition(": ")[2] for part in parts]
    return alike([inner(part) for part in parts]) if len(parts) > 1 else None


def _at_once(text: str, inner: Inner) -> str | None:
    """A function that is called where it is written."""
    found = AT_ONCE.fullmatch(text)
    if found is None or not is_looking(found["given"] or found["let"] or ""):
        return None
    return inner(found["gives"] or found["then"])


def _bare(text: str) -> str:
    """Without parentheses around all of it, and what it is cast to."""
    text = text.strip()
    while True:
        shorter = CAST.sub("", text).strip()
        if (
            shorter.startswith("(")
            and shorter.endswith(")")
            and len(shorter) > 2
            and _closes(shorter) == len(shorter) - 1
        ):
            shorter = shorter[1:-1].strip()
        if shorter == text:
            return text
        text = shorter


def _closes(text: str) -> int:
    """Where what the first letter opens is closed."""
    deep = 0
    for at, letter in enumerate(STRING.sub(lambda found: "_" * len(found[0]), text)):
        deep += (letter in "([{") - (letter in ")]}")
        if not deep:
            return at
    return -1


def _outside(text: str, marks: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Where marks stand that are in no brackets and no text."""
    plain = STRING.sub(lambda found: "_" * len(found[0]), text).replace("::", "__")
    deep = 0
    for at, letter in enumerate(plain):
        deep += (letter in "([{") - (letter in ")]}")
        if not deep:
            yield from ((at, mark) for mark in marks if plain.startswith(mark, at))


def _split(text: str, mark: str) -> list[str]:
    """At the last place of a mark for two operands, at all of a comma."""
    if mark not in text:
        return [text.strip()]
    places = [at for at, _ in _outside(text, (mark,))]
    if mark != ", ":
        places = places[-1:]
    starts, ends = [0, *(at + len(mark) for at in places)], [*places, len(text)]
    return [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
