//! `fathom doctor [TARGET...]`: the storage stack under each target, and what in it distorts measurements.

use crate::live::restore_kernel_settings;
use crate::output::print;
use crate::terminal;
use facts::SysRoot;
use report::Lang;
use std::path::PathBuf;
use std::time::Duration;

/// Time for which the load of other processes on the target is observed.
const LOOK: Duration = Duration::from_millis(500);

/// Diagnoses each of `targets` and returns the exit status: 1 if a finding distorts measurements or a target cannot be
/// examined, else 0.
pub fn main(lang: Lang, targets: &[PathBuf], json: bool) -> i32 {
    restore_kernel_settings(lang);
    let mut status = 0;
    let mut found = Vec::new();
    for target in targets {
        let asked =
            lab::doctor::DoctorRequest { target: target.clone(), root: SysRoot::machine(), look: LOOK };
        match lab::doctor::diagnose(&asked) {
            Ok(mut diagnosis) => {
                diagnosis.version = env!("CARGO_PKG_VERSION").into();
                status = status.max(i32::from(diagnosis.spoils()));
                found.push(diagnosis);
            }
            Err(e) => {
                eprintln!("fathom doctor: {}", report::words::lab::doctor_error(lang, &e));
                status = 1;
            }
        }
    }
    match found.as_slice() {
        [] => {}
        [one] if json && targets.len() == 1 => print(&report::doctor::json(one)),
        all if json => print(&report::export::json(&all)),
        all => {
            let texts: Vec<String> =
                all.iter().map(|one| report::doctor::render(lang, one, terminal::width())).collect();
            print(&texts.join("\n"));
        }
    }
    status
}
