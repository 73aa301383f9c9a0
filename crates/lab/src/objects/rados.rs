//! Objects of a pool of Ceph.

use super::RadosLoad;
use super::run_id::RunId;
use super::store::{Action, Answer, Contents, ObjectStore, StoreError};
use ::objects::Timings;
use ::objects::request::Expected;
use engine::remote::RemoteError;
use engine::remote::ceph::ClusterTarget;
use engine::remote::rados_objects::RadosObjects;
use rustix::io::Errno;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

impl From<RemoteError> for StoreError {
    fn from(error: RemoteError) -> Self {
        let text = match &error {
            RemoteError::Refused { text, .. } => text.clone(),
            RemoteError::NoLibrary { .. } => error.to_string(),
        };
        StoreError {
            call: error.call(),
            kind: format!("{}: {}", error.call(), sys::errno::errno_text(error.errno())),
            text,
            missing: error.errno() == Errno::NOENT.raw_os_error(),
            unsupported: false,
        }
    }
}

/// Operation in a slot.
struct Slot {
    action: Action,
    begun: Instant,
}

/// Pool of Ceph.
pub(super) struct RadosStore {
    objects: RadosObjects,
    slots: Vec<Slot>,
    contents: Contents,
    run: String,
    done: VecDeque<(usize, Result<Answer, StoreError>)>,
    running: usize,
}

impl RadosStore {
    /// Opens the pool for `concurrency` operations in flight.
    pub(super) fn open(load: &RadosLoad, concurrency: usize) -> Result<RadosStore, StoreError> {
        let idle = || Slot { action: Action::Stat(String::new()), begun: Instant::now() };
        Ok(RadosStore {
            objects: RadosObjects::open(&ClusterTarget::default(), &load.pool, concurrency)?,
            slots: std::iter::repeat_with(idle).take(concurrency).collect(),
            contents: Contents::default(),
            run: String::new(),
            done: VecDeque::with_capacity(concurrency),
            running: 0,
        })
    }

    fn list(&self, prefix: &str, most: u32) -> Result<Answer, StoreError> {
        let mut names = Vec::new();
        self.objects.list(&mut |name| {
            if name.starts_with(prefix) {
                names.push(name.to_owned());
            }
            // The library lists in no order: a page would not tell where the next one begins.
            most > 1 || names.is_empty()
        })?;
        Ok(Answer { names, ..Answer::default() })
    }

    /// Returns the answer to a completed operation.
    fn answer(&self, slot: usize, result: Result<i32, RemoteError>) -> Result<Answer, StoreError> {
        let Slot { action, begun } = &self.slots[slot];
        let taken = begun.elapsed();
        let timings = Timings { first_byte: taken, last_byte: taken, ..Timings::default() };
        let mut answer = Answer { timings, ..Answer::default() };
        let read = match result {
            Ok(read) => read as usize,
            // The object carries no run.
            Err(error)
                if matches!(action, Action::Run(_)) && error.errno() == Errno::NODATA.raw_os_error() =>
            {
                return Ok(answer);
            }
            Err(error) => return Err(error.into()),
        };
        match action {
            Action::Get(_, object) => {
                let contents = self.objects.contents(slot, read);
                let start = Contents::begin(object.number);
                let expected = Expected { data: self.contents.data.clone(), start };
                answer.size = Some(read as u64);
                answer.differs = expected.first_difference(0, contents);
            }
            Action::Stat(_) => answer.size = Some(self.objects.size(slot)),
            Action::Run(_) => {
                let run = self.objects.contents(slot, read);
                answer.run = Some(String::from_utf8_lossy(run).into_owned());
            }
            Action::Put(..) | Action::Delete(_) | Action::List { .. } => {}
        }
        Ok(answer)
    }
}

impl ObjectStore for RadosStore {
    fn slots(&self) -> usize {
        self.slots.len()
    }

    fn set_contents(&mut self, contents: &Contents, run: &RunId) {
        self.contents = contents.clone();
        self.run = run.to_string();
    }

    fn start(&mut self, slot: usize, action: Action) {
        let begun = Instant::now();
        match &action {
            Action::Put(name, object) => {
                let start = Contents::begin(object.number);
                let contents = &self.contents.data[start..start + object.size as usize];
                self.objects.put(slot, name, contents, &self.run);
            }
            // One byte more, so that an object that is too large is seen.
            Action::Get(name, object) => self.objects.get(slot, name, object.size as usize + 1),
            Action::Stat(name) => self.objects.stat(slot, name),
            Action::Run(name) => self.objects.run_of(slot, name),
            Action::Delete(name) => self.objects.remove(slot, name),
            Action::List { prefix, most, .. } => {
                let result = self.list(prefix, *most);
                self.done.push_back((slot, result));
                return;
            }
        }
        self.running += 1;
        self.slots[slot] = Slot { action, begun };
    }

    fn wait(&mut self, limit: Duration) {
        if !self.done.is_empty() || self.running == 0 {
            return;
        }
        self.objects.wait(limit);
        while let Some((slot, result)) = self.objects.take() {
            self.running -= 1;
            let answer = self.answer(slot, result);
            self.done.push_back((slot, answer));
        }
    }

    fn take(&mut self) -> Option<(usize, Result<Answer, StoreError>)> {
        self.done.pop_front()
    }

    fn pending(&self) -> usize {
        self.running + self.done.len()
    }
}
