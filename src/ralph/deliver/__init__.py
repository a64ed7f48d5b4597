"""Delivers a proven change: a branch and a pull request, made of the attested tree (docs/delivery.md)."""
