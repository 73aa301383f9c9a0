//! The facts of `facts` in words: signatures, uses of a device or file.
