"""How fast: a decision, an empty cleanup, loading, many scenarios, growth, states and memory, beside others that do the same."""
