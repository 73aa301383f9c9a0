//! The coordinator: it starts the agents, lets them begin when all have agreed and are prepared, and collects their results.

mod host;
mod keep_alive;
pub(crate) mod session;

use self::host::{End, Host, Progress, Started};
use self::keep_alive::{ALIVE, KeepAlive};
use crate::clock::{now_ns, offset};
use crate::link::{self, Arrival, Link, Transport};
use crate::message::{AgentWork, FromAgent, HostPlace, TargetJob, TargetWork, ToAgent, WrittenTarget};
use job::host_share::HostShare;
use stats::host_answer::HostAnswer;
use stats::hosts::{HostLoss, HostOutcome, HostsMerge, HostsResult};
use stats::{Live, RunResult};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Questions for the time of a host before each phase.
const QUESTIONS: u32 = 40;
/// Shortest time from the message to the start.
const LEAD: Duration = Duration::from_millis(50);
/// Longest time without a message of an agent, which sends one each second.
const SILENT: Duration = Duration::from_secs(8);
/// Time without a completed I/O of a host after which the user is told.
const STALLED: Duration = Duration::from_secs(6);
/// Time for which hosts are waited for, after which the user is told.
const AWAITED: Duration = Duration::from_secs(6);
/// Longest time for which the agents are waited for after the run was interrupted.
const INTERRUPTED: Duration = Duration::from_millis(1500);
/// Longest time for which the agents are waited for after the loss of a host has ended the run.
const STOPPED: Duration = Duration::from_secs(10);
/// Longest time without a look for signals and silent hosts.
const LOOK: Duration = Duration::from_millis(50);
/// Signal that ends the others after the loss of a host: SIGTERM.
const LOST: i32 = 15;

/// What the other hosts do when one is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LossRule {
    /// They stop, and report what they have measured.
    #[default]
    Stop,
    /// They go on.
    Continue,
}

/// A run on several hosts.
pub struct HostsRequest {
    /// Names of the hosts.
    pub hosts: Vec<String>,
    /// How their agents are started.
    pub transport: Transport,
    /// Version of fathom that the agents must have.
    pub version: String,
    /// What the others do when a host is lost.
    pub on_loss: LossRule,
    /// Number of the signal that requested the end; 0 before.
    pub interrupt: Arc<AtomicUsize>,
}

/// Receiver of what happens during the run.
pub trait HostsWatch {
    /// Receives a line of a host for standard error.
    fn said(&mut self, host: &str, line: &str);
    /// Receives the loss of a host.
    fn lost(&mut self, host: &str, loss: &HostLoss);
    /// Receives the name of a host that runs jobs and has completed no I/O for this long.
    fn stalled(&mut self, host: &str, seconds: u64);
    /// Receives the names of hosts that live, but have not been ready for this long: their checks or their files take that time.
    fn awaited(&mut self, hosts: &[&str], seconds: u64);
    /// Receives the whole result of a host, by its number from 0: after the end of its run, or what is left of it after its loss.
    fn result(&mut self, host: usize, result: &RunResult);
    /// Receives the answer of a host, by its number from 0, after the end of a command that is not `fathom run`, or a part of it
    /// before.
    fn answer(&mut self, _host: usize, _answer: HostAnswer) {}
    /// Receives the sum of the hosts' figures, about once a second.
    fn look(&mut self, live: &Live);
}

/// Reason why a run did not begin on any host.
#[derive(Debug, thiserror::Error)]
pub enum HostsError {
    /// Hosts refused: name, reason, exit status of each.
    #[error("{0:?}")]
    Refused(Vec<(String, String, i32)>),
    /// Hosts could not be reached, or were lost before the start; in a study, also later.
    #[error("{0:?}")]
    Lost(Vec<(String, HostLoss)>),
    /// Two hosts would write to the same file or device.
    #[error("{path}: {hosts:?}")]
    SameTarget {
        /// Path on the second of the hosts.
        path: String,
        /// Names of the hosts.
        hosts: [String; 2],
    },
    /// A signal ended the run before its start.
    #[error("{self:?}")]
    Interrupted,
}

/// What the hosts are asked for.
enum Task {
    /// To run jobs.
    Jobs(AgentWork),
    /// To open the target of a study.
    Open(TargetWork),
    /// To run a job on the open target: that of each host.
    Job(Vec<TargetJob>),
}

impl Task {
    /// Returns the time that the command needs to end, if it is longer than usual.
    fn stops_within(&self) -> Option<Duration> {
        match self {
            Task::Jobs(work) => work.command.stops_within(),
            Task::Open(_) | Task::Job(_) => None,
        }
    }

