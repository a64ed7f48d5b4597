"""What became of each test: `outcomes.json`, beside the log of the step that ran them, for people and for controls.

Written by Ralph from the reports it read, after the command has ended.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

from ralph.errors import StorageError
from ralph.steps.reports.tests import TestReport
from ralph.system import files

NAME = "outcomes.json"


def keep(report: TestReport, folder: Path) -> None:
    """Raises StorageError. What the command left under this name gives way, and a link is not followed."""
    path = folder / NAME
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        with path.open("x", encoding="utf-8") as file:
            json.dump(as_dict(report), file, indent=1)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {files.reason(error)}.") from None


def kept(folder: Path) -> TestReport:
    """What was kept in the folder of a step; nothing if the step came to no report."""
    try:
        return from_dict(files.parse_json(files.read_bytes(folder / NAME)))
    except (OSError, StorageError, ValueError, TypeError):
        return TestReport()


def as_dict(report: TestReport) -> dict[str, list[str]]:
    return {name: list(ids) for name, ids in dataclasses.asdict(report).items()}


def from_dict(data: object) -> TestReport:
    """Raises TypeError or ValueError if `data` is no outcomes."""
    if not isinstance(data, dict):
        raise TypeError("outcomes are an object")
    return TestReport(**{name: tuple(ids) for name, ids in data.items()})
