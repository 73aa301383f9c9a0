//! What a host answers that runs another command than jobs.

use crate::files::FilesMeasured;
use crate::hosts::HostLoss;
use crate::object_load::ObjectResult;
use crate::pts::{PtsPoint, PtsStudy};
use serde::{Deserialize, Serialize};

/// Answer of a host, with all that the sum of the hosts needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostAnswer {
    /// Rates of operations on names and small files.
    Files(Box<FilesMeasured>),
    /// Requests and times of a load on objects.
    Objects(Box<ObjectResult>),
    /// Part of the tests of devices, which is sent as soon as it is known: they take hours.
    Pts(PtsPart),
}

/// Part of the answer of `fathom pts`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsPart {
    /// Studies that begin, one for each device of the host.
    Begun(Vec<PtsStudy>),
    /// Completed step of a study.
    Step {
        /// Number of the study among those of the host, from 0.
        study: usize,
        /// The step.
        point: Box<PtsPoint>,
    },
    /// The host was lost, as the coordinator tells; no part follows.
    Lost(HostLoss),
}
