//! Charts of a run on several hosts: their sum over time, and rate and latency of each host.

use super::{Axis, Chart, Dot, Form, Line, Look, Quantity, bytes_per_second, distinct, id, per_second};
use crate::Lang;
use crate::catalog::say;
use crate::scale::time;
use stats::Direction;
use stats::hosts::{HostOutcome, HostRate, HostsResult, JoinedSeries};

/// Number of hosts up to which each has a bar with its name; more are a line over their order.
const BARS: usize = 100;
/// Percentiles of the latency of each host.
const PERCENTILES: [(f64, &str); 3] = [(50.0, "p50"), (99.0, "p99"), (99.9, "p99.9")];

/// Returns the charts: the sum over time of each phase, the rates of the hosts, and their latencies in each direction.
pub fn charts(result: &HostsResult, lang: Lang) -> Vec<Chart> {
    let mut charts = Vec::new();
    for joined in &result.joined {
        let note = say!(
            lang,
            "hosts-chart-joined-note",
            hosts = joined.hosts.iter().max().copied().unwrap_or(0).to_string(),
            wrong = time(joined.uncertainty_ns as f64)
        );
        let ios = over_time(joined, |window, d| window.ios[d]);
        let bytes = over_time(joined, |window, d| window.bytes[d]);
        for (name, label, quantity, series) in [
            ("iops", per_second(lang), Quantity::Iops, ios),
            ("bandwidth", bytes_per_second(lang), Quantity::Rate, bytes),
        ] {
            charts.push(Chart {
                id: id(&["hosts", "time", name, &joined.name]),
                title: say!(lang, "hosts-chart-joined", what = label.as_str()),
                note: note.clone(),
                x: Axis::linear(say!(lang, "chart-axis-seconds"), Quantity::Seconds),
                y: Axis::linear(label, quantity),
                form: Form::Lines { series },
                ..section(lang)
            });
        }
    }
    charts.extend(rates(result, lang));
    charts.extend(Direction::ALL.into_iter().filter_map(|direction| latency(result, direction, lang)));
    distinct(charts)
}

fn section(lang: Lang) -> Chart {
    Chart { section: say!(lang, "hosts-chart-section"), ..Chart::default() }
}

/// Returns a line for each direction with I/Os; each window holds until the next.
fn over_time(joined: &JoinedSeries, of: impl Fn(&stats::Window, usize) -> u64) -> Vec<Line> {
    let windows = &joined.series.windows;
    let used = |direction: &Direction| windows.iter().any(|window| window.ios[*direction as usize] > 0);
    let line = |direction: Direction| {
        let mut at_ns = joined.began_ns;
        let points = windows.iter().map(|window| {
            let from = at_ns as f64 / 1e9;
            at_ns = at_ns.saturating_add_unsigned(window.nanos);
            Dot::new(from, of(window, direction as usize) as f64 * 1e9 / window.nanos.max(1) as f64).short()
        });
        Line { name: direction.name().into(), look: Look::Step, points: points.collect() }
    };
    Direction::ALL.into_iter().filter(used).map(line).collect()
}

/// Returns the form of values of the hosts in this order, and the axis of the hosts.
fn of_hosts(hosts: &[&HostOutcome], lines: Vec<(String, Vec<Option<f64>>)>, lang: Lang) -> (Axis, Form) {
    let few = hosts.len() <= BARS;
    let series = lines.into_iter().map(|(name, values)| {
        // The first of a row of hosts is number one; categories are counted from zero.
        let first = if few { 0 } else { 1 };
        let points = values.iter().enumerate().map(|(at, value)| {
            let dot = Dot { x: (at + first) as f64, y: *value, between: None };
            dot.short()
        });
        Line { name, look: Look::Points, points: points.collect() }
    });
    let series = series.collect();
    if few {
        let names = hosts.iter().map(|host| host.name.clone()).collect();
        (Axis::names(say!(lang, "hosts-chart-host"), names), Form::Bars { series })
    } else {
        (Axis::linear(say!(lang, "hosts-chart-rank"), Quantity::Count), Form::Lines { series })
    }
}

/// Returns the charts of the hosts' rates, the slowest first.
fn rates(result: &HostsResult, lang: Lang) -> Vec<Chart> {
    let rated: Vec<(&HostOutcome, [HostRate; 3])> = result
        .hosts
        .iter()
        .map(|host| (host, host.rates()))
        .filter(|(_, rates)| rates.iter().any(|rate| rate.ios > 0))
        .collect();
    let chart = |name: &str, label: String, quantity: Quantity, of: fn(&HostRate) -> f64| {
        let mut rated = rated.clone();
        let all = |rates: &[HostRate; 3]| rates.iter().map(of).sum::<f64>();
        rated.sort_by(|one, other| all(&one.1).total_cmp(&all(&other.1)));
        let (slowest, fastest) = (rated.first()?, rated.last()?);
        let median = all(&rated[rated.len() / 2].1);
        let hosts: Vec<&HostOutcome> = rated.iter().map(|(host, _)| *host).collect();
        let used = |direction: &Direction| rated.iter().any(|(_, rates)| rates[*direction as usize].ios > 0);
        let line = |direction: Direction| {
            let values = rated.iter().map(|(_, rates)| Some(of(&rates[direction as usize])));
            (direction.name().to_owned(), values.collect())
        };
        let (x, form) = of_hosts(&hosts, Direction::ALL.into_iter().filter(used).map(line).collect(), lang);
        Some(Chart {
            id: id(&["hosts", "rate", name]),
            title: say!(lang, "hosts-chart-rate", what = label.as_str()),
            note: say!(
                lang,
                "hosts-chart-rate-note",
                slowest = slowest.0.name.as_str(),
                low = quantity.words(all(&slowest.1)),
                fastest = fastest.0.name.as_str(),
                high = quantity.words(all(&fastest.1)),
                median = quantity.words(median)
            ),
            x,
            y: Axis::linear(label, quantity),
            form,
            ..section(lang)
        })
    };
    let iops = chart("iops", per_second(lang), Quantity::Iops, |rate| rate.iops);
    let bandwidth = chart("bandwidth", bytes_per_second(lang), Quantity::Rate, |rate| rate.bytes_per_second);
    iops.into_iter().chain(bandwidth).collect()
}

/// Returns the chart of the hosts' latencies in one direction; `None` without I/Os.
fn latency(result: &HostsResult, direction: Direction, lang: Lang) -> Option<Chart> {
    let p99 = |host: &HostOutcome| host.percentile_ns(direction, 99.0);
    let mut hosts: Vec<&HostOutcome> = result.hosts.iter().filter(|host| p99(host).is_some()).collect();
    hosts.sort_by_key(|host| p99(host));
    let (best, worst) = (hosts.first()?, hosts.last()?);
    let lines = PERCENTILES.iter().map(|(percent, name)| {
        let values = hosts.iter().map(|host| Some(host.percentile_ns(direction, *percent)? as f64));
        ((*name).to_owned(), values.collect())
    });
    let (x, form) = of_hosts(&hosts, lines.collect(), lang);
    let words = |host: &HostOutcome| time(p99(host).unwrap_or_default() as f64);
    Some(Chart {
        id: id(&["hosts", "latency", direction.name()]),
        title: say!(lang, "hosts-chart-latency", direction = direction.name()),
        note: say!(
            lang,
            "hosts-chart-latency-note",
            best = best.name.as_str(),
            low = words(best),
            worst = worst.name.as_str(),
            high = words(worst)
        ),
        x,
        y: Axis::log(say!(lang, "hosts-chart-latency-axis"), Quantity::Nanos),
        form,
        ..section(lang)
    })
}
