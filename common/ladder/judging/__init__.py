"""What ./ladder climb and ./ladder check share: files in practice/, figures of runs, conditions."""
