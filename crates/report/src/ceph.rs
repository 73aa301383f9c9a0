//! The card of `fathom ceph`, its progress and its errors.

use crate::catalog::{say, word};
use crate::scale::{bytes, megabytes, percent, short, time};
use crate::words::lab;
use crate::words::run::job_error;
use crate::{Grid, Lang, export, fill, lay, left, prose_width, widest};
use ::lab::ceph::CephError;
use stats::ceph::{
    CephAdvice, CephCard, CephClient, CephOsd, CephPattern, CephPoolFacts, CephRow, DiskFigure, FigureSource,
    client_operations,
};
use stats::direction::Direction;
use std::time::Duration;

/// Returns the card in lines of at most `width` columns, newline at the end.
pub fn render(lang: Lang, card: &CephCard, width: usize) -> String {
    let prose = prose_width(width);
    let mut lines = fill("", &pool(lang, &card.pool), prose);
    lines.push(String::new());
    lines.extend(osds(lang, card, width));
    if !card.rows.is_empty() {
        lines.push(String::new());
        lines.extend(rates(lang, card, width));
        lines.push(String::new());
        lines.extend(costs(lang, card, width));
    }
    lines.push(String::new());
    let mut said: Vec<(&str, String)> = Vec::new();
    if card.interrupted {
        said.push(("", word!(lang, "ceph-incomplete").to_owned()));
    }
    let change = word!(lang, "ceph-label-advice");
    if card.advice.is_empty() && !card.interrupted {
        said.push((change, word!(lang, "ceph-advice-nothing").to_owned()));
    }
    for (at, of) in card.advice.iter().enumerate() {
        said.push((if at == 0 { change } else { "" }, advice(lang, of)));
    }
    if !card.pool.checks.is_empty() {
        said.push((word!(lang, "ceph-label-health"), card.pool.checks.join("; ")));
    }
    said.push((word!(lang, "ceph-label-model"), word!(lang, "ceph-formula").to_owned()));
    let names = format!("{} ({})", card.scratch.join(", "), bytes(card.scratch_bytes));
    said.push((word!(lang, "ceph-label-scratch"), say!(lang, "ceph-removed", names)));
    let labels: Vec<&str> = said.iter().map(|(label, _)| *label).collect();
    let column = widest(&labels) + 2;
    for (label, text) in &said {
        lines.extend(fill(&left(label, column), text, prose));
    }
    lay(&lines)
}

/// Returns the result as one JSON document, newline at the end.
pub fn json(card: &CephCard) -> String {
    export::json(card)
}

fn pool(lang: Lang, pool: &CephPoolFacts) -> String {
    let (name, min, pgs) = (pool.name.as_str(), pool.min_size.to_string(), pool.pgs.to_string());
    let health = pool.health.as_str();
    match pool.erasure {
        None => {
            let size = pool.size.to_string();
            say!(lang, "ceph-pool-replicated", pool = name, size, min, pgs, health)
        }
        Some((data, coding)) => {
            let (data, coding) = (data.to_string(), coding.to_string());
            say!(lang, "ceph-pool-erasure", pool = name, data, coding, min, pgs, health)
        }
    }
}

/// Returns a rate of a pattern: IOPS, or MB/s for large blocks.
fn rate(pattern: CephPattern, rate: f64) -> String {
    if pattern.is_large() {
        format!("{} MB/s", megabytes((rate * pattern.block() as f64) as u64))
    } else {
        short(rate)
    }
}

fn figure(lang: Lang, pattern: CephPattern, figure: Option<DiskFigure>) -> String {
    let Some(figure) = figure else { return word!(lang, "ceph-unknown").to_owned() };
    let source = match figure.source {
        FigureSource::Measured => "",
        FigureSource::Limit => word!(lang, "ceph-source-limit"),
        FigureSource::Given => word!(lang, "ceph-source-given"),
    };
    let rate = rate(pattern, figure.rate);
    if source.is_empty() { rate } else { format!("{rate} ({source})") }
}

