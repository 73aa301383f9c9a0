//! Reading of trace files, also of those compressed with gzip.

use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader};

/// Size of the buffer for reading a trace in bytes.
const BUFFER: usize = 256 << 10;
/// First bytes of a gzip file (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Returns a reader of the trace in `file`, whose text is decompressed if it is a gzip file.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn reader(file: File) -> io::Result<Box<dyn BufRead>> {
    let mut from = BufReader::with_capacity(BUFFER, file);
    if from.fill_buf()?.starts_with(&GZIP) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(from))));
    }
    Ok(Box::new(from))
}