    /// Returns the message that asks a host for it.
    fn message(&self, place: HostPlace) -> ToAgent {
        match self {
            Task::Jobs(work) => ToAgent::Check(Box::new(AgentWork { place, ..work.clone() })),
            Task::Open(work) => ToAgent::Open(Box::new(TargetWork { place, ..work.clone() })),
            Task::Job(jobs) => {
                ToAgent::Job(Box::new(jobs.get(place.number as usize).cloned().unwrap_or_default()))
            }
        }
    }
}

/// The run.
struct Coordinator {
    request: HostsRequest,
    task: Task,
    /// What each host has of the targets.
    share: HostShare,
    hosts: Vec<Host>,
    arrivals: Receiver<(usize, Arrival)>,
    /// Whether the hosts were told to go on after the checks.
    begun: bool,
    /// First start of a phase on the coordinator's clock; `None` before.
    began_ns: Option<u64>,
    /// Sum of the results that have arrived.
    merge: HostsMerge,
    /// Time by which all hosts must have ended, once the run was stopped.
    deadline: Option<Instant>,
    /// Signal that has ended the run.
    signal: Option<i32>,
    looked: Instant,
    keep_alive: KeepAlive,
    /// Since when messages of the hosts may have been waiting for this process.
    busy: Instant,
    /// Since when hosts have been waited for, and whether the user was told; `None` while all are ready.
    awaited: Option<(Instant, bool)>,
}

/// Runs the jobs on all hosts and returns their results; the place of each host in `work` is filled in.
///
/// # Errors
/// The jobs were started on no host.
pub fn coordinate(
    request: HostsRequest,
    work: AgentWork,
    watch: &mut dyn HostsWatch,
) -> Result<HostsResult, HostsError> {
    let share = work.share;
    let mut run = Coordinator::connect(request, share, Task::Jobs(work));
    run.watch(watch)?;
    Ok(run.result())
}

impl Coordinator {
    /// Starts the agents, each of which is asked for the task when it answers.
    fn connect(request: HostsRequest, share: HostShare, task: Task) -> Coordinator {
        let (sender, arrivals) = channel();
        let open = |(name, opened): (&String, Result<Link, HostLoss>)| {
            let (link, lost) = match opened {
                Ok(link) => (Some(link), None),
                Err(loss) => (None, Some(loss)),
            };
            Host::new(name, link, lost)
        };
        let opened = link::open(&request.transport, request.hosts.len(), &sender);
        let hosts: Vec<Host> = request.hosts.iter().zip(opened).map(open).collect();
        Coordinator {
            request,
            task,
            share,
            hosts,
            arrivals,
            begun: false,
            began_ns: None,
            merge: HostsMerge::default(),
            deadline: None,
            signal: None,
            looked: Instant::now(),
            keep_alive: KeepAlive::new(),
            busy: Instant::now(),
            awaited: None,
        }
    }

    /// Asks the hosts for another task.
    fn renew(&mut self, task: Task) {
        self.task = task;
        (self.begun, self.began_ns, self.merge) = (false, None, HostsMerge::default());
        self.awaited = None;
        for number in 0..self.hosts.len() {
            let host = &mut self.hosts[number];
            (host.agreed, host.progress, host.started) = (None, Progress::Runs, Vec::new());
            (host.live, host.stalled, host.interim) = (None, None, None);
            (host.kept, host.end) = (None, None);
            self.ask(number);
        }
    }

    /// Asks a host for the task.
    fn ask(&self, number: usize) {
        let host = &self.hosts[number];
        let place =
            HostPlace { name: host.name.clone(), number: number as u32, hosts: self.hosts.len() as u32 };
        host.send(self.task.message(place));
    }

    /// Follows the run to its end.
    fn watch(&mut self, watch: &mut dyn HostsWatch) -> Result<(), HostsError> {
        loop {
            if !self.begun {
                self.check_before_start()?;
            }
            if self.hosts.iter().all(Host::over) {
                return Ok(());
            }
            self.step(watch);
        }
    }

