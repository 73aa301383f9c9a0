//! Result of a run on several hosts: the results of the hosts and their sum.

mod host;
mod joined;
mod merge;
mod straggler;

pub use host::{
    ClockOffset, HostJob, HostLoss, HostOutcome, HostRate, HostResult, JobFlow, JobLatency, fairness,
    start_skew_ns,
};
pub use joined::{CommonWindow, HostSeries, JoinedSeries, common_window, join};
pub use merge::{HostsMerge, HostsResult, Uneven, most_uneven};
pub use straggler::{Lag, Straggler, stragglers};
