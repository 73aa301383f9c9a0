# The store: errors.
