"""Programs that only start another one: what they start is judged, and they themselves are transparent.

Rules: the options in front of the command are known, with their arity; else the use is unknown. Whatever gives other
rights, another root, another machine, a tracer or a later time is refused, and so is what takes its words as shell
code in a way of its own. Spec: policy engine; research A.4 step 2.
"""

from __future__ import annotations

import re

from ralph.permissions.programs.answers import refused_programs
from ralph.permissions.programs.arguments import Table, sort_words, table
from ralph.permissions.programs.model import Arg, Call, Inner, Reader, Use
from ralph.record import record, replace

HELP = "--help --version"
ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
PLAIN_SPLIT = re.compile(r"[A-Za-z0-9 _./=:,@%+^-]*\Z")
"""Text that `env -S` splits at blanks and changes in no other way."""


@record
class Wrapper:
    """`options` stand in front, then `skipped` operands of the wrapper's own, then the command."""

    options: Table
    skipped: int = 0

    def __call__(self, call: Call) -> Use:
        words = sort_words(call.args, self.options, leading=True)
        own, command = words.operands[: self.skipped], words.operands[self.skipped :]
        if any(arg.text is None and arg.before[:1] in ("", "-") for arg in own):
            return replace(words.use(), refused="it is not known where the command that it starts begins")
        if not command:
            return replace(words.use(), unknown=words.unknown or "it is given no command to start")
        return replace(words.use(), inner=(Inner(args=_after_dashes(command)),), wraps=True)


def _after_dashes(command: tuple[Arg, ...]) -> tuple[Arg, ...]:
    return command[1:] if command[0].text == "--" and len(command) > 1 else command


ENV = table(
    flags="-i - --ignore-environment -0 --null -v --debug --list-signal-handling --help --version",
    values="-u --unset -S --split-string -P",
    optional="--block-signal --default-signal --ignore-signal",
    directories="-C --chdir",
    refused={
        "-P": "looks for programs elsewhere",
        "--block-signal --default-signal --ignore-signal": "changes signals",
    },
)


def env(call: Call) -> Use:
    """`env`: assignments and a folder for what it starts; without a command it shows the environment."""
    words = sort_words(call.args, ENV, leading=True)
    operands = words.operands
    if operands[:1] and operands[0].text == "-":
        operands = operands[1:]
    if split := words.values("-S", "--split-string"):
        return _split(call, split[-1], operands)
    return _environment(replace(words.use(), directories=()), words.directories, operands)


def _environment(use: Use, folders: tuple[Arg, ...], operands: tuple[Arg, ...]) -> Use:
    count = next((place for place, arg in enumerate(operands) if not _assigns(arg)), len(operands))
    assignments = tuple(_assignment(arg) for arg in operands[:count])
    command = operands[count:]
    if not command:
        return replace(use, subcommand=("env",), directories=folders)
    folder = folders[-1] if folders else None
    inner = Inner(args=command, assignments=assignments, directory=folder)
    return replace(use, inner=(inner,), wraps=True, directories=folders)


def _assigns(arg: Arg) -> bool:
    return ASSIGNMENT.match(arg.before if arg.text is None else arg.text) is not None


def _assignment(arg: Arg) -> tuple[str, Arg]:
    name = (arg.before if arg.text is None else arg.text).partition("=")[0]
    return name, arg.behind(len(name) + 1)


def _split(call: Call, text: Arg, operands: tuple[Arg, ...]) -> Use:
    """`env -S 'A=b program words' more`: words like any others, if nothing in them is quoted or expanded."""
    if text.text is None or not PLAIN_SPLIT.match(text.text):
        return Use(refused="the text that `env -S` splits cannot be read for certain")
    words = tuple(Arg(word, text.span) for word in text.text.split())
    return env(replace(call, args=(*words, *operands)))


def cross_env(call: Call) -> Use:
    """`cross-env A=b program`."""
    return _environment(Use(), (), call.args)


def script(call: Call) -> Use:
    """`script -c CODE FILE` runs code and writes what it prints; without `-c` it starts a shell."""
    options = table(
        flags=f"-a -e -f -q -r --append --return --flush --quiet -E {HELP}", values="-c --command -O --log-out"
    )
    words = sort_words(call.args, options)
    code = words.values("-c", "--command")
    if not code:
        return Use(refused="`script` starts a shell")
    written = (*words.operands, *words.values("-O", "--log-out"))
    return replace(words.use(), writes=written, inner=tuple(Inner(code=each) for each in code), wraps=True)


def flock(call: Call) -> Use:
    """`flock FILE COMMAND…` and `flock FILE -c CODE`: the file is made if it is not there."""
    options = table(
        flags="-e -x -s -u -n -o -F -v --shared --exclusive --unlock --nonblock --nb --close --no-fork"
        f" --verbose {HELP}",
        values="-w --wait --timeout -E --conflict-exit-code",
    )
    words = sort_words(call.args, options, leading=True)
    if not words.operands:
        return replace(words.use(), unknown="it is given no file")
    file, command = words.operands[0], words.operands[1:]
    if command and command[0].text in {"-c", "--command"} and len(command) == 2:
        return replace(words.use(), writes=(file,), inner=(Inner(code=command[1]),), wraps=True)
    if not command or command[0].may_be_option():
        return replace(words.use(), unknown="it is not known what it starts")
    return replace(words.use(), writes=(file,), inner=(Inner(args=command),), wraps=True)


