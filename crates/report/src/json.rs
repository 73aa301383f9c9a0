//! fio's JSON output. fathom's own keys are all below a key `fathom`, which comes last in the document and last in
//! each job.

use crate::findings;
use crate::node::Node;
use stats::{
    DirectionOutcome, DiskOutcome, Finding, GroupTotals, Histogram, JobOutcome, Latency, Layers, Levels,
    Moments, PARTS, Priority, RunResult, Samples, Unified,
};

/// Returns one valid document from the line `{` to the line `}`, newline at the end; with `bins` (`json+`) each latency
/// has its histogram beside its percentiles.
pub fn render(r: &RunResult, bins: bool) -> String {
    document(r, bins).render()
}

fn document(r: &RunResult, bins: bool) -> Node {
    let groups = r.groups();
    let entries = r.entries();
    let blanks = r.blanks();
    let jobs = entries.iter().chain(&blanks).map(|j| {
        let totals = groups.iter().find(|g| g.id == j.group).map_or([None; 4], |g| g.totals);
        job(r, j, totals, bins)
    });
    let mut top = Node::object([
        ("fio version", stats::FIO_VERSION.into()),
        ("timestamp", (r.provenance.timestamp_ms / 1000).into()),
        ("timestamp_ms", r.provenance.timestamp_ms.into()),
        ("time", (&r.provenance.time).into()),
    ]);
    if !r.provenance.global_options.is_empty() {
        top.push("global options", options(&r.provenance.global_options));
    }
    top.push("jobs", Node::List(jobs.collect()));
    if !r.disks.is_empty() {
        top.push("disk_util", Node::List(r.disks.iter().flat_map(disks).collect()));
    }
    if let Some(idle) = &r.idleness {
        let mut node = Node::object([("system", idle.system.into())]);
        if r.each_cpu {
            idle.cpus.iter().for_each(|(cpu, percent)| node.push(&format!("cpu-{cpu}"), *percent));
        }
        node.push("unit_mean", idle.unit_mean_us);
        node.push("unit_stddev", idle.unit_stddev_us);
        top.push("cpu_idleness", node);
    }
    top.push("fathom", ours(r));
    top
}

fn options(pairs: &[(String, String)]) -> Node {
    // A key that was given twice is in force as given last, and JSON has each key once. fio leaves out flags that
    // were given without a value, but not the object that would hold them.
    let last = |at: usize| pairs[at + 1..].iter().all(|(key, _)| *key != pairs[at].0);
    Node::Object(
        pairs
            .iter()
            .enumerate()
            .filter(|(at, (_, value))| last(*at) && !value.is_empty())
            .map(|(_, (k, v))| (k.clone(), v.into()))
            .collect(),
    )
}

