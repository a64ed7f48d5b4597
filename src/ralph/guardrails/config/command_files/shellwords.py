"""Shell text as simple commands: parsed with the shell's grammar, wrappers taken off, known variables put in.

A word that is only known at run time keeps its text (`$X`), and so equals only itself. Here documents, comments and
quoted text are no commands.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import lru_cache

import tree_sitter

from ralph.guardrails.config.node import names
from ralph.record import record
from ralph.syntax import parse_bounded, walk
from ralph.system.patterns import later

WRAPPERS = dict.fromkeys(
    names("env exec command time nice sudo nohup xvfb-run npx bunx uvx cross-env dotenv c8 nyc"), 0
) | {"timeout": 1}
"""Programs that run the rest of their words, and how many words of their own stand before it."""
RUNNERS = frozenset(
    tuple(pair.split())
    for pair in [
        "uv run",
        "poetry run",
        "pdm run",
        "hatch run",
        "pipenv run",
        "rye run",
        "pixi run",
        "pnpm exec",
        "pnpm dlx",
        "yarn exec",
        "yarn dlx",
        "yarn run",
        "pipx run",
        "uv x",
        "npm exec",
        "bun run",
        "bun x",
        "bundle exec",
        "coverage run",
        "tox exec",
    ]
)
PROGRAMS_OF_TWO_WORDS = {pair: "-".join(pair) for pair in (("bundle", "audit"), ("docker", "scout"), ("nix", "flake"))}
BINARY_RUNNERS = frozenset({"yarn", "pnpm"})
"""These run a package's program by its bare name."""
VALUE_OPTIONS = frozenset(
    {"--with", "--extra", "--group", "--python", "-p", "--package", "-m", "-k", "-s", "--signal", "-u", "--unset"}
)
COUNTING_OPTIONS = VALUE_OPTIONS | frozenset(
    names(
        "--exclude -x --include -n --reporter -r --extension -e --require -i --cwd --src --report-dir --reports-dir "
        "--temp-dir --temp-directory --cache-dir --config --nycrc-path --branches --functions --lines --statements"
    )
)
WITH_VALUES = {
    "nyc": COUNTING_OPTIONS,
    "c8": COUNTING_OPTIONS,
    "nice": frozenset({"-n", "--adjustment"}),
    "timeout": frozenset({"-k", "--kill-after", "-s", "--signal"}),
    "pixi": frozenset({"-e", "--environment", "-m", "--manifest-path", "--pypi-keyring-provider", "--color"}),
}
"""Options that take the word behind them, of programs that have others than most."""
MAX_NESTING = 4
_VARIABLE = later(r"\$(?:\{(?P<braced>\w+)(?::?[-=](?P<default>[^}]*))?\}|\((?P<made>\w+)\)|(?P<bare>\w+))")
FOR_STEPS = later(
    r"(?:echo|printf)\s+(?P<quote>[\"']?)(?P<name>[A-Z_]\w*)=(?P<value>.*?)(?P=quote)\s*>>\s*[\"']?\$\{?GITHUB_ENV\b"
)
MAKES = later(r"(?:^|[;&|(]|\brun:)[ \t]*(?:\w+=\S+[ \t]+)*g?make\b(?P<words>[^\n;|&]*)")
MADE_WITH = later(r"(?<=[ \t])(?P<name>[A-Z][A-Z_]+)=(?P<value>\"[^\"$]*\"|'[^'$]*'|[^\s$]+)")
HANDS_ON = later(r"GITHUB_ENV|\bg?make\b[^\n;|&]*[ \t][A-Z_]+=")
_SPELLED = later(r"__u(10[0-9a-f]{4}|[0-9a-f]{2,5})__")
_EXPRESSION = later(r"\$\{\{(.*?)\}\}", re.DOTALL)
_FROM_ENVIRONMENT = later(r"\s*env\.(\w+)\s*")


@record
class Command:
    """The program by its last name, its words, and the line of the text on which it begins (0-based)."""

    words: tuple[str, ...]
    row: int


def commands(text: str, variables: Mapping[str, str], depth: int = 0) -> Iterator[Command]:
    """Every simple command, also inside lists, conditions and `sh -c` text; wrapped ones come bare too."""
    for node, row in _nodes(without_expressions(text), "command"):
        words = [part for word in _words(node) for part in _parts(word, expanded(word, variables))]
        for bare in unwrapped(words):
            yield Command(tuple(bare), row)
            if depth < MAX_NESTING and (inner := _inline(bare)):
                yield from (Command(command.words, row) for command in commands(inner, variables, depth + 1))


def _parts(word: str, known: str) -> list[str]:
    """An unquoted variable may hold several words, and options of a program are such words."""
    return known.split() if known != word and " " in known and known.startswith("-") else [known]


def assignments(text: str) -> Iterator[tuple[str, str, int]]:
    """(name, literal value, row) of every variable set in the text, for the steps behind and for `make`, too."""
    for row, line in enumerate(text.split("\n")) if HANDS_ON.search(text) else ():
        if (match := FOR_STEPS.search(line)) is not None:
            yield match["name"], match["value"], row
        for made in MAKES.finditer(line):
            for given in MADE_WITH.finditer(made["words"]):
                yield given["name"], given["value"].strip("\"'"), row
    for node, row in _nodes(without_expressions(text), "variable_assignment"):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name and value:
            yield _text(name), _word(value), row


