//! Width of the terminal.

use rustix::fd::AsFd;
use rustix::termios::tcgetwinsize;
use std::io::IsTerminal;

/// Columns of a terminal that does not report its width, such as a serial line.
const DEFAULT_COLUMNS: usize = 80;

/// Returns the columns of the terminal behind `stream`; `None` for a file or pipe.
pub fn columns<S: AsFd + IsTerminal>(stream: &S) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let known = tcgetwinsize(stream).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
    let said = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|n| *n > 0);
    Some(known.or_else(said).unwrap_or(DEFAULT_COLUMNS))
}

/// Returns the columns for text on standard output; `usize::MAX` for a file or pipe, in which nothing is cut.
pub fn width() -> usize {
    columns(&std::io::stdout()).unwrap_or(usize::MAX)
}

/// Returns the columns for a line on standard error that is redrawn: one less than the terminal has, so that the cursor
/// stays on the line.
pub fn live_width<S: AsFd + IsTerminal>(stream: &S) -> usize {
    columns(stream).map_or(usize::MAX, |columns| columns.saturating_sub(1).max(1))
}
