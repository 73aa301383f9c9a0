//! Tests of workspace rules: dependencies between crates, imports, catalogs, sentences outside catalogs, test names.

mod catalogs;
mod imports;
mod manifests;
mod sentences;
mod source;
mod test_names;
