//! Random features on top of a drawn job: verify, logs, recorded and replayed traces, think time and other pace.

use super::draw::{Drawn, PAST_THE_MAP, value};
use crate::dice::Dice;

type Options = Vec<(String, String)>;

/// Checksums and contents of `verify`.
const METHODS: [&str; 18] = [
    "md5",
    "crc64",
    "crc32",
    "crc32c",
    "crc32c-intel",
    "crc16",
    "crc7",
    "sha1",
    "sha256",
    "sha512",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "xxhash",
    "meta",
    "pattern",
    "null",
];

/// Adds features to a drawn job at random: one of verify, a replay or a pace, and logs and a recorded trace.
pub fn add(dice: &mut Dice, job: &mut Drawn) {
    match dice.below(6) {
        5 => flow(dice, job),
        0 => verify(dice, &mut job.options),
        1 => {
            if let Some(replay) = replay(dice) {
                *job = replay;
            }
        }
        2 => pace(dice, job),
        _ => {}
    }
    if dice.rarely(2) {
        logs(dice, &mut job.options);
    }
    if dice.rarely(5) && value(&job.options, "read_iolog").is_none() {
        recorded(&mut job.options);
    }
}

fn set(options: &mut Options, key: &str, value: &str) {
    options.push((key.to_string(), value.to_string()));
}

fn remove(options: &mut Options, keys: &[&str]) {
    options.retain(|(key, _)| !keys.contains(&key.as_str()));
}

fn has(options: &Options, key: &str) -> bool {
    value(options, key).is_some()
}

/// Adds `verify` and its options to a job that writes to files.
fn verify(dice: &mut Dice, options: &mut Options) {
    let rw = value(options, "rw").unwrap_or("read").to_string();
    let writes = rw.contains("write") || matches!(rw.as_str(), "rw" | "randrw");
    if !writes || rw.contains("trim") || value(options, "ioengine") == Some("null") {
        return;
    }
    // With overlapping writes in flight, of clones or of one job, fio raises false alarms (docs/compat.md).
    let clones = has(options, "filename") && has(options, "numjobs");
    let deep = !matches!(value(options, "iodepth"), None | Some("1"));
    let runs = rw.starts_with("rand") && rw.contains(':');
    if clones || runs || deep && (has(options, "norandommap") || has(options, "loops")) {
        return;
    }
    // fio takes good blocks of a mix over several files, or without the random map, for damaged (docs/compat.md).
    let several =
        has(options, "nrfiles") || value(options, "filename").is_some_and(|names| names.contains(':'));
    let mixed = matches!(rw.as_str(), "rw" | "readwrite" | "randrw");
    if mixed && (several || PAST_THE_MAP.iter().any(|key| has(options, key))) {
        return;
    }
    // fio makes further passes (docs/compat.md).
    remove(options, &["io_size"]);
    // Options that fio itself sets or refuses beside verify.
    remove(options, &["refill_buffers", "scramble_buffers", "dedupe_percentage", "zero_buffers"]);
    set(options, "verify", dice.one(&METHODS));
    match dice.below(6) {
        0 => set(options, "do_verify", "0"),
        1 => set(options, "verify_fatal", "1"),
        2 => set(options, "verify_backlog", dice.one(&["1", "16", "64"])),
        3 => {
            set(options, "verify_backlog", "32");
            set(options, "verify_backlog_batch", dice.one(&["8", "32"]));
        }
        _ => {}
    }
    match dice.below(6) {
        0 => set(options, "verify_interval", dice.one(&["512", "1k"])),
        1 => set(options, "verify_pattern", dice.one(&["0xdeadbeef", "\"abc\"", "%o"])),
        2 => set(options, "verify_state_save", dice.one(&["0", "1"])),
        3 => set(options, "verify_dump", "1"),
        4 => set(options, "verify_async", "2"),
        _ => {}
    }
    if value(options, "verify") == Some("pattern") && !has(options, "verify_pattern") {
        set(options, "verify_pattern", "0x5a");
    }
}

