//! Runs on several hosts: the messages between the coordinator and the agent of each host, the start at a common moment,
//! and what remains of hosts that are lost.
#![forbid(unsafe_code)]

mod agent;
mod clock;
mod complaint;
mod coordinator;
mod frame;
mod interim;
mod link;
mod message;
pub mod relay;

pub use agent::{AgentOutcome, AgentSide, AgentWorker, Refused, serve};
pub use coordinator::session::HostsSession;
pub use coordinator::{HostsError, HostsRequest, HostsWatch, LossRule, coordinate};
pub use frame::{read_body, write_body};
pub use link::Transport;
pub use message::{
    AgentCommand, AgentWork, HostPlace, OpenedTarget, StudyCommand, TargetJob, TargetWork, WrittenTarget,
};