fn job(r: &RunResult, j: &JobOutcome, totals: [Option<GroupTotals>; 4], bins: bool) -> Node {
    let errno = j.first_error().map_or(0, |e| e.errno);
    // fio has an estimate only after the first second or two, and prints INT_MAX before.
    let eta = if r.provenance.elapsed_ms < 2000 { i32::MAX as u64 } else { r.provenance.eta_s.unwrap_or(0) };
    let mut job = Node::Object(Vec::new());
    if j.members > 0 {
        job.push("jobname", &j.name);
    }
    job.push("groupid", j.group);
    if let Some(ms) = j.start_clock_ms {
        // fio 3.33 has no such key; later ones have it always.
        job.push("job_start", ms);
    }
    job.push("error", errno);
    job.push("eta", eta);
    job.push("elapsed", r.provenance.elapsed_ms / 1000 + 1);
    if !j.options.is_empty() {
        job.push("job options", options(&j.options));
    }
    let shown = [
        (j.shown.slat && j.shown.slat_percentiles),
        (j.shown.clat && j.shown.clat_percentiles),
        (j.shown.lat && j.shown.lat_percentiles),
    ];
    let percentiles = Percentiles { list: &j.shown.percentiles, bins };
    let mut parts = j.parts();
    let mixed = if j.shown.unified == Unified::None { None } else { parts.pop() };
    let part = |job: &mut Node, at: usize, d: &DirectionOutcome| {
        job.push(PARTS[at], direction(d, shown, &percentiles, totals[at]));
    };
    parts.iter().for_each(|(at, d)| part(&mut job, *at, d));
    if j.shown.unified != Unified::Mixed {
        // fio shows those of syncs where it shows those of clat or of lat.
        let wanted = j.shown.clat_percentiles || j.shown.lat_percentiles;
        let sync = latency(&j.sync, wanted.then_some(&percentiles));
        job.push("sync", Node::object([("total_ios", j.syncs.into()), ("lat_ns", sync)]));
    }
    mixed.iter().for_each(|(at, d)| part(&mut job, *at, d));
    job.push("job_runtime", j.runtime_ms);
    job.push("usr_cpu", j.cpu.user_percent());
    job.push("sys_cpu", j.cpu.system_percent());
    job.push("ctx", j.cpu.switches);
    job.push("majf", j.cpu.major_faults);
    job.push("minf", j.cpu.minor_faults);
    job.push("iodepth_level", levels(&j.depth, j.issued(), ["1", "2", "4", "8", "16", "32", ">=64"]));
    for (name, calls) in [("iodepth_submit", &j.submit), ("iodepth_complete", &j.complete)] {
        job.push(name, levels(calls, calls.total(), ["0", "4", "8", "16", "32", "64", ">=64"]));
    }
    let shares = j.latency_ranges();
    let labels = || stats::RANGE_LABELS.iter().map(u64::to_string).chain(["2000".into(), ">=2000".into()]);
    let range = |shares: &[f64]| Node::Object(labels().zip(shares.iter().map(|p| (*p).into())).collect());
    job.push("latency_ns", range(&shares.ns));
    job.push("latency_us", range(&shares.us));
    job.push("latency_ms", range(&shares.ms));
    if j.shown.errors {
        job.push("total_err", j.errors);
        job.push("first_error", if j.errors > 0 { errno } else { 0 });
    }
    // fio knows them of jobs that began.
    if j.iodepth > 0 {
        job.push("latency_depth", j.iodepth);
        job.push("latency_target", 0u64);
        job.push("latency_percentile", 100.0);
        job.push("latency_window", 0u64);
    }
    if let Some(text) = &j.description {
        job.push("desc", text);
    }
    job.push("fathom", our_job(j));
    job
}

/// Percentiles of a distribution that are reported.
struct Percentiles<'a> {
    list: &'a [f64],
    /// Whether the histogram is reported, too.
    bins: bool,
}

fn direction(
    d: &DirectionOutcome,
    wanted: [bool; 3],
    percentiles: &Percentiles<'_>,
    total: Option<GroupTotals>,
) -> Node {
    let list = wanted.map(|wanted| wanted.then_some(percentiles));
    let (bw, iops): (Samples, Samples) = (d.bw(), d.iops_sampled());
    let mut node = Node::object([
        ("io_bytes", d.bytes.into()),
        ("io_kbytes", (d.bytes >> 10).into()),
        ("bw_bytes", d.bytes_per_second().into()),
        ("bw", (d.bytes_per_second() >> 10).into()),
        ("iops", d.issue_rate().into()),
        ("runtime", d.runtime_ms.into()),
        ("total_ios", d.issued.into()),
        ("short_ios", d.short.into()),
        ("drop_ios", d.dropped.into()),
        ("slat_ns", latency(&d.slat, list[0])),
        ("clat_ns", latency(&d.clat, list[1])),
        ("lat_ns", latency(&d.lat, list[2])),
    ]);
    let told = d.priorities.told();
    if !told.is_empty() {
        let (key, list) = if d.priorities.total { ("lat_ns", list[2]) } else { ("clat_ns", list[1]) };
        let hints = d.priorities.hints();
        let one = |(priority, l): &&(Priority, Latency)| {
            let mut one = Node::object([
                ("prioclass", u32::from(priority.class()).into()),
                ("prio", u32::from(priority.level()).into()),
            ]);
            if hints {
                one.push("priohint", u32::from(priority.hint()));
            }
            one.push(key, latency(l, list));
            one
        };
        node.push("prios", Node::List(told.iter().map(one).collect()));
    }
    let samples = [
        ("bw_min", bw.min.into()),
        ("bw_max", bw.max.into()),
        ("bw_agg", total.map_or(0.0, |t| t.share_of(&bw)).into()),
        ("bw_mean", bw.mean.into()),
        ("bw_dev", bw.stddev().into()),
        ("bw_samples", bw.n.into()),
        ("iops_min", iops.min.into()),
        ("iops_max", iops.max.into()),
        ("iops_mean", iops.mean.into()),
        ("iops_stddev", iops.stddev().into()),
        ("iops_samples", iops.n.into()),
    ];
    samples.into_iter().for_each(|(key, value): (&str, Node)| node.push(key, value));
    node
}

