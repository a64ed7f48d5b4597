"""What keeps a linter, a type checker or coverage from seeing Python code: comments, casts, stub files."""
