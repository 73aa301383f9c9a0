//! Consistency of the figures of a report: the text against the JSON, and the relations between figures. A renamed
//! field is found by the comparison of layouts; two swapped figures are found here.
use crate::tool::{jobs, number};
use serde_json::Value;

/// Parses a number with a prefix: `12.3k` is 12300, `4.5M` is 4500000.
fn scaled(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "Ki" => 1024.0,
        "Mi" => 1024.0 * 1024.0,
        "Gi" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    digits.parse::<f64>().ok().map(|v| v * factor)
}

/// Parses a bandwidth such as `4.5MiB/s` or `36Mibit/s` (unit_base=1), in bytes per second.
fn bytes(text: &str) -> Option<f64> {
    let text = text.trim_end_matches("/s");
    let bits = || text.strip_suffix("bit").and_then(scaled).map(|bits| bits / 8.0);
    text.strip_suffix('B').and_then(scaled).or_else(bits)
}

/// Returns the nanoseconds of the unit in parentheses.
fn unit(line: &str) -> f64 {
    if line.contains("(usec)") {
        1e3
    } else if line.contains("(msec)") {
        1e6
    } else {
        1.0
    }
}

/// Returns the pairs `key= value,` of a line.
fn pairs(line: &str) -> Vec<(String, String)> {
    line.split(',')
        .filter_map(|part| {
            let (key, value) = part.split_once('=')?;
            let key = key.rsplit([' ', ':']).next()?;
            Some((key.to_string(), value.trim().to_string()))
        })
        .collect()
}

struct Check<'a> {
    out: &'a mut Vec<String>,
    place: String,
}

impl Check<'_> {
    /// Checks that `shown` is `real` after rounding to `step` and within a share `share`.
    fn near(&mut self, what: &str, shown: f64, real: f64, step: f64, share: f64) {
        if (shown - real).abs() > step + real.abs() * share {
            self.out.push(format!("figures: {} {what}: {shown} and {real}", self.place));
        }
    }

    fn holds(&mut self, what: &str, law: bool) {
        if !law {
            self.out.push(format!("figures: {}: {what} does not hold", self.place));
        }
    }
}

