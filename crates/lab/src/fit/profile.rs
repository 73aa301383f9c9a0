//! Profiles of `fathom fit`: what a workload does, in fio's options, and what it needs. Shipped ones are in `profiles/`;
//! users' own have the same format (docs/fit.md).

use crate::filled::absolute;
use serde::{Deserialize, Serialize};
use stats::fit::{FitFigure, LimitClass};
use std::path::{Path, PathBuf};

/// Shipped profiles in the order of the list: name and text.
const SHIPPED: &[(&str, &str)] = &include!("profiles/list.in");

/// Largest file that is read as a profile, in bytes.
const LARGEST: u64 = 1 << 20;

/// Workload and what it needs.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FitProfile {
    /// Name on the command line; for a user's profile, the name of its file.
    #[serde(skip_deserializing)]
    pub name: String,
    /// System: `PostgreSQL`.
    pub system: String,
    /// Part of the system: a key of the catalogs, or a text.
    #[serde(default)]
    pub part: String,
    /// What the size of the workload counts, and its default.
    pub scale: Option<Scale>,
    /// Names of file systems on which the project does not support the workload.
    #[serde(default)]
    pub unsupported_on: Vec<String>,
    /// What the verdict leaves out: keys of the catalogs, or texts.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// Jobs that are measured one after the other.
    #[serde(rename = "job")]
    pub jobs: Vec<ProfileJob>,
    /// Criteria.
    #[serde(rename = "criterion")]
    pub criteria: Vec<Criterion>,
}

/// Size of the workload.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// What is counted: a key of the catalogs, or a text.
    pub unit: String,
    /// Number without `--scale`.
    pub default: f64,
}

/// Job of a profile.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileJob {
    /// Name that the criteria use.
    pub name: String,
    /// Options in fio's language, separated by blanks; target, engine and runtime are fathom's unless they are here.
    pub options: String,
    /// Size of a new file that was never written (`64m`); without it the job runs on written data.
    pub fresh: Option<String>,
}

impl ProfileJob {
    /// Returns whether the job writes.
    pub fn writes(&self) -> bool {
        let value = self.options.split_whitespace().find_map(|option| option.strip_prefix("rw="));
        !matches!(value, Some("read" | "randread"))
    }
}

/// Criterion of a profile.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Name of the job that measures the figure.
    pub job: String,
    /// Limited figure: `sync p99`, `commits/s`, `read IOPS`, `write MB/s` ...
    pub figure: FitFigure,
    /// Limit with a unit for times (`10ms`), in MB/s for bandwidths, per second otherwise. At most for times, at least
    /// for rates.
    pub limit: FitLimit,
    /// Whether the limit is for one unit of the scale.
    #[serde(default)]
    pub each: bool,
    /// Share of a measured rate that may be used.
    #[serde(default = "whole")]
    pub margin: f64,
    /// Origin of the limit.
    pub class: LimitClass,
    /// Document or rule that the limit comes from.
    pub source: String,
    /// Address of the document.
    pub link: Option<String>,
    /// Month in which the document was read: `2026-11`.
    pub read: Option<String>,
}

/// Limit as a number or a text.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum FitLimit {
    /// Rate or bandwidth.
    Number(f64),
    /// Time with a unit.
    Time(String),
}

fn whole() -> f64 {
    1.0
}

/// Options of fio that say which I/Os a job issues. A profile is passed on from hand to hand: it must not name files,
/// write logs, start programs or last longer than the user wants.
pub const PERMITTED: [&str; 60] = [
    "rw",
    "readwrite",
    "bs",
    "blocksize",
    "bsrange",
    "blocksize_range",
    "bssplit",
    "bs_unaligned",
    "bs_is_seq_rand",
    "ba",
    "blockalign",
    "size",
    "io_size",
    "io_limit",
    "offset",
    "offset_align",
    "offset_increment",
    "number_ios",
    "numjobs",
    "group_reporting",
    "iodepth",
    "iodepth_batch",
    "iodepth_batch_submit",
    "iodepth_batch_complete",
    "iodepth_batch_complete_min",
    "iodepth_batch_complete_max",
    "iodepth_low",
    "serialize_overlap",
    "ioengine",
    "direct",
    "buffered",
    "atomic",
    "sync",
    "fsync",
    "fdatasync",
    "sync_file_range",
    "end_fsync",
    "fsync_on_close",
    "overwrite",
    "rwmixread",
    "rwmixwrite",
    "rw_sequencer",
    "unified_rw_reporting",
    "random_distribution",
    "percentage_random",
    "norandommap",
    "randrepeat",
    "randseed",
    "rate",
    "rate_iops",
    "rate_process",
    "thinktime",
    "thinktime_blocks",
    "thinktime_spin",
    "refill_buffers",
    "zero_buffers",
    "buffer_compress_percentage",
    "buffer_compress_chunk",
    "dedupe_percentage",
    "invalidate",
];
/// Engines that issue I/Os to the target.
const ENGINES: [&str; 8] = ["io_uring", "libaio", "posixaio", "sync", "psync", "vsync", "pvsync", "pvsync2"];

