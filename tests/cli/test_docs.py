"""The documentation says what is so: every command and option, every example, every link."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import click
import pytest

from ralph import contracts
from ralph.agents.base import EndReason, Record
from ralph.agents.script import FORMS
from ralph.agents.scripted import ScriptedAgent
from ralph.approvals.person import AGENT_MARKS
from ralph.approvals.queue import Queue
from ralph.cli.main import cli
from ralph.cli.run import EXITS
from ralph.config import parse_config
from ralph.config.check import KINDS
from ralph.config.run import AgentEntry
from ralph.config.schema import Config
from ralph.context import parse_context
from ralph.events.gate_settings import configured
from ralph.events.inbox import open_turn
from ralph.loop.control import hold
from ralph.loop.phases.tools import TOOLS
from ralph.loop.plan.files import PlanStore
from ralph.loop.saved import StateStore
from ralph.loop.toolbox import Desk, tools
from ralph.loop.words import Phase
from ralph.permissions.model import RunCommand
from ralph.system.yaml import load_yaml
from tests.approvals.situation import JUDGEMENT, POLICY
from tests.cli.command import Answer, ralph, verify, words
from tests.cli.runs import RUN, begin
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
    given = [each for each in command.params if isinstance(each, click.Option)]
    return {name for each in given for name in (*each.opts, *each.secondary_opts)}


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
    elif re.search(r"^(gates|event_loop|hats|preset|notify|telemetry):", block.text, re.MULTILINE):
        configured(parse_config(block.text.encode(), str(block)).gates)
    elif re.search(r"^turns:", block.text, re.MULTILINE):
        ScriptedAgent.from_yaml(file)
    elif re.search(r"^(jobs|repos|include):", block.text, re.MULTILINE):  # of other programs
        assert isinstance(load_yaml(block.text, str(block)), dict)
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
    "ralph stats": ("stats", "--json", "-C"),
    "ralph notify list": ("notify", "list", "--json", "-C"),
    "ralph notify flush": ("notify", "flush", "--json", "-C"),
    "ralph deliver": ("deliver", "--to", "/nowhere", "--dry-run", "--json", "-C"),
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
    "ralph policy replay": ("policy", "replay", "--policy", "v2", "--json", "-C"),
    "ralph selftest": ("selftest", "--policy", "v2", "--class", "G03", "--json", "-C"),
    "ralph init": ("init", "--force", "--json", "-C"),
    "ralph permissions check": ("permissions", "check", "--command", "npm install left-pad", "--json", "-C"),
    "ralph events check": ("events", "check", "review.done", "tests: PASS", "--json", "-C"),
    "ralph hats list": ("hats", "list", "--json", "-C"),
    "ralph hats show": ("hats", "show", "--json", "-C"),
    "ralph hats graph": ("hats", "graph", "--json", "-C"),
    "ralph prompt parse": ("prompt", "parse", '>>fix-bug issue:42 :: verify:"pytest -q" :fast', "--json"),
    "ralph prompt list": ("prompt", "list", "--json", "-C"),
    "ralph prompt show": ("prompt", "show", "fix-bug", "--json", "-C"),
    "ralph memory": ("memory", "--json", "-C"),
    "ralph handoff": ("handoff", "--json", "-C"),
    "ralph reset": ("reset", "--yes", "--json", "-C"),
    "ralph schema": ("schema", "--json"),
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
    granted = ralph("exceptions", "add", "gate:1-1.1", "--reason", "so", "--until", "1d", "--json", "-C", root).document
    yield "ralph exceptions add", granted
    yield "ralph exceptions list", ralph("exceptions", "list", "--json", "-C", root).document
    revoke = ("exceptions", "revoke", granted["id"], "--reason", "so", "--json", "-C", root)
    yield "ralph exceptions revoke", ralph(*revoke).document


def about_the_plan(root: Path) -> Iterator[tuple[str, Any]]:
    """The commands around a plan, from its first task on."""

    def said(*words: str) -> Any:
        return ralph(*words, "--json", "-C", root).document

    write(root.parent, {"todo.md": "- [ ] auth-01: Create the model\n- [x] auth-03: Add the login (after auth-01)\n"})
    yield "ralph plan add", said("plan", "add", "Create the model", "--id", "auth-01", "--criterion", "pytest passes")
    yield "ralph plan list", said("plan", "list")
    yield "ralph plan next", said("plan", "next")
    yield "ralph plan import", said("plan", "import", str(root.parent / "todo.md"))
    yield "ralph plan check", said("plan", "check")
    yield "ralph plan show", said("plan", "show", "auth-01")
    for decision in ("skip", "retry"):
        yield f"ralph plan {decision}", said("plan", decision, "auth-01", "--reason", "so")
    yield "ralph tasks", said("tasks")


def about_a_run(root: Path) -> Iterator[tuple[str, Any]]:
    """The commands around a run at work."""
    begin(root)
    with hold(root, RUN):
        for words_of_it in (
            ("status",),
            ("pause",),
            ("stop",),
            ("inject", "The port is 8081."),
            ("breaker", "show"),
            ("breaker", "reset", "--reason", "so"),
        ):
            name = "ralph " + " ".join(words_of_it[: 2 if words_of_it[0] == "breaker" else 1])
            yield name, ralph(*words_of_it, "--json", "-C", root).document


FOR_MACHINES = {"ralph mcp"}
"""A door for agent clients, which speaks their own format."""
ELSEWHERE = {
    *("ralph verify", "ralph demo", "ralph notify test", "ralph run", "ralph resume"),
    *("ralph ci base", "ralph ci publish"),
}
"""The first is the beginning of all others, `demo` takes too long for a test, the rest have tests of their own."""
WITH_A_QUEUE = {
    *("ralph submit verify", "ralph submit run", "ralph queue list", "ralph queue show", "ralph queue cancel"),
    *("ralph queue retry", "ralph queue answer", "ralph queue workers", "ralph web"),
}
"""They print a job, a list or an address; what is shown of a job is held against a real one."""


def test_every_json_form_is_the_real_one(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    for name, real in (*about_gates(project), *about_the_plan(project), *about_a_run(project)):
        assert_same_form(example(name), real, name)
        seen.add(name)
    for name, arguments in DOCUMENTS.items():
        real = ralph(*arguments, *([project] if arguments[-1] == "-C" else [])).document
        assert_same_form(example(name), real, name)
    real = ralph("submit", "verify", "--json", "-C", project).document
    assert_same_form(example("ralph queue"), real, "a job")
    with_json = {name for name, command in COMMANDS.items() if "--json" in options(command)}
    assert {*DOCUMENTS, *ANSWERS, *seen, *FOR_MACHINES, *ELSEWHERE, *WITH_A_QUEUE} == with_json


def examples(name: str) -> list[Any]:
    return [json.loads(text) for text in re.findall(r"```json\n(.*?)```", sections(COMMANDS_PAGE)[name], re.DOTALL)]


def example(name: str) -> Any:
    return examples(name)[0]


def assert_same_form(shown: Any, real: Any, place: str) -> None:
    """The same keys, in the document itself and in what its lists hold. Mappings inside may be cut in an example."""
    assert shown.keys() == real.keys(), place
    for key, value in shown.items():
        if isinstance(value, list) and value and isinstance(value[0], dict) and real[key]:
            assert value[0].keys() == real[key][0].keys(), f"{place}: {key}"
        if isinstance(value, dict) and key != "missing":
            assert value.keys() <= real[key].keys(), f"{place}: {key}"


def test_the_example_of_a_run_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two files of docs/agents.md and the command below them, as they stand there: begun, cut short, resumed."""
    for name in AGENT_MARKS:
        monkeypatch.delenv(name, raising=False)
    page = ROOT / "docs" / "agents.md"
    script, contract = (each.text for each in blocks(page) if each.language == "yaml")
    write(tmp_path, {"script.yaml": script, "contract.yaml": contract})
    monkeypatch.chdir(repository(tmp_path / "repo", {"a.md": "one\n"}))
    text = sections(page)["An example"]
    command = re.findall(r"^    ralph (run .+)$", text, re.MULTILINE)[0]
    begun = ralph(*shlex.split(command), "--json", "--max-iterations", "2")
    ended = ralph("resume", "--json", "--max-iterations", "100")
    assert (begun.code, ended.code) == (EXITS["limit"], EXITS["passed"]), ended.err
    first, *lines = said(ended)
    assert f"`PASSED: {lines[-1]['standing']['why']}`" in text
    listed = ralph("audit", "list", "--json").document["runs"]
    assert ", ".join(f"`{each['type']}`" for each in listed) in text.replace("\n", " ")
    for shown in examples("ralph run"):
        assert_same_form(shown, next(each for each in [*said(begun), *lines] if alike(shown, each)), "ralph run")
    assert_same_form(example("ralph resume"), first, "ralph resume")
    for name in ("ralph run", "ralph resume"):
        standing = next(each["standing"] for each in examples(name) if "standing" in each)
        assert_same_form(standing, first["standing"], name)


