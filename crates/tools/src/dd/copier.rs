//! The copy: reads blocks, converts them, writes blocks, and counts both.

use super::conversion::{ByteMap, Records, Swap};
use super::message::{Console, Event, Message};
use super::operands::{Amount, Conversions, Flags, Operands, Status};
use super::side::{CacheAdvice, Descriptor, offset};
use rustix::fs::{
    FileType, OFlags, SeekFrom, fcntl_getfl, fcntl_setfl, fdatasync, fstat, fsync, ftruncate, seek,
};
use rustix::io::{Errno, read, write};
use stats::dd::CopyCounts;
use std::ffi::OsString;
use std::time::{Duration, Instant};
use sys::interrupts;
use sys::page_buffer::PageBuffer;

/// Reason why a copy ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An error after which no statistics are printed.
    WithoutStatistics,
    /// An error after which the copy ends as if the input had ended.
    Failed,
    /// An error after which the output is only flushed; if that fails, too, no statistics are printed.
    Aborted,
    /// A signal.
    Interrupted(i32),
}

/// Interval of `status=progress`.
const PROGRESS: Duration = Duration::from_secs(1);

/// State of a copy.
pub struct Copier<'a> {
    pub(super) operands: &'a Operands,
    pub(super) console: &'a mut dyn Console,
    pub(super) input: Descriptor,
    /// Output.
    pub output: Descriptor,
    input_name: OsString,
    output_name: OsString,
    /// Counts so far.
    pub counts: CopyCounts,
    pub(super) started: Instant,
    next_progress: Duration,
    /// Offset of the input; `None` beyond the largest offset.
    pub(super) position: Option<u64>,
    /// Error of the input's first positioning; `None` if it has an offset.
    no_offset: Option<Errno>,
    /// Bytes of the last read, for warnings and the end of direct reads.
    last_read: usize,
    warns_of_partial_reads: bool,
    sparse: bool,
    /// Whether the last write was replaced by moving the offset.
    last_write_skipped: bool,
    flush_data: bool,
    flush: bool,
    /// Whether the flush at the end failed.
    pub flush_failed: bool,
    input_advice: CacheAdvice,
    output_advice: CacheAdvice,
    input_advice_to_end: bool,
    output_advice_to_end: bool,
    /// Bytes of the output block that are filled.
    filled: usize,
    failed: bool,
}

