//! The operations of a load: which is next, and what is recorded of each.

use super::known::{Known, Object};
use super::store::{Action, Answer, LISTED, ObjectStore, StoreError};
use super::{ObjectLoad, ObjectProgress, RunId, sizes};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use stats::object_load::{ObjectEnd, ObjectMismatch, ObjectMix, ObjectOperation, ObjectRow, ObjectSizes};
use std::time::{Duration, Instant};

/// Failures in a row, beyond ten for each operation in flight, after which the load ends.
const FAILURES: usize = 100;
/// Objects with wrong contents that are named.
const MISMATCHES: usize = 16;

/// When no further operation is started.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// After so many puts.
    Puts(u64),
    /// After this time.
    Time(Duration),
}

/// An operation in flight.
#[derive(Clone, Copy, Debug)]
struct InFlight {
    operation: ObjectOperation,
    object: Object,
    /// Index of the object that is read.
    read: Option<usize>,
}

/// State of a load.
pub(super) struct Driver {
    rng: Xoshiro256PlusPlus,
    sizes: ObjectSizes,
    prefixes: u32,
    /// Beginning of the names.
    keys: String,
    known: Known,
    in_flight: Vec<InFlight>,
    free: Vec<usize>,
    /// Rows of each endpoint.
    rows: Vec<Vec<ObjectRow>>,
    mismatches: Vec<ObjectMismatch>,
    next: u64,
    prepared: u64,
}

fn new_rows() -> Vec<ObjectRow> {
    ObjectOperation::ALL.map(ObjectRow::new).into()
}

impl Driver {
    pub(super) fn new(load: &ObjectLoad, run: &RunId, store: &dyn ObjectStore) -> Driver {
        let slots = store.slots();
        let endpoints = (0..slots).map(|slot| store.endpoint(slot)).max().unwrap_or(0) + 1;
        let none = InFlight { operation: ObjectOperation::List, object: Object::new(0, 0), read: None };
        Driver {
            rng: Xoshiro256PlusPlus::seed_from_u64(load.seed),
            sizes: load.sizes.clone(),
            prefixes: load.prefixes,
            keys: run.keys(load.place.prefix()),
            known: Known::default(),
            in_flight: vec![none; slots],
            free: (0..slots).rev().collect(),
            rows: vec![new_rows(); endpoints],
            mismatches: Vec::new(),
            next: 0,
            prepared: 0,
        }
    }

    /// Returns what was recorded since the last call, by endpoint.
    pub(super) fn take_rows(&mut self) -> Vec<Vec<ObjectRow>> {
        let fresh = vec![new_rows(); self.rows.len()];
        std::mem::replace(&mut self.rows, fresh)
    }

    /// Returns the first objects with wrong contents.
    pub(super) fn take_mismatches(&mut self) -> Vec<ObjectMismatch> {
        std::mem::take(&mut self.mismatches)
    }

    /// Returns the prefix of the names of object `number`: neighbours have different ones.
    fn spread(&self, number: u64) -> String {
        format!("{}{:04x}/", self.keys, number % u64::from(self.prefixes))
    }

    fn key(&self, number: u64) -> String {
        format!("{}{number:012}", self.spread(number))
    }

    fn choose(&mut self, mix: &ObjectMix) -> ObjectOperation {
        let weights = ObjectOperation::ALL.map(|operation| u64::from(mix.weight(operation)));
        let whole: u64 = weights.iter().sum();
        let mut at = (sizes::unit(&mut self.rng) * whole as f64) as u64;
        for (operation, weight) in ObjectOperation::ALL.into_iter().zip(weights) {
            if at < weight {
                return operation;
            }
            at -= weight;
        }
        ObjectOperation::List
    }

