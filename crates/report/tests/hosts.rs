//! The page of a run on several hosts, of a few and of a thousand.

use report::Lang;
use report::page::Page;
use stats::answer::Answer;
use stats::hosts::{HostOutcome, HostsMerge, HostsResult};
use stats::{DirectionOutcome, JobOutcome, Latency, RunResult, Series, Window};

/// Returns the result of `hosts` hosts with `jobs` jobs each; the I/Os of host number n are about 10,000 + 10 n.
fn result(hosts: usize, jobs: usize) -> HostsResult {
    let mut merge = HostsMerge::default();
    // A linear congruential generator (Knuth's MMIX): the histograms and windows of no two hosts are alike.
    let mut state = 1u64;
    let mut draw = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut outcomes = Vec::new();
    for number in 0..hosts {
        let mut all = Vec::new();
        for job in 0..jobs {
            let mut latency = Latency::default();
            for value in 0..400 {
                let nanos = (40_000.0 * 1.012f64.powi(value) * (1.0 + number as f64 / hosts as f64)) as u64;
                let count = 1 + draw(60);
                latency.histogram.record(nanos, count);
                latency.moments.record(nanos, count);
            }
            let ios = 10_000 + 10 * number as u64;
            let flow = DirectionOutcome {
                ios,
                bytes: 4096 * ios,
                runtime_ms: 20_000,
                clat: latency.clone(),
                lat: latency,
                ..DirectionOutcome::default()
            };
            all.push(JobOutcome {
                name: format!("job{job}"),
                members: 1,
                runtime_ms: 20_000,
                directions: [flow, DirectionOutcome::default(), DirectionOutcome::default()],
                ..JobOutcome::default()
            });
        }
        let mut series = Series::default();
        for _ in 0..400 {
            let ios = 5000 + draw(1000);
            series.windows.push(Window {
                nanos: 50_000_000 + draw(100_000),
                ios: [ios, 0, 0],
                bytes: [4096 * ios, 0, 0],
            });
        }
        let length: u64 = series.windows.iter().map(|window| window.nanos).sum();
        series.span = Some((1_000_000_000, 1_000_000_000 + length));
        let one = RunResult { jobs: all, series: vec![(String::new(), series)], ..RunResult::default() };
        let kept = merge.add(number, one, &|phase, at| Some((phase as u32, at as i64 - 1_000_000_000)));
        outcomes.push(HostOutcome {
            name: format!("node{number:04}"),
            result: Some(kept),
            ..HostOutcome::default()
        });
    }
    merge.finish(outcomes, None)
}

fn page(result: HostsResult) -> Page {
    Page::of_answer("R1", &Answer::Hosts(Box::new(result)), String::new(), Lang::En)
}

/// The page of a thousand hosts is below 5 MB, has the exact result as JSON, and names the slowest and the fastest host.
#[test]
fn page_of_a_thousand_hosts_is_small_and_has_all_figures() {
    let whole = result(1000, 16);
    let page = page(whole.clone());
    let text = page.render(Lang::En).unwrap();
    println!("{} bytes, {} of JSON", text.len(), page.raw.0.len());
    assert!(text.len() < 5_000_000, "{} bytes", text.len());
    let read: HostsResult = serde_json::from_str(&page.raw.0).unwrap();
    assert_eq!(read.hosts, whole.hosts);
    assert_eq!((read.joined, read.common), (whole.joined, whole.common));
    let rate = page.charts.iter().find(|chart| chart.id == "hosts-rate-iops").unwrap();
    assert!(rate.note.contains("node0000") && rate.note.contains("node0999"), "{}", rate.note);
    // The slowest has 16 jobs of 10,000 I/Os in 20 s, the fastest of 19,990.
    let points = &rate.form.series()[0].points;
    assert_eq!((points.len(), points[0].y, points[999].y), (1000, Some(8000.0), Some(15_992.0)));
    assert!(["node0000", "node0500", "node0999"].iter().all(|name| page.tables[0].2.contains(name)));
}

/// Few hosts have a bar each, with their names; the joined series has the I/Os of all.
#[test]
fn page_of_few_hosts_names_each() {
    let whole = result(5, 2);
    let all: u64 = whole.joined[0].series.windows.iter().map(|window| window.ios[0]).sum();
    let page = page(whole);
    let chart = |id: &str| page.charts.iter().find(|chart| chart.id == id).unwrap_or_else(|| panic!("{id}"));
    assert_eq!(chart("hosts-rate-iops").x.categories.len(), 5);
    assert_eq!(chart("hosts-latency-read").form.series().len(), 3);
    let joined = &chart("hosts-time-iops").form.series()[0].points;
    let drawn: f64 = joined.windows(2).map(|pair| pair[0].y.unwrap() * (pair[1].x - pair[0].x)).sum();
    // Without the last window, whose end is not a point.
    assert!(drawn <= all as f64 && drawn > 0.98 * all as f64, "{drawn} of {all}");
}
