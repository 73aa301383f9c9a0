//! The card of a job run: what a person reads in ten seconds.

use stats::RunResult;

/// At most about 14 lines of `width` columns (at least 60), newline at the end.
pub fn render(_r: &RunResult, _width: usize) -> String {
    String::new()
}
