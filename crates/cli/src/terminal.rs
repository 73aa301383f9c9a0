//! Size of the terminal.

use rustix::fd::AsFd;
use rustix::termios::tcgetwinsize;
use std::io::IsTerminal;

/// Assumed width of a terminal that does not report its width (a serial line), in columns.
const DEFAULT_COLUMNS: usize = 80;

/// Returns the width of the terminal behind `stream`, in columns; `None` for a file or pipe.
pub fn columns<S: AsFd + IsTerminal>(stream: &S) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let known = tcgetwinsize(stream).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
    let said = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|n| *n > 0);
    Some(known.or_else(said).unwrap_or(DEFAULT_COLUMNS))
}

/// Returns the columns and rows of the terminal behind `stream`; 80 by 24 if it does not report them.
pub fn size<S: AsFd>(stream: &S) -> (u16, u16) {
    let known = tcgetwinsize(stream).ok().filter(|size| size.ws_col > 0 && size.ws_row > 0);
    known.map_or((80, 24), |size| (size.ws_col, size.ws_row))
}

/// Returns the width for text on standard output, in columns; `usize::MAX` for a file or pipe, where nothing is cut.
pub fn width() -> usize {
    columns(&std::io::stdout()).unwrap_or(usize::MAX)
}

/// Returns the width for a line that is drawn repeatedly on `stream`, in columns: one less than the terminal's, so that
/// the cursor stays in the row.
pub fn live_width<S: AsFd + IsTerminal>(stream: &S) -> usize {
    columns(stream).map_or(usize::MAX, |columns| columns.saturating_sub(1).max(1))
}
