"""What can be asked of rules and runs: why, what if, what is covered, what differs, what is proved."""
