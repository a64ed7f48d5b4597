"""The reference is what the program is: up to date, every command, option, key and exit code told."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

import click
import pytest

import ralph.errors
from ralph.cli.main import COMMANDS
from ralph.cli.schema import FILES
from tools.reference import EXITS, commands, keys, texts
from tools.schemas import FOLDER, ROOT

CLI = ROOT / "src" / "ralph" / "cli"
ALL = list(commands())


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.name)
def test_it_is_up_to_date(path: object) -> None:
    """Otherwise: make reference."""
    found = {str(each): text for each, text in texts().items()}[str(path)]
    assert ROOT.joinpath(str(path)).read_text("utf-8") == found


def test_every_command_is_told() -> None:
    page = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
    headings = re.findall(r"^##+ (ralph.*)$", page, re.MULTILINE)
    assert headings == [name for name, _, _ in ALL]
    assert {name.split()[1] for name in headings} == COMMANDS.keys()


@pytest.mark.parametrize(("name", "command"), [(name, command) for name, command, _ in ALL])
def test_every_command_and_option_says_what_it_is_for(name: str, command: click.Command) -> None:
    assert command.help, name
    for each in command.params:
        assert not isinstance(each, click.Option) or each.hidden or each.help, f"{name} {each.name}"


@pytest.mark.parametrize("name", FILES)
def test_every_key_says_what_it_is_for(name: str) -> None:
    page = (ROOT / "docs" / "reference" / "configuration.md").read_text("utf-8")
    for place, schema, _ in keys(json.loads((FOLDER / FILES[name].file).read_text("utf-8"))):
        assert schema.get("description"), place
        assert f"| `{place}` |" in page


def test_every_exit_code_is_told() -> None:
    """Those of errors, of the tables of commands, and what commands return or exit with."""
    families = [each for each in vars(ralph.errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    found = {code for each in families if isinstance(code := getattr(each, "exit_code", None), int)}
    for module in sorted(CLI.glob("*.py")):
        found |= set(codes(ast.parse(module.read_text("utf-8"))))
    assert found == EXITS.keys()
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    head = page[: page.index("\n## ")]
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", head, re.MULTILINE)] == list(EXITS)


def codes(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(values=values)) if name.startswith("EXIT"):
                yield from numbers(values)
            case ast.FunctionDef(decorator_list=[_, *_]):
                yield from numbers(
                    [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value]
                )
            case ast.Call(func=ast.Attribute(attr="exit"), args=arguments):
                yield from numbers(arguments)
            case ast.Call(func=ast.Name(id="_complain"), args=[_, code]):
                yield from numbers([code])


def numbers(values: list[ast.expr]) -> Iterator[int]:
    """The numbers that an expression can be."""
    for value in values:
        match value:
            case ast.Constant(value=int(code)) if not isinstance(code, bool):
                yield code
            case ast.IfExp(body=one, orelse=other):
                yield from numbers([one, other])
