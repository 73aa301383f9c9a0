//! fio's own JSON (json+, for the histograms) read back into a result, so that our renderers can be held against the
//! text and the JSON that fio printed of the very same run.

use serde_json::Value;
use stats::*;

/// One run of fio: the document, and the text after it.
pub struct Printed {
    pub json: String,
    pub text: String,
    pub terse: String,
}

/// Splits what `--output-format=normal,json+,terse` prints.
pub fn split(stdout: &str) -> Printed {
    let begin = stdout.find("\n{\n").map_or(0, |at| at + 1);
    let end = stdout[begin..].find("\n}\n").expect("no end of the document") + begin + 3;
    // Version 2 puts the description on a line of its own, which begins with the separator.
    let of_terse = |line: &&str| line.trim_start_matches(['2', '3', '4', '5']).starts_with(';');
    let terse = stdout[..begin].lines().filter(of_terse).map(|line| format!("{line}\n")).collect();
    Printed { json: stdout[begin..end].to_string(), text: stdout[end..].to_string(), terse }
}

/// Removes the object `"key" : {...}` wherever it stands last among its neighbours, with the comma before it.
pub fn without(json: &str, key: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut skip: Option<String> = None;
    let mut trimmed: Vec<String> = Vec::new();
    for line in json.lines() {
        if let Some(end) = &skip {
            if line.trim_end_matches(',') == end {
                skip = None;
            }
            continue;
        }
        let body = line.trim_start();
        if body.starts_with(&format!("\"{key}\" : {{")) {
            skip = Some(format!("{}}}", &line[..line.len() - body.len()]));
            let last = out.pop().unwrap_or("").trim_end_matches(',').to_string();
            trimmed.push(last);
            out.push("\u{0}");
            continue;
        }
        out.push(line);
    }
    let mut fixed = trimmed.into_iter();
    out.iter().map(|l| if *l == "\u{0}" { fixed.next().unwrap() } else { l.to_string() } + "\n").collect()
}

fn number(v: &Value, key: &str) -> u64 {
    v[key].as_u64().unwrap_or_else(|| panic!("{key} is not a whole number in {v}"))
}

fn float(v: &Value, key: &str) -> f64 {
    v[key].as_f64().unwrap_or_else(|| panic!("{key} is not a number"))
}

fn moments(v: &Value) -> Moments {
    let n = number(v, "N");
    if n == 0 {
        return Moments::default();
    }
    let (mean, dev) = (float(v, "mean"), float(v, "stddev"));
    let sum = (mean * n as f64).round() as u128;
    let exact_mean = sum as f64 / n as f64;
    let squares = (dev * dev * (n - 1) as f64 + exact_mean * sum as f64).round() as u128;
    Moments { n, least: number(v, "min"), most: number(v, "max"), sum, squares }
}

fn latency(v: &Value) -> Latency {
    let mut histogram = Histogram::default();
    for (bucket, count) in v["bins"].as_object().into_iter().flatten() {
        histogram.record(bucket.parse().unwrap(), count.as_u64().unwrap());
    }
    Latency { moments: moments(v), histogram }
}

fn samples(v: &Value, names: [&str; 5]) -> Samples {
    let n = number(v, names[4]);
    let dev = float(v, names[3]);
    let around = dev * dev * n.saturating_sub(1) as f64;
    Samples { n, min: number(v, names[0]), max: number(v, names[1]), mean: float(v, names[2]), around }
}

fn direction(v: &Value) -> DirectionOutcome {
    DirectionOutcome {
        ios: number(v, "total_ios"),
        bytes: number(v, "io_bytes"),
        runtime_ms: number(v, "runtime"),
        issued: number(v, "total_ios"),
        short: number(v, "short_ios"),
        dropped: number(v, "drop_ios"),
        slat: latency(&v["slat_ns"]),
        clat: latency(&v["clat_ns"]),
        lat: latency(&v["lat_ns"]),
        bw_group: Some(samples(v, ["bw_min", "bw_max", "bw_mean", "bw_dev", "bw_samples"])),
        iops_group: Some(samples(v, ["iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples"])),
        ..Default::default()
    }
}

