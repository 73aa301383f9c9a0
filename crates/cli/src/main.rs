//! fathom
fn main() {}
