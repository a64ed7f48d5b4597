"""Programs that compare two files: `diff`, `cmp`, `comm`, `join`. Spec: policy engine, pack `readonly-tools`."""

from __future__ import annotations

from ralph.permissions.programs.listing import HELP
from ralph.permissions.programs.model import Reader
from ralph.permissions.programs.options import DIGITS, Options, flag, optional, reads, refuse, value
from ralph.permissions.programs.scan import Role

DIFF = Options(
    (
        HELP,
        flag(
            f"{DIGITS} -q -s -c -u -e -n -y -p -t -T -r -N -P -i -E -Z -b -w -B -a -d -v -H --normal --brief --ed --rcs"
        ),
        flag("--report-identical-files --side-by-side --left-column --suppress-common-lines --show-c-function"),
        flag("--expand-tabs --initial-tab --suppress-blank-empty --recursive --no-dereference --new-file --text"),
        flag("--unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --ignore-case --minimal"),
        flag("--ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space"),
        flag("--ignore-blank-lines --strip-trailing-cr --speed-large-files"),
        value("-C -U -W -F -x -I -D -S -L --width --show-function-line --label --tabsize --exclude --starting-file"),
        value("--ignore-matching-lines --ifdef --line-format --old-line-format --new-line-format --horizon-lines"),
        value("--unchanged-line-format --old-group-format --new-group-format --unchanged-group-format --palette"),
        value("--changed-group-format"),
        optional("--context --unified --color"),
        reads("-X --exclude-from --from-file --to-file"),
        refuse("-l --paginate", "it starts another program", hazard=False),
    ),
    rest=Role.READ,
    only_reads=True,
)
PROGRAMS: dict[str, Reader] = {
    "diff": DIFF,
    "cmp": Options(
        (
            HELP,
            flag("-b -l -s -v -x -z -h --print-bytes --verbose --quiet --silent"),
            value("-i -n --ignore-initial --bytes"),
        ),
        operands=(Role.READ, Role.READ, Role.TEXT, Role.TEXT),
        only_reads=True,
    ),
    "comm": Options(
        (
            HELP,
            flag("-1 -2 -3 -i -z --check-order --nocheck-order --total --zero-terminated"),
            value("--output-delimiter"),
        ),
        rest=Role.READ,
        only_reads=True,
    ),
    "join": Options(
        (
            HELP,
            flag("-i -z --ignore-case --check-order --nocheck-order --header --zero-terminated"),
            value("-a -e -j -o -t -v -1 -2"),
        ),
        rest=Role.READ,
        only_reads=True,
    ),
}
