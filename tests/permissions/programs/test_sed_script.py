"""sed programs: what is accepted never writes or runs anything, shown with the real sed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ralph.permissions.programs.sed_script import NotRead, check_script

FINE = [
    *("p", "1,20p", "$p", "/x/,/y/p", "5q", "1~2d", "2,+3p", "/a/I,$d", "1!G;h;$!d", "\\,a/b,p", "0,/x/s//y/"),
    *("s/a/b/", "s/a/b/gI", "s|a/b|c|2p", "s/[/]x]*/y/".replace("/]", "x]"), "s/\\//x/g", "s/a/b\\nc/", "y/abc/xyz/"),
    *(
        ":a;N;$!ba;s/\\n/ /g",
        "/x/{p;d}",
        "/x/{\np\n}",
        "a\\\ntext\nnext".replace("\nnext", ""),
        "$a end",
        "i\\  x",
        "=;l",
    ),
    *("/^$/d # note", "s/w/e/;p", "/e/p", "s/[[:space:]]*$//", "s/[^]]x/y/", "{p};p", "n;d", "s,x,/etc/w f,"),
]
REFUSED = [
    *(
        "w f",
        "1w f",
        "/x/w f",
        "1,2 w f",
        "p;w f",
        "p\nw f",
        "{w f\n}",
        "!w f",
        "e",
        "1e id",
        "e id",
        "s/a/b/e",
        "s/a/b/w f",
    ),
    *(
        "s/a/b/gw f",
        "s|a|b|2e",
        "W f",
        "r f",
        "R f",
        "/a/r f",
        "s/a/b/;e id",
        "s/\\/x/y/w f".replace("x/", "/"),
        "a\\\nx\nw f",
    ),
    *(":a\nw f", "b\nw f", "s/[a]/b/w f", "y/a/b/;w f", "#x\nw f", "a x\\\ny\nw f", "}w f".replace("}", "{p};")),
]
UNREAD = [
    *("s/a/b", "s/a", "y/a/b", "{p", "p}", "/x", "k", "s/a/b/k", "s/[/]/w f/", "s/[[:alpha:]/]/w f/", "s/a\nb/c/"),
    *(":a;s/x/\\\nw f", "a\\ \nw f", "1,p", "sxaxbx", "p p", "s/a/b/ p"),
]


@pytest.mark.parametrize("script", FINE)
def test_it_prints_and_substitutes(script: str) -> None:
    check_script(script)


@pytest.mark.parametrize("script", REFUSED + UNREAD)
def test_it_writes_or_runs_or_is_not_certain(script: str) -> None:
    with pytest.raises(NotRead):
        check_script(script)


PIECES = st.sampled_from(
    [
        *(
            "s/a/b/",
            "p",
            "w f",
            "e touch f",
            "s/a/b/w f",
            "s/a/touch f/e",
            "s|[/]|w f|",
            "s/[/]w f/",
            "a\\",
            "c x",
            "}",
            "{",
        ),
        *(
            ";",
            "\n",
            "\\\n",
            "1",
            "$",
            ",",
            "/a/",
            "!",
            ":a",
            "ba",
            "t",
            "#",
            "y/ab/cd/",
            "\\",
            "[",
            "]",
            "s",
            "/",
            "w",
            "f",
            " ",
        ),
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=7).map("".join))
def test_the_real_sed_changes_nothing_with_a_program_that_was_read(tmp_path: Path, script: str) -> None:
    (tmp_path / "a").write_text("a\nb\n")
    try:
        check_script(script)
    except NotRead:
        return
    subprocess.run(["sed", script, "a"], cwd=tmp_path, capture_output=True, timeout=10, check=False)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
