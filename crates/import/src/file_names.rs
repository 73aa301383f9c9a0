//! Information in the names of files and directories: trees of bench-fio (`OUT/target/mode/bs/MODE-D-N.json`) and fio's
//! logs (`PREFIX_bw.3.log`, where bench-fio's prefix is `MODE-iodepth-D-numjobs-N`).

use stats::{LogKind, study::Access};
use std::path::Path;

/// Information about a load in a name; 0 or empty = not in the name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Named {
    pub access: Access,
    pub depth: u32,
    pub jobs: u32,
}

/// Contents of a log: values of one kind, or histograms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Counts {
    Values(LogKind),
    Histograms,
}

/// Parts of a log's name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LogName {
    /// Name before the kind of the log.
    pub prefix: String,
    pub counts: Counts,
    /// Number of the job, if each job has its own log, and the host of the client; empty if neither is in the name.
    pub job: String,
}

/// Endings of log names by kind; longer endings come before endings that they contain.
const KINDS: [(&str, Counts); 8] = [
    ("_clat_hist", Counts::Histograms),
    ("_lat_hist", Counts::Histograms),
    ("_hist", Counts::Histograms),
    ("_slat", Counts::Values(LogKind::Slat)),
    ("_clat", Counts::Values(LogKind::Clat)),
    ("_lat", Counts::Values(LogKind::Lat)),
    ("_iops", Counts::Values(LogKind::Iops)),
    ("_bw", Counts::Values(LogKind::Bandwidth)),
];

fn file_name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns whether a file of a directory may be a result or a log, by its name.
pub(crate) fn is_candidate(path: &Path) -> bool {
    let name = file_name(path);
    name.ends_with(".json") || name.ends_with(".log") || name.contains(".log.")
}

/// Returns the parts of a log's name; `None` if the name is not that of a fio log.
pub(crate) fn log(path: &Path) -> Option<LogName> {
    let name = file_name(path);
    let name = name.strip_suffix(".fz").unwrap_or(&name);
    let at = name.rfind(".log")?;
    let (body, host) = (&name[..at], name[at + 4..].strip_prefix('.').unwrap_or_default());
    let numbered =
        body.rsplit_once('.').filter(|(_, n)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let (stem, number) = numbered.unwrap_or((body, ""));
    let (prefix, counts) = KINDS.iter().find_map(|(end, counts)| Some((stem.strip_suffix(end)?, *counts)))?;
    let job = [number, host].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
    Some(LogName { prefix: prefix.to_string(), counts, job })
}

/// Returns the information in the path of a result, such as `randrw-4-2.json` in directories for block size and mode.
pub(crate) fn result(path: &Path) -> Named {
    let stem = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mut named = Named::default();
    if let [jobs, depth, mode] = stem.rsplitn(3, '-').collect::<Vec<_>>()[..]
        && let (Some((rw, _)), Ok(depth), Ok(jobs)) = (mode_of(mode), depth.parse(), jobs.parse())
    {
        named = Named { access: Access { rw, ..Access::default() }, depth, jobs };
    }
    let mut above = path.ancestors().skip(1).map(file_name);
    named.access.bs = above.next().and_then(|dir| whole_size(&dir)).unwrap_or(0);
    if let Some((rw, reads)) = above.next().and_then(|dir| mode_of(&dir)).filter(|_| named.access.bs > 0) {
        named.access.reads = reads.or(named.access.reads);
        if named.access.rw.is_empty() {
            named.access.rw = rw;
        }
    }
    named
}

/// Returns the information in the prefix of a log, such as `randrw-iodepth-4-numjobs-2`.
pub(crate) fn prefix(prefix: &str) -> Named {
    let number = |key: &str| {
        let behind = prefix.split_once(key)?.1;
        let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        behind[..end].parse().ok()
    };
    let rw = prefix.split_once("-iodepth-").and_then(|(mode, _)| mode_of(mode)).map(|(rw, _)| rw);
    Named {
        access: Access { rw: rw.unwrap_or_default(), ..Access::default() },
        depth: number("iodepth-").unwrap_or(0),
        jobs: number("numjobs-").unwrap_or(0),
    }
}

/// Returns the bytes of a text that is only a size, such as `4k`.
fn whole_size(text: &str) -> Option<u64> {
    let number = job::unit::integer(text, 1024).ok().filter(|n| n.rest.is_empty())?;
    u64::try_from(number.value).ok().filter(|_| text.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns the pattern and the percentage of reads in a mode of bench-fio, such as `randrw75`.
fn mode_of(text: &str) -> Option<(String, Option<u32>)> {
    let end = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let rw = pattern(&text[..end])?;
    Some((rw, text[end..].parse().ok()))
}

/// Returns fio's name of a pattern, one name for each pattern; `None` if the text is not a pattern.
pub(crate) fn pattern(text: &str) -> Option<String> {
    const ALL: [&str; 10] = [
        "read",
        "write",
        "trim",
        "randread",
        "randwrite",
        "randtrim",
        "rw",
        "randrw",
        "trimwrite",
        "randtrimwrite",
    ];
    // The text after a colon is the increment of the offset.
    let name = text.split(':').next().unwrap_or_default().trim();
    let name = if name == "readwrite" { "rw" } else { name };
    ALL.contains(&name).then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_bench_fio_wrote_into_them() {
        let of = |path: &str| result(Path::new(path));
        let all = of("out/nvme0n1/randrw75/4k/randrw-16-2.json");
        assert_eq!((all.access.rw.as_str(), all.access.bs, all.access.reads), ("randrw", 4096, Some(75)));
        assert_eq!((all.depth, all.jobs), (16, 2));
        assert_eq!(of("x/1m/other.json").access.bs, 1 << 20);
        assert_eq!(of("results/before-1-2.json"), Named::default());
        assert_eq!(of("a.json"), Named::default());
        let log = prefix("randread-iodepth-4-numjobs-8");
        assert_eq!((log.access.rw.as_str(), log.depth, log.jobs), ("randread", 4, 8));
        assert_eq!(prefix("mine"), Named::default());
        // A number that is too large is ignored.
        assert_eq!(prefix("x-iodepth-99999999999999").depth, 0);
    }

    #[test]
    fn a_log_is_known_by_its_name() {
        let of = |name: &str| log(Path::new(name)).map(|l| (l.prefix, l.counts, l.job));
        let values =
            |prefix: &str, kind, job: &str| Some((prefix.to_string(), Counts::Values(kind), job.to_string()));
        assert_eq!(of("d/j_bw.3.log"), values("j", LogKind::Bandwidth, "3"));
        assert_eq!(of("j_slat.log"), values("j", LogKind::Slat, ""));
        assert_eq!(of("j_clat.1.log"), values("j", LogKind::Clat, "1"));
        assert_eq!(of("j_iops.2.log.host.example"), values("j", LogKind::Iops, "2.host.example"));
        assert_eq!(of("j_clat_hist.1.log").unwrap().1, Counts::Histograms);
        assert_eq!((of("j.log"), of("run.2.log"), of("j_bw.json")), (None, None, None));
    }
}
