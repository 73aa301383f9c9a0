//! `fathom objects`: a mixed load of puts, gets, stats, deletes and lists on a bucket of S3 or a pool of Ceph.
//!
//! All objects of a run have names below `<prefix>fathom-run-<run>/` and carry the run as metadata; they are removed at
//! its end, and those of killed runs before the next. Other objects below the prefix are never touched.

mod known;
mod load;
mod rados;
mod remove;
mod run_id;
mod s3;
mod scratch;
mod sizes;
mod store;

pub use ::objects::access::{Access, AccessError, AccessRequest, find as find_access};
pub use run_id::RunId;
pub use scratch::ScratchObjects;
pub use sizes::largest;

use ::objects::Endpoint;
use ::objects::s3::{Settings, Style};
use facts::SysRoot;
use load::{Driver, Until};
use rados::RadosStore;
use run::StartGate;
use s3::S3Store;
use stats::object_load::{
    ObjectEnd, ObjectEndpoint, ObjectMix, ObjectOperation, ObjectResult, ObjectRow, ObjectSizes, Prepared,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use store::{Contents, ObjectStore, StoreError};

/// A bucket of S3 and the way to it.
#[derive(Clone, Debug)]
pub struct S3Load {
    /// Servers of the bucket, at least one; operations are spread among them.
    pub endpoints: Vec<Endpoint>,
    /// Account and settings of requests.
    pub settings: Settings,
    /// Style in which requests name the bucket.
    pub style: Style,
    /// Bucket, which exists.
    pub bucket: String,
    /// Beginning of all names; may be empty.
    pub prefix: String,
    /// Size of the parts in which larger objects are written; `None` = each object in one request.
    pub part: Option<u64>,
}

/// A pool of Ceph, of the cluster and the client that the library's configuration names.
#[derive(Clone, Debug)]
pub struct RadosLoad {
    /// Name of the pool, also `POOL/NAMESPACE`.
    pub pool: String,
}

/// Place of objects.
#[derive(Clone, Debug)]
pub enum ObjectPlace {
    /// Bucket of S3.
    S3(Box<S3Load>),
    /// Pool of Ceph.
    Rados(RadosLoad),
}

/// A load on objects.
#[derive(Clone, Debug)]
pub struct ObjectLoad {
    /// Place of the objects.
    pub place: ObjectPlace,
    /// Weights of the operations.
    pub mix: ObjectMix,
    /// Sizes of new objects.
    pub sizes: ObjectSizes,
    /// Objects that are written before the load.
    pub prepared: u64,
    /// Prefixes among which the names are spread, at least 1.
    pub prefixes: u32,
    /// Operations in flight, at least 1.
    pub concurrency: usize,
    /// Time after which no operation is started.
    pub duration: Duration,
    /// Seed of sizes, names, contents and the order of the operations.
    pub seed: u64,
    /// Whether the load may run beside objects of others.
    pub allow_destroy: bool,
    /// Permission of the other hosts to begin, and to begin each phase: the objects that are written before, the load, the removal;
    /// `None` without other hosts.
    pub gate: Option<Arc<dyn StartGate>>,
}

impl ObjectLoad {
    /// Waits until all hosts begin a phase together. Returns false if the end was requested.
    fn begins(&self, phase: usize) -> bool {
        self.gate.as_ref().is_none_or(|gate| {
            gate.reached(phase) && {
                gate.prepared(phase);
                gate.wait(phase)
            }
        })
    }
}

impl S3Load {
    /// Returns the place that the target `s3://BUCKET[/PREFIX]` names; `None` for other targets. A prefix is a directory:
    /// it ends with a slash.
    pub fn of_target(target: &str, access: Access) -> Option<S3Load> {
        let rest = target.strip_prefix("s3://")?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        (!bucket.is_empty()).then(|| S3Load {
            endpoints: access.endpoints,
            settings: access.settings,
            style: Style::Path,
            bucket: bucket.into(),
            prefix: if prefix.is_empty() { String::new() } else { format!("{prefix}/") },
            part: None,
        })
    }
}

impl RadosLoad {
    /// Returns the place that the target `rados:POOL` names; `None` for other targets.
    pub fn of_target(target: &str) -> Option<RadosLoad> {
        let pool = target.strip_prefix("rados:").filter(|pool| !pool.is_empty())?;
        Some(RadosLoad { pool: pool.into() })
    }
}

impl ObjectPlace {
    /// Returns the place that a target names, with the endpoint and the account of the environment; `None` if it is none
    /// of objects.
    ///
    /// # Errors
    /// There is no way to S3.
    pub fn of_target(target: &str) -> Result<Option<ObjectPlace>, AccessError> {
        if let Some(pool) = RadosLoad::of_target(target) {
            return Ok(Some(ObjectPlace::Rados(pool)));
        }
        if !target.starts_with("s3://") {
            return Ok(None);
        }
        let access = find_access(&AccessRequest::default(), &|name| std::env::var(name).ok())?;
        Ok(S3Load::of_target(target, access).map(|s3| ObjectPlace::S3(Box::new(s3))))
    }

    /// Returns the beginning of all names.
    fn prefix(&self) -> &str {
        match self {
            ObjectPlace::S3(s3) => &s3.prefix,
            ObjectPlace::Rados(_) => "",
        }
    }

    /// Returns the target in the form that commands take.
    pub fn target(&self) -> String {
        match self {
            ObjectPlace::S3(s3) => format!("s3:/{}", Style::Path.path(&s3.bucket, &s3.prefix)),
            ObjectPlace::Rados(rados) => format!("rados:{}", rados.pool),
        }
    }

    /// Returns the beginning of the names of a run's objects, with the target.
    fn scratch(&self, run: &RunId) -> String {
        let slash = if self.target().ends_with('/') { "" } else { "/" };
        format!("{}{slash}{}", self.target(), run.keys(""))
    }

    /// Returns host and port of the servers of S3.
    pub fn servers(&self) -> Vec<String> {
        match self {
            ObjectPlace::S3(s3) => s3.endpoints.iter().map(|endpoint| endpoint.host.clone()).collect(),
            ObjectPlace::Rados(_) => Vec::new(),
        }
    }

    /// Returns the size of the parts in which larger objects are written.
    fn part(&self) -> Option<u64> {
        match self {
            ObjectPlace::S3(s3) => s3.part,
            ObjectPlace::Rados(_) => None,
        }
    }

    /// Returns the error of the first list: the bucket may not exist.
    fn no_place(&self, error: StoreError) -> ObjectLoadError {
        match self {
            ObjectPlace::S3(s3) if error.missing => ObjectLoadError::NoBucket { bucket: s3.bucket.clone() },
            _ => error.into(),
        }
    }
}

/// Opens a place for `concurrency` operations in flight.
fn open(place: &ObjectPlace, concurrency: usize) -> Result<Box<dyn ObjectStore>, ObjectLoadError> {
    Ok(match place {
        ObjectPlace::S3(s3) => Box::new(S3Store::open(s3, concurrency)?),
        ObjectPlace::Rados(rados) => Box::new(RadosStore::open(rados, concurrency)?),
    })
}

/// Returns the identifier of the next run of this process.
fn next_run(root: &SysRoot) -> RunId {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    RunId::own(root, RUNS.fetch_add(1, Ordering::Relaxed))
}

/// Reason why a load did not begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum ObjectLoadError {
    /// The bucket does not exist.
    NoBucket {
        /// Name of the bucket.
        bucket: String,
    },
    /// Objects of others are below the prefix.
    Foreign {
        /// Name of the first of them.
        first: String,
    },
    /// No operation has a weight, there is nothing to read, or a number is 0 that must not be.
    Mix,
    /// The law of the sizes cannot be drawn from, or the largest size does not fit in memory.
    Sizes,
    /// The place has no lists by prefix.
    NoList,
    /// An object would have more than 10 000 parts.
    Parts,
    /// The other hosts did not agree ([`ObjectLoad::gate`]).
    NotAgreed,
    /// The server refused a request before the load.
    Server {
        /// Call that failed.
        call: &'static str,
        /// Text of the error, with the host.
        text: String,
    },
}

