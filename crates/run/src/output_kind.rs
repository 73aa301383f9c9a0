//! Recognizes earlier outputs of fio and fathom by their first bytes, so that an output replaces no other file.

use crate::verify::state::State;
use flate2::read::ZlibDecoder;
use stats::log_sample::LogSample;
use std::io::Read;

/// Longest row of a compressed log in bytes.
const LONGEST_ROW: u64 = 40;

/// Returns whether a file begins as a result of fio in JSON, or as one of fathom; messages of fio may precede it.
pub fn json(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let mut lines = text.lines().skip_while(|line| line.starts_with("fio: "));
    lines.next() == Some("{")
        && lines.next().is_some_and(|line| line.trim_start().starts_with("\"fio version\""))
}

/// Returns whether a file begins as a document of `fathom export` of a run.
pub fn exported_run(start: &[u8]) -> bool {
    start.starts_with(b"{\"jobs\":[")
}

/// Returns whether a file begins as a report of fio or fathom about a run: JSON, terse or text.
pub fn report(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let mut lines = text.lines().skip_while(|line| line.starts_with("fio: ") || *line == "...");
    let Some(first) = lines.next() else { return false };
    let terse = || {
        let mut fields = first.split(';');
        let version = fields.next().is_some_and(|version| matches!(version, "2" | "3" | "4" | "5"));
        version && fields.count() > 40
    };
    let own = || first.strip_prefix("fathom").is_some_and(|rest| rest.starts_with("   "));
    let fio = || {
        first.starts_with("fio-")
            || first.starts_with("Starting ")
            || first.contains(": (g=") && (first.contains("): rw=") || first.contains("groupid="))
    };
    json(start) || terse() || own() || fio()
}

/// Returns whether a file begins as a log over time.
pub fn log(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    // The last row may be cut off.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let number = |column: &str| match column.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => column.parse::<u64>().ok().filter(|_| !column.starts_with('+')),
    };
    let row = |line: &str| {
        let columns: Option<Vec<u64>> = line.split(", ").map(number).collect();
        // The direction follows the time in a log of histograms, else one value or two.
        columns.is_some_and(|columns| columns.len() > 3 && columns[1..4].iter().any(|column| *column < 3))
    };
    if whole.is_empty() {
        // The first row of a log of histograms is longer than the start.
        let columns: Vec<&str> = text.split(", ").collect();
        return columns.len() > 1000 && columns.iter().rev().skip(1).all(|column| number(column).is_some());
    }
    whole.lines().all(row)
}

/// Returns whether a file begins as a compressed log over time.
pub fn compressed_log(start: &[u8]) -> bool {
    let mut row = Vec::new();
    // The stream may be cut off: what was read so far is judged.
    let _ = ZlibDecoder::new(start).take(LONGEST_ROW).read_to_end(&mut row);
    LogSample::from_binary(&row).is_some()
}

/// Returns whether a file begins as a trace of fio in text form.
pub fn trace(start: &[u8]) -> bool {
    start.starts_with(b"fio version ")
}

/// Returns whether a file begins as a trace of blktrace.
pub fn blktrace(start: &[u8]) -> bool {
    job::trace::is_blktrace(start)
}

/// Returns whether a file begins as a saved state of verification.
pub fn verify_state(start: &[u8]) -> bool {
    State::begins(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_recognized_and_texts_of_users_are_not() {
        assert!(json(b"{\n  \"fio version\" : \"fio-3.33\",\n"));
        assert!(json(b"fio: a message\n{\n  \"fio version\" : \"fio-3.33\",\n"));
        for text in
            ["fathom       1 job, 1.0 s\n", "a: (g=0): rw=read, bs=(R) 4096B\n", "fio-3.33\nStarting\n"]
        {
            assert!(report(text.as_bytes()), "{text}");
        }
        assert!(report(format!("3;fio-3.33;a;{}\n", "0;".repeat(120)).as_bytes()));
        let rows = ["501, 39, 0, 0, 0\n501, 17", "1, 2, 9, 1, 4096, 0, 0x4007\n", "500, 1, 4096, 7, 8\n"];
        for text in rows {
            assert!(log(text.as_bytes()), "{text}");
        }
        assert!(log(format!("500, 1, 4096{}", ", 0".repeat(1300)).as_bytes()));
        for text in [
            "precious notes",
            "{\"a\": 1}",
            "1, 2\n",
            "7, 8, 9, 10, 11\n",
            "fathom is a program\n",
            "1;2\n",
            "",
        ] {
            let found = [json, exported_run, report, log, compressed_log, trace, verify_state, blktrace]
                .map(|is_own| is_own(text.as_bytes()));
            assert_eq!(found, [false; 8], "{text}");
        }
    }
}
