"""Which files RSpec and the tasks of minitest load tests from: by their names, unless they are told others."""

from __future__ import annotations

import re

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.source import Source
from ralph.system.patterns import later

MINITEST = later(
    rb"(?m)^\s*class\s+\w*[tT]est\w*\s*<\s*(?:::)?(?:Minitest::Test|Test::Unit::TestCase|ActiveSupport::TestCase)\b"
)
TASKS = later(r"(?:^|/)(?:Rakefile|[\w.-]+\.rake|test_helper\.rb|all_tests\.rb|run_tests\.rb|Makefile)$")
CHOSEN = later(
    rb"(?:pattern|test_files|test_globs|FileList)\b[^\n]*(?:/\*\*?/?\*?\.rb|\*\.rb|\{)(?<!_test\.rb)(?<!_\*\.rb)"
)
"""Files that are chosen by other names than the usual ones."""


def why_not_loaded(source: Source, paths: Paths) -> str:
    """Empty if tests in this file are run; why not, else."""
    if re.search(r"(?:^|/)test/", source.path) and MINITEST.search(source.data):
        if re.search(r"(?:^|/)test_[^/]*\.rb$|_(?:test|spec)\.rb$", source.path):
            return ""
        name = source.path.rpartition("/")[2].removesuffix(".rb").encode()
        tasks = paths.memo.once("ruby tasks", lambda: _tasks(paths))
        told = CHOSEN.search(tasks) is not None or name in tasks
        return "" if told else "its file is not called as tests are"
    named = re.search(r"(?:^|/)spec/", source.path) and not source.path.endswith("_spec.rb")
    if not named or not re.search(rb"^(?:RSpec\.)?describe\b", source.data, re.MULTILINE):
        return ""
    set_up = b"".join(paths.read(path) or b"" for path in (".rspec", "Rakefile", "spec/spec_helper.rb"))
    return "" if b"pattern" in set_up else "its file's name does not end in _spec.rb"


def _tasks(paths: Paths) -> bytes:
    return b"".join(paths.read(path) or b"" for path in paths.all() if TASKS.search(path))
