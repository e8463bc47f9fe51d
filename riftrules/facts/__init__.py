"""Facts, the working memory that holds them, and the values in which a run speaks. Knows no language."""
