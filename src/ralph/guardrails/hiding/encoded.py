"""Code that only running shows: decoded and executed in one breath, or packed into one endless line (class G18).

Rules:

- Executing, importing or evaluating what a decoder gives blocks, by one expression or by a name that was given it
  before. Data that is decoded and not executed is data, also where something of that name reads it (`not_run`).
- An endless line of statements in a file that people write blocks where the file was written in lines before, and is
  for a person in a new file. Minified and generated files, samples and long literals are what they are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from ralph.guardrails.hiding.decoded import DECODES, REACH, Given, closing
from ralph.guardrails.hiding.not_run import is_not_run
from ralph.guardrails.hiding.places import (
    Part,
    Reader,
    hit,
    is_foreign,
    is_test,
    language,
    plain_files,
    without_moved,
)
from ralph.guardrails.literals import Literals
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.prefilter import may_match
from ralph.syntax import unread
from ralph.system.patterns import later

RUNS = later(
    rb"\b(?:exec|eval|execfile|compile|Function|setTimeout|setInterval|runIn(?:This|New)?Context|runInThisContext"
    rb"|_load|_compile"
    rb"|instance_eval|class_eval|module_eval|__import__|import_module|require|system|popen|create_function|assert"
    rb"|Invoke-Expression"
    rb"|iex|spawnSync|execSync|DynamicInvoke|ScriptEngine\w*\.eval|Assembly\.Load)\s*\(",
)
SHELL = later(
    rb"(?:base64\s+(?:-d|-D|--decode|-di)|xxd\s+-r|openssl\s+(?:enc\s+-d|base64\s+-d)|gunzip|zcat|rev\b"
    rb"|tr\s+[\"']?A-Za-z)[^\n|;]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b"
    rb"|(?:eval|(?:ba|z|da)?sh\s+-c|source|\.|python3?\s+-c|node\s+-e|perl\s+-e)\s+[\"']?(?:\$\(|`"
    rb"|<\()[^\n]*(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r)"
    rb"|(?:ba|z|da)?sh\s+<\([^\n]*(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r)"
    rb"|(?:ba|z|da)?sh\s+<<<\s*[\"']?\$\([^\n]*base64",
)
SHELL_WORDS = later(rb"sh|base64|xxd")
"""One of these stands on every line that `SHELL` finds."""
DECODERS = Literals(
    b"b64decode b32decode b16decode b85decode a85decode decodebytes fromhex unhexlify a2b_ decompress( codecs.decode "
    b"rot13 rot_13 marshal.loads atob( buffer.from( fromcharcode unescape( base64_decode gzinflate gzuncompress "
    b"hex2bin convert_uu decode64 frombase64string getdecoder decodestring unpack [::-1] reverse().join bytes([ "
    b"bytes(( bytearray( chr(".split()
)
RUNNERS = Literals(
    b"exec( execfile( eval( function( runin( runinthis runinnew settimeout( setinterval( _load( _compile( compile( "
    b"__import__( "
    b"import_module( require( system( popen( create_function( assert( invoke-expression( iex( dynamicinvoke( "
    b"assembly.load( "
    b"spawnsync( execsync( instance_eval( class_eval( module_eval(".split()
)
NAME = later(rb"[A-Za-z_$]\w*")
ONLY_DIRECT = (b"compile", b"assert", b"system", b"popen", b"require", b"_load")
"""Names that mean other things, too: with these the decoding itself must be the argument."""

SCRIPTED = later(r"(?i)makefile|\.ya?ml$|\.mk$|dockerfile|package\.json$|justfile|\.toml$")
LONG, ENDLESS = 500, 2000
STATEMENTS = 8
TOKENS = later(rb"\\.|[\"'`;]|\){|/\*|\*/|//|#")
CLOSED_BY = {b'"': b'"', b"'": b"'", b"`": b"`", b"/*": b"*/"}
DELAYS = (b"setTimeout", b"setInterval")
WRITTEN = later(rb"\s*(?:async\b\s*)?(?:\(*\s*(?:\([^()]*\)|[A-Za-z_$][\w$]*)\s*=>|\(*\s*function\b)")
"""A function that is written where it is handed on: it is no text, and what it runs is looked at by itself."""


def encoded_code(change: Change) -> Iterable[Hit]:
    reader = Reader(change)
    found: list[Hit] = []
    for file in plain_files(change):
        blob = file.added_text
        named = language(file, change.blobs)
        if named is None or named == "shell" or b"base64" in blob:
            found += _run_by_a_shell(file, named, blob, reader)
        if named == "shell" or (named is None and SCRIPTED.search(file.path)):
            found += _unread(file, named, reader)
        if named is None or named == "shell":
            continue
        if DECODERS.found(blob) or RUNNERS.found(blob):
            found += _calls(file, change, reader, named)
        if not is_foreign(file.path) and not is_test(file.path):
            found += _endless(file, change)
    removed = [_key(line) for file in change.files for hunk in file.hunks for line in hunk.removed] if found else []
    yield from without_moved(found, removed)


def _run_by_a_shell(file: FileChange, named: str | None, blob: bytes, reader: Reader) -> Iterator[Hit]:
    if (named is None and not SCRIPTED.search(file.path)) or not may_match(SHELL, blob):
        return
    for number, line in file.added():
        if not SHELL_WORDS.search(line) or not SHELL.search(line):
            continue
        if named is None or reader.part(file, number, len(line) - len(line.lstrip())) is not Part.COMMENT:
            yield hit("hidden.encoded", file, number, 1, line, "decoded and run by a shell", _key(line))


def _calls(file: FileChange, change: Change, reader: Reader, named: str) -> Iterator[Hit]:
    """Calls that run what is decoded, where the call or the decoding is new."""
    data = change.blobs.after(file.path) or b""
    decoders, runners = DECODERS.found(data), RUNNERS.found(data)
    if not decoders or not runners:
        return
    lower = data.lower()
    given = Given(data, sorted(at for word in decoders for at in _places(lower, word)))
    lines = file.added_numbers
    for at in sorted({at for word in runners for at in _places(lower, word)}):
        match = RUNS.match(data, at)
        if match is None:
            continue
        argument = _argument(data, match.end() - 1)
        if match[0].startswith(DELAYS) and WRITTEN.match(argument):
            continue
        source = next((found for name in NAME.findall(argument) if (found := given.line(name, at))), None)
        if not DECODES.search(argument) and (source is None or match[0].startswith(ONLY_DIRECT)):
            continue
        number = data.count(b"\n", 0, at) + 1
        touched = range(number, number + argument.count(b"\n") + 1)
        if not lines.intersection(touched) and source not in lines:
            continue
        if is_not_run(data, match, argument, named):
            continue
        start = data.rfind(b"\n", 0, at) + 1
        if reader.part(file, number, at - start) is Part.CODE:
            line = data[start:].partition(b"\n")[0]
            yield hit("hidden.encoded", file, number, at - start + 1, line, "decoded and run", _key(line))


def _places(lower: bytes, word: bytes) -> Iterator[int]:
    at = lower.find(word)
    while at >= 0:
        yield at
        at = lower.find(word, at + 1)


def _argument(data: bytes, opening: int) -> bytes:
    """What stands between a parenthesis and the one that closes it."""
    return data[opening + 1 : closing(data, opening) or opening + REACH]


def _endless(file: FileChange, change: Change) -> Iterator[Hit]:
    for number, line in file.added():
        if len(line) < LONG or _statements(line) < STATEMENTS:
            continue
        before = change.blobs.before(file.path)
        in_lines = before is not None and max(map(len, before.split(b"\n"))) < LONG
        if in_lines or len(line) >= ENDLESS or before is None:
            rule = "hidden.packed" if in_lines else "hidden.packed-new"
            yield hit(rule, file, number, 1, line, f"{len(line)} characters in one line", _key(line))
            return


def _unread(file: FileChange, named: str | None, reader: Reader) -> Iterator[Hit]:
    """More operators in one line of shell text than are read: what stands behind them is not looked at."""
    for number, line in file.added():
        if len(line) > LONG and (column := unread(line)) is not None:
            code = file.status != "A" and named is not None and reader.part(file, number, column) is Part.CODE
            rule = "hidden.packed" if code else "hidden.packed-new"
            yield hit(rule, file, number, column + 1, line, "too many operators in one line", _key(line))
            return


def _statements(line: bytes) -> int:
    """How many statements and blocks stand in it, outside of strings and comments; a quote that nothing closes is none.

    It takes no longer for a line that is made to take long.
    """
    tokens: list[bytes] = TOKENS.findall(line)
    places: dict[bytes, list[int]] = {}
    for at, token in enumerate(tokens):
        places.setdefault(token, []).append(at)
    count, at = 0, 0
    while at < len(tokens) and tokens[at] not in (b"//", b"#"):
        count += tokens[at] in (b";", b"){")
        closing = places.get(CLOSED_BY.get(tokens[at], b""), [])
        after = bisect_right(closing, at)
        at = closing[after] + 1 if after < len(closing) else at + 1
    return count


def _key(line: bytes) -> str:
    return " ".join(line.decode("utf-8", "replace").split())
