//! Opens the files that results are written to. Outputs go to regular files, pipes, terminals and `/dev/null` only,
//! so that no other target is overwritten. Every output of every command is opened here.

use facts::SysRoot;
use facts::file_usage::{FileUse, FilesInUse};
use job::exit_status::REFUSED;
use rustix::fd::AsRawFd;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;
use stats::output_fault::OutputFault;
use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Exit status of a command whose result could not be written.
pub const NOT_WRITTEN: i32 = 5;
/// Longest wait for a process that reads a named pipe.
const READER_WAIT: Duration = Duration::from_secs(2);

/// Reason why an output cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputError {
    /// The write was refused because it would destroy the contents or use of the target.
    Refused {
        /// Path of the output.
        path: PathBuf,
        /// Kind, use or contents of the target.
        fault: OutputFault,
    },
    /// The output cannot be opened or written.
    Failed {
        /// Path of the output.
        path: PathBuf,
        /// Reason: an unsuitable kind of file, or an error of the system.
        fault: OutputFault,
    },
}

impl OutputError {
    /// Returns the exit status: 3 if the output was refused for safety, else [`NOT_WRITTEN`].
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

/// Returns the error of a failed write to `path`.
pub fn failed(path: &Path, e: &io::Error) -> OutputError {
    let other = || OutputFault::Other(e.to_string());
    let fault = e.raw_os_error().map_or_else(other, |errno| OutputFault::System { errno });
    OutputError::Failed { path: path.into(), fault }
}

/// Opens `path` for writing from its beginning; the file is created if it does not exist.
///
/// # Errors
/// [`OutputError::Refused`] for a block device, the backing file of a loop device, a swap file, a file that holds a
/// file system, partition table or database, and a character device that is neither a terminal nor `/dev/null`;
/// [`OutputError::Failed`] for a path that cannot be opened: a directory, a socket, a named pipe without a reader.
pub fn open(path: &Path) -> Result<File, OutputError> {
    open_kept(path).and_then(|file| truncated(path, file))
}

/// Returns the file without its contents, if it is a regular one.
fn truncated(path: &Path, file: File) -> Result<File, OutputError> {
    if file.metadata().is_ok_and(|meta| meta.is_file()) {
        file.set_len(0).map_err(|e| failed(path, &e))?;
    }
    Ok(file)
}

/// Opens `path` as [`open`] does, but does not truncate the file, so that its data is kept if no result follows.
///
/// # Errors
/// As [`open`].
pub fn open_kept(path: &Path) -> Result<File, OutputError> {
    open_judged(path, judge)
}

/// Opens as [`open_kept`] does; `judge` checks the file.
fn open_judged(path: &Path, judge: Judge) -> Result<File, OutputError> {
    check_with(path, judge)?;
    // Without O_TRUNC, because the opened file is checked first, and without waiting for the reader of a pipe.
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
    // The path may refer to another file by now.
    judge(path, &meta)?;
    let status = rustix::fs::fcntl_getfl(&file).map_err(|e| error(e.into()))?;
    rustix::fs::fcntl_setfl(&file, status - OFlags::NONBLOCK).map_err(|e| error(e.into()))?;
    Ok(file)
}

/// Opens `path` to append to an earlier output of the same kind, which begins with `head`; the file is created if it does not
/// exist.
///
/// # Errors
/// As [`check_begins`] and [`open`].
pub fn append(path: &Path, head: &[u8]) -> Result<File, OutputError> {
    check_begins(path, head)?;
    let file = open_judged(path, judge_use)?;
    let status = rustix::fs::fcntl_getfl(&file).map_err(|e| failed(path, &e.into()))?;
    rustix::fs::fcntl_setfl(&file, status | OFlags::APPEND).map_err(|e| failed(path, &e.into()))?;
    Ok(file)
}

/// Writes all of `bytes` to `path`. If possible, the file gets its name only when it is complete, so that neither a
/// signal nor a full file system leaves a partial file; until then, an existing file is kept. Pipes,
/// terminals and files with several hard links are written in place.
///
/// # Errors
/// As [`open`], and errors of the write.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write_over(path, bytes, judge)
}