/// Counts whose shares are those printed. A class shown as 0.1 may be anything above nothing and up to 0.1 %: such
/// classes share what the others leave of `total`.
fn levels(v: &Value, total: u64, closed: bool) -> Levels {
    let shares: Vec<f64> = v.as_object().unwrap().values().map(|p| p.as_f64().unwrap()).collect();
    let mut counts: Vec<u64> = shares.iter().map(|p| (p * total as f64 / 100.0).round() as u64).collect();
    let small: Vec<usize> = (0..7).filter(|at| shares[*at] == 0.1).collect();
    let others: u64 = (0..7).filter(|at| !small.contains(at)).map(|at| counts[at]).sum();
    for at in &small {
        counts[*at] = if closed {
            (total.saturating_sub(others) / small.len() as u64).max(1)
        } else {
            1.max(total / 2000)
        };
    }
    Levels(counts.try_into().unwrap())
}

const DEFAULT_LIST: [f64; 17] =
    [1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99];

fn pairs(v: &Value) -> Vec<(String, String)> {
    v.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), v.as_str().unwrap().to_string())).collect()
}

fn option(v: &Value, job: &Value, key: &str) -> Option<u32> {
    let typed = job["job options"].get(key).or_else(|| v["global options"].get(key));
    typed.and_then(|t| t.as_str()?.parse().ok())
}

fn job(document: &Value, v: &Value, header: &str, text: &str) -> JobOutcome {
    let unified = match (v.get("mixed"), v.get("read")) {
        (None, _) => Unified::None,
        (Some(_), None) => Unified::Mixed,
        (Some(_), Some(_)) => Unified::Both,
    };
    // Where only the mixed figures were printed, they stand in for those of reads: the sum is the same.
    let directions = match unified {
        Unified::Mixed => [direction(&v["mixed"]), DirectionOutcome::default(), DirectionOutcome::default()],
        _ => ["read", "write", "trim"].map(|name| direction(&v[name])),
    };
    let parts = || PARTS.iter().filter_map(|name| v.get(*name));
    let issued: u64 = directions.iter().map(|d| d.issued).sum();
    let field = |name: &str| {
        header.split(name).nth(1).and_then(|rest| rest.split([',', ')', ':']).next()).unwrap_or("")
    };
    let wanted = |key: &str| parts().any(|d| d[key]["percentile"].is_object());
    let objects = parts().flat_map(|d| ["slat_ns", "clat_ns", "lat_ns"].map(|l| &d[l]));
    let sync = v.get("sync").unwrap_or(&Value::Null);
    let list = objects.chain([&sync["lat_ns"]]).find_map(|l| l["percentile"].as_object());
    // Where no latency was counted the JSON has no list, and a terse line has it all the same.
    let off = ["gtod_reduce", "disable_clat"].iter().any(|key| v["job options"].get(*key).is_some());
    let blank = list.is_none() && !off;
    let percentiles = match list {
        Some(list) => list.keys().map(|k| k.parse().unwrap()).collect(),
        None => DEFAULT_LIST.to_vec(),
    };
    let error = header.split("func=").nth(1).map(|rest| {
        let (function, rest) = rest.split_once(", error=").unwrap();
        let text = rest.rsplit_once("): pid=").unwrap().0;
        JobError {
            errno: number(v, "error") as i32,
            function: function.into(),
            text: text.into(),
            cause: None,
        }
    });
    let runtime_ms = number(v, "job_runtime");
    let spent = |key: &str| ((float(v, key) * runtime_ms as f64 / 100.0).round() * 1000.0) as u64;
    JobOutcome {
        name: v["jobname"].as_str().unwrap().into(),
        description: v.get("desc").map(|d| d.as_str().unwrap().into()),
        group: number(v, "groupid") as u32,
        members: field(", jobs=").parse().unwrap(),
        pid: field(": pid=").parse().unwrap(),
        start_epoch_ms: 0,
        start_clock_ms: None,
        runtime_ms,
        error,
        tolerated: None,
        verification: None,
        errors: v.get("total_err").map_or(0, |n| n.as_u64().unwrap()),
        options: pairs(&v["job options"]),
        syncs: v.get("sync").map_or(0, |s| number(s, "total_ios")),
        sync: v.get("sync").map_or_else(Latency::default, |s| latency(&s["lat_ns"])),
        commit: Latency::default(),
        lateness: Default::default(),
        cpu: CpuOutcome {
            user_us: spent("usr_cpu"),
            system_us: spent("sys_cpu"),
            wall_ms: runtime_ms,
            switches: number(v, "ctx"),
            major_faults: number(v, "majf"),
            minor_faults: number(v, "minf"),
            waited_us: 0,
        },
        depth: levels(&v["iodepth_level"], issued, false),
        submit: levels(&v["iodepth_submit"], 100_000_000, true),
        complete: levels(&v["iodepth_complete"], 100_000_000, true),
        iodepth: number(v, "latency_depth") as u32,
        latency_goal: Default::default(),
        depth_reached: 0.0,
        done_in_submit: 0,
        unanswered: 0,
        load: Default::default(),
        steady: None,
        offsets: Vec::new(),
        shown: Shown {
            slat: directions.iter().any(|d| d.slat.moments.n > 0),
            clat: true,
            lat: true,
            ranges: true,
            samples: true,
            slat_percentiles: wanted("slat_ns"),
            clat_percentiles: wanted("clat_ns") || blank,
            lat_percentiles: wanted("lat_ns"),
            percentiles,
            group_reporting: false,
            kb_base: option(document, v, "kb_base").unwrap_or(1024),
            unit_base: if option(document, v, "unit_base") == Some(1) { 1 } else { 8 },
            significant_figures: option(document, v, "significant_figures").unwrap_or(4),
            errors: text.contains("     errors    : "),
            unified,
        },
        directions,
    }
}

