//! The job of `ioping`: the latency of one request after the other.

pub mod arguments;
mod numbers;
pub mod options;
mod requests;
mod served;
pub mod target;

pub use arguments::{PingFault, PingOutput, PingRequest, PingSettings, Requests, request};
pub use numbers::NumberFault;
pub use options::OptionFault;
pub use requests::{Generator, PingEvent, PingResult, Pinged, RequestFault, Verdict, measure};
pub use served::{Cause, MemoryReads, Outlier, ReadSource};
pub use target::{Target, TargetError, TargetNames, open};
