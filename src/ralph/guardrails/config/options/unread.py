"""How each tool is told to read no configuration at all: `mypy --config-file=`, `prettier --no-config`, `jest -c '{}'`.

Rules (what is lost by it says `commands.unread`):

- A switch, or a value that names no file, of a tool that then goes by its defaults. What an empty value means differs:
  mypy, pylint and coverage read nothing, pytest, ruff and golangci-lint look for their file as ever, flake8 fails.
- A file that is always empty, of a tool that is not known by `flags.CONFIG_OPTIONS` anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import Check, Worse
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.options.model import Option
from ralph.record import record

OTHER_FILE = "cfg.other-configuration"
EMPTY, SAID = "true", "true"
"""What an option without a value, or with an empty one, is read as; and a switch."""
NO_FILES = ("/dev/null", "NUL", "nul")


@record
class Unread:
    """`names` are the spellings of one option, the first of which is its key."""

    names: str
    values: tuple[str, ...]
    tools: tuple[str, ...] = ()
    """Whose configuration it is, if not that of the program itself."""
    takes: bool = True
    file: str = ""
    """The one file that it is about; else all of them are."""
    runs: bool = False
    """The configuration says what is run at all."""
    files: tuple[str, ...] = ()
    """How files of configuration begin that no table of settings is about."""

    @property
    def key(self) -> str:
        return names(self.names)[0].lstrip("-").replace(".", "-")


def _empty(names: str, *tools: str) -> Unread:
    return Unread(names, (EMPTY,), tools)


def _off(names: str, *files: str, tools: tuple[str, ...] = (), file: str = "") -> Unread:
    """A switch."""
    return Unread(names, (SAID,), tools, takes=False, file=file, files=files)


def _file(names: str, *files: str, tools: tuple[str, ...] = (), values: tuple[str, ...] = ()) -> Unread:
    return Unread(names, (*NO_FILES, *values), tools, files=files)


CONFIG, LONG = _file("--config -c"), _file("--config")
FILE = _file("--config-file -c")
PHPUNIT = (
    _file("--configuration -c", tools=("phpunit",)),
    _off("--no-configuration", tools=("phpunit",)),
)
UNREAD: Mapping[str, Sequence[Unread]] = {
    # Python. Of the first four the option itself is known, and its file compared.
    **dict.fromkeys(("mypy", "dmypy"), (_empty("--config-file"),)),
    **dict.fromkeys(("pylint", "coverage"), (_empty("--rcfile"),)),
    **dict.fromkeys(("pytest", "py.test"), (_empty("--cov-config", "coverage"),)),
    **dict.fromkeys(names("black docformatter pydocstyle pycodestyle vulture deptry lint-imports"), (LONG,)),
    "isort": (_file("--settings-path --sp --settings-file --settings"),),
    "codespell": (_file("--config"), _file("--toml")),
    "refurb": (_file("--config-file"),),
    "diff-cover": (FILE,),
    "doc8": (_file("--config", "doc8.ini"),),
    "rstcheck": (_file("--config", ".rstcheck.cfg"),),
    "pymarkdown": (_file("--config -c", ".pymarkdown"),),
    "nose2": (_file("--config -c", "nose2.cfg", "unittest.cfg"),),
    "tox": (Unread("--conf -c", NO_FILES, runs=True),),
    **dict.fromkeys(("pre-commit", "prek"), (Unread("--config -c", NO_FILES, ("pre-commit",), runs=True),)),
    # JavaScript and what is written for its runtimes.
    "jest": (Unread("--config", ("{}",)),),
    "vitest": (_off("--no-config"),),
    "mocha": (_file("--config"), _off("--no-config"), _off("--no-package", file="package.json")),
    "nyc": (_file("--nycrc-path"),),
    "cypress": (_file("--config-file -C", values=("false",)),),
    "prettier": (_file("--config"), _off("--no-config")),
    "biome": (_file("--config-path"),),
    "deno": (CONFIG, _off("--no-config")),
    "depcruise": (CONFIG, _off("--no-config")),
    "textlint": (_file("--config -c", ".textlintrc"), _off("--no-textlintrc", ".textlintrc")),
    "remark": (_off("--no-config", ".remarkrc"),),
    "ember-template-lint": (
        _file("--config-path", ".template-lintrc"),
        _off("--no-config-path", ".template-lintrc"),
    ),
    "spectral": (_file("--ruleset -r"),),
    "vacuum": (_file("--ruleset -r"),),
    "secretlint": (_file("--secretlintrc", ".secretlintrc"),),
    "markdownlint-cli2": (_file("--config", tools=("markdownlint",)),),
    **dict.fromkeys(names("ava xo redocly"), (LONG,)),
    **dict.fromkeys(
        names("c8 stylelint oxlint playwright knip cspell markdownlint solhint html-validate jscpd"), (CONFIG,)
    ),
    # Others, by their languages.
    "rubocop": (_off("--force-default-config"),),
    **dict.fromkeys(("rspec", "parallel_rspec"), (_file("--options -O", ".rspec"),)),
    **dict.fromkeys(("phpunit", "pest"), PHPUNIT),
    "phpstan": (_file("--configuration -c"),),
    "psalm": (CONFIG,),
    "phpcs": (_file("--standard", "phpcs.xml", ".phpcs.xml"),),
    "rector": (_file("--config -c", "rector.php"),),
    "revive": (_file("-config --config"),),
    "gosec": (_file("-conf --conf"),),
    "cargo": (_file("--config", tools=("cargo-deny",)), _file("--config-file", tools=("nextest",))),
    "mix": (_file("--config-file", tools=("credo",)),),
    "clang-tidy": (_file("--config-file"), Unread("--config -config", ("{}",))),
    "luacheck": (_file("--config"), _off("--no-config")),
    "perlcritic": (_file("--profile -p", values=(EMPTY,)), _off("--noprofile")),
    "buf": (Unread("--config", ("{}", *NO_FILES)),),
    "shellcheck": (_file("--rcfile"), _off("--norc")),
    "yamllint": (FILE, Unread("--config-data -d", ("{}",))),
    "sqlfluff": (_off("--ignore-local-config"),),
    "typos": (CONFIG, _off("--isolated")),
    "zizmor": (CONFIG, _off("--no-config")),
    **dict.fromkeys(names("interrogate reek swiftlint detekt hadolint trivy tflint gitleaks grype"), (CONFIG,)),
    **dict.fromkeys(names("ansible-lint regal"), (FILE,)),
    **dict.fromkeys(names("checkov tfsec cfn-lint slither schemathesis"), (_file("--config-file"),)),
    **dict.fromkeys(names("vale semgrep kics kube-linter squawk lychee selene osv-scanner ameba"), (LONG,)),
}


def options(program: str) -> Sequence[Option]:
    """Those by which a program reads nothing, beside what else is asked of its command."""
    return tuple(
        Option(each.names, nothing_read(each.values), OTHER_FILE, takes=each.takes, minor=OTHER_FILE)
        for each in UNREAD.get(program, ())
    )


def nothing_read(values: Sequence[str]) -> Check:
    """One of these values, where another one or none stood."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (canonical(node) if node is not None else "" for node in (before, after))
        if now in values and was not in values:
            yield Worse(node=after, text="reads no configuration")

    return check


def asked(program: str, key: str, value: str) -> Unread | None:
    """The option of a command, if it makes the program read nothing."""
    known = (each for each in UNREAD.get(program, ()) if each.key == key)
    return next((each for each in known if value in each.values), None)
