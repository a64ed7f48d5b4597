"""`ralph prompt`, and what the documentation says about the language."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ralph.gates.language import parse, parse_gates
from tests.cli.command import ralph
from tests.cli.test_docs import ROOT, blocks, sections
from tests.project import write

SECTION = sections(ROOT / "docs" / "concepts.md")["Gates in a prompt"]


def test_a_chain_is_shown_step_by_step() -> None:
    text = '>>fix-bug issue:42 it breaks :: verify:"pytest -q" :fast cwd:"api" :: style:"no new options" --> review'
    answer = ralph("prompt", "parse", text)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "1  >>fix-bug",
        "   issue: 42",
        "   it breaks",
        "   :: runs   pytest -q   (1 attempt, 30 s, in api)",
        "   :: judged style: no new options",
        "2  >>review",
    ]


def test_a_chain_as_json() -> None:
    answer = ralph("prompt", "parse", '>>p a:1 b :: verify:"x" :: "y z"', "--json")
    assert answer.document == {
        "steps": [
            {
                "prompt": "p",
                "arguments": {"a": "1"},
                "text": "b",
                "gates": [
                    {"kind": "verify", "command": "x", "attempts": 5, "timeout_s": 60.0, "cwd": None, "preset": None},
                    {"kind": "criterion", "text": "y z", "name": None},
                ],
            }
        ]
    }


def test_an_error_has_a_caret_under_its_place() -> None:
    answer = ralph("prompt", "parse", '>>p\n  :: Verify:"x"')
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.splitlines() == [
        '    :: Verify:"x"',
        "       ^",
        'ralph: 2:6: verify is written in small, plain letters; write :: verify:"command".',
    ]


def test_an_error_as_json() -> None:
    answer = ralph("prompt", "parse", ">>p ==> q", "--json")
    assert answer.code == 3
    assert answer.document == {
        "error": {
            "line": 1,
            "column": 5,
            "offset": 4,
            "problem": "delegation (==>) is not supported",
            "expected": "write -->, or put the text into quotes if it is text",
            "caret": [">>p ==> q", "    ^"],
        }
    }


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [(b'>>p :: verify:"x"\n', 0, ":: runs   x"), (b">>p \xff", 3, "Standard input is not UTF-8 text; send UTF-8.")],
)
def test_a_dash_reads_standard_input(given: bytes, code: int, said: str) -> None:
    command = [sys.executable, "-m", "ralph", "prompt", "parse", "-"]
    ended = subprocess.run(command, input=given, capture_output=True, check=False)
    assert ended.returncode == code
    assert said in (ended.stdout + ended.stderr).decode()


def test_prompts_are_listed_with_where_they_come_from(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", ".ralph/prompts/review.md": "---\nname: review\ndescription: Ours.\n---\nLook."})
    write(tmp_path, {"deep/down/a.txt": ""})
    answer = ralph("prompt", "list", "-C", tmp_path / "deep" / "down")
    assert answer.code == 0
    assert "review             project   Ours." in answer.out.splitlines()
    assert [line.split()[1] for line in answer.out.splitlines()] == ["ralph", "ralph", "project", "ralph"]


def test_a_broken_prompt_is_listed_with_the_reason(tmp_path: Path) -> None:
    write(tmp_path, {".ralph/prompts/review.md": "Look."})
    answer = ralph("prompt", "list", "--json", "-C", tmp_path)
    assert answer.code == 3
    row = next(row for row in answer.document["prompts"] if row["name"] == "review")
    assert "front matter" in row["error"]


def test_a_prompt_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    text = "---\nname: evil\ndescription: d\ngates: ['verify:\"make\"']\n---\n\x1b]0;title\x07 {{a}}"
    write(tmp_path, {".ralph/prompts/evil.md": text.replace("{{a}}", "x")})
    answer = ralph("prompt", "show", "evil", "-C", tmp_path)
    assert answer.code == 0
    assert ":: runs   make   (5 attempts, 60 s)" in answer.out
    assert "\x1b" not in answer.out
    assert ralph("prompt", "show", ">>evil", "--json", "-C", tmp_path).document["from"] == "project"


def test_an_unknown_prompt_is_an_error_with_the_nearest_name(tmp_path: Path) -> None:
    answer = ralph("prompt", "show", "reviews", "-C", tmp_path)
    assert (answer.code, answer.err) == (3, "ralph: There is no prompt 'reviews'; did you mean review?\n")


def examples() -> list[str]:
    """The indented examples of the section, one text each (a text may go on in lines that are indented further)."""
    page = ROOT / "docs" / "concepts.md"
    texts: list[str] = []
    for block in blocks(page):
        if block.language == "" and block.text in re.sub(r"^    ", "", SECTION, flags=re.MULTILINE):
            for line in block.text.splitlines():
                if line.startswith(">>"):
                    texts.append(line)
                elif texts and line.startswith(" "):
                    texts[-1] += "\n" + line
    return [text for text in texts if text]


@pytest.mark.parametrize("text", examples())
def test_every_example_parses(text: str) -> None:
    parse(text)


def test_examples_are_found_at_all() -> None:
    assert len(examples()) >= 6


@pytest.mark.parametrize("gate", re.findall(r"^\| `:: (.+?)` \|", SECTION, re.MULTILINE))
def test_every_gate_of_the_table_parses(gate: str) -> None:
    parse_gates(gate)


@pytest.mark.parametrize("text", re.findall(r"^\| `(>>.+?)` \|", SECTION, re.MULTILINE))
def test_every_mistake_of_the_table_is_one(text: str) -> None:
    assert ralph("prompt", "parse", text).code == 3
