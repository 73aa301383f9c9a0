//! Rows of the full-screen view of a run: rates, latencies, queue depth, disks and jobs. The program draws them.

use crate::catalog::{say, word};
use crate::columns::columns;
use crate::scale;
use crate::{Lang, fit};
use stats::{Live, LiveDetail, LiveDisk, LiveEvent, LiveLatency, WorkerState};
use std::collections::VecDeque;

/// Number of samples that are kept: five minutes of four samples a second.
const KEPT: usize = 1200;
/// Number of events that are kept.
const EVENTS: usize = 50;
/// Rows of the heat map below which it is left out.
const LEAST_MAP: usize = 3;
/// Blocks of a sparkline, ascending.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Columns of the labels before a sparkline.
const LABEL: usize = 54;

/// Appearance of a piece of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text.
    Plain,
    /// Headings and the line at the bottom.
    Strong,
    /// A sparkline of reads, writes or trims (0, 1, 2).
    Spark(usize),
    /// A cell of the heat map; its share of the I/Os of the sample in eighths, 0 to 8.
    Heat(u8),
    /// An event.
    Event,
}

/// Piece of a row with one appearance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Text.
    pub text: String,
    /// Appearance.
    pub style: Style,
}

/// A row, from left to right.
pub type Row = Vec<Piece>;

/// Part of a sample that is shown over time.
#[derive(Clone, Debug, Default)]
struct Sample {
    iops: [u64; 3],
    latency: [Option<LiveLatency>; 3],
    octaves: Vec<(u32, u64)>,
    depth_reached: Option<f64>,
}

/// History of a run, and the rows that show it.
#[derive(Clone, Debug)]
pub struct LiveView {
    lang: Lang,
    samples: VecDeque<Sample>,
    events: VecDeque<String>,
    last: Live,
}

impl LiveView {
    /// Returns a view in `lang` without samples.
    pub fn new(lang: Lang) -> Self {
        Self { lang, samples: VecDeque::new(), events: VecDeque::new(), last: Live::default() }
    }

    /// Adds a sample.
    pub fn add(&mut self, live: &Live) {
        let nothing = LiveDetail::default();
        let detail = live.detail.as_deref().unwrap_or(&nothing);
        if self.samples.len() == KEPT {
            self.samples.pop_front();
        }
        self.samples.push_back(Sample {
            iops: live.iops,
            latency: detail.latency,
            octaves: detail.octaves.clone(),
            depth_reached: detail.depth_reached,
        });
        for event in &detail.events {
            let text = happened(self.lang, event);
            self.event(&text);
        }
        self.last = live.clone();
    }

    /// Adds an event: a message that was printed during the run.
    pub fn event(&mut self, text: &str) {
        if self.events.len() == EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(text.to_owned());
    }

    /// Returns at most `height` rows of at most `width` columns for the activity `what`; `frozen` says that the view is paused.
    pub fn rows(&self, what: &str, width: usize, height: usize, frozen: bool) -> Vec<Row> {
        let footer = plain(&self.footer(frozen), Style::Strong);
        let percent = self.last.percent.map(|percent| format!("{:.0} %", percent.clamp(0.0, 100.0)));
        let head = [
            Some(what.to_owned()).filter(|what| !what.is_empty()),
            percent,
            Some(crate::live::elapsed(self.lang, &self.last)),
        ];
        let head = head.into_iter().flatten().collect::<Vec<_>>().join("  ");
        let mut rows = vec![plain(&head, Style::Strong)];
        let active: Vec<usize> =
            (0..3).filter(|d| self.samples.iter().any(|sample| sample.iops[*d] > 0)).collect();
        active.iter().for_each(|d| rows.push(self.rate_row(*d, width)));
        active.iter().for_each(|d| rows.extend(self.latency_row(*d, width)));
        rows.extend(self.depth_row(width));
        // From the most to the least important, each while there is room beside the footer.
        let room = |rows: &Vec<Row>| height.saturating_sub(rows.len() + 1);
        let events = self.events.iter().rev().take(room(&rows).min(3));
        let events: Vec<Row> = events.map(|text| plain(text, Style::Event)).collect();
        let left = room(&rows).saturating_sub(events.len());
        rows.extend(self.disk_rows().into_iter().take(left / 2));
        let left = room(&rows).saturating_sub(events.len());
        let jobs = self.job_rows(left / 2);
        let left = left.saturating_sub(jobs.len());
        rows.extend(self.heat_map(width, left));
        rows.extend(jobs);
        rows.extend(events.into_iter().rev());
        rows.truncate(height.saturating_sub(1));
        rows.push(footer);
        rows.truncate(height);
        rows.into_iter().map(|row| cut(row, width)).collect()
    }

