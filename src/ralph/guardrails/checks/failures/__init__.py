"""What makes a failed check count for nothing: in shell texts, by variables, by what other files say of it."""
