"""Programs that search text in files: the `grep` family and `rg`. Spec: policy engine, pack `readonly-tools`.

The first operand is a pattern, unless an option gave one. `rg` has options that run programs.
"""

from __future__ import annotations

from ralph.permissions.programs.model import Call, Reader, Use
from ralph.permissions.programs.options import DIGITS, Options, flag, optional, reads, refuse, same, value
from ralph.permissions.programs.scan import Role, Takes
from ralph.record import replace

GREP = Options(
    (
        flag(f"{DIGITS} -E -F -G -P -i -y -w -x -z -s -v -V -b -n -H -h -o -q -a -I -r -R -L -l -c -T -Z -U -u --help"),
        flag("--version --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --null-data"),
        flag("--no-ignore-case --word-regexp --line-regexp --no-messages --invert-match --byte-offset --line-number"),
        flag("--line-buffered --with-filename --no-filename --only-matching --quiet --silent --text --recursive"),
        flag("--dereference-recursive --files-without-match --files-with-matches --count --initial-tab --null"),
        flag("--no-group-separator --binary --unix-byte-offsets"),
        value("-m -d -D -A -B -C --max-count --label --binary-files --directories --devices --include --exclude"),
        value("--exclude-dir --before-context --after-context --context --group-separator"),
        optional("--color --colour"),
        value("-e --regexp", instead=True),
        reads("-f --file", instead=True),
        reads("--exclude-from"),
    ),
    operands=(Role.TEXT,),
    rest=Role.READ,
    only_reads=True,
)
GREP_HERE = replace(GREP, here=True)
RG = Options(
    (
        flag("-h -V -i -S -s -w -x -v -F -P -U -o -c -l -n -N -H -I -L -a -u -p -q -0 -b --help --version"),
        flag("--ignore-case"),
        flag("--smart-case --case-sensitive --word-regexp --line-regexp --invert-match --fixed-strings --pcre2"),
        flag("--multiline --multiline-dotall --only-matching --count --count-matches --files-with-matches --files"),
        flag("--files-without-match --line-number --no-line-number --with-filename --no-filename --follow --text"),
        flag("--unrestricted --pretty --quiet --null --null-data --byte-offset --hidden -. --no-hidden --no-ignore"),
        flag("--no-ignore-vcs --no-ignore-dot --no-ignore-global --no-ignore-parent --no-ignore-exclude --heading"),
        flag("--no-ignore-files --no-ignore-messages --no-messages --no-heading --column --no-column --trim --json"),
        flag("--stats --no-stats --vimgrep --type-list --passthru --passthrough --crlf --binary --no-unicode"),
        flag("--no-pcre2"),
        flag("--one-file-system --no-config --max-columns-preview --line-buffered --block-buffered"),
        flag("--glob-case-insensitive"),
        flag("--no-require-git --auto-hybrid-regex --no-follow --no-mmap --mmap --include-zero --debug --trace"),
        flag("--ignore-file-case-insensitive --no-search-zip --no-pre --no-fixed-strings --no-invert-match"),
        flag("--stop-on-nonmatch"),
        value("-A -B -C -E -g -j -m -M -r -t -T -d --after-context --before-context --context --encoding --glob"),
        value("--iglob"),
        value("--threads --max-count --max-columns --replace --type --type-not --type-add --type-clear --max-depth"),
        value("--maxdepth --max-filesize --sort --sortr --color --colors --context-separator"),
        value("--field-context-separator"),
        value("--field-match-separator --path-separator --regex-size-limit --dfa-size-limit --engine --generate"),
        value("--hyperlink-format"),
        value("-e --regexp", instead=True),
        reads("-f --file", instead=True),
        reads("--ignore-file"),
        refuse("--pre", "it runs a program on every file", takes=Takes.VALUE),
        value("--pre-glob"),
        refuse("--hostname-bin", "it runs a program", takes=Takes.VALUE),
        refuse("-z --search-zip", "it starts programs that unpack"),
    ),
    operands=(Role.TEXT,),
    rest=Role.READ,
    here=True,
    abbreviates=False,
    only_reads=True,
)

RECURSIVE = ("-r", "-R", "--recursive", "--dereference-recursive")


def grep(call: Call) -> Use:
    """With `-r` and no file it reads the current folder."""
    scanned = GREP.scan(call.args)
    table = GREP_HERE if scanned.has(*RECURSIVE) else GREP
    return table.use(scanned)


PROGRAMS: dict[str, Reader] = dict((*same(grep, "grep egrep fgrep"), ("rg", RG)))
