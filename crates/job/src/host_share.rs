//! The part of one host in a plan that several hosts run.

mod interleave;

use crate::job::{Job, Size};
use crate::plan::{Interleave, Layout, Plan};
use stats::direction::Direction;

/// What each host has of the targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum HostShare {
    /// Each host has targets of its own. No two hosts may write to the same.
    #[default]
    Own,
    /// The hosts share the targets on purpose, and each has all of them. `offset_increment` counts the clones of all hosts.
    Whole,
    /// A part of each region, which no other host has.
    Split,
    /// One block of each region in turn for each host.
    Interleave,
}

impl HostShare {
    /// Returns the word that selects it.
    pub fn word(self) -> &'static str {
        match self {
            HostShare::Own => "own",
            HostShare::Whole => "whole",
            HostShare::Split => "split",
            HostShare::Interleave => "interleave",
        }
    }
}

/// Place of a host in a run.
#[derive(Clone, Copy, Debug)]
pub struct HostNumber<'a> {
    /// Names of all hosts, in the order of the command line.
    pub names: &'a [String],
    /// Number of this host, from 0.
    pub number: usize,
}

impl HostNumber<'_> {
    /// Returns the number of this host among those on which a job with these `hosts` runs, and how many they are; `None` if the
    /// job does not run here.
    fn among(&self, hosts: &[String]) -> Option<(u64, u64)> {
        let runs_on = |name: &String| hosts.is_empty() || hosts.contains(name);
        let place = |names: &[String]| names.iter().filter(|name| runs_on(name)).count() as u64;
        let own = self.names.get(self.number)?;
        runs_on(own).then(|| (place(&self.names[..self.number]), place(self.names)))
    }
}

/// Returns the first job that names a host which is not one of `names`, and that host.
pub fn unknown_host<'a>(jobs: &'a [Job], names: &[String]) -> Option<(&'a str, &'a str)> {
    jobs.iter().find_map(|job| {
        let unknown = job.hosts.iter().find(|host| !names.contains(host))?;
        Some((job.name.as_str(), unknown.as_str()))
    })
}

/// Returns the first job of this host that waits for one (`wait_for`) which only other hosts run, and the name of that one.
pub fn waits_for_other_host(jobs: &[Job]) -> Option<(&str, &str)> {
    jobs.iter().filter(|job| job.numjobs > 0).find_map(|job| {
        let name = job.dependencies.wait_for.as_deref()?;
        let mut of_name = jobs.iter().filter(|other| other.name == name).peekable();
        let elsewhere = of_name.peek().is_some() && of_name.all(|other| other.numjobs == 0);
        elsewhere.then_some((job.name.as_str(), name))
    })
}

/// Leaves clones only to the jobs that run on this host, and numbers them for `offset_increment` after those of the hosts before
/// it if the targets are shared on purpose. The other jobs stay in the list without clones, so that the phases are those of all
/// hosts. Returns the number of the host and of hosts for each job.
pub fn keep_jobs(jobs: &mut [Job], host: HostNumber<'_>, share: HostShare) -> Vec<(u64, u64)> {
    let keep = |job: &mut Job| {
        let place = host.among(&std::mem::take(&mut job.hosts));
        match place {
            None => (job.numjobs, job.replay) = (0, None),
            Some((number, _)) if share == HostShare::Whole => {
                job.target.clones_before = (number as u32).saturating_mul(job.numjobs);
            }
            Some(_) => {}
        }
        match share {
            // Other jobs of other hosts may share the region.
            HostShare::Split | HostShare::Interleave => (host.number as u64, host.names.len() as u64),
            HostShare::Own | HostShare::Whole => place.unwrap_or((0, 1)),
        }
    };
    jobs.iter_mut().map(keep).collect()
}

/// Reason why the targets cannot be split among the hosts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostShareError {
    /// A region is smaller than a block for each host.
    #[error("{path}: {bytes} bytes")]
    TooSmall {
        /// How the hosts share it.
        share: HostShare,
        /// Path of the target.
        path: String,
        /// Length of the region, bytes.
        bytes: u64,
    },
    /// A file does not have its size yet, and several hosts cannot make it at once.
    #[error("{path}")]
    NotFilled {
        /// Path of the file.
        path: String,
    },
    /// Hosts would write to the same region what each of them verifies.
    #[error("{job}")]
    VerifiesOverwritten {
        /// Name of the job.
        job: String,
    },
    /// The blocks of a job have several sizes and cannot be dealt out one by one.
    #[error("{job}")]
    SeveralSizes {
        /// Name of the job.
        job: String,
    },
    /// A job chooses its offsets by a rule that does not fit blocks which are dealt out one by one.
    #[error("{job}: {option}")]
    NotInterleaved {
        /// Name of the job.
        job: String,
        /// Option, with its value if that decides.
        option: String,
    },
    /// Two jobs use one file, at least one of them writes, and their blocks are not the same.
    #[error("{job}: {other}")]
    OtherBlocks {
        /// Name of the job.
        job: String,
        /// Name of the other job.
        other: String,
    },
}

impl Plan {
    /// Makes this plan that of one of several hosts. `places` are the number of the host, from 0, and the number of hosts for each
    /// job ([`keep_jobs`]). With [`HostShare::Split`] and [`HostShare::Interleave`] the parts of the hosts are disjoint, and their
    /// union is the whole, but for less than a block per host. Hosts draw different random offsets, unless a job verifies, which has to know the offsets of
    /// others.
    ///
    /// # Errors
    /// A region cannot be split.
    pub fn keep_share(&mut self, share: HostShare, places: &[(u64, u64)]) -> Result<(), HostShareError> {
        if share == HostShare::Interleave && places.iter().any(|(_, hosts)| *hosts > 1) {
            interleave::check(&self.jobs)?;
        }
        for clone in &mut self.clones {
            let job = &self.jobs[clone.job];
            let (number, hosts) = places.get(clone.job).copied().unwrap_or((0, 1));
            if job.verify.is_none() {
                // An odd factor: each host has another seed.
                clone.seed = clone.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            }
            if share != HostShare::Own
                && let Some(file) = clone.files.iter().find(|file| file.layout != Layout::Keep)
            {
                return Err(HostShareError::NotFilled { path: file.path.display().to_string() });
            }
            let apart = !matches!(job.target.offset_increment, Size::Bytes(0) | Size::Percent(0));
            let writes = job.verify.is_some() && job.pattern.mix.has(Direction::Write);
            if share == HostShare::Whole && hosts > 1 && writes && !apart {
                return Err(HostShareError::VerifiesOverwritten { job: job.name.clone() });
            }
            if hosts < 2 || !matches!(share, HostShare::Split | HostShare::Interleave) {
                continue;
            }
            let block = job.pattern.largest_block().max(1);
            let interleave = Interleave { block, number, of: hosts };
            let whole: u64 = clone.files.iter().map(|file| file.length).sum();
            for file in &mut clone.files {
                let part = interleave.part(file.length);
                if part == 0 {
                    let path = file.path.display().to_string();
                    return Err(HostShareError::TooSmall { share, path, bytes: file.length });
                }
                match share {
                    HostShare::Interleave => file.length = part * hosts,
                    _ => (file.start, file.length) = (file.start + part * number, part),
                }
            }
            clone.interleave = (share == HostShare::Interleave).then_some(interleave);
            if clone.io_bytes == whole {
                clone.io_bytes = clone.accessed_in_all();
            }
        }
        Ok(())
    }
}
