"""The commands that Python's task files, project files and tox run, and the words of each."""
