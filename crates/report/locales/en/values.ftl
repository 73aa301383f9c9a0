# Why the value of an option is refused, and what would be right.
