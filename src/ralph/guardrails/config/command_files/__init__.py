"""Where commands and the variables around them are written: shells, pipelines, images, hooks and tables."""
