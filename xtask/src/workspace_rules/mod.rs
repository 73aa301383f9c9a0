//! Rules of the workspace, as tests: dependencies, imports, catalogs, crates without sentences, names of tests.

mod catalogs;
mod imports;
mod manifests;
mod sentences;
mod source;
mod test_names;
