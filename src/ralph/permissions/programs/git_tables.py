"""The options of git's reading subcommands: what is here is harmless, names a file, or is refused with a reason.

Taken from git's own manual pages. An option that is missing here leaves the use unknown, so nothing new is trusted.
"""

from __future__ import annotations

from collections.abc import Mapping

from ralph.permissions.programs.arguments import Table, table

DRIVER = "runs a program that git's settings name"
SIGNATURE = "runs the program that checks signatures"

DIFF = table(
    flags="-h -p -u --patch -s --no-patch -m -c --cc --combined-all-paths -t --raw --patch-with-raw --patch-with-stat"
    " --indent-heuristic --minimal --patience --histogram --compact-summary --numstat --shortstat"
    " --cumulative --summary"
    " -z --name-only --name-status --no-renames --rename-empty --check --full-index --binary --find-copies-harder"
    " --irreversible-delete -D --pickaxe-all --pickaxe-regex -R -a --text --ignore-cr-at-eol --ignore-space-at-eol"
    " -b --ignore-space-change -w --ignore-all-space --ignore-blank-lines -W --function-context --exit-code -q --quiet"
    " --no-ext-diff --no-textconv --no-prefix --default-prefix --ita-invisible-in-index --ita-visible-in-index"
    " --cached --staged --merge-base --base --ours --theirs -0 -1 -2 -3 --no-index --dd --remerge-diff"
    " --end-of-options",
    values="-U --unified --diff-algorithm --anchored --word-diff-regex --ws-error-highlight --diff-filter -S -G"
    " --find-object -l --inter-hunk-context --src-prefix --dst-prefix --line-prefix -I"
    " --ignore-matching-lines --skip-to"
    " --rotate-to --stat-width --stat-name-width --stat-count --stat-graph-width --color-moved-ws --max-depth"
    " --output-indicator-new --output-indicator-old --output-indicator-context --output",
    optional="-M --find-renames -C --find-copies -B --break-rewrites --stat -X --dirstat --dirstat-by-file --color"
    " --color-moved --color-words --word-diff --submodule --ignore-submodules --relative --abbrev --diff-merges",
    reads="-O",
    refused={"--ext-diff --textconv": DRIVER, "--output": "writes a file; redirect the output instead"},
    negatable=True,
)

LOG = DIFF.and_also(
    table(
        flags="--oneline --follow --source --use-mailmap --mailmap --full-diff --log-size --all --reverse"
        " --graph --merges"
        " --first-parent --not --date-order --topo-order --author-date-order --abbrev-commit -g"
        " --walk-reflogs --boundary"
        " --left-right --left-only --right-only --cherry --cherry-mark --cherry-pick --simplify-by-decoration"
        " --simplify-merges --full-history --dense --sparse --show-pulls --relative-date --parents --children --do-walk"
        " --reflog --alternate-refs --single-worktree --ignore-missing --bisect --all-match --invert-grep -i"
        " --regexp-ignore-case --basic-regexp -E --extended-regexp -F --fixed-strings -P --perl-regexp --remove-empty"
        " --standard-notes --clear-decorations --no-max-parents --no-min-parents --no-show-signature"
        " --exclude-first-parent-only",
        values="-n --max-count --skip --since --after --until --before --since-as-filter --author --committer --grep"
        " --grep-reflog --min-parents --max-parents --glob --exclude --exclude-hidden --decorate-refs"
        " --decorate-refs-exclude -L --date --format --encoding",
        optional="--pretty --ancestry-path --no-walk --notes --show-notes --expand-tabs --show-linear-break --branches"
        " --tags --remotes --decorate",
        refused={"--show-signature": SIGNATURE},
        negatable=True,
        numbers=True,
    ),
)

STATUS = table(
    flags="-h -s --short -b --branch --show-stash --long -v --verbose -z --ahead-behind --renames",
    optional="--porcelain -u --untracked-files --ignored --column --ignore-submodules --find-renames -M",
    negatable=True,
)
LS_FILES = table(
    flags="-h -z -t -v -f -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage --directory --eol"
    " --empty-directory -u --unmerged -k --killed --resolve-undo --exclude-standard --full-name --recurse-submodules"
    " --error-unmatch --deduplicate --debug --sparse",
    values="-x --exclude --with-tree --format --exclude-per-directory",
    optional="--abbrev",
    reads="-X --exclude-from",
    negatable=True,
)
BLAME = table(
    flags="-h -b --root --show-stats -p --porcelain --line-porcelain --incremental -c -t -l -s -e --show-email -w"
    " --show-name -f --show-number -n --score-debug --first-parent --progress --minimal --color-lines --color-by-age"
    " --reverse -k",
    values="-L --since --date --encoding --ignore-rev --diff-algorithm",
    optional="-M -C --abbrev",
    reads="--contents --ignore-revs-file -S",
    negatable=True,
)
GREP = table(
    flags="-h -H -v --invert-match -i --ignore-case -w --word-regexp -a --text -I -r --recursive -l"
    " --files-with-matches"
    " --name-only -L --files-without-match -z --null -o --only-matching -c --count --heading --break -n --line-number"
    " --column -p --show-function -W --function-context -q --quiet --all-match --and --or --not --cached --untracked"
    " --index --exclude-standard --recurse-submodules -E --extended-regexp -G --basic-regexp -F --fixed-strings -P"
    " --perl-regexp --full-name --no-textconv ( )",
    values="-e -A -B -C --after-context --before-context --context -m --max-count --max-depth --threads",
    optional="--color",
    reads="-f",
    refused={"--textconv": DRIVER, "-O --open-files-in-pager --ext-grep": "runs the pager or another program"},
    negatable=True,
    numbers=True,
)
REFS = table(
    flags="-h --ignore-case --include-root-refs --omit-empty -s --shell -p --perl --python --tcl",
    values="--count --sort --format --points-at --exclude --start-after",
    optional="--color --merged --no-merged --contains --no-contains",
)