    fn footer(&self, frozen: bool) -> String {
        let text =
            if frozen { word!(self.lang, "live-view-paused") } else { word!(self.lang, "live-view-keys") };
        text.to_owned()
    }

    fn rate_row(&self, d: usize, width: usize) -> Row {
        let direction = self.direction(d);
        let (iops, bytes) = (self.last.iops[d], self.last.bytes_per_second[d]);
        let (iops, bytes) = (scale::short(iops as f64), scale::bytes(bytes));
        let label = format!("{direction}  {iops} IOPS  {bytes}/s");
        self.sparkline(&label, width, Style::Spark(d), |sample| Some(sample.iops[d] as f64))
    }

    fn latency_row(&self, d: usize, width: usize) -> Option<Row> {
        let last = self.samples.iter().rev().find_map(|sample| sample.latency[d])?;
        let [median, p99, most] =
            [last.median_ns, last.p99_ns, last.max_ns].map(|nanos| scale::time(nanos as f64));
        let label = say!(self.lang, "live-view-latency", median, p99, most, direction = self.direction(d));
        let p99 = |sample: &Sample| sample.latency[d].map(|latency| latency.p99_ns as f64);
        Some(self.sparkline(&label, width, Style::Spark(d), p99))
    }

    fn depth_row(&self, width: usize) -> Option<Row> {
        let last = self.last.detail.as_ref()?;
        let reached = format!("{:.1}", last.depth_reached?);
        let label = say!(self.lang, "live-view-depth", asked = last.depth_asked, reached);
        Some(self.sparkline(&label, width, Style::Plain, |sample| sample.depth_reached))
    }

    /// Returns a row with a label and the course of a figure over the last samples, drawn between zero and its maximum.
    fn sparkline(
        &self,
        label: &str,
        width: usize,
        style: Style,
        figure: impl Fn(&Sample) -> Option<f64>,
    ) -> Row {
        let label_width = LABEL.min(width);
        let mut row = plain(&crate::left(&fit(label, label_width), label_width), Style::Plain);
        let cells = width.saturating_sub(label_width + 1);
        let first = self.samples.len().saturating_sub(cells);
        let shown: Vec<Option<f64>> = self.samples.iter().skip(first).map(figure).collect();
        let most = shown.iter().flatten().copied().fold(0.0, f64::max);
        let cell = |value: &Option<f64>| match value {
            Some(value) if most > 0.0 => BLOCKS[((value / most * 8.0).ceil() as usize).clamp(1, 8) - 1],
            Some(_) => BLOCKS[0],
            None => ' ',
        };
        row.push(Piece { text: format!(" {}", shown.iter().map(cell).collect::<String>()), style });
        row
    }

    /// Returns the latencies over time: a row per factor of two, a column per sample.
    fn heat_map(&self, width: usize, height: usize) -> Vec<Row> {
        const SCALE: usize = 9;
        let cells = width.saturating_sub(SCALE);
        let shown: Vec<&Sample> =
            self.samples.iter().skip(self.samples.len().saturating_sub(cells)).collect();
        let octaves = || shown.iter().flat_map(|sample| &sample.octaves).filter(|(_, ios)| *ios > 0);
        let (Some(low), Some(high)) =
            (octaves().map(|(octave, _)| *octave).min(), octaves().map(|(octave, _)| *octave).max())
        else {
            return Vec::new();
        };
        // The heading takes a row.
        if height <= LEAST_MAP || cells == 0 {
            return Vec::new();
        }
        let lines = ((high - low + 1) as usize).min(height - 1);
        let mut rows = vec![plain(word!(self.lang, "live-view-map"), Style::Strong)];
        // Of more octaves than rows, the lowest row shows all that are below.
        for line in 0..lines {
            let octave = high - line as u32;
            let lowest = line + 1 == lines;
            let name = format!("{:>8} ", scale::time((1u64 << octave) as f64));
            let mut row = plain(&name, Style::Plain);
            for sample in &shown {
                let all: u64 = sample.octaves.iter().map(|(_, ios)| ios).sum();
                let here = sample.octaves.iter().filter(|(at, _)| *at == octave || lowest && *at < octave);
                let ios: u64 = here.map(|(_, ios)| ios).sum();
                let eighths = if ios == 0 { 0 } else { (ios * 8).div_ceil(all.max(1)).clamp(1, 8) as u8 };
                let text = [' ', '·', '░', '░', '▒', '▒', '▓', '▓', '█'][eighths as usize].to_string();
                row.push(Piece { text, style: Style::Heat(eighths) });
            }
            rows.push(row);
        }
        rows
    }

