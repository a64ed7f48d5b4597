"""Checks of what a command lists: `mypy $(git ls-files '*.py' | grep -v legacy)` (policy set v2, class G09).

`listers` are the programs that list files of the tree, `finds` among them; `filters` take some of a list away; `fed`
finds the checks that get one; `judge` compares what is looked at on both sides.
"""
