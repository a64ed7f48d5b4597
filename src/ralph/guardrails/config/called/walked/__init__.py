"""A shell script followed with the words and variables of one call: what it runs then, as one line of shell."""
