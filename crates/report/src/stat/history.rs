//! The history of `fathom stat`: one JSON document a line and report.

use stats::io_counters::IoReport;

/// Returns a report as a line of the history, with its newline.
pub fn history_line(report: &IoReport) -> String {
    // A report consists of numbers and names, which JSON can always hold.
    serde_json::to_string(report).unwrap_or_default() + "\n"
}

/// Returns the reports of a history. Lines that were cut off, because the machine stopped or the disk was full while they
/// were written, are left out.
///
/// # Errors
/// The number of the line, from 1.
pub fn read_history(text: &str) -> Result<Vec<IoReport>, usize> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = lines.filter_map(|(nth, line)| match serde_json::from_str(line) {
        Err(e) if e.is_eof() => None,
        read => Some(read.map_err(|_| nth + 1)),
    });
    read.collect()
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
        assert_eq!(read_history(&text), Ok(vec![report.clone(), report.clone()]));
        assert_eq!(read_history(&format!("{text}{{\"time")), Ok(vec![report.clone(), report.clone()]));
        assert_eq!(read_history(&format!("{{\"time\n{text}")), Ok(vec![report.clone(), report]));
        assert_eq!(read_history(&format!("{text}no JSON\n")), Err(3));
        assert_eq!(read_history(""), Ok(Vec::new()));
    }
}
