"""The table of programs."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from ralph.permissions.programs import registry
from ralph.permissions.programs.names import DESCRIBED
from ralph.permissions.programs.registry import programs, reader_of

FOLDER = Path(registry.__file__).parent


def test_no_two_modules_describe_the_same_program() -> None:
    counted = Counter(name for names in DESCRIBED.values() for name in names.split())
    assert [name for name, count in counted.items() if count > 1] == []


def test_the_list_of_names_is_what_the_modules_describe() -> None:
    modules = [file.stem for file in FOLDER.glob("*.py") if "\nPROGRAMS" in file.read_text()]
    assert {name: sorted(names.split()) for name, names in DESCRIBED.items()} == {
        module: sorted(programs(module)) for module in modules
    }


def test_programs_are_found_by_their_base_name() -> None:
    assert reader_of("ls") is programs("listing")["ls"]
    assert reader_of("no-such-program") is None
    assert reader_of("LS") is None


def test_a_common_program_does_not_load_the_rare_ones() -> None:
    code = (
        "import sys; from ralph.permissions.programs.registry import reader_of; reader_of('ls'); reader_of('grep');"
        "reader_of('unheard-of');"
        "print(*(name for name in sys.modules if name.endswith(('.archives', '.network', '.git'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
