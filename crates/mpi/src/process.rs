//! The processes of fathom that a rank starts, and what arrives from them.

use hosts::relay::{AgentExit, HostFrame};
use rustix::process::{Pid, Signal};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longest time for which the standard error of an agent that has ended is read.
const STDERR: Duration = Duration::from_millis(300);
/// Interval between looks at it.
const LOOK: Duration = Duration::from_millis(5);

/// What arrives from the processes of this machine.
#[derive(Debug)]
pub enum Event {
    /// Frame of the coordinator, for the agent of a host.
    ToHost(HostFrame),
    /// The coordinator has ended.
    CoordinatorEnded,
    /// Frame of this rank's agent.
    FromAgent(Vec<u8>),
    /// This rank's agent has ended.
    AgentEnded(AgentExit),
}

/// Returns the program of fathom: the one beside this program, or the one of PATH.
pub fn fathom() -> PathBuf {
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name("fathom"));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| "fathom".into())
}

/// The agent of this rank.
#[derive(Debug)]
pub struct Agent {
    /// Frames to be written; dropped to end the agent.
    input: Option<Sender<Vec<u8>>>,
    pid: Option<Pid>,
}

impl Agent {
    /// Starts `program agent` and passes what arrives from it to `events`.
    pub fn start(program: &Path, events: Sender<Event>) -> Agent {
        match start_agent(program) {
            Ok((child, input, output, stderr)) => {
                let (sender, frames) = channel::<Vec<u8>>();
                std::thread::spawn(move || {
                    let mut input = input;
                    // If the agent does not read, the end of its output is told by the other thread.
                    while let Ok(body) = frames.recv() {
                        if hosts::write_body(&mut input, &body).is_err() {
                            break;
                        }
                    }
                });
                let pid = Pid::from_child(&child);
                std::thread::spawn(move || follow_agent(child, output, stderr, &events));
                Agent { input: Some(sender), pid: Some(pid) }
            }
            Err(e) => {
                let said = format!("{}: {e}", program.display());
                let _ = events.send(Event::AgentEnded(AgentExit { said, status: None, garbled: false }));
                Agent { input: None, pid: None }
            }
        }
    }

    /// Sends a frame; nothing happens if the agent is gone.
    pub fn send(&self, body: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(body);
        }
    }

    /// Ends the agent's input, on which it ends its run.
    pub fn end(&mut self) {
        self.input = None;
    }

    /// Kills the agent, which has not ended.
    pub fn kill(&self) {
        if let Some(pid) = self.pid {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
}

type AgentEnds = (Child, ChildStdin, Box<dyn Read + Send>, Box<dyn Read + Send>);

fn start_agent(program: &Path) -> io::Result<AgentEnds> {
    let mut command = Command::new(program);
    // mpirun ends the process group of a rank; the agent ends its run by itself when its input ends, and reports it.
    command.arg("agent").process_group(0);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(input), Some(output), Some(stderr)) => Ok((child, input, Box::new(output), Box::new(stderr))),
        _ => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

/// Passes the agent's frames on, and then how it ended.
fn follow_agent(
    mut child: Child,
    mut output: Box<dyn Read + Send>,
    stderr: Box<dyn Read + Send>,
    events: &Sender<Event>,
) {
    let said = Arc::new(Mutex::new(String::new()));
    let kept = said.clone();
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(stderr).lines().map_while(Result::ok);
        for line in lines.filter(|line| !line.trim().is_empty()) {
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = line;
        }
    });
    let garbled = loop {
        match hosts::read_body(&mut output) {
            Ok(Some(body)) => {
                let _ = events.send(Event::FromAgent(body));
            }
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    if garbled {
        let _ = child.kill();
    }
    let status = child.wait().ok().and_then(|status| status.code());
    // A child that the agent has left behind may hold its standard error open.
    let deadline = Instant::now() + STDERR;
    while !reader.is_finished() && Instant::now() < deadline {
        std::thread::sleep(LOOK);
    }
    let said = said.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let _ = events.send(Event::AgentEnded(AgentExit { said, status, garbled }));
}

/// Passes the coordinator's frames on until its output ends.
pub fn follow_coordinator(mut input: impl Read + Send + 'static, events: Sender<Event>) {
    std::thread::spawn(move || {
        while let Ok(Some(frame)) = HostFrame::read(&mut input) {
            let _ = events.send(Event::ToHost(frame));
        }
        let _ = events.send(Event::CoordinatorEnded);
    });
}

/// Starts fathom with these words as the coordinator of these hosts, with its end of a socket as standard input; returns the other
/// end.
///
/// # Errors
/// The program cannot be started.
pub fn start_coordinator(
    program: &Path,
    hosts: &[String],
    arguments: &[std::ffi::OsString],
) -> io::Result<(Child, UnixStream)> {
    let (own, theirs) = UnixStream::pair()?;
    let mut command = Command::new(program);
    command.args(["--hosts", &hosts.join(","), "--relay"]).args(arguments);
    // The report is printed when mpirun ends the ranks.
    let child = command.stdin(Stdio::from(OwnedFd::from(theirs))).process_group(0).spawn()?;
    Ok((child, own))
}

/// Writes frames to the coordinator.
pub type ToCoordinator = Box<dyn Write>;
