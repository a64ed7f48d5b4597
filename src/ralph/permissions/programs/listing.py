"""Programs that list files and say where they are: `ls`, `tree`, `du`, `stat`, `file`, `realpath`, `which`, ….

Spec: policy engine, pack `readonly-tools`. What shows the machine instead of the project (`df`, `lsof`, `ps`, `id`) is
no member of that pack and stands in no table.
"""

from __future__ import annotations

from ralph.permissions.programs.model import Reader
from ralph.permissions.programs.options import Options, flag, optional, reads, refuse, same, value, writes
from ralph.permissions.programs.scan import Role, Takes

HELP = flag("--help --version")
LIST_OF_NAMES = "it reads the files whose names stand in another file"

LS = Options(
    (
        HELP,
        flag("-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v"),
        flag("-x -X"),
        flag("-Z -1 --all --almost-all --author --escape --ignore-backups --directory --dired --file-type --full-time"),
        flag("--group-directories-first --no-group --human-readable --si --dereference-command-line --inode"),
        flag("--kibibytes"),
        flag("--dereference-command-line-symlink-to-dir --numeric-uid-gid --literal --hide-control-chars --recursive"),
        flag("--show-control-chars --quote-name --reverse --size --context --zero --dereference"),
        value("-I -T -w --block-size --format --hide --ignore --indicator-style --quoting-style --sort --time"),
        value("--time-style --tabsize --width"),
        optional("--color --classify --hyperlink"),
    ),
    rest=Role.READ,
    here=True,
    only_reads=True,
)
DU = Options(
    (
        HELP,
        flag("-0 -a -b -c -D -H -h -k -L -l -m -P -S -s -x --null --all --apparent-size --bytes --total --inodes --si"),
        flag("--dereference-args --human-readable --dereference --count-links --no-dereference --separate-dirs"),
        flag("--summarize --one-file-system"),
        value("-B -d -t --block-size --max-depth --threshold --time-style --exclude"),
        optional("--time"),
        reads("-X --exclude-from"),
        refuse("--files0-from", LIST_OF_NAMES, takes=Takes.VALUE, hazard=False),
    ),
    rest=Role.READ,
    here=True,
    only_reads=True,
)
TREE = Options(
    (
        HELP,
        flag("-a -d -l -f -x -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -i -A -S -n -C -X -J --du --si"),
        flag("--inodes --device"),
        flag("--noreport --nolinks --dirsfirst --filesfirst --prune --matchdirs --ignore-case --metafirst --hintro"),
        flag("--gitignore --fflinks --opt-toggle"),
        value("-L -P -I -H -T --filelimit --timefmt --charset --sort --compress"),
        reads("--gitfile --infofile"),
        writes("-o --output"),
        refuse("-R", "it writes files in the folders that it lists"),
        refuse("--fromfile --fromtabfile", LIST_OF_NAMES),
    ),
    rest=Role.READ,
    here=True,
    only_reads=True,
)
STAT = Options(
    (
        HELP,
        flag("-L -f -t -x -n -q -s -r -l --dereference --file-system --terse"),
        value("-c --cached --format --printf"),
    ),
    rest=Role.READ,
    only_reads=True,
)
FILE = Options(
    (
        flag("--help -v --version -b --brief -c --checking-printout -i --mime -I --apple --extension --mime-type"),
        flag("--mime-encoding -k --keep-going -l --list -L --dereference -h --no-dereference -n --no-buffer -N"),
        flag("--no-pad"),
        flag("-0 --print0 -r --raw -d --debug"),
        value("-e --exclude --exclude-quiet -F --separator -P --parameter"),
        refuse("-m --magic-file", "it reads rules from a file of its own", takes=Takes.VALUE),
        refuse("-f --files-from", LIST_OF_NAMES, takes=Takes.VALUE),
        refuse("-C --compile", "it writes a compiled rule file"),
        refuse("-z --uncompress -Z --uncompress-noreport", "it starts programs that unpack"),
        refuse("-s --special-files", "it reads devices"),
        refuse("-S --no-sandbox", "it switches off a protection"),
        refuse("-p --preserve-date", "it changes the times of files"),
    ),
    rest=Role.READ,
    only_reads=True,
)
READLINK = Options(
    (
        HELP,
        flag("-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline"),
        flag("--quiet"),
        flag("--silent --verbose --zero"),
    ),
    rest=Role.READ,
    only_reads=True,
)
REALPATH = Options(
    (
        HELP,
        flag("-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --physical --quiet"),
        flag("--strip"),
        flag("--no-symlinks --zero"),
        reads("--relative-to --relative-base"),
    ),
    rest=Role.READ,
    only_reads=True,
)
BASENAME = Options((HELP, flag("-a -z --multiple --zero"), value("-s --suffix")), rest=Role.TEXT, only_reads=True)
DIRNAME = Options((HELP, flag("-z --zero")), rest=Role.TEXT, only_reads=True)
WHICH = Options((flag("-a -s --all"),), rest=Role.TEXT, only_reads=True)
TYPE = Options((flag("-a -f -p -P -t"),), rest=Role.TEXT, only_reads=True)
PWD = Options((flag("-L -P --logical --physical"),), only_reads=True)

PROGRAMS: dict[str, Reader] = dict(
    (
        *same(LS, "ls dir vdir"),
        ("du", DU),
        ("tree", TREE),
        ("stat", STAT),
        ("file", FILE),
        ("readlink", READLINK),
        ("realpath", REALPATH),
        ("basename", BASENAME),
        ("dirname", DIRNAME),
        ("which", WHICH),
        ("type", TYPE),
        ("pwd", PWD),
    )
)
