//! Messages between the coordinator and an agent.

use crate::interim::Interim;
use job::host_share::HostShare;
use job::remote::same_target;
use serde::{Deserialize, Serialize};
use stats::host_answer::HostAnswer;
use stats::note::NoteFact;
use stats::study::StudyTarget;
use stats::{Live, QuickTarget, RunResult};
use std::collections::BTreeMap;
use std::time::Duration;

/// Place of a host in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostPlace {
    /// Name by which the user calls the host.
    pub name: String,
    /// Number of the host, from 0.
    pub number: u32,
    /// Number of hosts.
    pub hosts: u32,
}

impl HostPlace {
    /// Returns the content of a job file with the same replacements; unchanged if it is not text.
    pub fn fill_file(&self, bytes: Vec<u8>) -> Vec<u8> {
        match String::from_utf8(bytes) {
            Ok(text) => self.fill(&text).into_bytes(),
            Err(e) => e.into_bytes(),
        }
    }

    /// Returns `text` with `$host`, `$host_number` and `$hosts` replaced with the name of the host, its number from 0, and the
    /// number of hosts.
    pub fn fill(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            let (name, behind) = after.split_at(end);
            out += before;
            match name {
                // A colon separates file names.
                "host" => out += &self.name.replace(':', "_"),
                "host_number" => out += &self.number.to_string(),
                "hosts" => out += &self.hosts.to_string(),
                other => {
                    out.push('$');
                    out += other;
                }
            }
            rest = behind;
        }
        out + rest
    }
}

/// Command that an agent runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AgentCommand {
    /// `fathom run`.
    #[default]
    Run,
    /// `fathom files`.
    Files,
    /// `fathom objects`.
    Objects,
    /// `fathom pts`.
    Pts,
}

impl AgentCommand {
    /// Returns the name of the command on the command line.
    pub fn name(self) -> &'static str {
        match self {
            AgentCommand::Run => "run",
            AgentCommand::Files => "files",
            AgentCommand::Objects => "objects",
            AgentCommand::Pts => "pts",
        }
    }

    /// Returns the longest time for which the coordinator waits for hosts that live, once it has asked them to stop; `None` for its
    /// default. Hosts that remove what they have made may take a while.
    pub(crate) fn stops_within(self) -> Option<Duration> {
        match self {
            AgentCommand::Files | AgentCommand::Objects => Some(Duration::from_secs(60)),
            AgentCommand::Run | AgentCommand::Pts => None,
        }
    }
}

/// What an agent is to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentWork {
    /// Command.
    #[serde(default)]
    pub command: AgentCommand,
    /// Its arguments: those of `fathom run` and `fathom fio` without the switches about hosts; those of other commands as they were
    /// typed.
    pub arguments: Vec<String>,
    /// Whether they are those of `fathom fio`.
    pub of_fio: bool,
    /// Contents of the job files that the arguments name, and of those that they include, by path. The path `-` is standard
    /// input.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Place of this host.
    pub place: HostPlace,
    /// What each host has of the targets.
    pub share: HostShare,
    /// Names of all hosts.
    pub names: Vec<String>,
    /// Language of messages: en, zh, ru, de.
    pub language: String,
}

/// Target of a study, which each host opens once and has until its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetWork {
    /// Directory, file, device or name on a server, as the user typed it.
    pub target: String,
    /// Command whose study it is.
    pub command: StudyCommand,
    /// Whether the study writes to a target that is no scratch file.
    pub writes: bool,
    /// Targets whose data may be destroyed (`--allow-destroy`).
    pub allow_destroy: Vec<String>,
    /// Length of the windows in which the rate is recorded.
    pub window: Duration,
    /// Place of this host.
    pub place: HostPlace,
    /// What each host has of the target.
    pub share: HostShare,
    /// Language of messages: en, zh, ru, de.
    pub language: String,
}

/// Command that studies a target on several hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StudyCommand {
    /// `fathom`, the check.
    #[default]
    Check,
    /// `fathom explore`.
    Explore,
    /// `fathom fit`.
    Fit,
}

impl StudyCommand {
    /// Returns the name of the command in messages.
    pub fn name(self) -> &'static str {
        match self {
            StudyCommand::Check => "fathom",
            StudyCommand::Explore => "explore",
            StudyCommand::Fit => "fit",
        }
    }
}

/// Target of a study as a host has opened it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenedTarget {
    /// Description as in a stored study.
    pub described: StudyTarget,
    /// Kind of target.
    pub kind: QuickTarget,
    /// I/O engine for its jobs.
    pub engine: String,
    /// Reason why the engine is not io_uring; `None` with io_uring.
    pub engine_note: Option<NoteFact>,
    /// Names by which other hosts know the target ([`WrittenTarget::names`]); empty for a scratch file, which is the host's own.
    pub names: Vec<String>,
}

/// Job of a study on the target that a host has opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetJob {
    /// Name of the job.
    pub name: String,
    /// Options in addition to those that select the target, without `numjobs`.
    pub options: Vec<String>,
    /// Number of clones of the job on this host.
    pub clones: u32,
    /// Number of clones on the hosts before this one, for `offset_increment`.
    pub before: u32,
    /// Size of a scratch file that is emptied and allocated before the job; `None` for the file as it is.
    pub fresh: Option<u64>,
}

