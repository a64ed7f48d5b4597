"""A prompt's file: Markdown with front matter, read strictly. Spec: shell verify gates.

    ---
    name: fix-bug                     as the file: fix-bug.md
    description: one sentence
    arguments:                        optional
      - name: text                    `text` takes what stands behind the prompt and is no key:value
        required: true
        default: …                    only where `required` is not true
        description: …
    gates:                            optional; each as it would stand behind `::`
      - verify:"pytest -q"
    agent: claude                     optional
    ---
    Markdown with {{text}}; `\\{{` is a literal {{.

Unknown keys, arguments that the Markdown does not use, placeholders that no argument fills and gates that do not parse
are errors when the file is read, not when the prompt is called.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ralph.errors import ConfigError
from ralph.gates.forms import NAME, Gate
from ralph.gates.language import LanguageError, parse_gates
from ralph.record import record
from ralph.system.yaml import load_yaml, read_source

BUNDLED = Path(__file__).with_name("bundled")

_KEYS = frozenset({"name", "description", "arguments", "gates", "agent"})
_ARGUMENT_KEYS = frozenset({"name", "required", "default", "description"})
_FRONT = re.compile(r"---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
PLACE = re.compile(rf"\\\{{\{{|\{{\{{({NAME})\}}\}}|\{{\{{[^\n]{{0,30}}")
"""A literal `{{`, a placeholder, or what is neither."""


@record(kw_only=True)
class Argument:
    """What a prompt may be given. Without a value it is its default."""

    name: str
    required: bool = False
    default: str = ""
    description: str = ""


@record(kw_only=True)
class Prompt:
    """A prompt as its file says. `gates` come before those of the step that calls it."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    gates: tuple[Gate, ...]
    agent: str | None
    template: str
    path: Path

    @property
    def bundled(self) -> bool:
        return self.path.parent == BUNDLED


def load_prompt(path: Path) -> Prompt:
    """The prompt in this file. Raises ConfigError."""
    source = f"the prompt {path}"
    if not path.is_file():
        raise ConfigError(f"{source} is not a regular file; remove it or write one.")
    try:
        text = read_source(path, "the prompt").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"{source} is not UTF-8 text; save it as UTF-8.") from None
    return read_prompt(text.replace("\r\n", "\n"), path)


def read_prompt(text: str, path: Path) -> Prompt:
    """The prompt that this text describes. Raises ConfigError."""
    source = f"the prompt {path}"
    front = _FRONT.match(text)
    if front is None:
        raise ConfigError(f"{source} does not begin with front matter; put name and description between two lines ---.")
    lines = "\n" + front[1]  # counted from the top of the file, as a person counts them
    data = _mapping(load_yaml(lines, source), _KEYS, source)
    name = _text(data, "name", source)
    if not re.fullmatch(NAME, name) or name != path.stem:
        raise ConfigError(f"{source} is called {name!r}; name it like its file, with ASCII letters, digits, - and _.")
    arguments = tuple(_argument(each, source) for each in _list(data, "arguments", source))
    prompt = Prompt(
        name=name,
        description=_text(data, "description", source),
        arguments=arguments,
        gates=tuple(gate for each in _list(data, "gates", source) for gate in _gates(each, source)),
        agent=_text(data, "agent", source) if "agent" in data else None,
        template=text[front.end() :].strip() + "\n",
        path=path,
    )
    _check_places(prompt, source)
    return prompt


def _check_places(prompt: Prompt, source: str) -> None:
    """Every placeholder has its argument and every argument its place."""
    names = {argument.name for argument in prompt.arguments}
    if len(names) < len(prompt.arguments):
        raise ConfigError(f"{source} names an argument twice; remove one of them.")
    used = set()
    for found in PLACE.finditer(prompt.template):
        if found[1] in names:
            used.add(found[1])
        elif found[0] != "\\{{":
            raise ConfigError(
                f"{source}: {found[0]!r} is filled by no argument; declare it, or write \\{{{{ for a literal {{{{."
            )
    if unused := sorted(names - used):
        raise ConfigError(
            f"{source} does not use its argument {unused[0]}; write {{{{{unused[0]}}}}} where it belongs."
        )


def _gates(text: object, source: str) -> tuple[Gate, ...]:
    if not isinstance(text, str):
        raise ConfigError(f"{source}: a gate is not text; write it as - 'verify:\"command\"'.")
    try:
        return parse_gates(text)
    except LanguageError as error:
        yaml = "" if text[:1] in "\"'" or ":" in text else " (YAML takes quotes away; write - '\"criterion\"')"
        raise ConfigError(f"{source}: the gate {text!r} does not parse at {str(error).rstrip('.')}{yaml}.") from None


def _argument(value: object, source: str) -> Argument:
    data = _mapping(value, _ARGUMENT_KEYS, f"{source}: an argument")
    name = _text(data, "name", source)
    required = data.get("required", False)
    if not re.fullmatch(NAME, name) or name == "verify":
        raise ConfigError(f"{source}: {name!r} cannot name an argument; use ASCII letters, digits, - and _.")
    if not isinstance(required, bool):
        raise ConfigError(f"{source}: required of the argument {name} is not true or false; write one of them.")
    if required and "default" in data:
        raise ConfigError(f"{source}: the argument {name} is required and has a default; remove one of them.")
    texts = {key: _text(data, key, source) for key in ("default", "description") if key in data}
    return Argument(name=name, required=required, **texts)


def _mapping(value: object, keys: frozenset[str], source: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{source} is not a mapping; write key: value lines with {', '.join(sorted(keys))}.")
    unknown = [str(key) for key in value if key not in keys]
    if unknown:
        raise ConfigError(f"{source} has the unknown key {unknown[0]!r}; there are {', '.join(sorted(keys))}.")
    return value


def _text(data: dict[str, Any], key: str, source: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or (not value.strip() and key != "default"):
        raise ConfigError(f"{source}: {key} is missing or no text; write {key}: and a text, in quotes if need be.")
    return value


def _list(data: dict[str, Any], key: str, source: str) -> list[object]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise ConfigError(f"{source}: {key} is not a list; begin each entry with a dash.")
    return value
