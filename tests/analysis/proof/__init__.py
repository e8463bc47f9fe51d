"""Tests of proofs within a scope."""