    fn disk_rows(&self) -> Vec<Row> {
        let disks = self.last.detail.as_ref().map(|detail| detail.disks.as_slice()).unwrap_or_default();
        let mut rows = Vec::new();
        for disk in disks {
            rows.push(plain(&self.disk(disk), Style::Plain));
            let beneath =
                disk.beneath.iter().map(|disk| plain(&format!("  {}", self.disk(disk)), Style::Plain));
            rows.extend(beneath);
        }
        rows.extend(self.temperatures());
        rows
    }

    fn temperatures(&self) -> Option<Row> {
        let drives = self.last.detail.as_ref().map(|detail| detail.drives.as_slice()).unwrap_or_default();
        let known = drives.iter().filter_map(|drive| Some((&drive.name, drive.celsius?)));
        let known: Vec<String> = known.map(|(name, celsius)| format!("{name} {celsius:.0} °C")).collect();
        let drives = (!known.is_empty()).then(|| known.join(", "))?;
        Some(plain(&say!(self.lang, "live-view-temperature", drives), Style::Plain))
    }

    fn disk(&self, disk: &LiveDisk) -> String {
        let [read_iops, write_iops] = disk.iops.map(scale::short);
        let [read_bytes, write_bytes] = disk.bytes_per_second.map(scale::bytes);
        let (name, queue) = (&disk.name, format!("{:.1}", disk.in_flight));
        say!(self.lang, "live-view-disk", name, read_iops, read_bytes, write_iops, write_bytes, queue)
    }

    /// Returns the rows of the jobs, if there are several; at most `room`.
    fn job_rows(&self, room: usize) -> Vec<Row> {
        let jobs = self.last.detail.as_ref().map(|detail| detail.jobs.as_slice()).unwrap_or_default();
        if jobs.len() < 2 {
            return Vec::new();
        }
        let mut rows: Vec<Row> = Vec::new();
        for job in jobs.iter().take(room) {
            let mut parts = vec![crate::left(&fit(&job.name, 16), 16)];
            if job.state == WorkerState::Exited {
                parts.push(word!(self.lang, "live-view-ended").to_owned());
            }
            for d in 0..3 {
                if job.iops[d] > 0 {
                    let (iops, bytes) =
                        (scale::short(job.iops[d] as f64), scale::bytes(job.bytes_per_second[d]));
                    parts.push(format!("{} {iops} IOPS {bytes}/s", self.direction(d)));
                }
            }
            rows.push(plain(&parts.join("  "), Style::Plain));
        }
        rows
    }

    fn direction(&self, d: usize) -> String {
        crate::terms::direction(self.lang, ["read", "write", "trim"][d]).to_string()
    }
}

fn happened(lang: Lang, event: &LiveEvent) -> String {
    let second = |s: f64| format!("{s:.0}");
    match event {
        LiveEvent::RateDropped(drop) => {
            let (before, during) = (scale::short(drop.before), scale::short(drop.during));
            say!(lang, "live-view-dropped", at = second(drop.at_s), before, during)
        }
        LiveEvent::RateRecovered(drop) => {
            let lasted = drop.seconds.unwrap_or_default();
            let (at, lasted) = (second(drop.at_s + lasted), second(lasted));
            say!(lang, "live-view-recovered", at, lasted)
        }
        LiveEvent::DriveSlowed { drive } => say!(lang, "live-view-slowed", drive),
        LiveEvent::DriveHot { drive } => say!(lang, "live-view-hot", drive),
        LiveEvent::CpuThrottled { ms } => say!(lang, "live-view-throttled", ms),
    }
}

fn plain(text: &str, style: Style) -> Row {
    vec![Piece { text: text.to_owned(), style }]
}

