//! The loop of a rank: frames between its agent and rank 0, and at rank 0 between all ranks and the coordinator.

use crate::libmpi::{Arriving, Transfer, World};
use crate::process::{Agent, Event, ToCoordinator};
use hosts::relay::HostFrame;
use rustix::process::{Pid, getppid};
use rustix::thread::set_current_timer_slack;
use std::num::NonZeroU64;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Frame to an agent, or from it.
const FRAME: i32 = 0;
/// To a rank: the agent's input ends. From it: the agent has ended.
const LAST: i32 = 1;
/// To a rank: the run is over.
const OVER: i32 = 2;
/// Name of the machine of a rank.
pub const NAME: i32 = 3;

/// Time after a question about a clock, or its answer, in which the next one is expected: more than two intervals of [`IDLE`], so
/// that a rank and rank 0 are attentive together, and less than the time until the start, which it does not disturb.
const CLOCK_QUESTIONS: Duration = Duration::from_millis(25);
/// Interval between looks for questions about clocks. A thread that sleeps so long runs at once when it wakes up, even on a
/// busy machine; one that yields to others waits for their time slice.
const QUESTION: Duration = Duration::from_micros(20);
/// Interval between looks at messages on their way.
const BUSY: Duration = Duration::from_micros(200);
/// Interval between looks for messages: a fraction of the time from the message to the start.
const IDLE: Duration = Duration::from_millis(10);
/// Longest time in which an agent ends after its input.
const AGENT_ENDS: Duration = Duration::from_secs(4);
/// Longest time in which all ranks end.
const RANKS_END: Duration = Duration::from_secs(8);

/// How the work of a rank has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The run is over, and all agents have ended.
    Over,
    /// The run is over, and other ranks do not answer.
    RanksMissing,
    /// The process that had started this one, mpirun or a daemon, was killed.
    Orphaned,
}

/// State of a rank.
pub struct Relay<'a> {
    world: &'a World,
    agent: Agent,
    agent_ended: bool,
    /// Rank 0: writes to the coordinator.
    coordinator: Option<ToCoordinator>,
    /// Rank 0: number of agents of other ranks that have not ended.
    others: u32,
    /// Time at which the run was over.
    over: Option<Instant>,
    sending: Vec<Transfer>,
    /// In the order of their arrival.
    receiving: Vec<(Arriving, Transfer)>,
    /// Until when questions about clocks are expected.
    questions: Instant,
    /// The process that has started this one.
    parent: Option<Pid>,
}

impl<'a> Relay<'a> {
    /// Returns the state of a rank; rank 0 has a coordinator.
    pub fn new(world: &'a World, agent: Agent, coordinator: Option<ToCoordinator>) -> Relay<'a> {
        Relay {
            world,
            agent,
            agent_ended: false,
            others: if coordinator.is_some() { world.size - 1 } else { 0 },
            coordinator,
            over: None,
            sending: Vec::new(),
            receiving: Vec::new(),
            questions: Instant::now(),
            parent: getppid(),
        }
    }

    /// Carries frames until the run is over.
    pub fn carry(mut self, events: &Receiver<Event>) -> End {
        // Without it, sleeps are 50 us longer. Where it is not permitted, offsets of clocks are less certain.
        let _ = set_current_timer_slack(NonZeroU64::new(1));
        loop {
            match events.recv_timeout(self.pause()) {
                Ok(event) => self.happened(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(IDLE),
            }
            while let Ok(event) = events.try_recv() {
                self.happened(event);
            }
            self.receive();
            self.sending.retain_mut(|transfer| !self.world.is_done(transfer));
            if let Some(over) = self.over {
                if self.agent_ended && self.others == 0 && self.sending.is_empty() {
                    return End::Over;
                }
                if over.elapsed() > AGENT_ENDS && !self.agent_ended {
                    self.agent.kill();
                }
                if over.elapsed() > RANKS_END {
                    return End::RanksMissing;
                }
            }
            if getppid() != self.parent {
                return End::Orphaned;
            }
        }
    }

    fn pause(&self) -> Duration {
        match () {
            () if Instant::now() < self.questions => QUESTION,
            () if !self.sending.is_empty() || !self.receiving.is_empty() => BUSY,
            () => IDLE,
        }
    }

    fn happened(&mut self, event: Event) {
        let host = self.world.rank;
        match event {
            Event::ToHost(frame) => self.pass_to_host(frame),
            Event::FromAgent(body) => self.pass_to_coordinator(HostFrame { host, last: false, body }),
            Event::AgentEnded(exit) => {
                self.agent_ended = true;
                self.agent.end();
                self.pass_to_coordinator(HostFrame::exit(host, &exit));
            }
            Event::CoordinatorEnded => {
                self.coordinator = None;
                (1..self.world.size).for_each(|rank| self.send(rank, OVER, Vec::new()));
                self.end();
            }
        }
    }

    /// Receives what has arrived, in the order in which each rank has sent it.
    fn receive(&mut self) {
        while let Some(arriving) = self.world.probe(None) {
            self.receiving.push((arriving, self.world.receive(arriving)));
        }
        let mut blocked: Vec<u32> = Vec::new();
        for (arriving, mut transfer) in std::mem::take(&mut self.receiving) {
            if blocked.contains(&arriving.source) || !self.world.is_done(&mut transfer) {
                blocked.push(arriving.source);
                self.receiving.push((arriving, transfer));
                continue;
            }
            let (last, body) = (arriving.tag == LAST, transfer.into_bytes());
            match arriving.tag {
                OVER => self.end(),
                FRAME | LAST if self.world.rank == 0 => {
                    self.others -= u32::from(last);
                    self.pass_to_coordinator(HostFrame { host: arriving.source, last, body });
                }
                FRAME | LAST => self.pass_to_host(HostFrame { host: self.world.rank, last, body }),
                _ => {}
            }
        }
    }

    /// Passes a frame on to the agent of its host.
    fn pass_to_host(&mut self, frame: HostFrame) {
        if frame.is_about_clock() {
            self.questions = Instant::now() + CLOCK_QUESTIONS;
        }
        if frame.host != self.world.rank {
            if frame.host < self.world.size {
                self.send(frame.host, if frame.last { LAST } else { FRAME }, frame.body);
            }
        } else if frame.last {
            self.agent.end();
        } else {
            match frame.clock_answer() {
                Some(answer) => self.pass_to_coordinator(answer),
                None => self.agent.send(frame.body),
            }
        }
    }

    /// Passes a frame on to the coordinator.
    fn pass_to_coordinator(&mut self, frame: HostFrame) {
        if frame.is_about_clock() {
            self.questions = Instant::now() + CLOCK_QUESTIONS;
        }
        if self.world.rank != 0 {
            self.send(0, if frame.last { LAST } else { FRAME }, frame.body);
        } else if let Some(out) = &mut self.coordinator {
            // If the coordinator does not read, the end of its own output is told by another thread.
            let _ = frame.write(out);
        }
    }

    fn send(&mut self, rank: u32, tag: i32, body: Vec<u8>) {
        self.sending.push(self.world.send(rank, tag, body));
    }

    fn end(&mut self) {
        self.over.get_or_insert_with(Instant::now);
        self.agent.end();
    }
}
