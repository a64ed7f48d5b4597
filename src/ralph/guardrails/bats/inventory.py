"""The tests of bats: their names, what each checks, and what is left of others (policy set v2, G04 and G05).

Rules:

- A test is `@test "name" {` at the beginning of a line, up to a `}` alone at the beginning of one, in a file that bats
  is given by itself (`*.bats`). The same in a comment, or a second one of its name, is a ghost.
- bats stops a test at its first command that fails. What comes after a `return` or `exit` of the outermost level is
  never reached; what stands in an `if` or a loop may not be.
- Any other shell script is read by `plainshell`.
- What stands on several lines is read as one line (`joined`), the name of a text as the text (`named`), and a plain
  function of the file, or of one that it loads, as its commands (`helpers`).
- What `run` runs is the subject. A function of the file by the name of what was run before is the test's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from ralph.guardrails.bats.checks import said
from ralph.guardrails.bats.groups import called_in, unheard_lines
from ralph.guardrails.bats.helpers import functions_of, loaded, written_out
from ralph.guardrails.bats.joined import joined, without_comment
from ralph.guardrails.bats.named import is_text, put_in, texts_of
from ralph.guardrails.inventory.model import SWALLOWED, Check, Facts, Fake, Ghost, Grade, Inventory, Test
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.plainshell import inventory as plainshell
from ralph.guardrails.plainshell.files import is_named_test
from ralph.guardrails.source import Source
from ralph.record import field, record, replace
from ralph.system.patterns import later

WORDS = (r"@test", r"BATS_TEST_RETRIES", r"^\s*(?:if\s|\[|test\s|[efz]?grep\s|diff\s|cmp\s)|\|\||&&|\bexit\b|\bassert")
"""The second one is for scripts that the project runs as tests, whatever they are called."""
HEAD = later(r"^[ \t]*@test[ \t]+(?P<quote>[\"']?)(?P<name>.+?)(?P=quote)[ \t]*\{(?P<rest>.*)$")
GHOST = later(r"^[ \t]*#.*?@test[ \t]+[\"']?(?P<name>.+?)[\"']?[ \t]*\{")
OPENS = later(r"^(?:if|for|while|until|case|select)\b")
CLOSES = later(r"^(?:fi|done|esac)\b")
RETRIES = later(r"(?<![\w$])BATS_TEST_RETRIES=[\"']?(?P<times>\d+)")
LEAVES = later(r"^(?:return|exit)(?:[ \t]+(?P<status>\S+))?$")
AT_TIMES = later(r"(?:&&|\|\|)[ \t]*\{?[ \t]*(?:return|exit)(?:[ \t]+0)?[ \t]*(?:\}[ \t]*)?$")
"""`[ -n "$CI" ] && return`."""
MACHINE = later(r"\buname\b|OSTYPE|\bcommand[ \t]+-v\b|\btype\b|\bwhich\b|\bhash\b|\bEUID\b|\bid[ \t]+-u\b")
"""What asks for the machine that a test runs on, not for the run."""
FUNCTION = later(r"^(?:function[ \t]+(?P<plain>[\w.-]+)[ \t]*(?:\(\))?|(?P<named>[\w.-]+)[ \t]*\(\))[ \t]*\{")
NO_ITEMS = later(r"^for[ \t]+\w+[ \t]+in[ \t]*(?:;|$|\"\"|'')")
FALSE = later(r"^(?:if|while)[ \t]+(?:false|!\s*true|\[+\s*(?:0\s+-eq\s+1|1\s+-eq\s+0)\s*\]+)\s*(?:;|$)")
RUN = later(r"^run(?:[ \t]+(?:-\S+|!))*[ \t]+(?:bash[ \t]+|sh[ \t]+)?(?P<program>[^\s;|&]+)")
RUNS = later(r"^run(?:[ \t]+(?:-\S+|!))*[ \t]+")
WORD = later(r"\b(?!assert|refute)[A-Za-z_][\w.-]*")
LITERAL = later(r"\"[^\"\n]*\"|'[^'\n]*'|(?<![\w$])\d+\b")
THEN = later(r"^(?:then|do|else)\b[ \t]*")
SEPARATE = later(r"[ \t]*;(?!;)[ \t]*")


@record
class Block:
    name: str
    line: int
    snippet: str
    body: tuple[str, ...]
    helpers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Functions of the file that are written out where they are called."""

    def told(self, lines: Sequence[str]) -> list[str]:
        """The commands of some of its lines."""
        return [each for statement in _statements(lines) for each in written_out(statement, self.helpers)]


