"""What Python code imports, tries to import or starts, and so what its tests can depend on."""
