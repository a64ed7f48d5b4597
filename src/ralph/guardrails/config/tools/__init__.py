"""The tools whose configuration is compared, one module for each or for those that are alike (see `all_tools`)."""
