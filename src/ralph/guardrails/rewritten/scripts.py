"""Scripts that find a file of an installed tool and write to it: JavaScript, Python, Ruby.

A name stands for such a file if what it is given names one, or joins a name that does. What reads the file makes no
such name of its answer. A call that writes blocks if the file that it writes to is one; what it writes, or copies
from there, is not asked about. Where a file of tests or one that makes temporary folders names a folder
`node_modules`, it may be one of its own making: there only a place that was asked for by name counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.prefilter import is_in_part
from ralph.guardrails.rewritten.arguments import arguments
from ralph.guardrails.rewritten.found import Found
from ralph.guardrails.rewritten.named import READS, Named, modules_of, place, take_names, without_places
from ralph.system.patterns import later

LONGEST = 300_000
"""No person wrote more for a script."""
_FIRST = (
    r"(?:writeFile|appendFile|outputFile|writeTextFile|writeJson|writeJSON|outputJson|outputJSON|truncate)(?:Sync)?"
    r"|createWriteStream|Bun\.write|(?:File|IO)\.(?:bin)?write|writeFileSync|fs\.write"
)
_SECOND = (
    r"(?:copyFile|cp|copy|rename|move|symlink|link|ensureSymlink|ensureLink)(?:Sync)?|shutil\.(?:copy\w*|move)"
    r"|os\.(?:replace|rename|symlink|link)|FileUtils\.(?:cp\w*|mv|ln\w*|install|copy\w*)|File\.(?:rename|symlink)"
)
CALLS = later(
    rf"(?<![\w$])(?:\w+(?:\.promises)?\.)?(?:(?P<first>{_FIRST})|(?P<second>{_SECOND}))\("
    r"|(?<![\w.])(?:(?:io|codecs|os|fs(?:\.promises)?|fsp|File|Pathname)\.)?(?P<open>open(?:Sync)?)\("
    r"|(?P<replaces>\b(?:replace(?:InFile)?(?:\.sync|Sync)?|fileinput\.(?:input|FileInput)|sed))\("
    r"\s*(?=\{|[\"']-i|[^()]*inplace)"
    r"|(?P<runs>\b(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|system|run|check_call|check_output|call|Popen)|\$)[(`]"
    r"|(?<![\w.])(?P<owner>[\w.]+(?:\([^()\n]*\))?(?:\s*/\s*[\"'][^\"'\n]*[\"'])*|\([^\n]*\)|[\w.]+\((?:[^()\n]|\([^()\n]*\))*\)(?:\.\w+)*)"
    r"\.(?P<method>write_text|write_bytes|symlink_to|hardlink_to|rename|replace|open|write)\("
)
WRITES = later(
    r"(?i)(?:write|append|copy|cp|rename|move|link|output|open|replace|truncate|sed)\w*[(\s`'\"]|-i\b|inplace|\bmv\b|patch"
)
PLACE_WORD = later(
    r"node_modules|[rR]esolve|__(?:file|path)__|get(?:source)?file|find_spec|-packages|sitepackages|usersite|sysconfig|prefix"
    r"|locate_file|files\(|distribution\(|import_module|modules\[|get_loader|loaded_specs|find_by_name|spec_for|gem_path|Gem::"
    r"|GOROOT|GOMODCACHE|go\s+list|pkg/mod|vendor/|/python3|bin/|registry/src|\.m2/|get_path|get_python_lib"
)
LINES_OF_A_PLACE = 6
MODE = later(r"[\"'](?:[wax]b?\+?|r\+b?|rb\+)[\"']|WRONLY|O_TRUNC|O_RDWR|flags?\s*:")
TEMPORARY = later(
    r"(?i)mkdtemp|tmpdir|tmp_path|tempfile|temporary_?directory|memfs|mock-fs|pyfakefs|Dir\.mktmpdir|tmp\.dir"
)
NO_LINE_END = later(r"[^\n]")
COMMENT = later(r"(?m)(?:(?<![:\"'`\w])//|^\s*#(?!\{)|^\s*\*)[^\n]*")


def written(path: str, text: str) -> Iterator[Found]:
    if len(text) > LONGEST or not is_in_part(WRITES, text) or not is_in_part(PLACE_WORD, text):
        return
    lines, is_test = text.split("\n"), TEST_PLACE.search(path) is not None
    if not _names_one(text, lines, Named({}, modules_of(text), is_test)):
        return
    code = _without_comments(text)
    named = Named({}, modules_of(code), is_test or TEMPORARY.search(code) is not None)
    take_names(code, named)
    for match in CALLS.finditer(code):
        tool = _written_to(code, match, named)
        if tool is not None:
            line = code.count("\n", 0, match.start()) + 1
            yield Found(path, line, lines[line - 1].strip(), tool, "a script writes to")


def _without_comments(text: str) -> str:
    """Every line stays where it is."""
    return COMMENT.sub(lambda match: NO_LINE_END.sub(" ", match[0]), text)


def _names_one(text: str, lines: Sequence[str], named: Named) -> bool:
    """Most scripts name no file of a tool anywhere: they are not read further."""
    return any(
        place(_without_comments("\n".join(lines[max(number - 1, 0) : number + LINES_OF_A_PLACE])), named)
        for number in dict.fromkeys(_lines_of(PLACE_WORD, text))
    )


def _lines_of(form: re.Pattern[str], code: str) -> Iterator[int]:
    """The lines, from 0, that hold a match."""
    number = counted = 0
    for match in form.finditer(code):
        number, counted = number + code.count("\n", counted, match.start()), match.start()
        yield number


def _written_to(code: str, match: re.Match[str], named: Named) -> str | None:
    given = arguments(code, match.end())
    if match["owner"]:
        method = match["method"]
        if method == "open" and not MODE.search("".join(given)):
            return None
        if method in ("rename", "replace"):  # of a path, what it is moved to; of a text nothing
            return place("".join(given[:1]), named) if len(given) == 1 else None
        return None if READS.search(without_places(match["owner"])) else place(match["owner"], named)
    if match["open"]:
        return place("".join(given[:1]), named) if MODE.search(",".join(given[1:])) else None
    if match["second"]:
        return place("".join(given[1:2]), named)
    if match["replaces"]:
        return place(",".join(given), named)
    if match["runs"]:
        return _ordered(_template(code, match.end()) or ",".join(given), named)
    return place("".join(given[:1]), named)


def _template(code: str, start: int) -> str:
    """The command between the back quotes of a tagged template."""
    if code[start - 1] != "`":
        return ""
    return f"`{code[start:].partition('`')[0]}`"


def _ordered(text: str, named: Named) -> str | None:
    """The command that a script runs, as text or as words."""
    if not re.search(r"\bsed\b[^\n]*?-\w*i|\bperl\b[^\n]*?-\w*i|\bpatch\b|\btee\b|>\s*[^=&\s]", text):
        return None
    return place(text, named)
