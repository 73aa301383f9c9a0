//! Opening of files in traces that have no record of it: before its first I/O.

use super::{Action, Record};

/// Files that were opened, and the I/O that waits while its file is opened.
#[derive(Debug, Default)]
pub(super) struct Opening {
    open: Vec<bool>,
    waiting: Option<Record>,
}

impl Opening {
    /// Returns the I/O whose file was opened by the record before.
    pub(super) fn take_waiting(&mut self) -> Option<Record> {
        self.waiting.take()
    }

    /// Returns the I/O, or at the first one of a file the opening of the file; the I/O then waits.
    pub(super) fn opened_first(&mut self, io: Record) -> Record {
        let file = io.file as usize;
        if self.open.len() <= file {
            self.open.resize(file + 1, false);
        }
        if std::mem::replace(&mut self.open[file], true) {
            return io;
        }
        self.waiting = Some(io);
        Record { action: Action::Open, offset: 0, length: 0, ..io }
    }
}
