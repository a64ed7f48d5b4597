"""npm and pnpm.

Rules: those of `managers`. Options may stand anywhere. An option that names another folder, shell, settings file or
preloaded code changes what a script is, so it is a folder to check or refused. Taken from npm 11's own tables.
Spec: policy engine; research A.4.
"""

from __future__ import annotations

from ralph.permissions.programs.arguments import Sorted, table
from ralph.permissions.programs.managers import (
    DEPENDENCY,
    DESCRIPTION,
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
from ralph.permissions.programs.model import Arg, Reader, Use

OTHER_SHELL = "makes scripts run in another shell or with other code loaded"
OTHER_SETTINGS = "makes it read other settings"
EVERYWHERE = "works on the machine's packages, not the project's"

NPM_OPTIONS = table(
    flags="-a -f -iwr -l -p -S -B -D -E -O -P -h -H -? -v -ws -y -n -s -q -d -dd -ddd",
    optional="--all --audit --bin-links --dev --dry-run --engine-strict --force --foreground-scripts --fund"
    " --if-present --ignore-scripts --include-workspace-root --install-links --json --legacy-bundling"
    " --legacy-peer-deps --link --long --offline --optional --package-lock --package-lock-only --parseable"
    " --porcelain --prefer-dedupe --prefer-offline --prefer-online --production --progress --provenance"
    " --save --save-bundle --save-dev --save-exact --save-optional --save-peer --save-prod --shrinkwrap"
    " --strict-peer-deps --timing --unicode --update-notifier --usage --help --version --versions"
    " --workspaces --workspaces-update --yes --no --silent --quiet --verbose --read-only --git-tag-version"
    " --local --desc --description --diff-name-only --sign-git-tag --format-package-lock --color",
    values="-c --call -w --workspace --loglevel --omit --include --only --also --tag --depth --audit-level --otp -m"
    " --message --preid --save-prefix --access --package --install-strategy --before --searchlimit --sbom-format"
    " --sbom-type --min-release-age --script-shell --shell --node-options --globalconfig --userconfig --registry --reg"
    " --cache --git --editor --viewer --browser -L --location --diff --pack-destination --scope --cpu --os --libc"
    " --init-module --proxy --https-proxy --https_proxy --cafile --ca --tmp",
    directories="-C --prefix",
    refused={
        "--script-shell --shell --node-options": OTHER_SHELL,
        "--globalconfig --userconfig --init-module": OTHER_SETTINGS,
        "-g --global --global-style -L --location": EVERYWHERE,
        "--git --editor --viewer --browser": "names a program to run",
        "--registry --reg --proxy --https-proxy --cafile --ca": "takes packages from somewhere else",
        "--cache --tmp": "works on another folder",
        "--dangerously-allow-all-scripts --allow-scripts": "lets packages run code",
    },
    negatable=True,
)
NPM_ALIASES = aliases(
    {
        "install": "add i in ins inst insta instal isnt isnta isntal isntall",
        "uninstall": "unlink remove rm r un",
        "update": "u up upgrade udpate",
        "install-test": "it",
        "install-ci-test": "cit clean-install-test sit",
        "ci": "clean-install ic install-clean isntall-clean",
        "dedupe": "ddp",
        "link": "ln",
        "rebuild": "rb",
        "run": "run-script rum urn",
        "test": "t tst",
        "exec": "x",
        "config": "c",
        "init": "create innit",
        "ls": "list",
        "ll": "la",
        "explain": "why",
        "view": "v info show",
        "search": "s se find",
        "docs": "home",
        "bugs": "issues",
        "owner": "author",
        "adduser": "add-user",
        "dist-tag": "dist-tags",
        "org": "ogr",
        "help": "hlep",
        "version": "verison",
    }
)
NPM_READS = names("ls ll explain root prefix help help-search query sbom completion find-dupes")
NPM_PLAIN = names("view outdated search ping fund docs bugs repo doctor pack whoami diff stars cache edit version")
NPM_CHANGES = names(
    "install uninstall update install-test install-ci-test ci dedupe link rebuild prune shrinkwrap install-scripts"
    " approve-scripts deny-scripts"
)
NPM_PUBLISHES = names("publish unpublish deprecate undeprecate dist-tag owner access team org stage")
NPM_REFUSED = {
    **dict.fromkeys(("set", "config", "get", "login", "logout", "adduser", "token", "profile", "trust"), SETTINGS),
    **dict.fromkeys(("star", "unstar"), SETTINGS),
    "init": REMOTE_CODE,
    "explore": "runs a shell in a package's folder",
}
NPM_COMMANDS = (
    NPM_READS
    | NPM_PLAIN
    | NPM_CHANGES
    | NPM_PUBLISHES
    | NPM_REFUSED.keys()
    | names("run test start stop restart exec audit pkg")
)


def npm_name(word: str) -> str:
    """A subcommand under its full name, as npm finds it: exact, an alias, or the one that begins so."""
    word = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in word)
    if word in NPM_COMMANDS:
        return word
    if word in NPM_ALIASES:
        return NPM_ALIASES[word]
    begun = [name for name in (*NPM_COMMANDS, *NPM_ALIASES) if name.startswith(word)]
    meant = {NPM_ALIASES.get(name, name) for name in begun}
    return meant.pop() if len(begun) == 1 else word


