"""Python interpreters: options, modules that are programs of their own, files of code.

Rules: `-c` and code on standard input are opaque. `python -m MODULE` is the program MODULE where that is a package
manager or Ralph itself; it makes environments with `venv`, and modules that take code are refused. Anything else is
named by the use: `("python", "-m", "pytest")`. Spec: core concepts, "Command Blocking".
"""

from __future__ import annotations

from collections.abc import Mapping

from ralph.permissions.programs.answers import subcommands
from ralph.permissions.programs.arguments import Sorted, sort_words, table
from ralph.permissions.programs.interpreters import OPAQUE
from ralph.permissions.programs.managers import DEPENDENCY
from ralph.permissions.programs.managers_python import PROGRAMS as MANAGERS
from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.ralph_itself import ralph
from ralph.record import replace

PYTHON = table(
    flags="-b -bb -B -d -E -h -? -i -I -O -OO -P -q -s -S -t -u -v -V -VV -x --version --help --help-all -R -3 -2",
    values="-c -m -W -X --check-hash-based-pycs -Q",
    refused={"-c": OPAQUE, "-i": "starts an interactive interpreter"},
    shortened=False,
)
ENVIRONMENTS = frozenset({"venv", "virtualenv", "ensurepip"})
TAKE_CODE = frozenset(
    [
        "timeit",
        "code",
        "codeop",
        "pdb",
        "ipdb",
        "bdb",
        "profile",
        "cProfile",
        "trace",
        "runpy",
        "idlelib",
        "IPython",
        "asyncio",
    ]
)
SERVERS = frozenset({"http", "smtpd", "xmlrpc", "pydoc", "webbrowser", "antigravity", "ftplib", "telnetlib", "this"})


def python(call: Call) -> Use:
    """`python …` of any version."""
    words = sort_words(call.args, PYTHON, leading=True)
    name = call.name
    module = words.values("-m")
    if module:
        return _module(module[0], _behind_module(call.args), words)
    if words.refused:
        return Use(subcommand=("python",), refused=words.refused)
    if not words.operands:
        if words.has("-V", "-VV", "--version", "-h", "-?", "--help", "--help-all") and not words.unknown:
            return Use(subcommand=("python",), only_reads=True)
        return Use(subcommand=("python",), refused=f"`{name}` without a file {OPAQUE}")
    file = words.operands[0]
    if file.text in (None, "-") or file.starts("/dev/") or file.starts("/proc/"):
        return Use(subcommand=("python",), refused=f"`{name}` takes code from somewhere that cannot be read")
    return replace(words.use(), reads=(file,), subcommand=("python", file.text or ""))


def _behind_module(args: tuple[Arg, ...]) -> tuple[Arg, ...]:
    """The words behind the module's name: `-m` ends the options, so that these are the module's own."""
    for place, arg in enumerate(args):
        text = arg.text or arg.before
        if text.startswith("-") and not text.startswith("--") and "m" in text[1:]:
            attached = text.index("m") + 1 < len(text)
            return args[place + 1 + (not attached) :]
    return ()


def _module(module: Arg, rest: tuple[Arg, ...], words: Sorted) -> Use:
    name = module.text
    if name is None:
        return Use(subcommand=("python", "-m"), refused="the module is known only at run time")
    top = name.partition(".")[0]
    use = _of_module(top, rest)
    return replace(
        use,
        subcommand=("python", "-m", name, *(use.subcommand[1:] or subcommands(rest, 1))),
        refused=use.refused or words.refused,
    )


def _of_module(top: str, rest: tuple[Arg, ...]) -> Use:
    if top in ENVIRONMENTS:
        return Use(classes=DEPENDENCY)
    if top in TAKE_CODE:
        return Use(refused=f"the module `{top}` takes code that cannot be judged")
    if top in SERVERS:
        return Use(refused=f"the module `{top}` opens connections or windows")
    reader = MODULES.get(top)
    return reader(Call(name=top, path=top, args=rest)) if reader else Use()


MODULES: Mapping[str, Reader] = {**MANAGERS, "ralph": ralph}


def launcher(call: Call) -> Use:
    """`py -3.11 …`: Windows' launcher, which takes the version first."""
    args = call.args
    if args and args[0].text is not None and args[0].text[1:2].isdigit() and args[0].text.startswith("-"):
        args = args[1:]
    return python(replace(call, args=args))


PROGRAMS: dict[str, Reader] = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "pythonw", "graalpy", "micropython"), python),
    "py": launcher,
}