fn moments(m: &Moments) -> Node {
    Node::object([
        ("min", m.min().into()),
        ("max", m.max().into()),
        ("mean", m.mean().into()),
        ("stddev", m.stddev().into()),
        ("N", m.n.into()),
    ])
}

fn latency(l: &Latency, percentiles: Option<&Percentiles<'_>>) -> Node {
    let mut node = moments(&l.moments);
    if let Some(p) = percentiles.filter(|_| l.moments.n > 0) {
        node.push("percentile", quantiles(&l.histogram, p.list));
        if p.bins {
            let bins = l.histogram.buckets().map(|(nanos, n)| (nanos.to_string(), n.into()));
            node.push("bins", Node::Object(bins.collect()));
        }
    }
    node
}

fn quantiles(h: &Histogram, list: &[f64]) -> Node {
    Node::Object(list.iter().filter_map(|p| Some((format!("{p:.6}"), h.quantile(*p)?.into()))).collect())
}

fn levels(l: &Levels, total: u64, labels: [&str; 7]) -> Node {
    Node::Object(
        labels.iter().zip(l.percent_of(total)).map(|(label, p)| (label.to_string(), p.into())).collect(),
    )
}

/// Returns a device and, if it is stacked, the devices below it.
fn disks(d: &DiskOutcome) -> Vec<Node> {
    let mut node = disk(d);
    if let Some(mean) = d.mean_beneath() {
        node.push("aggr_read_ios", mean.ios[0]);
        node.push("aggr_write_ios", mean.ios[1]);
        node.push("aggr_read_merges", mean.merges[0]);
        // fio spells this one key in the singular.
        node.push("aggr_write_merge", mean.merges[1]);
        node.push("aggr_read_ticks", mean.ticks_ms[0]);
        node.push("aggr_write_ticks", mean.ticks_ms[1]);
        node.push("aggr_in_queue", mean.in_queue_ms);
        node.push("aggr_util", mean.util_percent);
    }
    std::iter::once(node).chain(d.beneath.iter().flat_map(disks)).collect()
}

fn disk(d: &DiskOutcome) -> Node {
    Node::object([
        ("name", (&d.name).into()),
        ("read_ios", d.ios[0].into()),
        ("write_ios", d.ios[1].into()),
        ("read_merges", d.merges[0].into()),
        ("write_merges", d.merges[1].into()),
        ("read_ticks", d.ticks_ms[0].into()),
        ("write_ticks", d.ticks_ms[1].into()),
        ("in_queue", d.in_queue_ms.into()),
        ("util", d.util_percent.into()),
    ])
}

fn our_job(j: &JobOutcome) -> Node {
    let mut node = Node::object([
        ("members", j.members.into()),
        ("job_start", j.start_epoch_ms.into()),
        ("depth_reached", j.depth_reached.into()),
        ("done_in_submit", j.done_in_submit.into()),
        ("unanswered", j.unanswered.into()),
        ("total_errors", j.errors.into()),
    ]);
    if let Some(e) = &j.error {
        let error =
            [("errno", e.errno.into()), ("function", (&e.function).into()), ("text", (&e.text).into())];
        node.push("error", Node::object(error));
    }
    if j.commit.moments.n > 0 {
        let mut commit = moments(&j.commit.moments);
        commit.push("percentile", quantiles(&j.commit.histogram, &j.shown.percentiles));
        if let Some(sync) = j.load.access.sync {
            node.push("writes_per_sync", sync.every);
        }
        node.push("commits_per_s", j.commit_rate());
        node.push("commit_ns", commit);
    }
    for (name, d) in ["read", "write", "trim"].iter().zip(&j.directions).filter(|(_, d)| d.issued > 0) {
        let mut direction = Node::object([
            ("completed_ios", d.ios.into()),
            ("failed_ios", d.errors.into()),
            ("completed_iops", d.iops().into()),
        ]);
        if d.lat.moments.n > 0 {
            direction.push("lat_percentile_ns", quantiles(&d.lat.histogram, &[50.0, 99.0, 99.9]));
        }
        // Since each I/O of a paced job was due.
        if d.scheduled.moments.n > 0 {
            let mut scheduled = moments(&d.scheduled.moments);
            scheduled.push("percentile", quantiles(&d.scheduled.histogram, &j.shown.percentiles));
            direction.push("scheduled_ns", scheduled);
        }
        node.push(name, direction);
    }
    node
}

