//! Opens the files that results are written to. Outputs go to regular files, pipes, terminals and `/dev/null`, and never
//! over anything else: every output of every command is opened here.

use facts::SysRoot;
use facts::file_usage::{FileUse, FilesInUse};
use job::exit_status::REFUSED;
use rustix::fd::AsRawFd;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;
use stats::output_fault::OutputFault;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Exit status of a command whose result could not be written.
pub const NOT_WRITTEN: i32 = 5;
/// Longest wait for a process that reads a named pipe.
const READER_WAIT: Duration = Duration::from_secs(2);

/// Why an output cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputError {
    /// Writing would destroy what the path names.
    Refused {
        /// The output.
        path: PathBuf,
        /// What it is.
        fault: OutputFault,
    },
    /// It cannot be opened or written.
    Failed {
        /// The output.
        path: PathBuf,
        /// Why.
        fault: OutputFault,
    },
}

impl OutputError {
    /// 3 where the output was refused for safety, else [`NOT_WRITTEN`].
    pub fn exit_code(&self) -> i32 {
        match self {
            OutputError::Refused { .. } => REFUSED,
            OutputError::Failed { .. } => NOT_WRITTEN,
        }
    }

    /// Returns the reason without the path.
    pub fn into_fault(self) -> OutputFault {
        match self {
            OutputError::Refused { fault, .. } | OutputError::Failed { fault, .. } => fault,
        }
    }
}

fn failed(path: &Path, e: &io::Error) -> OutputError {
    let other = || OutputFault::Other(e.to_string());
    let fault = e.raw_os_error().map_or_else(other, |errno| OutputFault::System { errno });
    OutputError::Failed { path: path.into(), fault }
}

/// Opens `path` for writing from its beginning; the file is made if there is none.
///
/// # Errors
/// [`OutputError::Refused`] for a block device, the backing file of a loop device, a swap file, and a character device
/// that is neither a terminal nor `/dev/null`; [`OutputError::Failed`] for what cannot be opened: a directory, a socket,
/// a named pipe without a reader.
pub fn open(path: &Path) -> Result<File, OutputError> {
    let file = open_kept(path)?;
    if file.metadata().is_ok_and(|meta| meta.is_file()) {
        file.set_len(0).map_err(|e| failed(path, &e))?;
    }
    Ok(file)
}

/// As [`open`], but what a file holds stays until it is truncated: nothing is lost where there will be nothing to write.
///
/// # Errors
/// As [`open`].
pub fn open_kept(path: &Path) -> Result<File, OutputError> {
    check(path)?;
    // Neither O_TRUNC, for what is opened is looked at first, nor a wait for the reader of a pipe.
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    let began = Instant::now();
    let file = loop {
        match rustix::fs::open(path, flags, Mode::from_raw_mode(0o666)) {
            Ok(file) => break File::from(file),
            Err(Errno::NXIO) if is_pipe(path) => {
                if began.elapsed() > READER_WAIT {
                    return Err(OutputError::Failed { path: path.into(), fault: OutputFault::NoReader });
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(e) => return Err(failed(path, &e.into())),
        }
    };
    let error = |e: io::Error| failed(path, &e);
    let meta = file.metadata().map_err(error)?;
    // The path may name something else by now.
    judge(path, &meta)?;
    let status = rustix::fs::fcntl_getfl(&file).map_err(|e| error(e.into()))?;
    rustix::fs::fcntl_setfl(&file, status - OFlags::NONBLOCK).map_err(|e| error(e.into()))?;
    Ok(file)
}

/// Writes all of `bytes` to `path`. A file gets its name when all of it is written, so that neither a signal nor a full
/// file system leaves a part of it; what the name stood for before stays until then.
///
/// # Errors
/// As [`open`], and what fails while it is written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    if let Err(e) = path.symlink_metadata()
        && e.kind() == io::ErrorKind::NotFound
        && let Some(written) = write_new(path, bytes)
    {
        return written.map_err(|e| failed(path, &e));
    }
    let old = path.symlink_metadata().ok();
    if let Some(old) = old.as_ref().filter(|old| old.is_file() && old.nlink() == 1) {
        check(path)?;
        if let Some(written) = replace(path, old, bytes) {
            return written.map_err(|e| failed(path, &e));
        }
    }
    let old = old.is_some();
    open(path)?.write_all(bytes).map_err(|e| {
        if !old {
            // What this call made holds nothing else.
            let _ = std::fs::remove_file(path);
        }
        failed(path, &e)
    })
}

/// Writes `bytes` to a file without a name and then names it; `None` where the file system or the kernel cannot do
/// that, or the name was taken meanwhile.
fn write_new(path: &Path, bytes: &[u8]) -> Option<io::Result<()>> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::open(parent, flags, Mode::from_raw_mode(0o666)).ok()?);
    if let Err(e) = file.write_all(bytes) {
        return Some(Err(e));
    }
    let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(CWD, unnamed, CWD, path, AtFlags::SYMLINK_FOLLOW).ok().map(Ok)
}

/// Writes `bytes` beside the file `path`, with the same mode and owner, and then puts them in its place; `None` where no
/// file can be made beside it.
fn replace(path: &Path, old: &Metadata, bytes: &[u8]) -> Option<io::Result<()>> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name()?);
    name.push(format!(".fathom-{}", std::process::id()));
    let beside = path.with_file_name(name);
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let mut file =
        File::from(rustix::fs::open(&beside, flags, Mode::from_raw_mode(old.mode() & 0o7777)).ok()?);
    // Another user's file stays his: it is written in place.
    let same = rustix::fs::fchmod(&file, Mode::from_raw_mode(old.mode() & 0o7777)).is_ok()
        && file.metadata().is_ok_and(|new| (new.uid(), new.gid()) == (old.uid(), old.gid()));
    let written = file.write_all(bytes);
    if !same || written.is_err() {
        let _ = std::fs::remove_file(&beside);
        return if same { Some(written) } else { None };
    }
    Some(std::fs::rename(&beside, path))
}

