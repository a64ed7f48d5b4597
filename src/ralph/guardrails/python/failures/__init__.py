"""Whether an assertion or a program that fails makes its Python test, or its script, fail."""