impl<'a> Copier<'a> {
    /// Returns a copy that begins now.
    pub fn new(
        operands: &'a Operands,
        console: &'a mut dyn Console,
        (input, output): (Descriptor, Descriptor),
        (input_name, output_name): (OsString, OsString),
        position: Result<u64, Errno>,
    ) -> Copier<'a> {
        let conversions = operands.conversions;
        Copier {
            operands,
            console,
            input,
            output,
            input_name,
            output_name,
            counts: CopyCounts::default(),
            started: Instant::now(),
            next_progress: PROGRESS,
            position: Some(position.unwrap_or(0)),
            no_offset: position.err(),
            last_read: 0,
            warns_of_partial_reads: operands.warns_of_partial_reads(),
            sparse: conversions.has(Conversions::SPARSE),
            last_write_skipped: false,
            flush_data: conversions.has(Conversions::FDATASYNC),
            flush: conversions.has(Conversions::FSYNC),
            flush_failed: false,
            input_advice: CacheAdvice::default(),
            output_advice: CacheAdvice::default(),
            input_advice_to_end: false,
            output_advice_to_end: false,
            filled: 0,
            failed: false,
        }
    }

    /// Returns the start of the copy, and both descriptors.
    pub fn into_parts(self) -> (Instant, Descriptor, Descriptor) {
        (self.started, self.input, self.output)
    }

    /// Copies everything and flushes the output. Returns whether an error was reported.
    ///
    /// # Errors
    /// The reason for an early end.
    pub fn run(&mut self) -> Result<bool, Stop> {
        match self.copy() {
            Err(stop @ (Stop::WithoutStatistics | Stop::Interrupted(_))) => return Err(stop),
            Err(Stop::Aborted) => {
                self.failed = false;
                self.flush_output();
                return if self.failed { Err(Stop::WithoutStatistics) } else { Ok(true) };
            }
            Err(Stop::Failed) => self.failed = true,
            Ok(()) => {}
        }
        self.flush_output();
        self.drop_cache();
        Ok(self.failed)
    }

    pub(super) fn report(&mut self, event: Event, output: bool, errno: Option<Errno>) {
        let file = if output { self.output_name.clone() } else { self.input_name.clone() };
        self.console.message(&Message { event, file, errno: errno.map(Errno::raw_os_error) });
    }

    pub(super) fn speaks(&self) -> bool {
        self.operands.status > Status::None
    }

    /// Handles signals that arrived.
    #[inline]
    pub(super) fn handle_signals(&mut self) -> Result<(), Stop> {
        match ending(self.console, &self.counts, self.started) {
            Some(signal) => Err(Stop::Interrupted(signal)),
            None => Ok(()),
        }
    }

    /// Reads once, again after a signal.
    fn read_once(&mut self, buffer: &mut [u8]) -> Result<Result<usize, Errno>, Stop> {
        let result = loop {
            self.handle_signals()?;
            match read(&self.input, &mut *buffer) {
                Err(Errno::INTR) => {}
                // A direct read behind a partial last block has an offset that is not aligned.
                Err(Errno::INVAL)
                    if self.last_read > 0
                        && self.last_read < buffer.len()
                        && self.operands.input_flags.has(Flags::DIRECT) =>
                {
                    break Ok(0);
                }
                other => break other,
            }
        };
        if let Ok(bytes) = result {
            // A signal may have cut the read short.
            if bytes > 0 && bytes < buffer.len() {
                self.handle_signals()?;
            }
            if bytes > 0 && self.warns_of_partial_reads && self.last_read > 0 && self.last_read < buffer.len()
            {
                if self.speaks() {
                    self.report(Event::PartialRead { bytes: self.last_read as u64 }, false, None);
                }
                self.warns_of_partial_reads = false;
            }
        }
        self.last_read = result.unwrap_or(0);
        Ok(result)
    }

    /// Reads a block; with `iflag=fullblock` until it is full or the input ends.
    pub(super) fn read_block(&mut self, buffer: &mut [u8]) -> Result<Result<usize, Errno>, Stop> {
        if !self.operands.input_flags.has(Flags::FULLBLOCK) {
            return self.read_once(buffer);
        }
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read_once(&mut buffer[filled..])? {
                Ok(0) => break,
                Ok(bytes) => filled += bytes,
                Err(e) => return Ok(Err(e)),
            }
        }
        Ok(Ok(filled))
    }

    pub(super) fn advance(&mut self, bytes: u64) {
        self.position =
            self.position.and_then(|at| at.checked_add(bytes)).filter(|at| *at <= i64::MAX as u64);
    }

    pub(super) fn buffer(&mut self, bytes: u64, input: bool) -> Result<PageBuffer, Stop> {
        PageBuffer::new(usize::try_from(bytes).unwrap_or(usize::MAX)).map_err(|_| {
            self.report(Event::Memory { input, bytes }, false, None);
            Stop::WithoutStatistics
        })
    }

    fn copy(&mut self) -> Result<(), Stop> {
        let operands = self.operands;
        let mut block = None;
        let mut out_block = None;
        if !operands.skip.is_zero() {
            self.skip(&mut block)?;
        }
        if !operands.seek.is_zero() {
            self.seek_output(&mut out_block, &mut block)?;
        }
        if operands.count.is_some_and(Amount::is_zero) {
            return Ok(());
        }
        let mut block = match block {
            Some(block) => block,
            None => self.buffer(operands.ibs, true)?,
        };
        if !operands.conversions.two_buffers() {
            self.copy_blocks(&mut block)
        } else {
            let mut out_block = match out_block {
                Some(block) => block,
                None => self.buffer(operands.obs, false)?,
            };
            self.copy_converted(&mut block, &mut out_block)
        }?;
        self.extend_over_last_hole()
    }

    /// Reads the next block into `block`. Returns the bytes to convert; `None` at the end.
    #[inline]
    fn next_block(&mut self, block: &mut [u8], partial: &mut usize) -> Result<Option<usize>, Stop> {
        let operands = self.operands;
        let conversions = operands.conversions;
        let pads = conversions.has(Conversions::SYNC);
        let continues = conversions.has(Conversions::NOERROR);
        let filler = if conversions.blocks() || conversions.unblocks() { b' ' } else { 0 };
        loop {
            if operands.status == Status::Progress {
                let elapsed = self.started.elapsed();
                if elapsed >= self.next_progress {
                    self.console.progress(&self.counts, elapsed);
                    self.next_progress += PROGRESS;
                }
            }
            let mut wanted = block.len();
            if let Some(count) = operands.count {
                let done = self.counts.full_in + self.counts.partial_in;
                if done >= count.blocks + u64::from(count.bytes > 0) {
                    return Ok(None);
                }
                if done >= count.blocks {
                    wanted = count.bytes as usize;
                }
            }
            if pads && continues {
                // What a failed read leaves in the block is followed by zeros.
                block.fill(filler);
            }
            let mut bytes = match self.read_block(&mut block[..wanted])? {
                Ok(0) => {
                    self.input_advice_to_end |= operands.input_flags.has(Flags::NOCACHE);
                    self.output_advice_to_end |=
                        operands.output_flags.has(Flags::NOCACHE) && !conversions.has(Conversions::NOTRUNC);
                    return Ok(None);
                }
                Ok(bytes) => {
                    self.counts.read += bytes as u64;
                    self.advance(bytes as u64);
                    if operands.input_flags.has(Flags::NOCACHE) {
                        let end = self.position.filter(|_| self.no_offset.is_none());
                        self.input_advice.passed(&self.input, bytes as u64, || end);
                    }
                    bytes
                }
                Err(e) => {
                    if !continues || self.speaks() {
                        self.report(Event::Read, false, Some(e));
                    }
                    if !continues {
                        self.failed = true;
                        return Ok(None);
                    }
                    self.console.statistics(&self.counts, self.started.elapsed());
                    let bad = block.len() - *partial;
                    if !self.pass_bad_block(bad as u64) {
                        self.failed = true;
                    }
                    if !pads || *partial > 0 {
                        continue;
                    }
                    0
                }
            };
            if bytes < block.len() {
                self.counts.partial_in += 1;
                *partial = bytes;
                if pads {
                    if !continues {
                        block[bytes..].fill(filler);
                    }
                    bytes = block.len();
                }
            } else {
                self.counts.full_in += 1;
                *partial = 0;
            }
            return Ok(Some(bytes));
        }
    }

    /// Moves the input behind a block that cannot be read. Returns whether that worked.
    fn pass_bad_block(&mut self, bytes: u64) -> bool {
        let Some(e) = self.no_offset else {
            self.advance(bytes);
            let moved = match offset(&self.input) {
                Ok(now) => match self.position {
                    Some(position) if now == position => return true,
                    Some(position) => {
                        let distance = position as i64 - now as i64;
                        if !(0..=bytes as i64).contains(&distance) && self.speaks() {
                            self.report(Event::InvalidOffset, false, None);
                        }
                        seek(&self.input, SeekFrom::Current(distance)).map(drop)
                    }
                    None => Err(Errno::OVERFLOW),
                },
                Err(e) => Err(e),
            };
            return match moved {
                Ok(()) => true,
                Err(e) => {
                    self.report(Event::Skip, false, Some(e));
                    false
                }
            };
        };
        self.report(Event::Skip, false, Some(e));
        false
    }

    /// Copies blocks as they are read: one read and one write for each.
    fn copy_blocks(&mut self, block: &mut [u8]) -> Result<(), Stop> {
        let mut partial = 0;
        while let Some(bytes) = self.next_block(block, &mut partial)? {
            let (written, error) = self.write_all(&block[..bytes])?;
            self.counts.written += written as u64;
            if let Some(e) = error {
                self.report(Event::Write, true, Some(e));
                return Err(Stop::Failed);
            }
            if bytes == block.len() {
                self.counts.full_out += 1;
            } else {
                self.counts.partial_out += 1;
            }
        }
        Ok(())
    }

    /// Converts blocks and puts output blocks together.
    fn copy_converted(&mut self, block: &mut [u8], out: &mut [u8]) -> Result<(), Stop> {
        let conversions = self.operands.conversions;
        let (map, maps) = ByteMap::of(conversions);
        let mut records = Records::new(self.operands.cbs, &map);
        let mut swap = Swap::default();
        let mut swapped = Vec::new();
        let mut partial = 0;
        while let Some(bytes) = self.next_block(block, &mut partial)? {
            let block = &mut block[..bytes];
            if maps {
                map.apply(block);
            }
            if conversions.has(Conversions::SWAB) {
                swapped.clear();
                swapped.extend_from_slice(block);
                swap.apply(&mut swapped);
                self.convert(&swapped, &mut records, out)?;
            } else {
                self.convert(block, &mut records, out)?;
            }
        }
        if let Some(last) = swap.finish() {
            self.convert(&[last], &mut records, out)?;
        }
        if conversions.blocks() {
            records.finish_block(&mut |byte| self.put(&[byte], out))?;
        }
        if conversions.unblocks() {
            records.finish_unblock(&mut |byte| self.put(&[byte], out))?;
        }
        if self.filled > 0 {
            let filled = std::mem::take(&mut self.filled);
            let (written, error) = self.write_all(&out[..filled])?;
            self.counts.written += written as u64;
            self.counts.partial_out += u64::from(written > 0);
            if let Some(e) = error {
                self.report(Event::Write, true, Some(e));
                return Err(Stop::Failed);
            }
        }
        Ok(())
    }

    fn convert(&mut self, bytes: &[u8], records: &mut Records, out: &mut [u8]) -> Result<(), Stop> {
        let conversions = self.operands.conversions;
        let done = if conversions.blocks() {
            records.block(bytes, &mut |byte| self.put(&[byte], out))
        } else if conversions.unblocks() {
            records.unblock(bytes, &mut |byte| self.put(&[byte], out))
        } else {
            self.put(bytes, out)
        };
        self.counts.truncated = records.truncated;
        done
    }

    /// Appends bytes to the output block, and writes it whenever it is full.
    fn put(&mut self, mut bytes: &[u8], out: &mut [u8]) -> Result<(), Stop> {
        while !bytes.is_empty() {
            let fits = bytes.len().min(out.len() - self.filled);
            out[self.filled..self.filled + fits].copy_from_slice(&bytes[..fits]);
            self.filled += fits;
            bytes = &bytes[fits..];
            if self.filled == out.len() {
                self.write_output_block(out)?;
            }
        }
        Ok(())
    }

    fn write_output_block(&mut self, out: &[u8]) -> Result<(), Stop> {
        let (written, error) = self.write_all(out)?;
        self.counts.written += written as u64;
        if let Some(e) = error {
            self.report(Event::WriteOutputBlock, true, Some(e));
            self.counts.partial_out += u64::from(written > 0);
            return Err(Stop::Aborted);
        }
        self.counts.full_out += 1;
        self.filled = 0;
        Ok(())
    }

    /// Writes all bytes; returns the number written and the error that ended it.
    #[inline]
    pub(super) fn write_all(&mut self, bytes: &[u8]) -> Result<(usize, Option<Errno>), Stop> {
        if (bytes.len() as u64) < self.operands.obs && self.operands.output_flags.has(Flags::DIRECT) {
            self.end_direct_writes();
        }
        let mut total = 0;
        let mut error = None;
        while total < bytes.len() {
            self.handle_signals()?;
            self.last_write_skipped = false;
            if self.sparse && bytes.iter().all(|byte| *byte == 0) {
                match seek(&self.output, SeekFrom::Current(bytes.len() as i64)) {
                    Ok(_) => {
                        self.last_write_skipped = true;
                        self.counts.skipped_zeros += bytes.len() as u64;
                        total = bytes.len();
                        break;
                    }
                    Err(_) => self.sparse = false,
                }
            }
            match write(&self.output, &bytes[total..]) {
                // Some drivers return 0 beyond the end of a device.
                Ok(0) => {
                    error = Some(Errno::NOSPC);
                    break;
                }
                Ok(written) => total += written,
                Err(Errno::INTR) => {}
                Err(e) => {
                    error = Some(e);
                    break;
                }
            }
        }
        if total > 0 && self.operands.output_flags.has(Flags::NOCACHE) {
            let output = &self.output;
            self.output_advice.passed(output, total as u64, || offset(output).ok());
        }
        Ok((total, error))
    }

    /// Clears O_DIRECT for a last block that is shorter than the others, which is flushed instead.
    fn end_direct_writes(&mut self) {
        let flags = fcntl_getfl(&self.output).unwrap_or(OFlags::empty());
        if let Err(e) = fcntl_setfl(&self.output, flags - OFlags::DIRECT)
            && self.speaks()
        {
            self.report(Event::ClearDirect, true, Some(e));
        }
        self.output_advice_to_end = true;
        let _ = self.output_advice.rest(&self.output, true, offset(&self.output).ok());
        self.flush = true;
    }

    /// Extends a file whose last block was skipped as a hole.
    fn extend_over_last_hole(&mut self) -> Result<(), Stop> {
        if !self.last_write_skipped {
            return Ok(());
        }
        let Ok(found) = fstat(&self.output) else { return Ok(()) };
        if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
            return Ok(());
        }
        let Ok(end) = offset(&self.output) else { return Ok(()) };
        if (found.st_size as u64) < end
            && let Err(e) = ftruncate(&self.output, end)
        {
            self.report(Event::Truncate { bytes: end }, true, Some(e));
            return Err(Stop::Failed);
        }
        Ok(())
    }

    fn flush_output(&mut self) {
        if self.flush_data {
            let flushed = retried(|| fdatasync(&self.output));
            if let Err(e) = flushed {
                if !matches!(e, Errno::NOSYS | Errno::INVAL) {
                    self.report(Event::FlushData, true, Some(e));
                    self.failed = true;
                    // A success of the next flush would say nothing: the kernel reports a lost write once.
                    self.flush_failed = true;
                }
                self.flush = true;
            }
        }
        if self.flush
            && let Err(e) = retried(|| fsync(&self.output))
        {
            self.report(Event::Flush, true, Some(e));
            self.failed = true;
            self.flush_failed = true;
        }
    }

    fn drop_cache(&mut self) {
        let input = self.operands.input_flags.has(Flags::NOCACHE);
        let output = self.operands.output_flags.has(Flags::NOCACHE);
        // Without a count of bytes, the advice is what is asked for, and its failure an error.
        let only_advice = self.operands.count.is_some_and(Amount::is_zero);
        let input_end = self.position.filter(|_| self.no_offset.is_none());
        let output_end = if output || self.output_advice_to_end { offset(&self.output).ok() } else { None };
        if only_advice {
            if input && let Err(e) = self.input_advice.rest(&self.input, true, input_end) {
                self.report(Event::DropCache, false, Some(e));
                self.failed = true;
            }
            if output && let Err(e) = self.output_advice.rest(&self.output, true, output_end) {
                self.report(Event::DropCache, true, Some(e));
                self.failed = true;
            }
            return;
        }
        if input || self.input_advice_to_end {
            let _ = self.input_advice.rest(&self.input, self.input_advice_to_end, input_end);
        }
        if output || self.output_advice_to_end {
            let _ = self.output_advice.rest(&self.output, self.output_advice_to_end, output_end);
        }
    }
}

/// Prints the statistics for which signals asked, and returns the signal that asked for the end.
#[inline]
pub(super) fn ending(console: &mut dyn Console, counts: &CopyCounts, started: Instant) -> Option<i32> {
    let signal = interrupts::ending();
    while signal.is_none() && interrupts::take_report() {
        console.statistics(counts, started.elapsed());
    }
    signal
}

/// Repeats a call that a signal interrupted.
pub(super) fn retried(mut call: impl FnMut() -> Result<(), Errno>) -> Result<(), Errno> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            other => return other,
        }
    }
}
