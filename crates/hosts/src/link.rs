//! Connections of the coordinator to the agents: a shell for each host, or one relay for all, and threads that move the messages.

use crate::clock::now_ns;
use crate::complaint::complaint;
use crate::frame;
use crate::message::{FromAgent, ToAgent};
use crate::relay::{AgentExit, HostFrame};
use stats::hosts::HostLoss;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Interval between looks at a command that is about to end.
const LOOK: Duration = Duration::from_millis(5);
/// Longest time for which a command that was killed is waited for.
const KILLED: Duration = Duration::from_secs(2);
/// Largest number of lines of a command's standard error that are kept.
const MOST_LINES: usize = 1000;

/// How the agents are started, and their messages carried.
#[derive(Debug)]
pub enum Transport {
    /// Command for each host, which starts its agent: the words of a shell such as ssh with the host's name, and the agent's.
    Shells(Vec<Vec<String>>),
    /// Command that starts a relay to the agents of all hosts, such as mpirun.
    Launcher(Vec<String>),
    /// Relay that has started this process.
    Relay(UnixStream),
}

impl Transport {
    /// Returns the longest time until the first message of an agent.
    pub(crate) fn connect_limit(&self) -> Duration {
        match self {
            Transport::Shells(_) => Duration::from_secs(9),
            // mpirun starts the daemons of many hosts in a tree, and all processes before the first one goes on.
            Transport::Launcher(_) | Transport::Relay(_) => Duration::from_secs(60),
        }
    }

    /// Returns the longest time for which a command is waited for after the end.
    fn grace(&self) -> Duration {
        match self {
            Transport::Shells(_) => Duration::from_secs(2),
            Transport::Launcher(_) | Transport::Relay(_) => Duration::from_secs(10),
        }
    }
}

/// What arrived from a host.
pub(crate) enum Arrival {
    /// Message, and its time on the coordinator's clock, nanoseconds.
    Message(Box<FromAgent>, u64),
    /// The end of the connection.
    End(LinkEnd),
}

/// How a connection has ended.
pub(crate) enum LinkEnd {
    /// Between two messages.
    Clean,
    /// Within a message.
    Cut,
    /// By something that is no message.
    Garbled,
    /// The agent has ended, and the relay goes on.
    AgentExit(AgentExit),
}

/// Returns a connection for each of the hosts, or the reason why it has none. What arrives is passed to `arrivals` with the
/// number of the host.
pub(crate) fn open(
    transport: &Transport,
    hosts: usize,
    arrivals: &Sender<(usize, Arrival)>,
) -> Vec<Result<Link, HostLoss>> {
    let lost = |program: &str, e: io::Error| HostLoss::ConnectionEnded {
        said: format!("{program}: {e}"),
        status: None,
    };
    let all = |opened: Result<Connection, HostLoss>| match opened.map(Arc::new) {
        Ok(connection) => {
            (0..hosts).map(|host| Ok(Link { connection: connection.clone(), host: host as u32 })).collect()
        }
        Err(loss) => (0..hosts).map(|_| Err(loss.clone())).collect(),
    };
    let start = |command: &[String], framing: Framing| {
        let name = command.first().map_or("", String::as_str);
        Connection::start(command, framing, transport.grace(), arrivals.clone()).map_err(|e| lost(name, e))
    };
    match transport {
        Transport::Shells(commands) => {
            let each = commands.iter().enumerate().map(|(host, command)| {
                let connection = Arc::new(start(command, Framing::OneHost(host as u32))?);
                Ok(Link { connection, host: host as u32 })
            });
            each.collect()
        }
        Transport::Launcher(command) => all(start(command, Framing::AllHosts(hosts as u32))),
        Transport::Relay(stream) => {
            let connection = Connection::to_relay(stream, hosts as u32, transport.grace(), arrivals.clone());
            all(connection.map_err(|e| lost("fathom-mpi", e)))
        }
    }
}

/// Which hosts are behind a connection.
#[derive(Clone, Copy, Debug)]
enum Framing {
    /// The one with this number: frames do not tell it.
    OneHost(u32),
    /// This many, from 0: frames tell the number.
    AllHosts(u32),
}