fn osds(lang: Lang, card: &CephCard, width: usize) -> Vec<String> {
    let measured: Vec<CephPattern> = card.rows.iter().map(|row| row.pattern).collect();
    let mut head = vec![
        word!(lang, "ceph-column-osd").to_owned(),
        word!(lang, "ceph-column-host").to_owned(),
        word!(lang, "ceph-column-device").to_owned(),
        word!(lang, "ceph-column-class").to_owned(),
    ];
    head.extend(measured.iter().map(|pattern| pattern.name().to_owned()));
    let mut rows = vec![head];
    for CephOsd { id, host, device, class, store, disk, .. } in &card.osds {
        let device = if device.is_empty() { store } else { device };
        let mut row = vec![format!("osd.{id}"), host.clone(), device.clone(), class.clone()];
        let of = CephPattern::ALL.into_iter().zip(disk).filter(|(pattern, _)| measured.contains(pattern));
        row.extend(of.map(|(pattern, disk)| figure(lang, pattern, *disk)));
        rows.push(row);
    }
    Grid { keys: 1, to_right: |column| column > 3, gap: 2 }.lines(&rows, width)
}

fn client(client: CephClient) -> &'static str {
    match client {
        CephClient::Rados => "rados",
        CephClient::Rbd => "RBD",
        CephClient::CephFs => "CephFS",
    }
}

/// Returns the table from the disks to the clients: rates, and the factors between them.
fn rates(lang: Lang, card: &CephCard, width: usize) -> Vec<String> {
    let mut head: Vec<String> = [
        word!(lang, "ceph-column-pattern"),
        word!(lang, "ceph-column-disks"),
        word!(lang, "ceph-column-copies"),
        word!(lang, "ceph-column-placement"),
        word!(lang, "ceph-column-requests"),
        word!(lang, "ceph-column-expected"),
    ]
    .map(str::to_owned)
    .to_vec();
    let clients: Vec<CephClient> =
        card.rows.first().into_iter().flat_map(|row| row.clients.iter().map(|of| of.client)).collect();
    head.extend(clients.iter().map(|of| client(*of).to_owned()));
    let mut rows = vec![head];
    for row in &card.rows {
        rows.push(rate_row(lang, row, &clients));
    }
    Grid { keys: 1, to_right: |column| column > 0, gap: 2 }.lines(&rows, width)
}

fn rate_row(lang: Lang, row: &CephRow, clients: &[CephClient]) -> Vec<String> {
    let pattern = row.pattern;
    let unknown = || word!(lang, "ceph-unknown").to_owned();
    let rados = row.clients.first().and_then(|of| of.expected);
    let factor = |value: f64| format!("/ {value:.2}");
    let mut cells = vec![
        pattern.name().to_owned(),
        row.disks.map_or_else(unknown, |disks| rate(pattern, disks)),
        rados.map_or_else(String::new, |of| factor(of.copies)),
        rados.map_or_else(String::new, |of| factor(of.placement)),
        rados.map_or_else(String::new, |of| factor(of.device)),
        rados.map_or_else(unknown, |of| rate(pattern, of.rate)),
    ];
    for of in clients {
        let measured = row.clients.iter().find(|measured| measured.client == *of);
        cells.push(measured.map_or_else(String::new, |of| {
            let reached = of.reached().map(|share| format!(" ({})", percent(share * 100.0)));
            format!("{}{}", rate(pattern, of.rate), reached.unwrap_or_default())
        }));
    }
    cells
}

