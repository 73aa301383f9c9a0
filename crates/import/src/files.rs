//! Files below a directory, and their opening without waiting.

use crate::remark::Remark;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Largest number of bytes read to see whether a file is a text.
const HEAD: u64 = 1 << 20;
/// Largest depth of directories.
const DEEPEST: usize = 16;
/// Flag of open(2): a read that would wait fails. Some files of the kernel look regular and block.
const NONBLOCK: i32 = rustix::fs::OFlags::NONBLOCK.bits() as i32;

/// Appends the files of a directory and its subdirectories that are wanted, sorted by name with numbers by value: 2 before
/// 10. Symbolic links to directories are not followed.
pub(crate) fn walk(
    directory: &Path,
    wanted: &dyn Fn(&Path) -> bool,
    files: &mut Vec<PathBuf>,
    skipped: &mut Vec<(PathBuf, Remark)>,
) {
    descend(directory, 0, wanted, files, skipped);
}

fn descend(
    directory: &Path,
    depth: usize,
    wanted: &dyn Fn(&Path) -> bool,
    files: &mut Vec<PathBuf>,
    skipped: &mut Vec<(PathBuf, Remark)>,
) {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(why) => return skipped.push((directory.to_path_buf(), why.into())),
    };
    let mut paths: Vec<(PathBuf, bool)> =
        entries.flatten().map(|entry| (entry.path(), entry.file_type().is_ok_and(|t| t.is_dir()))).collect();
    paths.sort_by(|(a, _), (b, _)| alphanumeric_sort::compare_path(a, b));
    for (path, is_directory) in paths {
        if !is_directory && wanted(&path) {
            files.push(path);
        } else if is_directory && depth < DEEPEST {
            descend(&path, depth + 1, wanted, files, skipped);
        }
    }
}

/// Opens a regular file for reading.
///
/// # Errors
/// The path is no regular file, or cannot be opened.
pub(crate) fn open(path: &Path) -> Result<File, Remark> {
    // Opening a pipe without a writer would block forever.
    if !std::fs::metadata(path)?.is_file() {
        return Err(Remark::NotRegular);
    }
    Ok(File::options().read(true).custom_flags(NONBLOCK).open(path)?)
}

/// Reads the beginning of a file, at most [`HEAD`] bytes.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn head(file: &mut File) -> Result<Vec<u8>, Remark> {
    let mut bytes = Vec::new();
    file.take(HEAD).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns whether bytes are no text: zeros outside of UTF-16, or many that are no UTF-8 in the first kilobytes. Data files
/// lie beside the results of benchmarks.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(8192)];
    let wide = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    let wrong = String::from_utf8_lossy(head).chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    !wide && (head.iter().filter(|byte| **byte == 0).count() > head.len() / 50 || wrong > head.len() / 10)
}
