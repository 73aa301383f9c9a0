//! Output of `fathom trace`: the profile of a trace.

use crate::catalog::{say, word};
use crate::scale::{bytes, percent, short, time};
use crate::{Lang, columns, export, lay, left, prose_width, wrap};
use stats::trace_profile::{TraceFormat, TraceProfile};
use stats::working_set::WORKING_SET_BLOCK;

/// Number of sizes and files that are named.
const NAMED: usize = 6;

/// Returns the profile of the trace `name` in lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at
/// the end.
pub fn render(lang: Lang, name: &str, p: &TraceProfile, width: usize) -> String {
    let width = prose_width(width);
    let rows = [
        (word!(lang, "trace-label-format"), vec![format(lang, p.format).to_owned()]),
        (word!(lang, "trace-label-files"), vec![files(lang, p)]),
        (word!(lang, "trace-label-ios"), ios(lang, p)),
        (word!(lang, "trace-label-duration"), vec![time(p.duration_ns as f64)]),
        (word!(lang, "trace-label-sizes"), sizes(lang, p)),
        (word!(lang, "trace-label-sequential"), sequential(lang, p)),
        (word!(lang, "trace-label-working-set"), working_set(lang, p)),
        (word!(lang, "trace-label-arrivals"), arrivals(lang, p)),
        (word!(lang, "trace-label-in-flight"), in_flight(lang, p)),
    ];
    let label_width = rows.iter().map(|(label, _)| columns(label)).max().unwrap_or(0) + 2;
    let mut lines = vec![name.to_owned()];
    for (label, parts) in rows.iter().filter(|(_, parts)| !parts.is_empty()) {
        lines.extend(wrap(&left(label, label_width), parts, width));
    }
    lay(&lines)
}

/// Returns the profile as one JSON document, newline at the end.
pub fn json(p: &TraceProfile) -> String {
    export::json(p)
}

/// Returns the note that the synthetic job has no trims; `None` if the trace needs none.
pub fn trims_left_out(lang: Lang, p: &TraceProfile) -> Option<String> {
    let [reads, writes, trims] = p.ios;
    (trims > 0 && reads + writes > 0).then(|| say!(lang, "trace-trims-left-out", trims = trims.to_string()))
}

/// Returns the note that the synthetic job has one file for all files of the trace; `None` for one file.
pub fn files_joined(lang: Lang, p: &TraceProfile) -> Option<String> {
    (p.file_count > 1).then(|| say!(lang, "trace-files-joined", files = p.file_count.to_string()))
}

/// Returns the name of a format.
pub fn format(lang: Lang, format: TraceFormat) -> &'static str {
    match format {
        TraceFormat::Iolog2 => word!(lang, "trace-format-iolog-2"),
        TraceFormat::Iolog3 => word!(lang, "trace-format-iolog-3"),
        TraceFormat::Blktrace => word!(lang, "trace-format-blktrace"),
        TraceFormat::Msr => word!(lang, "trace-format-msr"),
        TraceFormat::Alibaba => word!(lang, "trace-format-alibaba"),
        TraceFormat::Tencent => word!(lang, "trace-format-tencent"),
        TraceFormat::Systor => word!(lang, "trace-format-systor"),
    }
}

fn files(lang: Lang, p: &TraceProfile) -> String {
    let named: Vec<&str> = p.files.iter().take(NAMED).map(String::as_str).collect();
    let (named, count) = (named.join(", "), p.file_count);
    if count > NAMED as u64 {
        say!(lang, "trace-files-more", named, more = (count - NAMED as u64).to_string())
    } else {
        named
    }
}

/// Returns a block size in the binary unit that the field uses.
fn block(size: u32) -> String {
    match size {
        mebibytes if mebibytes.is_multiple_of(1 << 20) => format!("{} MiB", mebibytes >> 20),
        kibibytes if kibibytes.is_multiple_of(1 << 10) => format!("{} KiB", kibibytes >> 10),
        bytes => format!("{bytes} B"),
    }
}

fn number(n: u64) -> String {
    if n < 1000 { n.to_string() } else { short(n as f64) }
}