def said(answer: Answer) -> list[Any]:
    return [json.loads(line) for line in answer.out.splitlines()]


def alike(shown: Any, line: Any) -> bool:
    """Whether a line of a run is of the kind of one that is shown."""
    return bool(shown.keys() == line.keys() and kind_of(shown) == kind_of(line))


def kind_of(line: Any) -> tuple[Any, ...]:
    return (line.get("input") or {}).get("kind"), line.get("record"), line.get("result") is None


def rows(page: str, section: str) -> list[list[str]]:
    """The cells of a section's tables, without their heads."""
    text = sections(ROOT / page)[section]
    found = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("| ")]
    heads = [above for above, below in itertools.pairwise(text.splitlines()) if below.startswith("|---")]
    return [[cell.strip() for cell in row] for row in found if f"|{'|'.join(row)}|" not in heads]


def code(cell: str) -> list[str]:
    """The first word of each code span in a cell."""
    return [re.split(r"[\s:]", span)[0] for span in re.findall(r"`([^`]+)`", cell)]


def test_every_tool_of_ralph_s_is_told_with_its_phases() -> None:
    """In docs/agents.md; in docs/commands.md by their names."""
    told = {code(name)[0]: set(Phase) if where == "all" else set(where.split(", ")) for name, where, _ in tools_told()}
    names = {name for each in TOOLS.values() for name in each.ralph}
    assert told == {name: {phase for phase in Phase if name in TOOLS[phase].ralph} for name in names}
    assert names == {tool.name for tool in tools(Desk(root=ROOT, plan=PlanStore(ROOT), states=StateStore(ROOT)))}
    assert names == {name for row in rows("docs/commands.md", "ralph mcp") for name in code(row[0]) if name in told}


