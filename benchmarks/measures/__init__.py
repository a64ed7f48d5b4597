"""The measures, one file per subject."""
