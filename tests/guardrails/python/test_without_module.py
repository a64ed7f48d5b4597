"""What no grammar can read has no module around it: a search outwards ends there all the same."""

from __future__ import annotations

from ralph.guardrails.scan import scan
from ralph.guardrails.source import Source
from ralph.policy import registry
from tests.guardrails.memory import change

TEXT = r"""    main.identify(["-", "--unique"], stdin=as_stream(import a\nimport b\n" "a = 1\n" "import c\n)
    main.identify(["-"], stdin=as_stream(import a\nimport b\n" "a = 1\n" "import c\n)
    main.identify(["-", "--packages"], stdin=as_stream(import a\nimport b\n" "a = 1\n" "import c\n)
        except SystemExit:
"""


def test_a_search_outwards_ends() -> None:
    assert Source("tests/test_main.py", "python", TEXT.encode()).tree.root_node.type == "ERROR"
    found = scan(change({}, {"tests/test_main.py": TEXT}), registry.load("v2"))
    assert {finding.rule for finding in found} == {"scan.unreadable-syntax"}
