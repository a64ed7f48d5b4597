"""Rules of the engine itself. They are part of every policy set, v1 too: no version of the rules can be judged on a
tree that hides something from them, or by governance files that the change itself brought (design decisions 2, 5).
"""

from __future__ import annotations

from ralph.policy.model import Rule

ENGINE_RULES = (
    Rule(
        "tree.gitlink",
        "G18",
        "block",
        "A nested repository or submodule is new or at another commit: its content is not in the tree under judgement",
        "Add the files themselves, or have a person add the submodule to the base",
    ),
    Rule(
        "tree.governance-file",
        "G17",
        "block",
        "A file that governs Ralph was changed by the change that it governs",
        "Restore the file as it is in the base; a person changes it in a commit of its own, or accepts it with "
        "`ralph init --accept`",
    ),
    Rule(
        "tree.symlink-escape",
        "G18",
        "block",
        "A symbolic link leads out of the tree under judgement, so that what it names is not judged",
        "Put the file itself into the tree, or link to a path inside it",
    ),
    Rule(
        "tree.symlink-disguise",
        "G18",
        "block",
        "A symbolic link is named like source code, but leads to something that is not judged as that code",
        "Replace the link with a file of its own, or link to a file in the tree with the same suffix",
    ),
    Rule(
        "tree.symlink-replaces-file",
        "G18",
        "review",
        "A file was replaced by a symbolic link",
        "Keep the file, or tell a person why a link is better",
    ),
    Rule(
        "tree.unwatched",
        "G18",
        "block",
        "Git is told not to look at a file that differs from the base, so that nobody sees the change",
        "Run `git update-index --no-assume-unchanged --no-skip-worktree` for the file, and show the change",
    ),
    Rule(
        "tree.ignored-source",
        "G18",
        "block",
        "A file that checks read or run is ignored by git, so that nothing judges it",
        "Remove the pattern from the .gitignore, or the file from the working copy",
    ),
    Rule(
        "scan.unreadable",
        "G18",
        "block",
        "A source file with words that matter to the rules cannot be read by them",
        "Write the file as plain UTF-8 text, and split it if it is too large",
    ),
    Rule(
        "scan.unreadable-syntax",
        "G18",
        "block",
        "An added line with a word that matters to the rules stands where the file's syntax cannot be read",
        "Correct the syntax, or write the line in a plainer way",
    ),
)
