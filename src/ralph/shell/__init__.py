"""Shell lines, read strictly: what bash would run, or a reason why nobody can know."""