/// Adds logs of bandwidth, rate and latency, per I/O or averaged.
fn logs(dice: &mut Dice, options: &mut Options) {
    // With this option and threads, fio does not end.
    remove(options, &["disable_bw_measurement"]);
    let kinds = ["write_bw_log", "write_iops_log", "write_lat_log"];
    let all = dice.rarely(3);
    let first = dice.below(kinds.len());
    for (number, kind) in kinds.into_iter().enumerate() {
        if all || number == first {
            set(options, kind, "log");
        }
    }
    match dice.below(5) {
        0 => set(options, "log_avg_msec", dice.one(&["10", "100"])),
        1 => set(options, "log_offset", "1"),
        2 => set(options, "log_prio", "1"),
        3 => {
            set(options, "log_avg_msec", "50");
            set(options, "log_max_value", "1");
        }
        _ => {}
    }
    match dice.below(6) {
        0 => set(options, "per_job_logs", "0"),
        1 => set(options, "log_unix_epoch", "1"),
        2 => set(options, "log_compression", "64k"),
        _ => {}
    }
    if dice.rarely(5) {
        set(options, "write_hist_log", "log");
        set(options, "log_hist_msec", dice.one(&["20", "100"]));
        if dice.rarely(2) {
            set(options, "log_hist_coarseness", dice.one(&["1", "3", "6"]));
        }
    }
}

/// Records the job's operations as a trace.
fn recorded(options: &mut Options) {
    // Clones would write the same file. With its null engine and several I/Os in flight, fio records each of them twice
    // (docs/compat.md).
    let twice =
        value(options, "ioengine") == Some("null") && !matches!(value(options, "iodepth"), None | Some("1"));
    if !has(options, "numjobs") && !has(options, "flow") && !twice {
        set(options, "write_iolog", "rec.iolog");
    }
}

/// Adds think time or a rate, short enough for a job of a second or two.
fn pace(dice: &mut Dice, job: &mut Drawn) {
    let options = &mut job.options;
    match dice.below(6) {
        0 | 1 => {
            let pause = dice.one(&["200", "1000", "1ms"]);
            set(options, "thinktime", pause);
            if dice.rarely(2) {
                set(options, "thinktime_blocks", dice.one(&["4", "16"]));
                if dice.rarely(2) {
                    set(options, "thinktime_blocks_type", dice.one(&["issue", "complete"]));
                }
            }
            match dice.below(5) {
                // fio may spin without end where the two times are nearly equal (docs/compat.md).
                0 if pause != "200" => set(options, "thinktime_spin", "100"),
                1 => set(options, "thinktime_iotime", "20ms"),
                _ => {}
            }
        }
        2 => set(options, "rate_iops", dice.one(&["5k", "2000,3000"])),
        3 => set(options, "rate", dice.one(&["20m", "8m,16m"])),
        4 => {
            // Every run is steady within this limit.
            remove(options, &["io_size", "number_ios", "loops", "startdelay"]);
            set(options, "time_based", "");
            set(options, "runtime", "3");
            set(options, "steadystate", dice.one(&["iops:100000%", "bw:100000%"]));
            // fio's slope of one sample is not a number (docs/compat.md).
            set(options, "steadystate_duration", "2");
            job.timed = true;
        }
        _ => {
            // fio does not end if it does not measure latencies, and multiplies the target of clones (docs/compat.md).
            remove(
                options,
                &[
                    "number_ios",
                    "gtod_reduce",
                    "disable_lat",
                    "disable_clat",
                    "loops",
                    "serialize_overlap",
                    "numjobs",
                ],
            );
            set(options, "latency_target", "10s");
            set(options, "latency_window", "50ms");
            set(options, "latency_percentile", "99");
            // The search ends the job after a number of windows.
            job.timed = true;
        }
    }
}

