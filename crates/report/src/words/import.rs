//! Errors and notes of `import` in words.
