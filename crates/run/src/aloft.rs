//! What flies and what was written, where the pattern has to know: `sync_file_range`, `serialize_overlap`.

use engine::{Kind, Op};

/// Bytes of a file.
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

/// See the module.
#[derive(Debug)]
pub(crate) struct Aloft {
    flying: Vec<Span>,
    /// Lowest and highest byte of each file that was written since it was last synced.
    written: Vec<Option<(u64, u64)>>,
}

impl Aloft {
    /// Of `files` files; nothing flies, and no more than `depth` ever will.
    pub(crate) fn new(files: usize, depth: usize) -> Self {
        Self { flying: Vec::with_capacity(depth), written: vec![None; files] }
    }

    /// `op` is on its way.
    pub(crate) fn issue(&mut self, op: &Op) {
        self.flying.push(Span::of(op));
    }

    /// `op` is done.
    pub(crate) fn landed(&mut self, op: &Op) {
        let Span { kind, file, from, to } = Span::of(op);
        let same = |s: &Span| (s.kind, s.file, s.from, s.to) == (kind, file, from, to);
        let Some(at) = self.flying.iter().position(same) else { return };
        self.flying.swap_remove(at);
        if kind == Kind::Write {
            widen(&mut self.written[file as usize], from, to);
        }
    }

    /// Whether `op` touches what flies.
    pub(crate) fn touches(&self, op: &Op) -> bool {
        let new = Span::of(op);
        self.flying.iter().any(|s| s.file == new.file && s.from < new.to && new.from < s.to)
    }

    /// `file` is synced now: what was written to it since it was last, and what is being written, as lowest and highest
    /// byte. What is being written belongs to the next sync too.
    pub(crate) fn sync(&mut self, file: u32) -> Option<(u64, u64)> {
        let mut range = self.written[file as usize].take();
        let writes = self.flying.iter().filter(|s| s.file == file && s.kind == Kind::Write);
        writes.for_each(|s| widen(&mut range, s.from, s.to));
        range
    }
}

fn widen(range: &mut Option<(u64, u64)>, from: u64, to: u64) {
    *range = Some(range.map_or((from, to), |(low, high)| (low.min(from), high.max(to))));
}
