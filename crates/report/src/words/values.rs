//! Why the value of an option is refused, in words.