/// Why a profile cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileError {
    /// No profile has this name; the names that exist, the most similar first.
    Unknown {
        /// Name as typed.
        name: String,
        /// Existing name that is most similar.
        near: Option<String>,
    },
    /// The file cannot be read.
    File {
        /// Path of the profile.
        path: PathBuf,
        /// Message of the system.
        why: String,
    },
    /// The text is no profile.
    Text {
        /// Path of the profile.
        path: PathBuf,
        /// What is wrong with it.
        fault: ProfileFault,
    },
}

/// What is wrong with a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileFault {
    /// The text is not TOML of this form; the message of the parser with line and column.
    Form(String),
    /// It is no regular file, or larger than 1 MiB.
    NoFile,
    /// There is no job or no criterion.
    Empty,
    /// An option of a job says more than which I/Os to issue.
    Option {
        /// Name of the job.
        job: String,
        /// Option as written.
        option: String,
    },
    /// The default of the scale is not above 0.
    ScaleDefault,
    /// A criterion is wrong.
    Criterion {
        /// Its figure.
        figure: String,
        /// What is wrong with it.
        fault: CriterionFault,
    },
}

/// What is wrong with a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CriterionFault {
    /// No job has the name that it gives.
    NoJob(String),
    /// The limit is no time with a unit.
    NoTime,
    /// The limit is no number above 0.
    NoRate,
    /// The margin is not above 0 and at most 1.
    Margin,
    /// The limit is for one unit of a scale, and there is none.
    NoScale,
}

/// Returns the directory of the user's profiles: `$XDG_CONFIG_HOME/fathom/fit`, else `~/.config/fathom/fit`.
pub fn own_directory() -> Option<PathBuf> {
    configuration().map(|config| config.join("fit"))
}

/// Returns the directory of the user's configuration of fathom: `$XDG_CONFIG_HOME/fathom`, else `~/.config/fathom`.
pub fn configuration() -> Option<PathBuf> {
    let config = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(config.join("fathom"))
}

impl Criterion {
    /// Returns the limit in the unit of the figure, for a workload of size `scale`.
    ///
    /// # Errors
    /// What is wrong with the limit.
    pub fn limit(&self, scale: f64) -> Result<f64, CriterionFault> {
        let value = match &self.limit {
            FitLimit::Time(text) if self.figure.is_time() => {
                let number = job::unit::time(text, 0).ok().filter(|n| n.rest.is_empty() && n.value > 0);
                number.ok_or(CriterionFault::NoTime)?.value as f64
            }
            _ if self.figure.is_time() => return Err(CriterionFault::NoTime),
            FitLimit::Number(megabytes) if *megabytes > 0.0 && self.figure.is_bandwidth() => megabytes * 1e6,
            FitLimit::Number(rate) if *rate > 0.0 => *rate,
            _ => return Err(CriterionFault::NoRate),
        };
        Ok(if self.each { value * scale } else { value })
    }
}

impl FitProfile {
    /// Returns the profile in `text`, which stands in the file `path`.
    ///
    /// # Errors
    /// The text is no profile.
    pub fn parse(name: &str, path: &Path, text: &str) -> Result<FitProfile, ProfileError> {
        let wrong = |fault: ProfileFault| ProfileError::Text { path: path.into(), fault };
        let form = |e: toml::de::Error| wrong(ProfileFault::Form(e.to_string().trim_end().into()));
        let mut profile: FitProfile = toml::from_str(text).map_err(form)?;
        profile.name = name.into();
        if profile.jobs.is_empty() || profile.criteria.is_empty() {
            return Err(wrong(ProfileFault::Empty));
        }
        for job in &profile.jobs {
            for option in job.options.split_whitespace() {
                let (key, value) = option.split_once('=').map_or((option, None), |(k, v)| (k, Some(v)));
                let engine = key == "ioengine" && !value.is_some_and(|value| ENGINES.contains(&value));
                if engine || !PERMITTED.contains(&key) {
                    let (job, option) = (job.name.clone(), option.to_owned());
                    return Err(wrong(ProfileFault::Option { job, option }));
                }
            }
        }
        for criterion in &profile.criteria {
            let of = |fault: CriterionFault| {
                wrong(ProfileFault::Criterion { figure: criterion.figure.to_string(), fault })
            };
            if !profile.jobs.iter().any(|job| job.name == criterion.job) {
                return Err(of(CriterionFault::NoJob(criterion.job.clone())));
            }
            criterion.limit(1.0).map_err(of)?;
            if !(criterion.margin > 0.0 && criterion.margin <= 1.0) {
                return Err(of(CriterionFault::Margin));
            }
            if criterion.each && profile.scale.is_none() {
                return Err(of(CriterionFault::NoScale));
            }
        }
        if profile.scale.as_ref().is_some_and(|scale| scale.default.is_nan() || scale.default <= 0.0) {
            return Err(wrong(ProfileFault::ScaleDefault));
        }
        Ok(profile)
    }

