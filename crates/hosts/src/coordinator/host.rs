//! A host as the coordinator knows it.

use crate::clock::now_ns;
use crate::interim::Interim;
use crate::link::Link;
use crate::message::{OpenedTarget, ToAgent, WrittenTarget};
use stats::Live;
use stats::hosts::{ClockOffset, HostLoss, HostResult};
use std::time::Instant;

/// Where a host is between its phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// A phase runs, or none is next yet.
    Runs,
    /// The phase with this number is next.
    Reached(usize),
    /// Its workers are being prepared.
    Prepares,
    /// Its workers are prepared.
    Waits(usize),
}

/// A phase of a host that began.
pub(super) struct Started {
    /// Number of the phase on all hosts.
    pub(super) phase: usize,
    /// Start on the coordinator's clock.
    pub(super) at_ns: u64,
    pub(super) clock: ClockOffset,
}

/// A host as the coordinator knows it.
pub(super) struct Host {
    pub(super) name: String,
    pub(super) link: Option<Link>,
    pub(super) heard: Instant,
    pub(super) machine: Option<String>,
    /// The target of a study; `None` before it is open.
    pub(super) opened: Option<OpenedTarget>,
    /// Files and devices that the host would write; `None` before it has agreed.
    pub(super) agreed: Option<Vec<WrittenTarget>>,
    pub(super) refused: Option<(String, i32)>,
    pub(super) progress: Progress,
    /// Times of the questions of this phase, and the answers: asked, theirs, answered.
    pub(super) asked_ns: Vec<u64>,
    pub(super) answers: Vec<(u64, u64, u64)>,
    /// Phases of this host that began.
    pub(super) started: Vec<Started>,
    pub(super) live: Option<Live>,
    /// Since when the host has completed no I/O, and whether the user was told; `None` while it does.
    pub(super) stalled: Option<(Instant, bool)>,
    /// The result so far. It is read only if the host is lost.
    pub(super) interim: Option<Interim>,
    /// What is kept of the result, after the end or the loss.
    pub(super) kept: Option<HostResult>,
    pub(super) end: Option<End>,
    pub(super) lost: Option<(HostLoss, Option<f64>)>,
}

/// End of a host's run.
pub(super) struct End {
    pub(super) status: i32,
    /// First and last worker to begin, on the host's clock, for each phase; nanoseconds.
    pub(super) began_ns: Vec<(u64, u64)>,
}

impl Host {
    /// Returns a host that has not answered yet; without a connection, it is lost.
    pub(super) fn new(name: &str, link: Option<Link>, lost: Option<HostLoss>) -> Host {
        Host {
            name: name.to_owned(),
            link,
            heard: Instant::now(),
            machine: None,
            opened: None,
            agreed: None,
            refused: None,
            progress: Progress::Runs,
            asked_ns: Vec::new(),
            answers: Vec::new(),
            started: Vec::new(),
            live: None,
            stalled: None,
            interim: None,
            kept: None,
            end: None,
            lost: lost.map(|loss| (loss, None)),
        }
    }

    /// Returns whether nothing more is expected from the host.
    pub(super) fn over(&self) -> bool {
        self.lost.is_some() || self.end.is_some() || self.refused.is_some()
    }

    pub(super) fn send(&self, message: ToAgent) {
        if let Some(link) = &self.link {
            link.send(message);
        }
    }

    pub(super) fn ask_time(&mut self) {
        let number = self.asked_ns.len() as u32;
        self.asked_ns.push(now_ns());
        self.send(ToAgent::Clock { number });
    }

    /// Returns the number on all hosts of a phase of this host, and a time on the host's clock in nanoseconds after `began_ns`, the
    /// first start of all hosts.
    pub(super) fn place(&self, began_ns: Option<u64>, phase: usize, at_ns: u64) -> Option<(u32, i64)> {
        let started = self.started.get(phase)?;
        let start = i128::from(began_ns?) + i128::from(started.clock.offset_ns);
        Some((started.phase as u32, i64::try_from(i128::from(at_ns) - start).ok()?))
    }
}
