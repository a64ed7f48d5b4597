"""Programs and words of the shell that start commands, run code or set variables."""

from __future__ import annotations

import pytest

from ralph.permissions.programs.model import Inner
from ralph.permissions.programs.variables import assignment_hazard
from tests.permissions.programs.lines import shown, use_of, verdict


def started(inner: Inner) -> str:
    text = inner.code.text or "" if inner.code else " ".join(shown(inner.args))
    return text + (" …" if inner.open_end else "")


STARTS = {
    "xargs": ["echo …"],
    "xargs -0 -n1 -P4 grep -l x": ["grep -l x …"],
    "xargs -I{} cp {} dir/{}.bak": ["cp … dir/…"],
    "xargs -i sh -c {}": ["sh -c …"],
    "literally xargs -I% sh -c %": ["sh -c …"],
    "xargs --replace=X echo X": ["echo …"],
    "xargs -L 1 -r rm -f": ["rm -f …"],
    "find . -exec cat {} ;": ["cat .…"],
    "find src -exec grep -l x {} +": ["grep -l x src…"],
    "find . -name .env -exec cat {} ;": ["cat ./.env"],
    "find a b -name '*.o' -exec rm {} ;": ["rm a/*.o", "rm b/*.o"],
    "find . -name a -exec cp {} {}.bak ;": ["cp ./a ./a.bak"],
    "find . -name '*.c' -exec mv {} {}.bak ;": ["mv ./*.c ./…"],
    "find . -exec echo + {} ; -exec id ;": ["echo + .…", "id"],
    "find . -execdir git push ;": ["git push"],
    "eval ls -la": ["ls -la"],
    "eval 'ls; id'": ["ls; id"],
    "trap 'rm a' EXIT": ["rm a"],
    "trap -- id INT": ["id"],
    "command -p rm a": ["rm a"],
    "builtin echo x": ["echo x"],
    "exec -a x rm a": ["rm a"],
    "exec -cl rm -rf a": ["rm -rf a"],
}
READS = [
    *("command -v ls", "command -V ls", "trap", "trap - EXIT", "trap '' INT", "trap INT", "exec", "alias", "hash -r"),
    *("export CI=1 NO_COLOR", "export LC_ALL=C", "local a=$x", "declare -r a=1", "declare -a list", "readonly X=1"),
    *("unset x", "unset -f f", "read -r line", "read -ra words", "mapfile -t lines", "getopts ab: name", "let 1+1"),
    *(
        "set -euo pipefail",
        "set -x",
        "set -- $x @y",
        "set +e",
        "shopt -s failglob",
        "umask",
        "wait",
        "shift 2",
        "exit 1",
    ),
]
REFUSED = [
    *("eval $x", "eval ls @x", "trap $x EXIT", "source a", ". a", "enable -f x y", "history -a", "fc -s", "bind x"),
    *("alias ls=rm", "alias @x", "hash -p x git", "compgen -v", "complete -C x y", "coproc id"),
    *("export PATH=x", "export PATH", "export FOO=1", "declare -x FOO=1", "typeset -x LD_PRELOAD=x", "local PATH=x"),
    *(
        "readonly IFS=x",
        "declare +x PATH",
        "declare -i n",
        "local -n a=b",
    ),
    *("unset PATH", "unset 'a[0]'", "read PATH", "read 'a[0]'", "read -a 'a[0]'", "read @x", "mapfile PATH"),
    *("mapfile -C id -c 1 a", "readarray -C id a", "getopts a 'n[0]'", "let x=1", "let 'a[0]=1'"),
    *("set -a", "set -o allexport", "set -o posix", "set -k", "set -ek", "shopt -s extglob", "shopt -s expand_aliases"),
    *("xargs -a list rm", "xargs --arg-file=list rm", "xargs -p rm", "xargs --process-slot=X ls"),
    *("find . -ok rm {} ;", "find . -frob -exec ls ;", "xargs $x rm", "xargs -I $x rm", "xargs -Z rm", "exec -z ls"),
]
UNKNOWN = [
    "export",
    "export $x",
    "declare @x=1",
    "declare -p",
    "set $x",
    "builtin export $x",
]


@pytest.mark.parametrize(("line", "commands"), STARTS.items(), ids=STARTS)
def test_it_starts(line: str, commands: list[str]) -> None:
    use = use_of(line)
    assert [started(inner) for inner in use.inner] == commands
    assert use.wraps
    assert not use.only_reads


@pytest.mark.parametrize("line", READS)
def test_it_only_reads(line: str) -> None:
    assert verdict(use_of(line)) == "reads"


@pytest.mark.parametrize("line", REFUSED)
def test_it_is_refused(line: str) -> None:
    assert verdict(use_of(line)) == "refused"


@pytest.mark.parametrize("line", UNKNOWN)
def test_nobody_can_say(line: str) -> None:
    assert verdict(use_of(line)) == "unknown"


def test_a_path_that_find_gives_never_begins_with_a_dash() -> None:
    word = use_of("find src -exec sed -n 1p {} ;").inner[0].args[-1]
    assert word.one_word
    assert not word.may_be_option()


@pytest.mark.parametrize("name", ["CI", "NO_COLOR", "LC_ALL", "TZ", "NODE_ENV", "UV_OFFLINE"])
def test_harmless_variables(name: str) -> None:
    assert assignment_hazard(name) is None


@pytest.mark.parametrize(
    "name",
    [
        *("PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "IFS", "PROMPT_COMMAND"),
        *("PS4", "HOME", "BASH_FUNC_ls%%", "SHELLOPTS", "GLOBIGNORE", "a[$(id)]", "", "1x", "CDPATH"),
    ],
)
def test_no_shell_may_set_these(name: str) -> None:
    assert assignment_hazard(name) is not None
    assert assignment_hazard(name, exported=False) is not None


@pytest.mark.parametrize("name", ["NODE_OPTIONS2", "PYTHONPATH", "GIT_DIR", "npm_config_x", "PIP_INDEX_URL", "FOO"])
def test_programs_may_not_see_these(name: str) -> None:
    assert assignment_hazard(name) is not None
    assert assignment_hazard(name, exported=False) is None
