//! fio's normal output after `Starting`: job entries, status groups, disk statistics.

use crate::prelude::{error_place, error_words};
use crate::scale::{Base, number, rate_pair, size_pair};
use crate::steady_state;
use stats::{
    DirectionOutcome, DiskOutcome, Group, Histogram, JobOutcome, LatencyGoal, Levels, Moments, PARTS,
    Priority, RunResult, Shown,
};
use std::fmt::Write;

/// Appends formatted text to a `String`, which cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{
        let _ = writeln!($out, $($arg)*);
    }};
}

/// Returns fio's output for a finished run, from the blank line before the first entry to the disk statistics.
pub fn render(r: &RunResult) -> String {
    let mut out = String::from("\n");
    let groups = r.groups();
    // A job that issued nothing (it failed to open its file, or only laid files out) has no section, as in fio.
    for entry in r.entries().into_iter().filter(|e| e.issued() > 0) {
        let group = groups.iter().find(|g| g.id == entry.group);
        job(&mut out, &entry, group, &r.provenance.time);
    }
    groups.iter().for_each(|g| status_group(&mut out, g, digits_of(r, g.id)));
    disks(&mut out, &r.disks);
    if let Some(idle) = &r.idleness {
        put!(out, "\nCPU idleness:\n  system: {:.2}%", idle.system);
        if r.each_cpu {
            let each: Vec<String> = idle.cpus.iter().map(|(_, percent)| format!("{percent:.2}%")).collect();
            put!(out, "  percpu: {}", each.join(", "));
        }
        out += &unit_work(idle.unit_mean_us, idle.unit_stddev_us);
    }
    out
}

/// Returns the entry of the sum of several clients, which is the only job of `sum`.
pub(crate) fn entry(sum: &RunResult, time: &str) -> String {
    let mut out = String::new();
    let groups = sum.groups();
    sum.jobs.iter().filter(|j| j.issued() > 0).for_each(|j| job(&mut out, j, groups.first(), time));
    out
}

/// Returns the output of `--idle-prof=calibrate`, with both times in microseconds.
pub fn calibration(mean_us: f64, stddev_us: f64) -> String {
    format!("CPU idleness:\n{}", unit_work(mean_us, stddev_us))
}

fn unit_work(mean_us: f64, stddev_us: f64) -> String {
    format!("  unit work: mean={mean_us:.2}us, stddev={stddev_us:.2}\n")
}

fn digits_of(r: &RunResult, group: u32) -> u32 {
    r.jobs.iter().find(|j| j.group == group).map_or(4, |j| j.shown.significant_figures)
}

fn job(out: &mut String, j: &JobOutcome, group: Option<&Group>, time: &str) {
    let errno = j.first_error().map_or(0, |e| e.errno);
    let place = j.first_error().map_or(String::new(), |e| format!(" ({})", error_place(e)));
    put!(
        out,
        "{}: (groupid={}, jobs={}): err={errno:2}{place}: pid={}: {time}",
        stats::plain::line(&j.name),
        j.group,
        j.members,
        j.pid
    );
    if let Some(text) = &j.description {
        put!(out, "  Description  : [{}]", stats::plain::line(text));
    }
    for (at, d) in j.parts() {
        direction(out, at, &d, &j.shown, group);
    }
    ranges(out, j);
    if j.sync.moments.n > 0 {
        put!(out, "  fsync/fdatasync/sync_file_range:");
        latency(out, "sync", &j.sync.moments);
        percentiles(out, "sync", &j.sync.histogram, &j.shown.percentiles);
    }
    put!(
        out,
        "  cpu          : usr={:.2}%, sys={:.2}%, ctx={}, majf={}, minf={}",
        j.cpu.user_percent(),
        j.cpu.system_percent(),
        j.cpu.switches,
        j.cpu.major_faults,
        j.cpu.minor_faults
    );
    put!(out, "  IO depths    : {}", levels(&j.depth, j.issued(), ["1", "2", "4", "8", "16", "32", ">=64"]));
    for (title, calls) in [("submit  ", &j.submit), ("complete", &j.complete)] {
        put!(
            out,
            "     {title}  : {}",
            levels(calls, calls.total(), ["0", "4", "8", "16", "32", "64", ">=64"])
        );
    }
    let [r, w, t] = &j.directions;
    put!(
        out,
        "     issued rwts: total={},{},{},{} short={},{},{},0 dropped={},{},{},0",
        r.issued,
        w.issued,
        t.issued,
        j.syncs,
        r.short,
        w.short,
        t.short,
        r.dropped,
        w.dropped,
        t.dropped
    );
    if j.shown.errors {
        // An error of a kind that is not counted belongs to the job, but is not reported here as the first.
        let counted = j.first_error().filter(|_| j.errors > 0);
        let words = counted.map_or_else(|| "Success".to_string(), error_words);
        let errno = counted.map_or(0, |e| e.errno);
        put!(out, "     errors    : total={}, first_error={errno}/<{words}>", j.errors);
    }
    // The sum of several clients has none.
    if j.iodepth > 0 {
        let LatencyGoal { target, window, percentile, .. } = j.latency_goal;
        put!(
            out,
            "     latency   : target={target}, window={}, percentile={percentile:.2}%, depth={}",
            window / 1000,
            j.iodepth
        );
    }
    if let Some(steady) = &j.steady {
        let Shown { significant_figures, kb_base, unit_base, .. } = j.shown;
        put!(out, "{}", steady_state::line(steady, significant_figures, kb_base, unit_base));
    }
}

