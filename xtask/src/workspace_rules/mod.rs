//! Tests of the workspace's rules: dependencies, imports, catalogs, sentences outside catalogs, and names of tests.

mod catalogs;
mod imports;
mod manifests;
mod sentences;
mod source;
mod test_names;
