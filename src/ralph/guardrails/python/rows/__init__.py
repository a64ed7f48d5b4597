"""The rows of cases that a Python test goes through: tables, loops, files and made-up values."""
