//! fio's terse output, versions 2 to 5: one line of fields per report entry. Times are whole microseconds, rounded
//! down, or microseconds with six decimals.

use stats::{
    DirectionOutcome, DiskOutcome, GroupTotals, JobOutcome, Latency, Levels, Moments, RunResult, Samples,
};

/// Number of percentiles in a line.
const SLOTS: usize = 20;

/// Returns a line for each entry; in version 2 the description is a line of its own.
pub fn render(r: &RunResult, version: u32) -> String {
    let groups = r.groups();
    let line = |j: &JobOutcome| {
        let totals = groups.iter().find(|g| g.id == j.group).map_or([None; 4], |g| g.totals);
        entry(r, j, totals, version)
    };
    r.entries().iter().map(line).collect()
}

fn entry(r: &RunResult, j: &JobOutcome, totals: [Option<GroupTotals>; 4], version: u32) -> String {
    let errno = j.first_error().map_or(0, |e| e.errno);
    let mut fields = vec![version.to_string()];
    if version > 2 {
        fields.push(stats::FIO_VERSION.into());
    }
    fields.extend([stats::plain::line(&j.name).into_owned(), j.group.to_string(), errno.to_string()]);
    // Version 3 is older than trims and never has them.
    for (at, d) in j.parts().iter().filter(|(at, _)| version != 3 || *at != 2) {
        direction(&mut fields, j, d, totals[*at], version);
    }
    fields.push(format!("{:.6}%", j.cpu.user_percent()));
    fields.push(format!("{:.6}%", j.cpu.system_percent()));
    fields.extend([j.cpu.switches, j.cpu.major_faults, j.cpu.minor_faults].map(|n| n.to_string()));
    fields.extend(depths(&j.depth, j.issued()));
    let shares = j.latency_ranges();
    let us = std::iter::once(&shares.below_2_us).chain(&shares.us[1..]);
    fields.extend(us.chain(&shares.ms).map(|p| format!("{p:.2}%")));
    if version > 2 {
        r.disks.iter().for_each(|d| disk(&mut fields, d));
    }
    if j.shown.errors {
        fields.extend([j.errors.to_string(), errno.to_string()]);
    }
    let description = j.description.as_ref().map(|text| format!(";{}", stats::plain::line(text)));
    let gap = if version == 2 && description.is_some() { "\n" } else { "" };
    format!("{}{gap}{}\n", fields.join(";"), description.unwrap_or_default())
}

fn direction(
    fields: &mut Vec<String>,
    j: &JobOutcome,
    d: &DirectionOutcome,
    total: Option<GroupTotals>,
    version: u32,
) {
    let whole = [d.bytes >> 10, d.bytes_per_second() >> 10, d.issue_rate() as u64, d.runtime_ms];
    fields.extend(whole.map(|n| n.to_string()));
    moments(fields, &d.slat.moments);
    moments(fields, &d.clat.moments);
    let shown = [(j.shown.lat_percentiles, &d.lat), (j.shown.clat_percentiles, &d.clat)];
    percentiles(fields, shown.iter().find(|(wanted, _)| *wanted).map(|(_, l)| *l), &j.shown.percentiles);
    moments(fields, &d.lat.moments);
    let (bw, iops): (Samples, Samples) = (d.bw(), d.iops_sampled());
    fields.extend([bw.min.to_string(), bw.max.to_string()]);
    fields.push(format!("{:.6}%", total.map_or(0.0, |t| t.terse_share_of(&bw))));
    fields.extend([bw.mean, bw.stddev()].map(|v| format!("{v:.6}")));
    if version >= 5 {
        fields.extend([bw.n, iops.min, iops.max].map(|n| n.to_string()));
        fields.extend([iops.mean, iops.stddev()].map(|v| format!("{v:.6}")));
        fields.push(iops.n.to_string());
    }
}

fn moments(fields: &mut Vec<String>, m: &Moments) {
    fields.extend([m.min(), m.max()].map(|nanos| (nanos / 1000).to_string()));
    fields.extend([m.mean(), m.stddev()].map(|nanos| format!("{:.6}", nanos / 1000.0)));
}

fn percentiles(fields: &mut Vec<String>, shown: Option<&Latency>, list: &[f64]) {
    let used = shown.iter().flat_map(|l| list.iter().take(SLOTS).map(|p| (*p, l.histogram.quantile(*p))));
    let used: Vec<String> = used.map(|(p, nanos)| format!("{p:.6}%={}", nanos.unwrap_or(0) / 1000)).collect();
    let rest = SLOTS - used.len();
    fields.extend(used);
    fields.extend(std::iter::repeat_n("0%=0".to_string(), rest));
}

fn depths(l: &Levels, total: u64) -> impl Iterator<Item = String> {
    l.percent_of(total).into_iter().map(|p| format!("{p:.1}%"))
}

/// Appends the fields of a device and, if it is stacked, of the devices beneath it.
fn disk(fields: &mut Vec<String>, d: &DiskOutcome) {
    let whole = [d.ios[0], d.ios[1], d.merges[0], d.merges[1], d.ticks_ms[0], d.ticks_ms[1], d.in_queue_ms];
    fields.push(d.name.clone());
    fields.extend(whole.map(|n| n.to_string()));
    fields.push(format!("{:.2}%", d.util_percent));
    d.beneath.iter().for_each(|member| disk(fields, member));
}