fn ours(r: &RunResult) -> Node {
    let mut node = Node::object([("version", (&r.provenance.version).into())]);
    if let Some(signal) = r.provenance.ended_by_signal {
        node.push("ended_by_signal", signal);
    }
    node.push("grade", r.grade().letter());
    node.push("findings", Node::List(r.findings.iter().map(finding).collect()));
    node.push("layers", layers(&r.layers));
    let notes = r.notes.iter().map(|n| {
        let kind = match n.kind {
            stats::note::NoteKind::Fio => "fio",
            stats::note::NoteKind::Fallback => "fallback",
            stats::note::NoteKind::Remark => "remark",
        };
        Node::object([("kind", kind.into()), ("job", (&n.job).into()), ("text", (&n.text).into())])
    });
    node.push("notes", Node::List(notes.collect()));
    node
}

/// Returns the rule, grade, statement, advice and evidence of a finding.
fn finding(f: &Finding) -> Node {
    let (text, next) =
        (findings::statement(crate::Lang::En, &f.claim), findings::advice(crate::Lang::En, &f.claim));
    let mut claim = serde_json::to_value(&f.claim).unwrap_or_default();
    Node::object([
        ("rule", f.claim.rule().into()),
        ("name", Node::from(claim["name"].take())),
        ("grade", f.claim.grade().letter().into()),
        ("job", (&f.job).into()),
        ("text", (&text).into()),
        ("next", (&next).into()),
        ("evidence", Node::from(claim["evidence"].take())),
    ])
}

/// Returns the layers as data: bytes by layer, the storage stack of each target, each device with its properties, and
/// the CPUs.
fn layers(l: &Layers) -> Node {
    let mut node = Node::object([
        ("wall_ms", l.wall_ms.into()),
        ("app_read_ios", l.app_ios[0].into()),
        ("app_write_ios", l.app_ios[1].into()),
        ("app_trim_ios", l.app_ios[2].into()),
        ("app_read_bytes", l.app_bytes[0].into()),
        ("app_write_bytes", l.app_bytes[1].into()),
        ("app_trim_bytes", l.app_bytes[2].into()),
    ]);
    if let Some(p) = &l.process {
        let process = [
            ("read_bytes", p.read_bytes),
            ("write_bytes", p.write_bytes),
            ("read_chars", p.read_chars),
            ("write_chars", p.write_chars),
            ("read_calls", p.read_calls),
            ("write_calls", p.write_calls),
        ];
        node.push("process", Node::object(process.map(|(key, value)| (key, value.into()))));
    }
    if let Some(more) = l.file_system_writes() {
        node.push("file_system_write_bytes", more);
    }
    let devices = l.devices.iter().map(|d| {
        let mut device = disk(d);
        if let Some(traits) = l.traits_of(&d.name) {
            device.push("traits", serde_json::to_value(traits).unwrap_or_default());
        }
        device.push("read_bytes", d.sectors[0] * 512);
        device.push("write_bytes", d.sectors[1] * 512);
        if let Some([read, written]) = l.members_beyond(&d.name) {
            device.push("members_read_beyond", read);
            device.push("members_write_beyond", written);
        }
        device
    });
    node.push("devices", Node::List(devices.collect()));
    let targets = l.targets.iter().map(|t| {
        let stack = t.stack.iter().map(Node::from).collect();
        let mut target =
            Node::object([("path", (&t.path).into()), ("size", t.size.into()), ("stack", Node::List(stack))]);
        let known = [
            ("cached_before", t.cached_before),
            ("cached_after", t.cached_after),
            ("holes", t.holes),
            ("unwritten", t.unwritten),
            ("zero_blocks", t.zero_blocks.map(u64::from)),
            ("sampled_blocks", t.sampled_blocks.map(u64::from)),
        ];
        known
            .iter()
            .filter_map(|(key, value)| Some((key, (*value)?)))
            .for_each(|(key, value)| target.push(key, value));
        if let Some(used) = t.used_percent {
            target.push("used_percent", used);
        }
        target
    });
    node.push("targets", Node::List(targets.collect()));
    node.push("host", serde_json::to_value(l.host).unwrap_or_default());
    node.push("depth_reached", l.depth_reached);
    node.push("depth_asked", l.depth_asked);
    node.push("busiest_thread_percent", l.busiest_thread_percent);
    node
}
