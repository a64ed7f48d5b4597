"""yarn and bun, and the programs that start others out of packages: npx, pnpx, bunx, corepack.

Rules: those of `managers`; a subcommand that yarn or bun does not have is a script of that name.
Spec: policy engine; research B.4.
"""

from __future__ import annotations

from ralph.permissions.programs.answers import refuses
from ralph.permissions.programs.arguments import Sorted, sort_words, table
from ralph.permissions.programs.managers import (
    REMOTE_CODE,
    SETTINGS,
    Manager,
    aliases,
    in_path,
    lifecycle,
    names,
    package_program,
    run_script,
)
from ralph.permissions.programs.managers_node import (
    EVERYWHERE,
    LIFECYCLES,
    NPM_OPTIONS,
    OTHER_SETTINGS,
    OTHER_SHELL,
    audit,
)
from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.record import replace

YARN_OPTIONS = NPM_OPTIONS.and_also(
    table(
        flags="--frozen-lockfile --pure-lockfile --immutable --immutable-cache --check-cache --check-files"
        " --exact --tilde"
        " --caret --peer --latest --pattern --flat --har --ignore-engines --ignore-optional"
        " --ignore-platform --inline-builds"
        " --interactive --json --non-interactive --no-lockfile --no-default-rc --production --skip-integrity-check"
        " --top-level -T -A -R --recursive --emojis --binaries-only -B",
        values="--mode --network-timeout --network-concurrency --mutex --scope",
        directories="--cwd --modules-folder",
        refused={
            "--use-yarnrc --preferred-cache-folder --cache-folder --link-folder --global-folder": OTHER_SETTINGS,
            "--inspect --inspect-brk --require": OTHER_SHELL,
            "--prefix -C": "is not an option of yarn's folders",
        },
    )
)


def workspace(rest: tuple[Arg, ...], words: Sorted) -> Use:
    """`yarn workspace NAME COMMAND…`: the command, in another of the project's packages."""
    del words
    use = yarn(Call(name="yarn", path="yarn", args=rest[1:]))
    return replace(use, subcommand=("workspace", *use.subcommand[1:]))


def yarn_global(rest: tuple[Arg, ...], words: Sorted) -> Use:
    del rest, words
    return Use(refused=f"`yarn global` {EVERYWHERE}")


yarn = Manager(
    name="yarn",
    options=YARN_OPTIONS,
    aliases=aliases({"up": "upgrade upgrade-interactive update", "list": "ls", "run": "run-script", "dedupe": "ddp"}),
    reads=names("help"),
    plain=names("list why bin versions constraints licenses info outdated pack version check search explain view"),
    changes=names(
        "install add remove up link unlink import dedupe rebuild autoclean patch patch-commit unplug"
        " generate-lock-entry ci"
        " install-test prune shrinkwrap"
    ),
    publishes=names("publish tag owner access team npm"),
    refused={
        "dlx": REMOTE_CODE,
        "create": REMOTE_CODE,
        "init": REMOTE_CODE,
        "node": "runs code",
        "plugin": REMOTE_CODE,
        **dict.fromkeys(("config", "set", "login", "logout", "policies", "cache", "self-update"), SETTINGS),
    },
    special={
        **LIFECYCLES,
        "run": run_script,
        "exec": in_path,
        "audit": audit,
        "workspace": workspace,
        "global": yarn_global,
        "workspaces": lambda rest, words: Use(unknown="it runs a command in every package"),
    },
    bare="install",
    scripts=True,
)

BUN_OPTIONS = NPM_OPTIONS.and_also(
    table(
        flags="--bun -b --watch --hot --frozen-lockfile --exact --trust --smol --backend --elide-lines --todo --only"
        " --bail --coverage --rerun-each --update-snapshots -u --latest",
        values="--filter -F --timeout -t --test-name-pattern --bail --coverage-reporter --reporter --reporter-outfile",
        directories="--cwd",
        refused={
            "-r --preload --require --import -e --eval --print": OTHER_SHELL,
            "--inspect --inspect-brk --env-file --define -d": OTHER_SHELL,
            "-c --config": OTHER_SETTINGS,
        },
    )
)
bun = Manager(
    name="bun",
    options=BUN_OPTIONS,
    aliases=aliases({"add": "a", "install": "i", "remove": "rm r uninstall", "create": "c"}),
    reads=names("why help"),
    plain=names("build outdated info"),
    changes=names("add install remove update link unlink patch patch-commit ci"),
    publishes=names("publish"),
    refused={
        "create": REMOTE_CODE,
        "init": REMOTE_CODE,
        "upgrade": EVERYWHERE,
        "repl": "runs code",
        "exec": "runs its words as shell code",
        "pm": SETTINGS,
        "discord": SETTINGS,
    },
    special={"test": lifecycle("test"), "run": run_script, "x": package_program, "audit": audit},
    scripts=True,
)

PACKAGE_PROGRAM = table(
    flags="-y --yes -q --quiet -n --no --no-install --ignore-existing -s --silent --bun --offline"
    " --prefer-offline -h --help"
    " -v --version",
    values="-c --call -p --package -w --workspace",
    refused={
        "-c --call --shell-mode": "runs its words as shell code",
        "--node-options --node-arg -n --script-shell --shell": OTHER_SHELL,
        "--userconfig --globalconfig --registry --prefix --cache": OTHER_SETTINGS,
    },
)


def package_runner(call: Call) -> Use:
    """`npx`, `pnpx`, `bunx`: a program out of a package, which is fetched if it is not there."""
    words = sort_words(call.args, PACKAGE_PROGRAM, leading=True)
    name = words.operands[0].text if words.operands else None
    if name is None:
        return replace(words.use(), subcommand=(call.name,), only_reads=words.has("--version", "-v", "--help", "-h"))
    return replace(words.use(), subcommand=(call.name, name))


PROGRAMS: dict[str, Reader] = {
    "yarn": yarn,
    "yarnpkg": yarn,
    "bun": bun,
    "npx": package_runner,
    "pnpx": package_runner,
    "bunx": package_runner,
    "corepack": refuses("fetches package managers and puts them in the place of others"),
    "nvm": refuses("changes which node is used"),
    "fnm": refuses("changes which node is used"),
    "volta": refuses("changes which node is used"),
    "n": refuses("changes which node is used"),
    "lerna": refuses("publishes packages and runs scripts in all of them"),
}
