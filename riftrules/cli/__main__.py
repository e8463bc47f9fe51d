"""`python -m riftrules.cli` is the `riftrules` command."""

from riftrules.cli.main import main

main()
