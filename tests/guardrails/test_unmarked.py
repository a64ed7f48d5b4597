"""A byte order mark at the start of a source file is not seen by detectors; a second one, and any in data, are."""

from __future__ import annotations

from ralph.guardrails.unmarked import unmarked
from tests.guardrails.memory import change

MARK = "\ufeff"


def test_a_mark_at_the_start_is_no_part_of_the_file() -> None:
    found = unmarked(change({"a.py": f"{MARK}import os\n"}, {"a.py": f"{MARK}import re\n"}))
    assert found.blobs.before("a.py") == b"import os\n"
    assert found.blobs.after("a.py") == b"import re\n"
    assert [hunk.added for hunk in found.files[0].hunks] == [(b"import re",)]
    assert [hunk.removed for hunk in found.files[0].hunks] == [(b"import os",)]


def test_it_is_left_in_data_and_further_down() -> None:
    found = unmarked(change({}, {"a.csv": f"{MARK}1,2\n", "b.py": f"import os\n{MARK}x = 1\n"}))
    assert found.blobs.after("a.csv") == f"{MARK}1,2\n".encode()
    assert found.blobs.after("b.py") == f"import os\n{MARK}x = 1\n".encode()


def test_two_of_them_are_no_mark() -> None:
    text = f"{MARK}{MARK}x = 1\n"
    found = unmarked(change({}, {"a.py": text}))
    assert found.blobs.after("a.py") == text.encode()
    assert found.files[0].hunks[0].added == (text.strip("\n").encode(),)
