//! What fio 3.33 wrote, read by us, against the same files read by nobody but serde_json.
#![allow(clippy::unwrap_used)]

use import::{ImportError, Remark, Text};
use serde_json::Value;
use stats::{Direction, LogKind, Measured, Spread, log_series};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use testbed::{Need, Sandbox, skip_without};

/// Runs fio in a directory; its jobs are on the null engine and last a second at most.
fn fio(place: &Path, args: &str) {
    let mut command = Command::new("fio");
    command.current_dir(place).args(args.split_whitespace());
    let ran = testbed::child::run(&mut command, Duration::from_secs(30)).unwrap();
    assert_eq!(ran.code, Some(0), "fio {args}\n{}{}", ran.stdout, ran.stderr);
}

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    let (begin, end) = (text.find("{\n").unwrap(), text.rfind("\n}\n").unwrap() + 3);
    serde_json::from_str(&text[begin..end]).unwrap()
}

fn read(paths: &[PathBuf]) -> import::Found {
    let found = import::read(paths).unwrap();
    assert!(found.skipped.iter().all(|(_, why)| *why == Remark::EmptyLog), "{:?}", found.skipped);
    found
}

const NULL: &str = "--ioengine=null --filename=/dev/null --size=1g --time_based --runtime=1 --rate_iops=3000";

/// Every figure of a latency is the source's own.
fn latency_is_the_source_s(ours: &Spread, theirs: &Value) {
    let number = |key: &str| theirs[key].as_f64().unwrap();
    assert_eq!(
        (ours.n as f64, ours.min_ns, ours.mean_ns, ours.max_ns, ours.stddev_ns),
        (number("N"), number("min"), number("mean"), number("max"), number("stddev"))
    );
    let percentiles: Vec<(f64, f64)> = theirs["percentile"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(p, ns)| (p.parse().unwrap(), ns.as_f64().unwrap()))
        .collect();
    assert_eq!(ours.quantiles.iter().map(|q| (q.percent, q.ns)).collect::<Vec<_>>(), percentiles);
    let bins: Vec<(u64, u64)> = theirs["bins"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(ns, n)| (ns.parse().unwrap(), n.as_u64().unwrap()))
        .collect();
    let Some(histogram) = &ours.histogram else { return assert!(bins.is_empty()) };
    assert_eq!(histogram.buckets().collect::<Vec<_>>(), bins);
    // What fio says of a percentile follows from the bins alone.
    for (percent, ns) in percentiles {
        assert_eq!(histogram.quantile(percent).map(|q| q as f64), Some(ns), "{percent}");
    }
}

fn job_is_the_source_s(ours: &Measured, theirs: &Value) {
    for flow in &ours.flows {
        let side = &theirs[flow.direction.name()];
        let number = |key: &str| side[key].as_f64().unwrap();
        assert_eq!(
            (flow.ios as f64, flow.bytes as f64, flow.iops.value, flow.bytes_per_second),
            (number("total_ios"), number("io_bytes"), number("iops"), number("bw_bytes"))
        );
        for (spread, key) in [(&flow.slat, "slat_ns"), (&flow.clat, "clat_ns"), (&flow.lat, "lat_ns")] {
            match spread {
                Some(spread) => latency_is_the_source_s(spread, &side[key]),
                None => assert_eq!(side[key]["N"], 0),
            }
        }
    }
    assert_eq!(ours.cpu_percent.unwrap(), ["usr_cpu", "sys_cpu"].map(|k| theirs[k].as_f64().unwrap()));
    let ranges = ours.ranges.unwrap();
    let all = ranges.ns.iter().chain(&ranges.us).chain(&ranges.ms).copied();
    let keys = ["latency_ns", "latency_us", "latency_ms"];
    let source =
        keys.iter().flat_map(|k| theirs[k].as_object().unwrap().values()).map(|v| v.as_f64().unwrap());
    assert_eq!(all.collect::<Vec<_>>(), source.collect::<Vec<_>>());
}

#[test]
fn every_figure_of_json_and_json_plus_is_the_source_s() {
    skip_without!(Need::Program("fio"));
    let place = Sandbox::new().unwrap();
    for (name, format) in [("normal", "json"), ("plus", "json+"), ("both", "normal,json+")] {
        let options = "--rw=randrw --rwmixread=70 --bs=4k,8k --iodepth=4 --numjobs=1 --lat_percentiles=1 --slat_percentiles=1";
        fio(
            place.path(),
            &format!("--name=j {NULL} {options} --output-format={format} --output={name}.json"),
        );
        let path = place.join(&format!("{name}.json"));
        let found = read(std::slice::from_ref(&path));
        let (document, ours) = (json(&path), &found.measured[0]);
        job_is_the_source_s(ours, &document["jobs"][0]);
        assert_eq!(
            ours.flows.iter().map(|f| f.direction).collect::<Vec<_>>(),
            [Direction::Read, Direction::Write]
        );
        assert_eq!((ours.name.as_str(), ours.depth, ours.jobs, ours.access.reads), ("j", 4, 1, Some(70)));
        assert_eq!((ours.access.rw.as_str(), ours.access.bs), ("randrw", 0));
        assert_eq!((ours.conditions.by.as_str(), ours.conditions.span), ("fio-3.33", Some(1 << 30)));
        assert_eq!(
            (ours.conditions.engine.as_deref(), ours.conditions.target.as_str()),
            (Some("null"), "/dev/null")
        );
        assert!(ours.began_ms.abs_diff(document["timestamp_ms"].as_u64().unwrap()) < 5_000);
        assert!((ours.seconds - 1.0).abs() < 0.3, "{}", ours.seconds);
        assert_eq!(ours.flows[0].clat.as_ref().unwrap().histogram.is_some(), format.ends_with('+'));
    }
}

