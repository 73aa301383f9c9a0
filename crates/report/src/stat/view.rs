//! The full-screen view of `fathom stat --watch` as lines of text: a table of the devices, and the last minutes of the
//! chosen one.

use crate::catalog::{say, word};
use crate::scale::short;
use crate::{Lang, columns, fit, fit_end, left, right};
use stats::io_counters::{DeviceNature, DeviceRow, DiskRates, IoReport, RowKind};
use std::collections::BTreeSet;

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Title of the view.
    Title,
    /// Headings of the table.
    Heading,
    /// Text and figures.
    Plain,
    /// The chosen row.
    Chosen,
    /// Keys.
    Keys,
}

/// A line of the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text, at most as wide as the screen.
    pub text: String,
    /// How it is drawn.
    pub look: Look,
}

/// What the user chose, and the time of the last report.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Name of the chosen device; the first one if no device has this name.
    pub chosen: String,
    /// Whether the view stands still.
    pub paused: bool,
    /// Time of day of the last report.
    pub time: String,
    /// Seconds from report to report.
    pub interval: u64,
}

/// Levels of a sparkline, lowest first.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Returns the last `width` values as a line of bars, right-aligned; `top` is the value of the highest bar, values above
/// it are as high. Nothing is drawn for a value of 0.
pub fn sparkline(values: &[f64], top: f64, width: usize) -> String {
    let shown = &values[values.len().saturating_sub(width)..];
    let bar = |value: &f64| {
        if !value.is_finite() || *value <= 0.0 || top <= 0.0 {
            return ' ';
        }
        let level = (value / top * LEVELS.len() as f64).ceil() as usize;
        LEVELS[level.clamp(1, LEVELS.len()) - 1]
    };
    " ".repeat(width - shown.len()) + &shown.iter().map(bar).collect::<String>()
}

/// Returns one of the figures of a device.
type Figure = fn(&DiskRates) -> f64;

