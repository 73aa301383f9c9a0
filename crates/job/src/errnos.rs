//! Lists of errors of `ignore_error`.

use crate::bad_value::BadValue;

/// Error numbers that `continue_on_error` ignores without a list: EIO and EILSEQ.
pub const USUAL: [i32; 2] = [5, 84];

/// Names of errors that fio accepts; the first is error number 1.
const NAMES: [&str; 34] = [
    "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC", "EBADF", "ECHILD", "EAGAIN",
    "ENOMEM", "EACCES", "EFAULT", "ENOTBLK", "EBUSY", "EEXIST", "EXDEV", "ENODEV", "ENOTDIR", "EISDIR",
    "EINVAL", "ENFILE", "EMFILE", "ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC", "ESPIPE", "EROFS", "EMLINK",
    "EPIPE", "EDOM", "ERANGE",
];

/// Reads lists of errors for reads, writes and verification (`EIO:28,ENOSPC`) and returns error numbers.
///
/// # Errors
/// An error is unknown, or the text has more than three lists.
pub fn lists(text: &str) -> Result<[Vec<i32>; 3], BadValue> {
    let mut lists = [const { Vec::new() }; 3];
    for (at, part) in text.split(',').enumerate() {
        let Some(list) = lists.get_mut(at) else {
            return Err(BadValue::TooManyErrorLists);
        };
        // fio stops at the first empty name.
        for name in part.split(':').take_while(|name| !name.is_empty()) {
            list.push(errno(name).ok_or_else(|| BadValue::UnknownErrno { name: name.to_owned() })?);
        }
    }
    Ok(lists)
}

fn errno(name: &str) -> Option<i32> {
    if name.starts_with('E') {
        return NAMES.iter().position(|known| *known == name).map(|at| at as i32 + 1);
    }
    // As in atoi, text after the digits is ignored.
    let unsigned = name.strip_prefix(['-', '+']).unwrap_or(name);
    let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    let number = unsigned[..digits].parse::<i32>().ok().filter(|number| *number != 0)?;
    Some(if name.starts_with('-') { -number } else { number })
}
