"""riftrules: a declarative rules engine on a production system."""
