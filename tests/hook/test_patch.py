"""Every file that a patch touches is found, and what is not plainly a patch is refused."""

from __future__ import annotations

import pytest

from ralph.hook.model import RefusedError
from ralph.hook.patch import files_of

WHOLE = """*** Begin Patch
*** Add File: src/new.py
+print(1)
*** Update File: src/old.py
@@ def f
 kept
-gone
+come
*** End of File
*** Update File: src/from.py
*** Move to: src/to.py
@@
-a
+b
*** Delete File: src/dead.py
*** End Patch
"""


def test_every_file_is_found() -> None:
    found = [(each.path, each.deletes) for each in files_of(WHOLE, "/p")]
    assert found == [
        ("src/new.py", False),
        ("src/old.py", False),
        ("src/from.py", True),
        ("src/to.py", False),
        ("src/dead.py", True),
    ]


def test_the_content_is_bound() -> None:
    one, other = files_of(WHOLE, "/p"), files_of(WHOLE.replace("+come", "+came"), "/p")
    assert one[0].content_digest != other[0].content_digest
    assert len({each.content_digest for each in one}) == 1


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param("", id="nothing"),
        pytest.param("*** Begin Patch\n*** End Patch", id="no file"),
        pytest.param("*** Add File: a\n+x\n*** End Patch", id="no beginning"),
        pytest.param("*** Begin Patch\n*** Add File: a\n+x", id="no end"),
        pytest.param("*** Begin Patch\n*** Add File: a\nx\n*** End Patch", id="a line that no add has"),
        pytest.param("*** Begin Patch\n*** Delete File: a\n+x\n*** End Patch", id="a delete with a body"),
        pytest.param("*** Begin Patch\n*** Copy File: a\n*** End Patch", id="an unknown part"),
        pytest.param("*** Begin Patch\n*** Add File: a\n*** Move to: b\n*** End Patch", id="a move of what is new"),
        pytest.param("*** Begin Patch\n*** Update File: a\n *** x\n*** Add file: b\n*** End Patch", id="another case"),
        pytest.param("*** Begin Patch\n*** Update File: \n+x\n*** End Patch", id="no name"),
        pytest.param("*** Begin Patch\n*** Update File: a\x1b[2K\n+x\n*** End Patch", id="a name that hides itself"),
        pytest.param("*** Begin Patch\n  *** Add File: b\n+x\n*** End Patch", id="an indented part"),
        pytest.param("*** Begin Patch\n*** Environment ID: x\n*** Add File: b\n*** End Patch", id="another header"),
    ],
)
def test_what_is_not_plainly_a_patch_is_refused(patch: str) -> None:
    with pytest.raises(RefusedError):
        files_of(patch, "/p")


def test_a_file_named_inside_a_body_is_a_file_too() -> None:
    """An update whose context has a line like a header: a reader that takes it for one finds it here as well."""
    patch = "*** Begin Patch\n*** Update File: a\n@@\n+x\n*** Delete File: .git/config\n*** End Patch"
    assert [each.path for each in files_of(patch, "/p")] == ["a", ".git/config"]
