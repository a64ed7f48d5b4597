"""Evidence: what was judged, how, by which rules, signed so that anyone can check it."""
