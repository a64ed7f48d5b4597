"""`ralph schema` answers at once, wherever it was installed from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ralph.cli.schema import FILES, path_of
from tests.cli.command import ralph


@pytest.mark.parametrize("name", FILES)
def test_each_schema_is_printed_as_it_lies_there(name: str) -> None:
    assert ralph("schema", name).document["title"] in (name, FILES[name].file)
    assert path_of(name).name == FILES[name].file


def test_it_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from ralph.cli.main import run; run(['schema', 'contract']); print(*sys.modules, file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert not {"yaml", "cryptography", "rich", "ralph.config", "ralph.engine"} & set(ended.stderr.split())