#[test]
fn clones_are_one_load_and_other_jobs_are_others() {
    skip_without!(Need::Program("fio"));
    let place = Sandbox::new().unwrap();
    let jobs = "--name=a --rw=read --bs=4k --numjobs=3 --name=b --rw=write --bs=8k --iodepth=2";
    fio(place.path(), &format!("{NULL} {jobs} --output-format=json+ --output=x.json"));
    let found = read(&[place.join("x.json")]);
    let document = json(&place.join("x.json"));
    let sides: Vec<&Value> =
        document["jobs"].as_array().unwrap().iter().take(3).map(|j| &j["read"]).collect();
    let [a, b] = &found.measured[..] else { panic!("{} loads", found.measured.len()) };
    let sum = |key: &str| sides.iter().map(|s| s[key].as_f64().unwrap()).sum::<f64>();
    assert_eq!((a.jobs, a.access.bs, a.flows[0].ios as f64), (3, 4096, sum("total_ios")));
    assert_eq!((a.flows[0].iops.value, a.flows[0].bytes_per_second), (sum("iops"), sum("bw_bytes")));
    // Latencies of all I/Os: counts of all bins, and the mean weighs with the I/Os.
    let clat = a.flows[0].clat.as_ref().unwrap();
    let n = |s: &&Value| s["clat_ns"]["N"].as_f64().unwrap();
    let mean = sides.iter().map(|s| n(s) * s["clat_ns"]["mean"].as_f64().unwrap()).sum::<f64>()
        / sides.iter().map(n).sum::<f64>();
    assert!((clat.mean_ns - mean).abs() < 1e-6 * mean);
    assert_eq!(clat.histogram.as_ref().map(|h| h.count()), Some(clat.n));
    assert_eq!((b.jobs, b.depth, b.access.bs, b.flows[0].direction), (1, 2, 8192, Direction::Write));
    // Told as one by fio itself it is one too, with all its percentiles.
    fio(place.path(), &format!("{NULL} --group_reporting {jobs} --output-format=json+ --output=y.json"));
    let found = read(&[place.join("y.json")]);
    let document = json(&place.join("y.json"));
    job_is_the_source_s(&found.measured[0], &document["jobs"][0]);
}

/// The values of a log of one direction, by splitting its lines.
fn values(path: &Path, direction: &str) -> Vec<[f64; 2]> {
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().map(|l| l.split(", ").collect::<Vec<_>>());
    let own = rows.filter(|r| r[2] == direction);
    own.map(|r| [r[0].parse::<f64>().unwrap() / 1000.0, r[1].parse().unwrap()]).collect()
}

#[test]
fn logs_are_the_source_s_line_for_line_and_their_sum_is_what_fio_counted() {
    skip_without!(Need::Program("fio"));
    let place = Sandbox::new().unwrap();
    let logs = "--write_bw_log=x --write_iops_log=x --write_lat_log=x --write_hist_log=x --log_avg_msec=100 --log_hist_msec=200";
    let load = "--name=x --rw=randrw --bs=4k --numjobs=2 --iodepth=2";
    fio(place.path(), &format!("{load} {NULL} {logs} --output-format=json --output=x.json"));
    let found = read(&[place.path().to_path_buf()]);
    for t in &found.tracks {
        let unit = if t.kind == LogKind::Bandwidth { 1024.0 } else { 1.0 };
        let number = ["0", "1", "2"][t.direction as usize];
        let source: Vec<[f64; 2]> =
            values(Path::new(&t.source), number).into_iter().map(|[s, v]| [s, v * unit]).collect();
        assert_eq!(t.samples, source, "{}", t.source);
        assert!(!t.per_io);
    }
    let of = |kind: LogKind, direction: Direction| {
        found.tracks.iter().filter(|t| t.kind == kind && t.direction == direction).collect::<Vec<_>>()
    };
    assert_eq!((of(LogKind::Iops, Direction::Read).len(), of(LogKind::Lat, Direction::Write).len()), (2, 2));
    for direction in [Direction::Read, Direction::Write] {
        let counted = found.measured[0].flows.iter().find(|f| f.direction == direction).unwrap();
        let sum = log_series::together(&of(LogKind::Iops, direction), &[], 0.1).unwrap();
        let mean = log_series::time_mean(&sum.samples).unwrap();
        assert!(
            (mean / counted.iops.value - 1.0).abs() < 0.15,
            "{mean} in the logs, {} counted",
            counted.iops.value
        );
        let sum = log_series::together(&of(LogKind::Bandwidth, direction), &[], 0.1).unwrap();
        let mean = log_series::time_mean(&sum.samples).unwrap();
        assert!((mean / counted.bytes_per_second - 1.0).abs() < 0.15);
        // Every I/O but those of the last part of an interval is in the histograms.
        let logs = found.histograms.iter().filter(|l| l.direction == direction);
        let logged: u64 = logs.flat_map(|l| &l.samples).map(|(_, h)| h.count()).sum();
        assert!(
            logged <= counted.ios && logged as f64 > 0.5 * counted.ios as f64,
            "{logged} of {}",
            counted.ios
        );
    }
}

