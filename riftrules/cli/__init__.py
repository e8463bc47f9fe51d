"""The command line: parses arguments, calls one use case, prints one report, returns one exit code."""
