"""Splits a bill among people, in whole cents."""

from fairshare.split import split

__all__ = ["split"]
