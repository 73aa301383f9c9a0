//! Conversion of fathom's own results to measured loads.

use super::{Conditions, Flow, Measured, Quantile, Spread};
use crate::access::Access;
use crate::converge;
use crate::direction::Direction;
use crate::estimate::Estimate;
use crate::finding::Finding;
use crate::latency::Latency;
use crate::moments::Moments;
use crate::outcome::JobOutcome;
use crate::quick::{QuickCard, QuickRow};
use crate::result::{Host, RunResult};
use crate::series::Series;
use crate::study::{Point, Study};

/// Percentiles taken from a histogram, percent.
const PERCENTS: [f64; 17] =
    [1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99];

impl Measured {
    /// Returns the loads of a run: jobs reported together are one load, and so are the clones of one job.
    pub fn of_run(source: &str, run: &RunResult) -> Vec<Measured> {
        let mut entries: Vec<JobOutcome> = Vec::new();
        for entry in run.entries() {
            let clone_of = |e: &&mut JobOutcome| {
                (&e.name, e.group, &e.load.access) == (&entry.name, entry.group, &entry.load.access)
            };
            match entries.last_mut().filter(clone_of) {
                Some(first) => first.merge(&entry),
                None => entries.push(entry),
            }
        }
        let did = |job: &&JobOutcome| job.ios() > 0;
        entries
            .iter()
            .filter(did)
            .map(|job| of_entry(source, run, job, series_of(run, &entries, job)))
            .collect()
    }

    /// Returns the loads of a check, one for each row.
    pub fn of_check(source: &str, card: &QuickCard) -> Vec<Measured> {
        card.rows.iter().filter(|row| row.iops > 0.0).map(|row| of_row(source, card, row)).collect()
    }

    /// Returns the loads of a study, one for each point. A point of a mixed pattern is one flow of reads, because
    /// points do not separate the directions.
    pub fn of_study(source: &str, study: &Study) -> Vec<Measured> {
        study.points.iter().filter(|p| p.ios > 0).map(|point| of_point(source, study, point)).collect()
    }
}

fn by(version: &str) -> String {
    if version.is_empty() { "fathom".into() } else { format!("fathom {version}") }
}

/// Returns the findings about this job and those about the whole run.
fn about(findings: &[Finding], name: &str) -> Vec<Finding> {
    findings.iter().filter(|f| f.job.is_empty() || f.job == name).cloned().collect()
}

fn conditions(by: String, host: &Host) -> Conditions {
    let some = |text: &str| Some(text.to_string()).filter(|t| !t.is_empty());
    Conditions { by, host: host.name.clone(), kernel: some(&host.kernel), ..Conditions::default() }
}

/// Returns the rate over time of this entry; `None` if the series covers other entries as well.
fn series_of<'a>(run: &'a RunResult, entries: &[JobOutcome], job: &JobOutcome) -> Option<&'a Series> {
    let mine = |name: &String| name == &job.name;
    let mut named = run.series.iter().filter(|(name, _)| mine(name));
    let alone = entries.iter().filter(|e| mine(&e.name)).count() == 1;
    match (named.next(), named.next()) {
        (Some((_, series)), None) if alone => Some(series),
        _ if run.series.len() == 1 && entries.len() == 1 => run.series.first().map(|(_, series)| series),
        _ => None,
    }
}

