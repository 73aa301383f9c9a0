//! Lines shown while a run goes on.

use stats::Live;

/// fio's ETA line, without the carriage return: `Jobs: 1 (f=1): [r(1)][50.0%][r=4004KiB/s][r=1001 IOPS][eta 00m:03s]`.
pub fn eta_line(_l: &Live) -> String {
    String::new()
}

/// fathom's own line: what runs, how far, rates; at most `width` columns.
pub fn status_line(_what: &str, _l: &Live, _width: usize) -> String {
    String::new()
}