def floors(text: str) -> Iterator[tuple[str, str, int]]:
    """(what is compared, number, row) of tests that fail below a number: `[ "$COV" -lt 80 ]`."""
    for node, row in _nodes(without_expressions(text), "binary_expression"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left and right and re.fullmatch(r"\d+(\.\d+)?", _word(right)):
            yield _word(left), _word(right), row


def _nodes(text: str, kind: str) -> Iterator[tuple[tree_sitter.Node, int]]:
    """Nodes of a kind with their row. Text that does not parse is read line by line, so that nothing hides in it."""
    for tree, first in _trees(text):
        yield from ((node, first + node.start_point.row) for node in walk(tree.root_node) if node.type == kind)


@lru_cache(maxsize=16)
def _trees(text: str) -> tuple[tuple[tree_sitter.Tree, int], ...]:
    """Each with the row on which it begins. Several questions are asked about one text."""
    tree = _parsed(text)
    if not tree.root_node.has_error:
        return ((tree, 0),)
    return tuple((_parsed(line), row) for row, line in enumerate(text.split("\n")))


def without_expressions(text: str) -> str:
    """A CI's `${{ env.X }}` as the shell's `$X`; any other expression as a variable named after it."""

    def shell(match: re.Match[str]) -> str:
        name = _FROM_ENVIRONMENT.fullmatch(match[1])
        return f"${{{name[1] if name else re.sub(r'[^0-9A-Za-z]+', '_', match[1]).strip('_')}}}"

    return _EXPRESSION.sub(shell, text)


def expanded(word: str, variables: Mapping[str, str]) -> str:
    """The word with variables of known value put in."""

    def value(match: re.Match[str]) -> str:
        name = match["braced"] or match["made"] or match["bare"]
        return variables.get(name, match["default"] or match[0])

    return _VARIABLE.sub(value, word)


def unwrapped(words: list[str]) -> Iterator[list[str]]:
    """The command as written and as each wrapper's inner command, innermost last; the program by its last name."""
    while words:
        words = words[next((i for i, word in enumerate(words) if not re.match(r"\w+=", word)), len(words)) :]
        if not words:
            return
        words = [posixpath.basename(words[0]), *words[1:]]
        yield words
        words = _inner(words)


def _inner(words: list[str]) -> list[str]:
    if re.fullmatch(r"python[0-9.]*|pypy3?", words[0]):
        at = next((index for index, word in enumerate(words) if re.fullmatch(r"-[A-Za-z]*m", word)), -1)
        managed = next((index for index, word in enumerate(words) if word.endswith("manage.py")), len(words))
        return words[at + 1 :] if at >= 0 else words[managed:]
    if words[0] in WRAPPERS:
        return _past_options(words[1:], WITH_VALUES.get(words[0], VALUE_OPTIONS))[WRAPPERS[words[0]] :]
    if tuple(words[:2]) in RUNNERS:
        rest = words[2:]
        if words[0] == "coverage" and "-m" in rest:
            return rest[rest.index("-m") + 1 :]
        values = WITH_VALUES.get(words[0], VALUE_OPTIONS)
        return _past_options(rest, values, modules=words[0] in ("uv", "pdm", "rye", "hatch"))
    if (whole := PROGRAMS_OF_TWO_WORDS.get((words[0], "".join(words[1:2])))) is not None:
        return [whole, *words[2:]]
    return words[1:] if words[0] in BINARY_RUNNERS else []


def _past_options(words: list[str], values: frozenset[str] = VALUE_OPTIONS, *, modules: bool = False) -> list[str]:
    """`modules`: `-m` names the module that is run."""
    index = 0
    while index < len(words) and words[index].startswith("-"):
        if words[index] == "--" or (modules and words[index] in ("-m", "--module")):
            return words[index + 1 :]
        index += 2 if words[index] in values else 1
    return words[index:]


def _inline(words: list[str]) -> str | None:
    """The text that `sh -c` or `eval` runs."""
    if words[0] == "eval":
        return " ".join(words[1:])
    if words[0] in ("sh", "bash", "dash", "zsh", "ksh"):
        at = next((i for i, word in enumerate(words) if re.fullmatch(r"-[a-z]*c", word)), -1)
        return words[at + 1] if 0 < at < len(words) - 1 else None
    return None


def _words(node: tree_sitter.Node) -> list[str]:
    found = []
    for child in node.named_children:
        if child.type == "command_name":
            found.append(_word(child.named_children[0] if child.named_children else child))
        elif (
            child.type not in ("variable_assignment", "comment")
            and "redirect" not in child.type
            and "heredoc" not in child.type
        ):
            found.append(_word(child))
    return found


def _word(node: tree_sitter.Node) -> str:
    """The word as the program gets it, with expansions as written."""
    match node.type:
        case "string":
            return unescaped(_text(node)[1:-1])
        case "raw_string":
            return _text(node)[1:-1]
        case "concatenation":
            return "".join(_word(child) for child in node.children)
        case "word":
            return unescaped(_text(node))
    return _text(node)


def unescaped(text: str) -> str:
    """A word as the shell takes it, without the backslashes that guard its letters."""
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL).replace("\n", " ") if "\\" in text else text


def _parsed(text: str) -> tree_sitter.Tree:
    """The tree of a text whose characters beyond ASCII are spelled out: the parser takes no others (see `parse`)."""
    return parse_bounded(
        "shell", re.sub(r"[^\x00-\x7f]", lambda match: f"__u{ord(match[0]):x}__", text).encode("ascii")
    )


def _text(node: tree_sitter.Node) -> str:
    spelled = (node.text or b"").decode("ascii")
    return _SPELLED.sub(lambda match: chr(int(match[1], 16)), spelled)


def unquoted(text: str) -> str:
    """Without the quotes around all of it."""
    quote = text[:1]
    return text[1:-1] if quote and quote in "\"'" and text.find(quote, 1) == len(text) - 1 else text


def split_words(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=False)
    except ValueError:
        return text.split()