fn of_entry(source: &str, run: &RunResult, job: &JobOutcome, series: Option<&Series>) -> Measured {
    let load = &job.load;
    let ran_ms = job.directions.iter().map(|d| d.runtime_ms).max().unwrap_or(0);
    let stack = run.layers.targets.iter().find(|t| t.path == load.target).map(|t| t.stack.clone());
    Measured {
        source: source.into(),
        name: job.name.clone(),
        access: load.access.clone(),
        depth: job.iodepth,
        jobs: job.members,
        began_ms: job.start_epoch_ms,
        seconds: ran_ms as f64 / 1e3,
        flows: Direction::ALL.into_iter().filter_map(|d| of_direction(job, d, series)).collect(),
        cpu_percent: (job.cpu.wall_ms > 0).then(|| [job.cpu.user_percent(), job.cpu.system_percent()]),
        conditions: Conditions {
            target: load.target.clone(),
            stack: stack.unwrap_or_default(),
            engine: Some(load.engine.clone()).filter(|e| !e.is_empty()),
            direct: load.direct,
            span: load.span,
            paced: load.paced,
            ..conditions(by(&run.provenance.version), &run.provenance.host)
        },
        findings: about(&run.findings, &job.name),
        series: series.cloned(),
        grade: None,
        ranges: None,
    }
}

fn of_direction(job: &JobOutcome, direction: Direction, series: Option<&Series>) -> Option<Flow> {
    let d = &job.directions[direction as usize];
    let own = series.map(|series| series.only(direction));
    let (rate, half) = (d.iops(), own.as_ref().and_then(Series::half_width_percent));
    // With a rate limit the rate over time does not show the correlation of the latencies.
    let tells = own.as_ref().filter(|_| !job.load.paced);
    (d.ios > 0).then(|| Flow {
        direction,
        ios: d.ios,
        bytes: d.bytes,
        iops: half.map_or(Estimate::bare(rate), |percent| Estimate::around(rate, rate * percent / 100.0)),
        bytes_per_second: d.bytes_per_second() as f64,
        slat: spread(&d.slat, tells),
        clat: spread(&d.clat, tells),
        lat: spread(&d.lat, tells),
        sync: spread(&job.sync, tells).filter(|_| direction == Direction::Write),
        commit: spread(&job.commit, tells).filter(|_| direction == Direction::Write),
    })
}

/// Returns the distribution of a latency. Percentiles have intervals if the rate over time, which determines the
/// number of independent I/Os, is known.
fn spread(latency: &Latency, series: Option<&Series>) -> Option<Spread> {
    let m = &latency.moments;
    if m.n == 0 {
        return None;
    }
    let independent = series.map(|series| converge::independent(series, m.n, m.varied()));
    let h = &latency.histogram;
    let quantile = |percent: &f64| {
        let between = independent.and_then(|n| h.interval(*percent, n)).map(|ends| ends.map(|ns| ns as f64));
        Some(Quantile { percent: *percent, ns: latency.percentile(*percent)? as f64, between })
    };
    Some(Spread {
        quantiles: PERCENTS.iter().filter_map(quantile).collect(),
        histogram: (h.count() > 0).then(|| h.clone()),
        ..of_moments(m)
    })
}

fn of_moments(m: &Moments) -> Spread {
    Spread {
        n: m.n,
        min_ns: m.min() as f64,
        mean_ns: m.mean(),
        max_ns: m.max() as f64,
        stddev_ns: m.stddev(),
        ..Spread::default()
    }
}

/// Percentile (percent), its value and its interval, nanoseconds.
type Known = (f64, Option<u64>, Option<[u64; 2]>);

/// Returns the percentiles with a value.
fn quantiles(of: &[Known]) -> Vec<Quantile> {
    let one = |(percent, ns, between): &Known| {
        let between = between.map(|ends| ends.map(|ns| ns as f64));
        Some(Quantile { percent: *percent, ns: (*ns)? as f64, between })
    };
    of.iter().filter_map(one).collect()
}

impl Flow {
    /// Returns the flow of the writes if these figures count commits; the flow of a pattern without commits is
    /// unchanged.
    fn of_commits(self, access: &Access) -> Flow {
        let Some(sync) = access.sync.filter(|_| access.commits()) else { return self };
        let Estimate { value, low, high } = self.iops;
        let writes = |commits: f64| commits * sync.every as f64;
        Flow {
            ios: self.ios * sync.every,
            iops: Estimate { value: writes(value), low: writes(low), high: writes(high) },
            commit: self.lat,
            lat: None,
            ..self
        }
    }
}

