"""Values and limits that tests and scripts want: where they come from, who records them (G05 and G13)."""
