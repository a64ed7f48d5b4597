"""Names of a script that stand for files of an installed tool, and expressions that do (see `scripts`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.prefilter import is_in_part
from ralph.guardrails.rewritten.arguments import arguments
from ralph.guardrails.rewritten.places import GO_MODULES, MODULES, tool_at
from ralph.record import record, replace
from ralph.system.patterns import later

GIVEN = (
    later(
        r"(?m)^[ \t]*(?:export\s+)?(?:(?:const|let|var)\s+)?(?P<name>[@$\w]+)(?:\s*:\s*[\w.<>\[\] |]+)?"
        r"\s*(?::=|=)(?![=>])\s*"
    ),
    later(r"[;{(]\s*(?:const|let|var)\s+(?P<name>[\w$]+)\s*=(?![=>])\s*"),
    later(r"\bfor\s*\(\s*(?:const|let|var)\s+(?P<name>[\w$]+)\s+of\s+"),
    later(r"\bfor\s+(?P<name>\w+)\s+in\s+"),
)
"""What gives a name a value, which stands behind it."""
LISTED = later(
    r"(?P<value>\[[^\]]*\]|[\w.]+)\.(?:forEach|each|map)\s*(?:\(\s*(?:async\s*)?\(?|\{?\s*(?:do\s*)?\|)\s*(?P<name>\w+)"
)
HELD = later(r"(?:\bwith\s+|,\s*)(?P<value>[^\n]*?)\s+as\s+(?P<name>\w+)\s*:")
FUNCTION = later(
    r"(?:\bfunction\s+|\bdef\s+)(?P<name>\w+)\s*\((?P<parameters>[^()]*)\)"
    r"|\b(?:const|let)\s+(?P<held>\w+)\s*=\s*(?:async\s*)?\((?P<taken>[^()]*)\)\s*=>"
)
READS = later(
    r"\b(?:read\w*|readFile\w*|exists\w*|stat\w*|lstat\w*|load\w*|parse|is_file|is_dir|hexdigest|listdir|readdir\w*)\s*[(.]"
    r"|(?<![\w.])(?:require|import|open)\(|\.(?:version|size|text)\b"
)
OPENS = later(r"\bopen\(")
CALLED = later(r"(\w+)\(")
CALL = later(r"(?<![\w.])(\w+)\(")
DEFINES = later(r"(?:function|def)\s+$")
MAKES_PATHS = later(
    r"join|resolve|dirname|normalize|abspath|realpath\w*|relative|Path|PurePath|Pathname|str|fspath|URL|fileURLToPath"
    r"|pathToFileURL|format|replace|concat|joinpath|with_name|with_suffix|expand_path|open|openSync|glob|rglob|String"
)
RESOLVES = later(
    r"(?:\b\w*[rR]esolve(?:r)?(?:\.(?:sync|resolve))?|import\.meta\.resolve|createRequire\([^()]*\)\.resolve|\brequire\.resolve)"
    r"\(\s*[\"'`](?P<name>(?:@[\w.-]+/)?[\w.-]+)"
)
JOINED = later(r"[\"']\s*(?:,|/|\+)\s*[\"']/?")
LITERAL = later(r"[\"'`](?P<text>[^\"'`\n]*)[\"'`]")
ROOTED = later(
    r"^(?:\.{0,2}/)*(?:node_modules|vendor|\.?venv)/|^/?(?:usr|opt)/|site-packages/|/python3|^~?/?\.(?:m2|cargo|gradle)/|^(?:\$\{[\w.()]*\}/)?node_modules/"
)
ALIAS = later(
    rf"^[ \t]*(?:import\s+(?:[ \t]*[\w.][\w. ]*,)*[ \t]*(?P<module>(?:{MODULES})(?:\.\w+)*)(?:\s+as\s+(?P<as>\w+))?"
    rf"|from\s+(?P<package>(?:{MODULES})(?:\.\w+)*)\s+import\s+(?P<names>[^\n#]+))",
    re.MULTILINE,
)
PLACE_OF = later(r"\b(?P<names>[\w.]+)\.__(?:file|path)__|\b(?:get(?:source)?file|path_of)\(\s*(?P<given>\w+)")
FOUND_BY_NAME = later(
    rf"(?:find_spec|locate_file|files|distribution|import_module|get_loader|modules\[)\(?\s*[\"'](?P<spec>{MODULES})\b"
    rf"|(?:getsitepackages|getusersitepackages|get_path|get_python_lib|sys\.prefix|site\.)[^\n]*?[\"']/?(?:[^\"'\n]*/)?(?P<below>{MODULES})(?:/|\.py|[\"'])"
    r"|(?:loaded_specs\[|find_by_name\(|spec_for\(|gem_path\(|Gem::Specification[^\n]*?)\s*[\"'](?P<gem>[\w-]+)[\"']"
    rf"|(?:GOROOT|GOMODCACHE|go\s+list|pkg/mod)[^\n]*?(?P<go>{GO_MODULES}|src[/\"', ]+testing)"
)


@record
class Named:
    """Names that stand for files of tools, and Python's names of their modules."""

    files: dict[str, str]
    modules: dict[str, str]
    own_folders: bool
    """Folders called `node_modules` are perhaps of its own making."""


