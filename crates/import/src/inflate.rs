//! Compressed logs (`log_store_compressed`) as text: zlib streams, one after the other, of rows in fio's binary format.

use flate2::{Decompress, FlushDecompress, Status};
use stats::LogSample;
use std::io::{BufRead, Error, ErrorKind, Read, Result};

/// Bytes that are decompressed at a time.
const STEP: usize = 64 * 1024;

/// Reads a compressed log as the text that fio writes without compression. A log that is cut off ends with its last
/// complete row.
///
/// Reading fails with [`ErrorKind::UnexpectedEof`] if the log is empty, and with [`ErrorKind::InvalidData`] if it is
/// not compressed or has no rows of fio.
#[derive(Debug)]
pub struct InflatedLog<R> {
    input: R,
    stream: Decompress,
    /// Whether the current stream has begun.
    within: bool,
    /// Decompressed rows; the last may be incomplete.
    binary: Vec<u8>,
    text: Vec<u8>,
    /// Number of bytes of `text` that were read.
    read: usize,
    began: bool,
}

impl<R: BufRead> InflatedLog<R> {
    /// Returns a reader of the text of the compressed log `input`.
    pub fn new(input: R) -> Self {
        let (binary, text) = (Vec::with_capacity(STEP), Vec::new());
        Self { input, stream: Decompress::new(true), within: false, binary, text, read: 0, began: false }
    }

    /// Decompresses the next part; returns false at the end of the log.
    fn advance(&mut self) -> Result<bool> {
        let input = self.input.fill_buf()?;
        if input.is_empty() {
            return if self.began { Ok(false) } else { Err(ErrorKind::UnexpectedEof.into()) };
        }
        self.began = true;
        let before = (self.stream.total_in(), self.binary.len());
        let status = self
            .stream
            .decompress_vec(input, &mut self.binary, FlushDecompress::None)
            .map_err(|e| Error::new(ErrorKind::InvalidData, e))?;
        let used = (self.stream.total_in() - before.0) as usize;
        self.input.consume(used);
        self.within = status != Status::StreamEnd;
        if !self.within {
            self.stream.reset(true);
        } else if used == 0 && self.binary.len() == before.1 {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut at = 0;
        while let Some((sample, length)) = LogSample::from_binary(&self.binary[at..]) {
            sample.append_line(&mut self.text);
            at += length;
        }
        // A complete row that is not one of fio is an error, and an incomplete one is continued.
        if self.binary.len() - at >= 40 {
            return Err(ErrorKind::InvalidData.into());
        }
        self.binary.drain(..at);
        Ok(true)
    }
}

impl<R: BufRead> Read for InflatedLog<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        while self.read == self.text.len() {
            self.text.clear();
            self.read = 0;
            if out.is_empty() || !self.advance()? {
                return Ok(0);
            }
        }
        let n = out.len().min(self.text.len() - self.read);
        out[..n].copy_from_slice(&self.text[self.read..self.read + n]);
        self.read += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use proptest::prelude::*;
    use stats::Direction;
    use std::io::Write as _;

    fn row(ms: u64, offset: Option<u64>) -> LogSample {
        let (value, bytes, priority, numbered) = (ms * 3, 4096, 0, false);
        LogSample {
            ms,
            value,
            most: None,
            direction: Direction::Read,
            bytes,
            offset,
            priority,
            numbered,
            issued: None,
        }
    }

    /// Returns the rows compressed in streams of `each` rows, and their text.
    fn compressed(rows: &[LogSample], each: usize) -> (Vec<u8>, Vec<u8>) {
        let (mut file, mut text) = (Vec::new(), Vec::new());
        for chunk in rows.chunks(each) {
            let mut binary = Vec::new();
            chunk.iter().for_each(|row| row.append_binary(&mut binary));
            let mut encoder = ZlibEncoder::new(&mut file, Compression::default());
            encoder.write_all(&binary).unwrap();
            encoder.finish().unwrap();
            chunk.iter().for_each(|row| row.append_line(&mut text));
        }
        (file, text)
    }

    fn inflated(file: &[u8]) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        InflatedLog::new(file).read_to_end(&mut text).map(|_| text)
    }

    #[test]
    fn text_is_that_of_all_streams() {
        let rows: Vec<LogSample> = (0..10_000).map(|n| row(n, (n % 3 == 0).then_some(n << 20))).collect();
        let (file, text) = compressed(&rows, 3001);
        assert_eq!(inflated(&file).unwrap(), text);
        // A part of it begins the text.
        let cut = inflated(&file[..file.len() / 2]).unwrap();
        assert!(cut.len() > 1000 && text.starts_with(&cut) && cut.ends_with(b"\n"));
        assert_eq!(inflated(b"").unwrap_err().kind(), ErrorKind::UnexpectedEof);
        assert_eq!(inflated(b"0, 1, 0, 4096, 0\n").unwrap_err().kind(), ErrorKind::InvalidData);
    }

    proptest! {
        #[test]
        fn no_file_panics(mut bytes in prop::collection::vec(any::<u8>(), 0..300), at in 0usize..200, byte: u8) {
            let _ = inflated(&bytes);
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&bytes).unwrap();
            bytes = encoder.finish().unwrap();
            let _ = inflated(&bytes);
            if let Some(one) = bytes.get_mut(at) {
                *one = byte;
            }
            let _ = inflated(&bytes);
        }
    }
}
