"""The command line: the only door to typer."""