def is_test_file(path: str) -> bool:
    return _is_of_bats(path) or is_named_test(path)


def _is_of_bats(path: str) -> bool:
    return path.lower().endswith(".bats")


def collect(source: Source, paths: Paths) -> Inventory:
    if not _is_of_bats(source.path):
        return plainshell.collect(source, paths)
    lines = source.data.decode("utf-8", "replace").split("\n")
    blocks, outside = _blocks(lines, source.first_line)
    shared = "\n".join(line for line in outside if line.strip() and not line.lstrip().startswith("#"))
    helpers = functions_of([*outside, *loaded(outside, source.path, paths)], _statements)
    blocks = [replace(block, helpers=helpers) for block in blocks] if helpers else blocks
    last = {block.name: block for block in blocks}
    tests = tuple(_test(block, source.path, shared) for block in blocks if last[block.name] is block)
    return Inventory(tests, (*_commented(outside, source), *_twins(blocks, last, source)))


def _blocks(lines: list[str], first: int) -> tuple[list[Block], list[str]]:
    """The tests, and all lines that belong to none (those of tests left empty, so that places stay)."""
    blocks: list[Block] = []
    outside: list[str] = []
    at = 0
    while at < len(lines):
        head = HEAD.match(lines[at])
        end = at + 1
        if head is None:
            outside.append(lines[at])
        else:
            rest = head["rest"].strip()
            body = [rest.removesuffix("}").rstrip("; \t")] if rest and not rest.startswith("#") else []
            while not rest.endswith("}") and end < len(lines) and not lines[end].startswith("}"):
                body.append(lines[end])
                end += 1
            end += 0 if rest.endswith("}") else 1
            blocks.append(Block(head["name"], at + first, lines[at].strip(), joined(body)))
            outside += [""] * (end - at)
        at = end
    return blocks, outside


def _test(block: Block, path: str, shared: str) -> Test:
    text = "\n".join(block.told(block.body))
    return Test(
        parts=(block.name,),
        path=path,
        line=block.line,
        column=1,
        snippet=block.snippet,
        text=f"{text}\n{shared}",
        facts=cache(lambda: _facts(block, text, shared)),
    )


def _facts(block: Block, text: str, shared: str) -> Facts:
    code = f"{text}\n{shared}"
    defined = (FUNCTION.match(line.lstrip()) for line in code.split("\n"))  # also those that `setup` defines
    own = frozenset(match["plain"] or match["named"] for match in defined if match)
    programs = {found["program"].rpartition("/")[2] for line in text.split("\n") if (found := RUN.match(line))}
    programs |= {name.removesuffix(".sh").removesuffix(".bash") for name in programs}
    own = frozenset(name for name in own if name not in programs or not _hands_on(name, code))
    return Facts(
        checks=tuple(_checks(block)),
        words=frozenset(WORD.findall(text)) | programs,
        literals=frozenset(each.strip("\"'") for each in LITERAL.findall(text) if "$" not in each),
        body=text,
        empty=not text,
        retries=max((int(match["times"]) for match in RETRIES.finditer(code)), default=0),
        faked=(Fake("run", block.line, 1, block.snippet),) if "run" in own else (),
        given=lambda line: _given_up_to(block, line),
        own=own & programs,
        defined=own,
    )


