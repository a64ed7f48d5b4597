"""Doubles that Python tests put in the place of the product, and then ask themselves."""
