"""What a change of the rules changes: the edits, what comes of them, and a board that tells the two rulesets apart."""
