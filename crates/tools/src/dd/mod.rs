//! The job of `dd`: copies blocks and counts them, with the semantics of GNU coreutils 9.1 and fathom's consent for devices.

mod account;
mod conversion;
mod copier;
pub mod message;
pub mod number;
pub mod operands;
mod positioning;
mod side;

use account::{Account, OutputPlace};
use copier::{Copier, Stop};
use facts::SysRoot;
use facts::layers::DeviceNumber;
use message::{Console, Event, Message};
use operands::{Operands, Status};
use run::consent::{self, Consent, Guard, Policy};
use run::refusal::{Found, Refusal, RefusalReason, Writer};
use rustix::fs::{FileType, fstat};
use rustix::io::Errno;
use side::{Descriptor, OpenError};
use stats::dd::{CopyAccount, CopyCounts, CopySink};
use std::ffi::OsString;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Instant;
use sys::close::Standard;

pub use sys::interrupts::die_of;
pub use sys::locale;
pub use sys::startup::{is_closed, restore_inherited};

/// End of a copy.
#[derive(Debug)]
pub enum End {
    /// The copy ended; the account is there if it was wanted and the copy began.
    Done {
        /// Whether an error was reported.
        failed: bool,
        /// What the statistics leave out.
        account: Option<Box<CopyAccount>>,
    },
    /// The output must not be overwritten; nothing was opened for writing.
    Refused(Box<Refusal>),
    /// A signal arrived and is to end the program.
    Interrupted(i32),
}

/// Names of standard input and output in messages.
#[derive(Clone, Copy, Debug)]
pub struct StandardNames {
    /// Name of standard input.
    pub input: &'static str,
    /// Name of standard output.
    pub output: &'static str,
}

/// Copies as `operands` say. Messages and statistics go to `console` while the copy runs.
pub fn copy(operands: &Operands, names: StandardNames, console: &mut dyn Console, root: &SysRoot) -> End {
    // Without the handlers, the signals have their default action.
    let _ = sys::interrupts::watch();
    let began = Instant::now();
    let input_name = operands.input.clone().unwrap_or_else(|| names.input.into());
    let output_name = operands.output.clone().unwrap_or_else(|| names.output.into());
    let without_statistics = || End::Done { failed: true, account: None };
    let input = match opened(side::open_input, operands, &input_name, console, began) {
        Ok(input) => input,
        Err(end) => return end,
    };
    let position = side::offset(&input);
    let checked = match check(operands, root) {
        Ok(checked) => checked,
        Err(refusal) => return End::Refused(refusal),
    };
    if let Some(blocks) = offset_too_large(operands) {
        let event = Event::OffsetTooLarge { blocks, block: operands.obs };
        console.message(&Message { event, file: output_name, errno: None });
        return without_statistics();
    }
    let output = match opened(side::open_output, operands, &output_name, console, began) {
        Ok(output) => output,
        Err(end) => return end,
    };
    if let Err(refusal) = checked.confirm(&output) {
        return End::Refused(refusal);
    }
    if let Some((bytes, e)) = cut(operands, &output) {
        let event = Event::Truncate { bytes };
        console.message(&Message { event, file: output_name.clone(), errno: Some(e.raw_os_error()) });
    }
    let wants_account = !operands.own.plain && operands.status > Status::NoTransfer;
    let account = wants_account.then(|| Account::begin(root, operands, &input, position.ok()));
    let names = (input_name.clone(), output_name.clone());
    let mut copier = Copier::new(operands, console, (input, output), names, position);
    let result = copier.run();
    let counts = copier.counts;
    let flush_failed = copier.flush_failed;
    let wants_place = wants_account || operands.own.sync_after;
    let place = if wants_place { OutputPlace::of(&copier.output) } else { None };
    let (started, input, output) = copier.into_parts();
    // The close of the output is the last one of a device, which flushes it, only if the guard does not hold it.
    drop(checked);
    let failed = result != Ok(false);
    if result != Err(Stop::WithoutStatistics) {
        for (descriptor, event, file) in
            [(input, Event::CloseInput, &input_name), (output, Event::CloseOutput, &output_name)]
        {
            if let Err(e) = close(descriptor, event == Event::CloseInput) {
                console.message(&Message { event, file: file.clone(), errno: e.raw_os_error() });
                return without_statistics();
            }
        }
    }
    let elapsed = started.elapsed();
    match result {
        Err(Stop::WithoutStatistics) => without_statistics(),
        Err(Stop::Interrupted(signal)) => {
            console.statistics(&counts, elapsed);
            End::Interrupted(signal)
        }
        Ok(_) | Err(Stop::Failed | Stop::Aborted) => {
            console.statistics(&counts, elapsed);
            let mut sink = match &place {
                Some(place) if wants_account => place.sink(root, operands, &counts),
                _ => CopySink::NoStorage,
            };
            let flushed = place.filter(|_| operands.own.sync_after).map(|place| place.flush());
            if let Some(Err(e)) = flushed {
                let errno = Some(e.raw_os_error());
                console.message(&Message { event: Event::Flush, file: output_name, errno });
            }
            let not_flushed = matches!(flushed, Some(Err(_)));
            if let CopySink::Storage { lost, .. } = &mut sink {
                *lost = flush_failed || not_flushed;
            }
            // After a failed flush, the kernel lets the next one succeed, though data are lost.
            let flush = flushed.and_then(Result::ok).filter(|_| !flush_failed);
            let account =
                account.map(|account| Box::new(account.end(root, (counts, elapsed), (sink, flush))));
            End::Done { failed: failed || not_flushed, account }
        }
    }
}