def _given_up_to(block: Block, line: int) -> frozenset[str]:
    """Words and constants of the commands up to a line, apart from what asks and from texts with names."""
    said_above = block.told(block.body[: line - block.line])
    named = texts_of(said_above)
    commands = (each for each in said_above if RUN.match(each) or not list(said(each, line)))
    told = [RUNS.sub("", each) for each in commands if not is_text(each, named)]
    literals = frozenset(each.strip("\"'") for command in told for each in LITERAL.findall(command) if "$" not in each)
    return literals.union(*(WORD.findall(command) for command in told))


def _hands_on(name: str, code: str) -> bool:
    """A function that runs the program of its name."""
    word = re.escape(name)
    body = re.search(rf"(?m)^(?:function[ \t]+)?{word}[ \t]*(?:\(\))?[ \t]*\{{(?P<body>[^}}]*)\}}", code)
    return body is not None and re.search(rf"/{word}\b|\b{word}\.|\bcommand[ \t]+{word}\b", body["body"]) is not None


def _checks(block: Block) -> Iterator[Check]:
    """Each assertion, with what keeps it from being reached."""
    depth, left, never, rounds, helper = 0, False, 0, 0, 0
    is_called = False
    asked, perhaps, called = "", False, called_in(block.body)
    unheard, texts = unheard_lines(block.body), texts_of(block.told(block.body))
    for number, line in enumerate(block.body, block.line + 1):
        for statement in block.told([line]):
            if FUNCTION.match(statement):
                depth += not statement.endswith("}")
                helper, is_called = helper or depth, is_called if helper else _name(statement) in called
            elif OPENS.match(statement):
                depth += 1
                asked = statement
                never = never or (depth if FALSE.match(statement) or NO_ITEMS.match(statement) else 0)
                rounds = rounds or (0 if statement.startswith(("if", "case")) else depth)
            elif CLOSES.match(statement) or statement == "}":
                depth -= 1
                never, rounds, helper = (0 if each > depth else each for each in (never, rounds, helper))
            elif (leaves := LEAVES.match(statement)) and leaves["status"] in (None, "0") and not helper:
                left = left or not depth
                perhaps = perhaps or not MACHINE.search(asked)
            elif AT_TIMES.search(statement) and not MACHINE.search(statement) and not helper:
                perhaps = True
            for check in said(put_in(statement, texts), number):
                conditional = perhaps or depth > (helper if helper and is_called else 0)
                reached = _reached(check, left or bool(never), conditional, bool(rounds))
                yield (
                    replace(reached, grade=Grade.NOTHING, why=SWALLOWED)
                    if number - block.line - 1 in unheard
                    else reached
                )


def _name(statement: str) -> str:
    match = FUNCTION.match(statement)
    return (match["plain"] or match["named"]) if match else ""


def _reached(check: Check, lost: bool, conditional: bool, repeated: bool) -> Check:
    if lost:
        return replace(check, grade=Grade.NOTHING, why="it is never reached")
    if repeated:
        return replace(check, times=None)
    if conditional and check.grade:
        return replace(check, grade=Grade.EXISTS, perhaps=True, why="it runs under a condition")
    return check


def _statements(lines: Sequence[str]) -> list[str]:
    """The commands of lines, without comments; those apart by `;` unless a quote is open between."""
    found: list[str] = []
    for line in lines:
        text = without_comment(line)
        parts = SEPARATE.split(text)
        closed = all(part.count('"') % 2 == 0 and part.count("'") % 2 == 0 for part in parts)
        bare = (THEN.sub("", part) for part in (parts if closed else [text]))
        found += [part for part in bare if part]
    return found


def _commented(outside: list[str], source: Source) -> Iterator[Ghost]:
    for number, line in enumerate(outside, source.first_line):
        if match := GHOST.match(line):
            yield Ghost(
                name=match["name"],
                path=source.path,
                line=number,
                column=1,
                snippet=line.strip(),
                why="it is commented out",
            )


def _twins(blocks: list[Block], last: dict[str, Block], source: Source) -> Iterator[Ghost]:
    for block in blocks:
        if last[block.name] is not block:
            yield Ghost(
                name=block.name,
                path=source.path,
                line=block.line,
                column=1,
                snippet=block.snippet,
                why="a later test has its name",
                twin=True,
            )
