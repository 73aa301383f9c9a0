//! fio's JSON output. fathom's own keys are all below a key `fathom`, which comes last in the document and last in
//! each job.

use crate::words::note::note;
use crate::words::run::job_error;
use crate::{findings, fio_layout, steady_state};
use serde_json::{Value, json};
use stats::offsets;
use stats::verification::Damage;
use stats::{
    DirectionOutcome, DiskOutcome, Finding, GroupTotals, Histogram, JobOutcome, Latency, Layers, Levels,
    Moments, PARTS, Priority, RunResult, Samples, Unified,
};

/// Returns one valid document from the line `{` to the line `}`, newline at the end; with `bins` (`json+`) each latency
/// that has percentiles has its histogram, too.
pub fn render(r: &RunResult, bins: bool) -> String {
    fio_layout::render(&document(r, bins))
}

/// Returns the report entries.
pub(crate) fn entries(r: &RunResult, bins: bool) -> Vec<Value> {
    let groups = r.groups();
    let entries = r.entries();
    let blanks = r.blanks();
    let jobs = entries.iter().chain(&blanks).map(|j| {
        let totals = groups.iter().find(|g| g.id == j.group).map_or([None; 4], |g| g.totals);
        job(r, j, totals, bins)
    });
    jobs.collect()
}

fn document(r: &RunResult, bins: bool) -> Value {
    let mut top = json!({
        "fio version": stats::FIO_VERSION,
        "timestamp": (r.provenance.timestamp_ms / 1000),
        "timestamp_ms": r.provenance.timestamp_ms,
        "time": r.provenance.time,
    });
    if !r.provenance.global_options.is_empty() {
        top["global options"] = options(&r.provenance.global_options);
    }
    top["jobs"] = entries(r, bins).into();
    if !r.disks.is_empty() {
        top["disk_util"] = disk_util(r).into();
    }
    if let Some(idle) = &r.idleness {
        let mut node = json!({ "system": idle.system });
        if r.each_cpu {
            idle.cpus.iter().for_each(|(cpu, percent)| node[&format!("cpu-{cpu}")] = json!(*percent));
        }
        node["unit_mean"] = json!(idle.unit_mean_us);
        node["unit_stddev"] = json!(idle.unit_stddev_us);
        top["cpu_idleness"] = node;
    }
    top["fathom"] = ours(r);
    top
}

/// Returns fio's disk statistics.
pub(crate) fn disk_util(r: &RunResult) -> Vec<Value> {
    r.disks.iter().flat_map(disks).collect()
}

