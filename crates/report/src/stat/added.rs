//! What fathom prints below a report of iostat: the meaning of %util, requests in flight, processes, control groups.

use crate::catalog::{say, word};
use crate::scale::{bytes, short};
use crate::{Lang, fit_end, hang, lay, left, right, widest};
use stats::io_counters::{DeviceNature, DeviceRow, DiskRates, IoReport, RowKind};

/// Share of the interval in percent for which a device was busy from which its line is worth reading.
const BUSY: f64 = 1.0;

/// Returns the block below a report: a line for each device that was busy, then processes and control groups if the report
/// has them. Empty if there is nothing to say.
pub fn added(lang: Lang, report: &IoReport, width: usize) -> String {
    let busy = report.devices.iter().filter(|row| row.kind == RowKind::Device);
    let lines = busy.filter_map(|row| {
        let rates = report.rates(row);
        (rates.busy_percent >= BUSY).then(|| meaning(lang, row, &rates))
    });
    let lines: Vec<String> = lines.flat_map(|line| hang(&line, width.max(NARROWEST))).collect();
    let mut text = lay(&lines);
    for block in [processes(lang, report, width), cgroups(lang, report, width)] {
        if !text.is_empty() && !block.is_empty() {
            text.push('\n');
        }
        text += &block;
    }
    text
}

/// Returns the sentence about a device: its %util, what that means, and the requests in flight.
fn meaning(lang: Lang, row: &DeviceRow, rates: &DiskRates) -> String {
    let device = row.name.as_str();
    let util = format!("{:.1}", rates.busy_percent);
    let mean = short(rates.in_flight);
    let busy = short(rates.in_flight_while_busy);
    match row.nature {
        DeviceNature::SolidState => say!(lang, "stat-solid-state", device, util, mean, busy),
        DeviceNature::OneHead => say!(lang, "stat-one-head", device, util, mean, busy),
        DeviceNature::Stacked { members } => say!(lang, "stat-stacked", device, util, mean, busy, members),
        DeviceNature::Software => say!(lang, "stat-software", device, util, mean, busy),
        DeviceNature::Virtual => say!(lang, "stat-virtual", device, util, mean, busy),
        DeviceNature::Unknown => say!(lang, "stat-unknown", device, util, mean, busy),
    }
}

/// Least width to which sentences are wrapped; into a file or pipe they are not.
const NARROWEST: usize = 20;
/// Widest first column of a table.
const NAME: usize = 48;

/// Returns a table whose first `names` columns are names and the others figures.
fn table(rows: &[Vec<String>], names: usize) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|n| widest(&rows.iter().filter_map(|row| row.get(n)).map(String::as_str).collect::<Vec<_>>()))
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells =
            cells.map(|(n, (cell, width))| if n < names { left(cell, *width) } else { right(cell, *width) });
        cells.collect::<Vec<_>>().join("  ")
    };
    lay(&rows.iter().map(line).collect::<Vec<_>>())
}

/// Returns the table of processes; empty if the report has none.
pub fn processes(lang: Lang, report: &IoReport, width: usize) -> String {
    let Some(processes) = &report.processes else { return String::new() };
    if processes.is_empty() {
        return format!("{}\n", word!(lang, "stat-no-processes"));
    }
    let heading = [
        word!(lang, "stat-command").to_owned(),
        word!(lang, "stat-pid").to_owned(),
        word!(lang, "stat-read").to_owned(),
        word!(lang, "stat-written").to_owned(),
    ];
    let rate = |n| bytes(report.per_second(n));
    let row = |p: &stats::io_counters::ProcessIo| {
        let command = fit_end(&p.command, NAME.min(width.saturating_sub(36).max(8)));
        vec![command, p.pid.to_string(), rate(p.read_bytes), rate(p.written_bytes)]
    };
    let rows: Vec<Vec<String>> = std::iter::once(heading.to_vec()).chain(processes.iter().map(row)).collect();
    table(&rows, 1)
}

