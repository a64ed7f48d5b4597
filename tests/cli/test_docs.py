"""The documentation says what is so: every command and option, every example, every link."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from ralph import contracts
from ralph.agents.scripted import ScriptedAgent
from ralph.approvals.person import AGENT_MARKS
from ralph.approvals.queue import Queue
from ralph.cli.main import cli
from ralph.config import parse_config
from ralph.context import parse_context
from ralph.events.gate_settings import configured
from ralph.events.inbox import open_turn
from ralph.permissions.model import RunCommand
from tests.approvals.situation import JUDGEMENT, POLICY
from tests.cli.command import ralph, verify, words
from tests.events.situation import TOKEN, TURN, rules
from tests.project import repository, write

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
COMMANDS_PAGE = ROOT / "docs" / "commands.md"
ids = [str(page.relative_to(ROOT)) for page in PAGES]


@dataclass(frozen=True)
class Block:
    """A block of code on a page; `language` is empty for an indented one."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """Fenced blocks, and runs of indented lines."""
    fence: tuple[int, str] | None = None
    body: list[str] = []
    for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
        if line.startswith("```"):
            if fence:
                yield Block(page, *fence, "\n".join(body))
            fence, body = (None if fence else (number, line[3:].strip())), []
        elif fence:
            body.append(line)
        elif line.startswith("    "):
            yield Block(page, number, "", line[4:])


ALL = [block for page in PAGES for block in blocks(page)]


def sections(page: Path) -> dict[str, str]:
    """Heading -> what stands under it."""
    parts = re.split(r"^#{1,6} +(.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Every command that is no group, by its whole name."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for each in command.list_commands(context):
        found = command.get_command(context, each)
        assert found is not None
        yield from leaves(found, f"{name} {each}")


COMMANDS = dict(leaves(cli, "ralph"))


def options(command: click.Command) -> set[str]:
    return {name for each in command.params if isinstance(each, click.Option) for name in each.opts}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_section_with_its_options_and_no_others(name: str) -> None:
    text = re.sub(r"```.*?```", "", sections(COMMANDS_PAGE)[name], flags=re.DOTALL)
    spans = [span.split()[0] for span in re.findall(r"`([^`]+)`", text)]
    assert {span for span in spans if re.fullmatch(r"--?[A-Za-z][\w-]*", span)} == options(COMMANDS[name])


def started(block: Block) -> Iterator[list[str]]:
    """The words of each `ralph` that the block starts, at a line's beginning, after a prompt or behind a pipe."""
    for line in block.text.splitlines():
        for part in re.split(r"\s\|\s", line.removeprefix("$ ")):
            if re.match(r"ralph( |$)", part):
                yield shlex.split(part.rstrip("\\"), comments=True)


STARTED = [(block, given) for block in ALL if block.language in ("", "sh", "bash") for given in started(block)]


@pytest.mark.parametrize(("block", "given"), STARTED, ids=[f"{block} {' '.join(given)}" for block, given in STARTED])
def test_every_command_line_can_be_given(block: Block, given: list[str]) -> None:
    command: click.Command = cli
    rest = given[1:]
    while isinstance(command, click.Group) and rest:
        found = command.get_command(click.Context(command), rest[0])
        assert found is not None, f"{block}: there is no {' '.join(given)}"
        command, rest = found, rest[1:]
    values, left, _ = command.make_parser(click.Context(command)).parse_args(list(rest))
    assert left == []
    for each in command.params:
        if isinstance(each.type, click.Choice) and isinstance(value := values.get(each.name), str):
            assert value in each.type.choices


def test_command_lines_are_found_at_all() -> None:
    assert len(STARTED) > 20