pub(crate) fn options(pairs: &[(String, String)]) -> Value {
    // Of a key that was given twice, fio prints both; readers of JSON keep the first one's place and the last one's value.
    // fio leaves out flags without a value, but not the object that would contain them.
    pairs
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn job(r: &RunResult, j: &JobOutcome, totals: [Option<GroupTotals>; 4], bins: bool) -> Value {
    let errno = j.first_error().map_or(0, |e| e.errno);
    // fio has an estimate only after one or two seconds, and prints INT_MAX before.
    let eta = if r.provenance.elapsed_ms < 2000 { i32::MAX as u64 } else { r.provenance.eta_s.unwrap_or(0) };
    let mut job = json!({});
    if j.members > 0 {
        job["jobname"] = json!(&j.name);
    }
    job["groupid"] = json!(j.group);
    if let Some(ms) = j.start_clock_ms {
        // fio 3.33 has no such key; later ones have it always.
        job["job_start"] = json!(ms);
    }
    job["error"] = json!(errno);
    job["eta"] = json!(eta);
    job["elapsed"] = json!(r.provenance.elapsed_ms / 1000 + 1);
    if !j.options.is_empty() {
        job["job options"] = options(&j.options);
    }
    let shown = [
        (j.shown.slat && j.shown.slat_percentiles),
        (j.shown.clat && j.shown.clat_percentiles),
        (j.shown.lat && j.shown.lat_percentiles),
    ];
    let percentiles = Percentiles { list: &j.shown.percentiles, bins };
    let mut parts = j.parts();
    let mixed = if j.shown.unified == Unified::None { None } else { parts.pop() };
    let part = |job: &mut Value, at: usize, d: &DirectionOutcome| {
        job[PARTS[at]] = direction(d, shown, &percentiles, totals[at]);
    };
    parts.iter().for_each(|(at, d)| part(&mut job, *at, d));
    if j.shown.unified != Unified::Mixed {
        // fio has the percentiles of syncs only if it has those of clat or of lat.
        let wanted = j.shown.clat_percentiles || j.shown.lat_percentiles;
        let sync = latency(&j.sync, wanted.then_some(&percentiles));
        job["sync"] = json!({ "total_ios": j.syncs, "lat_ns": sync });
    }
    mixed.iter().for_each(|(at, d)| part(&mut job, *at, d));
    job["job_runtime"] = json!(j.runtime_ms);
    job["usr_cpu"] = json!(j.cpu.user_percent());
    job["sys_cpu"] = json!(j.cpu.system_percent());
    job["ctx"] = json!(j.cpu.switches);
    job["majf"] = json!(j.cpu.major_faults);
    job["minf"] = json!(j.cpu.minor_faults);
    job["iodepth_level"] = levels(&j.depth, j.issued(), ["1", "2", "4", "8", "16", "32", ">=64"]);
    for (name, calls) in [("iodepth_submit", &j.submit), ("iodepth_complete", &j.complete)] {
        job[name] = levels(calls, calls.total(), ["0", "4", "8", "16", "32", "64", ">=64"]);
    }
    let shares = j.latency_ranges();
    let labels = || stats::RANGE_LABELS.iter().map(u64::to_string).chain(["2000".into(), ">=2000".into()]);
    let range = |shares: &[f64]| labels().zip(shares.iter().copied()).collect::<Value>();
    job["latency_ns"] = range(&shares.ns);
    job["latency_us"] = range(&shares.us);
    job["latency_ms"] = range(&shares.ms);
    if j.shown.errors {
        job["total_err"] = json!(j.errors);
        job["first_error"] = json!(if j.errors > 0 { errno } else { 0 });
    }
    // fio has these values only for jobs that began.
    if j.iodepth > 0 {
        job["latency_depth"] = json!(j.iodepth);
        job["latency_target"] = json!(j.latency_goal.target);
        job["latency_percentile"] = json!(j.latency_goal.percentile);
        job["latency_window"] = json!(j.latency_goal.window / 1000);
    }
    if let Some(text) = &j.description {
        job["desc"] = json!(text);
    }
    if let Some(steady) = &j.steady {
        job["steadystate"] = steady_state::object(steady);
    }
    job["fathom"] = our_job(j);
    job
}

/// Parts of a latency distribution that are printed.
struct Percentiles<'a> {
    list: &'a [f64],
    /// Whether the histogram is printed.
    bins: bool,
}

fn direction(
    d: &DirectionOutcome,
    wanted: [bool; 3],
    percentiles: &Percentiles<'_>,
    total: Option<GroupTotals>,
) -> Value {
    let list = wanted.map(|wanted| wanted.then_some(percentiles));
    let (bw, iops): (Samples, Samples) = (d.bw(), d.iops_sampled());
    let mut node = json!({
        "io_bytes": d.bytes,
        "io_kbytes": (d.bytes >> 10),
        "bw_bytes": d.bytes_per_second(),
        "bw": (d.bytes_per_second() >> 10),
        "iops": d.issue_rate(),
        "runtime": d.runtime_ms,
        "total_ios": d.issued,
        "short_ios": d.short,
        "drop_ios": d.dropped,
        "slat_ns": latency(&d.slat, list[0]),
        "clat_ns": latency(&d.clat, list[1]),
        "lat_ns": latency(&d.lat, list[2]),
    });
    let told = d.priorities.told();
    if !told.is_empty() {
        let (key, list) = if d.priorities.total { ("lat_ns", list[2]) } else { ("clat_ns", list[1]) };
        let hints = d.priorities.hints();
        let one = |(priority, l): &&(Priority, Latency)| {
            let mut one = json!({
                "prioclass": u32::from(priority.class()),
                "prio": u32::from(priority.level()),
            });
            if hints {
                one["priohint"] = json!(u32::from(priority.hint()));
            }
            one[key] = latency(l, list);
            one
        };
        node["prios"] = told.iter().map(one).collect();
    }
    node["bw_min"] = json!(bw.min);
    node["bw_max"] = json!(bw.max);
    node["bw_agg"] = json!(total.map_or(0.0, |t| t.share_of(&bw)));
    node["bw_mean"] = json!(bw.mean);
    node["bw_dev"] = json!(bw.stddev());
    node["bw_samples"] = json!(bw.n);
    node["iops_min"] = json!(iops.min);
    node["iops_max"] = json!(iops.max);
    node["iops_mean"] = json!(iops.mean);
    node["iops_stddev"] = json!(iops.stddev());
    node["iops_samples"] = json!(iops.n);
    node
}

