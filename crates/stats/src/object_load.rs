//! Result of a load on object storage: requests, times and errors by kind of operation.

mod hosts;

use crate::finding::Grade;
use crate::histogram::Histogram;
use crate::hosts::HostOutcome;
use serde::{Deserialize, Serialize};

/// Operation of a load on objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectOperation {
    /// Writes a new object.
    Put,
    /// Reads a whole object.
    Get,
    /// Reads size and metadata of an object (HEAD).
    Stat,
    /// Removes an object.
    Delete,
    /// Lists the names below one prefix.
    List,
}

impl ObjectOperation {
    /// All operations, in the order of the results.
    pub const ALL: [ObjectOperation; 5] = [Self::Put, Self::Get, Self::Stat, Self::Delete, Self::List];

    /// Returns the name, which the protocol's tools have in all languages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Get => "get",
            Self::Stat => "stat",
            Self::Delete => "delete",
            Self::List => "list",
        }
    }
}

/// Law of the sizes of objects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectSizes {
    /// All objects have this size in bytes.
    Fixed(u64),
    /// Sizes are distributed uniformly.
    Range {
        /// Smallest size in bytes.
        least: u64,
        /// Largest size in bytes.
        most: u64,
    },
    /// Sizes in bytes with their weights.
    Weighted(Vec<(u64, f64)>),
    /// The logarithm of the size is normally distributed.
    LogNormal {
        /// Median in bytes.
        median: u64,
        /// Standard deviation of the natural logarithm.
        sigma: f64,
        /// Largest size in bytes; larger draws are repeated.
        most: u64,
    },
}

/// Weights of the operations of a mixed load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectMix {
    /// Weight of writes.
    pub put: u32,
    /// Weight of reads.
    pub get: u32,
    /// Weight of reads of metadata.
    pub stat: u32,
    /// Weight of removals.
    pub delete: u32,
    /// Weight of lists.
    pub list: u32,
}

impl ObjectMix {
    /// Returns the weight of an operation.
    pub fn weight(&self, operation: ObjectOperation) -> u32 {
        match operation {
            ObjectOperation::Put => self.put,
            ObjectOperation::Get => self.get,
            ObjectOperation::Stat => self.stat,
            ObjectOperation::Delete => self.delete,
            ObjectOperation::List => self.list,
        }
    }

    /// Returns the weight of an operation, to be changed.
    pub fn weight_mut(&mut self, operation: ObjectOperation) -> &mut u32 {
        match operation {
            ObjectOperation::Put => &mut self.put,
            ObjectOperation::Get => &mut self.get,
            ObjectOperation::Stat => &mut self.stat,
            ObjectOperation::Delete => &mut self.delete,
            ObjectOperation::List => &mut self.list,
        }
    }
}

/// Requests of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectRow {
    /// Operation.
    pub operation: ObjectOperation,
    /// Requests that the server carried out.
    pub requests: u64,
    /// Bytes of contents of these requests.
    pub bytes: u64,
    /// Time from the start of a request to the first byte of its answer, nanoseconds.
    pub first_byte: Histogram,
    /// Time from the start of a request to the last byte of its answer, nanoseconds.
    pub last_byte: Histogram,
    /// Time that the server says it took, of the answers that say it, nanoseconds.
    pub server: Histogram,
    /// Requests for which a connection had to be made.
    pub connects: u64,
    /// Requests that failed, by code of the error, the most frequent first.
    pub errors: Vec<(String, u64)>,
}

impl ObjectRow {
    /// Returns the row of an operation without requests.
    pub fn new(operation: ObjectOperation) -> ObjectRow {
        ObjectRow {
            operation,
            requests: 0,
            bytes: 0,
            first_byte: Histogram::default(),
            last_byte: Histogram::default(),
            server: Histogram::default(),
            connects: 0,
            errors: Vec::new(),
        }
    }

    /// Returns the number of requests that failed.
    pub fn failed(&self) -> u64 {
        self.errors.iter().map(|(_, count)| count).sum()
    }

    /// Adds the requests of another row of the same operation.
    pub fn merge(&mut self, other: &ObjectRow) {
        self.requests += other.requests;
        self.bytes += other.bytes;
        self.first_byte.merge(&other.first_byte);
        self.last_byte.merge(&other.last_byte);
        self.server.merge(&other.server);
        self.connects += other.connects;
        for (code, count) in &other.errors {
            match self.errors.iter_mut().find(|(known, _)| known == code) {
                Some((_, sum)) => *sum += count,
                None => self.errors.push((code.clone(), *count)),
            }
        }
        self.errors.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    }

