//! Frames between the coordinator and a relay, one connection for all hosts: the number of the host comes first. Between the
//! relay and the agents the frames have no number.

use crate::clock::now_ns;
use crate::frame;
use crate::message::{FromAgent, ToAgent};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// Bit of the number of the host that tells the end.
const LAST: u32 = 1 << 31;
/// Longest question or answer about the time, bytes.
const CLOCK_LONGEST: usize = 128;

/// Frame to the agent of a host, or from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostFrame {
    /// Number of the host, from 0.
    pub host: u32,
    /// Whether this is the end: to the agent, the end of its input, without content; from it, its end, with an [`AgentExit`].
    pub last: bool,
    /// Content of the frame.
    pub body: Vec<u8>,
}

/// How an agent has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentExit {
    /// Last line on its standard error; empty if there was none.
    pub said: String,
    /// Exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// Whether its output was something else than frames.
    pub garbled: bool,
}

impl HostFrame {
    /// Returns the frame that tells the end of a host's agent.
    pub fn exit(host: u32, exit: &AgentExit) -> HostFrame {
        HostFrame { host, last: true, body: serde_json::to_vec(exit).unwrap_or_default() }
    }

    /// Writes the frame, and flushes.
    ///
    /// # Errors
    /// The other end is gone, or the content is too long.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = self.host | if self.last { LAST } else { 0 };
        frame::write_with_head(out, &head.to_le_bytes(), &self.body)
    }

    /// Reads a frame; `None` at the end of the input.
    ///
    /// # Errors
    /// The input ends inside a frame, or is no frame.
    pub fn read(input: &mut dyn Read) -> io::Result<Option<HostFrame>> {
        let Some(head) = frame::read_number(input)? else { return Ok(None) };
        let body = frame::read_body(input)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(Some(HostFrame { host: head & !LAST, last: head & LAST != 0, body }))
    }

    /// Returns whether this is a question about the time of a clock, or the answer.
    pub fn is_about_clock(&self) -> bool {
        !self.last && self.body.len() < CLOCK_LONGEST && self.body.starts_with(b"{\"Clock\"")
    }

    /// Returns the answer to a question about the time of the clock, which all processes of a machine have in common; `None` if
    /// the frame is something else. A relay that answers saves the time that the way to the agent and back takes.
    pub fn clock_answer(&self) -> Option<HostFrame> {
        let ToAgent::Clock { number } =
            serde_json::from_slice(&self.body).ok().filter(|_| self.is_about_clock())?
        else {
            return None;
        };
        let body = serde_json::to_vec(&FromAgent::Clock { number, now_ns: now_ns() }).ok()?;
        Some(HostFrame { host: self.host, last: false, body })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn frame_that_was_written_is_read(
            frames in prop::collection::vec((0u32..1 << 31, any::<bool>(), prop::collection::vec(any::<u8>(), 0..50)), 0..5),
        ) {
            let frames: Vec<HostFrame> =
                frames.into_iter().map(|(host, last, body)| HostFrame { host, last, body }).collect();
            let mut bytes = Vec::new();
            frames.iter().for_each(|frame| frame.write(&mut bytes).unwrap());
            let mut input = bytes.as_slice();
            for frame in &frames {
                let got = HostFrame::read(&mut input).unwrap();
                prop_assert_eq!(got.as_ref(), Some(frame));
            }
            prop_assert_eq!(HostFrame::read(&mut input).unwrap(), None);
        }
    }

    #[test]
    fn clock_question_alone_is_answered() {
        let frame = |message: &ToAgent| HostFrame {
            host: 3,
            last: false,
            body: serde_json::to_vec(message).unwrap(),
        };
        let before = now_ns();
        let answer = frame(&ToAgent::Clock { number: 7 }).clock_answer().unwrap();
        assert!(answer.host == 3 && answer.is_about_clock());
        let FromAgent::Clock { number: 7, now_ns } = serde_json::from_slice(&answer.body).unwrap() else {
            panic!("{answer:?}")
        };
        assert!(now_ns >= before);
        assert_eq!(frame(&ToAgent::Alive).clock_answer(), None);
        assert_eq!(HostFrame { last: true, ..frame(&ToAgent::Clock { number: 7 }) }.clock_answer(), None);
    }
}
