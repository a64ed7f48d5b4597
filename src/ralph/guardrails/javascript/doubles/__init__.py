"""Doubles that JavaScript tests put in the place of the product, and then ask themselves."""