fn moments(m: &Moments) -> Value {
    json!({
        "min": m.min(),
        "max": m.max(),
        "mean": m.mean(),
        "stddev": m.stddev(),
        "N": m.n,
    })
}

fn latency(l: &Latency, percentiles: Option<&Percentiles<'_>>) -> Value {
    let mut node = moments(&l.moments);
    if let Some(p) = percentiles.filter(|_| l.moments.n > 0) {
        node["percentile"] = quantiles(&l.histogram, p.list);
        if p.bins {
            let bins = l.histogram.buckets().map(|(nanos, n)| (nanos.to_string(), n));
            node["bins"] = bins.collect();
        }
    }
    node
}

fn quantiles(h: &Histogram, list: &[f64]) -> Value {
    list.iter().filter_map(|p| Some((format!("{p:.6}"), h.quantile(*p)?))).collect()
}

fn levels(l: &Levels, total: u64, labels: [&str; 7]) -> Value {
    labels.into_iter().zip(l.percent_of(total)).collect()
}

/// Returns a device and, if it is stacked, the devices beneath it.
fn disks(d: &DiskOutcome) -> Vec<Value> {
    let mut node = disk(d);
    if let Some(mean) = d.mean_beneath() {
        node["aggr_read_ios"] = json!(mean.ios[0]);
        node["aggr_write_ios"] = json!(mean.ios[1]);
        node["aggr_read_merges"] = json!(mean.merges[0]);
        // fio spells this one key in the singular.
        node["aggr_write_merge"] = json!(mean.merges[1]);
        node["aggr_read_ticks"] = json!(mean.ticks_ms[0]);
        node["aggr_write_ticks"] = json!(mean.ticks_ms[1]);
        node["aggr_in_queue"] = json!(mean.in_queue_ms);
        node["aggr_util"] = json!(mean.util_percent);
    }
    std::iter::once(node).chain(d.beneath.iter().flat_map(disks)).collect()
}

fn disk(d: &DiskOutcome) -> Value {
    json!({
        "name": d.name,
        "read_ios": d.ios[0],
        "write_ios": d.ios[1],
        "read_merges": d.merges[0],
        "write_merges": d.merges[1],
        "read_ticks": d.ticks_ms[0],
        "write_ticks": d.ticks_ms[1],
        "in_queue": d.in_queue_ms,
        "util": d.util_percent,
    })
}

