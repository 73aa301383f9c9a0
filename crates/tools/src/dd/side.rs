//! Input and output of a copy: opening, flags, closing, and advice to drop what was copied from the page cache.

use super::operands::{Conversions, Flags, Operands};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Advice, FileType, Mode, OFlags, SeekFrom, fadvise, fcntl_getfl, fcntl_setfl, fstat, seek};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::io::{Stdin, Stdout};
use std::num::NonZeroU64;
use std::sync::OnceLock;

/// Descriptor of a side: opened here, or inherited.
#[derive(Debug)]
pub enum Descriptor {
    /// Opened by name.
    Own(OwnedFd),
    /// Standard input or output.
    Standard(BorrowedFd<'static>),
}

impl AsFd for Descriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Descriptor::Own(own) => own.as_fd(),
            Descriptor::Standard(standard) => *standard,
        }
    }
}

fn standard_input() -> BorrowedFd<'static> {
    static INPUT: OnceLock<Stdin> = OnceLock::new();
    INPUT.get_or_init(std::io::stdin).as_fd()
}

fn standard_output() -> BorrowedFd<'static> {
    static OUTPUT: OnceLock<Stdout> = OnceLock::new();
    OUTPUT.get_or_init(std::io::stdout).as_fd()
}

/// Reason why a side cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// The file cannot be opened.
    Open(Errno),
    /// The flags of the inherited descriptor cannot be set.
    SetFlags(Errno),
}

/// Returns the flags of open(2) for the flags of an operand.
fn open_flags(flags: Flags, input: bool) -> OFlags {
    let mut set = OFlags::empty();
    let pairs = [
        (Flags::APPEND, OFlags::APPEND),
        (Flags::DIRECT, OFlags::DIRECT),
        (Flags::DIRECTORY, OFlags::DIRECTORY),
        (Flags::DSYNC, OFlags::DSYNC),
        (Flags::SYNC, OFlags::SYNC),
        (Flags::NOATIME, OFlags::NOATIME),
        (Flags::NOCTTY, OFlags::NOCTTY),
        (Flags::NOFOLLOW, OFlags::NOFOLLOW),
        (Flags::NONBLOCK, OFlags::NONBLOCK),
    ];
    for (flag, open) in pairs {
        if flags.has(flag) {
            set |= open;
        }
    }
    if input && flags.has_any(Flags::DSYNC.with(Flags::SYNC)) {
        set |= OFlags::RSYNC;
    }
    set
}

/// Opens the input.
///
/// # Errors
/// The file cannot be opened (EINTR: a signal arrived first), or the flags of standard input cannot be set.
pub fn open_input(operands: &Operands) -> Result<Descriptor, OpenError> {
    let flags = open_flags(operands.input_flags, true);
    match &operands.input {
        Some(path) => open(path, flags | OFlags::RDONLY, Mode::empty()),
        None => inherited(standard_input(), flags),
    }
}

/// Opens the output, and truncates it unless a part of it is kept.
///
/// # Errors
/// The file cannot be opened (EINTR: a signal arrived first), or the flags of standard output cannot be set.
pub fn open_output(operands: &Operands) -> Result<Descriptor, OpenError> {
    let mut flags = open_flags(operands.output_flags, false);
    let Some(path) = &operands.output else { return inherited(standard_output(), flags) };
    let conversions = operands.conversions;
    flags.set(OFlags::CREATE, !conversions.has(Conversions::NOCREAT));
    flags.set(OFlags::EXCL, conversions.has(Conversions::EXCL));
    let keeps = operands.seek.blocks > 0 || conversions.has(Conversions::NOTRUNC);
    flags.set(OFlags::TRUNC, !keeps);
    let mode = Mode::from_raw_mode(0o666);
    // What cannot be positioned is read up to the offset, so it has to be readable.
    if operands.seek.blocks > 0 {
        match open(path, flags | OFlags::RDWR, mode) {
            Err(OpenError::Open(e)) if e != Errno::INTR => {}
            done => return done,
        }
    }
    open(path, flags | OFlags::WRONLY, mode)
}

fn open(path: &OsStr, flags: OFlags, mode: Mode) -> Result<Descriptor, OpenError> {
    rustix::fs::open(path, flags | OFlags::CLOEXEC, mode).map(Descriptor::Own).map_err(OpenError::Open)
}

fn inherited(descriptor: BorrowedFd<'static>, mut added: OFlags) -> Result<Descriptor, OpenError> {
    let mut set = || -> Result<(), Errno> {
        added.remove(OFlags::NOCTTY);
        if added.is_empty() {
            return Ok(());
        }
        let old = fcntl_getfl(descriptor)?;
        if added.contains(OFlags::DIRECTORY) {
            // The flag acts only at open.
            if FileType::from_raw_mode(fstat(descriptor)?.st_mode) != FileType::Directory {
                return Err(Errno::NOTDIR);
            }
            added.remove(OFlags::DIRECTORY);
        }
        if old | added != old { fcntl_setfl(descriptor, old | added) } else { Ok(()) }
    };
    set().map_err(OpenError::SetFlags)?;
    Ok(Descriptor::Standard(descriptor))
}

/// Bytes between two calls of [`CacheAdvice::passed`] that reach the kernel.
const ADVICE_STEP: u64 = 128 << 10;

/// Advice to the kernel to drop copied bytes from the page cache (`nocache`).
#[derive(Debug, Default)]
pub struct CacheAdvice {
    /// Bytes passed since the last advice.
    pending: u64,
}

impl CacheAdvice {
    /// Counts `bytes` that end at the offset `end` of the file, and advises once enough have come together.
    pub fn passed<Fd: AsFd>(&mut self, file: Fd, bytes: u64, end: impl Fn() -> Option<u64>) {
        self.pending += bytes;
        if self.pending >= ADVICE_STEP
            && let Some(end) = end()
        {
            let length = self.pending - self.pending % ADVICE_STEP;
            self.pending -= length;
            let start = end.saturating_sub(self.pending + length);
            // The call is only advice, so its errors are ignored.
            let _ = fadvise(file, start, NonZeroU64::new(length), Advice::DontNeed);
        }
    }

    /// Advises about the rest, up to the end of the file if `to_end`; `end` is the offset behind the bytes passed.
    ///
    /// # Errors
    /// The file has no offset, or the kernel refuses the advice.
    pub fn rest<Fd: AsFd>(&mut self, file: Fd, to_end: bool, end: Option<u64>) -> Result<(), Errno> {
        let pending = std::mem::take(&mut self.pending);
        if pending == 0 && !to_end {
            return Ok(());
        }
        let mut start = end.ok_or(Errno::SPIPE)?.saturating_sub(pending);
        let length = if to_end { None } else { NonZeroU64::new(pending) };
        if length.is_none() {
            // Only whole pages are dropped.
            start -= start % rustix::param::page_size() as u64;
        }
        fadvise(file, start, length, Advice::DontNeed)
    }
}

/// Returns the offset of a descriptor.
///
/// # Errors
/// It has none: a pipe, socket or terminal.
pub fn offset<Fd: AsFd>(file: Fd) -> Result<u64, Errno> {
    seek(file, SeekFrom::Current(0))
}
