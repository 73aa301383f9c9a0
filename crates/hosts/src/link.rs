//! Connection of the coordinator to one agent: a shell such as ssh that starts it, and threads that move the messages.

use crate::clock::now_ns;
use crate::frame;
use crate::message::{FromAgent, ToAgent};
use stats::hosts::HostLoss;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longest time for which the shell is waited for after the end.
const GRACE: Duration = Duration::from_secs(2);
/// Interval between looks at the shell.
const LOOK: Duration = Duration::from_millis(5);

/// What arrived from a host.
pub(crate) enum Arrival {
    /// Message, and its time on the coordinator's clock, nanoseconds.
    Message(Box<FromAgent>, u64),
    /// The connection has ended, or what arrived is no message.
    End {
        /// Whether it ended between two messages.
        clean: bool,
    },
}

/// Connection to an agent.
pub(crate) struct Link {
    child: Child,
    /// Messages to be written; dropped to end the agent.
    out: Option<Sender<ToAgent>>,
    /// Last line on the shell's standard error.
    said: Arc<Mutex<String>>,
    stderr: Option<JoinHandle<()>>,
}

impl Link {
    /// Starts `command` and passes what arrives from it to `arrivals`, with the number of the host.
    ///
    /// # Errors
    /// The command cannot be started.
    pub(crate) fn open(
        command: &[String],
        host: usize,
        arrivals: Sender<(usize, Arrival)>,
    ) -> io::Result<Link> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        // Ctrl-C at the terminal ends the coordinator, which ends the agents and waits for their results.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let piped =
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn()?;
        let (Some(mut input), Some(mut output), Some(stderr)) =
            (child.stdout.take(), child.stdin.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (out, messages) = channel::<ToAgent>();
        std::thread::spawn(move || {
            // If the agent does not read, the end of its output is told by the other thread.
            while let Ok(message) = messages.recv() {
                if frame::write(&mut output, &message).is_err() {
                    break;
                }
            }
        });
        std::thread::spawn(move || {
            loop {
                let arrival = match frame::read(&mut input) {
                    Ok(Some(message)) => Arrival::Message(message, now_ns()),
                    Ok(None) => Arrival::End { clean: true },
                    Err(_) => Arrival::End { clean: false },
                };
                let over = matches!(arrival, Arrival::End { .. });
                if arrivals.send((host, arrival)).is_err() || over {
                    break;
                }
            }
        });
        let said = Arc::new(Mutex::new(String::new()));
        let kept = said.clone();
        let stderr = std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if !line.trim().is_empty() {
                    *kept.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
            }
        });
        Ok(Link { child, out: Some(out), said, stderr: Some(stderr) })
    }

    /// Sends a message; nothing happens if the agent is gone.
    pub(crate) fn send(&self, message: ToAgent) {
        if let Some(out) = &self.out {
            let _ = out.send(message);
        }
    }

    /// Ends the connection: the agent's input ends, and the shell is killed if it does not end by itself. Returns its status. A
    /// shell that does not end although it was killed, because it waits for a disk that hangs, is left to the kernel.
    pub(crate) fn close(&mut self, wait: bool) -> Option<i32> {
        self.out = None;
        let mut patience = if wait { GRACE } else { Duration::ZERO };
        for killed in [false, true] {
            let began = Instant::now();
            loop {
                match self.child.try_wait() {
                    Ok(Some(status)) if !killed => return status.code(),
                    Ok(Some(_)) | Err(_) => return None,
                    Ok(None) if began.elapsed() >= patience => break,
                    Ok(None) => std::thread::sleep(LOOK),
                }
            }
            let _ = self.child.kill();
            patience = GRACE;
        }
        None
    }

    /// Returns the loss of a host whose connection has ended.
    pub(crate) fn ended(&mut self, clean: bool) -> HostLoss {
        let status = self.close(true);
        if let Some(reader) = self.stderr.take() {
            // The shell has ended, and with it what it prints, unless it has left a child behind.
            let deadline = Instant::now() + GRACE;
            while !reader.is_finished() && Instant::now() < deadline {
                std::thread::sleep(LOOK);
            }
        }
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match status {
            Some(0) if !clean => HostLoss::NotAnAgent,
            _ => HostLoss::ConnectionEnded { said, status },
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.close(true);
    }
}
