//! What the program prints for a command line. The fuzz targets share the other helpers and need no renderer.

use crate::common::{Below, Seen, parse};
use job::{Files, Parsed};
use report::Lang;
use report::words::job::{diagnostics, plan_error};
use std::ffi::OsString;
use std::path::Path;

/// What ours does with a command line; a run that can be planned counts as success (0).
pub fn ours(args: &[OsString], files: &mut dyn Files, cwd: &Path) -> Seen {
    match parse(args, files) {
        Ok(Parsed::Print { stdout, diagnostics: list, code }) => {
            let said = diagnostics(Lang::En, &list);
            Seen { stdout: stdout + &said.stdout, stderr: said.stderr, code }
        }
        Ok(Parsed::Calibrate | Parsed::Inflate(_)) => {
            Seen { stdout: String::new(), stderr: String::new(), code: 0 }
        }
        Ok(Parsed::Run(command)) => {
            let stderr = diagnostics(Lang::En, &command.diagnostics).stderr;
            let (stderr, code) = match job::plan(command.jobs, &mut Below(cwd.to_owned())) {
                Ok(_) => (stderr, 0),
                Err(error) => (stderr + &plan_error(Lang::En, &error), 1),
            };
            Seen { stdout: String::new(), stderr, code }
        }
        Err(error) => {
            let said = diagnostics(Lang::En, &error.diagnostics);
            Seen { stdout: said.stdout, stderr: said.stderr, code: error.code }
        }
    }
}