/// Opens a side. The open of a named pipe waits for its other end, so signals are handled meanwhile.
///
/// # Errors
/// The end of the program: the side cannot be opened, which was reported, or a signal asked for the end.
fn opened(
    open: fn(&Operands) -> Result<Descriptor, OpenError>,
    operands: &Operands,
    name: &OsString,
    console: &mut dyn Console,
    began: Instant,
) -> Result<Descriptor, End> {
    loop {
        if let Some(signal) = copier::ending(console, &CopyCounts::default(), began) {
            console.statistics(&CopyCounts::default(), began.elapsed());
            return Err(End::Interrupted(signal));
        }
        let (event, e) = match open(operands) {
            Ok(side) => return Ok(side),
            Err(OpenError::Open(Errno::INTR)) => continue,
            Err(OpenError::Open(e)) => (Event::Open, e),
            Err(OpenError::SetFlags(e)) => (Event::SetFlags, e),
        };
        console.message(&Message { event, file: name.clone(), errno: Some(e.raw_os_error()) });
        return Err(End::Done { failed: true, account: None });
    }
}

/// Returns the number of blocks of `seek` if their end is no offset of a file, which cannot be truncated there.
fn offset_too_large(operands: &Operands) -> Option<u64> {
    (operands.output.is_some() && operands.seek.in_bytes(operands.obs).is_none())
        .then_some(operands.seek.blocks)
}

/// Cuts or extends the output at the offset of `seek`. Returns the size and the error where that matters: of a file or
/// directory.
fn cut(operands: &Operands, output: &Descriptor) -> Option<(u64, Errno)> {
    let keeps = operands.conversions.has(operands::Conversions::NOTRUNC);
    if operands.output.is_none() || operands.seek.blocks == 0 || keeps {
        return None;
    }
    let bytes = operands.seek.in_bytes(operands.obs)?;
    let e = rustix::fs::ftruncate(output, bytes).err()?;
    let kind = FileType::from_raw_mode(fstat(output).ok()?.st_mode);
    matches!(kind, FileType::RegularFile | FileType::Directory).then_some((bytes, e))
}

fn close(descriptor: Descriptor, input: bool) -> std::io::Result<()> {
    match descriptor {
        Descriptor::Own(own) => sys::close::close(own),
        // Without /dev/null, the end of the program closes the descriptor.
        Descriptor::Standard(_) if sys::startup::is_closed(i32::from(!input)) => Err(Errno::BADF.into()),
        Descriptor::Standard(_) => {
            let _ = sys::close::close_standard(if input { Standard::Input } else { Standard::Output });
            Ok(())
        }
    }
}

/// Output whose overwriting is permitted.
struct Checked {
    path: PathBuf,
    /// Number of the device; `None` if the output is no block device.
    device: Option<u64>,
    _guard: Guard,
}

/// Checks that the output may be overwritten: an empty or named device, or a file that the system does not use.
fn check(operands: &Operands, root: &SysRoot) -> Result<Checked, Box<Refusal>> {
    let path = match &operands.output {
        Some(path) => PathBuf::from(path),
        None => standard_output_path(),
    };
    let meta = std::fs::metadata(&path).ok();
    let consent = Consent::new(Policy::Fio, operands.own.allow_destroy.clone());
    if let Some(meta) = &meta
        && is_raw_flash(root, meta)
        && !consent.covers(meta)
    {
        return Err(Box::new(refusal(&path, Found::NotExamined)));
    }
    let device = meta.filter(|meta| meta.file_type().is_block_device()).map(|meta| meta.rdev());
    let guard = consent::check_one(&path, "dd", &consent, root).map_err(Box::new)?;
    Ok(Checked { path, device, _guard: guard })
}

/// Returns the name of the file or device that is standard output, or a path to its descriptor if the name was removed or
/// leads to another file now.
fn standard_output_path() -> PathBuf {
    let descriptor = PathBuf::from("/proc/self/fd/1");
    let identity = |path: &Path| std::fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()));
    let named = std::fs::read_link(&descriptor).ok();
    named.filter(|named| identity(named) == identity(&descriptor)).unwrap_or(descriptor)
}

impl Checked {
    /// Checks that the opened output is not a device other than the one that was checked.
    fn confirm(&self, output: &Descriptor) -> Result<(), Box<Refusal>> {
        let Ok(found) = fstat(output) else { return Ok(()) };
        let block = FileType::from_raw_mode(found.st_mode) == FileType::BlockDevice;
        if block && self.device != Some(found.st_rdev) {
            return Err(Box::new(refusal(&self.path, Found::Replaced)));
        }
        Ok(())
    }
}

/// Returns whether a character device is flash or DAX memory.
fn is_raw_flash(root: &SysRoot, meta: &std::fs::Metadata) -> bool {
    let number = DeviceNumber::from_raw(meta.rdev());
    let subsystem = || root.link_name(format!("/sys/dev/char/{number}/subsystem"));
    meta.file_type().is_char_device()
        && subsystem().is_some_and(|name| ["mtd", "ubi", "dax"].contains(&&*name))
}

fn refusal(path: &Path, found: Found) -> Refusal {
    let writer = Writer::Command("dd");
    let reason = RefusalReason::Overwrite { writer, found: vec![found], policy: Policy::Fio };
    Refusal { path: path.to_owned(), reason }
}