/// Check of the file that an output replaces.
type Judge = fn(&Path, &Metadata) -> Result<(), OutputError>;

/// Writes as [`write`] does; `judge` checks the file that is replaced.
fn write_over(path: &Path, bytes: &[u8], judge: Judge) -> Result<(), OutputError> {
    if let Err(e) = path.symlink_metadata()
        && e.kind() == io::ErrorKind::NotFound
        && let Some(written) = write_new(path, bytes)
    {
        return written.map_err(|e| failed(path, &e));
    }
    let old = path.symlink_metadata().ok();
    if let Some(old) = old.as_ref().filter(|old| old.is_file() && old.nlink() == 1) {
        check_with(path, judge)?;
        if let Some(written) = replace(path, old, bytes) {
            return written.map_err(|e| failed(path, &e));
        }
    }
    let old = old.is_some();
    open_judged(path, judge).and_then(|file| truncated(path, file))?.write_all(bytes).map_err(|e| {
        if !old {
            // The file was created by this call and has no other data.
            let _ = std::fs::remove_file(path);
        }
        failed(path, &e)
    })
}

/// Writes `bytes` to an unnamed file (O_TMPFILE) and then links it to `path`. Returns `None` if the file system or
/// the kernel cannot do that, or if the path exists by now.
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

/// Writes `bytes` to a new file next to `path`, with the same mode and owner, and then renames it to `path`. Returns
/// `None` if no such file can be created.
fn replace(path: &Path, old: &Metadata, bytes: &[u8]) -> Option<io::Result<()>> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name()?);
    name.push(format!(".fathom-{}", std::process::id()));
    let beside = path.with_file_name(name);
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let mut file =
        File::from(rustix::fs::open(&beside, flags, Mode::from_raw_mode(old.mode() & 0o7777)).ok()?);
    // A file of another user keeps its owner: it is written in place.
    let same = rustix::fs::fchmod(&file, Mode::from_raw_mode(old.mode() & 0o7777)).is_ok()
        && file.metadata().is_ok_and(|new| (new.uid(), new.gid()) == (old.uid(), old.gid()));
    let written = file.write_all(bytes);
    if !same || written.is_err() {
        let _ = std::fs::remove_file(&beside);
        return if same { Some(written) } else { None };
    }
    Some(std::fs::rename(&beside, path))
}

/// Checks that `path` may be an output, as far as possible without opening it.
///
/// # Errors
/// As [`open`].
pub fn check(path: &Path) -> Result<(), OutputError> {
    check_with(path, judge)
}

fn check_with(path: &Path, judge: Judge) -> Result<(), OutputError> {
    match std::fs::metadata(path) {
        Ok(meta) => judge(path, &meta),
        // A file that does not exist will be created; other errors occur again at the open.
        Err(_) => Ok(()),
    }
}

/// Checks that `path` is none of `inputs`, under any of their names.
///
/// # Errors
/// [`OutputError::Refused`] with `fault` if it is one of them.
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

