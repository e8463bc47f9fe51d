"""The authored language: templates, rules, expressions, loader, checks."""
