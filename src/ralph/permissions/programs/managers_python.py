"""pip, uv, poetry and the other managers of Python packages and environments.

Rules: those of `managers`. `uv run` and its like start a program in the project's environment: the decision is that
program's, unless packages are brought along. Environments belong to `dependency_changes`.
Spec: policy engine; core concepts, "Command Blocking".
"""

from __future__ import annotations

from ralph.permissions.programs.answers import subcommands
from ralph.permissions.programs.arguments import Sorted, sort_words, table
from ralph.permissions.programs.managers import DEPENDENCY, REMOTE_CODE, SETTINGS, Manager, in_path, names
from ralph.permissions.programs.model import Arg, Call, Inner, Reader, Use
from ralph.permissions.programs.packs import ADDS_PACKAGES
from ralph.record import replace

COMMON = "-h --help -V --version -v -vv -vvv --verbose -q -qq --quiet --no-cache --offline --no-color --no-progress"
OTHER_INDEX = "takes packages from somewhere else"
OTHER_PYTHON = "runs another interpreter, or changes another environment than the project's"

UV_OPTIONS = table(
    flags=f"{COMMON} -n --native-tls --no-config --no-python-downloads --preview --managed-python --no-managed-python",
    values="--color --cache-dir --config-file --allow-insecure-host --config-setting",
    directories="--directory --project",
    refused={
        "--config-file --cache-dir": "reads other settings or another cache",
        "--allow-insecure-host": OTHER_INDEX,
    },
)
UV_RUN = table(
    flags=f"{COMMON} --frozen --locked --no-sync --isolated --active --exact --all-extras --no-dev --dev --only-dev"
    " --all-groups --no-default-groups --no-project --no-editable --no-env-file --all-packages --inexact --no-build"
    " --no-binary --compile-bytecode -n --managed-python --refresh -U --upgrade --reinstall -m --module -s --script",
    values="--extra --no-extra --group --no-group --only-group --package --color -p --python -w --with --with-editable"
    " --with-requirements --env-file --index-url -i --extra-index-url --default-index --index -f --find-links -P"
    " --upgrade-package --resolution --prerelease --link-mode --config-file --cache-dir -C --config-setting",
    directories="--directory --project",
    refused={
        "--index-url -i --extra-index-url --default-index --index -f --find-links": OTHER_INDEX,
        "--env-file": "sets variables that nobody read",
        "-p --python": OTHER_PYTHON,
        "--config-file --cache-dir -C --config-setting": "reads other settings or another cache",
        "-s --script --gui-script": "runs a script with packages of its own",
        "--refresh -U --upgrade --reinstall -P --upgrade-package": "changes the environment",
    },
    shortened=False,
)
WITH = ("-w", "--with", "--with-editable", "--with-requirements")


def uv_run(rest: tuple[Arg, ...], before: Sorted) -> Use:
    """`uv run COMMAND…`, `uv run -m MODULE…`, `uv run FILE.py`."""
    del before
    words = sort_words(rest, UV_RUN, leading=True)
    command = words.operands
    if words.has("-m", "--module") and command:
        span = command[0].span
        command = (Arg("python", span), Arg("-m", span), *command)
    elif command and command[0].text is not None and command[0].text.endswith((".py", ".pyw")):
        command = (Arg("python", command[0].span), *command)
    brings = "it brings packages that the project does not name" if words.has(*WITH) else None
    url = "it runs code from somewhere else" if command and command[0].starts("http") else None
    return Use(
        subcommand=("run", *subcommands(command, 2)),
        inner=(Inner(args=command, under="uv run"),) if command else (),
        directories=words.directories,
        wraps=bool(command),
        refused=words.refused or brings or url,
        unknown=words.unknown or (None if command else "it is given no command"),
        facts=frozenset({ADDS_PACKAGES}) if words.has(*WITH) else frozenset(),
    )


def _under(manager: str, rest: tuple[Arg, ...], words: Sorted) -> Use:
    """`poetry run COMMAND` and the like."""
    use = in_path(rest, words)
    return replace(
        use, inner=tuple(replace(each, under=manager) for each in use.inner), subcommand=("run", *subcommands(rest, 2))
    )


def tool(rest: tuple[Arg, ...], words: Sorted) -> Use:
    del words
    action = rest[0].text if rest else None
    return Use(only_reads=True) if action in {"list", "dir"} else Use(refused=f"it {REMOTE_CODE}")


def uv_pip(rest: tuple[Arg, ...], words: Sorted) -> Use:
    del words
    action = rest[0].text if rest else None
    use = Use(only_reads=True) if action in {"list", "show", "freeze", "check", "tree"} else Use(classes=DEPENDENCY)
    return replace(use, subcommand=("pip", *subcommands(rest, 1)))


