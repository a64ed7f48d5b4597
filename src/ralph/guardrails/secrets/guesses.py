"""Secrets that only their name gives away: `password = "..."` and its like.

The value must look like chance: letters and digits without words, no path, no name of something else, no placeholder.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from ralph.system.patterns import later

WORDS = (
    b"passw",
    b"passphrase",
    b"pwd",
    b"secret",
    b"token",
    b"api_key",
    b"apikey",
    b"api-key",
    b"access_key",
    b"accesskey",
    b"private_key",
    b"credential",
    b"encryption_key",
    b"signing_key",
    b"auth_key",
    b"master_key",
    b"authorization",
)
NAMED = later(
    rb"(?P<name>passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?"
    rb"|(?:encryption|signing|auth|master)[_-]?key)(?:[_-]?(?:key|value|base64|b64|string|str|prod(?:uction)?|live"
    rb"|staging"
    rb"|dev|\d+))?[\\\"'\]]{0,4}\s{0,4}(?::\s{0,2}&?(?:'static )?[a-z*]{1,10}\s{0,2}=|=>|:=|[:=])\s{0,4}[brfu@$]{0,2}"
    rb"(?:\\{0,3}\"(?P<double>[^\"\\\n]{8,200})\\{0,3}\"|'(?P<single>[^'\n]{8,200})'|`(?P<tick>[^`\n]{8,200})`"
    rb"|(?P<bare>[a-z0-9+/=_.~-]{16,200})(?=\s|$))"
)
"""Matched against the text in lower case."""

OTHER_NAMES = later(rb"(?:public|page|next|prev|continuation|cursor|sync|lexer|csrf|xsrf|stop|start|end)[_-]?(?:key)?$")
"""What stands before one of these words and makes it another: a public key's token, the token of the next page."""

BEARER = later(
    rb"(?i)authorization[\"']?\s{0,3}[:=,]\s{0,3}[\"']?(?:bearer|token|basic)\s+([A-Za-z0-9+/=_.~-]{20,400})"
)
PLACEHOLDER = later(
    rb"(?i)example|sample|dummy|fake|mock|placeholder|change[_-]?(?:me|it)|replace|redacted|your|insert|todo|fixme"
    rb"|foobar|foo|lorem|test|xxx|\*\*\*|\.\.\.|123456"
    rb"|abcdef|qwerty|password|passwd|secret|hunter2|letmein|default|none|null|undefined|dev[_-]|local|not[_-]?(?:a"
    rb"|real)|some[_-]|my[_-]|<[^>]*>|\$\{|\{\{|%\(|\$\(|%[sdv]"
    rb"|deadbeef|cafebabe|0{6}|1{6}|([A-Za-z0-9])\1{5}"
)
DERIVED = later(
    rb"^\$2[abxy]?\$|^\$argon2|^\$[156]\$|^pbkdf2|^scrypt|^sha\d+[:$-]|^\{|^vault:|^ENC\[|^arn:|^projects/|^op://"
    rb"|^!vault|^AQICAH|^sealed:|^enc:|^data:|^https?://|^file:|^/|^\./|^~/|^[\w-]+\.[a-z]{2,4}$"
)
CODE = later(
    rb"^[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+\(?\)?$|^(?:os|process|env|self|this|config|settings|ctx"
    rb"|req|request|args|var|local|data|module|secrets)\.|[()\s]|^[A-Z][A-Z0-9_]+$|^[a-z]+(?:[A-Z][a-z]+)+\d?$"
)
PIECE = later(rb"[A-Za-z]+|\d+")


def entropy(value: bytes) -> float:
    """Bits per character."""
    counts = Counter(value)
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values()) if value else 0.0


def is_placeholder(value: bytes) -> bool:
    return PLACEHOLDER.search(value) is not None or len(set(value)) < 5


def looks_random(value: bytes) -> bool:
    """True for what nobody would have made up: hexadecimal, base64, or letters and digits in no order."""
    if len(value) < 16 or DERIVED.search(value) or CODE.search(value) or is_placeholder(value):
        return False
    if not (re.search(rb"\d", value) and re.search(rb"[A-Za-z]", value)) or not re.fullmatch(rb"[\x21-\x7e]+", value):
        return False
    return not _is_wordy(value) and entropy(value) >= (3.0 if re.fullmatch(rb"[a-fA-F0-9-]+", value) else 3.7)


def looks_chosen(value: bytes) -> bool:
    """True for what may be a password that a person chose: several kinds of characters, no word of a language alone."""
    if not 8 <= len(value) <= 64 or DERIVED.search(value) or CODE.search(value) or is_placeholder(value):
        return False
    kinds = (rb"[a-z]", rb"[A-Z]", rb"\d", rb"[^A-Za-z0-9]")
    return (
        sum(re.search(kind, value) is not None for kind in kinds) >= 3
        and re.search(rb"\d", value) is not None
        and entropy(value) >= 2.8
    )


def _is_wordy(value: bytes) -> bool:
    """Words with dashes, dots or capitals between them, a version or a date."""
    pieces = PIECE.findall(value)
    letters = [piece for piece in pieces if not piece.isdigit()]
    digits = [piece for piece in pieces if piece.isdigit()]
    plain = [part for piece in letters for part in re.findall(rb"[A-Z]?[a-z]+|[A-Z]+", piece)]
    long = sum(len(part) for part in plain if len(part) >= 4 and re.search(rb"[aeiouyAEIOUY]", part))
    return long >= 0.6 * len(value) or (
        bool(digits)
        and all(len(piece) <= 2 for piece in letters)
        and b"-" in value
        and len(value) < 24
        and len(letters) < 3
    )
