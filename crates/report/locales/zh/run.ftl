# Runs: errors, refusals, notes.
