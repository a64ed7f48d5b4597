"""Which commands are checks: the programs by their names, and how their words are read and spelled."""
