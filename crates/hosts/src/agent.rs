//! The agent: the side of a host that measures. It talks through its standard input and output, ends its run when its input
//! ends, and leaves nothing behind.

use crate::clock::now_ns;
use crate::frame;
use crate::interim::Interim;
use crate::message::{
    AgentEnd, AgentWork, Beat, FromAgent, OpenedTarget, TargetJob, TargetWork, ToAgent, WrittenTarget,
};
use run::StartGate;
use rustix::event::{PollFd, PollFlags, Timespec};
use stats::host_answer::HostAnswer;
use stats::{Live, RunResult};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Longest time without a message of the coordinator, which sends one each second; then it is gone, or the network is.
const SILENT: Duration = Duration::from_secs(10);
/// Interval between beats.
const BEAT: Duration = Duration::from_secs(1);
/// Longest time without a look for signals.
const LOOK: Duration = Duration::from_millis(50);
/// Time before the start in which a worker no longer sleeps: a thread that sleeps wakes up late.
const SPIN_NS: u64 = 200_000;
/// Signal that ends the run if the coordinator is gone: SIGHUP.
const GONE: usize = 1;

/// Input that ends if nothing arrives for [`SILENT`].
struct PatientInput<R>(R);

impl<R: Read + AsFd> Read for PatientInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let limit = Timespec { tv_sec: SILENT.as_secs() as i64, tv_nsec: 0 };
        let mut input = [PollFd::new(&self.0, PollFlags::IN)];
        match rustix::event::poll(&mut input, Some(&limit))? {
            0 => Err(io::ErrorKind::TimedOut.into()),
            _ => self.0.read(buffer),
        }
    }
}

/// Reason not to run, and the exit status for it.
pub type Refused = (String, i32);

/// Exit status of a command that a signal ended early.
const INTERRUPTED: i32 = 128;

/// What a command has measured on a host.
#[derive(Debug, Default)]
pub struct AgentOutcome {
    /// Result of `fathom run`, or of a job of a study.
    pub result: RunResult,
    /// Answer of another command.
    pub answer: Option<HostAnswer>,
    /// Exit status that the command would have on this host alone.
    pub status: i32,
}

impl AgentOutcome {
    /// Returns the outcome of another command than `fathom run`. `signal` is the number of the signal that requested its end, 0 without
    /// one; it counts if the command ended early because of it.
    pub fn answered(answer: HostAnswer, status: i32, signal: usize) -> Self {
        AgentOutcome { answer: Some(answer), ..AgentOutcome::ended(status, signal) }
    }

    /// As [`AgentOutcome::answered`], of a command whose answer was sent in parts.
    pub fn ended(status: i32, signal: usize) -> Self {
        let mut result = RunResult::default();
        let cut = status == INTERRUPTED && signal != 0;
        result.provenance.ended_by_signal = cut.then_some(signal as i32);
        AgentOutcome { result, answer: None, status }
    }
}

/// What an agent does for the coordinator.
pub trait AgentWorker: Sync {
    /// Runs a command.
    ///
    /// # Errors
    /// The command may not or cannot run here.
    fn run(&self, work: AgentWork, side: &Arc<AgentSide>) -> Result<AgentOutcome, Refused>;
    /// Opens the target of a study.
    ///
    /// # Errors
    /// The target cannot be used.
    fn open(&self, work: TargetWork, side: &Arc<AgentSide>) -> Result<OpenedTarget, Refused>;
    /// Runs a job on the open target.
    ///
    /// # Errors
    /// The job may not or cannot run here.
    fn job(&self, job: TargetJob, side: &Arc<AgentSide>) -> Result<AgentOutcome, Refused>;
}

#[derive(Debug, Default)]
struct State {
    /// Whether all hosts have agreed.
    agreed: bool,
    /// Phases that may be prepared.
    prepare: BTreeSet<usize>,
    /// Start of each phase, on this host's clock.
    at_ns: BTreeMap<usize, u64>,
    /// First and last worker to begin, for each phase.
    began_ns: BTreeMap<usize, (u64, u64)>,
    /// Files and devices that the run would write.
    written: Vec<WrittenTarget>,
    /// Latest figures, for the next beat.
    live: Option<Live>,
    /// Result so far, for the next beat.
    interim: Option<RunResult>,
    /// Whether a beat is due, so that the result so far is asked for.
    due: bool,
}

/// The agent's side of the connection, shared by the threads of the run.
pub struct AgentSide {
    out: Mutex<Box<dyn Write + Send>>,
    state: Mutex<State>,
    changed: Condvar,
    interrupt: Arc<AtomicUsize>,
}

impl std::fmt::Debug for AgentSide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentSide").field("state", &self.state).finish_non_exhaustive()
    }
}