fn direction(out: &mut String, at: usize, d: &DirectionOutcome, shown: &Shown, group: Option<&Group>) {
    if d.bytes == 0 || !d.has_rate() {
        return;
    }
    let digits = shown.significant_figures;
    let (bw, other) = rate_pair(d.bytes_per_second(), digits, shown.kb_base, shown.unit_base);
    let (io, _) = size_pair(d.bytes, digits, shown.kb_base);
    let iops = number(d.issue_rate() as u64, digits, Base::Decimal);
    // fio 3.33 counts resets of zones on every write line, zoned or not.
    let zones = if at == 1 { format!("; {} zone resets", d.zone_resets) } else { String::new() };
    put!(out, "  {}: IOPS={iops}, BW={bw} ({other})({io}/{}msec){zones}", PARTS[at], d.runtime_ms);
    let kinds = [
        ("slat", shown.slat, shown.slat_percentiles, &d.slat),
        ("clat", shown.clat, shown.clat_percentiles, &d.clat),
        (" lat", shown.lat, shown.lat_percentiles, &d.lat),
    ];
    for (name, measured, _, l) in kinds {
        if measured && l.moments.n > 0 {
            latency(out, name, &l.moments);
        }
    }
    let (of, asked) =
        if d.priorities.total { ("lat", shown.lat_percentiles) } else { ("clat", shown.clat_percentiles) };
    let told = d.priorities.told();
    let hints = d.priorities.hints();
    let called = |p: &Priority| {
        let hint = if hints { format!("/{}", p.hint()) } else { String::new() };
        format!("{of} prio {}/{}{hint}", p.class(), p.level())
    };
    for (priority, l) in &told {
        latency(out, &called(priority), &l.moments);
    }
    for (name, measured, wanted, l) in kinds {
        if measured && wanted && l.moments.n > 0 {
            percentiles(out, name.trim(), &l.histogram, &shown.percentiles);
        }
    }
    for ((priority, l), share) in told.iter().zip(d.priorities.shares()).filter(|_| asked) {
        let name = format!("{} ({share:.2}% of IOs)", called(priority));
        percentiles(out, &name, &l.histogram, &shown.percentiles);
    }
    samples(out, at, d, shown.kb_base, group);
}

fn samples(out: &mut String, at: usize, d: &DirectionOutcome, kb_base: u32, group: Option<&Group>) {
    let bw = d.bw();
    if bw.n > 0 {
        let kilo = u64::from(kb_base.max(1));
        let (unit, divisor) = if bw.mean > (kilo * kilo) as f64 { ("MiB/s", kilo) } else { ("KiB/s", 1) };
        let share = group.and_then(|g| g.totals[at].as_ref()).map_or(0.0, |t| t.share_of(&bw));
        put!(
            out,
            "   bw (  {unit}): min={:5}, max={:5}, per={share:.2}%, avg={:5.2}, stdev={:5.2}, samples={}",
            bw.min / divisor,
            bw.max / divisor,
            bw.mean / divisor as f64,
            bw.stddev() / divisor as f64,
            bw.n
        );
    }
    let iops = d.iops_sampled();
    if iops.n > 0 {
        put!(
            out,
            "   iops        : min={:5}, max={:5}, avg={:5.2}, stdev={:5.2}, samples={}",
            iops.min,
            iops.max,
            iops.mean,
            iops.stddev(),
            iops.n
        );
    }
}

/// Returns the unit in which fio prints a set of times: its name and its length in nanoseconds.
fn unit_of(least: u64, most: u64, spread: impl Fn(f64) -> bool) -> (&'static str, u64) {
    if least > 2_000_000 && most > 99_999_999 && spread(1_000_000.0) {
        ("msec", 1_000_000)
    } else if least > 2_000 && most > 99_999 && spread(1_000.0) {
        ("usec", 1_000)
    } else {
        ("nsec", 1)
    }
}

