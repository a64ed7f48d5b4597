"""Which tests a Python file has, what ends one, and where one that seems gone is still run."""
