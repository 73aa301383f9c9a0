//! Size of the terminal, and its state when the message about a panic is printed.

use ratatui::Terminal;
use ratatui::backend::Backend;
use rustix::fd::AsFd;
use rustix::termios::tcgetwinsize;
use std::io::IsTerminal;
use std::sync::Once;

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

/// Largest screen that is drawn: a terminal may report 65535 x 65535, whose cells take gigabytes.
const LARGEST: (u16, u16) = (500, 200);
/// Size of a terminal that reports none (a serial line).
const UNKNOWN: (u16, u16) = (80, 24);

/// Returns the columns and rows of the terminal behind `stream`, which need not be the controlling one, as far as they are drawn.
pub fn screen_size<S: AsFd>(stream: &S) -> (u16, u16) {
    clamped(tcgetwinsize(stream).map_or(UNKNOWN, |size| (size.ws_col, size.ws_row)))
}

fn clamped(size: (u16, u16)) -> (u16, u16) {
    match size {
        (0, _) | (_, 0) => UNKNOWN,
        (columns, rows) => (columns.min(LARGEST.0), rows.min(LARGEST.1)),
    }
}

/// Drops the picture of a full-screen view. On a terminal that is gone, ratatui's own drop would panic.
pub fn drop_picture<B: Backend>(mut picture: Terminal<B>) {
    if picture.show_cursor().is_err() {
        std::mem::forget(picture);
    }
}

/// Has `restore` called before the message about a panic is printed, which could not be read on the screen of a view; once for
/// each value of `hooked`.
pub fn before_panic_messages(hooked: &Once, restore: fn()) {
    hooked.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            restore();
            report(info);
        }));
    });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_no_terminal_has_are_limited() {
        assert_eq!(clamped((65535, 65535)), LARGEST);
        assert_eq!(clamped((0, 0)), UNKNOWN);
        assert_eq!(clamped((1, 65535)), (1, LARGEST.1));
        assert_eq!(clamped((80, 24)), (80, 24));
    }
}