/// A column of the table: the least width of a screen that has it, its heading, its width, its figure.
type Column = (usize, &'static str, usize, Figure);

const COLUMNS: [Column; 8] = [
    (0, "r/s", 7, |r| r.read.per_second),
    (0, "w/s", 7, |r| r.write.per_second),
    (60, "rMB/s", 8, |r| r.read.sectors_per_second * 512.0 / 1e6),
    (60, "wMB/s", 8, |r| r.write.sectors_per_second * 512.0 / 1e6),
    (76, "r_await", 8, |r| r.read.await_ms),
    (76, "w_await", 8, |r| r.write.await_ms),
    (50, "aqu-sz", 7, |r| r.in_flight),
    (0, "%util", 7, |r| r.busy_percent),
];

/// Returns a figure in at most six columns.
fn figure(value: f64) -> String {
    match value {
        v if v < 0.005 => "0".to_owned(),
        v if v < 100.0 => format!("{v:.2}"),
        v if v < 10_000.0 => format!("{v:.0}"),
        v => short(v),
    }
}

/// Returns the figures of the device `name` in all reports; 0 in those that lack it.
fn series(reports: &[IoReport], name: &str, of: Figure) -> Vec<f64> {
    let value = |report: &IoReport| {
        let row = report.devices.iter().find(|row| row.name == name);
        row.map_or(0.0, |row| of(&report.rates(row)))
    };
    reports.iter().map(value).collect()
}

/// Least height of a screen that shows the last minutes of the chosen device.
const DETAIL_HEIGHT: usize = 16;

/// Returns the index of the chosen row.
fn chosen(rows: &[DeviceRow], state: &State) -> usize {
    rows.iter().position(|row| row.name == state.chosen).unwrap_or(0)
}

/// Returns the name of the row that is `by` rows below the chosen one (above it if negative); it stops at the ends.
pub fn moved(rows: &[DeviceRow], state: &State, by: isize) -> Option<String> {
    let at = chosen(rows, state).saturating_add_signed(by).min(rows.len().saturating_sub(1));
    rows.get(at).map(|row| row.name.clone())
}

/// Moves idle devices whose work other layers do (loop, zram, nbd) behind disks and devices that do I/O; both keep their
/// order. `active` has the devices that did I/O while the view was shown: a device that pauses keeps its place. Rows
/// with groups stay as they are, since a group belongs to the rows before it.
pub fn active_first(rows: &mut [DeviceRow], active: &mut BTreeSet<String>) {
    let moved = rows.iter().filter(|row| row.grown.used() || row.grown.flushes > 0);
    active.extend(moved.map(|row| row.name.clone()));
    if rows.iter().all(|row| row.kind == RowKind::Device) {
        rows.sort_by_key(|row| row.nature == DeviceNature::Software && !active.contains(&row.name));
    }
}

/// Returns the lines of the view on a screen of `width` columns and `height` rows. `reports` are the last ones, the
/// newest last.
pub fn lines(lang: Lang, reports: &[IoReport], state: &State, width: usize, height: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let plain = |text: String| Line { text: fit(&text, width), look: Look::Plain };
    let title = say!(lang, "stat-watch-title", seconds = state.interval, time = state.time.as_str());
    let title = if state.paused { format!("{title}  {}", word!(lang, "stat-watch-paused")) } else { title };
    lines.push(Line { text: fit(&title, width), look: Look::Title });
    let keys = Line { text: fit(word!(lang, "stat-watch-keys"), width), look: Look::Keys };
    let Some(last) = reports.last() else {
        return vec![lines.remove(0), keys].into_iter().take(height).collect();
    };
    let shown: Vec<&Column> = COLUMNS.iter().filter(|(least, ..)| width >= *least).collect();
    let name = if width >= 60 { 14 } else { 10 };
    let used = name + shown.iter().map(|(_, _, width, _)| width).sum::<usize>();
    let spark = width.saturating_sub(used + 1).min(60);
    let headings: String = shown.iter().map(|(_, heading, width, _)| right(heading, *width)).collect();
    let heading = format!("{}{headings}", left(word!(lang, "stat-device"), name));
    lines.push(Line { text: fit(&heading, width), look: Look::Heading });
    let rows = &last.devices;
    let detail = if height >= DETAIL_HEIGHT && !rows.is_empty() { 7 } else { 0 };
    let room = height.saturating_sub(lines.len() + 1 + detail).max(1);
    let at = chosen(rows, state);
    let first = at.saturating_sub(room - 1).min(rows.len().saturating_sub(room));
    for (nth, row) in rows.iter().enumerate().skip(first).take(room) {
        let rates = last.rates(row);
        let figures: String =
            shown.iter().map(|(_, _, width, of)| right(&figure(of(&rates)), *width)).collect();
        let busy = sparkline(&series(reports, &row.name, |r| r.busy_percent), 100.0, spark);
        let text = format!("{}{figures} {busy}", left(&fit_end(&row.name, name - 1), name));
        let look = if nth == at { Look::Chosen } else { Look::Plain };
        lines.push(Line { text: left(&fit(&text, width), width), look });
    }
    if rows.is_empty() {
        lines.push(plain(word!(lang, "stat-watch-no-devices").to_owned()));
    }
    if detail > 0 {
        lines.push(plain(String::new()));
        let row = &rows[at];
        let minutes = reports.iter().map(|report| report.centiseconds).skip(1).sum::<u64>() / 100;
        let text = say!(lang, "stat-watch-detail", device = row.name.as_str(), seconds = minutes);
        lines.push(plain(text));
        let figures: [(&str, Figure); 5] = [
            ("rMB/s", |r| r.read.sectors_per_second * 512.0 / 1e6),
            ("wMB/s", |r| r.write.sectors_per_second * 512.0 / 1e6),
            ("await", |r| r.all.await_ms),
            ("aqu-sz", |r| r.in_flight),
            ("%util", |r| r.busy_percent),
        ];
        for (label, of) in figures {
            let values = series(reports, &row.name, of);
            let top = values.iter().copied().fold(0.0, f64::max);
            let label = format!("{}{} ", left(label, 8), right(&figure(top), 7));
            let bars = sparkline(&values, top, width.saturating_sub(columns(&label)));
            lines.push(plain(label + &bars));
        }
    }
    lines.truncate(height.saturating_sub(1));
    while lines.len() + 1 < height {
        lines.push(plain(String::new()));
    }
    lines.push(keys);
    lines.truncate(height);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::io_counters::DiskCounters;

    #[test]
    fn await_columns_of_both_directions_are_shown_together() {
        for width in 20..200 {
            let shown = lines(Lang::En, &reports(1), &State::default(), width, 24);
            let has = |heading: &str| shown[1].text.split_whitespace().any(|word| word == heading);
            assert_eq!(has("r_await"), has("w_await"), "{width}: {}", shown[1].text);
            assert_eq!(has("r_await"), width >= 76, "{width}: {}", shown[1].text);
        }
    }

    fn reports(devices: usize) -> Vec<IoReport> {
        let report = |n: u64| IoReport {
            centiseconds: 100,
            devices: (0..devices)
                .map(|d| DeviceRow {
                    name: format!("device{d}"),
                    kind: RowKind::Device,
                    nature: DeviceNature::Unknown,
                    grown: DiskCounters {
                        reads: n * 1000,
                        read_sectors: n * 8000,
                        busy_ms: n * 10,
                        ..DiskCounters::default()
                    },
                })
                .collect(),
            ..IoReport::default()
        };
        (0..100).map(report).collect()
    }

    #[test]
    fn sparkline_has_the_last_values_at_the_right() {
        assert_eq!(sparkline(&[0.0, 1.0, 50.0, 100.0, 200.0, f64::NAN], 100.0, 6), " ▁▄██ ");
        assert_eq!(sparkline(&[1.0, 2.0], 2.0, 4), "  ▄█");
        assert_eq!(sparkline(&[1.0, 2.0, 4.0], 4.0, 2), "▄█");
        assert_eq!(sparkline(&[], 1.0, 2), "  ");
        assert_eq!(sparkline(&[1.0], 0.0, 0), "");
    }

    #[test]
    fn lines_fill_the_screen_and_no_more_in_any_language() {
        for lang in Lang::ALL {
            for devices in [0, 1, 40] {
                for (width, height) in [(1, 1), (20, 3), (40, 10), (80, 24), (120, 40), (500, 200)] {
                    let state = State { chosen: "device30".into(), interval: 1, ..State::default() };
                    let lines = lines(lang, &reports(devices), &state, width, height);
                    assert_eq!(lines.len(), height, "{width}x{height}");
                    assert!(lines.iter().all(|line| columns(&line.text) <= width), "{lines:?}");
                    let chosen = lines.iter().filter(|line| line.look == Look::Chosen).count();
                    assert_eq!(chosen, usize::from(devices > 0 && height > 3), "{lines:?}");
                }
            }
        }
        assert_eq!(lines(Lang::En, &[], &State::default(), 80, 24).len(), 2);
    }

    #[test]
    fn idle_loop_devices_are_behind_disks_and_devices_in_use() {
        let row = |name: &str, nature, reads| DeviceRow {
            name: name.into(),
            kind: RowKind::Device,
            nature,
            grown: DiskCounters { reads, ..DiskCounters::default() },
        };
        let (software, disk) = (DeviceNature::Software, DeviceNature::SolidState);
        let report = |busy: &str| -> Vec<DeviceRow> {
            [("loop0", software), ("loop1", software), ("loop2", software), ("sda", disk), ("vda", disk)]
                .map(|(name, nature)| row(name, nature, u64::from(name == busy)))
                .to_vec()
        };
        let mut active = BTreeSet::new();
        let mut order = |mut rows: Vec<DeviceRow>| {
            active_first(&mut rows, &mut active);
            rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(order(report("")), "sda vda loop0 loop1 loop2");
        assert_eq!(order(report("loop1")), "loop1 sda vda loop0 loop2");
        assert_eq!(order(report("vda")), "loop1 sda vda loop0 loop2", "a pause moves no row");
        let mut grouped = report("vda");
        grouped
            .push(DeviceRow { kind: RowKind::Group { devices: 5 }, ..row("all", DeviceNature::Unknown, 1) });
        assert_eq!(order(grouped), "loop0 loop1 loop2 sda vda all");
    }

    #[test]
    fn the_choice_moves_by_rows_and_stops_at_the_ends() {
        let all = reports(3);
        let rows = &all[0].devices;
        let at =
            |name: &str, by| moved(rows, &State { chosen: name.into(), ..State::default() }, by).unwrap();
        assert_eq!(at("device0", 1), "device1");
        assert_eq!(at("device2", 1), "device2");
        assert_eq!(at("device0", -1), "device0");
        assert_eq!(at("gone", 2), "device2");
        assert_eq!(moved(&[], &State::default(), 1), None);
    }
}