/// Whether `path` may be an output, as far as can be determined without opening it.
///
/// # Errors
/// As [`open`].
pub fn check(path: &Path) -> Result<(), OutputError> {
    match std::fs::metadata(path) {
        Ok(meta) => judge(path, &meta),
        // What is not there is made; other errors come again where it is opened.
        Err(_) => Ok(()),
    }
}

/// Whether `path` is none of `inputs`, under any of their names.
///
/// # Errors
/// [`OutputError::Refused`] with `fault` if it is one.
pub fn check_against<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
    fault: OutputFault,
) -> Result<(), OutputError> {
    let which =
        |path: &Path| std::fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino(), meta.is_file()));
    let Some(output @ (.., true)) = which(path) else { return Ok(()) };
    if inputs.into_iter().any(|input| which(input) == Some(output)) {
        return Err(OutputError::Refused { path: path.into(), fault });
    }
    Ok(())
}

/// As [`check`], for a file that a library opens by itself and keeps open for reading and writing, such as a database:
/// only a regular file can be one.
///
/// # Errors
/// As [`open`].
pub fn check_regular(path: &Path) -> Result<(), OutputError> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() || meta.is_dir() => judge_use(path, &meta).or_else(|e| match e {
            // The library says it in its own words.
            OutputError::Failed { .. } => Ok(()),
            refused @ OutputError::Refused { .. } => Err(refused),
        }),
        Ok(meta) => {
            let fault = kind_of(&meta).unwrap_or(OutputFault::NotRegular);
            Err(OutputError::Refused { path: path.into(), fault })
        }
        Err(_) => Ok(()),
    }
}

fn is_pipe(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo())
}

/// Returns what a file that is neither regular nor a directory is.
fn kind_of(meta: &Metadata) -> Option<OutputFault> {
    let kind = meta.file_type();
    match () {
        () if kind.is_block_device() => Some(OutputFault::BlockDevice),
        () if kind.is_char_device() => Some(OutputFault::CharacterDevice),
        () if kind.is_fifo() => Some(OutputFault::NamedPipe),
        () if kind.is_socket() => Some(OutputFault::Socket),
        () => None,
    }
}

/// Whether an output may replace what `path` names, by its kind, its use and what it holds.
fn judge(path: &Path, meta: &Metadata) -> Result<(), OutputError> {
    judge_use(path, meta)?;
    match carried(path, meta) {
        Some(fault) => Err(OutputError::Refused { path: path.into(), fault }),
        None => Ok(()),
    }
}

/// Does the same by the kind and the use of the file alone.
fn judge_use(path: &Path, meta: &Metadata) -> Result<(), OutputError> {
    let refused = |fault| Err(OutputError::Refused { path: path.into(), fault });
    let unfit = |fault| Err(OutputError::Failed { path: path.into(), fault });
    match FileType::from_raw_mode(meta.mode()) {
        FileType::RegularFile => match FilesInUse::look(&SysRoot::machine()).of((meta.dev(), meta.ino())) {
            // A file mounted over another one is how containers are given files to write to.
            Some(FileUse::Mounted { .. }) | None => Ok(()),
            Some(FileUse::Loop { by }) => refused(OutputFault::BackingFile { device: by.clone() }),
            Some(FileUse::Swap) => refused(OutputFault::Swap),
        },
        FileType::Fifo => Ok(()),
        FileType::CharacterDevice if takes_text(meta.rdev()) => Ok(()),
        FileType::CharacterDevice => refused(OutputFault::NoTerminal),
        FileType::BlockDevice => refused(OutputFault::BlockDevice),
        FileType::Directory => unfit(OutputFault::Directory),
        FileType::Socket => unfit(OutputFault::NotASocket),
        _ => unfit(OutputFault::NotWritable),
    }
}

/// Returns the file system, partition table or database that a regular file holds.
fn carried(path: &Path, meta: &Metadata) -> Option<OutputFault> {
    if !meta.is_file() || meta.len() == 0 {
        return None;
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let mut start = [0; DATABASE.len()];
    if file.read_exact_at(&mut start, 0).is_ok() && start == *DATABASE {
        return Some(OutputFault::Database);
    }
    let found = facts::signature::find(&file, meta.len()).ok()?;
    found.into_iter().next().map(|found| OutputFault::Holds { contents: found.what, offset: found.offset })
}

/// The beginning of an SQLite database.
const DATABASE: &[u8; 16] = b"SQLite format 3\0";

/// Terminals and `/dev/null`, `/dev/zero`, `/dev/full`, by the numbers that Linux gives them. Opening any other device to
/// see what it is may already act on it: it rewinds a tape or starts a watchdog.
fn takes_text(device: u64) -> bool {
    const NULL: [u32; 3] = [3, 5, 7];
    match (rustix::fs::major(device), rustix::fs::minor(device)) {
        (1, minor) => NULL.contains(&minor),
        // Virtual and serial consoles, pseudoterminals, USB and ARM serial lines, hypervisor consoles.
        (4 | 5 | 136..=143 | 166 | 188 | 204 | 229, _) => true,
        _ => false,
    }
}
