//! Files of merged traces (`merge_blktrace_file`), which are written before the jobs start.

use crate::output::{self, OutputError};
use crate::trace_file;
use job::plan::Plan;
use job::trace::Merged;
use stats::output_fault::OutputFault;
use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::Path;

/// Size of the buffer for writing in bytes.
const BUFFER: usize = 256 << 10;

/// Writes the merged traces of all jobs.
///
/// # Errors
/// A file cannot be written, or must not be overwritten because a job uses it or it is one of the traces.
pub(crate) fn write(plan: &Plan) -> Result<(), OutputError> {
    for merge in plan.jobs.iter().filter_map(|job| job.replay.as_ref()?.merge.as_ref()) {
        let path = merge.file.as_path();
        let files = plan.clones.iter().flat_map(|clone| &clone.files).map(|file| file.path.as_path());
        let sources = merge.sources.iter().map(|source| source.path.as_path());
        output::check_against(path, files.chain(sources), OutputFault::FileOfJob)?;
        let error = |e: io::Error| output::failed(path, &e);
        let mut to = BufWriter::with_capacity(BUFFER, output::open(path)?);
        let mut merged = Merged::new(merge, open).map_err(|fault| error(io::Error::other(fault)))?;
        io::copy(&mut merged, &mut to).and_then(|_| to.flush()).map_err(error)?;
    }
    Ok(())
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    trace_file::reader(File::open(path)?)
}
