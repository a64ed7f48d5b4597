"""Known cheats, planted one by one in a throwaway copy of a repository, to show that its rules catch them."""