/// File or device that a host would write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenTarget {
    /// Path on the host.
    pub path: String,
    /// Names by which other hosts know it; see `facts::shared_name`. A partition's name begins with that of its disk and `:part`.
    pub names: Vec<String>,
}

impl WrittenTarget {
    /// Returns whether both are the same file or device, or one is a partition of the other.
    pub(crate) fn is_same(&self, other: &WrittenTarget) -> bool {
        let part =
            |part: &str, whole: &str| part.strip_prefix(whole).is_some_and(|rest| rest.starts_with(":part"));
        let same = |a: &String, b: &String| same_target(a, b) || part(a, b) || part(b, a);
        self.names.iter().any(|name| other.names.iter().any(|theirs| same(name, theirs)))
    }
}

/// Message to an agent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToAgent {
    /// Answer with [`FromAgent::Clock`] at once.
    Clock {
        /// Number of the question.
        number: u32,
    },
    /// Check these jobs, and answer with [`FromAgent::Agreed`] or [`FromAgent::Refused`].
    Check(Box<AgentWork>),
    /// Open this target, and answer with [`FromAgent::Opened`] or [`FromAgent::Refused`].
    Open(Box<TargetWork>),
    /// Check this job on the open target; answers as to [`ToAgent::Check`].
    Job(Box<TargetJob>),
    /// All hosts have agreed: write files, and answer with [`FromAgent::Reached`] before each phase.
    Begin,
    /// All hosts have ended the phases before this one: prepare the workers, and answer with [`FromAgent::Prepared`].
    Prepare {
        /// Number of the phase.
        phase: usize,
    },
    /// Begin the phase at this time of the agent's clock (CLOCK_MONOTONIC, nanoseconds).
    Start {
        /// Number of the phase.
        phase: usize,
        /// Time.
        at_ns: u64,
    },
    /// Once a second: the coordinator lives.
    Alive,
    /// End the run as if this signal had arrived.
    Stop {
        /// Number of the signal.
        signal: i32,
    },
}

/// Message of an agent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum FromAgent {
    /// The first message.
    Hello {
        /// Version of fathom.
        version: String,
        /// Host name of the machine.
        host: String,
    },
    /// Answer to [`ToAgent::Clock`].
    Clock {
        /// Number of the question.
        number: u32,
        /// Time of the agent's clock (CLOCK_MONOTONIC), nanoseconds.
        now_ns: u64,
    },
    /// The target is open.
    Opened(Box<OpenedTarget>),
    /// This host can run the jobs.
    Agreed {
        /// Files and devices that it would write.
        written: Vec<WrittenTarget>,
    },
    /// This host cannot, or must not, run the jobs.
    Refused {
        /// Reason.
        why: String,
        /// Exit status.
        status: i32,
    },
    /// A phase is next.
    Reached {
        /// Number of the phase; greater than that of the one before.
        phase: usize,
    },
    /// The workers of a phase are prepared.
    Prepared {
        /// Number of the phase.
        phase: usize,
    },
    /// Once a second: the agent lives.
    Beat(Box<Beat>),
    /// Line for standard error.
    Said(String),
    /// Part of the answer of a command that is not `fathom run`, before its end.
    Part(Box<HostAnswer>),
    /// The run has ended.
    Ended(Box<AgentEnd>),
}

/// State of a run once a second.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Beat {
    /// The latest figures; `None` if no job has run since the last beat.
    pub live: Option<Live>,
    /// The result so far; `None` if no job runs.
    pub interim: Option<Interim>,
}

/// End of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct AgentEnd {
    /// Result.
    pub result: RunResult,
    /// Exit status that `fathom run` would have on this host alone.
    pub status: i32,
    /// First and last worker to begin, on the agent's clock, for each phase of this host; nanoseconds.
    pub began_ns: Vec<(u64, u64)>,
    /// Answer of a command that is not `fathom run`; then the result is empty.
    #[serde(default)]
    pub answer: Option<HostAnswer>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_the_same_by_any_name_and_by_their_disk() {
        let target = |names: &[&str]| WrittenTarget {
            path: "/dev/x".into(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let (disk, part) = (target(&["boot:1:8", "wwid:a"]), target(&["boot:2:9", "wwid:a:part1@2048"]));
        let other = target(&["boot:2:9", "wwid:a:part2@9999"]);
        assert!(disk.is_same(&part) && part.is_same(&disk) && disk.is_same(&other));
        assert!(part.is_same(&other), "the same number on the same kernel");
        assert!(!part.is_same(&target(&["wwid:a:part2@9999", "boot:2:90", "wwid:ab"])));
        assert!(!target(&[]).is_same(&target(&[])));
        assert!(target(&["rbd:pool/image"]).is_same(&target(&["rbd:pool/image:id=kube"])));
    }

    #[test]
    fn names_of_hosts_are_filled_in() {
        let place = HostPlace { name: "h2".into(), number: 1, hosts: 4 };
        let fill = |text: &str| place.fill(text);
        assert_eq!(fill("/mnt/$host/f.$host_number.$jobnum"), "/mnt/h2/f.1.$jobnum");
        assert_eq!(fill("$hosts of $hostname, $, $$host, ${host}"), "4 of $hostname, $, $h2, ${host}");
        assert_eq!(fill(""), "");
    }
}