/// Compares the text with the JSON of the same run.
pub fn text_against_json(text: &str, document: &Value, out: &mut Vec<String>) {
    let reports = jobs(document);
    let mut job = None;
    let mut next = 0;
    let mut direction = String::new();
    let mut table = (String::new(), 1.0);
    let mut priority = Value::Null;
    for line in text.lines() {
        if line.contains(": (groupid=") {
            job = reports.get(next);
            next += 1;
            direction.clear();
            continue;
        }
        if line.starts_with("Run status group") {
            job = None;
        }
        let Some(job) = job else { continue };
        let place = format!("{} {direction}", number_name(job));
        let mut check = Check { out, place };
        let body = line.trim_start();
        if line.starts_with("  lat (") && line.contains(" : ") {
            shares(&mut check, line, job);
        } else if line.starts_with("  ") && !line.starts_with("   ") && body.contains(": IOPS=") {
            direction = body.split(':').next().unwrap_or("").to_string();
            let d = &job[&direction];
            let iops = body.split("IOPS=").nth(1).and_then(|r| r.split(',').next()).and_then(scaled);
            check.near("IOPS", iops.unwrap_or(-1.0), number(d, "iops"), 1.0, 0.006);
            let bw = body.split("BW=").nth(1).and_then(|r| r.split(' ').next()).and_then(bytes);
            check.near("BW", bw.unwrap_or(-1.0), number(d, "bw_bytes"), 1024.0, 0.006);
            let tail = body.rsplit('(').next().unwrap_or("");
            let mut tail = tail.split([')', '/']);
            check.near(
                "bytes",
                tail.next().and_then(bytes).unwrap_or(-1.0),
                number(d, "io_bytes"),
                1.0,
                0.006,
            );
            let ms = tail.next().and_then(|t| t.strip_suffix("msec")).and_then(|t| t.parse().ok());
            check.near("runtime", ms.unwrap_or(-1.0), number(d, "runtime"), 0.0, 0.0);
        } else if let Some((kind, told)) = told_by_priority(body, &job[&direction]) {
            match body.split_once("% of IOs) percentiles") {
                None => latency_line(&mut check, line, kind, &told),
                Some((head, _)) => {
                    let share = head.rsplit('(').next().and_then(|share| share.parse().ok()).unwrap_or(-1.0);
                    let all: f64 = told_of(&job[&direction]).map(|one| number(one.1, "N")).sum();
                    check.near("share of a priority", share, 100.0 * number(&told, "N") / all, 0.006, 0.0);
                    table = ("priority".into(), unit(line));
                    priority = told;
                }
            }
        } else if let Some(kind) =
            ["slat", "clat", "lat"].iter().find(|k| body.starts_with(&format!("{k} (")))
        {
            if line.contains("): min=") {
                latency_line(&mut check, line, kind, &job[&direction][format!("{kind}_ns")]);
            }
            if body.contains("percentiles (") {
                table = (format!("{kind}_ns"), unit(line));
            }
        } else if ["slat", "clat", "lat"].iter().any(|k| body.starts_with(&format!("{k} percentiles"))) {
            table = (format!("{}_ns", body.split(' ').next().unwrap_or("")), unit(line));
        } else if body.starts_with("sync (") && job["mixed"].is_null() {
            latency_line(&mut check, line, "sync", &job["sync"]["lat_ns"]);
        } else if body.starts_with("sync percentiles") {
            table = ("sync".into(), unit(line));
        } else if line.starts_with("     |") {
            let values = if table.0 == "sync" {
                &job["sync"]["lat_ns"]["percentile"]
            } else if table.0 == "priority" {
                &priority["percentile"]
            } else {
                &job[&direction][&table.0]["percentile"]
            };
            // fio's text always has percentiles of syncs, its JSON only together with those of clat or lat.
            if table.0 != "sync" || !values.is_null() {
                percentiles(&mut check, body, values, table.1);
            }
        } else if line.starts_with("   bw (") {
            let factor = if line.contains("MiB/s") { 1024.0 } else { 1.0 };
            samples(
                &mut check,
                body,
                &job[&direction],
                factor,
                ["bw_min", "bw_max", "bw_mean", "bw_dev", "bw_samples"],
            );
            let per = pairs(body)
                .into_iter()
                .find(|(k, _)| k == "per")
                .and_then(|(_, v)| v.strip_suffix('%')?.parse().ok());
            check.near("per", per.unwrap_or(-1.0), number(&job[&direction], "bw_agg"), 0.006, 0.0);
        } else if line.starts_with("   iops ") {
            samples(
                &mut check,
                body,
                &job[&direction],
                1.0,
                ["iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples"],
            );
        } else if body.starts_with("cpu ") {
            for (key, value) in pairs(body) {
                let real = match key.as_str() {
                    "usr" => number(job, "usr_cpu"),
                    "sys" => number(job, "sys_cpu"),
                    other => number(job, other),
                };
                let shown = value.trim_end_matches('%').parse().unwrap_or(-1.0);
                check.near(&key, shown, real, 0.0051, 0.0);
            }
        } else if let Some(kind) = ["IO depths", "submit", "complete"].iter().find(|k| body.starts_with(**k))
        {
            let key = match *kind {
                "IO depths" => "iodepth_level",
                "submit" => "iodepth_submit",
                _ => "iodepth_complete",
            };
            for part in body.split(':').nth(1).unwrap_or("").split(',') {
                let Some((label, value)) = part.trim().rsplit_once('=') else { continue };
                let shown: f64 = value.trim_end_matches('%').parse().unwrap_or(-1.0);
                let real = job[key].get(label).and_then(Value::as_f64).unwrap_or(-2.0);
                // Values below 0.1 % are shown as 0.1.
                check.near(&format!("{kind} {label}"), shown, real, 0.11, 0.0);
            }
        } else if let Some(rest) = body.strip_prefix("issued rwts: total=") {
            let shown: Vec<f64> = rest.split([',', ' ']).take(4).map(|v| v.parse().unwrap_or(-1.0)).collect();
            // With unified_rw_reporting=1, the JSON has neither directions nor syncs.
            if let Some(all) = job["mixed"]["total_ios"].as_f64() {
                check.near("issued", shown.iter().take(3).sum(), all, 0.0, 0.0);
                continue;
            }
            for (i, d) in ["read", "write", "trim", "sync"].iter().enumerate() {
                check.near(
                    &format!("issued {d}"),
                    shown.get(i).copied().unwrap_or(-1.0),
                    number(&job[*d], "total_ios"),
                    0.0,
                    0.0,
                );
            }
        } else if body.starts_with("latency   :") {
            let depth = pairs(body).into_iter().find(|(k, _)| k == "depth").and_then(|(_, v)| v.parse().ok());
            check.near("latency depth", depth.unwrap_or(-1.0), number(job, "latency_depth"), 0.0, 0.0);
        }
    }
    // A job with create_only or stats=0 has an entry in the JSON, but none in the text.
    let idle = |job: &&Value| ["read", "write", "trim"].iter().all(|d| number(&job[*d], "total_ios") == 0.0);
    if next != reports.len() && next != reports.iter().filter(|job| !idle(job)).count() {
        out.push(format!("figures: {next} jobs in the text, {} in the JSON", reports.len()));
    }
}