impl From<StoreError> for ObjectLoadError {
    fn from(error: StoreError) -> Self {
        Self::Server { call: error.call, text: error.text }
    }
}

impl ObjectLoadError {
    /// Returns the exit status for the error: 3 if the load was refused for safety, else 1.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Foreign { .. } => 3,
            _ => 1,
        }
    }
}

/// What a load says while it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectProgress {
    /// Objects that were prepared so far.
    pub prepared: u64,
    /// Requests of the load that are complete, also those that failed.
    pub requests: u64,
    /// Bytes of contents of the load.
    pub bytes: u64,
    /// Time since the first request of the load; `None` before it.
    pub elapsed: Option<Duration>,
}

/// Runs the load and returns its result. `stopped` ends it early; `progress` is called about ten times a second.
///
/// # Errors
/// The bucket does not exist or holds objects of others, the load cannot be made, or the server refuses the first
/// requests.
pub fn measure(
    load: &ObjectLoad,
    stopped: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(&ObjectProgress),
) -> Result<ObjectResult, ObjectLoadError> {
    check(load)?;
    let root = SysRoot::machine();
    let mut store = open(&load.place, load.concurrency)?;
    let store = &mut *store;
    let found = store::first(store, load.place.prefix()).map_err(|error| load.place.no_place(error))?;
    if let Some(gate) = &load.gate {
        // What a killed run left is removed once all agree.
        let is_leftover =
            |name: &String| RunId::of_key(name, load.place.prefix()).is_some_and(|run| run.ended(&root));
        if let Some(first) = found.filter(|name| !load.allow_destroy && !is_leftover(name)) {
            return Err(ObjectLoadError::Foreign { first });
        }
        if !gate.checked() {
            return Err(ObjectLoadError::NotAgreed);
        }
    }
    let mut leftovers = remove::leftovers(store, load.place.prefix(), &root)?;
    if let Some(first) = store::first(store, load.place.prefix())?
        && !load.allow_destroy
    {
        return Err(ObjectLoadError::Foreign { first });
    }
    let run = next_run(&root);
    store.set_contents(&Contents::new(sizes::largest(&load.sizes), load.seed), &run);
    let mut driver = Driver::new(load, &run, store);
    let only_puts = ObjectMix { put: 1, ..ObjectMix::default() };
    // The other hosts have looked for objects of others.
    let mut end = if load.begins(0) { ObjectEnd::Duration } else { ObjectEnd::Signal };
    let begun = Instant::now();
    if end == ObjectEnd::Duration {
        end = driver.run(store, only_puts, Until::Puts(load.prepared), stopped, progress);
    }
    let written = rows_of(driver.take_rows(), only_puts);
    let prepared = Prepared {
        objects: written.iter().flatten().map(|row| row.requests).sum(),
        bytes: written.iter().flatten().map(|row| row.bytes).sum(),
        seconds: begun.elapsed().as_secs_f64(),
    };
    let before = store.reconnects();
    if end == ObjectEnd::Duration && !load.begins(1) {
        end = ObjectEnd::Signal;
    }
    let begun = Instant::now();
    if end == ObjectEnd::Duration {
        end = driver.run(store, load.mix, Until::Time(load.duration), stopped, progress);
    }
    let seconds = begun.elapsed().as_secs_f64();
    let reconnects = store.reconnects() - before;
    // A removal would slow down the loads of the other hosts. After a request for the end, nothing is waited for.
    load.begins(2);
    let (removed, mut not_removed) = remove::own(store, &run.keys(load.place.prefix()));
    // A server may have carried out a request of a killed run after the look before the load.
    match remove::leftovers(store, load.place.prefix(), &root) {
        Ok(late) => leftovers += late,
        Err(error) => drop(not_removed.get_or_insert(error)),
    }
    let by_endpoint = rows_of(driver.take_rows(), load.mix);
    let mut rows: Vec<ObjectRow> = by_endpoint[0].iter().map(|row| ObjectRow::new(row.operation)).collect();
    for endpoint in &by_endpoint {
        for (sum, row) in rows.iter_mut().zip(endpoint) {
            sum.merge(row);
        }
    }
    let servers = load.place.servers();
    let endpoints = servers.iter().cloned().zip(by_endpoint).filter(|_| servers.len() > 1);
    Ok(ObjectResult {
        version: String::new(),
        target: load.place.target(),
        run: run.to_string(),
        scratch: load.place.scratch(&run),
        mix: load.mix,
        sizes: load.sizes.clone(),
        concurrency: load.concurrency,
        prefixes: load.prefixes,
        seed: load.seed,
        prepared,
        seconds,
        rows,
        endpoints: endpoints.map(|(endpoint, rows)| ObjectEndpoint { endpoint, rows }).collect(),
        part: load.place.part(),
        mismatches: driver.take_mismatches(),
        servers,
        reconnects,
        end,
        leftovers,
        removed,
        not_removed: not_removed.map(|error| error.text),
        hosts: Vec::new(),
    })
}