fn of_row(source: &str, card: &QuickCard, row: &QuickRow) -> Measured {
    let name = format!("{} {}", row.pattern, row.direction.name());
    let seconds = row.runtime_ms as f64 / 1e3;
    let ios = (row.iops * seconds).round() as u64;
    let bytes = (row.bytes_per_second as f64 * seconds).round() as u64;
    let [low, high] = row.between.iops.unwrap_or([row.iops; 2]);
    let known = [(50.0, row.p50_ns, row.between.p50_ns), (99.0, row.p99_ns, row.between.p99_ns)];
    let latency = row.mean_ns.map(|mean_ns| Spread {
        n: ios,
        mean_ns,
        quantiles: quantiles(&known),
        ..Spread::default()
    });
    Measured {
        source: source.into(),
        access: row.load.access.clone(),
        depth: row.depth,
        jobs: 1,
        seconds,
        flows: vec![
            Flow {
                direction: row.direction,
                ios,
                bytes,
                iops: Estimate { value: row.iops, low, high },
                bytes_per_second: row.bytes_per_second as f64,
                lat: latency,
                ..Flow::default()
            }
            .of_commits(&row.load.access),
        ],
        conditions: Conditions {
            // The unnamed scratch file is represented by its directory.
            target: card.target.clone(),
            stack: card.stack.clone(),
            engine: Some(row.load.engine.clone()).filter(|e| !e.is_empty()),
            direct: row.load.direct,
            span: Some(card.size).filter(|size| *size > 0),
            ..conditions(by(&card.version), &card.host)
        },
        findings: about(&card.findings, &row.name()),
        name,
        ..Measured::default()
    }
}

/// Returns the name of a point: its question, with its kernel setting or rate.
fn name_of(point: &Point) -> String {
    let question = point.question.name();
    match (&point.cell.setting, point.cell.rate) {
        (Some((setting, value)), _) => format!("{question} {setting}={value}"),
        (_, Some(rate)) => format!("{question} {rate} B/s"),
        _ => question.into(),
    }
}

fn of_point(source: &str, study: &Study, point: &Point) -> Measured {
    let cell = &point.cell;
    let direction = match cell.access.rw.as_str() {
        "write" | "randwrite" => Direction::Write,
        _ => Direction::Read,
    };
    let target = study.targets.get(cell.target).cloned().unwrap_or_default();
    let tails = &point.tails;
    let known =
        [(50.0, point.p50_ns, tails.p50), (99.0, point.p99_ns, tails.p99), (99.9, point.p999_ns, tails.p999)];
    let latency =
        Spread { n: point.ios, mean_ns: point.mean_ns, quantiles: quantiles(&known), ..Spread::default() };
    Measured {
        source: source.into(),
        name: name_of(point),
        access: cell.access.clone(),
        depth: cell.depth,
        jobs: cell.jobs,
        began_ms: point.began_ms,
        seconds: point.seconds,
        flows: vec![
            Flow {
                direction,
                ios: point.ios,
                bytes: point.bytes,
                iops: point.iops,
                bytes_per_second: point.bytes_per_second,
                lat: (point.mean_ns > 0.0).then_some(latency),
                ..Flow::default()
            }
            .of_commits(&cell.access),
        ],
        cpu_percent: None,
        conditions: Conditions {
            target: target.name,
            stack: target.stack,
            engine: Some(study.asked.engine.clone()).filter(|e| !e.is_empty()),
            direct: target.direct,
            paced: cell.rate.is_some(),
            span: cell.span.or(Some(target.size).filter(|size| *size > 0)),
            ..conditions(by(&study.version), &study.host)
        },
        findings: point.findings.clone(),
        series: Some(point.series.clone()).filter(|s| !s.windows.is_empty()),
        grade: None,
        ranges: None,
    }
}
