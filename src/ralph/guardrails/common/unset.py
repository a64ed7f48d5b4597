"""What a condition on a variable of the environment, or on an option, says where nobody gives either: all languages.

`!process.env.FROZEN` holds then, and so does `os.environ.get("KEEP") != "1"`; a name of the file stands for what it is
given once. Of an option (`flag.Bool("frozen", false, "…")`, `process.argv.includes("--frozen")`) what it is by default
counts. None: it hangs on something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.system.patterns import later

_READS = (
    r"process\.env\.(\w+)|process\.env\[\s*[\"'](\w+)[\"']\s*\]|(?:Deno|Bun)\.env\.(?:get\()?[\"']?(\w+)[\"']?\)?"
    r"|(?:os\.)?environ\.get\(\s*[\"'](\w+)[\"'](?:\s*,\s*([^()]*))?\)|(?:os\.)?getenv\(\s*[\"'](\w+)[\"'](?:\s*,\s*([^()]*))?\)"
    r"|ENV\[\s*[\"'](\w+)[\"']\s*\]|ENV\.fetch\(\s*[\"'](\w+)[\"'](?:\s*,\s*([^()]*))?\)|os\.Getenv\(\s*\"(\w+)\"\s*\)"
    r"|(?:std::)?env::var(?:_os)?\(\s*\"(\w+)\"\s*\)|System\.getenv\(\s*\"(\w+)\"\s*\)"
    r"|Environment\.GetEnvironmentVariable\(\s*\"(\w+)\"\s*\)|[\"'](\w+)[\"']\s+(?:not\s+)?in\s+os\.environ"
)
_OPTIONS = (
    r"\bflag\.Bool\(\s*\"([\w-]+)\"\s*,\s*(true|false)|(?:process\.argv|Bun\.argv|Deno\.args)\.includes\(\s*[\"']--([\w-]+)[\"']\s*\)"
    r"|\bARGV\.include\?\(?\s*[\"']--([\w-]+)[\"']\)?|[\"']--([\w-]+)[\"']\s+(?:not\s+)?in\s+sys\.argv"
    r"|\.getoption\(\s*[\"']--([\w-]+)[\"']\s*\)"
)
READ = later(_READS)
OPTION = later(_OPTIONS)
GIVEN = later(f"{_READS}|{_OPTIONS}")
ADDED = later(r"addoption\(\s*[\"']--([\w-]+)[\"'][^()]*\)")
NAMED = later(r"[A-Z][A-Z0-9_]+")
NOTHING = frozenset(("undefined", "null", "None", "nil", '""', "''", "false", "False"))
NO = later(r"[\"']?(?:0|false|False|no|off|nil|None|null|undefined)?[\"']?", re.IGNORECASE)
COMPARED = later(r"(.*?)\s*(===|!==|==|!=|\bis not\b|\bis\b|\bnot in\b)\s*(.*)", re.DOTALL)
OTHERWISE = later(
    r"\.(?:map_or|unwrap_or|orElse|getOrElse)\(\s*(?P<told>true|false)\b|\?:\s*(?P<else>true|false)\b"
    r"|\.(?P<none>is_none(?:_or)?|isEmpty)\(|\.(?P<some>is_(?:some|ok)(?:_and)?|isPresent)\("
)
"""What is said of a value that may not be there."""
AROUND = later(r"(?:Boolean|bool|!!)\s*\((.*)\)", re.DOTALL)
_SAID = r"(?:\"[^\"\n]+\"|'[^'\n]+')"
ALWAYS = later(
    rf"process\.env(?:\.\w+|\[\s*[\"']\w+[\"']\s*\])\s*(?:\?\?|\|\|)\s*{_SAID}"
    rf"|(?:os\.)?(?:environ\.get|getenv|ENV\.fetch)\(\s*[\"']\w+[\"']\s*,\s*{_SAID}\s*\)"
    rf"|(?:(?:os\.)?environ\.get\(\s*[\"']\w+[\"']\s*\)\s*or|ENV\[\s*[\"']\w+[\"']\s*\]\s*\|\|)\s*{_SAID}"
)
"""A variable or a text that is not empty: that is true whatever it says, also where it says `"0"`."""
MOST_DEEP = 8


def is_settled(expression: str, text: str, deep: int = 0) -> bool:
    """A condition that asks a variable says the same whether it is set or not; `text` is the whole file."""
    plain = _bare(re.sub(r"^[!\s]+(?=\(|\w+\s*$)|^\s*not\s", "", expression))
    if re.fullmatch(r"[A-Za-z_]\w*", plain) and deep < MOST_DEEP:
        value = _given(plain, text)
        return value is not None and is_settled(value, text, deep + 1)
    return ALWAYS.fullmatch(plain) is not None


def variables(expression: str, text: str) -> frozenset[str]:
    """The variables and options (`--frozen`) that it hangs on; `text` is the whole file."""
    found = {name for match in READ.finditer(expression) for name in match.groups() if name and NAMED.fullmatch(name)}
    found |= {f"--{next(filter(None, match.groups()))}" for match in OPTION.finditer(expression)}
    for name in re.findall(r"(?<![\w.\"'])[A-Za-z_]\w*", expression):
        value = _given(name, text)
        if value is not None and GIVEN.search(value):
            found |= variables(value, "")
    return frozenset(found)


def unset(expression: str, text: str, deep: int = 0) -> bool | None:
    """Its truth where no variable is set, and no option given."""
    plain = _bare(expression)
    if not plain or deep > MOST_DEEP:
        return None
    for sign, word, deciding in (("||", "or", True), ("&&", "and", False)):
        parts = list(_split(plain, sign, word))
        if len(parts) > 1:
            truths = [unset(part, text, deep + 1) for part in parts]
            return deciding if deciding in truths else None if None in truths else not deciding
    negated = re.fullmatch(r"(?:!(?!=)|not\s+)(.*)", plain, re.DOTALL)
    if negated is not None:
        inner = unset(re.sub(r"^(?!\()(.*?)\?\?.*", r"\1", negated[1]), text, deep + 1)
        return None if inner is None else not inner
    if plain.lower() in ("true", "false"):
        return plain.lower() == "true"
    if re.fullmatch(r"\*?[A-Za-z_]\w*(?:\(\))?", plain):
        value = _given(plain.lstrip("*").removesuffix("()"), text)
        return None if value is None or not GIVEN.search(value) else unset(value, text, deep + 1)
    return _of_read(plain, text)


def _of_read(plain: str, text: str) -> bool | None:
    if ALWAYS.fullmatch(plain):
        return True
    if READ.search(plain) and (otherwise := OTHERWISE.search(plain)) is not None:
        return "true" in (otherwise["told"], otherwise["else"]) or otherwise["none"] is not None
    compared = COMPARED.fullmatch(plain)
    if compared is not None and READ.search(compared[1]):
        default = _default(compared[1])
        other = compared[3].strip()
        same = other == default if default else other in NOTHING
        return same is (compared[2] in ("===", "==", "is"))
    if OPTION.search(plain):
        return _of_option(plain, text)
    if not READ.search(plain):
        return None
    if re.search(
        r"\bnot\s+in\s+os\.environ|\.is_err\(\)|\.(?:nil|empty|blank)\?|\bisNullOrEmpty\b", plain, re.IGNORECASE
    ):
        return True
    default = _default(plain)
    return bool(default) and not NO.fullmatch(default)


def _of_option(plain: str, text: str) -> bool | None:
    """What an option is by default; one of pytest's has to be added in the file, as one that nobody need give."""
    if ".getoption(" in plain:
        name = OPTION.search(plain)
        added = [each for each in ADDED.finditer(text) if name is not None and each[1] in name.groups()]
        return False if added and all("store_true" in each[0] and "default" not in each[0] for each in added) else None
    return "true" in [each for match in OPTION.finditer(plain) for each in match.groups()] or " not in " in plain