fn cgroups(lang: Lang, report: &IoReport, width: usize) -> String {
    let Some(groups) = &report.cgroups else { return String::new() };
    if groups.is_empty() {
        return format!("{}\n", word!(lang, "stat-no-cgroups"));
    }
    let heading = [
        word!(lang, "stat-cgroup").to_owned(),
        word!(lang, "stat-device").to_owned(),
        word!(lang, "stat-read").to_owned(),
        word!(lang, "stat-written").to_owned(),
        word!(lang, "stat-ios").to_owned(),
    ];
    let rate = |n| bytes(report.per_second(n));
    let row = |c: &stats::io_counters::CgroupIo| {
        let ios = c.ios.map_or("-".to_owned(), |n| short(report.rate(n)));
        let group = fit_end(&c.group, NAME.min(width.saturating_sub(44).max(8)));
        vec![group, c.device.clone(), rate(c.read_bytes), rate(c.written_bytes), ios]
    };
    let rows: Vec<Vec<String>> = std::iter::once(heading.to_vec()).chain(groups.iter().map(row)).collect();
    table(&rows, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::io_counters::{CgroupIo, DiskCounters, ProcessIo};

    fn report() -> IoReport {
        let grown = DiskCounters { reads: 100, queue_ms: 17_300, busy_ms: 314, ..DiskCounters::default() };
        let row = |name: &str, nature| DeviceRow { name: name.into(), kind: RowKind::Device, nature, grown };
        let natures = [
            DeviceNature::SolidState,
            DeviceNature::OneHead,
            DeviceNature::Stacked { members: 3 },
            DeviceNature::Software,
            DeviceNature::Virtual,
            DeviceNature::Unknown,
        ];
        let mut devices: Vec<DeviceRow> =
            natures.into_iter().enumerate().map(|(n, nature)| row(&format!("d{n}"), nature)).collect();
        devices.push(DeviceRow { grown: DiskCounters::default(), ..row("idle", DeviceNature::OneHead) });
        // The kernel samples the busy time: requests may have none.
        let short = DiskCounters { busy_ms: 0, ..grown };
        devices.push(DeviceRow { grown: short, ..row("short", DeviceNature::OneHead) });
        IoReport { centiseconds: 100, devices, ..IoReport::default() }
    }

    #[test]
    fn every_busy_device_has_its_meaning_in_every_language() {
        for lang in Lang::ALL {
            let text = added(lang, &report(), usize::MAX);
            for (n, line) in text.lines().enumerate() {
                assert!(line.starts_with(&format!("d{n}")), "{text}");
                for figure in ["31.4", "17.3", "55.1"] {
                    assert!(line.contains(figure), "{figure}: {line}");
                }
            }
            assert_eq!(text.lines().count(), 6, "{text}");
        }
        let english = added(Lang::En, &report(), usize::MAX);
        assert!(english.contains("not saturation") && english.contains("3 devices"), "{english}");
    }

    #[test]
    fn processes_and_groups_are_rates_of_the_interval() {
        let process = ProcessIo { pid: 7, command: "dd".into(), read_bytes: 0, written_bytes: 4_000_000 };
        let group = |ios| CgroupIo {
            group: "/a".into(),
            device: "sda".into(),
            read_bytes: 2_000_000,
            written_bytes: 0,
            ios,
        };
        let report = IoReport {
            centiseconds: 200,
            processes: Some(vec![process]),
            cgroups: Some(vec![group(Some(30)), group(None)]),
            ..IoReport::default()
        };
        assert_eq!(
            added(Lang::En, &report, usize::MAX),
            "command  PID  read/s  written/s
dd         7     0 B    2.00 MB

control group  device   read/s  written/s  I/Os/s
/a             sda     1.00 MB        0 B    15.0
/a             sda     1.00 MB        0 B       -
"
        );
    }
}