/// Returns the table of what an operation through rados costs: latency, CPU time, I/O of the devices, log.
fn costs(lang: Lang, card: &CephCard, width: usize) -> Vec<String> {
    let mut rows = vec![
        [
            word!(lang, "ceph-column-pattern"),
            word!(lang, "ceph-column-latency"),
            word!(lang, "ceph-column-p99"),
            word!(lang, "ceph-column-cpu"),
            word!(lang, "ceph-column-device-ios"),
            word!(lang, "ceph-column-log"),
            word!(lang, "ceph-column-deferred"),
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for row in &card.rows {
        let Some(rados) = row.clients.first() else { continue };
        let at = usize::from(row.pattern.direction() != Direction::Read);
        let operations = client_operations(&rados.work, row.pattern);
        let none = || "-".to_owned();
        let ios = rados.work.iter().map(|work| Some(work.device_ios?[at])).sum::<Option<u64>>();
        let counters = rados.work.iter().filter_map(|work| work.counters);
        let (log, deferred) = counters.fold((0, 0), |(log, deferred), counters| {
            (log + counters.wal_bytes, deferred + counters.deferred_ops)
        });
        let each = |n: u64| operations.map(|operations| n as f64 / operations);
        rows.push(vec![
            row.pattern.name().to_owned(),
            time(rados.mean_ns),
            rados.p99_ns.map_or_else(none, |nanos| time(nanos as f64)),
            rados.cpu_per_operation(row.pattern).map_or_else(none, |seconds| time(seconds * 1e9)),
            ios.and_then(each).map_or_else(none, |ios| format!("{ios:.2}")),
            each(log).filter(|_| at == 1).map_or_else(none, |log| bytes(log as u64)),
            each(deferred).filter(|_| at == 1).map_or_else(none, |share| percent(share * 100.0)),
        ]);
    }
    Grid { keys: 1, to_right: |column| column > 0, gap: 2 }.lines(&rows, width)
}

/// Returns what follows from the results, and what to change.
pub fn advice(lang: Lang, advice: &CephAdvice) -> String {
    let share = |share: f64| percent(share * 100.0);
    let two = |value: f64| format!("{value:.2}");
    match advice {
        CephAdvice::Recovery { states } => say!(lang, "ceph-advice-recovery", states = states.join(", ")),
        CephAdvice::DiskUnknown { pattern, osds } => {
            let osds: Vec<String> = osds.iter().map(|osd| format!("osd.{osd}")).collect();
            let (name, option) = (pattern.name(), pattern.option());
            say!(lang, "ceph-advice-unknown", pattern = name, osds = osds.join(", "), option)
        }
        CephAdvice::ReadsFromCache { pattern, device_reads } => {
            say!(lang, "ceph-advice-cache", pattern = pattern.name(), reads = two(*device_reads))
        }
        CephAdvice::Copies { pattern, copies } => {
            say!(lang, "ceph-advice-copies", pattern = pattern.name(), copies = short(*copies))
        }
        CephAdvice::Journal { pattern, factor, deferred } => say!(
            lang,
            "ceph-advice-journal",
            pattern = pattern.name(),
            factor = two(*factor),
            deferred = share(*deferred)
        ),
        CephAdvice::Placement { pattern, factor, osd, pgs } => say!(
            lang,
            "ceph-advice-placement",
            pattern = pattern.name(),
            factor = two(*factor),
            osd = osd.to_string(),
            pgs = pgs.to_string()
        ),
        CephAdvice::SlowDisk { pattern, osd, share: of } => {
            say!(
                lang,
                "ceph-advice-slow",
                pattern = pattern.name(),
                osd = osd.to_string(),
                share = share(*of)
            )
        }
        CephAdvice::Cpu { pattern, busy } => {
            say!(lang, "ceph-advice-cpu", pattern = pattern.name(), busy = share(*busy))
        }
        CephAdvice::Link { pattern } => say!(lang, "ceph-advice-link", pattern = pattern.name()),
        CephAdvice::Latency { pattern, reached, depth, pgs, mean_ns } => say!(
            lang,
            "ceph-advice-latency",
            pattern = pattern.name(),
            reached = share(*reached),
            depth = depth.to_string(),
            pgs = pgs.to_string(),
            latency = time(*mean_ns)
        ),
        CephAdvice::Client { pattern, client: of, share: reached } => say!(
            lang,
            "ceph-advice-client",
            pattern = pattern.name(),
            client = client(*of),
            share = share(*reached)
        ),
        CephAdvice::AboveExpected { pattern, reached } => {
            say!(lang, "ceph-advice-above", pattern = pattern.name(), reached = share(*reached))
        }
    }
}

/// Returns the line while scratch data are written.
pub fn filling(lang: Lang, target: &str) -> String {
    say!(lang, "ceph-filling", target)
}

/// Returns the line of the pattern that is being measured.
pub fn measuring(lang: Lang, target: &str, pattern: CephPattern) -> String {
    say!(lang, "ceph-measuring", target, pattern = pattern.name())
}

/// Returns that scratch objects of an ended run were removed.
pub fn leftover(lang: Lang, keys: &str) -> String {
    say!(lang, "ceph-leftover", keys)
}

/// Returns that the image of an ended run is waited for.
pub fn waiting(lang: Lang, image: &str, limit: Duration) -> String {
    say!(lang, "ceph-waiting", image, time = time(limit.as_nanos() as f64))
}

/// Returns why nothing is measured.
pub fn error(lang: Lang, error: &CephError) -> String {
    match error {
        CephError::Remote(error) => error.to_string(),
        CephError::Target(error) => lab::target_error(lang, error),
        CephError::NoPool { pool, pools } => {
            say!(lang, "ceph-error-pool", pool, pools = pools.join(", "))
        }
        CephError::Answer { command } => say!(lang, "ceph-error-answer", command),
        CephError::TooManyRuns => word!(lang, "ceph-error-runs").to_owned(),
        CephError::NoOsd { osd } => say!(lang, "ceph-error-osd", osd = osd.to_string()),
        CephError::Job { target, error } => {
            say!(lang, "ceph-error-job", target, error = job_error(lang, error))
        }
    }
}
