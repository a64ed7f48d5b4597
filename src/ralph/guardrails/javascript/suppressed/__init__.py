"""What keeps a linter, a type checker or coverage from telling what it would find in JavaScript code."""
