//! Import of fio's files as measured loads and logs over time: JSON (normal and json+, with other text around it), logs
//! of all kinds, and directories of both, including bench-fio's trees. Each file that cannot be read gets one remark,
//! and the import continues.
#![forbid(unsafe_code)]

mod file_names;
mod files;
mod findings;
mod inflate;
pub mod iometer;
mod log;
mod remark;
mod result;
mod tools;
mod value;

pub use inflate::InflatedLog;
pub use remark::{Column, LineFault, Remark, Text};
pub use tools::{ToolResults, printed};

use stats::{HistogramLog, LogKind, LogSeries, Measured};
use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// Largest result file in bytes.
const LONGEST_RESULT: u64 = 256 << 20;

/// Loads and logs found in the files.
#[derive(Debug, Default)]
pub struct Found {
    /// Measured loads, one for each job of a result; the clones of a job (`numjobs`) are combined into one.
    pub measured: Vec<Measured>,
    /// Logs of values over time, one for each job and direction.
    pub tracks: Vec<LogSeries>,
    /// Logs of histograms over time, one for each job and direction.
    pub histograms: Vec<HistogramLog>,
    /// Files that could not be read, with the reasons.
    pub skipped: Vec<(PathBuf, Remark)>,
    /// Remarks about files that were read.
    pub notes: Vec<(PathBuf, Remark)>,
}

/// Reason why nothing was read.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A path does not exist or cannot be read.
    #[error("{self:?}")]
    Unreadable {
        /// Path as given.
        path: PathBuf,
        /// Error of the operating system.
        why: std::io::Error,
    },
    /// No file is a result or a log.
    #[error("{self:?}")]
    Nothing {
        /// First skipped file or directory.
        path: PathBuf,
        /// Reason why this file was skipped.
        why: Remark,
        /// Number of other files that were skipped.
        others: usize,
    },
}

/// Reads files and directories of fio's results.
///
/// # Errors
/// A path does not exist, or no file is readable.
pub fn read(paths: &[PathBuf]) -> Result<Found, ImportError> {
    let mut found = Found::default();
    let mut logs = Vec::new();
    for path in paths {
        let about =
            std::fs::metadata(path).map_err(|why| ImportError::Unreadable { path: path.clone(), why })?;
        if about.is_dir() {
            let mut files = Vec::new();
            files::walk(path, &file_names::is_candidate, &mut files, &mut found.skipped);
            if files.is_empty() {
                found.skipped.push((path.clone(), Remark::EmptyDirectory));
            }
            files.iter().for_each(|file| take(file, &mut found, &mut logs));
        } else {
            take(path, &mut found, &mut logs);
        }
    }
    settle(&mut found, logs);
    if found.measured.is_empty() && found.tracks.is_empty() && found.histograms.is_empty() {
        let others = found.skipped.len().saturating_sub(1);
        let nothing = || (PathBuf::new(), Remark::NoPath);
        let (path, why) = found.skipped.into_iter().next().unwrap_or_else(nothing);
        return Err(ImportError::Nothing { path, why, others });
    }
    Ok(found)
}

fn take(path: &Path, found: &mut Found, logs: &mut Vec<(PathBuf, log::Logs)>) {
    let source = path.to_string_lossy();
    let outcome = files::open(path).and_then(|mut file| match file_names::log(path) {
        Some(name) => {
            let input = BufReader::new(file);
            let read = match is_compressed(path) {
                true if name.counts == file_names::Counts::Histograms => return Err(Remark::Compressed),
                true => log::read(BufReader::new(InflatedLog::new(input)), &name, &source)?,
                false => log::read(input, &name, &source)?,
            };
            logs.push((path.to_path_buf(), read));
            Ok(Vec::new())
        }
        None => {
            let mut bytes = files::head(&mut file)?;
            if files::is_binary(&bytes) {
                return Err(Remark::NoJson(Text::Foreign));
            }
            // A text without an opening brace in its head is judged by the head: it is no JSON.
            if bytes.contains(&b'{') {
                file.by_ref().take(LONGEST_RESULT + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
            }
            if bytes.len() as u64 > LONGEST_RESULT {
                return Err(Remark::TooLong { most_mib: LONGEST_RESULT >> 20 });
            }
            let read = result::read(&bytes, &file_names::result(path), &source)?;
            found.measured.extend(read.measured);
            Ok(read.notes)
        }
    });
    match outcome {
        Ok(notes) => found.notes.extend(notes.into_iter().map(|note| (path.to_path_buf(), note))),
        Err(why) => found.skipped.push((path.to_path_buf(), why)),
    }
}

/// Returns whether a log is compressed, by its name.
fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "fz")
}

/// Completes the logs, which requires all files together, and adds remarks about results with the same load.
fn settle(found: &mut Found, logs: Vec<(PathBuf, log::Logs)>) {
    let (paths, mut logs): (Vec<PathBuf>, Vec<log::Logs>) = logs.into_iter().unzip();
    log::settle(&mut logs);
    for (path, file) in paths.into_iter().zip(logs) {
        found.notes.extend(file.notes.into_iter().map(|note| (path.clone(), note)));
        let mut tracks = file.tracks;
        if before_nanoseconds(&found.measured, path.parent()) {
            let latency = |t: &&mut LogSeries| !matches!(t.kind, LogKind::Bandwidth | LogKind::Iops);
            tracks.iter_mut().filter(latency).flat_map(|t| &mut t.samples).for_each(|s| s[1] *= 1000.0);
        }
        found.tracks.extend(tracks);
        found.histograms.extend(file.histograms);
    }
    let mut cells: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    for m in &found.measured {
        let path = Path::new(&m.source);
        let (access, target) = (&m.access, &m.conditions.target);
        let place = path.parent().unwrap_or(Path::new("")).display();
        let what = format!("{place}\0{target}\0{access:?}\0{}\0{}", m.depth, m.jobs);
        let sources = cells.entry(what).or_default();
        if !access.rw.is_empty() && !sources.contains(&path) {
            sources.push(path);
        }
    }
    for sources in cells.values().filter(|s| s.len() > 1) {
        let note = Remark::SameLoad { first: sources[0].to_path_buf() };
        found.notes.extend(sources[1..].iter().map(|p| (p.to_path_buf(), note.clone())));
    }
}

