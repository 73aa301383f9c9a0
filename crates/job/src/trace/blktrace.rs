//! Binary files of blktrace: `struct blk_io_trace` of linux/blktrace_api.h, as `blkparse -d` and the files per CPU have it,
//! in either byte order. Only events in which an I/O enters the queue (Q) are replayed.

use super::opening::Opening;
use super::{Action, Names, Record, TraceFaultKind, unreadable};
use std::io::{self, BufRead, Read};

/// Size of `struct blk_io_trace` in bytes.
pub(super) const EVENT: usize = 48;
/// BLK_IO_TRACE_MAGIC, and BLK_IO_TRACE_VERSION in its low byte.
const MAGIC: u32 = 0x6561_7407;
/// `__BLK_TA_QUEUE`, in the low 16 bits of an action.
const QUEUE: u32 = 1;
/// Bits of `BLK_TC_*` in an action.
const WRITE: u32 = 1 << (1 + 16);
const FLUSH: u32 = 1 << (2 + 16);
const PASSED_THROUGH: u32 = 1 << (9 + 16);
const NOTIFY: u32 = 1 << (10 + 16);
const DISCARD: u32 = 1 << (13 + 16);
/// Offset of the length of the data behind an event.
const DATA_LENGTH: usize = 46;
/// Offsets and sizes of the fields of an event, in bytes.
const FIELDS: [(usize, usize); 11] =
    [(0, 4), (4, 4), (8, 8), (16, 8), (24, 4), (28, 4), (32, 4), (36, 4), (40, 4), (44, 2), (DATA_LENGTH, 2)];
/// Number of bits of the minor number in a device number of the kernel.
const MINOR_BITS: u32 = 20;
/// Size of a sector in bytes.
const SECTOR: u64 = 512;

/// Byte order of a file: the order of the machine that recorded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

/// Returns the byte order of a file that begins with these bytes; `None` if it is no blktrace file.
pub(super) fn byte_order(head: &[u8]) -> Option<Order> {
    let magic = head.get(..4)?;
    if magic == MAGIC.to_le_bytes() {
        Some(Order::Little)
    } else if magic == MAGIC.to_be_bytes() {
        Some(Order::Big)
    } else {
        None
    }
}

/// Returns whether a file that begins with these bytes is one of blktrace.
pub fn is_blktrace(head: &[u8]) -> bool {
    byte_order(head).is_some()
}

/// Returns the time of an event in little-endian order, nanoseconds.
pub(super) fn time_of(event: &[u8; EVENT]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| event[8 + i]))
}

/// Sets the time of an event in little-endian order.
pub(super) fn set_time(event: &mut [u8; EVENT], nanos: u64) {
    event[8..16].copy_from_slice(&nanos.to_le_bytes());
}

/// Reader of a blktrace file.
pub struct Blktrace<R> {
    from: R,
    order: Order,
    /// Number of the current event, from 1.
    number: u64,
    /// Time of the first Q event, nanoseconds.
    first: Option<u64>,
    opening: Opening,
}

impl<R: BufRead> Blktrace<R> {
    pub(super) fn new(from: R, order: Order) -> Self {
        Self { from, order, number: 0, first: None, opening: Opening::default() }
    }

    /// Returns the number of the current event, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the next record; `None` at the end. A device is opened before its first I/O.
    pub(super) fn next(&mut self, names: &mut Names) -> Result<Option<Record>, TraceFaultKind> {
        if let Some(record) = self.opening.take_waiting() {
            return Ok(Some(record));
        }
        while let Some(event) = self.event()? {
            let Some(record) = self.record(&event, names)? else { continue };
            return Ok(Some(self.opening.opened_first(record)));
        }
        Ok(None)
    }

    /// Reads the next event and skips its data; `None` at the end.
    fn event(&mut self) -> Result<Option<[u8; EVENT]>, TraceFaultKind> {
        if self.from.fill_buf().map_err(|e| unreadable(&e))?.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let mut event = [0; EVENT];
        let cut = |e: io::Error| match e.kind() {
            io::ErrorKind::UnexpectedEof => TraceFaultKind::Event,
            _ => unreadable(&e),
        };
        self.from.read_exact(&mut event).map_err(cut)?;
        if byte_order(&event) != Some(self.order) {
            return Err(TraceFaultKind::Event);
        }
        let data = u64::from(self.u16(&event, DATA_LENGTH));
        let skipped = io::copy(&mut self.from.by_ref().take(data), &mut io::sink()).map_err(cut)?;
        if skipped < data { Err(TraceFaultKind::Event) } else { Ok(Some(event)) }
    }

    /// Returns the record of an event; `None` for an event that is no I/O entering the queue.
    fn record(&mut self, event: &[u8; EVENT], names: &mut Names) -> Result<Option<Record>, TraceFaultKind> {
        let Some(action) = self.action(event) else { return Ok(None) };
        let (time, bytes) = (self.u64(event, 8), self.u32(event, 24));
        let nanos = time.saturating_sub(*self.first.get_or_insert(time));
        let device = self.u32(event, 36);
        let file = names.add_device(device >> MINOR_BITS, device & ((1 << MINOR_BITS) - 1))?;
        if action == Action::Sync {
            return Ok(Some(Record { nanos, action, file, offset: 0, length: 0 }));
        }
        let sector = self.u64(event, 16);
        let offset = sector.checked_mul(SECTOR).ok_or(TraceFaultKind::OffsetTooLarge { offset: u64::MAX })?;
        Record::of_io(nanos, action, file, offset, bytes.into()).map(Some)
    }

    /// Returns the action of an event; `None` for an event that is no I/O entering the queue.
    fn action(&self, event: &[u8; EVENT]) -> Option<Action> {
        let action = self.u32(event, 28);
        if action & 0xffff != QUEUE || action & (NOTIFY | PASSED_THROUGH) != 0 {
            return None;
        }
        match self.u32(event, 24) {
            0 if action & FLUSH != 0 => Some(Action::Sync),
            0 => None,
            _ if action & DISCARD != 0 => Some(Action::Trim),
            _ if action & WRITE != 0 => Some(Action::Write),
            _ => Some(Action::Read),
        }
    }

    /// Returns the next event that is an I/O entering the queue, in little-endian order and without data; `None` at the
    /// end.
    pub(super) fn queued(&mut self) -> Result<Option<[u8; EVENT]>, TraceFaultKind> {
        while let Some(mut event) = self.event()? {
            if self.action(&event).is_none() {
                continue;
            }
            if self.order == Order::Big {
                for (at, size) in FIELDS {
                    event[at..at + size].reverse();
                }
            }
            event[DATA_LENGTH..].fill(0);
            return Ok(Some(event));
        }
        Ok(None)
    }

    fn bytes<const N: usize>(&self, event: &[u8; EVENT], at: usize) -> [u8; N] {
        let mut bytes: [u8; N] = std::array::from_fn(|i| event[at + i]);
        if self.order == Order::Big {
            bytes.reverse();
        }
        bytes
    }

    fn u16(&self, event: &[u8; EVENT], at: usize) -> u16 {
        u16::from_le_bytes(self.bytes(event, at))
    }

    fn u32(&self, event: &[u8; EVENT], at: usize) -> u32 {
        u32::from_le_bytes(self.bytes(event, at))
    }

    fn u64(&self, event: &[u8; EVENT], at: usize) -> u64 {
        u64::from_le_bytes(self.bytes(event, at))
    }
}
