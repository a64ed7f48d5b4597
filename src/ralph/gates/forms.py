"""What stands behind `::`, read strictly: a verify gate with its options, or a criterion. Spec: shell verify gates.

- `verify:"command"` runs a command; options follow it, each at most once: `:fast`, `:full` or `:extended`, `max:N`
  (attempts), `timeout:S` (whole seconds), `cwd:"folder"` (inside the project).
- `"text"` and `name:"text"` are criteria for a judge; they take no options.
- Whatever resembles a verify gate and is none is an error: a check that nobody runs must not look like one that passed.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher, get_close_matches

from ralph.gates.model import CriteriaGate, Preset, VerifyGate
from ralph.gates.tokens import SPECIAL_BLANK, Cursor, Quoted, Token, refuse_hidden, shorten
from ralph.record import field, record

NAME = r"[A-Za-z][A-Za-z0-9_-]{0,63}"
PRESETS: dict[Preset, tuple[int, float]] = {"fast": (1, 30.0), "full": (5, 300.0), "extended": (10, 600.0)}
"""Attempts and seconds of each preset."""
PLAIN = (5, 60.0)
MAX_ATTEMPTS = 100
MAX_TIMEOUT_S = 3600
OPTIONS = (*(f":{name}" for name in PRESETS), "max:", "timeout:", "cwd:")

_RIGHT = 'write :: verify:"command"'
_NAMED = re.compile(rf"({NAME}):")
_VERIFY_AS_TEXT = re.compile(r"""\W*verify\s*(?:[:="'“‘`]|\Z)""")
_GATE_IN_TEXT = re.compile(r"::\s*verify\b")
_RUNNERS = frozenset({"bash", "cmd", "command", "exec", "run", "sh", "shell"})
_COMMENT = re.compile(r"\s*(#.*)?")

Gate = VerifyGate | CriteriaGate


def read_gate(cursor: Cursor) -> Gate:
    """The gate whose first word comes next, with its options. Raises LanguageError."""
    if not cursor.at("word"):
        cursor.fail(cursor.offset, "a gate is missing", 'write verify:"command" or "criterion" behind ::')
    token = cursor.take()
    name = token.head.rstrip(":")
    if not token.opens_quote and resembles_verify(name):
        command = _command(cursor, token)
        return _with_options(cursor, command)
    criterion = _criterion(cursor, token, name)
    if cursor.at("word"):
        _refuse_more(cursor)
    return criterion


def fold(text: str) -> str:
    """The text as a hasty reader sees it: full-width letters and capitals are like others.

    Character by character, since normalizing a long run of combining marks takes quadratic time.
    """
    if text.isascii():
        return text.lower()
    return "".join(unicodedata.normalize("NFKC", character) for character in text).casefold()


def resembles_verify(name: str) -> bool:
    """Whether somebody who wrote this name may have meant `verify`."""
    letters = re.sub(r"[\W_]", "", re.split(r"[:=]", fold(name)[:64])[0])
    return "verif" in letters or SequenceMatcher(None, letters, "verify").ratio() >= 0.75


def _command(cursor: Cursor, token: Token) -> str:
    """The command of a verify gate that is written exactly so."""
    quoted = token.quoted[0] if token.quoted else None
    if token.head != "verify:" or quoted is None:
        cursor.fail(token.start, _what_is_wrong(cursor, token), _RIGHT)
    _refuse_glued(cursor, token, quoted)
    refuse_hidden(cursor.text, start=quoted.start, end=quoted.end, allowed=" \t\n")
    if blank := SPECIAL_BLANK.search(cursor.text, quoted.start, quoted.end):
        problem = f"the special blank U+{ord(blank[0]):04X} stands in the command"
        cursor.fail(blank.start(), problem, "type a plain blank")
    if all(_COMMENT.fullmatch(line) for line in quoted.value.splitlines()):
        cursor.fail(quoted.start, "the command of this verify gate is empty", _RIGHT)
    return quoted.value


def _what_is_wrong(cursor: Cursor, token: Token) -> str:
    head, following = token.head, cursor.peek()
    quote_follows = following is not None and following.opens_quote
    if head == "verify":
        if following is not None and following.raw.startswith(":"):
            return "a blank stands between verify and its colon"
        return "the colon behind verify is missing"
    if head == "verify:":
        return "a blank stands between verify: and the command" if quote_follows else "verify: has no command in quotes"
    if head.startswith("verify:"):
        return "the command of this verify gate does not stand in quotes"
    if head.startswith("verify"):
        return "verify is not followed by a colon and a quote"
    if fold(head).rstrip(":") == "verify":
        return "verify is written in small, plain letters"
    return f"{shorten(head.rstrip(':'))} is not verify, and resembles it too much to name a criterion"


def _criterion(cursor: Cursor, token: Token, name: str) -> CriteriaGate:
    if token.opens_quote:
        return CriteriaGate(text=_criterion_text(cursor, token, token.quoted[0]))
    if token.raw.startswith(":"):
        cursor.fail(
            token.start, f"{shorten(token.raw)} stands where a gate is expected", _RIGHT + " :fast, options last"
        )
    if (option := name.partition(":")[0]) in ("max", "timeout", "cwd"):
        cursor.fail(token.start, f"the option {option}: has no command before it", f"{_RIGHT} {option}:…, options last")
    if not token.quoted or not _NAMED.fullmatch(token.head):
        following = cursor.peek()
        if following is not None and following.opens_quote and re.fullmatch(NAME, name):
            cursor.fail(token.start, "a named criterion holds no blank", f'write {name}:"…"')
        cursor.fail(token.start, "a criterion stands in quotes", 'write :: "criterion" or :: name:"criterion"')
    if fold(name) in _RUNNERS:
        cursor.fail(token.start, f"{name}: runs nothing, a criterion is only read", _RIGHT)
    return CriteriaGate(name=name, text=_criterion_text(cursor, token, token.quoted[0]))


def _criterion_text(cursor: Cursor, token: Token, quoted: Quoted) -> str:
    _refuse_glued(cursor, token, quoted)
    if not quoted.value.strip():
        cursor.fail(quoted.start, "this criterion is empty", "say what must be true")
    folded = fold(quoted.value)
    if _VERIFY_AS_TEXT.match(folded) or _GATE_IN_TEXT.search(folded):
        way = f"{_RIGHT}, or say the criterion in other words"
        cursor.fail(quoted.start, "a verify gate stands in the quotes of a criterion, where nobody runs it", way)
    return quoted.value


def _refuse_glued(cursor: Cursor, token: Token, quoted: Quoted) -> None:
    if quoted.end < token.end:
        way = 'put a blank there, or write \\" (or the other kind of quote) if the quoted text should go on'
        cursor.fail(quoted.end, "something stands directly behind the closing quote", way)


def _refuse_more(cursor: Cursor) -> None:
    """A word behind a criterion."""
    token = cursor.tokens[cursor.index]
    if token.raw.startswith(OPTIONS):
        cursor.fail(
            token.start, f"a criterion takes no option, and {shorten(token.raw)} is one", "put it behind a verify gate"
        )
    cursor.fail(
        token.start,
        "a word stands behind a gate",
        "put arguments before the first ::, another gate behind a :: of its own, another step behind -->",
    )


@record(frozen=False)
class _Options:
    preset: Preset | None = None
    max: int | None = None
    timeout: int | None = None
    cwd: str | None = None
    seen: set[str] = field(default_factory=set)


def _with_options(cursor: Cursor, command: str) -> VerifyGate:
    options = _Options()
    while cursor.at("word"):
        _option(cursor, cursor.take(), options)
    attempts, timeout_s = PRESETS[options.preset] if options.preset else PLAIN
    return VerifyGate(
        command=command,
        attempts=attempts if options.max is None else options.max,
        timeout_s=timeout_s if options.timeout is None else float(options.timeout),
        cwd=options.cwd,
        preset=options.preset,
    )


def _option(cursor: Cursor, token: Token, options: _Options) -> None:
    for preset in PRESETS:
        if token.raw == f":{preset}":
            _once(cursor, token, "preset", options)
            options.preset = preset
            return
    key, _, value = token.raw.partition(":")
    if key == "max":
        _once(cursor, token, key, options)
        options.max = _number(cursor, token, value, MAX_ATTEMPTS, "attempts")
    elif key == "timeout":
        _once(cursor, token, key, options)
        options.timeout = _number(cursor, token, value, MAX_TIMEOUT_S, "seconds")
    elif key == "cwd":
        _once(cursor, token, key, options)
        options.cwd = _folder(cursor, token)
    else:
        near = get_close_matches(fold(token.raw[:20]), OPTIONS, n=1)
        hint = f"did you mean {near[0]}? There are" if near else "there are"
        cursor.fail(token.start, f"a verify gate has no option {shorten(token.raw)}", f"{hint} {', '.join(OPTIONS)}")


def _once(cursor: Cursor, token: Token, key: str, options: _Options) -> None:
    if key in options.seen:
        what = "a preset" if key == "preset" else f"{key}:"
        cursor.fail(token.start, f"{what} stands twice behind one verify gate", "remove one of them")
    options.seen.add(key)


def _number(cursor: Cursor, token: Token, digits: str, most: int, unit: str) -> int:
    number = int(digits) if re.fullmatch(r"[0-9]{1,6}", digits) else 0
    if not 1 <= number <= most:
        key = token.raw.partition(":")[0]
        problem = f"{key}: needs a whole number of {unit}"
        cursor.fail(token.start + len(key) + 1, problem, f"write {key}:1 to {key}:{most} without a blank")
    return number


def _folder(cursor: Cursor, token: Token) -> str:
    quoted = token.quoted[0] if token.quoted else None
    if token.head != "cwd:" or quoted is None:
        cursor.fail(token.start, "cwd: needs a folder in quotes", 'write cwd:"folder"')
    _refuse_glued(cursor, token, quoted)
    folder = quoted.value
    if not folder.strip() or folder.startswith(("/", "~")) or ".." in folder.split("/"):
        cursor.fail(quoted.start, "cwd: names no folder inside the project", "write it relative to the project's root")
    refuse_hidden(cursor.text, start=quoted.start, end=quoted.end, allowed="")
    return folder
