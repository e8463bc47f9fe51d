"""What a set of scenarios has to do with the rules: which fire and are withheld, and what decides that."""
