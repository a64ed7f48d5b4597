"""Shells and language interpreters: code that can be read is judged, code that cannot is refused.

Rules: what `-c` of a shell is given, or a known text on its standard input, is shell code to be judged; words behind
it would be its parameters, which nobody follows. Code of another language is opaque. A file of code is named by the
use, so that a rule that names it may allow it. Spec: policy engine; design decision 23.
"""

from __future__ import annotations

from ralph.permissions.programs.answers import refused_programs, refuses
from ralph.permissions.programs.arguments import Sorted, Table, sort_words, table
from ralph.permissions.programs.model import Arg, Call, Inner, Reader, Use
from ralph.record import record, replace

OPAQUE = "gives it code that cannot be judged; put it into a file of the project"
LOADS = "loads further code first"
SHELL = table(
    flags="-c -l --login -e -u -x -v -n -f -a -b -h -k -m -p -r -t -B -C -E -H -P -T -s -i -d -g +e +u +x +v +f +m +B"
    " --norc --noprofile --posix --restricted --verbose --no-rcs --version --help --noediting --no-config --private",
    values="-o +o -O +O --rcfile --init-file --init-command --features --debug-level",
    refused={
        "-i --interactive": "starts an interactive shell, which reads its start-up files",
        "--rcfile --init-file --init-command": "runs another file first",
        "-s": "reads its code from standard input",
    },
    shortened=False,
)


def shell(call: Call) -> Use:
    """`bash -c CODE`, `bash FILE`, `bash <<EOF`."""
    words = sort_words(call.args, SHELL, leading=True)
    operands = words.operands
    if words.has("--version", "--help") and not operands:
        return Use(only_reads=not words.refused)
    if words.has("-c"):
        return _code(words)
    if not operands or operands[0].text == "-" or words.has("-s"):
        return _from_input(call, words)
    return _file(call.name, words)


def _code(words: Sorted) -> Use:
    if len(words.operands) != 1:
        return replace(words.use(), refused="the code has parameters, and nobody can say what it makes of them")
    return replace(words.use(), inner=(Inner(code=words.operands[0]),), wraps=True)


def _from_input(call: Call, words: Sorted) -> Use:
    text = call.stdin.text
    if text is None:
        return Use(refused=f"`{call.name}` takes its code from somewhere that cannot be read before it runs")
    if words.unknown or len(words.operands) > (0 if words.has("-s") else 1):
        return Use(refused="the code has parameters, and nobody can say what it makes of them")
    span = call.args[0].span if call.args else (0, 0)
    refused = None if words.has("-s") and not words.has("-i") else words.refused
    return Use(inner=(Inner(code=Arg(text, span)),), wraps=True, refused=refused)


def _file(name: str, words: Sorted) -> Use:
    file = words.operands[0]
    if file.text is None or file.starts("/dev/") or file.starts("/proc/"):
        return replace(
            words.use(), refused=f"`{name}` takes its code from somewhere that cannot be read before it runs"
        )
    return replace(words.use(), reads=(file,), subcommand=(name, file.text))


@record
class Language:
    """An interpreter: its options, and which of them only show something (`--version`)."""

    options: Table
    shows: tuple[str, ...] = ("-v", "-V", "--version", "-h", "--help")

    def __call__(self, call: Call) -> Use:
        words = sort_words(call.args, self.options, leading=True)
        if words.refused:
            return replace(words.use(), subcommand=(call.name,))
        if not words.operands:
            if words.has(*self.shows) and not words.unknown:
                return Use(subcommand=(call.name,), only_reads=True)
            return Use(subcommand=(call.name,), refused=f"`{call.name}` without a file {OPAQUE}")
        if words.operands[0].text == "-":
            return Use(subcommand=(call.name,), refused=f"`{call.name} -` {OPAQUE}")
        return _file(call.name, words)


