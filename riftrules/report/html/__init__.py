"""Pages one can look at: one self-contained file each, with its stylesheet, its script and its data."""