impl Framing {
    fn read(self, input: &mut dyn Read) -> io::Result<Option<HostFrame>> {
        match self {
            Framing::OneHost(host) => {
                Ok(frame::read_body(input)?.map(|body| HostFrame { host, last: false, body }))
            }
            Framing::AllHosts(_) => HostFrame::read(input),
        }
    }

    fn write(self, out: &mut dyn Write, frame: &HostFrame) -> io::Result<()> {
        match self {
            Framing::OneHost(_) => frame::write_body(out, &frame.body),
            Framing::AllHosts(_) => frame.write(out),
        }
    }

    /// Returns the end of a connection on which something else than a message has arrived; that to other hosts goes on.
    fn no_message(self) -> LinkEnd {
        match self {
            Framing::OneHost(_) => LinkEnd::Garbled,
            Framing::AllHosts(_) => LinkEnd::AgentExit(AgentExit { garbled: true, ..AgentExit::default() }),
        }
    }

    fn hosts(self) -> std::ops::Range<u32> {
        match self {
            Framing::OneHost(host) => host..host + 1,
            Framing::AllHosts(hosts) => 0..hosts,
        }
    }

    /// Passes what arrives at `input` to `arrivals` until it ends.
    fn receive(self, mut input: impl Read, arrivals: &Sender<(usize, Arrival)>) {
        let send = |host: u32, arrival| arrivals.send((host as usize, arrival)).is_ok();
        loop {
            let (frame, at_ns) = (self.read(&mut input), now_ns());
            let wanted = match frame {
                Ok(Some(frame)) if !self.hosts().contains(&frame.host) => true,
                Ok(Some(frame)) if frame.last => {
                    let end =
                        serde_json::from_slice(&frame.body).map_or(self.no_message(), LinkEnd::AgentExit);
                    send(frame.host, Arrival::End(end))
                }
                Ok(Some(frame)) => match serde_json::from_slice(&frame.body) {
                    Ok(message) => send(frame.host, Arrival::Message(message, at_ns)),
                    Err(_) => send(frame.host, Arrival::End(self.no_message())),
                },
                end => {
                    let of = || match &end {
                        Ok(_) => LinkEnd::Clean,
                        Err(e) if e.kind() == io::ErrorKind::InvalidData => LinkEnd::Garbled,
                        Err(_) => LinkEnd::Cut,
                    };
                    let _ = self.hosts().all(|host| send(host, Arrival::End(of())));
                    false
                }
            };
            if !wanted {
                break;
            }
        }
    }
}

