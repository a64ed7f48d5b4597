"""Comments and casts that silence a linter or a type checker, in all languages (classes G01 and G11)."""