#[test]
fn measures_logs_of_single_ios_have_every_io() {
    skip_without!(Need::Program("fio"));
    let place = Sandbox::new().unwrap();
    let logs = "--write_bw_log=x --write_iops_log=x --write_lat_log=x --log_offset=1";
    fio(
        place.path(),
        &format!("--name=x --rw=randread --bs=4k {NULL} {logs} --output-format=json+ --output=x.json"),
    );
    let found = read(&[place.path().to_path_buf()]);
    let flow = &found.measured[0].flows[0];
    let of = |kind| found.tracks.iter().find(|t| t.kind == kind).unwrap();
    // The log's latencies have the percentiles that the bins have.
    let clat = log_series::distribution(of(LogKind::Clat)).unwrap();
    assert_eq!(Some(&clat), flow.clat.as_ref().unwrap().histogram.as_ref());
    let iops = log_series::time_mean(&of(LogKind::Iops).samples).unwrap();
    assert!((iops / flow.iops.value - 1.0).abs() < 0.1, "{iops} {}", flow.iops.value);
    let rate = log_series::time_mean(&of(LogKind::Bandwidth).samples).unwrap();
    assert!((rate / flow.bytes_per_second - 1.0).abs() < 0.1);
}

#[test]
fn what_a_run_told_before_its_end_is_not_counted_again() {
    skip_without!(Need::Program("fio"));
    let place = Sandbox::new().unwrap();
    let load = NULL.replace("--runtime=1", "--runtime=3");
    fio(
        place.path(),
        &format!("--name=x --rw=read {load} --status-interval=1 --output-format=json --output=x.json"),
    );
    let text = std::fs::read_to_string(place.join("x.json")).unwrap();
    let documents = text.matches("\"fio version\"").count();
    assert!(documents > 1);
    let found = read(&[place.join("x.json")]);
    assert_eq!(found.measured.len(), 1, "{documents} documents");
    assert!((found.measured[0].flows[0].ios as f64 - 9000.0).abs() < 100.0);
}

#[test]
fn terse_and_text_are_refused_with_what_would_be_read() {
    skip_without!(Need::Program("fio"));
    let place = Sandbox::new().unwrap();
    for (format, text) in [("terse", Text::Terse), ("normal", Text::Report)] {
        let path = place.join(format);
        let load = "--name=x --rw=read --ioengine=null --filename=/dev/null --size=1m";
        fio(place.path(), &format!("{load} --output-format={format} --output={format}"));
        let error = import::read(&[path]).unwrap_err();
        assert!(
            matches!(error, ImportError::Nothing { why: Remark::NoJson(found), .. } if found == text),
            "{error}"
        );
    }
}

/// `iodepth 2` stands before `iodepth 16`, and job 10 behind job 9.
#[test]
fn files_of_a_directory_come_in_the_order_of_their_numbers() {
    let place = Sandbox::new().unwrap();
    let text = r#"{"jobs":[{"jobname":"j","read":{"total_ios":5,"iops":5.0,"runtime":1000}}]}"#;
    let names = ["r-1-1.json", "r-1-2.json", "r-1-10.json", "r-2-1.json", "r-16-1.json"];
    names.iter().for_each(|name| place.put(name, text).unwrap());
    let found = read(&[place.path().to_path_buf()]);
    let sources: Vec<&str> = found.measured.iter().map(|m| m.source.rsplit('/').next().unwrap()).collect();
    assert_eq!(sources, names);
}

/// A log of all jobs (`per_job_logs=0`) and numbered ones of the same prefix are of two runs: they are not added up.
#[test]
fn unnumbered_log_beside_numbered_ones_is_another_run() {
    skip_without!(Need::Program("fio"));
    let place = Sandbox::new().unwrap();
    let log = "--write_bw_log=b --log_avg_msec=100";
    fio(place.path(), &format!("--name=j {NULL} {log} --per_job_logs=0"));
    fio(place.path(), &format!("--name=j {NULL} {log} --numjobs=2"));
    let found = read(&[place.path().to_path_buf()]);
    let runs: Vec<usize> = log_series::by_run(&found.tracks).iter().map(Vec::len).collect();
    assert_eq!(runs, [2, 1], "{:?}", found.tracks.iter().map(|t| &t.run).collect::<Vec<_>>());
}