/// Checks a line of the latency distribution.
fn shares(check: &mut Check<'_>, line: &str, job: &Value) {
    let key =
        ["nsec", "usec", "msec"].iter().find(|u| line.contains(&format!("({u})"))).map_or("", |u| &u[..1]);
    let key = format!("latency_{key}s");
    for part in line.split(" : ").nth(1).unwrap_or("").split(',') {
        let Some((label, value)) = part.trim().rsplit_once('=') else { continue };
        let shown: f64 = value.trim_end_matches('%').parse().unwrap_or(-1.0);
        let real = job[&key].get(label).and_then(Value::as_f64).unwrap_or(-2.0);
        // Values below 0.01 % are shown as 0.01.
        check.near(&format!("{key} {label}"), shown, real, 0.011, 0.0);
    }
}

fn number_name(job: &Value) -> String {
    job["jobname"].as_str().unwrap_or("?").to_string()
}

fn latency_line(check: &mut Check<'_>, line: &str, kind: &str, real: &Value) {
    let unit = unit(line);
    for (key, value) in pairs(line) {
        let real = match key.as_str() {
            "min" | "max" => number(real, &key),
            "avg" => number(real, "mean"),
            "stdev" => number(real, "stddev"),
            _ => continue,
        };
        // Minimum and maximum are truncated to whole units and six digits; mean and deviation are rounded to
        // hundredths.
        let step = if key == "min" || key == "max" { unit } else { unit * 0.0051 };
        check.near(&format!("{kind} {key}"), scaled(&value).unwrap_or(-1.0) * unit, real, step, 1e-3);
    }
}

/// Returns the latencies by I/O priority of a direction in JSON: kind, and figures.
fn told_of(direction: &Value) -> impl Iterator<Item = (&'static str, &Value)> {
    let told = direction["prios"].as_array().into_iter().flatten();
    told.flat_map(|one| ["clat", "lat"].map(|kind| (kind, &one[&format!("{kind}_ns")])))
        .filter(|(_, figures)| figures.is_object())
}

/// Returns the figures in JSON for a line of text that begins with `clat prio CLASS/LEVEL`.
fn told_by_priority(body: &str, direction: &Value) -> Option<(&'static str, Value)> {
    let kind = ["clat", "lat"].into_iter().find(|kind| body.starts_with(&format!("{kind} prio ")))?;
    let (class, level) = body.split(' ').nth(2)?.split_once('/')?;
    let is = |one: &Value, key: &str, text: &str| text.parse().is_ok_and(|n: f64| number(one, key) == n);
    let mut told = direction["prios"].as_array().into_iter().flatten();
    let one = told.find(|one| is(one, "prioclass", class) && is(one, "prio", level));
    // A line without figures in the JSON is compared with null, and fails.
    Some((kind, one.map_or(Value::Null, |one| one[&format!("{kind}_ns")].clone())))
}

fn percentiles(check: &mut Check<'_>, body: &str, values: &Value, unit: f64) {
    for part in body.trim_start_matches('|').split(',') {
        let Some((label, value)) = part.trim().split_once("th=[") else { continue };
        let shown: f64 = value.trim_end_matches(']').trim().parse().unwrap_or(-1.0);
        let want: f64 = label.parse().unwrap_or(-1.0);
        let real = values.as_object().and_then(|o| {
            o.iter()
                .find(|(k, _)| k.parse::<f64>().is_ok_and(|k| (k - want).abs() < 0.006))
                .and_then(|(_, v)| v.as_f64())
        });
        check.near(&format!("percentile {label}"), shown * unit, real.unwrap_or(-1e18), unit, 0.0);
    }
}

fn samples(check: &mut Check<'_>, body: &str, real: &Value, factor: f64, keys: [&str; 5]) {
    for (key, value) in pairs(body) {
        let key = match key.as_str() {
            "min" => keys[0],
            "max" => keys[1],
            "avg" => keys[2],
            "stdev" => keys[3],
            "samples" => keys[4],
            _ => continue,
        };
        // The number of samples has no unit.
        let factor = if key == keys[4] { 1.0 } else { factor };
        check.near(key, scaled(&value).unwrap_or(-1.0) * factor, number(real, key), factor * 1.01, 1e-3);
    }
}