def audit(rest: tuple[Arg, ...], words: Sorted) -> Use:
    del words
    return Use(classes=DEPENDENCY) if rest and rest[0].text != "signatures" else Use()


def package_file(rest: tuple[Arg, ...], words: Sorted) -> Use:
    """`npm pkg`: dependencies may be set after asking, scripts never."""
    del words
    action = rest[0].text if rest else None
    keys = [(arg.before if arg.text is None else arg.text).partition("=")[0] for arg in rest[1:]]
    if action == "get":
        return Use(only_reads=True)
    if action in {"set", "delete"} and keys and all("ependencies" in key.partition(".")[0] for key in keys):
        return Use(classes=DEPENDENCY)
    return Use(refused=f"`pkg {action or ''}` {DESCRIPTION}")


LIFECYCLES = {name: lifecycle(name) for name in ("test", "start", "stop", "restart")}
NPM = Manager(
    name="npm",
    options=NPM_OPTIONS,
    canonical=npm_name,
    reads=NPM_READS,
    plain=NPM_PLAIN,
    changes=NPM_CHANGES,
    publishes=NPM_PUBLISHES,
    refused=NPM_REFUSED,
    special={**LIFECYCLES, "run": run_script, "exec": package_program, "audit": audit, "pkg": package_file},
)
PNPM_OPTIONS = NPM_OPTIONS.and_also(
    table(
        flags="-r --recursive --stream --parallel --aggregate-output --no-bail --bail --frozen-lockfile --lockfile-only"
        " --fix-lockfile --shamefully-hoist --no-frozen-lockfile --no-optional --reverse --sort --resume-from --latest"
        " -i --interactive --use-stderr --fail-if-no-match --shell-mode",
        values="--filter -F --filter-prod --reporter --workspace-concurrency --test-pattern"
        " --changed-files-ignore-pattern"
        " --child-concurrency --network-concurrency",
        directories="-C --dir --prefix --lockfile-dir --modules-dir --virtual-store-dir --store-dir",
        refused={
            "-g --global": EVERYWHERE,
            "-c --shell-mode": "runs its words as shell code",
            "--global-dir --global-bin-dir --pnpmfile --global-pnpmfile": OTHER_SETTINGS,
        },
    )
)
PNPM = Manager(
    name="pnpm",
    options=PNPM_OPTIONS,
    aliases=aliases(
        {
            "install": "i",
            "remove": "rm un uninstall",
            "update": "up upgrade",
            "link": "ln",
            "rebuild": "rb",
            "run": "run-script",
            "test": "t tst",
            "ls": "list ll la",
            "why": "explain",
            "install-test": "it",
            "config": "c",
            "init": "create",
        }
    ),
    reads=names("ls why root bin help licenses"),
    plain=names("outdated pack store view info doctor cat-file cat-index find-hash"),
    changes=names(
        "add install remove update link unlink import rebuild prune fetch install-test dedupe patch patch-commit"
        " patch-remove approve-builds ignored-builds ci clean-install"
    ),
    publishes=names("publish unpublish deprecate dist-tag owner access deploy"),
    refused={
        "dlx": REMOTE_CODE,
        "init": REMOTE_CODE,
        "env": EVERYWHERE,
        "setup": EVERYWHERE,
        "self-update": EVERYWHERE,
        **dict.fromkeys(("config", "set", "get", "login", "logout", "adduser", "token", "server"), SETTINGS),
    },
    special={**LIFECYCLES, "run": run_script, "exec": in_path, "audit": audit, "pkg": package_file},
    scripts=True,
)

PROGRAMS: dict[str, Reader] = {"npm": NPM, "pnpm": PNPM}
