//! What a host answers that runs another command than jobs.

use crate::files::FilesMeasured;
use crate::object_load::ObjectResult;
use serde::{Deserialize, Serialize};

/// Answer of a host, with all that the sum of the hosts needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostAnswer {
    /// Rates of operations on names and small files.
    Files(Box<FilesMeasured>),
    /// Requests and times of a load on objects.
    Objects(Box<ObjectResult>),
}
