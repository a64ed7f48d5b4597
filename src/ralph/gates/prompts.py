"""Which file a prompt's name means, and what its agent is told. Spec: shell verify gates.

- Names are compared exactly; near ones are only offered.
- The project's `.ralph/prompts` comes before the prompts that Ralph brings along, also if its file is broken.
- A prompt of the project really lies in that folder, which is closed to agents: what a link leads to need not be.
- Arguments are inserted as text, once: nothing in them is a placeholder.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from ralph.errors import ConfigError, UsageError
from ralph.gates.forms import Gate
from ralph.gates.model import Step
from ralph.gates.prompt_file import BUNDLED, PLACE, Prompt, load_prompt
from ralph.record import record

FOLDER = Path(".ralph", "prompts")
TEXT = "text"


@record(kw_only=True)
class PreparedStep:
    """A step ready to run: the words for the agent, and every gate that must hold at the end."""

    prompt: Prompt
    text: str
    gates: tuple[Gate, ...]


def prompt_files(root: Path) -> dict[str, Path]:
    """The file of every prompt by its name, sorted; the project's hides the bundled one. Raises ConfigError."""
    files: dict[str, Path] = {}
    for folder in (BUNDLED, root / FOLDER):
        try:
            files |= {path.stem: path for path in folder.iterdir() if path.suffix == ".md"}
        except FileNotFoundError:
            continue
        except OSError as error:
            raise ConfigError(f"the prompts in {folder} cannot be listed: {error.strerror}.") from None
    return dict(sorted(files.items()))


def find_prompt(name: str, root: Path) -> Prompt:
    """The prompt of that name. Raises UsageError with the nearest names, ConfigError if its file cannot be used."""
    files = prompt_files(root)
    if name not in files:
        near = get_close_matches(name, files, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(files)}."
        raise UsageError(f"There is no prompt {name!r}; {hint}")
    path = files[name]
    if path.parent != BUNDLED and path.resolve() != root.resolve() / FOLDER / path.name:
        raise ConfigError(f"the prompt {path} is reached through a link; put the file itself into {FOLDER}.")
    return load_prompt(path)


def prepare(step: Step, root: Path) -> PreparedStep:
    """The step with its prompt filled in. Raises UsageError or ConfigError."""
    prompt = find_prompt(step.prompt, root)
    return PreparedStep(prompt=prompt, text=fill(prompt, step), gates=prompt.gates + step.gates)


def fill(prompt: Prompt, step: Step) -> str:
    """The prompt's Markdown with the step's arguments in it. Raises UsageError."""
    given = dict(step.arguments)
    if step.text and TEXT in given:
        raise UsageError(f">>{prompt.name} has {TEXT}: and a free text; write one of them.")
    if step.text:
        given[TEXT] = step.text
    known = {argument.name: argument for argument in prompt.arguments}
    for name in given:
        if name not in known:
            raise UsageError(_unknown(prompt, name, free=bool(step.text)))
    for argument in prompt.arguments:
        if argument.required and not given.get(argument.name, "").strip():
            how = f"some text behind >>{prompt.name}" if argument.name == TEXT else f'{argument.name}:"…"'
            raise UsageError(f">>{prompt.name} needs {argument.name}; write {how}.")
    values: Mapping[str, str] = {name: given.get(name, argument.default) for name, argument in known.items()}
    return PLACE.sub(lambda found: values[found[1]] if found[1] else "{{", prompt.template)


def _unknown(prompt: Prompt, name: str, *, free: bool) -> str:
    if name == TEXT and free:
        return f">>{prompt.name} takes no free text; remove it, or check what `ralph prompt show {prompt.name}` says."
    names = [argument.name for argument in prompt.arguments]
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(names) or 'none'}; quote the text if it is text."
    return f">>{prompt.name} has no argument {name}; {hint}"
