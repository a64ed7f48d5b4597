"""`python -m ralph`."""

from ralph.cli.main import main

main()