UV = Manager(
    name="uv",
    options=UV_OPTIONS,
    leading=True,
    reads=names("help"),
    plain=names("tree version build cache python format"),
    changes=names("add remove lock sync init venv export"),
    publishes=names("publish"),
    refused={"self": "replaces uv itself", "auth": SETTINGS, "generate-shell-completion": SETTINGS},
    special={"run": uv_run, "tool": tool, "pip": uv_pip},
)
PIP_OPTIONS = table(
    flags=f"{COMMON} --isolated --require-virtualenv --no-input --disable-pip-version-check --debug",
    values="--python --log --proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --cache-dir",
    refused={"--python": OTHER_PYTHON, "--trusted-host --proxy --cert --client-cert": OTHER_INDEX},
)
PIP = Manager(
    name="pip",
    options=PIP_OPTIONS,
    leading=True,
    reads=names("list show freeze check help inspect debug hash"),
    plain=names("search index cache completion"),
    changes=names("install uninstall download wheel lock"),
    refused={"config": SETTINGS},
)
POETRY_OPTIONS = table(
    flags=f"{COMMON} -n --no-interaction --no-plugins --ansi --no-ansi",
    directories="-C --directory -P --project",
    shortened=True,
)
POETRY = Manager(
    name="poetry",
    options=POETRY_OPTIONS,
    leading=True,
    reads=names("show check about list help"),
    plain=names("build env version search"),
    changes=names("add remove install update lock sync init new export"),
    publishes=names("publish"),
    refused={
        "config": SETTINGS,
        "self": REMOTE_CODE,
        "source": OTHER_INDEX,
        "cache": SETTINGS,
        "shell": "starts a shell",
    },
    special={"run": lambda rest, words: _under("poetry run", rest, words)},
)


def _simple(name: str, reads: str, changes: str, folders: str = "") -> Manager:
    """A manager with few options in front of its subcommand."""
    return Manager(
        name=name,
        options=table(flags=f"{COMMON} -n -y --yes", directories=folders),
        leading=True,
        reads=names(reads),
        changes=names(changes),
        publishes=names("publish upload"),
        refused={
            "shell": "starts a shell",
            "config": SETTINGS,
            "self": REMOTE_CODE,
            "plugin": REMOTE_CODE,
            "script": REMOTE_CODE,
        },
        special={"run": lambda rest, words: _under(f"{name} run", rest, words)},
    )


CONDA = _simple(
    "conda", "list info search", "install create remove uninstall update upgrade env clean rename init activate"
)
PIPENV = _simple("pipenv", "graph check verify", "install uninstall update upgrade lock sync clean requirements")
PDM = _simple(
    "pdm", "list info show", "add remove install update lock sync init venv use import export", "-p --project"
)
HATCH = _simple("hatch", "status", "env dep new build fmt test python")
RYE = _simple("rye", "list show version", "add remove lock sync init install uninstall pin fetch build tools")


def installer(call: Call) -> Use:
    """pipx, easy_install, virtualenv: packages or environments that the project does not name."""
    reads = (
        bool(call.args)
        and call.args[0].text in {"list", "--version", "--help", "-h", "environment"}
        and len(call.args) == 1
    )
    classes = frozenset() if reads else DEPENDENCY
    return Use(subcommand=(call.name, *subcommands(call.args, 1)), classes=classes, only_reads=reads)


def uvx(call: Call) -> Use:
    """`uvx X` is `uv tool run X`."""
    return Use(subcommand=("uv", "tool", "run", *subcommands(call.args, 1)), refused=f"it {REMOTE_CODE}")


def pip_of(name: str) -> bool:
    """Whether a program's name is pip's, with or without a version (`pip3`, `pip3.11`)."""
    return name.startswith("pip") and name[3:].replace(".", "").isdigit()


def python_manager(name: str) -> Reader | None:
    """The reader of a manager with a version in its name (`pip3.11`, `easy_install-3.9`, `virtualenv3`)."""
    if pip_of(name):
        return PIP
    base = name.rstrip("0123456789.-")
    if base in {"easy_install", "virtualenv", "pyvenv"}:
        return lambda call: installer(replace(call, name=base))
    return None


PROGRAMS: dict[str, Reader] = {
    "uv": UV,
    "uvx": uvx,
    "pip": PIP,
    "pip3": PIP,
    "pip2": PIP,
    "poetry": POETRY,
    "pipenv": PIPENV,
    "pdm": PDM,
    "hatch": HATCH,
    "rye": RYE,
    "conda": CONDA,
    "mamba": replace(CONDA, name="mamba"),
    "micromamba": replace(CONDA, name="micromamba"),
    "pipx": installer,
    "easy_install": installer,
    "virtualenv": installer,
    "pyvenv": installer,
}
