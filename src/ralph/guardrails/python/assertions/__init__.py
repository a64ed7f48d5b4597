"""What the assertions of one Python test are, and how much each of them demands."""
