"""Programs that run named tasks of a project's own file: make, ninja, just, rake, gradle, maven.

Rules: the tasks are what a rule names, and a task is judged by its name like a package script. Another file of tasks is
read; one from standard input, code in an option, and a variable that names the shell are refused. Variables that are
set otherwise leave the use unknown, because they name programs as well. Spec: policy engine; design decision 23.
"""

from __future__ import annotations

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.arguments import Table, sort_words, table
from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.scripts import script_classes
from ralph.record import record, replace

CODE = "gives it code that cannot be judged"
SHELL_VARIABLES = frozenset(
    {"SHELL", ".SHELLFLAGS", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "PATH", "BASH_ENV", "ENV"}
)
READ_ONLY_TASKS = frozenset({"--version", "-v", "--help", "-h", "--list", "-l", "--summary", "-T", "-t"})


@record
class TaskRunner:
    """A runner by its options."""

    options: Table

    def __call__(self, call: Call) -> Use:
        words = sort_words(call.args, self.options)
        tasks = tuple(arg.text for arg in words.operands if arg.text is not None and "=" not in arg.text)
        shows = (
            not words.operands and bool(words.options) and all(each.name in READ_ONLY_TASKS for each in words.options)
        )
        classes: frozenset[ApprovalClass] = frozenset().union(*(script_classes(task) for task in tasks))
        use = words.use()
        return replace(
            use,
            reads=tuple(arg for arg in words.reads if arg.text != "-"),
            subcommand=(call.name, *tasks),
            classes=classes,
            script=tasks[0] if len(tasks) == 1 else None,
            refused=use.refused or _refusal(words.reads, words.operands),
            unknown=use.unknown or self._doubt(words.operands),
            only_reads=shows and not (use.refused or use.unknown),
        )

    def _doubt(self, operands: tuple[Arg, ...]) -> str | None:
        if any(arg.text is None for arg in operands):
            return "a task is known only at run time"
        sets = any(arg.text is not None and "=" in arg.text for arg in operands)
        return "it sets a variable, and variables may name programs" if sets else None


def _refusal(files: tuple[Arg, ...], operands: tuple[Arg, ...]) -> str | None:
    for file in files:
        if file.text in (None, "-") or file.starts("/dev/") or file.starts("/proc/"):
            return "the file of tasks comes from somewhere that cannot be read"
    for arg in operands:
        name = (arg.before if arg.text is None else arg.text).partition("=")[0].rstrip(":+?!")
        if name in SHELL_VARIABLES:
            return f"`{name}=` changes which shell or programs it runs"
        if "$(" in (arg.text or "") or "!=" in (arg.text or ""):
            return CODE
    return None


MAKE = table(
    flags="-b -m -B --always-make -d -e --environment-overrides -h --help -i --ignore-errors -k --keep-going -L"
    " --check-symlink-times -n --just-print --dry-run --recon -p --print-data-base -q --question -r --no-builtin-rules"
    " -R --no-builtin-variables -s --silent --quiet -S --no-keep-going --stop -t --touch --trace -v --version -w"
    " --print-directory --no-print-directory --warn-undefined-variables --no-silent",
    values="-W --what-if --new-file --assume-new -E --eval",
    optional="-j --jobs -l --load-average --max-load -O --output-sync --debug --shuffle -o --old-file --assume-old",
    reads="-f --file --makefile",
    directories="-C --directory -I --include-dir",
    refused={"-E --eval": CODE},
)
NINJA = table(
    flags="--version -h --help -v --verbose -n --quiet",
    values="-j -k -l -d -w -t",
    reads="-f",
    directories="-C",
    refused={"-t": "runs a tool of ninja"},
)
JUST = table(
    flags="-l --list --summary -n --dry-run -q --quiet -v --verbose -V --version -h --help --color --dump --evaluate"
    " --no-deps --yes --unstable",
    values="--set -c --command --shell --shell-arg --dotenv-path --dotenv-filename --chooser",
    reads="-f --justfile",
    directories="-d --working-directory",
    refused={"-c --command --shell --shell-arg --choose --chooser -e --edit --dotenv-path --dotenv-filename": CODE},
)
RAKE = table(
    flags="-T --tasks -n --dry-run -q --quiet -s --silent -t --trace -v --verbose -V --version -h -H --help"
    " -m -P --prereqs",
    values="-e --execute -p --execute-print -E --execute-continue -r --require -I --libdir -R --rakelibdir -j",
    reads="-f --rakefile",
    refused={"-e --execute -p --execute-print -E --execute-continue -r --require -I --libdir -R --rakelibdir -g": CODE},
)
TASK = table(
    flags="-l --list -a --list-all -f --force -n --dry -s --silent -v --verbose --version -h --help -p"
    " --parallel -y --yes",
    values="-o --output -C --concurrency",
    reads="-t --taskfile",
    directories="-d --dir",
    refused={"-g --global -w --watch -i --init --remote --download": CODE},
)
JAVA_BUILD = table(
    flags="-v --version -h --help -q --quiet -o --offline -B --batch-mode -e --errors -X --debug -U -N -ff -fae -fn"
    " -i --info -d -s --stacktrace --no-daemon --daemon --parallel --build-cache --no-build-cache --continue -ntp"
    " --console --scan --rerun-tasks -am -amd --dry-run -V",
    values="-pl --projects -T --threads -rf -P -D -x --exclude-task --max-workers --tests --warning-mode -I"
    " --init-script"
    " --settings -gs --global-settings -t --toolchains -g --gradle-user-home",
    reads="-b --build-file -f --file",
    directories="-p --project-dir",
    refused={
        "-I --init-script --include-build": CODE,
        "--settings -gs --global-settings -t --toolchains -g --gradle-user-home": "makes it read other settings",
        "-D -P": "sets properties, which name programs and repositories",
    },
    shortened=False,
)

PROGRAMS: dict[str, Reader] = {
    **dict.fromkeys(("make", "gmake", "bmake"), TaskRunner(MAKE)),
    "ninja": TaskRunner(NINJA),
    "samu": TaskRunner(NINJA),
    "just": TaskRunner(JUST),
    "rake": TaskRunner(RAKE),
    "task": TaskRunner(TASK),
    "go-task": TaskRunner(TASK),
    **dict.fromkeys(("mvn", "mvnw", "gradle", "gradlew", "sbt", "ant"), TaskRunner(JAVA_BUILD)),
}