fn of(part: u64, whole: u64) -> String {
    percent(100.0 * part as f64 / whole.max(1) as f64)
}

/// Returns the names of reads, writes and trims.
fn directions(lang: Lang) -> [&'static str; 3] {
    [word!(lang, "trace-reads"), word!(lang, "trace-writes"), word!(lang, "trace-trims")]
}

fn ios(lang: Lang, p: &TraceProfile) -> Vec<String> {
    let all = p.total_ios();
    let of_direction = |d: usize| {
        let (direction, share, size) = (directions(lang)[d], of(p.ios[d], all), bytes(p.bytes[d]));
        say!(lang, "trace-direction", direction, share, size)
    };
    let mut parts = vec![number(all)];
    parts.extend((0..3).filter(|d| p.ios[*d] > 0).map(of_direction));
    if p.syncs > 0 {
        parts.push(say!(lang, "trace-syncs", syncs = number(p.syncs)));
    }
    parts
}

fn sizes(lang: Lang, p: &TraceProfile) -> Vec<String> {
    let all = p.total_ios();
    let count = |ios: &[u64; 3]| ios.iter().sum::<u64>();
    let part = |size: &stats::trace_profile::SizeCount| {
        format!("{} {}", block(size.bytes), of(count(&size.ios), all))
    };
    let mut parts: Vec<String> = p.sizes.iter().take(NAMED).map(part).collect();
    let rest = p.sizes.iter().skip(NAMED).map(|size| count(&size.ios)).sum::<u64>() + p.other_sizes;
    if rest > 0 {
        parts.push(say!(lang, "trace-other-sizes", share = of(rest, all)));
    }
    parts
}

fn sequential(lang: Lang, p: &TraceProfile) -> Vec<String> {
    let used = (0..3).filter(|d| p.successors[*d] > 0);
    used.map(|d| format!("{} {}", directions(lang)[d], of(p.sequential[d], p.successors[d]))).collect()
}

fn working_set(lang: Lang, p: &TraceProfile) -> Vec<String> {
    if p.ios[0] + p.ios[1] == 0 {
        return Vec::new();
    }
    let size = bytes(p.working_set_blocks * WORKING_SET_BLOCK);
    let size = if p.working_set_exact { size } else { say!(lang, "trace-estimated", size) };
    vec![size, say!(lang, "trace-end", end = bytes(p.end))]
}

fn arrivals(lang: Lang, p: &TraceProfile) -> Vec<String> {
    let (Some(rate), Some(variation)) = (p.rate, p.arrival_variation) else { return Vec::new() };
    vec![
        say!(lang, "trace-rate", rate = short(rate)),
        say!(lang, "trace-peak", peak = number(p.peak_rate)),
        say!(lang, "trace-variation", variation = format!("{variation:.2}")),
    ]
}

fn in_flight(lang: Lang, p: &TraceProfile) -> Vec<String> {
    let Some((mean, most)) = p.in_flight else { return Vec::new() };
    vec![
        say!(lang, "trace-mean", mean = format!("{mean:.2}")),
        say!(lang, "trace-most", most = most.to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_is_shown_with_its_quantities() {
        let p = TraceProfile {
            format: TraceFormat::Msr,
            files: vec!["usr_0".into()],
            file_count: 1,
            ios: [3, 1, 0],
            bytes: [12288, 8192, 0],
            syncs: 0,
            duration_ns: 2_000_000_000,
            sizes: vec![
                stats::trace_profile::SizeCount { bytes: 4096, ios: [3, 0, 0] },
                stats::trace_profile::SizeCount { bytes: 8192, ios: [0, 1, 0] },
            ],
            other_sizes: 0,
            sequential: [1, 0, 0],
            successors: [2, 0, 0],
            working_set_blocks: 5,
            working_set_exact: false,
            end: 1 << 20,
            tenths: [0.1; 10],
            rate: Some(1.5),
            peak_rate: 2,
            arrival_variation: Some(0.5),
            in_flight: Some((0.25, 1)),
        };
        let text = render(Lang::En, "t.csv", &p, usize::MAX);
        for part in ["usr_0", "reads 75", "8 KiB 25", "0.50", "0.25", "estimated"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
