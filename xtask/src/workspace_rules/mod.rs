//! Rules of the workspace, as tests.

mod manifests;
