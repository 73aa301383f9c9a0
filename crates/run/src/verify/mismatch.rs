//! Files with the data of blocks that do not contain what they should (`verify_dump`).

use super::check::Found;
use crate::line::Dumped;
use crate::output;
use stats::verification::Fault;
use std::io::Write;
use std::path::Path;

/// Writes the data of a block, and what was expected, to files in the current directory.
pub(crate) fn dump(path: &Path, offset: u64, received: &[u8], found: &Found) -> Vec<Dumped> {
    let base = path.file_name().map_or_else(|| "file".into(), |name| name.to_string_lossy());
    let write = |kind: &'static str, data: &[u8]| {
        let file = format!("{base}.{offset}.{kind}");
        let written = output::open(Path::new(&file))
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