/// Connection to the agent of one host, or of all hosts.
struct Connection {
    framing: Framing,
    /// Command at the other end; `None` if the other end has started this process.
    child: Mutex<Option<Child>>,
    grace: Duration,
    /// Frames to be written; dropped to end the connection.
    out: Mutex<Option<Sender<HostFrame>>>,
    /// Lines on the command's standard error.
    said: Arc<Mutex<Vec<String>>>,
    stderr: Mutex<Option<JoinHandle<()>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connection {
    /// Starts `command`, and passes what arrives from it to `arrivals`.
    fn start(
        command: &[String],
        framing: Framing,
        grace: Duration,
        arrivals: Sender<(usize, Arrival)>,
    ) -> io::Result<Connection> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        // Ctrl-C at the terminal ends the coordinator, which ends the agents and waits for their results.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let piped =
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn()?;
        let (Some(input), Some(output), Some(stderr)) =
            (child.stdout.take(), child.stdin.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let said = Arc::new(Mutex::new(Vec::new()));
        let kept = said.clone();
        let stderr = std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let mut lines = lock(&kept);
                if lines.len() == MOST_LINES {
                    lines.remove(0);
                }
                lines.push(line);
            }
        });
        let connection = Connection {
            framing,
            child: Mutex::new(Some(child)),
            grace,
            out: Mutex::default(),
            said,
            stderr: Mutex::new(Some(stderr)),
        };
        connection.carry(input, output, |_| {}, arrivals);
        Ok(connection)
    }

    /// Connects to the relay that has started this process.
    fn to_relay(
        stream: &UnixStream,
        hosts: u32,
        grace: Duration,
        arrivals: Sender<(usize, Arrival)>,
    ) -> io::Result<Connection> {
        let connection = Connection {
            framing: Framing::AllHosts(hosts),
            child: Mutex::default(),
            grace,
            out: Mutex::default(),
            said: Arc::default(),
            stderr: Mutex::default(),
        };
        let end = |stream: UnixStream| {
            let _ = stream.shutdown(Shutdown::Write);
        };
        connection.carry(stream.try_clone()?, stream.try_clone()?, end, arrivals);
        Ok(connection)
    }

    /// Moves the messages in both directions; `end` ends the output.
    fn carry<W: Write + Send + 'static>(
        &self,
        input: impl Read + Send + 'static,
        mut output: W,
        end: impl FnOnce(W) + Send + 'static,
        arrivals: Sender<(usize, Arrival)>,
    ) {
        let framing = self.framing;
        let (out, frames) = channel::<HostFrame>();
        *lock(&self.out) = Some(out);
        std::thread::spawn(move || {
            // If the other end does not read, the end of its output is told by the other thread.
            while let Ok(frame) = frames.recv() {
                if framing.write(&mut output, &frame).is_err() {
                    break;
                }
            }
            end(output);
        });
        std::thread::spawn(move || framing.receive(input, &arrivals));
    }

    fn send(&self, frame: HostFrame) {
        if let Some(out) = &*lock(&self.out) {
            let _ = out.send(frame);
        }
    }

    /// Ends the connection: the input of the other end ends, and its command is killed if it does not end by itself within
    /// `grace`. Returns its status. A command that does not end although it was killed, because it waits for a disk that hangs, is
    /// left to the kernel.
    fn end(&self, grace: Duration) -> Option<i32> {
        *lock(&self.out) = None;
        let mut child = lock(&self.child);
        let child = child.as_mut()?;
        let mut patience = grace;
        for killed in [false, true] {
            let began = Instant::now();
            loop {
                match child.try_wait() {
                    Ok(Some(status)) if !killed => return status.code(),
                    Ok(Some(_)) | Err(_) => return None,
                    Ok(None) if began.elapsed() >= patience => break,
                    Ok(None) => std::thread::sleep(LOOK),
                }
            }
            let _ = child.kill();
            patience = KILLED;
        }
        None
    }

    /// Returns the loss of a host behind a connection that has ended.
    fn ended(&self, end: &LinkEnd) -> HostLoss {
        let status = self.end(self.grace);
        if let Some(reader) = lock(&self.stderr).take() {
            // The command has ended, and with it what it prints, unless it has left a child behind.
            let deadline = Instant::now() + self.grace;
            while !reader.is_finished() && Instant::now() < deadline {
                std::thread::sleep(LOOK);
            }
        }
        match (end, status) {
            // Without a status, the command went on and was killed here.
            (LinkEnd::Garbled, Some(0) | None) | (LinkEnd::Cut, Some(0)) => HostLoss::NotAnAgent,
            _ if lock(&self.child).is_none() => {
                let e = io::Error::from(io::ErrorKind::UnexpectedEof);
                HostLoss::ConnectionEnded { said: format!("fathom-mpi: {e}"), status: None }
            }
            _ => HostLoss::ConnectionEnded { said: complaint(&lock(&self.said)), status },
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.end(self.grace);
    }
}

/// Connection to the agent of a host, which may be shared with other hosts.
#[derive(Clone)]
pub(crate) struct Link {
    connection: Arc<Connection>,
    host: u32,
}

impl Link {
    /// Sends a message; nothing happens if the agent is gone.
    pub(crate) fn send(&self, message: ToAgent) {
        if let Ok(body) = serde_json::to_vec(&message) {
            self.connection.send(HostFrame { host: self.host, last: false, body });
        }
    }

    /// Ends the agent's input at once, and the shell if the host has one of its own.
    pub(crate) fn close(&self) {
        match self.connection.framing {
            Framing::OneHost(_) => {
                self.connection.end(Duration::ZERO);
            }
            Framing::AllHosts(_) => {
                self.connection.send(HostFrame { host: self.host, last: true, body: Vec::new() });
            }
        }
    }

    /// Returns the loss of the host whose connection has ended.
    pub(crate) fn ended(&self, end: LinkEnd) -> HostLoss {
        match end {
            LinkEnd::AgentExit(AgentExit { garbled: true, status: Some(0) | None, .. }) => {
                HostLoss::NotAnAgent
            }
            LinkEnd::AgentExit(exit) => HostLoss::ConnectionEnded { said: exit.said, status: exit.status },
            end => self.connection.ended(&end),
        }
    }
}
