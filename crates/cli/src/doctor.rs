//! `fathom doctor TARGET`: what lies under a target, and what of it spoils a measurement.

use crate::live::{print, print_json};
use facts::SysRoot;
use report::Lang;
use std::path::PathBuf;
use std::time::Duration;

/// How long to watch for the load of others.
const LOOK: Duration = Duration::from_millis(500);

/// Looks at `target`; the exit status: 1 where something spoils a measurement or there is nothing to look at.
pub fn main(lang: Lang, target: PathBuf, json: bool) -> i32 {
    match lab::doctor::diagnose(&lab::doctor::Asked { target, root: SysRoot::machine(), look: LOOK }) {
        Ok(mut diagnosis) => {
            diagnosis.version = env!("CARGO_PKG_VERSION").into();
            if json {
                print_json(&report::doctor::json(&diagnosis));
            } else {
                print(&report::doctor::render(lang, &diagnosis, 100));
            }
            i32::from(diagnosis.spoils())
        }
        Err(e) => {
            complain!("fathom doctor: {e}");
            1
        }
    }
}