    /// Waits for the next message, for a short time, and does what is due.
    fn step(&mut self, watch: &mut dyn HostsWatch) {
        self.excuse_hosts();
        let arrived = self.arrivals.recv_timeout(LOOK);
        self.busy = Instant::now();
        match arrived {
            Ok((host, Arrival::Message(message, at_ns))) => self.received(host, *message, at_ns, watch),
            Ok((host, Arrival::End(end))) => {
                if !self.hosts[host].over() {
                    let loss = self.hosts[host].link.as_ref().map(|link| link.ended(end));
                    self.lose(host, loss.unwrap_or(HostLoss::Silent { seconds: 0 }), watch);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            // The sender of this function lives as long as the hosts.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOOK),
        }
        self.excuse_hosts();
        self.look_for_silence(watch);
        self.look_for_signal();
        self.go_on_when_ready();
        self.name_awaited(watch);
        self.tell(watch);
    }

    /// Hosts are not silent while this process does something else, as between the jobs of a study, or waits for its user's terminal.
    fn excuse_hosts(&mut self) {
        let busy = self.busy.elapsed();
        if busy > ALIVE {
            self.hosts.iter_mut().for_each(|host| host.heard += busy);
        }
        self.busy = Instant::now();
    }

    /// Ends the run before its start if a host refuses or is lost, and lets it begin if all have agreed.
    fn check_before_start(&mut self) -> Result<(), HostsError> {
        if self.signal.is_some() {
            return Err(HostsError::Interrupted);
        }
        let answered = |host: &Host| host.agreed.is_some() || host.over();
        if !self.hosts.iter().all(answered) {
            return Ok(());
        }
        self.refusals()?;
        self.refuse_same_target()?;
        self.hosts.iter().for_each(|host| host.send(ToAgent::Begin));
        self.begun = true;
        Ok(())
    }

    /// Returns an error if a host has refused or was lost.
    fn refusals(&self) -> Result<(), HostsError> {
        let refused = self.hosts.iter().filter_map(|host| {
            let (why, status) = host.refused.clone()?;
            Some((host.name.clone(), why, status))
        });
        let refused: Vec<_> = refused.collect();
        let lost = self.hosts.iter().filter_map(|host| Some((host.name.clone(), host.lost.clone()?.0)));
        let lost: Vec<_> = lost.collect();
        if !lost.is_empty() {
            return Err(HostsError::Lost(lost));
        }
        if !refused.is_empty() {
            return Err(HostsError::Refused(refused));
        }
        Ok(())
    }

    /// Returns an error if two hosts would write to a target that they do not share.
    fn refuse_same_target(&self) -> Result<(), HostsError> {
        match self.clash().filter(|_| self.share == HostShare::Own) {
            Some((path, hosts)) => Err(HostsError::SameTarget { path, hosts }),
            None => Ok(()),
        }
    }

    /// Returns the path of a file or device that two hosts would write, and their names.
    fn clash(&self) -> Option<(String, [String; 2])> {
        self.hosts.iter().enumerate().find_map(|(number, host)| {
            let same = |target: &&WrittenTarget| {
                let other = self.hosts[..number].iter();
                let mut written =
                    other.flat_map(|other| other.agreed.iter().flatten().map(move |w| (other, w)));
                written.find(|(_, theirs)| theirs.is_same(target)).map(|(other, _)| other.name.clone())
            };
            let mut written = host.agreed.iter().flatten();
            written.find_map(|target| Some((target.path.clone(), [same(&target)?, host.name.clone()])))
        })
    }

    fn received(&mut self, number: usize, message: FromAgent, at_ns: u64, watch: &mut dyn HostsWatch) {
        let host = &mut self.hosts[number];
        host.heard = Instant::now();
        if host.over() {
            return;
        }
        match message {
            FromAgent::Hello { version, host: machine } => {
                if version != self.request.version {
                    return self.lose(number, HostLoss::OtherVersion { version }, watch);
                }
                host.machine = Some(machine);
                if let Some(link) = &host.link {
                    self.keep_alive.add(link);
                }
                self.ask(number);
            }
            FromAgent::Clock { number, now_ns: theirs } => {
                if let Some(asked) = host.asked_ns.get(number as usize) {
                    host.answers.push((*asked, theirs, at_ns.max(*asked)));
                }
                if host.asked_ns.len() < QUESTIONS as usize {
                    host.ask_time();
                }
            }
            FromAgent::Opened(opened) => host.opened = Some(*opened),
            FromAgent::Agreed { written } => host.agreed = Some(written),
            FromAgent::Refused { why, status } => {
                host.refused = Some((why.clone(), status));
                if self.begun {
                    watch.said(&host.name, &why);
                    self.stop_others();
                }
            }
            FromAgent::Reached { phase } => host.progress = Progress::Reached(phase),
            FromAgent::Prepared { phase } => {
                host.progress = Progress::Waits(phase);
                (host.asked_ns, host.answers) = (Vec::new(), Vec::new());
                host.ask_time();
            }
            FromAgent::Beat(beat) => {
                let idle = beat.live.as_ref().is_some_and(|live| live.running > 0 && live.iops == [0; 3]);
                let stalls = idle && host.progress == Progress::Runs;
                let (since, told) = host.stalled.unwrap_or_else(|| (Instant::now(), false));
                host.stalled = stalls.then(|| (since, told || since.elapsed() >= STALLED));
                if !told && host.stalled.is_some_and(|(_, told)| told) {
                    watch.stalled(&host.name, since.elapsed().as_secs());
                }
                host.live = beat.live;
                host.interim = beat.interim.or_else(|| host.interim.take());
            }
            FromAgent::Said(line) => watch.said(&host.name, &line),
            FromAgent::Part(part) => watch.answer(number, *part),
            FromAgent::Ended(end) => {
                host.live = None;
                host.end = Some(End { status: end.status, began_ns: end.began_ns });
                // Without a request from here, someone on the host has ended the run.
                let ended_there = end.result.provenance.ended_by_signal.filter(|_| self.deadline.is_none());
                match end.answer {
                    Some(answer) => watch.answer(number, answer),
                    None => self.keep(number, end.result, watch),
                }
                if let Some(signal) = ended_there {
                    self.lose(number, HostLoss::EndedBySignal { signal }, watch);
                }
            }
        }
    }

    /// Adds the result of a host to the sum.
    fn keep(&mut self, number: usize, result: RunResult, watch: &mut dyn HostsWatch) {
        watch.result(number, &result);
        let (host, began_ns) = (&mut self.hosts[number], self.began_ns);
        host.interim = None;
        let kept = self.merge.add(number, result, &|phase, at_ns| host.place(began_ns, phase, at_ns));
        host.kept = Some(kept);
    }

    fn lose(&mut self, number: usize, loss: HostLoss, watch: &mut dyn HostsWatch) {
        let host = &mut self.hosts[number];
        let heard_ns = now_ns().saturating_sub(host.heard.elapsed().as_nanos() as u64);
        let since = self.began_ns.map(|start| heard_ns.saturating_sub(start) as f64 / 1e9);
        if let Some(link) = &host.link {
            link.close();
        }
        if self.begun {
            watch.lost(&host.name, &loss);
        }
        host.live = None;
        host.lost = Some((loss, since));
        if let Some(result) = host.interim.take().and_then(|interim| interim.read()) {
            self.keep(number, result, watch);
        }
        if self.begun && self.request.on_loss == LossRule::Stop {
            self.stop_others();
        }
    }

    fn stop_others(&mut self) {
        self.hosts
            .iter()
            .filter(|host| !host.over())
            .for_each(|host| host.send(ToAgent::Stop { signal: LOST }));
        let limit = self.task.stops_within().unwrap_or(STOPPED);
        self.deadline.get_or_insert_with(|| Instant::now() + limit);
    }

    fn look_for_silence(&mut self, watch: &mut dyn HostsWatch) {
        for number in 0..self.hosts.len() {
            let host = &self.hosts[number];
            let longest =
                if host.machine.is_none() { self.request.transport.connect_limit() } else { SILENT };
            let late = self.deadline.is_some_and(|deadline| Instant::now() > deadline);
            if !host.over() && (host.heard.elapsed() > longest || late) {
                let seconds = host.heard.elapsed().as_secs();
                self.lose(number, HostLoss::Silent { seconds }, watch);
            }
        }
    }

    fn look_for_signal(&mut self) {
        let signal = self.request.interrupt.load(Relaxed) as i32;
        if signal != 0 && self.signal.is_none() {
            self.signal = Some(signal);
            self.hosts.iter().for_each(|host| host.send(ToAgent::Stop { signal }));
            let limit = self.task.stops_within().unwrap_or(INTERRUPTED);
            self.deadline = Some(Instant::now() + limit);
        }
    }

    /// Names the hosts that have not been ready for some time: before the start those whose answer is missing, later those whose
    /// phase is prepared.
    fn name_awaited(&mut self, watch: &mut dyn HostsWatch) {
        let begun = self.begun;
        let missing = |host: &&Host| match begun {
            false => host.machine.is_some() && host.agreed.is_none() && host.opened.is_none(),
            true => host.progress == Progress::Prepares,
        };
        let missing = self.hosts.iter().filter(|host| !host.over()).filter(missing);
        let names: Vec<&str> = missing.map(|host| host.name.as_str()).collect();
        let (since, told) = self.awaited.unwrap_or_else(|| (Instant::now(), false));
        let due = since.elapsed() >= AWAITED;
        self.awaited = (!names.is_empty()).then_some((since, told || due));
        if due && !told && !names.is_empty() {
            watch.awaited(&names, since.elapsed().as_secs());
        }
    }

    /// Lets the hosts go on when no host runs a phase: they prepare the first phase that is next on a host, and begin it when all of
    /// them are prepared and their clocks are known. Hosts without workers in it go on waiting.
    fn go_on_when_ready(&mut self) {
        let rests =
            |host: &Host| host.over() || !matches!(host.progress, Progress::Runs | Progress::Prepares);
        if !self.begun || !self.hosts.iter().all(rests) {
            return;
        }
        let there = || self.hosts.iter().filter(|host| !host.over());
        let waits = |host: &Host| matches!(host.progress, Progress::Waits(_));
        if !there().any(waits) {
            let next = |host: &Host| match host.progress {
                Progress::Reached(phase) => Some(phase),
                _ => None,
            };
            let Some(phase) = there().filter_map(next).min() else { return };
            for host in self.hosts.iter_mut().filter(|host| next(host) == Some(phase) && !host.over()) {
                host.progress = Progress::Prepares;
                host.send(ToAgent::Prepare { phase });
            }
        } else if there().filter(|host| waits(host)).all(|host| host.answers.len() >= QUESTIONS as usize) {
            self.start();
        }
    }

    /// Starts the phase for which hosts wait.
    fn start(&mut self) {
        let slowest_ns = |host: &Host| offset(&host.answers).map(|offset| 2 * offset.uncertainty_ns);
        let slowest_ns = self.hosts.iter().filter_map(slowest_ns).max().unwrap_or(0);
        let start_ns = now_ns() + (LEAD.as_nanos() as u64).max(4 * slowest_ns);
        for host in self.hosts.iter_mut().filter(|host| !host.over()) {
            let (Progress::Waits(phase), Some(clock)) = (host.progress, offset(&host.answers)) else {
                continue;
            };
            host.progress = Progress::Runs;
            host.started.push(Started { phase, at_ns: start_ns, clock });
            host.send(ToAgent::Start { phase, at_ns: start_ns.saturating_add_signed(clock.offset_ns) });
        }
        self.began_ns.get_or_insert(start_ns);
    }

    /// Tells the watcher the sum of the hosts' figures, once a second.
    fn tell(&mut self, watch: &mut dyn HostsWatch) {
        if self.looked.elapsed() < ALIVE {
            return;
        }
        self.looked = Instant::now();
        let lives = || self.hosts.iter().filter_map(|host| host.live.as_ref());
        if lives().next().is_none() {
            return;
        }
        let sum = lives().fold(Live::default(), |mut sum, live| {
            for direction in 0..3 {
                sum.iops[direction] += live.iops[direction];
                sum.bytes_per_second[direction] += live.bytes_per_second[direction];
            }
            sum.running += live.running;
            sum.letters += &live.letters;
            sum.open_files += live.open_files;
            sum.elapsed_ms = sum.elapsed_ms.max(live.elapsed_ms);
            sum.eta_s = sum.eta_s.max(live.eta_s);
            sum.percent = match (sum.percent, live.percent) {
                (Some(one), Some(other)) => Some(f64::min(one, other)),
                (one, other) => one.or(other),
            };
            sum
        });
        watch.look(&sum);
    }

    /// Returns the results that have arrived, which this no longer has afterwards.
    fn result(&mut self) -> HostsResult {
        let outcome = |host: &mut Host| {
            let began = |((first, last), started): (&(u64, u64), &Started)| {
                let start = i128::from(started.at_ns) + i128::from(started.clock.offset_ns);
                let since = |at: u64| i64::try_from(i128::from(at) - start).unwrap_or(i64::MAX);
                (since(*first), since(*last))
            };
            let refused = host.refused.as_ref().map_or(0, |(_, status)| *status);
            let end = &host.end;
            let began_ns =
                end.iter().flat_map(|end| end.began_ns.iter().zip(&host.started)).map(began).collect();
            let (lost, lost_at_s) = host.lost.clone().map_or((None, None), |(loss, at)| (Some(loss), at));
            HostOutcome {
                name: host.name.clone(),
                machine: host.machine.clone().unwrap_or_default(),
                clock: host.started.first().map(|started| started.clock),
                began_ns,
                lost,
                lost_at_s,
                status: end.as_ref().map_or(refused, |end| end.status),
                result: host.kept.take(),
            }
        };
        let outcomes = self.hosts.iter_mut().map(outcome).collect();
        std::mem::take(&mut self.merge).finish(outcomes, self.signal)
    }
}