NODE = table(
    flags="-v --version -h --help -c --check -i --interactive --test --watch --no-warnings --trace-warnings"
    " --use-strict"
    " --enable-source-maps --experimental-vm-modules --experimental-strip-types --expose-gc --harmony --trace-uncaught"
    " --throw-deprecation --no-deprecation --pending-deprecation --test-only --preserve-symlinks --experimental-modules"
    " --experimental-test-coverage --frozen-intrinsics --trace-deprecation --experimental-transform-types",
    values="-e --eval -p --print -r --require --import --loader --experimental-loader -C --conditions --run"
    " --env-file --env-file-if-exists --title --openssl-config --watch-path",
    optional="--max-old-space-size --stack-trace-limit --unhandled-rejections --test-name-pattern --test-reporter"
    " --test-concurrency --test-timeout --input-type --inspect --inspect-brk --stack-size",
    refused={
        "-e --eval -p -pe --print -i --interactive": OPAQUE,
        "-r --require --import --loader --experimental-loader": LOADS,
        "--env-file --env-file-if-exists": "sets variables that nobody read",
        "--openssl-config --inspect --inspect-brk --inspect-wait --run": LOADS,
    },
    shortened=False,
)
RUBY = table(
    flags="-v --version -h --help -w -W0 -W1 -W2 --verbose -U --jit --yjit -c",
    values="-I -e -r -C -E -x",
    refused={"-e -n -p -i -a -l -s -S -x": OPAQUE, "-r -I": LOADS, "-C -X": "works in another folder"},
)
PERL = table(
    flags="-v -V -w -W -X -T -t -c -h --version --help",
    values="-e -E -M -m -I",
    optional="-i -0 -F -x -d -D -C",
    refused={"-e -E -n -p -i -a -F -l -s -S -x -d -0": OPAQUE, "-M -m -I": LOADS},
)
PHP = table(
    flags="-v --version -h --help -i --info -m --modules -l -n -q -w -s --syntax-check",
    values="-r --run -B -R -E -F -S -d -c -f --file -t -z --define --php-ini",
    refused={
        "-r --run -B -R -E -F --process-begin --process-code --process-end --process-file -a --interactive": OPAQUE,
        "-d --define -c --php-ini -z --zend-extension": LOADS,
        "-S --server -t --docroot": "starts a server",
    },
)
OTHER = table(
    flags="-v --version -h --help -V --quiet -q --no-save --vanilla --slave -w -W",
    values="-e -E --eval --execute -l -i -L -I --load --include",
    refused={"-e -E --eval --execute -p --print -c --command -i -s": OPAQUE, "-l -L -I --load --include": LOADS},
)

PROGRAMS: dict[str, Reader] = {
    **dict.fromkeys(("sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "yash", "rbash", "fish", "csh", "tcsh"), shell),
    "node": Language(NODE),
    "nodejs": Language(NODE),
    "ruby": Language(RUBY),
    "jruby": Language(RUBY),
    "perl": Language(PERL),
    "php": Language(PHP),
    **dict.fromkeys(
        ("lua", "luajit", "Rscript", "julia", "tclsh", "ts-node", "tsx", "guile", "elixir"), Language(OTHER)
    ),
    **dict.fromkeys(
        ("scala", "groovy", "crystal", "swift", "kotlin", "racket", "sbcl", "clisp", "ocaml"), Language(OTHER)
    ),
    "osascript": refuses("controls the machine's programs"),
    **refused_programs(
        [
            ("irb pry iex ghci jshell R erl wish nu xonsh elvish ipython jupyter bpython gnuplot", OPAQUE),
            ("helix hx code subl kak atom gedit kate", "is an editor, and editors run commands"),
        ]
    ),
}


def versioned(name: str) -> Reader | None:
    """The reader of an interpreter with a version in its name (`ruby3.2`, `perl5.36.0`, `php8.1`)."""
    base = name.rstrip("0123456789.-")
    return (
        PROGRAMS.get(base) if base != name and base in {"ruby", "perl", "php", "lua", "node", "ksh", "bash"} else None
    )