/// Returns the row cut to `width` columns.
fn cut(row: Row, width: usize) -> Row {
    let mut room = width;
    let mut out = Vec::new();
    for piece in row {
        let wide = columns(&piece.text);
        if wide > room {
            if room > 0 {
                out.push(Piece { text: fit(&piece.text, room), style: piece.style });
            }
            break;
        }
        room -= wide;
        out.push(piece);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{LiveDrive, LiveJob, RateDrop};

    fn events() -> Vec<LiveEvent> {
        let drop = RateDrop { at_s: 20.0, seconds: Some(3.0), before: 4000.0, during: 800.0 };
        let drive = || "sda".to_owned();
        vec![
            LiveEvent::RateDropped(drop),
            LiveEvent::RateRecovered(drop),
            LiveEvent::DriveHot { drive: drive() },
            LiveEvent::CpuThrottled { ms: 900 },
            LiveEvent::DriveSlowed { drive: drive() },
        ]
    }

    #[test]
    fn events_are_told_in_every_language() {
        for lang in Lang::ALL {
            for event in events() {
                assert!(!happened(lang, &event).contains("live-view"), "{event:?}");
            }
        }
        let [dropped, back, ..] = &events()[..] else { panic!() };
        assert_eq!(happened(Lang::En, dropped), "20 s: the rate dropped from 4.00k to 800 IOPS");
        assert_eq!(happened(Lang::En, back), "23 s: the rate is back after 3 s");
    }

    fn sample(nth: u64, directions: usize) -> Live {
        let mut since: [stats::Histogram; 3] = Default::default();
        for latencies in &mut since[..directions] {
            latencies.record(80_000 << (nth % 4), 90);
            latencies.record(5_000_000, 2);
        }
        let job = |name: &str| LiveJob {
            name: name.into(),
            state: WorkerState::Running,
            iops: [1000, 0, 0],
            bytes_per_second: [4_096_000, 0, 0],
        };
        let mut detail = LiveDetail {
            period_s: 0.25,
            depth_asked: 32,
            depth_reached: Some(30.0 + nth as f64 / 10.0),
            jobs: vec![job("a"), job("b")],
            disks: vec![LiveDisk { name: "sda".into(), iops: [2000.0, 0.0], ..LiveDisk::default() }],
            drives: vec![LiveDrive { name: "sda".into(), celsius: Some(47.6), heat: None }],
            events: if nth == 90 { events() } else { Vec::new() },
            ..LiveDetail::default()
        };
        detail.set_latencies(&since);
        Live {
            iops: std::array::from_fn(|d| if d < directions { 2000 } else { 0 }),
            bytes_per_second: std::array::from_fn(|d| if d < directions { 8_192_000 } else { 0 }),
            percent: Some(10.0),
            eta_s: Some(9),
            elapsed_ms: nth * 250,
            detail: Some(Box::new(detail)),
            ..Live::default()
        }
    }

    fn text(rows: &[Row]) -> String {
        let line = |row: &Row| row.iter().map(|piece| piece.text.as_str()).collect::<String>();
        rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_size_is_kept_in_every_language() {
        for lang in Lang::ALL {
            for directions in 0..=3 {
                let mut view = LiveView::new(lang);
                (0..100).for_each(|nth| view.add(&sample(nth, directions)));
                view.event("a message that is longer than a narrow terminal is wide");
                for (width, height) in [(0, 0), (1, 1), (10, 3), (40, 10), (80, 24), (120, 40), (300, 100)] {
                    let rows = view.rows("a job", width, height, false);
                    assert!(rows.len() <= height);
                    for row in &rows {
                        assert!(row.iter().map(|piece| columns(&piece.text)).sum::<usize>() <= width);
                    }
                }
            }
        }
    }

    #[test]
    fn a_terminal_of_80_by_24_shows_every_part() {
        let mut view = LiveView::new(Lang::En);
        (0..100).for_each(|nth| view.add(&sample(nth, 2)));
        view.event("something happened");
        let shown = text(&view.rows("a job", 80, 24, false));
        for part in [
            "a job  10 %  24 s elapsed, 9 s left",
            "read  2.00k IOPS  8.19 MB/s",
            "write  2.00k IOPS",
            "temperature: sda 48 °C",
            "sda: slowed down by its temperature",
            "read latency: p50",
            "asked 32, reached 39.9",
            "sda",
            "read 2.00k IOPS",
            "a                 read 1.00k IOPS",
            "latency over time",
            "4.19 ms",
            "something happened",
            "Ctrl-C",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert!(text(&view.rows("a job", 80, 24, true)).contains("paused"));
    }
}