    /// Returns the profile called `name`: one of the user's in `own`, else a shipped one.
    ///
    /// # Errors
    /// There is none, or the user's is wrong.
    pub fn find(name: &str, own: Option<&Path>) -> Result<FitProfile, ProfileError> {
        let path = own.map(|directory| directory.join(format!("{name}.toml")));
        if let Some(path) = path.filter(|path| !name.contains('/') && path.exists()) {
            return FitProfile::read(name, &path);
        }
        match SHIPPED.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => FitProfile::parse(name, Path::new(name), text),
            None => {
                let near = job::suggest::nearest(name, SHIPPED.iter().map(|(known, _)| *known));
                Err(ProfileError::Unknown { name: name.into(), near: near.map(str::to_owned) })
            }
        }
    }

    fn read(name: &str, path: &Path) -> Result<FitProfile, ProfileError> {
        let failed = |why: String| ProfileError::File { path: path.into(), why };
        let meta = std::fs::metadata(path).map_err(|e| failed(e.to_string()))?;
        if !meta.is_file() || meta.len() > LARGEST {
            return Err(ProfileError::Text { path: path.into(), fault: ProfileFault::NoFile });
        }
        let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
        FitProfile::parse(name, path, &text)
    }

    /// Returns all profiles, the user's in `own` first; wrong ones as errors.
    pub fn all(own: Option<&Path>) -> Vec<Result<FitProfile, ProfileError>> {
        let mut names: Vec<String> = own
            .and_then(|directory| std::fs::read_dir(directory).ok())
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned))
            .collect();
        names.sort();
        for (name, _) in SHIPPED {
            if !names.iter().any(|own| own == name) {
                names.push((*name).into());
            }
        }
        names.iter().map(|name| FitProfile::find(name, own)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_profiles_are_valid_and_cite_their_sources() {
        for (name, text) in SHIPPED {
            let profile =
                FitProfile::parse(name, Path::new(name), text).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            for criterion in &profile.criteria {
                assert!(!criterion.source.is_empty(), "{name}");
                let cited = criterion.link.is_some() && criterion.read.is_some();
                assert!(cited || criterion.class == LimitClass::Derived, "{name}: {}", criterion.figure);
            }
        }
    }

    #[test]
    fn wrong_profiles_say_what_is_wrong() {
        let good = "system = \"x\"\n[[job]]\nname = \"a\"\noptions = \"rw=read\"\n[[criterion]]\njob = \"a\"\n\
                    figure = \"read p99\"\nlimit = \"10ms\"\nclass = \"derived\"\nsource = \"y\"\n";
        assert!(FitProfile::parse("x", Path::new("x"), good).is_ok());
        let of_criterion = |fault| Some((String::from("read p99"), fault));
        for (from, to, criterion) in [
            ("read p99", "reed p99", None),
            ("class = \"derived\"", "class = \"own\"", None),
            ("source", "sauce", None),
            ("\"10ms\"", "\"10\"", of_criterion(CriterionFault::NoTime)),
            ("\"10ms\"", "10", of_criterion(CriterionFault::NoTime)),
            ("job = \"a\"", "job = \"b\"", of_criterion(CriterionFault::NoJob("b".into()))),
            ("limit =", "each = true\nlimit =", of_criterion(CriterionFault::NoScale)),
            ("limit =", "margin = 2.0\nlimit =", of_criterion(CriterionFault::Margin)),
        ] {
            let Err(ProfileError::Text { fault, .. }) =
                FitProfile::parse("x", Path::new("x"), &good.replace(from, to))
            else {
                panic!("{to}")
            };
            match (fault, criterion) {
                (ProfileFault::Form(why), None) => assert!(why.contains("line"), "{to}: {why}"),
                (ProfileFault::Criterion { figure, fault }, Some(right)) => {
                    assert_eq!((figure, fault), right)
                }
                other => panic!("{to}: {other:?}"),
            }
        }
    }

    #[test]
    fn profiles_only_say_which_ios_are_issued() {
        for option in [
            "exec_prerun=/tmp/x.sh",
            "write_iolog=/etc/x",
            "write_bw_log=/etc/x",
            "filename=/etc/x",
            "directory=/etc",
            "runtime=100000",
            "time_based",
            "ioengine=exec",
            "ioengine=external:/tmp/x.so",
            "ioengine",
        ] {
            let text = format!(
                "system = \"x\"\n[[job]]\nname = \"a\"\noptions = \"rw=read {option}\"\n[[criterion]]\njob = \"a\"\n\
                 figure = \"read p99\"\nlimit = \"10ms\"\nclass = \"derived\"\nsource = \"y\"\n"
            );
            let fault = ProfileFault::Option { job: "a".into(), option: option.into() };
            let wrong = ProfileError::Text { path: "x".into(), fault };
            assert_eq!(FitProfile::parse("x", Path::new("x"), &text), Err(wrong));
        }
    }

    /// A named pipe would be waited for, and a device read without end.
    #[test]
    fn only_regular_files_are_read_as_profiles() {
        let link = testbed::Sandbox::new().unwrap();
        std::os::unix::fs::symlink("/dev/zero", link.join("x.toml")).unwrap();
        let found = FitProfile::find("x", Some(link.path()));
        let wrong = ProfileError::Text { path: link.join("x.toml"), fault: ProfileFault::NoFile };
        assert_eq!(found, Err(wrong));
    }
}