/// Makes two or three jobs of the drawn one that share their I/Os by weights. Each job ends with its own region, so that
/// the counts are those without a flow.
fn flow(dice: &mut Dice, job: &mut Drawn) {
    // The first of several jobs on one file that ends would delete it, and lines of two jobs have no order.
    remove(&mut job.options, &["unlink", "unlink_each_loop", "filename_format", "exec_prerun"]);
    // Options of one job after another are no section of a job file.
    job.in_file = false;
    let options = std::mem::take(&mut job.options);
    let id = dice.rarely(2).then(|| dice.one(&["1", "7"]));
    for name in ["a", "b", "c"].iter().take(dice.between(2, 3) as usize) {
        if *name != "a" {
            set(&mut job.options, "name", name);
        }
        job.options.extend(options.iter().cloned());
        set(&mut job.options, "flow", dice.one(&["1", "2", "3", "10"]));
        if let Some(id) = id {
            set(&mut job.options, "flow_id", id);
        }
        if dice.rarely(3) {
            set(&mut job.options, "flow_sleep", dice.one(&["100", "1000"]));
        }
    }
}

/// Returns the files of a replay that a given command line names: the trace `in.iolog`, and its targets.
pub fn example_trace() -> Vec<(String, Vec<u8>)> {
    let mut lines = vec!["fio version 3 iolog".to_string()];
    lines.extend(["0 t0 add".into(), "0 t0 open".into()]);
    lines.extend((0..100u64).map(|n| {
        let action = if n % 3 == 0 { "write" } else { "read" };
        format!("{} t0 {action} {} 4096", n * 2, n * 37 % 128 * 4096)
    }));
    lines.extend(["200 t0 close".into(), String::new()]);
    inputs(&lines)
}

/// Returns the trace `in.iolog` of these lines, and the files that it may name.
fn inputs(lines: &[String]) -> Vec<(String, Vec<u8>)> {
    let targets = ["t0", "t1", "target"].map(|name| (name.to_string(), vec![b'x'; 1 << 20]));
    std::iter::once(("in.iolog".to_string(), lines.join("\n").into_bytes())).chain(targets).collect()
}

/// Returns a job that replays a drawn trace of version 2 or 3, of one or two files.
fn replay(dice: &mut Dice) -> Option<Drawn> {
    let version3 = dice.rarely(2);
    let files: &[&str] = dice.one(&[&["t0"] as &[&str], &["t0", "t1"]]);
    let mut lines = vec![format!("fio version {} iolog", if version3 { 3 } else { 2 })];
    let mut at = 0u64;
    let mut line = |at: u64, rest: String| {
        lines.push(if version3 { format!("{at} {rest}") } else { rest });
    };
    for action in ["add", "open"] {
        for file in files {
            line(at, format!("{file} {action}"));
        }
    }
    let (reads, writes) = dice.one(&[(1, 0), (0, 1), (1, 1), (3, 1)]);
    // fio counts a datasync as a short read (docs/compat.md).
    let sync = dice.one(&["sync", "datasync"]);
    for _ in 0..dice.between(20, 200) {
        at += dice.between(0, 2000);
        let file = dice.one(files);
        let action = if dice.between(1, reads + writes) <= reads { "read" } else { "write" };
        let length = dice.one(&[512u64, 4096, 4096, 8192, 65536]);
        let offset = dice.between(0, 200) * 4096;
        line(at, format!("{file} {action} {offset} {length}"));
        if writes > 0 && dice.rarely(30) {
            line(at, format!("{file} {} 0 0", sync));
        }
    }
    for file in files {
        line(at, format!("{file} close"));
    }
    lines.push(String::new());
    let mut options = Options::new();
    set(&mut options, "ioengine", dice.one(&["psync", "libaio", "io_uring", "null"]));
    set(&mut options, "iodepth", dice.one(&["1", "4", "16"]));
    set(&mut options, "read_iolog", "in.iolog");
    // fio reports no disks for the files of a replay (docs/compat.md).
    set(&mut options, "disk_util", "0");
    match dice.below(6) {
        0 => set(&mut options, "replay_no_stall", "1"),
        1 => set(&mut options, "replay_time_scale", dice.one(&["50", "200"])),
        2 => set(&mut options, "replay_redirect", "target"),
        3 => set(&mut options, "replay_scale", "2"),
        4 => set(&mut options, "replay_align", "4096"),
        _ => {}
    }
    let mut job = Drawn::given("");
    (job.options, job.inputs, job.in_file) = (options, inputs(&lines), dice.rarely(3));
    Some(job)
}