READING: Mapping[str, Table] = {
    "status": STATUS,
    "log": LOG,
    "whatchanged": LOG,
    "show": LOG,
    "diff": DIFF,
    "diff-tree": LOG.and_also(table(flags="-r -t --root --no-commit-id -v --pretty -s --always")),
    "diff-index": DIFF.and_also(table(flags="-m --cached")),
    "diff-files": DIFF,
    "range-diff": LOG.and_also(table(flags="--no-dual-color --left-only --right-only", values="--creation-factor")),
    "ls-files": LS_FILES,
    "blame": BLAME,
    "annotate": BLAME,
    "grep": GREP,
    "shortlog": LOG.and_also(table(flags="-n --numbered -s --summary -e --email -c", optional="-w", values="--group")),
    "rev-list": LOG.and_also(
        table(
            flags="--count --objects --objects-edge --unpacked --header --timestamp --bisect-vars"
            " --bisect-all --use-bitmap-index"
            " --object-names --in-commit-order --quiet --indexed-objects --commit-header",
            values="--filter --missing",
            optional="--disk-usage",
            negatable=True,
        ),
    ),
    "rev-parse": table(
        flags="-h --show-toplevel --git-dir --verify -q --quiet --is-inside-work-tree --is-inside-git-dir"
        " --is-bare-repository --is-shallow-repository --show-prefix --show-cdup --absolute-git-dir --git-common-dir"
        " --show-superproject-working-tree --all --symbolic --symbolic-full-name --not --sq --sq-quote --revs-only"
        " --no-revs --flags --no-flags --local-env-vars --shared-index-path --show-ref-format --end-of-options",
        values="--git-path --default --prefix --glob --exclude --since --after --until --before --disambiguate"
        " --path-format --exclude-hidden",
        optional="--abbrev-ref --short --branches --tags --remotes --show-object-format",
        shortened=False,
    ),
    "cat-file": table(
        flags="-t -e -p -s -h --mailmap --use-mailmap --allow-unknown-type",
        values="--path",
        refused={"--textconv --filters": DRIVER},
    ),
    "ls-tree": table(
        flags="-h -d -r -t -l --long -z --name-only --name-status --object-only --full-name --full-tree",
        values="--format",
        optional="--abbrev",
    ),
    "name-rev": table(
        flags="-h --tags --all --name-only --undefined --always --no-undefined", values="--refs --exclude"
    ),
    "merge-base": table(flags="-h -a --all --octopus --independent --is-ancestor --fork-point"),
    "describe": table(
        flags="-h --all --tags --contains --long --always --exact-match --debug --first-parent",
        values="--candidates --match --exclude",
        optional="--abbrev --dirty --broken",
        negatable=True,
    ),
    "for-each-ref": REFS,
    "show-ref": table(
        flags="-h --head -d --dereference --tags --heads --branches --verify --exists -q --quiet",
        optional="-s --hash --abbrev --exclude-existing",
    ),
    "show-branch": table(
        flags="-h -a --all -r --remotes --current --topo-order --date-order --sparse --more --list --merge-base"
        " --independent --no-name --sha1-name --topics",
        optional="-g --reflog --color --no-color --more",
    ),
    "cherry": table(flags="-h -v", optional="--abbrev"),
    "count-objects": table(flags="-h -v --verbose -H --human-readable"),
    "check-ignore": table(flags="-h -q --quiet -v --verbose -z -n --non-matching --no-index --stdin"),
    "check-attr": table(flags="-h -a --all --cached -z", values="--source"),
    "check-ref-format": table(flags="-h --branch --normalize --allow-onelevel --no-allow-onelevel --refspec-pattern"),
    "check-mailmap": table(flags="-h"),
    "version": table(flags="-h --build-options"),
    "verify-pack": table(flags="-h -v --verbose -s --stat-only"),
}
"""Subcommands that only read, whatever their operands are."""
