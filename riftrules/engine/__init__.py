"""The engine: compiler, network, conditions, agenda, cycle, and the reference it is tested against."""