    /// Starts operations until the end and waits for those in flight.
    pub(super) fn run(
        &mut self,
        store: &mut dyn ObjectStore,
        mix: ObjectMix,
        until: Until,
        stopped: &dyn Fn() -> bool,
        progress: &mut dyn FnMut(&ObjectProgress),
    ) -> ObjectEnd {
        let begun = Instant::now();
        let mut said = begun;
        let (mut started, mut failures, mut end) = (0, 0, None);
        let most = FAILURES + 10 * self.in_flight.len();
        loop {
            while end.is_none() {
                let over = match until {
                    Until::Puts(count) => started >= count,
                    Until::Time(duration) => begun.elapsed() >= duration,
                };
                if over {
                    end = Some(ObjectEnd::Duration);
                    break;
                }
                let Some(slot) = self.free.pop() else { break };
                let operation = self.choose(&mix);
                let action = self.begin(slot, operation);
                store.start(slot, action);
                started += 1;
            }
            if end.is_some() && store.pending() == 0 {
                break;
            }
            // A signal ends the wait at once; the limit is for what is said in between.
            store.wait(Duration::from_millis(100));
            while let Some((slot, result)) = store.take() {
                match self.record(slot, store.endpoint(slot), result) {
                    None => failures = 0,
                    Some(error) => {
                        failures += 1;
                        if failures >= most && end.is_none() {
                            end = Some(ObjectEnd::Failures(format!("{}: {}", error.call, error.text)));
                        }
                    }
                }
                self.free.push(slot);
            }
            if end.is_none() && stopped() {
                end = Some(ObjectEnd::Signal);
            }
            if said.elapsed() >= Duration::from_millis(100) {
                said = Instant::now();
                self.say(matches!(until, Until::Puts(_)), begun, progress);
            }
        }
        end.unwrap_or(ObjectEnd::Duration)
    }

    fn say(&mut self, preparing: bool, begun: Instant, progress: &mut dyn FnMut(&ObjectProgress)) {
        if preparing {
            self.prepared = self.known.len() as u64;
        }
        let all = |of: fn(&ObjectRow) -> u64| self.rows.iter().flatten().map(of).sum();
        progress(&ObjectProgress {
            prepared: self.prepared,
            requests: if preparing { 0 } else { all(|row| row.requests + row.failed()) },
            bytes: if preparing { 0 } else { all(|row| row.bytes) },
            elapsed: (!preparing).then(|| begun.elapsed()),
        });
    }

    /// Returns the next operation of a kind; a put where nothing is there to be read or removed.
    fn begin(&mut self, slot: usize, operation: ObjectOperation) -> Action {
        let mut this = InFlight { operation, object: Object::new(0, 0), read: None };
        let action = match operation {
            ObjectOperation::Get | ObjectOperation::Stat => {
                self.known.begin_read(&mut self.rng).map(|index| {
                    let object = self.known.get(index);
                    (this.read, this.object) = (Some(index), object);
                    let key = self.key(object.number);
                    if operation == ObjectOperation::Get {
                        Action::Get(key, object)
                    } else {
                        Action::Stat(key)
                    }
                })
            }
            ObjectOperation::Delete => self.known.take(&mut self.rng).map(|object| {
                this.object = object;
                Action::Delete(self.key(object.number))
            }),
            ObjectOperation::List => {
                let any = self.rng.next_u64() >> 32;
                Some(Action::List { prefix: self.spread(any), most: LISTED, after: None })
            }
            ObjectOperation::Put => None,
        };
        let action = action.unwrap_or_else(|| {
            this.operation = ObjectOperation::Put;
            this.object = Object::new(self.next, sizes::draw(&self.sizes, &mut self.rng));
            self.next += 1;
            Action::Put(self.key(this.object.number), this.object)
        });
        self.in_flight[slot] = this;
        action
    }

    /// Records a completed operation; returns its error.
    fn record(
        &mut self,
        slot: usize,
        endpoint: usize,
        result: Result<Answer, StoreError>,
    ) -> Option<StoreError> {
        let this = self.in_flight[slot];
        if let Some(index) = this.read {
            self.known.end_read(index);
        }
        let row = self.rows[endpoint].iter_mut().find(|row| row.operation == this.operation)?;
        let answer = match result {
            Ok(answer) => answer,
            Err(error) => {
                row.fail(&error.kind);
                return Some(error);
            }
        };
        // An object that is read has the size and the contents with which it was written.
        let size = answer.size.filter(|size| *size != this.object.size);
        let differs = answer.differs.or_else(|| size.map(|size| size.min(this.object.size)));
        if let Some(offset) = differs {
            row.fail(if answer.differs.is_some() { "contents" } else { "size" });
            if self.mismatches.len() < MISMATCHES {
                let key = self.key(this.object.number);
                self.mismatches.push(ObjectMismatch { key, offset });
            }
            return None;
        }
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        row.requests += 1;
        if matches!(this.operation, ObjectOperation::Put | ObjectOperation::Get) {
            row.bytes += this.object.size;
        }
        row.first_byte.record(nanos(answer.timings.first_byte), 1);
        row.last_byte.record(nanos(answer.timings.last_byte), 1);
        if let Some(time) = answer.timings.server {
            row.server.record(nanos(time), 1);
        }
        row.connects += u64::from(answer.timings.connect.is_some());
        if this.operation == ObjectOperation::Put {
            self.known.add(this.object.number, this.object.size);
        }
        None
    }
}
