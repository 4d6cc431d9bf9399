"""Hands that win for certain: the search, its proofs and their check, and lists of such hands."""
