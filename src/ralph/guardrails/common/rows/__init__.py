"""The rows of cases that a test goes through: tables, files, made-up values, repetitions (class G05)."""
