//! Positioning of input and output before the copy (`skip`, `seek`), by reading and writing where there is no offset.

use super::copier::{Copier, Stop};
use super::message::Event;
use super::operands::Conversions;
use rustix::fs::{FileType, SeekFrom, fstat, seek};
use rustix::io::{Errno, read};
use sys::page_buffer::PageBuffer;

impl Copier<'_> {
    /// Reads a block of the output, to pass what cannot be positioned.
    fn read_output(&mut self, buffer: &mut [u8]) -> Result<Result<usize, Errno>, Stop> {
        loop {
            self.handle_signals()?;
            match read(&self.output, &mut *buffer) {
                Err(Errno::INTR) => {}
                other => return Ok(other),
            }
        }
    }

    /// Positions the input behind `skip`, by reading if it has no offset.
    pub(super) fn skip(&mut self, block: &mut Option<PageBuffer>) -> Result<(), Stop> {
        let (mut amount, ibs) = (self.operands.skip, self.operands.ibs);
        let wanted = amount.in_bytes(ibs);
        let mut missing = wanted;
        let moved = match wanted {
            Some(bytes) => seek(&self.input, SeekFrom::Current(bytes as i64)).map(|_| bytes),
            None => Err(Errno::OVERFLOW),
        };
        match moved {
            Ok(bytes) => {
                let mut reached = bytes;
                let found = fstat(&self.input).ok();
                let size =
                    found.filter(|found| FileType::from_raw_mode(found.st_mode) == FileType::RegularFile);
                let left = size.and_then(|found| Some(found.st_size as i128 - i128::from(self.position?)));
                amount.blocks = 0;
                if let Some(left) = left.filter(|left| *left < i128::from(bytes)) {
                    let size = size.map_or(0, |found| found.st_size as u64);
                    amount.blocks = bytes.saturating_sub(size) / ibs;
                    if left >= 0 {
                        reached = left as u64;
                    } else {
                        self.position = self.position.map(|at| at.saturating_sub(left.unsigned_abs() as u64));
                        reached = 0;
                        missing = Some(bytes + left.unsigned_abs() as u64);
                    }
                }
                self.advance(reached);
                missing = missing.map(|missing| missing - reached);
            }
            Err(e) => {
                if seek(&self.input, SeekFrom::End(0)).is_ok() {
                    self.report(Event::Skip, false, Some(e));
                    return Err(Stop::Aborted);
                }
                let mut buffer = self.buffer(ibs, true)?;
                let began = self.position.unwrap_or(0);
                while !amount.is_zero() {
                    let wanted = if amount.blocks > 0 { ibs } else { amount.bytes };
                    match self.read_block(&mut buffer[..wanted as usize])? {
                        Ok(0) => break,
                        Ok(bytes) => {
                            self.advance(bytes as u64);
                            if amount.blocks > 0 { amount.blocks -= 1 } else { amount.bytes = 0 }
                        }
                        Err(e) => {
                            self.report(Event::Read, false, Some(e));
                            if self.operands.conversions.has(Conversions::NOERROR) {
                                self.console.statistics(&self.counts, self.started.elapsed());
                            }
                            return Err(Stop::Aborted);
                        }
                    }
                }
                let read = self.position.map(|now| now - began);
                missing = missing.zip(read).map(|(missing, read)| missing.wrapping_sub(read));
                *block = Some(buffer);
            }
        }
        if (amount.blocks > 0 || missing.is_some_and(|bytes| bytes > 0)) && self.speaks() {
            self.report(Event::SkipBeyondEnd, false, None);
        }
        Ok(())
    }

    /// Positions the output behind `seek`, by reading and then writing zeros if it has no offset.
    pub(super) fn seek_output(
        &mut self,
        out_block: &mut Option<PageBuffer>,
        block: &mut Option<PageBuffer>,
    ) -> Result<(), Stop> {
        let (mut amount, obs) = (self.operands.seek, self.operands.obs);
        let wanted = amount.in_bytes(obs);
        let moved = match wanted {
            Some(bytes) => seek(&self.output, SeekFrom::Current(bytes as i64)).map(drop),
            None => Err(Errno::OVERFLOW),
        };
        let Err(e) = moved else { return Ok(()) };
        if seek(&self.output, SeekFrom::End(0)).is_ok() {
            self.report(Event::Seek, true, Some(e));
            return Err(Stop::Aborted);
        }
        // With one buffer, that of the input is used.
        let mut buffer = match block.take() {
            Some(block) if !self.operands.conversions.two_buffers() => block,
            other => {
                *block = other;
                self.buffer(obs, !self.operands.conversions.two_buffers())?
            }
        };
        while !amount.is_zero() {
            let wanted = if amount.blocks > 0 { obs } else { amount.bytes };
            match self.read_output(&mut buffer[..wanted as usize])? {
                Ok(0) => break,
                Ok(_) if amount.blocks > 0 => amount.blocks -= 1,
                Ok(_) => amount.bytes = 0,
                Err(_) => {
                    self.report(Event::Seek, true, Some(e));
                    return Err(Stop::Aborted);
                }
            }
        }
        buffer.fill(0);
        while !amount.is_zero() {
            let size = if amount.blocks > 0 { obs } else { amount.bytes };
            let (_, error) = self.write_all(&buffer[..size as usize])?;
            if let Some(e) = error {
                self.report(Event::WriteOutputBlock, true, Some(e));
                return Err(Stop::Aborted);
            }
            if amount.blocks > 0 { amount.blocks -= 1 } else { amount.bytes = 0 }
        }
        if self.operands.conversions.two_buffers() {
            *out_block = Some(buffer);
        } else {
            *block = Some(buffer);
        }
        Ok(())
    }
}
