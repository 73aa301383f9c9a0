//! Files with the data of blocks that do not contain what they should (`verify_dump`).

use super::check::Found;
use crate::line::Dumped;
use crate::output::{self, OutputError};
use stats::output_fault::OutputFault;
use stats::verification::Fault;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Number of names that are tried for a file that must not replace another one.
const NAMES: u32 = 100;

/// Writes the data of a block, and what was expected, to files in the current directory. With `keeps`, files of these
/// names are kept, and the data goes to files with a number behind the name.
pub(crate) fn dump(path: &Path, offset: u64, received: &[u8], found: &Found, keeps: bool) -> Vec<Dumped> {
    let base = path.file_name().map_or_else(|| "file".into(), |name| name.to_string_lossy());
    let write = |kind: &'static str, data: &[u8]| {
        let file = format!("{base}.{offset}.{kind}");
        let (file, opened) =
            if keeps { create(file) } else { (file.clone(), output::open(Path::new(&file))) };
        let written = opened
            .and_then(|mut open| open.write_all(data).map_err(|e| output::failed(Path::new(&file), &e)));
        Dumped { kind, file, failed: written.err() }
    };
    let by_data = matches!(found.fault, Fault::Checksum { .. } | Fault::Pattern { .. } | Fault::Trim { .. });
    if !by_data {
        return vec![write("hdr_fail", received)];
    }
    let mut dumped = vec![write("received", received)];
    dumped.extend(found.wanted.as_ref().map(|wanted| write("expected", wanted)));
    dumped
}

/// Creates a new file with this name, or this name and the first free number.
fn create(name: String) -> (String, Result<File, OutputError>) {
    for number in 0..NAMES {
        let name = if number == 0 { name.clone() } else { format!("{name}.{number}") };
        match File::create_new(&name) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            opened => {
                let opened = opened.map_err(|e| output::failed(Path::new(&name), &e));
                return (name, opened);
            }
        }
    }
    let refused = OutputError::Refused { path: name.clone().into(), fault: OutputFault::HoldsData };
    (name, Err(refused))
}