def modules_of(code: str) -> dict[str, str]:
    found = {}
    for match in ALIAS.finditer(code):
        if match["module"]:
            found[match["as"] or match["module"].partition(".")[0]] = match["module"].partition(".")[0]
        for name in match["names"].strip("() ").split(",") if match["names"] else ():
            found["".join(name.split()[-1:])] = match["package"].partition(".")[0]
    return {name: tool for name, tool in found.items() if name.isidentifier()}


def take_names(code: str, named: Named) -> None:
    assigned = sorted(_assigned(code))
    _take_assigned(assigned, named)
    if named.files:  # once more for what is joined of names that are given a value further down
        _take_assigned(assigned, named)
    functions = [
        (match["name"] or match["held"], (match["parameters"] or match["taken"] or "").split(","))
        for match in FUNCTION.finditer(code)
    ]
    calls = _calls(code, {name for name, _ in functions})
    for name, parameters in functions:
        _take_parameters(code, calls.get(name, ()), parameters, named)


def _assigned(code: str) -> Iterator[tuple[int, str, str]]:
    """Where names are given something, the names, and what they are given."""
    for form in GIVEN:
        for match in _all(form, code):
            yield match.start(), match["name"], _value(code, match.end())
    for match in _all(LISTED, code):
        yield match.start(), match["name"], match["value"]
    for match in _all(HELD, code):
        if not OPENS.search(match["value"]):
            yield match.start(), match["name"], match["value"]


def _all(form: re.Pattern[str], code: str) -> Iterable[re.Match[str]]:
    return form.finditer(code) if is_in_part(form, code) else ()


def _take_assigned(assigned: Iterable[tuple[int, str, str]], named: Named) -> None:
    for _, name, value in assigned:
        tool = place(value, named)
        if tool is not None and _goes_on(value, named) and not READS.search(without_places(value)):
            named.files.setdefault(name, tool)


def _goes_on(value: str, named: Named) -> bool:
    """What is made of a name of a file is one only if nothing but paths is made: other calls give other things."""
    if place(value, replace(named, files={})) is not None:
        return True
    return all(MAKES_PATHS.fullmatch(call) for call in CALLED.findall(value)) and ":" not in value.partition("{")[2]


def _calls(code: str, functions: set[str]) -> dict[str, list[int]]:
    """Where the arguments of each function's calls start."""
    found: dict[str, list[int]] = {}
    for call in CALL.finditer(code):
        if call[1] in functions and not DEFINES.search(code[max(call.start() - 12, 0) : call.start()]):
            found.setdefault(call[1], []).append(call.end())
    return found


def _take_parameters(code: str, calls: Sequence[int], parameters: list[str], named: Named) -> None:
    """A function is given a tool's file somewhere."""
    for start in calls:
        for parameter, given in zip(parameters, arguments(code, start), strict=False):
            tool = place(given, named)
            name = re.match(r"\s*([\w$]+)", parameter)
            if tool is not None and name is not None and not READS.search(without_places(given)):
                named.files.setdefault(name[1], tool)


def _value(code: str, start: int) -> str:
    """To the end of the statement: over lines as long as something is open."""
    deep = 0
    for at in range(start, min(start + 2000, len(code))):
        char = code[at]
        if char in "([{":
            deep += 1
        elif char in ")]}":
            deep -= 1
            if deep < 0:
                return code[start:at]
        elif (char == ";" or (char == "\n" and at > start)) and deep == 0:
            return code[start:at]
    return code[start : start + 2000]


def place(text: str, named: Named) -> str | None:
    """The tool whose file an expression names."""
    for asked in RESOLVES.finditer(text):
        if toolnames.npm(asked["name"]):
            return asked["name"]
    for match in PLACE_OF.finditer(text) if named.modules else ():
        for name in (match["names"] or match["given"]).split("."):
            if name in named.modules:
                return named.modules[name]
    if by_name := FOUND_BY_NAME.search(text):
        found = by_name["spec"] or by_name["below"] or by_name["go"]
        if found or by_name["gem"] in toolnames.GEMS:
            return found or by_name["gem"]
    for name in re.findall(r"(?<![\w.\"'/-])[@$]?\w+", text):
        if name in named.files:
            return named.files[name]
    return _literal(text) if not named.own_folders else None


def _literal(text: str) -> str | None:
    """Of a text in quotes, or of several that are joined to a path."""
    for written in dict.fromkeys((text, JOINED.sub("/", text))):
        for literal in LITERAL.finditer(written):
            for word in (literal["text"], *literal["text"].split()):
                if ROOTED.search(word) and (tool := tool_at(word)):
                    return tool
    return None


def without_places(text: str) -> str:
    """`require.resolve('x')` reads nothing."""
    return RESOLVES.sub("", text)