fn disk(v: &Value) -> DiskOutcome {
    DiskOutcome {
        name: v["name"].as_str().unwrap().into(),
        ios: [number(v, "read_ios"), number(v, "write_ios")],
        sectors: [0, 0],
        merges: [number(v, "read_merges"), number(v, "write_merges")],
        ticks_ms: [number(v, "read_ticks"), number(v, "write_ticks")],
        in_queue_ms: number(v, "in_queue"),
        util_percent: float(v, "util"),
        beneath: Vec::new(),
    }
}

/// What fio says of the CPUs.
fn idleness(v: &Value) -> Idleness {
    let percent = |key: &str| v[key].as_f64();
    Idleness {
        system: percent("system").unwrap(),
        cpus: (0..).map_while(|cpu| Some((cpu, percent(&format!("cpu-{cpu}"))?))).collect(),
        unit_mean_us: percent("unit_mean").unwrap(),
        unit_stddev_us: percent("unit_stddev").unwrap(),
    }
}

/// The result that fio printed. The pid, the number of merged jobs and the words of an error stand only in the text.
pub fn result(printed: &Printed) -> RunResult {
    let document: Value = serde_json::from_str(&printed.json).expect("fio's JSON");
    let headers: Vec<&str> = printed.text.lines().filter(|l| l.contains(": (groupid=")).collect();
    let jobs = document["jobs"].as_array().unwrap();
    assert_eq!(headers.len(), jobs.len(), "one header line per job");
    let sections: Vec<&str> = headers
        .iter()
        .map(|h| printed.text.split_once(*h).unwrap().1.split("(groupid=").next().unwrap())
        .collect();
    RunResult {
        host_iops: Vec::new(),
        jobs: jobs.iter().zip(&headers).zip(&sections).map(|((v, h), s)| job(&document, v, h, s)).collect(),
        disks: document["disk_util"].as_array().into_iter().flatten().map(disk).collect(),
        layers: Layers::default(),
        provenance: Provenance {
            timestamp_ms: number(&document, "timestamp_ms"),
            time: document["time"].as_str().unwrap().into(),
            elapsed_ms: (number(&jobs[0], "elapsed") - 1) * 1000,
            global_options: pairs(&document["global options"]),
            ..Default::default()
        },
        idleness: document.get("cpu_idleness").map(idleness),
        each_cpu: document["cpu_idleness"].get("cpu-0").is_some(),
        notes: Vec::new(),
        refused: None,
        series: Vec::new(),
        findings: Vec::new(),
    }
}