fn latency(out: &mut String, name: &str, m: &Moments) {
    let (unit, divisor) = unit_of(m.min(), m.max(), |bound| m.stddev() > bound);
    let figure = |v: u64| number(v / divisor, 6, Base::Decimal);
    put!(
        out,
        "    {name} ({unit}): min={}, max={}, avg={:5.2}, stdev={:5.2}",
        figure(m.min()),
        figure(m.max()),
        m.mean() / divisor as f64,
        m.stddev() / divisor as f64
    );
}

fn percentiles(out: &mut String, name: &str, h: &Histogram, wanted: &[f64]) {
    let values: Vec<(f64, u64)> = wanted.iter().filter_map(|p| Some((*p, h.quantile(*p)?))).collect();
    let (Some((_, least)), Some((_, most))) = (values.first(), values.last()) else { return };
    let (unit, divisor) = unit_of(*least, *most, |_| true);
    let scaled = |v: u64| if divisor == 1 { v } else { v.div_ceil(divisor) };
    let decimals = wanted.iter().map(|p| decimals_of(*p)).max().unwrap_or(0);
    let width = scaled(*most).to_string().len().max(5);
    let label = if decimals == 0 { 3 } else { decimals + 3 };
    // "     |" and then, for each, a blank, the label, `th=[`, the value and `],`; 80 columns.
    let per_line = (73 / (label + width + 7)).max(1);
    put!(out, "    {name} percentiles ({unit}):");
    let items: Vec<String> =
        values.iter().map(|(p, v)| format!("{p:label$.decimals$}th=[{:width$}]", scaled(*v))).collect();
    let lines: Vec<String> =
        items.chunks(per_line).map(|line| format!("     | {}", line.join(", "))).collect();
    put!(out, "{}", lines.join(",\n"));
}

/// Returns the number of decimals that a percentile needs, at most nine.
fn decimals_of(p: f64) -> usize {
    let text = format!("{p:.9}");
    text.trim_end_matches('0').split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

fn ranges(out: &mut String, j: &JobOutcome) {
    let shares = j.latency_ranges();
    let labels: Vec<String> =
        stats::RANGE_LABELS.iter().map(u64::to_string).chain(["2000".into(), ">=2000".into()]).collect();
    for (unit, shares) in [("nsec", &shares.ns[..]), ("usec", &shares.us[..]), ("msec", &shares.ms[..])] {
        let shown: Vec<String> = labels
            .iter()
            .zip(shares)
            .filter(|(_, p)| **p > 0.0)
            .map(|(label, p)| format!("{label}={p:.2}%"))
            .collect();
        for line in shown.chunks(5) {
            put!(out, "  lat ({unit})   : {}", line.join(", "));
        }
    }
}

fn levels(l: &Levels, total: u64, labels: [&str; 7]) -> String {
    let shares = l.percent_of(total);
    labels.iter().zip(shares).map(|(label, p)| format!("{label}={p:.1}%")).collect::<Vec<_>>().join(", ")
}

fn status_group(out: &mut String, g: &Group, digits: u32) {
    put!(out, "\nRun status group {} (all jobs):", g.id);
    for (name, total) in ["  READ", " WRITE", "  TRIM", " MIXED"].iter().zip(&g.totals) {
        let Some(t) = total else { continue };
        let pair = |rate| rate_pair(rate, digits, g.kb_base, g.unit_base);
        let ((bw, bw2), (low, low2), (high, high2)) = (pair(t.aggregate), pair(t.slowest), pair(t.fastest));
        let (io, io2) = size_pair(t.bytes, digits, g.kb_base);
        put!(
            out,
            " {name}: bw={bw} ({bw2}), {low}-{high} ({low2}-{high2}), io={io} ({io2}), run={}-{}msec",
            t.shortest_ms,
            t.longest_ms
        );
    }
}

fn disks(out: &mut String, disks: &[DiskOutcome]) {
    if disks.is_empty() {
        return;
    }
    put!(out, "\nDisk stats (read/write):");
    disks.iter().for_each(|d| disk_lines(out, d));
}

/// Appends a device and all devices beneath it, which fio indents.
fn disk_lines(out: &mut String, d: &DiskOutcome) {
    match d.mean_beneath() {
        None => put!(out, "  {}", disk("", d)),
        Some(mean) => {
            let aggr = disk("aggr", &mean);
            put!(out, "    {}, {}", disk("", d), aggr.split_once(": ").map_or("", |(_, figures)| figures));
        }
    }
    d.beneath.iter().for_each(|member| disk_lines(out, member));
}

fn disk(aggr: &str, d: &DiskOutcome) -> String {
    format!(
        "{}: {aggr}ios={}/{}, {aggr}merge={}/{}, {aggr}ticks={}/{}, {aggr}in_queue={}, {aggr}util={:.2}%",
        d.name,
        d.ios[0],
        d.ios[1],
        d.merges[0],
        d.merges[1],
        d.ticks_ms[0],
        d.ticks_ms[1],
        d.in_queue_ms,
        d.util_percent
    )
}
