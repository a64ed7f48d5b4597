"""Programs that print, count, sort and cut text: `cat`, `head`, `wc`, `sort`, `cut`, `tr`, ….

Spec: policy engine, pack `readonly-tools`. They read their operands; the few options that write, run a program, read a
list of names or never end are refused or have a role.
"""

from __future__ import annotations

from ralph.permissions.programs.listing import HELP, LIST_OF_NAMES
from ralph.permissions.programs.model import Reader
from ralph.permissions.programs.options import DIGITS, Options, flag, optional, reads, refuse, value, writes
from ralph.permissions.programs.scan import Option, Role, Takes

NEVER_ENDS = "it waits for more and never ends"
NAMES = refuse("--files0-from", LIST_OF_NAMES, takes=Takes.VALUE, hazard=False)
ZERO = flag("-z --zero-terminated")


def _filter(*entries: Option, operands: Role | None = Role.READ) -> Options:
    """A program that reads its operands and prints."""
    return Options((HELP, *entries), rest=operands, only_reads=True)


SORT = _filter(
    flag("-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks --dictionary-order --ignore-case"),
    flag("--general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort"),
    flag("--reverse --version-sort --debug --merge --stable --unique --zero-terminated"),
    value("-k -S -t --sort --batch-size --key --buffer-size --field-separator --parallel"),
    optional("--check"),
    reads("--random-source"),
    writes("-o --output -T --temporary-directory"),
    refuse("--compress-program", "it runs a program of its own choice", takes=Takes.VALUE),
    NAMES,
)
UNIQ = Options(
    (
        HELP,
        ZERO,
        flag(f"{DIGITS} -c -d -D -i -u --count --repeated --ignore-case --unique"),
        value("-f -s -w --skip-fields --skip-chars --check-chars"),
        optional("--all-repeated --group"),
    ),
    operands=(Role.READ, Role.WRITE),
    only_reads=True,
)
SHUF = Options(
    (
        HELP,
        ZERO,
        flag("-e --echo"),
        refuse("-r --repeat", NEVER_ENDS, hazard=False),
        value("-i -n --input-range --head-count"),
        reads("--random-source"),
        writes("-o --output"),
    ),
    rest=Role.READ,
    only_reads=True,
)
PROGRAMS: dict[str, Reader] = {
    "cat": _filter(
        flag("-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank"),
        flag("--show-tabs --show-nonprinting"),
    ),
    "head": _filter(
        ZERO, flag(f"{DIGITS} -q -v --quiet --silent --verbose"), value("-c -n --bytes --lines"), flag("-b -k -m -l")
    ),
    "tail": _filter(
        ZERO,
        flag(f"{DIGITS} -q -r -v --quiet --silent --verbose --debug"),
        value("-b -c -n -s --bytes --lines --max-unchanged-stats --pid --sleep-interval"),
        refuse("-f -F --follow --retry", NEVER_ENDS, takes=Takes.ATTACHED, hazard=False),
    ),
    "wc": _filter(
        flag("-c -m -l -L -w --bytes --chars --lines --max-line-length --words"),
        value("--total"),
        flag("--debug"),
        NAMES,
    ),
    "sort": SORT,
    "uniq": UNIQ,
    "shuf": SHUF,
    "cut": _filter(
        ZERO,
        flag("-n -s -w --complement --only-delimited"),
        value("-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter"),
    ),
    "tr": _filter(
        flag("-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1"), operands=Role.TEXT
    ),
    "tac": _filter(flag("-b -r --before --regex"), value("-s --separator")),
    "rev": _filter(flag("-h -V -0 --zero")),
    "nl": _filter(
        flag("-p --no-renumber"),
        value("-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering"),
        value("--header-numbering --line-increment --join-blank-lines --number-format --number-separator"),
        value("--starting-line-number --number-width"),
    ),
    "paste": _filter(ZERO, flag("-s --serial"), value("-d --delimiters")),
    "fold": _filter(flag("-b -s --bytes --spaces --characters -c"), value("-w --width")),
    "fmt": _filter(
        flag(f"{DIGITS} -c -s -t -u --crown-margin --split-only --tagged-paragraph --uniform-spacing"),
        value("-p -w -g --prefix --width --goal"),
    ),
    "expand": _filter(flag(f"{DIGITS} -i --initial"), value("-t --tabs")),
    "unexpand": _filter(flag(f"{DIGITS} -a --all --first-only"), value("-t --tabs")),
    "pr": _filter(
        flag(f"{DIGITS} -a -c -d -F -f -J -m -r -t -T -v --across --show-control-chars --double-space --form-feed"),
        flag("--join-lines --merge --no-file-warnings --omit-header --omit-pagination --show-nonprinting"),
        value("-D -h -l -N -o -w -W --columns --date-format --header --length --first-line-number --indent"),
        value("--page-width"),
        optional("-e -i -n -s -S --expand-tabs --output-tabs --number-lines --separator --sep-string"),
    ),
    "numfmt": _filter(
        ZERO,
        flag("--debug --grouping"),
        value("-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit"),
        optional("--header"),
        operands=Role.TEXT,
    ),
    "tsort": _filter(),
    "column": _filter(
        flag("-d -e -J -L -r -t -x --table --json --fillrows --keep-empty-lines --table-noheadings"),
        flag("--table-header-repeat --table-noextreme-all --table-colwise"),
        value("-c -C -E -H -i -l -m -n -N -o -O -p -R -s -T -W --output-width --separator --output-separator"),
        value("--table-columns --table-right --table-hide --table-order --table-name --table-truncate --table-wrap"),
        value("--table-columns-limit --table-noextreme --table-maxout --tree --tree-id --tree-parent --table-column"),
    ),
}
