"""Package managers of further languages and of the system, as rows of one table.

Rules: those of `managers`. Options in front of the subcommand are few; those behind it are its own and are not judged.
Listing that evaluates the project's own code (a Gemfile, plugins) or may write a lock file is not harmless. The
system's managers change the machine and not the project: refused.
Spec: policy engine; research B.4.
"""

from __future__ import annotations

from ralph.permissions.programs.answers import refused_programs
from ralph.permissions.programs.arguments import table
from ralph.permissions.programs.managers import REMOTE_CODE, SETTINGS, Manager, in_path, names, run_script
from ralph.permissions.programs.model import Call, Reader, Use

COMMON = "-h --help -V --version -v --verbose -q --quiet --no-color"
MACHINE = "changes the programs of the machine, not of the project"
ELSEWHERE = "puts programs into the person's own folders"
CODE = "gives it settings or code that nobody read"

CARGO = Manager(
    name="cargo",
    options=table(
        flags=f"{COMMON} --locked --offline --frozen -Z --list",
        values="--color --config -Z",
        directories="-C",
        refused={"--config -Z": CODE},
    ),
    leading=True,
    reads=names("locate-project help version"),
    plain=names(
        "tree metadata pkgid read-manifest verify-project build b check c test t run r bench doc d clippy fmt"
        " clean nextest search package llvm-cov"
    ),
    changes=names("add remove rm update fetch generate-lockfile vendor new init fix"),
    publishes=names("publish yank owner"),
    refused={"install": ELSEWHERE, "uninstall": ELSEWHERE, "login": SETTINGS, "logout": SETTINGS},
)


def go_run(call: Call) -> Use:
    """`go …`: flags that name programs to run are refused, modules are dependencies."""
    use = GO(call)
    option = mentioned_long(call, ("-exec", "-toolexec", "-vettool", "-overlay", "-modfile"))
    return use if option is None else Use(subcommand=use.subcommand, refused=f"`{option}` runs another program")


def mentioned_long(call: Call, options: tuple[str, ...]) -> str | None:
    """Go's options have one dash or two, and a value behind `=` or in the next word."""
    for arg in call.args:
        word = (arg.before if arg.text is None else arg.text).partition("=")[0]
        for option in options:
            if word in {option, f"-{option}"}:
                return option
    return None


GO = Manager(
    name="go",
    options=table(flags="-h --help", directories="-C", shortened=False),
    leading=True,
    reads=names("version list doc help"),
    plain=names("build test run vet fmt generate clean fix tool telemetry bug"),
    changes=names("get mod work"),
    refused={"install": ELSEWHERE, "env": "shows or changes go's settings"},
)
BUNDLE = Manager(
    name="bundle",
    options=table(flags=f"{COMMON} --retry"),
    leading=True,
    reads=names("help"),
    plain=names("list show info outdated check version platform console viz doctor"),
    changes=names("install update add remove lock cache package pack clean binstubs init"),
    refused={"config": SETTINGS, "plugin": REMOTE_CODE, "gem": REMOTE_CODE, "open": "opens an editor"},
    special={"exec": in_path, "e": in_path},
    bare="install",
)
GEM = Manager(
    name="gem",
    options=table(flags=COMMON),
    leading=True,
    reads=names("list which environment help contents dependency specification"),
    plain=names("build search info outdated stale lock check"),
    changes=names("install uninstall update cleanup pristine fetch unpack i"),
    publishes=names("push yank owner"),
    refused={"signin": SETTINGS, "signout": SETTINGS, "sources": SETTINGS, "exec": REMOTE_CODE, "server": SETTINGS},
)
COMPOSER = Manager(
    name="composer",
    options=table(
        flags=f"{COMMON} -vv -vvv -n --no-interaction --no-plugins --no-scripts --ansi --no-ansi --no-cache --profile",
        directories="-d --working-dir",
    ),
    leading=True,
    reads=names("help"),
    plain=names(
        "show info licenses depends why prohibits why-not status validate about list suggests fund outdated"
        " search diagnose check-platform-reqs archive audit browse"
    ),
    changes=names(
        "install i require r req remove rm uninstall update u upgrade dump-autoload dumpautoload reinstall bump init"
    ),
    refused={
        "global": ELSEWHERE,
        "config": SETTINGS,
        "create-project": REMOTE_CODE,
        "self-update": MACHINE,
        "selfupdate": MACHINE,
    },
    special={"run-script": run_script, "run": run_script, "exec": in_path},
    scripts=True,
)
MIX = Manager(
    name="mix",
    options=table(flags=COMMON),
    leading=True,
    reads=names("help"),
    plain=names("deps.tree hex.info xref compile test format run credo dialyzer docs phx.routes"),
    changes=names("deps deps.get deps.update deps.clean deps.unlock deps.compile"),
    publishes=names("hex.publish release hex.retire"),
    refused={"archive.install": ELSEWHERE, "escript.install": ELSEWHERE, "local.hex": MACHINE, "eval": "runs code"},
)
DOTNET = Manager(
    name="dotnet",
    options=table(flags=f"{COMMON} --info --list-sdks --list-runtimes -d --diagnostics"),
    leading=True,
    reads=names("help"),
    plain=names("list build test run clean format watch sln pack msbuild vstest"),
    changes=names("add remove restore new package reference"),
    publishes=names("publish nuget"),
    refused={"tool": REMOTE_CODE, "workload": MACHINE, "exec": "runs code", "dev-certs": MACHINE},
)

PROGRAMS: dict[str, Reader] = {
    "cargo": CARGO,
    "go": go_run,
    "bundle": BUNDLE,
    "bundler": BUNDLE,
    "gem": GEM,
    "composer": COMPOSER,
    "mix": MIX,
    "dotnet": DOTNET,
    **refused_programs(
        [
            ("apt apt-get aptitude dpkg apt-key add-apt-repository dnf yum rpm zypper pacman yay apk emerge", MACHINE),
            ("brew port snap flatpak nix nix-env nix-shell guix choco scoop winget xbps-install opkg pkg", MACHINE),
            ("rustup asdf mise rbenv pyenv sdk jenv nodenv goenv tfenv", "changes which tools are used"),
            ("cpan cpanm luarocks opam cabal stack conan vcpkg pear pecl", REMOTE_CODE),
        ]
    ),
}
