"""The commands of a tree compared: what they choose, the floors that they give, and what takes their place."""
