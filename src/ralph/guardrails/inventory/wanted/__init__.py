"""The value that an assertion wants: whether it is the same, another one, or one that demands less."""
