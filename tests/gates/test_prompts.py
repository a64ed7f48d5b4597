"""Prompts: what a file must be, which file a name means, and what the agent is told in the end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import ConfigError, UsageError
from ralph.gates.language import parse
from ralph.gates.model import CriteriaGate, Step, VerifyGate
from ralph.gates.prompt_file import BUNDLED, Argument, load_prompt, read_prompt
from ralph.gates.prompts import fill, find_prompt, prepare, prompt_files
from tests.project import write

PORT = """---
name: port
description: Port a module to another language.
arguments:
  - name: module
    required: true
    description: Which one.
  - name: to
    default: Rust
  - name: text
gates:
  - verify:"make test" :fast
  - '"keeps the public names"'
agent: claude
---

# Port {{module}} to {{to}}

{{text}}
Write \\{{x}} as it is. {{module}}!
"""
FILE = Path("port.md")


def test_a_prompt_is_what_its_file_says() -> None:
    prompt = read_prompt(PORT, FILE)
    assert (prompt.name, prompt.description, prompt.agent) == ("port", "Port a module to another language.", "claude")
    assert prompt.arguments == (
        Argument(name="module", required=True, description="Which one."),
        Argument(name="to", default="Rust"),
        Argument(name="text"),
    )
    assert prompt.gates == (
        VerifyGate(command="make test", attempts=1, timeout_s=30, preset="fast"),
        CriteriaGate(text="keeps the public names"),
    )


def test_arguments_are_inserted_once_and_as_text() -> None:
    step = parse(r'>>port module:"a {{to}} \\1 \\{{" behind it').steps[0]
    assert fill(read_prompt(PORT, FILE), step) == (
        "# Port a {{to}} \\1 \\{{ to Rust\n\nbehind it\nWrite {{x}} as it is. a {{to}} \\1 \\{{!\n"
    )


@given(st.text(min_size=1).filter(str.strip))
def test_whatever_a_person_gives_reaches_the_agent_unchanged(value: str) -> None:
    prompt = read_prompt("---\nname: port\ndescription: d\narguments: [{name: a}]\n---\n<{{a}}>", FILE)
    assert fill(prompt, Step(prompt="port", arguments=(("a", value),))) == f"<{value}>\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (">>port", '>>port needs module; write module:"…".'),
        ('>>port module:" "', '>>port needs module; write module:"…".'),
        (">>port modul:x", ">>port has no argument modul; did you mean module?"),
        (">>port zzz:x", ">>port has no argument zzz; it has module, to, text; quote the text if it is text."),
        (">>port module:x text:y more", ">>port has text: and a free text; write one of them."),
        (">>fix-bug issue:3", ">>fix-bug needs text; write some text behind >>fix-bug."),
    ],
)
def test_arguments_that_do_not_fit_are_refused(text: str, message: str, tmp_path: Path) -> None:
    write(tmp_path, {".ralph/prompts/port.md": PORT})
    with pytest.raises(UsageError) as caught:
        prepare(parse(text).steps[0], tmp_path)
    assert str(caught.value) == message


def test_a_prompt_without_text_takes_none() -> None:
    prompt = read_prompt("---\nname: port\ndescription: d\n---\nDo it.", FILE)
    assert fill(prompt, parse(">>port").steps[0]) == "Do it.\n"
    with pytest.raises(UsageError, match="takes no free text"):
        fill(prompt, parse(">>port now").steps[0])


def test_the_gates_of_the_prompt_come_before_those_of_the_step(tmp_path: Path) -> None:
    write(tmp_path, {".ralph/prompts/port.md": PORT})
    prepared = prepare(parse('>>port module:x :: verify:"make lint"').steps[0], tmp_path)
    assert [getattr(gate, "command", None) for gate in prepared.gates] == ["make test", None, "make lint"]


BROKEN = {
    "no front matter": ("Port it.", "does not begin with front matter"),
    "not closed": ("---\nname: port\n", "does not begin with front matter"),
    "no mapping": ("---\n- port\n---\n", "is not a mapping"),
    "unknown key": (PORT.replace("agent:", "agents:"), "unknown key 'agents'"),
    "a key twice": (PORT.replace("agent: claude", "name: port"), "line 14: the key 'name' stands twice"),
    "another name": (PORT.replace("name: port", "name: ported"), "is called 'ported'"),
    "no name": (PORT.replace("name: port\n", ""), "name is missing"),
    "no description": (PORT.replace("description: Port a module to another language.\n", ""), "description is missing"),
    "a number": (PORT.replace("default: Rust", "default: 3"), "default is missing or no text"),
    "no list": ("---\nname: port\ndescription: d\ngates: all\n---\n", "gates is not a list"),
    "required, not truth": (PORT.replace("required: true", "required: 1"), "is not true or false"),
    "required and default": (PORT.replace("required: true", "required: true\n    default: x"), "has a default"),
    "reserved argument": (PORT.replace("name: to", "name: verify"), "'verify' cannot name an argument"),
    "argument twice": (PORT.replace("name: to", "name: text"), "names an argument twice"),
    "unknown argument key": (PORT.replace("default:", "defaults:"), "unknown key 'defaults'"),
    "unused argument": (PORT.replace("to {{to}}", "to"), "does not use its argument to"),
    "unknown placeholder": (PORT.replace("{{text}}", "{{text}} {{txt}}"), "'{{txt}}' is filled by no argument"),
    "a filter": (PORT.replace("{{text}}", "{{text}} {{ to | upper }}"), "is filled by no argument"),
    "blanks": (PORT.replace("{{text}}", "{{text}} {{ to }}"), "is filled by no argument"),
    "gate: Verify": (PORT.replace("verify:", "Verify:"), "does not parse at 1:1: verify is written in small"),
    "gate: max:0": (PORT.replace(":fast", "max:0"), "does not parse at 1:24"),
    "gate: quotes taken by YAML": (
        PORT.replace("'\"keeps the public names\"'", '"keeps it"'),
        "YAML takes quotes away",
    ),
    "gate: mapping": (PORT.replace('verify:"make', 'verify: "make'), "a gate is not text|correct the file"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_not_exactly_a_prompt_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        read_prompt(text, FILE)
    assert "port.md" in str(caught.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / ".ralph" / "prompts"
    folder.mkdir(parents=True)
    (folder / "bytes.md").write_bytes(b"---\nname: bytes\xff\n---\n")
    (folder / "folder.md").mkdir()
    os.mkfifo(folder / "pipe.md")
    (folder / "gone.md").symlink_to(tmp_path / "nowhere")
    for name in ("bytes", "folder", "pipe", "gone"):
        with pytest.raises(ConfigError, match=f"{name}.md"):
            find_prompt(name, tmp_path)


def test_a_link_out_of_the_closed_folder_is_refused(tmp_path: Path) -> None:
    """What it leads to may be open to agents."""
    write(tmp_path, {"docs/port.md": PORT, "docs/review.md": PORT})
    (tmp_path / ".ralph" / "prompts").mkdir(parents=True)
    (tmp_path / ".ralph" / "prompts" / "port.md").symlink_to(tmp_path / "docs" / "port.md")
    with pytest.raises(ConfigError, match="through a link"):
        find_prompt("port", tmp_path)
    (tmp_path / "other" / ".ralph").mkdir(parents=True)
    (tmp_path / "other" / ".ralph" / "prompts").symlink_to(tmp_path / "docs")
    with pytest.raises(ConfigError, match="through a link"):
        find_prompt("review", tmp_path / "other")


def test_a_folder_that_cannot_be_listed_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {".ralph/prompts": "a file"})
    with pytest.raises(ConfigError, match="cannot be listed: Not a directory"):
        find_prompt("review", tmp_path)


def test_crlf_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "port.md").write_bytes(b"\xef\xbb\xbf" + PORT.replace("\n", "\r\n").encode())
    assert load_prompt(tmp_path / "port.md") == read_prompt(PORT, tmp_path / "port.md")


def test_the_projects_prompt_hides_the_bundled_one_even_if_it_is_broken(tmp_path: Path) -> None:
    assert find_prompt("review", tmp_path).bundled
    write(tmp_path, {".ralph/prompts/review.md": "---\nname: review\ndescription: Ours.\n---\nLook.\n"})
    assert find_prompt("review", tmp_path).description == "Ours."
    write(tmp_path, {".ralph/prompts/review.md": "broken"})
    with pytest.raises(ConfigError, match="front matter"):
        find_prompt("review", tmp_path)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("fixbug", "did you mean fix-bug?"),
        ("Fix-Bug", "did you mean fix-bug?"),
        ("fix_bug", "did you mean fix-bug?"),
        ("zzz", "there are fix-bug, implement-feature, review, write-tests."),
    ],
)
def test_names_are_exact_and_near_ones_are_offered(name: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        find_prompt(name, tmp_path)
    assert str(caught.value) == f"There is no prompt {name!r}; {hint}"


@pytest.mark.parametrize("path", sorted(BUNDLED.glob("*.md")), ids=lambda path: path.stem)
def test_bundled_prompts_work(path: Path, tmp_path: Path) -> None:
    prompt = load_prompt(path)
    assert prompt.bundled
    text = prepare(Step(prompt=prompt.name, text="the login page"), tmp_path).text
    assert "the login page" in text
    assert "{{" not in text


def test_only_markdown_files_are_prompts(tmp_path: Path) -> None:
    write(tmp_path, {".ralph/prompts/port.md": PORT, ".ralph/prompts/notes.txt": "x"})
    assert list(prompt_files(tmp_path)) == ["fix-bug", "implement-feature", "port", "review", "write-tests"]
