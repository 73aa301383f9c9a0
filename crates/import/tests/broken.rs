//! Inputs that break fio-plot and fio2gnuplot: drawn, or refused with one clear line.
#![allow(clippy::unwrap_used)]

use import::{Column, ImportError, LineFault, Remark, Text};
use stats::{Direction, LogKind, log_series};
use std::path::{Path, PathBuf};
use testbed::Sandbox;

/// A directory of this test's own.
struct Place(Sandbox);

impl Place {
    fn new() -> Place {
        Place(Sandbox::new().unwrap())
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn read(&self) -> import::Found {
        import::read(&[self.0.path().to_path_buf()]).unwrap()
    }

    /// Why nothing in it could be read.
    fn refused(&self) -> Remark {
        let error = import::read(&[self.0.path().to_path_buf()]).unwrap_err();
        let ImportError::Nothing { path, why, others: 0 } = error else { panic!("{error}") };
        assert!(path.starts_with(self.0.path()), "{path:?}");
        why
    }
}

/// A result with these options and so many reads and writes, as fio 3.33 prints it, keys left out that do not matter.
fn result(options: &str, reads: u64, writes: u64) -> String {
    let side = |n: u64| {
        let clat = if n == 0 {
            r#"{"min":0,"max":0,"mean":0.0,"stddev":0.0,"N":0}"#.to_string()
        } else {
            format!(
                r#"{{"min":100,"max":900,"mean":200.5,"stddev":7.0,"N":{n},"percentile":{{"50.000000":190,"99.000000":804}}}}"#
            )
        };
        format!(
            r#"{{"io_bytes":{},"io_kbytes":{},"bw_bytes":{},"bw":1,"iops":{}.5,"runtime":1000,"total_ios":{n},"clat_ns":{clat},"lat_ns":{clat},"slat_ns":{{"N":0}}}}"#,
            n * 4096,
            n * 4,
            n * 4096,
            n
        )
    };
    let options = if options.is_empty() { String::new() } else { format!(r#""job options":{{{options}}},"#) };
    format!(
        r#"{{
  "fio version" : "fio-3.33", "timestamp_ms" : 1795398803217,
  "jobs" : [ {{ "jobname":"j","groupid":0,"error":0,"elapsed":2,{options}"job_runtime":1000,"usr_cpu":1.5,"sys_cpu":2.5,
    "read":{},"write":{},"trim":{},"latency_us":{{"2":25.0,"4":75.0}} }} ]
}}
"#,
        side(reads),
        side(writes),
        side(0)
    )
}

#[test]
fn a_missing_cell_of_the_grid_leaves_the_others() {
    let place = Place::new();
    for (depth, jobs) in [(1, 1), (1, 2), (4, 1)] {
        let options = format!(r#""rw":"randread","bs":"4k","iodepth":"{depth}","numjobs":"{jobs}""#);
        place.file(&format!("randread-{depth}-{jobs}.json"), result(&options, 10, 0));
    }
    let found = place.read();
    let cells: Vec<_> = found.measured.iter().map(|m| (m.depth, m.jobs)).collect();
    assert_eq!(cells, [(1, 1), (1, 2), (4, 1)]);
    assert!(found.skipped.is_empty() && found.notes.is_empty());
}

#[test]
fn two_files_of_one_cell_are_both_kept_and_named() {
    let place = Place::new();
    let options = r#""rw":"randread","bs":"4k","iodepth":"1","numjobs":"1""#;
    let first = place.file("a.json", result(options, 10, 0));
    let second = place.file("b.json", result(options, 30, 0));
    let found = place.read();
    assert_eq!(found.measured.iter().map(|m| m.flows[0].ios).collect::<Vec<_>>(), [10, 30]);
    assert_eq!(found.notes, [(second, Remark::SameLoad { first })]);
}

#[test]
fn a_missing_key_is_taken_from_the_name_or_left_unknown() {
    let place = Place::new();
    place.file("disk/randwrite/8k/randwrite-16-2.json", result("", 0, 10));
    place.file("other.json", result("", 10, 10));
    let found = place.read();
    let [tree, other] = &found.measured[..] else { panic!("{found:?}") };
    assert_eq!((tree.access.rw.as_str(), tree.access.bs, tree.depth, tree.jobs), ("randwrite", 8192, 16, 2));
    assert_eq!((other.access.rw.as_str(), other.access.bs, other.depth, other.jobs), ("", 0, 0, 0));
    // With options a missing one has fio's own default, where the figures are those of it.
    place.file("other.json", result(r#""filename":"/dev/x","direct":"1","ioengine":"libaio""#, 10, 0));
    let found = place.read();
    let other = &found.measured[1];
    assert_eq!((other.access.rw.as_str(), other.access.bs, other.depth, other.jobs), ("read", 4096, 1, 1));
    assert_eq!((other.conditions.direct, other.conditions.engine.as_deref()), (Some(true), Some("libaio")));
    // Keys that lead to nothing are no error either.
    place.file("other.json", r#"{"fio version":7,"jobs":[{"read":{"total_ios":3}}, 5, {"read":[]}]}"#);
    let found = place.read();
    assert_eq!((found.measured[1].flows[0].ios, found.measured[1].flows[0].clat.is_none()), (3, true));
}

#[test]
fn options_are_those_of_the_job_over_the_global_ones() {
    let place = Place::new();
    let text = result(r#""rw":"randrw","bs":"4k,8k","rwmixread":"70""#, 10, 10).replacen(
        "\"jobs\"",
        r#""global options":{"bs":"1m","iodepth":"8","numjobs":"4","rw":"read"},"jobs""#,
        1,
    );
    place.file("x.json", &text);
    let measured = &place.read().measured[0];
    assert_eq!(
        (measured.access.rw.as_str(), measured.access.bs, measured.access.reads),
        ("randrw", 0, Some(70))
    );
    // group_reporting: one entry for four jobs.
    assert_eq!((measured.depth, measured.jobs), (8, 4));
}

#[test]
fn sizes_are_read_as_fio_reads_them() {
    let place = Place::new();
    for (text, bytes) in
        [("4k", 4096), ("4ki", 4096), ("1m", 1 << 20), ("4096", 4096), ("4kib", 4000), ("x", 0)]
    {
        place.file("x.json", result(&format!(r#""rw":"read","bs":"{text}","size":"50%""#), 10, 0));
        let found = place.read();
        assert_eq!((found.measured[0].access.bs, found.measured[0].conditions.span), (bytes, None), "{text}");
    }
}

#[test]
fn zero_io_is_told_and_not_drawn() {
    let place = Place::new();
    place.file("zero.json", result(r#""rw":"read""#, 0, 0));
    assert_eq!(place.refused(), Remark::NoIo { job: "j".into() });
    place.file("some.json", result(r#""rw":"read""#, 1, 0));
    assert_eq!(place.read().measured.len(), 1);
}

#[test]
fn one_sample_is_one_sample() {
    let place = Place::new();
    place.file("j_iops.1.log", "1000, 250, 0, 0, 0\n");
    let found = place.read();
    let samples = &found.tracks[0].samples;
    assert_eq!(samples[..], [[1.0, 250.0]]);
    assert_eq!(log_series::time_mean(samples), Some(250.0));
    assert_eq!(log_series::on_grid(&found.tracks[0], 1.0).values, [Some(250.0)]);
    assert_eq!(log_series::figures(samples).map(|f| f.stddev), Some(0.0));
}

#[test]
fn logs_with_gaps_have_gaps() {
    let place = Place::new();
    place.file(
        "j_lat.1.log",
        "100, 5, 0, 0, 0\n200, 5, 0, 0, 0\n300, 5, 0, 0, 0\n5000, 9, 0, 0, 0\n5100, 9, 0, 0, 0\n",
    );
    let track = &place.read().tracks[0];
    assert_eq!(log_series::stretches(&track.samples).len(), 2);
    assert!((log_series::time_mean(&track.samples).unwrap() - 6.6).abs() < 1e-9);
}

#[test]
fn directions_of_one_file_are_apart() {
    let place = Place::new();
    place.file("j_bw.1.log", "500, 100, 0, 0, 0\n500, 7, 1, 0, 0\n1000, 200, 0, 0, 0\n1000, 9, 1, 0, 0\n");
    let found = place.read();
    let [read, write] = &found.tracks[..] else { panic!("{found:?}") };
    assert_eq!((read.direction, write.direction), (Direction::Read, Direction::Write));
    assert_eq!(read.samples, [[0.5, 102_400.0], [1.0, 204_800.0]]);
    assert_eq!(write.samples, [[0.5, 7168.0], [1.0, 9216.0]]);
}

#[test]
fn a_log_of_single_ios_is_a_rate_over_time() {
    let place = Place::new();
    // 4 KiB each 20 ms for two seconds: 50 a second. Its values are 1, and what one I/O alone would have as a rate.
    let lines =
        |value: u64| -> String { (1..=100).map(|k| format!("{}, {value}, 0, 4096, 0\n", k * 20)).collect() };
    place.file("j_iops.1.log", lines(1));
    place.file("j_bw.1.log", lines(9_999_999));
    place.file("j_clat.1.log", lines(777));
    let found = place.read();
    let of = |kind| found.tracks.iter().find(|t| t.kind == kind).unwrap();
    let all = |kind, value: f64| of(kind).samples.iter().all(|s| (s[1] - value).abs() < 1e-6);
    assert!(all(LogKind::Iops, 50.0) && all(LogKind::Bandwidth, 204_800.0), "{found:?}");
    assert!(of(LogKind::Clat).per_io && !of(LogKind::Iops).per_io);
    assert_eq!(log_series::distribution(of(LogKind::Clat)).unwrap().quantile(99.0), Some(780));
}

#[test]
fn headers_and_four_to_seven_columns_are_read() {
    let place = Place::new();
    place.file(
        "j_clat.1.log",
        "# a header\n\n10, 1, 0, 0\n20, 2, 0, 0, 0\n30, 3, 0, 0, 4096, 0x0004\n40, 4, 0, 0, 0, 0, 17\n",
    );
    // log_window_value=both: the largest value stands before the direction.
    place.file("k_clat.1.log", "10, 1, 900, 1, 0, 0\n20, 2, 901, 1, 0, 0\n");
    let found = place.read();
    assert_eq!(found.tracks[0].samples, [[0.01, 1.0], [0.02, 2.0], [0.03, 3.0], [0.04, 4.0]]);
    assert_eq!((found.tracks[1].direction, found.tracks[1].samples[1]), (Direction::Write, [0.02, 2.0]));
    let line = |number, fault| Remark::Line { number, fault };
    for (text, expected) in [
        ("10, 1, 0\n", line(1, LineFault::Columns { columns: 3 })),
        ("10, 1, 0, 0\n20, -1, 0, 0\n", line(2, LineFault::NotNumber { text: "-1".into() })),
        ("-10, 1, 0, 0\n", line(1, LineFault::NotWhole { column: Column::Time, text: "-10".into() })),
        ("10, nan, 0, 0\n", line(1, LineFault::NotNumber { text: "nan".into() })),
        ("10, 1, 0, 0\n10, 1, 5, 0\n", line(2, LineFault::NotDirection { number: 5 })),
        ("\n# nothing\n", Remark::EmptyLog),
        ("\u{fffd}\u{fffd}\n", line(1, LineFault::Columns { columns: 1 })),
    ] {
        let own = Place::new();
        own.file("j_lat.log", text);
        assert_eq!(own.refused(), expected, "{text:?}");
    }
}

#[test]
fn appended_runs_are_runs_of_their_own() {
    let place = Place::new();
    place.file("j_iops.log", "1000, 10, 0, 0, 0\n2000, 10, 0, 0, 0\n1000, 30, 0, 0, 0\n2000, 30, 0, 0, 0\n");
    let found = place.read();
    let names: Vec<_> = found.tracks.iter().map(|t| (t.name.as_str(), t.samples[0][1])).collect();
    assert_eq!(names, [("j#1", 10.0), ("j#2", 30.0)]);
}

#[test]
fn a_log_that_was_cut_off_is_read_up_to_there() {
    let place = Place::new();
    place.file("j_iops.log", "1000, 10, 0, 0, 0\n2000, 10, 0, 0, 0\n30");
    let found = place.read();
    assert_eq!(found.tracks[0].samples.len(), 2);
    let fault = LineFault::Columns { columns: 1 };
    assert_eq!(found.notes[0].1, Remark::LastLine { number: 3, fault });
}

#[test]
fn jobs_numbers_stay_where_there_are_several() {
    let place = Place::new();
    for name in ["a_bw.1.log", "a_bw.2.log", "b_bw.4.log", "randread-iodepth-8-numjobs-2_bw.1.log"] {
        place.file(name, "1000, 10, 0, 0, 0\n");
    }
    let found = place.read();
    let names: Vec<_> = found.tracks.iter().map(|t| (t.name.as_str(), t.depth, t.jobs)).collect();
    assert_eq!(names, [("a.1", 0, 0), ("a.2", 0, 0), ("b", 0, 0), ("randread-iodepth-8-numjobs-2", 8, 2)]);
}

#[test]
fn times_since_the_epoch_are_times_since_the_start_for_all_logs_of_a_run() {
    let place = Place::new();
    place.file("a_bw.1.log", "1795398801000, 10, 0, 0, 0\n1795398802000, 10, 0, 0, 0\n");
    place.file("a_bw.2.log", "1795398803000, 10, 0, 0, 0\n1795398804000, 10, 0, 0, 0\n");
    let found = place.read();
    assert_eq!((found.tracks[0].samples[0][0], found.tracks[1].samples[0][0]), (1.0, 3.0));
}

#[test]
fn histogram_logs_are_read_at_every_coarseness() {
    let place = Place::new();
    let line = |columns: usize, at: usize, n: u64| {
        let counts: Vec<String> = (0..columns).map(|c| if c == at { n } else { 0 }.to_string()).collect();
        format!("500, 1, 4096, {}\n", counts.join(", "))
    };
    place.file("a_clat_hist.1.log", line(1856, 129, 5) + &line(1856, 64, 2).replace("500,", "1000,"));
    place.file("b_clat_hist.1.log", line(464, 129 / 4, 5));
    let found = place.read();
    let exact = &found.histograms[0].samples;
    assert_eq!(
        (exact[0].0, exact[0].1.quantile(50.0), exact[1].1.quantile(50.0)),
        (0.5, Some(131), Some(64))
    );
    assert_eq!(found.histograms[0].direction, Direction::Write);
    // Four buckets of two nanoseconds in one: the middle is less than four away.
    assert!(found.histograms[1].samples[0].1.quantile(50.0).unwrap().abs_diff(132) <= 4);
    let own = Place::new();
    own.file("a_clat_hist.1.log", "500, 1, 4096, 1, 2, 3\n");
    assert_eq!(own.refused(), Remark::Line { number: 1, fault: LineFault::Buckets { buckets: 3 } });
}

#[test]
fn text_before_the_json_is_passed_over_and_told() {
    let place = Place::new();
    let text = format!("fio: pid=7, err=5\n{{not json\n{}", result(r#""rw":"read""#, 10, 0));
    place.file("x.json", text);
    let found = place.read();
    assert_eq!(found.measured.len(), 1);
    let first = "fio: pid=7, err=5".to_owned();
    assert_eq!(found.notes[0].1, Remark::TextBefore { lines: 2, first });
}

#[test]
fn several_documents_are_several_runs_unless_they_tell_one_run_again() {
    let place = Place::new();
    let one = |ended: u64, elapsed: u64, n| {
        result(r#""rw":"read""#, n, 0)
            .replace("1795398803217", &ended.to_string())
            .replace("\"elapsed\":2", &format!("\"elapsed\":{elapsed}"))
    };
    // --status-interval: ended and elapsed grow alike.
    let told = one(1_000_000_000, 1, 5) + &one(1_000_001_000, 2, 10) + &one(1_000_001_900, 3, 15);
    place.file("x.json", &told);
    let found = place.read();
    assert_eq!(found.measured.iter().map(|m| m.flows[0].ios).collect::<Vec<_>>(), [15]);
    assert_eq!(found.notes[0].1, Remark::EarlierReports { reports: 2 });
    place.file("x.json", told + &one(1_000_060_000, 1, 7));
    assert_eq!(place.read().measured.iter().map(|m| m.flows[0].ios).collect::<Vec<_>>(), [15, 7]);
}

#[test]
fn what_is_no_json_is_named() {
    let whole = result(r#""rw":"read""#, 10, 0);
    let terse = format!("3;fio-3.33;j;0;0;{}\n", vec!["0"; 120].join(";"));
    let text = "j: (g=0): rw=read, bs=(R) 4096B-4096B\n...\nj: (groupid=0, jobs=1): err= 0: pid=1: Mon\n";
    let broken = &whole[..whole.len() / 2];
    let cut = "EOF while parsing a string";
    for (content, expected) in [
        (terse.as_bytes(), Remark::NoJson(Text::Terse)),
        (text.as_bytes(), Remark::NoJson(Text::Report)),
        (b"", Remark::Empty),
        (b" \n\n", Remark::Empty),
        (broken.as_bytes(), Remark::BreaksOff { line: 4, error: cut.into() }),
        (b"\xff\xfe\x00\x01", Remark::NoJson(Text::Foreign)),
        (b"[1,2,3]", Remark::NoJson(Text::Foreign)),
        (b"{\"jobs\":7}", Remark::JobsNotListed),
        (b"{\"jobs\":[]}", Remark::NoJob),
        (b"1, 2, 0, 0\n", Remark::NoJson(Text::UnnamedLog)),
    ] {
        let place = Place::new();
        place.file("x.json", content);
        assert_eq!(place.refused(), expected);
    }
    // Beside something readable it is skipped.
    let place = Place::new();
    place.file("bad.json", "");
    place.file("good.json", whole);
    let found = place.read();
    assert_eq!((found.measured.len(), found.skipped.len()), (1, 1));
    let error = import::read(&[Path::new("/no/such/file").to_path_buf()]).unwrap_err();
    assert!(
        matches!(error, ImportError::Unreadable { path, why } if path == Path::new("/no/such/file") && why.kind() == std::io::ErrorKind::NotFound)
    );
    let null = import::read(&["/dev/null".into()]).unwrap_err();
    assert!(matches!(null, ImportError::Nothing { why: Remark::NotRegular, .. }));
    assert!(matches!(import::read(&[]), Err(ImportError::Nothing { why: Remark::NoPath, .. })));
}

#[test]
fn numbers_that_are_none_are_nothing() {
    let place = Place::new();
    let text = result(r#""rw":"read","name":"x: nan, inf""#, 10, 0)
        .replace("\"mean\":200.5", "\"mean\" : -nan")
        .replace("\"stddev\":7.0", "\"stddev\" : inf")
        .replace("\"io_bytes\":40960", "\"io_bytes\" : 99999999999999999999999");
    place.file("x.json", text);
    let flow = &place.read().measured[0].flows[0];
    assert_eq!((flow.ios, flow.bytes), (10, 0));
    assert_eq!(flow.clat.as_ref().map(|c| (c.mean_ns, c.stddev_ns, c.max_ns)), Some((0.0, 0.0, 900.0)));
}

#[test]
fn versions_before_nanoseconds_are_read_in_their_units() {
    let place = Place::new();
    let clat = r#"{"min":10,"max":90,"mean":20.5,"stddev":1.0,"percentile":{"50.000000":19,"99.000000":80,"0.00":0}}"#;
    let side = format!(
        r#"{{"io_bytes":4000,"bw":4000,"iops":1000.0,"runtime":1000,"total_ios":1000,"slat":{{"min":0,"max":0,"mean":0.0,"stddev":0.0}},"clat":{clat},"lat":{clat}}}"#
    );
    place.file("x.json", format!(r#"{{"fio version":"fio-2.21","jobs":[{{"jobname":"j","read":{side}}}]}}"#));
    place.file("x_clat.1.log", "1000, 20, 0, 0\n");
    let found = place.read();
    let flow = &found.measured[0].flows[0];
    assert_eq!((flow.bytes, flow.bytes_per_second), (4_096_000, 4_096_000.0));
    let clat = flow.clat.as_ref().unwrap();
    assert_eq!((clat.n, clat.mean_ns, clat.max_ns, clat.quantiles.len()), (1000, 20_500.0, 90_000.0, 2));
    assert!(flow.slat.is_none());
    assert_eq!(found.tracks[0].samples, [[1.0, 20_000.0]]);
}

#[test]
fn ranges_belong_to_a_direction_only_where_there_is_one() {
    let place = Place::new();
    place.file("x.json", result(r#""rw":"randrw""#, 10, 10));
    let mixed = &place.read().measured[0];
    assert_eq!(mixed.ranges.map(|r| (r.us[0], r.us[1], r.below_2_us)), Some((25.0, 75.0, 25.0)));
    assert!(mixed.flows.iter().all(|f| f.clat.as_ref().unwrap().ranges.is_none()));
    place.file("x.json", result(r#""rw":"read""#, 10, 0));
    assert!(place.read().measured[0].flows[0].clat.as_ref().unwrap().ranges.is_some());
}

#[test]
fn clients_are_apart_and_their_sum_is_not_counted_again() {
    let place = Place::new();
    let client = |host: &str, name: &str| {
        let text = result(r#""rw":"read""#, 10, 0);
        let begin = text.find("[ {").unwrap() + 2;
        let job = text[begin..text.rfind("} ]").unwrap() + 1].replacen("\"j\"", &format!("{name:?}"), 1);
        job.replacen('{', &format!(r#"{{"hostname":"{host}","port":8765,"#), 1)
    };
    let all = [client("a", "j"), client("b", "j"), client("b", "All clients")].join(",");
    let options =
        r#"[{"hostname":"a","port":8765,"iodepth":"4"},{"hostname":"b","port":8765,"iodepth":"8"}]"#;
    place.file(
        "x.json",
        format!(r#"{{"fio version":"fio-3.33","global options":{options},"client_stats":[{all}]}}"#),
    );
    let found = place.read();
    let hosts: Vec<_> = found.measured.iter().map(|m| (m.conditions.host.as_str(), m.depth)).collect();
    assert_eq!(hosts, [("a", 4), ("b", 8)]);
}

#[test]
fn directions_that_were_made_one_are_refused() {
    let place = Place::new();
    place.file("x.json", result(r#""rw":"randrw""#, 10, 0).replacen("\"read\"", "\"mixed\"", 1));
    assert_eq!(place.refused(), Remark::Unified { job: "j".into() });
}

#[test]
fn an_error_of_a_job_is_told() {
    let place = Place::new();
    place.file("x.json", result(r#""rw":"read""#, 10, 0).replacen("\"error\":0", "\"error\":5", 1));
    let found = place.read();
    assert_eq!(found.measured.len(), 1);
    assert_eq!(found.notes[0].1, Remark::JobFailed { job: "j".into(), error: 5 });
}