fn our_job(j: &JobOutcome) -> Value {
    let mut node = json!({
        "members": j.members,
        "job_start": j.start_epoch_ms,
        "depth_reached": j.depth_reached,
        "done_in_submit": j.done_in_submit,
        "unanswered": j.unanswered,
        "total_errors": j.errors,
    });
    if let Some(touched) = offsets::touched(&j.offsets) {
        node["touched_percent"] = json!(touched.percent);
        node["touched_basis"] = json!(touched.basis);
    }
    if let Some(tested) = offsets::least_uniform(&j.offsets) {
        node["offset_samples"] = json!(tested.samples);
        node["offset_uniformity_p"] = json!(tested.chance);
    }
    if let Some(e) = &j.error {
        node["error"] =
            json!({ "errno": e.errno, "function": e.function, "text": job_error(crate::Lang::En, e) });
    }
    if let Some(verification) = &j.verification {
        const KINDS: [&str; Damage::KINDS] = [
            "flipped",
            "torn",
            "lost",
            "misdirected",
            "zeroed",
            "shifted",
            "foreign",
            "unknown",
            "untrimmed",
        ];
        let mut damaged = json!({});
        for (kind, n) in KINDS.iter().zip(verification.damaged).filter(|(_, n)| *n > 0) {
            damaged[*kind] = json!(n);
        }
        node["verification"] =
            json!({ "blocks": verification.blocks, "unjudged": verification.unjudged, "damaged": damaged });
    }
    if j.commit.moments.n > 0 {
        let mut commit = moments(&j.commit.moments);
        commit["percentile"] = quantiles(&j.commit.histogram, &j.shown.percentiles);
        if let Some(sync) = j.load.access.sync {
            node["writes_per_sync"] = json!(sync.every);
        }
        node["commits_per_s"] = json!(j.commit_rate());
        node["commit_ns"] = commit;
    }
    for (name, d) in ["read", "write", "trim"].iter().zip(&j.directions).filter(|(_, d)| d.issued > 0) {
        let mut direction = json!({
            "completed_ios": d.ios,
            "failed_ios": d.errors,
            "completed_iops": d.iops(),
        });
        if d.lat.moments.n > 0 {
            direction["lat_percentile_ns"] = quantiles(&d.lat.histogram, &[50.0, 99.0, 99.9]);
        }
        // Since each I/O of a paced job was due.
        if d.scheduled.moments.n > 0 {
            let mut scheduled = moments(&d.scheduled.moments);
            scheduled["percentile"] = quantiles(&d.scheduled.histogram, &j.shown.percentiles);
            direction["scheduled_ns"] = scheduled;
        }
        node[name] = direction;
    }
    // Delay from the time in the trace to the start of each I/O.
    if j.lateness.ios > 0 {
        let mut delay = moments(&j.lateness.delay.moments);
        delay["percentile"] = quantiles(&j.lateness.delay.histogram, &j.shown.percentiles);
        node["replay"] =
            json!({ "ios": j.lateness.ios, "late_ios": j.lateness.late, "start_delay_ns": delay });
    }
    node
}

pub(crate) fn ours(r: &RunResult) -> Value {
    let mut node = json!({ "version": r.provenance.version });
    if let Some(signal) = r.provenance.ended_by_signal {
        node["ended_by_signal"] = json!(signal);
    }
    node["grade"] = json!(r.grade().letter());
    node["findings"] = r.findings.iter().map(finding).collect();
    node["layers"] = layers(&r.layers);
    let notes = r.notes.iter().map(|n| {
        let kind = match n.kind {
            stats::note::NoteKind::Fio | stats::note::NoteKind::FioStart => "fio",
            stats::note::NoteKind::Fallback => "fallback",
            stats::note::NoteKind::Remark => "remark",
        };
        json!({ "kind": kind, "job": n.job, "text": note(crate::Lang::En, &n.fact) })
    });
    node["notes"] = notes.collect();
    let flash: Vec<Value> = r.notes.iter().filter_map(flash).collect();
    if !flash.is_empty() {
        node["flash"] = json!(flash);
    }
    node
}

/// Returns the traffic of a simulated SSD; `None` for other notes.
fn flash(note: &stats::note::Note) -> Option<Value> {
    let stats::note::NoteFact::FlashTraffic { host_pages, nand_pages, erases, trimmed_pages } = note.fact
    else {
        return None;
    };
    let amplification = (host_pages > 0).then(|| nand_pages as f64 / host_pages as f64);
    Some(json!({
        "job": note.job,
        "host_pages": host_pages,
        "nand_pages": nand_pages,
        "erases": erases,
        "trimmed_pages": trimmed_pages,
        "write_amplification": amplification,
    }))
}