@pytest.mark.parametrize("block", [each for each in ALL if each.language == "yaml"], ids=str)
def test_every_example_file_loads(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "example.yaml"
    file.write_text(block.text, "utf-8")
    if re.search(r"^project:", block.text, re.MULTILINE):
        parse_context(block.text.encode(), str(block))
    elif re.search(r"^(gates|event_loop|hats|preset):", block.text, re.MULTILINE):
        configured(parse_config(block.text.encode(), str(block)).gates)
    elif re.search(r"^turns:", block.text, re.MULTILINE):
        ScriptedAgent.from_yaml(file)
    else:
        contracts.read(file)


@pytest.mark.parametrize("block", [each for each in ALL if each.language == "json"], ids=str)
def test_every_json_example_is_json(block: Block) -> None:
    json.loads(block.text)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = words(tmp_path_factory.mktemp("docs") / "repo")
    write(root, {"a.py": "import os  # noqa\n"})
    return root


DOCUMENTS = {
    "ralph scan": ("scan", "--json", "-C"),
    "ralph audit list": ("audit", "list", "--json", "-C"),
    "ralph audit show": ("audit", "show", "last", "--json", "-C"),
    "ralph audit verify": ("audit", "verify", "last", "--json", "-C"),
    "ralph audit replay": ("audit", "replay", "last", "--json", "-C"),
    "ralph approvals list": ("approvals", "list", "--json", "-C"),
    "ralph checkpoint": ("checkpoint", "--json", "-C"),
    "ralph rollback": ("rollback", "--json", "-C"),
    "ralph emit": ("emit", "review.done", "tests: pass", "--json"),
    "ralph claims": ("claims", "--json", "-C"),
    "ralph policy list": ("policy", "list", "--json"),
    "ralph policy show": ("policy", "show", "--json"),
    "ralph policy rules": ("policy", "rules", "--json"),
    "ralph policy explain": ("policy", "explain", "py.noqa", "--policy", "v2", "--json"),
    "ralph init": ("init", "--force", "--json", "-C"),
    "ralph permissions check": ("permissions", "check", "--command", "npm install left-pad", "--json", "-C"),
    "ralph events check": ("events", "check", "review.done", "tests: PASS", "--json", "-C"),
    "ralph hats list": ("hats", "list", "--json", "-C"),
    "ralph hats show": ("hats", "show", "--json", "-C"),
    "ralph hats graph": ("hats", "graph", "--json", "-C"),
    "ralph prompt parse": ("prompt", "parse", '>>fix-bug issue:42 :: verify:"pytest -q" :fast', "--json"),
    "ralph prompt list": ("prompt", "list", "--json", "-C"),
    "ralph prompt show": ("prompt", "show", "fix-bug", "--json", "-C"),
    "ralph doctor": ("doctor", "--json", "-C"),
}


ANSWERS = {
    "ralph approvals show": ("approvals", "show"),
    "ralph approvals approve": ("approvals", "approve", "--reason", "small"),
    "ralph approvals reject": ("approvals", "reject", "--reason", "no"),
    "ralph approvals suggest": ("approvals", "suggest", "another way"),
}


def judged_lines() -> list[tuple[str, str, str]]:
    """The shell lines of the table in the section on permissions, with their answers and rules."""
    text = sections(ROOT / "docs" / "concepts.md")["Permissions"]
    rows = re.findall(r"^\| `(.+?)` \| (allow|approve|deny) \| `(.+?)`", text, re.MULTILINE)
    return [(line.replace(r"\|", "|"), answer, rule) for line, answer, rule in rows]


@pytest.mark.parametrize(("line", "answer", "rule"), judged_lines())
def test_every_answer_is_the_real_one(line: str, answer: str, rule: str, tmp_path: Path) -> None:
    """By the policy that docs/configuration.md shows."""
    page = ROOT / "docs" / "configuration.md"
    policy = next(each.text for each in blocks(page) if each.language == "json" and '"mode"' in each.text)
    write(tmp_path, {".git/HEAD": "", ".env": "", "src/a.ts": "", "policy.json": policy})
    asked = ("permissions", "check", "--command", line, "--policy-file", tmp_path / "policy.json", "--json")
    found = ralph(*asked, "-C", tmp_path).document
    assert (found["decision"], found["rule"]) == (answer, rule)


def about_gates(root: Path) -> Iterator[tuple[str, Any]]:
    """The commands around gates that cannot be met, and around exceptions."""
    script = root.parent / "idle.yaml"
    write(root.parent, {script.name: "name: idle\nturns: []\n"})
    gates = ":: ".join(['>>fix-bug "it fails" ', *(f'verify:"test -f nothing{number}" max:1 ' for number in range(3))])
    found = ralph("prompt", "run", gates, "--agent", f"scripted:{script}", "--json", "-C", root).document
    yield "ralph prompt run", found | {"gates": [each | {"attempts": []} for each in found["gates"]]}
    first, second, third = (each["id"] for each in found["gates"])
    yield "ralph gate list", ralph("gate", "list", "--json", "-C", root).document
    for name, gate in (("show", first), ("retry", first), ("skip", second), ("abort", third)):
        reason = [] if name == "show" else ["--reason", "so"]
        yield f"ralph gate {name}", ralph("gate", name, gate, *reason, "--json", "-C", root).document
    granted = ralph(
        "exceptions", "add", "limit:files", "--reason", "so", "--until", "1d", "--json", "-C", root
    ).document
    yield "ralph exceptions add", granted
    yield "ralph exceptions list", ralph("exceptions", "list", "--json", "-C", root).document
    revoke = ("exceptions", "revoke", granted["id"], "--reason", "so", "--json", "-C", root)
    yield "ralph exceptions revoke", ralph(*revoke).document


FOR_MACHINES = {"ralph hook", "ralph exec"}
"""Doors for agent clients, which speak the client's own format."""


def test_every_json_form_is_the_real_one(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`demo` takes too long for this; its parts are verdicts."""
    for name in AGENT_MARKS:
        monkeypatch.delenv(name, raising=False)
    assert_same_form(example("ralph verify"), verify(project).document, "ralph verify")
    for name, value in open_turn(project.parent / "inbox", TURN, rules(), TOKEN).items():
        monkeypatch.setenv(name, value)
    queue = Queue(project)
    for name, (group, command, *rest) in ANSWERS.items():
        request = queue.ask(RunCommand("npm install left-pad"), JUDGEMENT, POLICY, agent="claude", session=name)
        real = ralph(group, command, request.id, *rest, "--json", "-C", project).document
        assert_same_form(example(name), real, name)
    seen = set()
    for name, real in about_gates(project):
        assert_same_form(example(name), real, name)
        seen.add(name)
    for name, arguments in DOCUMENTS.items():
        real = ralph(*arguments, *([project] if arguments[-1] == "-C" else [])).document
        assert_same_form(example(name), real, name)
    assert {*DOCUMENTS, *ANSWERS, *seen, *FOR_MACHINES, "ralph verify", "ralph demo"} == COMMANDS.keys()


def example(name: str) -> Any:
    return json.loads(re.findall(r"```json\n(.*?)```", sections(COMMANDS_PAGE)[name], re.DOTALL)[0])


def assert_same_form(shown: Any, real: Any, place: str) -> None:
    """The same keys, in the document itself and in what its lists hold. Mappings inside may be cut in an example."""
    assert shown.keys() == real.keys(), place
    for key, value in shown.items():
        if isinstance(value, list) and value and isinstance(value[0], dict) and real[key]:
            assert value[0].keys() == real[key][0].keys(), f"{place}: {key}"
        if isinstance(value, dict) and key != "missing":
            assert value.keys() <= real[key].keys(), f"{place}: {key}"


def test_the_example_of_a_loop_runs(tmp_path: Path) -> None:
    """The three files of docs/agents.md, as they stand there."""
    page = ROOT / "docs" / "agents.md"
    script, contract, program = (each.text for each in blocks(page) if each.language in ("yaml", "python"))
    write(tmp_path, {"script.yaml": script, "contract.yaml": contract, "play.py": program})
    root = repository(tmp_path / "repo", {"a.md": "one\n"})
    played = subprocess.run(
        [sys.executable, str(tmp_path / "play.py")], cwd=root, capture_output=True, text=True, check=False
    )
    assert played.returncode == 0, played.stderr
    assert f"It prints `{played.stdout.strip()}`." in page.read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = Path(os.path.normpath(page.parent / name)) if name else page
        assert target.is_file(), f"{page.name}: {link}"
        if anchor:
            assert anchor in {slug(heading) for heading in sections(target)}, f"{page.name}: {link}"


def slug(heading: str) -> str:
    """The anchor that code hosts give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\(([^)]+)\)", (folder / "README.md").read_text("utf-8"))
    assert sorted(listed) == sorted(path.name for path in folder.glob("[0-9]*.md"))
