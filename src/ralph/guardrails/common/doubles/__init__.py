"""Doubles that tests put in the place of the product, and then ask themselves (class G06)."""