    /// Counts a failed request.
    pub fn fail(&mut self, code: &str) {
        match self.errors.iter_mut().find(|(known, _)| known == code) {
            Some((_, count)) => *count += 1,
            None => self.errors.push((code.to_owned(), 1)),
        }
    }
}

/// Reason why a load ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectEnd {
    /// Its time was over.
    Duration,
    /// A signal.
    Signal,
    /// No request succeeded any more; text of the last error.
    Failures(String),
}

/// Objects that were written before the load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    /// Number of objects.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Time that it took, in seconds.
    pub seconds: f64,
}

/// Rows of the requests through one of several endpoints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectEndpoint {
    /// Host and port.
    pub endpoint: String,
    /// Rows of the operations with a weight.
    pub rows: Vec<ObjectRow>,
}

/// Object whose contents were not those that were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectMismatch {
    /// Key of the object.
    pub key: String,
    /// Offset of the first byte that differs.
    pub offset: u64,
}

/// Result of a load on objects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectResult {
    /// Version of fathom that measured.
    #[serde(default)]
    pub version: String,
    /// Bucket and prefix, in the form that commands take.
    pub target: String,
    /// Servers of the bucket.
    #[serde(default)]
    pub servers: Vec<String>,
    /// Identifier of the run, which is part of the names of its objects.
    pub run: String,
    /// Beginning of the names of the run's objects, with the bucket.
    #[serde(default)]
    pub scratch: String,
    /// Weights of the operations.
    pub mix: ObjectMix,
    /// Sizes of the objects.
    pub sizes: ObjectSizes,
    /// Requests in flight.
    pub concurrency: usize,
    /// Prefixes among which the names are spread.
    pub prefixes: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Objects that were written before the load.
    pub prepared: Prepared,
    /// Time from the first request to the end of the last, in seconds.
    pub seconds: f64,
    /// Rows of the operations with a weight.
    pub rows: Vec<ObjectRow>,
    /// Rows by endpoint; empty if there is only one.
    #[serde(default)]
    pub endpoints: Vec<ObjectEndpoint>,
    /// Size of the parts in which larger objects were written; `None` if all were written in one request.
    #[serde(default)]
    pub part: Option<u64>,
    /// First objects with wrong contents; all are counted as errors.
    #[serde(default)]
    pub mismatches: Vec<ObjectMismatch>,
    /// Kept connections that the server had closed when a request was sent on them.
    pub reconnects: u64,
    /// Reason why the load ended.
    pub end: ObjectEnd,
    /// Objects and unfinished uploads of killed runs that were removed.
    pub leftovers: u64,
    /// Objects of this run that were removed at its end.
    pub removed: u64,
    /// Why objects of this run were not removed; `None` if all were.
    pub not_removed: Option<String>,
    /// Hosts whose sum this is, in the order of the command line; empty for a load of one host without `--hosts`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostOutcome<ObjectResult>>,
}

impl ObjectResult {
    /// Returns whether a request of the load failed or an object of the run was not removed.
    pub fn failed(&self) -> bool {
        self.rows.iter().any(|row| row.failed() > 0)
            || matches!(self.end, ObjectEnd::Failures(_))
            || self.not_removed.is_some()
    }

    /// Returns the grade: C if contents were wrong or no request succeeded any more, B if requests failed or a signal
    /// ended the load.
    pub fn grade(&self) -> Grade {
        if !self.mismatches.is_empty() || matches!(self.end, ObjectEnd::Failures(_)) {
            Grade::Conditions
        } else if self.end == ObjectEnd::Signal || self.rows.iter().any(|row| row.failed() > 0) {
            Grade::Caveats
        } else {
            Grade::Trusted
        }
    }

    /// Returns requests of a row per second.
    pub fn rate(&self, row: &ObjectRow) -> f64 {
        if self.seconds > 0.0 { row.requests as f64 / self.seconds } else { 0.0 }
    }

    /// Returns bytes of a row per second.
    pub fn bandwidth(&self, row: &ObjectRow) -> f64 {
        if self.seconds > 0.0 { row.bytes as f64 / self.seconds } else { 0.0 }
    }
}