def _default(read: str) -> str:
    """What stands for a variable that is not set."""
    told = re.search(r"(?:\?\?|\|\||\bor\b)\s*(\S+)\s*$", read)
    if told is not None:
        return told[1].rstrip(")")
    match = READ.search(read)
    given = [each for each in match.groups() if each] if match is not None else []
    return given[1].strip() if len(given) > 1 else ""


def _given(name: str, text: str) -> str | None:
    """What a name of the file is, if it is given once; of a function without parameters what it hands back."""
    declares = r"(?:(?:export\s+)?(?:const|let|var|static|final)\s+)?"
    found = re.findall(rf"(?m)^\s*{declares}{re.escape(name)}\s*(?::[^=\n]+)?\s*:?=(?!=)\s*([^\n]+)$", text)
    found = found or _answer(name, text)
    return found[0].rstrip("; ").removeprefix("() => ") if len(found) == 1 else None


def _answer(name: str, text: str) -> list[str]:
    """What functions of the file by that name hand back that take nothing and do nothing else."""
    head = rf"(?m)^[ \t]*(?:[\w()]+[ \t]+)*(?:fn|def|func?|fun|function|bool(?:ean)?|Boolean)[ \t]+{re.escape(name)}\b"
    return re.findall(
        rf"{head}(?:[ \t]*\(\))?(?:[ \t]*(?:->|:)?[ \t]*[Bb]ool(?:ean)?)?[ \t]*(?:=>?|[:{{])?\s*(?:return[ \t])?[ \t]*"
        r"((?:[^\n{}]|\{[^\n{}]*\})+?)[ \t]*(?:\}|\n\s*(?:\}|end\b)|\n[ \t]*\n|\n?\Z)",
        text,
    )


def _bare(expression: str) -> str:
    plain = expression.strip()
    for _ in range(MOST_DEEP):
        inner = AROUND.fullmatch(plain)
        text = inner[1].strip() if inner is not None and _closes(inner[1]) else plain
        if text.startswith("(") and text.endswith(")") and _closes(text[1:-1]):
            text = text[1:-1].strip()
        if text == plain:
            return plain
        plain = text
    return plain


def _closes(text: str) -> bool:
    """Its brackets are its own."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _split(text: str, sign: str, word: str) -> Iterator[str]:
    """The parts between operators that stand in no brackets."""
    depth = start = at = 0
    while at < len(text):
        depth += (text[at] in "([") - (text[at] in ")]")
        spelled = sign if text.startswith(sign, at) else ""
        if not spelled and re.match(rf"(?<!\w){word}\b", text[at:]) and (at == 0 or not re.match(r"\w", text[at - 1])):
            spelled = word
        if spelled and depth == 0 and not (sign == "||" and re.fullmatch(r"\s*[\"'\d]\S*\s*", text[at + 2 :])):
            yield text[start:at]
            at = start = at + len(spelled)
        else:
            at += 1
    yield text[start:]