/// Returns whether all results in the directory of a log are from fio before version 3, whose logs are in microseconds;
/// the log itself does not show this.
fn before_nanoseconds(measured: &[Measured], directory: Option<&Path>) -> bool {
    let beside = |m: &&Measured| Path::new(&m.source).parent() == directory;
    let version = |m: &Measured| {
        let digits = m.conditions.by.strip_prefix("fio-")?;
        digits.split('.').next()?.parse::<u32>().ok()
    };
    let mut versions = measured.iter().filter(beside).filter_map(version).peekable();
    versions.peek().is_some() && versions.all(|v| v < 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Strategy for bytes that are often similar enough to fio's output to reach the later stages of the parser.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let words = prop::sample::select(vec![
            "{",
            "}",
            "\n",
            "\"jobs\"",
            ":",
            "[",
            "]",
            ",",
            "\"read\"",
            "\"total_ios\"",
            "1",
            "0",
            "-5",
            "nan",
            "1e308",
            "99999999999999999999",
            "\"clat_ns\"",
            "\"N\"",
            "\"bins\"",
            "\"percentile\"",
            "\"job options\"",
            "\"bs\"",
            "\"4k\"",
            "\"iops\"",
            "{\"jobs\":[{\"read\":{\"total_ios\":9,\"clat_ns\":{\"N\":",
            "\"mean\"",
            "#",
            " ",
            "0x",
            "{\"jobs\":[{\"jobname\":\"a\",\"read\":{\"io_bytes\":18446744073709551615,\"iops\":1e300}}]}",
            ";",
            "\u{e9}",
        ]);
        let words = prop::collection::vec(words, 0..60).prop_map(|w| w.concat().into_bytes());
        prop_oneof![words, prop::collection::vec(any::<u8>(), 0..300)]
    }

    /// Returns whether the parts of a file that a remark repeats have no line break. Names of jobs are escaped when
    /// shown.
    fn is_one_line(remark: &Remark) -> bool {
        let text = match remark {
            Remark::TextBefore { first: text, .. } | Remark::BreaksOff { error: text, .. } => text,
            Remark::Line { fault, .. } | Remark::LastLine { fault, .. } => match fault {
                LineFault::NotWhole { text, .. } | LineFault::NotNumber { text } => text,
                _ => return true,
            },
            _ => return true,
        };
        !text.contains('\n')
    }

    proptest! {
        #[test]
        fn no_result_panics(bytes in bytes()) {
            if let Err(why) = result::read(&bytes, &file_names::Named::default(), "x") {
                prop_assert!(is_one_line(&why));
            }
        }

        #[test]
        fn no_value_in_a_result_panics(key in prop::sample::select(vec!["total_ios", "iops", "bw_bytes", "io_bytes", "runtime", "clat_ns"]), value in "(-?[0-9]{1,25}(e[0-9]{1,3})?|true|null|\\[\\]|\\{\"N\":[0-9]{1,20},\"mean\":-?[0-9]{1,30},\"bins\":\\{\"[0-9]{1,20}\":[0-9]{1,20}\\},\"percentile\":\\{\"[0-9.]{1,9}\":-?[0-9]{1,22}\\}\\})", n in 1usize..4) {
            let job = format!(r#"{{"jobname":"a","read":{{"total_ios":5,"{key}":{value}}},"usr_cpu":{n},"sys_cpu":1e300,"elapsed":18446744073709551615}}"#);
            let text = format!(r#"{{"timestamp_ms":18446744073709551615,"timestamp":18446744073709551615,"jobs":[{}]}}"#, vec![job; n].join(","));
            let _ = result::read(text.as_bytes(), &file_names::Named::default(), "x");
        }

        #[test]
        fn no_log_panics(lines in prop::collection::vec((any::<u64>(), "[0-9.e+-]{0,12}|nan|inf|1", 0u8..5, any::<u32>()), 0..20), junk in bytes(), kind in prop::sample::select(vec!["a_bw.log", "a_iops.1.log", "a_clat.log", "a_clat_hist.2.log"])) {
            let name = file_names::log(Path::new(kind)).unwrap();
            let text: String = lines.iter().map(|(t, v, d, b)| format!("{t}, {v}, {d}, {b}\n")).collect();
            let own = "5, 1, 0, 4096\n9, 1, 1, 0\n18446744073709551615, 1, 0, 1\n18446744073709551615, 1, 1, 1\n";
            for bytes in [text.as_bytes(), &junk, own.as_bytes(), &[own.as_bytes(), &junk].concat()] {
                match log::read(bytes, &name, "x") {
                    Ok(mut logs) => {
                        log::settle(std::slice::from_mut(&mut logs));
                        for track in &logs.tracks {
                            prop_assert!(track.samples.iter().all(|s| s[0].is_finite() && s[1].is_finite() && s[0] >= 0.0));
                            prop_assert!(track.samples.windows(2).all(|w| w[0][0] <= w[1][0]));
                        }
                    }
                    Err(why) => prop_assert!(is_one_line(&why)),
                }
            }
        }
    }
}
