"""Reports: renders problems, verdicts, traces and boards."""