def tools_told() -> list[list[str]]:
    return rows("docs/agents.md", "Ralph's tools")


def test_every_end_of_a_turn_is_told() -> None:
    told = {name for row in rows("docs/agents.md", "How a turn ends") for name in code(row[0])}
    assert told == set(get_args(EndReason))


def test_every_record_is_told_with_its_fields() -> None:
    told = {code(name)[0]: set(code(fields)) for name, fields, _ in rows("docs/agents.md", "Records")}
    real = {kind.__name__: {each.name for each in dataclasses.fields(kind)} for kind in get_args(Record)}
    assert told.keys() == real.keys()
    for name, fields in told.items():
        assert fields == real[name] or (name == "Usage" and fields < real[name])


def test_every_action_of_a_script_is_told() -> None:
    assert {code(row[0])[0] for row in rows("docs/agents.md", "The scripted agent")} == set(FORMS)


def test_every_agent_is_told() -> None:
    assert {code(row[0])[0] for row in rows("docs/agents.md", "Agents")} == set(KINDS)


def test_every_end_of_a_run_is_told_with_its_exit_code() -> None:
    told = {
        name: int(row[0])
        for row in rows("docs/commands.md", "ralph run")
        if row[0].isdecimal()
        for name in code(row[1])
        if name in EXITS
    }
    assert told == EXITS


@pytest.mark.parametrize("key", [each.name for each in dataclasses.fields(AgentEntry)])
def test_every_key_of_an_agent_is_told(key: str) -> None:
    told = {name.split(".")[0] for row in rows("docs/configuration.md", "Agents") for name in code(row[0])}
    assert key in told


@pytest.mark.parametrize("key", [each.name for each in dataclasses.fields(Config)])
def test_every_key_of_ralph_yml_is_told(key: str) -> None:
    told = {name.split(".")[0] for row in rows("docs/configuration.md", "ralph.yml") for name in code(row[0])}
    assert key in told


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


def test_every_picture_is_shown_and_says_what_it_shows() -> None:
    shown: dict[Path, str] = {}
    for page in PAGES:
        text = page.read_text("utf-8")
        found = [(name, alt) for alt, name in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)]
        found += re.findall(r'<img src="([^"]+)" alt="([^"]*)"', text)
        assert text.count("<img") == len(re.findall(r'<img src="[^"]+" alt="[^"]*"', text)), page
        shown |= {(page.parent / name).resolve(): alt for name, alt in found}
    pictures = {path.resolve() for path in (ROOT / "docs").rglob("*.png")}
    assert set(shown) == pictures
    assert all(len(alt) > 10 for alt in shown.values())
    assert sum(path.stat().st_size for path in pictures) < 1_500_000
