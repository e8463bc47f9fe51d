"""The linter: what is allowed by the language and yet probably not meant."""
