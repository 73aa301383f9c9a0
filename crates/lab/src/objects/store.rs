//! What a load asks of a store of objects: operations in flight, each in a slot, and their results.

use super::known::Object;
use super::run_id::RunId;
use ::objects::Timings;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::Arc;
use std::time::Duration;

/// Distance between the beginnings of the contents of two objects in the random data, in bytes; a prime, so that
/// beginnings differ at all block sizes.
const STEP: usize = 4099;
/// Number of different beginnings; a prime, so that neighbours in a prefix have different contents.
const BEGINNINGS: u64 = 1021;

/// Random data from which the contents of all objects are taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    /// The data.
    pub(super) data: Arc<Vec<u8>>,
}

impl Contents {
    /// Returns contents for objects of at most `largest` bytes.
    pub(super) fn new(largest: u64, seed: u64) -> Contents {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let bytes = usize::try_from(largest).unwrap_or(usize::MAX);
        let mut data = vec![0; bytes + STEP * BEGINNINGS as usize];
        for part in data.chunks_mut(8) {
            part.copy_from_slice(&rng.next_u64().to_le_bytes()[..part.len()]);
        }
        Contents { data: Arc::new(data) }
    }

    /// Returns the offset in the data of the contents of object `number`.
    pub(super) fn begin(number: u64) -> usize {
        STEP * (number % BEGINNINGS) as usize
    }
}

/// Names that a page of a list has.
pub(super) const LISTED: u32 = 1000;

/// An operation on an object, or a list.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Writes an object with the contents of its number and the identifier of the run.
    Put(String, Object),
    /// Reads an object and compares it with the contents of its number.
    Get(String, Object),
    /// Asks for the size of an object.
    Stat(String),
    /// Asks for the run that wrote an object.
    Run(String),
    /// Removes an object.
    Delete(String),
    /// Lists names that begin with `prefix`, after those of an earlier page.
    List {
        /// Beginning of the names.
        prefix: String,
        /// Names that a page may have; a pool of Ceph has one page with all names, unless this is 1.
        most: u32,
        /// Continuation of the earlier page.
        after: Option<String>,
    },
}

/// Result of an operation that the store carried out.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// Size of the object; of a read, the number of bytes that came.
    pub(super) size: Option<u64>,
    /// Offset of the first byte that differs from the object's contents.
    pub(super) differs: Option<u64>,
    /// Identifier of the run that wrote the object, in the answer to [`Action::Run`].
    pub(super) run: Option<String>,
    /// Names of a list.
    pub(super) names: Vec<String>,
    /// Continuation of a list; `None` after its last page.
    pub(super) continuation: Option<String>,
    /// Times from the start of the operation.
    pub(super) timings: Timings,
}

/// Reason why an operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoreError {
    /// Name of the call or the method of the request.
    pub(super) call: &'static str,
    /// Text with the host.
    pub(super) text: String,
    /// Short name of the kind of the error, for counts.
    pub(super) kind: String,
    /// Whether the object or the bucket does not exist.
    pub(super) missing: bool,
    /// Whether the store does not have the operation.
    pub(super) unsupported: bool,
}

impl From<::objects::Error> for StoreError {
    fn from(error: ::objects::Error) -> Self {
        StoreError {
            call: error.call(),
            text: error.to_string(),
            kind: error.kind(),
            missing: error.status() == Some(404),
            unsupported: matches!(error.status(), Some(405 | 501)) || error.code() == Some("NotImplemented"),
        }
    }
}

/// A store of objects, through one or more endpoints.
pub(super) trait ObjectStore {
    /// Returns the number of operations that can be in flight.
    fn slots(&self) -> usize;

    /// Returns the number of the endpoint that serves a slot.
    fn endpoint(&self, _slot: usize) -> usize {
        0
    }

    /// Sets the contents of the objects that are written and read, and the run that is noted in what is written.
    fn set_contents(&mut self, contents: &Contents, run: &RunId);

    /// Starts an operation in a slot that has none.
    fn start(&mut self, slot: usize, action: Action);

    /// Waits until an operation is complete, for `limit` at most, or until a signal.
    fn wait(&mut self, limit: Duration);

    /// Returns a completed operation: its slot and its result.
    fn take(&mut self) -> Option<(usize, Result<Answer, StoreError>)>;

    /// Returns the number of operations in flight and of those that were not taken.
    fn pending(&self) -> usize;

    /// Removes the uploads in parts whose names begin with `prefix` and satisfy `condition`, and returns how many.
    ///
    /// # Errors
    /// The store refuses the list or a removal.
    fn remove_uploads(
        &mut self,
        _prefix: &str,
        _condition: &dyn Fn(&str) -> bool,
    ) -> Result<u64, StoreError> {
        Ok(0)
    }

    /// Returns how many kept connections the server had closed when a request was sent on them.
    fn reconnects(&self) -> u64 {
        0
    }
}

/// Carries out one operation and waits for its result, through signals; no other may be in flight.
///
/// # Errors
/// The store refuses the operation.
pub(super) fn call(store: &mut dyn ObjectStore, action: Action) -> Result<Answer, StoreError> {
    store.start(0, action);
    loop {
        store.wait(Duration::from_secs(1));
        if let Some((_, result)) = store.take() {
            return result;
        }
    }
}

/// Returns the name of the first object whose name begins with `prefix`; `None` if there is none.
///
/// # Errors
/// The store refuses the list.
pub(super) fn first(store: &mut dyn ObjectStore, prefix: &str) -> Result<Option<String>, StoreError> {
    let list = Action::List { prefix: prefix.into(), most: 1, after: None };
    Ok(call(store, list)?.names.into_iter().next())
}
