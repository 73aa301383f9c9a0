//! Byte ranges in flight and written, kept for patterns that depend on them (`sync_file_range`, `serialize_overlap`).

use engine::{Kind, Op};

/// Byte range of an operation in a file.
#[derive(Clone, Copy, Debug)]
struct Span {
    kind: Kind,
    file: u32,
    from: u64,
    to: u64,
}

impl Span {
    fn of(op: &Op) -> Self {
        Span { kind: op.kind, file: op.file, from: op.offset, to: op.offset + u64::from(op.len) }
    }
}

/// Byte ranges in flight, and the range written to each file since its last sync.
#[derive(Debug)]
pub(crate) struct InFlightRanges {
    in_flight: Vec<Span>,
    /// Lowest byte and end of the range of each file written since its last sync.
    written: Vec<Option<(u64, u64)>>,
}

impl InFlightRanges {
    /// Returns the state without I/O in flight, for `files` files and at most `depth` operations in flight.
    pub(crate) fn new(files: usize, depth: usize) -> Self {
        Self { in_flight: Vec::with_capacity(depth), written: vec![None; files] }
    }

    /// Adds `op` to the operations in flight.
    pub(crate) fn issue(&mut self, op: &Op) {
        self.in_flight.push(Span::of(op));
    }

    /// Removes `op`, which has completed, from the operations in flight.
    pub(crate) fn completed(&mut self, op: &Op) {
        let Span { kind, file, from, to } = Span::of(op);
        let same = |s: &Span| (s.kind, s.file, s.from, s.to) == (kind, file, from, to);
        let Some(at) = self.in_flight.iter().position(same) else { return };
        self.in_flight.swap_remove(at);
        if kind == Kind::Write {
            widen(&mut self.written[file as usize], from, to);
        }
    }

    /// Returns whether `op` overlaps an operation in flight.
    pub(crate) fn overlaps(&self, op: &Op) -> bool {
        let new = Span::of(op);
        self.in_flight.iter().any(|s| s.file == new.file && s.from < new.to && new.from < s.to)
    }

    /// Returns the start and end of the byte range of `file` that a sync now covers: bytes written since the last
    /// sync, and writes in flight. Writes in flight also belong to the next sync.
    pub(crate) fn sync(&mut self, file: u32) -> Option<(u64, u64)> {
        let mut range = self.written[file as usize].take();
        let writes = self.in_flight.iter().filter(|s| s.file == file && s.kind == Kind::Write);
        writes.for_each(|s| widen(&mut range, s.from, s.to));
        range
    }
}

fn widen(range: &mut Option<(u64, u64)>, from: u64, to: u64) {
    *range = Some(range.map_or((from, to), |(low, high)| (low.min(from), high.max(to))));
}
