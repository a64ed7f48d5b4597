"""Tests of Go that are skipped or focused, or that a usual build leaves out."""