/// Checks, as [`check`], a file that a library opens itself for reading and writing, such as a database: only a
/// regular file is accepted.
///
/// # Errors
/// As [`open`].
pub fn check_regular(path: &Path) -> Result<(), OutputError> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() || meta.is_dir() => judge_use(path, &meta).or_else(|e| match e {
            // The library reports this error itself.
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

/// Checks that `path` is no file, an empty one, or one that begins with `head`, as an earlier output of the same kind
/// does.
///
/// # Errors
/// As [`check`], and [`OutputFault::OtherText`].
pub fn check_begins(path: &Path, head: &[u8]) -> Result<(), OutputError> {
    check_own(path, &|start| start.starts_with(head))
}

/// Checks that `path` is no file, an empty one, or one whose first [`START`] bytes `is_own` recognizes as those of an
/// earlier output of the same kind.
///
/// # Errors
/// As [`check`], and [`OutputFault::OtherText`].
pub fn check_own(path: &Path, is_own: &dyn Fn(&[u8]) -> bool) -> Result<(), OutputError> {
    let Ok(meta) = std::fs::metadata(path) else { return Ok(()) };
    judge_use(path, &meta)?;
    if begins(path, &meta, is_own) == Some(true) {
        return Ok(());
    }
    judge(path, &meta)?;
    match begins(path, &meta, is_own) {
        Some(false) => Err(OutputError::Refused { path: path.into(), fault: OutputFault::OtherText }),
        _ => Ok(()),
    }
}

/// Number of bytes of a file by which an earlier output is recognized.
pub const START: u64 = 4096;

/// Returns whether `is_own` recognizes the start of a file; `None` for an empty file, one that cannot be read, and one
/// that is not regular: the open of a named pipe would wait for a process that writes to it.
fn begins(path: &Path, meta: &Metadata, is_own: &dyn Fn(&[u8]) -> bool) -> Option<bool> {
    let file = (meta.is_file() && meta.len() > 0).then(|| File::open(path).ok())??;
    let mut start = Vec::new();
    Some(file.take(START).read_to_end(&mut start).is_ok() && is_own(&start))
}

/// Writes all of `bytes` to `path` as [`write`] does, but replaces only an earlier output of the same kind, which begins
/// with `head`; also one of a format that [`open`] refuses, such as an image.
///
/// # Errors
/// As [`check_begins`], and errors of the write.
pub fn write_own(path: &Path, head: &[u8], bytes: &[u8]) -> Result<(), OutputError> {
    let is_own = |start: &[u8]| start.starts_with(head);
    check_own(path, &is_own)?;
    match std::fs::metadata(path).ok().filter(|meta| begins(path, meta, &is_own) == Some(true)) {
        Some(_) => write_over(path, bytes, judge_use),
        None => write_over(path, bytes, judge),
    }
}

fn is_pipe(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo())
}

/// Returns the kind of a file that is neither regular nor a directory; `None` for other files.
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

/// Checks that an output may replace the file at `path`, by its kind, its use and its contents.
///
/// # Errors
/// As [`open`].
fn judge(path: &Path, meta: &Metadata) -> Result<(), OutputError> {
    judge_use(path, meta)?;
    match carried(path, meta) {
        Some(fault) => Err(OutputError::Refused { path: path.into(), fault }),
        None => Ok(()),
    }
}

/// Checks the kind and the use of the file only.
///
/// # Errors
/// As [`open`].
fn judge_use(path: &Path, meta: &Metadata) -> Result<(), OutputError> {
    let refused = |fault| Err(OutputError::Refused { path: path.into(), fault });
    let unfit = |fault| Err(OutputError::Failed { path: path.into(), fault });
    match FileType::from_raw_mode(meta.mode()) {
        FileType::RegularFile => match FilesInUse::look(&SysRoot::machine()).of((meta.dev(), meta.ino())) {
            // Containers get files to write to by bind mounts over other files.
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

/// Returns the file system, partition table or database that a regular file holds; `None` for any other contents.
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

/// First bytes of an SQLite database.
const DATABASE: &[u8; 16] = b"SQLite format 3\0";

/// Returns whether a character device is a terminal, `/dev/null`, `/dev/zero` or `/dev/full`, by Linux's device
/// numbers. Other devices are not opened to find out, because the open itself may have effects: it rewinds a tape or
/// starts a watchdog.
fn takes_text(device: u64) -> bool {
    const NULL: [u32; 3] = [3, 5, 7];
    match (rustix::fs::major(device), rustix::fs::minor(device)) {
        (1, minor) => NULL.contains(&minor),
        // Virtual and serial consoles, pseudoterminals, USB and ARM serial lines, hypervisor consoles.
        (4 | 5 | 136..=143 | 166 | 188 | 204 | 229, _) => true,
        _ => false,
    }
}
