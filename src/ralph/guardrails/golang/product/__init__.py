"""Go: what the product does where it is tested, and what stands in for its work."""
