"""Proofs within a scope: every board, every request, every order, up to a bound that is said."""