impl AgentSide {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message; if nobody reads it, the run ends.
    fn send(&self, message: &FromAgent) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if frame::write(&mut *out, message).is_err() {
            self.stop(GONE);
        }
    }

    /// Requests the end of the run, unless its end has been requested.
    fn stop(&self, signal: usize) {
        let _ = self.interrupt.compare_exchange(0, signal, Relaxed, Relaxed);
        self.changed.notify_all();
    }

    fn stopped(&self) -> bool {
        self.interrupt.load(Relaxed) != 0
    }

    /// Answers for jobs that have ended, or may not run.
    fn ended(&self, ran: Result<AgentOutcome, Refused>) {
        self.send(&match ran {
            Ok(AgentOutcome { result, answer, status }) => {
                let began_ns = self.state().began_ns.values().copied().collect();
                FromAgent::Ended(Box::new(AgentEnd { result, status, began_ns, answer }))
            }
            Err((why, status)) => FromAgent::Refused { why, status },
        });
    }

    /// Waits until `done`, or until the end of the run is requested.
    fn wait_until(&self, done: impl Fn(&State) -> bool) {
        let mut state = self.state();
        while !done(&state) && !self.stopped() {
            state = self.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Passes a line on to the coordinator's standard error.
    pub fn say(&self, line: &str) {
        self.send(&FromAgent::Said(line.to_owned()));
    }

    /// Sends a part of the answer of a command that goes on.
    pub fn answer(&self, part: HostAnswer) {
        self.send(&FromAgent::Part(Box::new(part)));
    }

    /// Keeps the files and devices that the run would write, for the agreement of the hosts.
    pub fn will_write(&self, targets: Vec<WrittenTarget>) {
        self.state().written = targets;
    }

    /// Keeps the latest figures for the next beat.
    pub fn look(&self, live: &Live) {
        self.state().live = Some(live.clone());
    }

    /// Returns whether the result so far is wanted, once for each beat.
    pub fn wants_interim(&self) -> bool {
        std::mem::take(&mut self.state().due)
    }

    /// Keeps the result so far for the next beat.
    pub fn interim(&self, result: RunResult) {
        self.state().interim = Some(result);
    }

    fn beat(&self) {
        let (live, interim) = {
            let mut state = self.state();
            state.due = true;
            (state.live.take(), state.interim.take())
        };
        let interim = interim.and_then(Interim::of);
        self.send(&FromAgent::Beat(Box::new(Beat { live, interim })));
    }
}

impl StartGate for AgentSide {
    fn checked(&self) -> bool {
        let written = std::mem::take(&mut self.state().written);
        self.send(&FromAgent::Agreed { written });
        self.wait_until(|state| state.agreed);
        self.state().agreed
    }

    fn reached(&self, phase: usize) -> bool {
        self.send(&FromAgent::Reached { phase });
        self.wait_until(|state| state.prepare.contains(&phase));
        !self.stopped()
    }

    fn prepared(&self, phase: usize) {
        self.send(&FromAgent::Prepared { phase });
    }

    fn wait(&self, phase: usize) -> bool {
        self.wait_until(|state| state.at_ns.contains_key(&phase));
        let Some(at_ns) = self.state().at_ns.get(&phase).copied() else { return false };
        loop {
            // Whoever is stopped before the start does nothing, also if others have begun.
            if self.stopped() {
                return false;
            }
            match at_ns.saturating_sub(now_ns()) {
                0 => break,
                left if left > SPIN_NS => {
                    std::thread::sleep(LOOK.min(Duration::from_nanos(left - SPIN_NS)));
                }
                _ => std::hint::spin_loop(),
            }
        }
        let now = now_ns();
        let mut state = self.state();
        let (first, last) = state.began_ns.entry(phase).or_insert((now, now));
        (*first, *last) = ((*first).min(now), (*last).max(now));
        true
    }
}

/// Serves the coordinator at `input` and `output` until `input` ends. `interrupt` is set by signals, and ends the run.
pub fn serve(
    input: impl Read + AsFd,
    output: Box<dyn Write + Send>,
    (version, host): (&str, &str),
    interrupt: Arc<AtomicUsize>,
    worker: &dyn AgentWorker,
) {
    let side = Arc::new(AgentSide {
        out: Mutex::new(output),
        state: Mutex::default(),
        changed: Condvar::new(),
        interrupt,
    });
    side.send(&FromAgent::Hello { version: version.into(), host: host.into() });
    let over = Mutex::new(false);
    let ended = Condvar::new();
    std::thread::scope(|threads| {
        threads.spawn(|| {
            let mut done = over.lock().unwrap_or_else(PoisonError::into_inner);
            while !*done {
                done = ended.wait_timeout(done, BEAT).unwrap_or_else(PoisonError::into_inner).0;
                if !*done {
                    side.beat();
                }
            }
        });
        let mut input = PatientInput(input);
        while let Ok(Some(message)) = frame::read(&mut input) {
            match message {
                ToAgent::Alive => {}
                ToAgent::Clock { number } => side.send(&FromAgent::Clock { number, now_ns: now_ns() }),
                ToAgent::Check(work) => {
                    let side = side.clone();
                    threads.spawn(move || side.ended(worker.run(*work, &side)));
                }
                ToAgent::Open(work) => {
                    let side = side.clone();
                    threads.spawn(move || {
                        side.send(&match worker.open(*work, &side) {
                            Ok(opened) => FromAgent::Opened(Box::new(opened)),
                            Err((why, status)) => FromAgent::Refused { why, status },
                        });
                    });
                }
                ToAgent::Job(job) => {
                    // The job before has ended, or the coordinator would not ask for another.
                    *side.state() = State::default();
                    let side = side.clone();
                    threads.spawn(move || side.ended(worker.job(*job, &side)));
                }
                ToAgent::Begin => {
                    side.state().agreed = true;
                    side.changed.notify_all();
                }
                ToAgent::Prepare { phase } => {
                    side.state().prepare.insert(phase);
                    side.changed.notify_all();
                }
                ToAgent::Start { phase, at_ns } => {
                    side.state().at_ns.insert(phase, at_ns);
                    side.changed.notify_all();
                }
                ToAgent::Stop { signal } => side.stop(signal.max(1) as usize),
            }
        }
        side.stop(GONE);
        *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        ended.notify_all();
    });
}
