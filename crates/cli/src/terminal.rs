//! How wide the screen is that text goes to.

use rustix::fd::AsFd;
use rustix::termios::tcgetwinsize;
use std::io::IsTerminal;

/// Columns of a terminal that does not say how wide it is (a serial line).
const DEFAULT_COLUMNS: usize = 80;

/// Columns of the terminal behind `stream`; `None` for a file or pipe.
pub fn columns<S: AsFd + IsTerminal>(stream: &S) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let known = tcgetwinsize(stream).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
    let said = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|n| *n > 0);
    Some(known.or_else(said).unwrap_or(DEFAULT_COLUMNS))
}

/// Columns for text on standard output; `usize::MAX` where that is a file or pipe, in which nothing is cut.
pub fn width() -> usize {
    columns(&std::io::stdout()).unwrap_or(usize::MAX)
}

/// Columns for a line on standard error that is drawn again and again: one less than the terminal has, so that the cursor
/// stays in the row.
pub fn live_width<S: AsFd + IsTerminal>(stream: &S) -> usize {
    columns(stream).map_or(usize::MAX, |columns| columns.saturating_sub(1).max(1))
}