/// Checks relations between the figures of a document that hold for either tool; appends the violations to `out`.
pub fn laws(document: &Value, out: &mut Vec<String>) {
    for job in jobs(document) {
        for direction in ["read", "write", "trim"] {
            direction_laws(job, direction, out);
        }
        let mut check = Check { out, place: number_name(job) };
        let ios: f64 = ["read", "write", "trim"].iter().map(|d| number(&job[*d], "total_ios")).sum();
        if ios > 0.0 {
            let sum =
                |key: &str| job[key].as_object().map_or(0.0, |o| o.values().filter_map(Value::as_f64).sum());
            for key in ["iodepth_submit", "iodepth_complete"] {
                let sum: f64 = sum(key);
                check.holds(&format!("{key} sums to 100 ({sum})"), sum == 0.0 || (sum - 100.0).abs() < 0.5);
            }
            let shares = sum("latency_ns") + sum("latency_us") + sum("latency_ms");
            // A failed I/O is counted, but has no latency.
            let failed = number(job, "error") > 0.0;
            check.holds(
                &format!("latency shares sum to 100 ({shares})"),
                shares == 0.0 || (shares - 100.0).abs() < 0.5 || failed && shares < 100.0,
            );
        }
        let longest =
            ["read", "write", "trim"].iter().map(|d| number(&job[*d], "runtime")).fold(0.0, f64::max);
        check
            .holds("job_runtime covers each direction's", number(job, "job_runtime") >= longest * 0.98 - 5.0);
        let (user, system) = (number(job, "usr_cpu"), number(job, "sys_cpu"));
        check.holds("0 <= usr, sys", user >= 0.0 && system >= 0.0);
    }
}

fn direction_laws(job: &Value, direction: &str, out: &mut Vec<String>) {
    let d = &job[direction];
    let mut check = Check { out, place: format!("{} {direction}", number_name(job)) };
    let (ios, bytes, ms) = (number(d, "total_ios"), number(d, "io_bytes"), number(d, "runtime"));
    check.near("io_kbytes", number(d, "io_kbytes"), (bytes / 1024.0).floor(), 0.0, 0.0);
    check.near("bw", number(d, "bw"), (number(d, "bw_bytes") / 1024.0).floor(), 1.0, 0.0);
    if ms > 0.0 {
        check.near("bw_bytes", number(d, "bw_bytes"), bytes * 1000.0 / ms, 1.0, 1e-6);
        // A run with short transfers includes them in total_ios, but not as whole I/Os.
        check.near(
            "iops",
            number(d, "iops"),
            ios * 1000.0 / ms,
            1e3 / ms * (1.0 + number(d, "short_ios")),
            1e-6,
        );
    }
    for kind in ["slat_ns", "clat_ns", "lat_ns"] {
        let l = &d[kind];
        let (n, min, mean, max) = (number(l, "N"), number(l, "min"), number(l, "mean"), number(l, "max"));
        if n == 0.0 {
            continue;
        }
        check.holds(&format!("{kind}: min <= mean <= max"), min <= mean + 0.01 && mean <= max + 0.01);
        check.holds(&format!("{kind}: N <= total_ios"), n <= ios + number(d, "drop_ios"));
        check.holds(&format!("{kind}: deviation below the spread"), number(l, "stddev") <= (max - min) + 1.0);
        if let Some(percentiles) = l["percentile"].as_object() {
            let values: Vec<f64> = percentiles.values().filter_map(Value::as_f64).collect();
            let keys: Vec<f64> = percentiles.keys().filter_map(|k| k.parse().ok()).collect();
            check.holds(&format!("{kind}: percentiles rise"), values.is_sorted() && keys.is_sorted());
            let inside = values.iter().all(|v| *v >= min * 0.98 - 1.0 && *v <= max * 1.02 + 1.0);
            check.holds(&format!("{kind}: percentiles between min and max"), inside);
        }
    }
    let n = |kind: &str| number(&d[kind], "N");
    if n("slat_ns") > 0.0 && n("slat_ns") == n("clat_ns") && n("clat_ns") == n("lat_ns") {
        let mean = |kind: &str| number(&d[kind], "mean");
        check.near("slat + clat = lat", mean("slat_ns") + mean("clat_ns"), mean("lat_ns"), 2.0, 1e-3);
    }
    for (samples, low, middle, high) in
        [("bw_samples", "bw_min", "bw_mean", "bw_max"), ("iops_samples", "iops_min", "iops_mean", "iops_max")]
    {
        if number(d, samples) > 0.0 {
            let (low, middle, high) = (number(d, low), number(d, middle), number(d, high));
            check.holds(
                &format!("{samples}: min <= mean <= max"),
                low <= middle + 1.0 && middle <= high + 1.0,
            );
        }
    }
}