/// Returns a fact as JSON, without the fields whose value is unknown.
fn known(fact: impl serde::Serialize) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.retain(|_, value| !value.is_null());
                map.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(fact).unwrap_or_default();
    strip(&mut value);
    value
}

/// Adds the words of [`finding`] to each finding anywhere in a document, which still reads back.
pub(crate) fn add_words(document: &mut Value) {
    match document {
        Value::Array(items) => items.iter_mut().for_each(add_words),
        Value::Object(map) if map.contains_key("claim") && map.contains_key("job") => {
            let Ok(found) = serde_json::from_value::<Finding>(Value::Object(map.clone())) else { return };
            if let Value::Object(words) = finding(&found) {
                let new = words.into_iter().filter(|(key, _)| !map.contains_key(key)).collect::<Vec<_>>();
                map.extend(new);
            }
        }
        Value::Object(map) => map.values_mut().for_each(add_words),
        _ => {}
    }
}

/// Returns a finding: rule, name, grade, text, advice and evidence.
fn finding(f: &Finding) -> Value {
    let (text, next) =
        (findings::statement(crate::Lang::En, &f.claim), findings::advice(crate::Lang::En, &f.claim));
    let mut claim = known(&f.claim);
    json!({
        "rule": f.claim.rule(),
        "name": claim["name"].take(),
        "grade": f.claim.grade().letter(),
        "job": f.job,
        "text": text,
        "next": next,
        "evidence": claim["evidence"].take(),
    })
}

/// Returns the layers: bytes by layer, the storage stack of each target, the devices with their properties, and the
/// host.
fn layers(l: &Layers) -> Value {
    let mut node = json!({
        "wall_ms": l.wall_ms,
        "app_read_ios": l.app_ios[0],
        "app_write_ios": l.app_ios[1],
        "app_trim_ios": l.app_ios[2],
        "app_read_bytes": l.app_bytes[0],
        "app_write_bytes": l.app_bytes[1],
        "app_trim_bytes": l.app_bytes[2],
    });
    if let Some(p) = &l.process {
        node["process"] = json!({
            "read_bytes": p.read_bytes,
            "write_bytes": p.write_bytes,
            "read_chars": p.read_chars,
            "write_chars": p.write_chars,
            "read_calls": p.read_calls,
            "write_calls": p.write_calls,
        });
    }
    if let Some(more) = l.file_system_writes() {
        node["file_system_write_bytes"] = json!(more);
    }
    let devices = l.devices.iter().map(|d| {
        let mut device = disk(d);
        if let Some(traits) = l.traits_of(&d.name) {
            device["traits"] = known(traits);
        }
        device["read_bytes"] = json!(d.sectors[0] * 512);
        device["write_bytes"] = json!(d.sectors[1] * 512);
        if let Some([read, written]) = l.members_beyond(&d.name) {
            device["members_read_beyond"] = json!(read);
            device["members_write_beyond"] = json!(written);
        }
        device
    });
    node["devices"] = devices.collect();
    let targets = l.targets.iter().map(|t| {
        known(json!({
            "path": t.path,
            "size": t.size,
            "stack": t.stack,
            "cached_before": t.cached_before,
            "cached_after": t.cached_after,
            "holes": t.holes,
            "unwritten": t.unwritten,
            "zero_blocks": t.zero_blocks,
            "sampled_blocks": t.sampled_blocks,
            "used_percent": t.used_percent,
        }))
    });
    node["targets"] = targets.collect();
    if !l.remote.is_empty() {
        node["remote"] = json!(l.remote);
    }
    if !l.connections.is_empty() {
        node["connections"] = json!(l.connections);
    }
    node["host"] = known(l.host);
    node["depth_reached"] = json!(l.depth_reached);
    node["depth_asked"] = json!(l.depth_asked);
    node["busiest_thread_percent"] = json!(l.busiest_thread_percent);
    node
}
