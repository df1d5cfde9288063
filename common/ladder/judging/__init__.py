"""Shared by ./ladder climb and ./ladder check: files in practice/, figures of runs, conditions."""