def busybox(call: Call) -> Use:
    """`busybox PROGRAM…` is that program."""
    if not call.args or call.args[0].may_be_option():
        return Use(subcommand=(call.name,), unknown="it is not known which of its programs runs")
    return Use(inner=(Inner(args=call.args),), wraps=True)


RIGHTS = "runs a command with other rights"
ISOLATION = "runs a command in another root, namespace or sandbox than the one that was judged"
TRACING = "controls another program from outside"
LATER = "runs a command later, when nobody judges it"
ITS_OWN_WAY = "runs its words in a way of its own that cannot be judged"
VARIABLES = "sets variables that nobody read"
MORE_NICE = table(flags=HELP, values="-n --adjustment", numbers=True)

PROGRAMS: dict[str, Reader] = {
    "env": env,
    "genv": env,
    "cross-env": cross_env,
    "cross-env-shell": cross_env,
    "nice": Wrapper(MORE_NICE),
    "nohup": Wrapper(table(flags=HELP)),
    "timeout": Wrapper(
        table(flags=f"--preserve-status --foreground -f -p -v --verbose {HELP}", values="-s --signal -k --kill-after"),
        1,
    ),
    "stdbuf": Wrapper(table(flags=HELP, values="-i --input -o --output -e --error")),
    "setsid": Wrapper(table(flags=f"-c --ctty -f --fork -w --wait -V -h {HELP}")),
    "ionice": Wrapper(
        table(
            flags=f"-t --ignore -h -V {HELP}",
            values="-c --class -n --classdata -p --pid -P --pgid -u --uid",
            refused={"-p --pid -P --pgid -u --uid": "changes other processes"},
        )
    ),
    "chrt": Wrapper(
        table(
            flags=f"-b --batch -f --fifo -i --idle -o --other -r --rr -d --deadline -a -R -v -h -V {HELP}",
            values="-T -P -D",
            refused={"-p --pid -a --all-tasks": "changes other processes"},
        ),
        1,
    ),
    "taskset": Wrapper(
        table(flags=f"-c --cpu-list -h -V {HELP}", refused={"-p --pid -a --all-tasks": "changes other processes"}), 1
    ),
    "time": Wrapper(
        table(
            flags=f"-p -v --portability --verbose -q --quiet {HELP}",
            values="-f --format -o --output",
            refused={"-o --output -a --append": "writes a file"},
        )
    ),
    "caffeinate": Wrapper(table(flags="-d -i -m -s -u", values="-t", refused={"-w": "waits for another process"})),
    "xvfb-run": Wrapper(table(flags="-a --auto-servernum -h --help", values="-n --server-num -w --wait")),
    "unbuffer": Wrapper(table(flags="-p")),
    "chronic": Wrapper(table(flags="-v -e")),
    "eatmydata": Wrapper(table()),
    "catchsegv": Wrapper(table()),
    "busybox": busybox,
    "toybox": busybox,
    "script": script,
    "flock": flock,
    **refused_programs(
        [
            ("sudo sudoedit doas su pkexec runuser gosu su-exec setpriv runas calife dzdo please run0 capsh", RIGHTS),
            (
                "unshare nsenter chroot bwrap firejail proot fakeroot fakechroot runcon setarch linux32 linux64",
                ISOLATION,
            ),
            ("schroot lxc lxc-exec lxc-attach flatpak-spawn distrobox toolbox prlimit", ISOLATION),
            ("i386 x86_64 arch-chroot minijail0 nsjail sandbox-exec landrun", ISOLATION),
            ("strace ltrace gdb lldb rr gcore valgrind ptrace uftrace frida rust-gdb cgdb", TRACING),
            (
                "at batch atq atrm crontab systemd-run anacron start-stop-daemon daemonize daemon fcron cron crond",
                LATER,
            ),
            (
                "parallel sem watch entr nodemon watchexec viddy hyperfine concurrently run-parts npm-run-all run-s",
                ITS_OWN_WAY,
            ),
            ("run-p expect unbuffer-expect rlwrap xdotool xterm gnome-terminal konsole dbus-run-session", ITS_OWN_WAY),
            ("open xdg-open start wsl wsl.exe cmd cmd.exe powershell powershell.exe pwsh dbus-send gdbus", ITS_OWN_WAY),
            ("direnv dotenv dotenvx dotenv-cli env-cmd envdir op doppler infisical chamber aws-vault", VARIABLES),
            ("ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3", ITS_OWN_WAY),
            ("ld-musl-x86_64.so.1 ld-musl-aarch64.so.1", ITS_OWN_WAY),
        ]
    ),
}
