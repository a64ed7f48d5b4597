"""The change that an example of the handbook shows, without a repository."""

from __future__ import annotations

from ralph.guardrails.model import MODE_GITLINK, MODE_SYMLINK, Beside, Change
from ralph.policy.examples import Example
from ralph.record import replace
from tests.guardrails.memory import change

MODES = {"symlink": MODE_SYMLINK, "submodule": MODE_GITLINK}


def change_of(example: Example) -> Change:
    kinds = example.kinds
    ignored = tuple(path for path, kind in kinds.items() if kind == "ignored")
    made = change(example.before, {path: text for path, text in example.after.items() if path not in ignored})
    links = {path: text.removesuffix("\n") for path, text in example.after.items() if kinds.get(path) == "symlink"}
    blobs = replace(made.blobs, new={**made.blobs.new, **{path: text.encode() for path, text in links.items()}})  # type: ignore[attr-defined]
    files = tuple(
        replace(file, new_mode=mode, status="T" if file.status == "M" else file.status)
        if (mode := MODES.get(kinds.get(file.path, ""))) and file.status != "D"
        else file
        for file in made.files
    )
    unwatched = tuple(path for path, kind in kinds.items() if kind == "unwatched")
    return Change(files=files, blobs=blobs, beside=Beside(ignored=ignored, unwatched=unwatched))
