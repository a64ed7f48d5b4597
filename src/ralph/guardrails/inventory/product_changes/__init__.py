"""What else a change does to the product, and which losses of its tests that explains."""
