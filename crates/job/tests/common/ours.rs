//! What the program prints for a command line. The fuzz targets share the other helpers and need no renderer.

use crate::common::{Below, Seen, parse};
use job::{Files, Parsed};
use report::Lang;
use report::words::job::plan_error;
use std::ffi::OsString;
use std::path::Path;

/// What ours does with a command line; a run that can be planned counts as success (0).
pub fn ours(args: &[OsString], files: &mut dyn Files, cwd: &Path) -> Seen {
    match parse(args, files) {
        Ok(Parsed::Print { stdout, stderr, code }) => Seen { stdout, stderr, code },
        Ok(Parsed::Calibrate) => Seen { stdout: String::new(), stderr: String::new(), code: 0 },
        Ok(Parsed::Run(command)) => match job::plan(command.jobs, &mut Below(cwd.to_owned())) {
            Ok(_) => Seen { stdout: String::new(), stderr: command.stderr, code: 0 },
            Err(error) => Seen {
                stdout: String::new(),
                stderr: command.stderr + &plan_error(Lang::En, &error),
                code: 1,
            },
        },
        Err(error) => Seen { stdout: error.stdout, stderr: error.stderr, code: error.code },
    }
}