/// Returns the rows of the operations with a weight, by endpoint.
fn rows_of(mut rows: Vec<Vec<ObjectRow>>, mix: ObjectMix) -> Vec<Vec<ObjectRow>> {
    for rows in &mut rows {
        rows.retain(|row| mix.weight(row.operation) > 0);
    }
    rows
}

fn check(load: &ObjectLoad) -> Result<(), ObjectLoadError> {
    let mix = load.mix;
    let any = ObjectOperation::ALL.iter().any(|operation| mix.weight(*operation) > 0);
    let reads = mix.get > 0 || mix.stat > 0 || mix.delete > 0;
    if !any || (reads && load.prepared == 0 && mix.put == 0) || load.concurrency == 0 || load.prefixes == 0 {
        return Err(ObjectLoadError::Mix);
    }
    // One request can write 5 GiB.
    if !sizes::valid(&load.sizes) || sizes::largest(&load.sizes) > 5 << 30 {
        return Err(ObjectLoadError::Sizes);
    }
    match &load.place {
        ObjectPlace::S3(s3) if s3.endpoints.is_empty() => return Err(ObjectLoadError::Mix),
        ObjectPlace::S3(s3) if !s3::parts_fit(s3.part, &load.sizes) => return Err(ObjectLoadError::Parts),
        // A pool lists all its objects or none.
        ObjectPlace::Rados(_) if mix.list > 0 => return Err(ObjectLoadError::NoList),
        _ => {}
    }
    Ok(())
}
