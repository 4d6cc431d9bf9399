"""Faces: formatting only; every answer comes from the library."""
