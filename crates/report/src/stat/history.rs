//! The history of `fathom stat`: one JSON document a line and report.

use stats::io_counters::IoReport;
use std::io::{self, BufRead, Read as _};

/// First bytes of a history: a report begins with its time.
pub const HISTORY_HEAD: &[u8] = b"{\"time_ms\":";
/// Longest line that is read, bytes: a file without newlines is no history, whatever its length.
const LONGEST_LINE: u64 = 16 << 20;

/// Returns a report as a line of the history, with its newline.
pub fn history_line(report: &IoReport) -> String {
    // A report consists of numbers and names, which JSON can always hold.
    serde_json::to_string(report).unwrap_or_default() + "\n"
}

/// Reason why a history cannot be read.
#[derive(Debug)]
pub enum HistoryFault {
    /// Error of the system.
    System(io::Error),
    /// Number, from 1, of the first line that is no report.
    Line(usize),
}

/// Returns the reports of a history. Lines that were cut off, because the machine stopped or the disk was full while they
/// were written, are left out.
///
/// # Errors
/// The history cannot be read, or a line is no report.
pub fn read_history(mut from: impl BufRead) -> Result<Vec<IoReport>, HistoryFault> {
    let mut reports = Vec::new();
    for number in 1.. {
        let mut line = Vec::new();
        from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(HistoryFault::System)?;
        match line.last() {
            None => break,
            Some(end) if *end != b'\n' && line.len() as u64 == LONGEST_LINE => {
                return Err(HistoryFault::Line(number));
            }
            Some(_) => {}
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(report) => reports.push(report),
            Err(e) if e.is_eof() => {}
            Err(_) => return Err(HistoryFault::Line(number)),
        }
    }
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::io_counters::{CpuShares, DeviceNature, DeviceRow, DiskCounters, ProcessIo, RowKind};

    #[test]
    fn history_is_read_as_it_was_written() {
        let row = DeviceRow {
            name: "sda".into(),
            kind: RowKind::Device,
            nature: DeviceNature::Stacked { members: 3 },
            grown: DiskCounters { reads: u64::MAX, ..DiskCounters::default() },
        };
        let group = DeviceRow { kind: RowKind::Group { devices: 2 }, ..row.clone() };
        let process = ProcessIo { pid: 1, command: "a\nb".into(), read_bytes: 1, written_bytes: 2 };
        let report = IoReport {
            time_ms: 1_795_880_000_123,
            centiseconds: 101,
            cpu: CpuShares { user: 1.0 / 3.0, ..CpuShares::default() },
            devices: vec![row, group],
            processes: Some(vec![process]),
            ..IoReport::default()
        };
        let text = history_line(&report).repeat(2);
        assert_eq!(text.lines().count(), 2);
        let read = |text: &str| read_history(text.as_bytes()).map_err(|fault| format!("{fault:?}"));
        assert!(text.as_bytes().starts_with(HISTORY_HEAD), "{text}");
        assert_eq!(read(&text), Ok(vec![report.clone(), report.clone()]));
        assert_eq!(read(&format!("{text}{{\"time")), Ok(vec![report.clone(), report.clone()]));
        assert_eq!(read(&format!("{{\"time\n{text}")), Ok(vec![report.clone(), report]));
        assert_eq!(read(&format!("{text}no JSON\n")), Err("Line(3)".into()));
        assert_eq!(read(""), Ok(Vec::new()));
        let endless = io::BufReader::new(io::repeat(0));
        assert!(matches!(read_history(endless), Err(HistoryFault::Line(1))));
    }
}
