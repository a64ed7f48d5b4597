"""Words are sorted the way getopt_long sorts them, and nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.permissions.programs.model import Arg
from ralph.permissions.programs.options import Options, flag, optional, reads, refuse, value, writes
from ralph.permissions.programs.scan import Role
from tests.permissions.programs.lines import argument, shown, verdict, words_of

TABLE = Options(
    (
        flag("-a -b --all --brief"),
        value("-n --lines"),
        optional("-u --unified"),
        reads("-f --file"),
        writes("-o --output"),
        flag("--other"),
        refuse("-x --exec", "it runs a program"),
        flag("-name"),
    ),
    rest=Role.READ,
    only_reads=True,
)
CASES = {
    "-ab file": ("reads", ["file"], []),
    "-n5 -n 6 -abn7 file": ("reads", ["file"], []),
    "--lines=5 --lines 6 --lin=7 file": ("reads", ["file"], []),
    "-u3 -u 3": ("reads", ["3"], []),
    "--unified=3 --unified 3": ("reads", ["3"], []),
    "file -a file2": ("reads", ["file", "file2"], []),
    "-- -a -o": ("reads", ["-a", "-o"], []),
    "-": ("reads", [], []),
    "-f list file": ("reads", ["list", "file"], []),
    "-oout in": ("other", ["in"], ["out"]),
    "-abo out in": ("other", ["in"], ["out"]),
    "--output=out in": ("other", ["in"], ["out"]),
    "--out out in": ("other", ["in"], ["out"]),
    "--o out in": ("other", ["in"], ["out"]),
    "in -o": ("unknown", ["in"], []),
    "-x": ("refused", [], []),
    "-bxa": ("refused", [], []),
    "--ex": ("refused", [], []),
    "-z": ("unknown", [], []),
    "--zzz": ("unknown", [], []),
    "--al": ("reads", [], []),
    "--all=1": ("unknown", [], []),
    "-name": ("reads", [], []),
    "-n -x file": ("reads", ["file"], []),
    # what only the run knows
    "@f": ("unknown", ["…"], []),
    "src/@f": ("reads", ["src/…"], []),
    "src/$f": ("unknown", ["src/…"], []),
    "src/%.py": ("reads", ["src/*.py"], []),
    "%.py": ("unknown", ["*.py"], []),
    "-- @f $g": ("reads", ["…", "…"], []),
    "-n @n file": ("reads", ["file"], []),
    "-n $n file": ("unknown", ["file"], []),
    "-n$n file": ("unknown", ["file"], []),
    "-n@n file": ("unknown", ["file"], []),
    "-n1@n file": ("reads", ["file"], []),
    "--lines=@n file": ("reads", ["file"], []),
    "--lines=$n file": ("unknown", ["file"], []),
    "--@n file": ("unknown", ["file"], []),
    "-a@n file": ("unknown", ["file"], []),
    "-o @f file": ("other", ["file"], ["…"]),
}


@pytest.mark.parametrize(("line", "expected"), CASES.items(), ids=CASES)
def test_sorting(line: str, expected: tuple[str, list[str], list[str]]) -> None:
    use = TABLE.use(TABLE.scan(words_of(line)))
    assert (verdict(use), shown(use.reads), shown(use.writes)) == expected


def test_a_word_nobody_knows_is_fine_where_every_option_is_harmless() -> None:
    table = Options((flag("-l"), value("-n")), rest=Role.READ, only_reads=True)
    assert verdict(table.use(table.scan(words_of("-l $f -n $n @g")))) == "reads"


def test_operands_have_their_places() -> None:
    table = Options((value("-e", instead=True),), operands=(Role.TEXT, Role.READ, Role.WRITE), only_reads=True)
    assert verdict(table.use(table.scan(words_of("a b")))) == "reads"
    assert shown(table.use(table.scan(words_of("a b c"))).writes) == ["c"]
    assert shown(table.use(table.scan(words_of("-e a b c"))).writes) == ["c"]
    assert verdict(table.use(table.scan(words_of("a b c d")))) == "unknown"
    assert verdict(table.use(table.scan(words_of("a $b")))) == "unknown"


WORDS = st.lists(st.text("-abnuoxfz=$@%l", max_size=6), max_size=6)


@given(WORDS)
def test_any_words_are_sorted_and_no_operand_is_lost(texts: list[str]) -> None:
    words: list[Arg] = [argument(text) for text in texts]
    scanned = TABLE.scan(words)
    use = TABLE.use(scanned)
    assert not (use.only_reads and (use.writes or use.refused or use.unknown))
    for word in words:
        certainly_an_operand = not word.may_be_option() and word.text != ""
        taken = any(given.value == word for given in scanned.given)
        assert not certainly_an_operand or taken or word in scanned.operands
