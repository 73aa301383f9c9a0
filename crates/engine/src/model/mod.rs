//! The simulated device: k servers, one queue and a service-time distribution, in virtual time. The completion times
//! follow known distributions, so that conclusions from a run can be checked.

mod admission;
mod ftl;
mod law;
mod read_cache;
mod surface;
#[cfg(test)]
mod tests;
mod zones;

use crate::{Clock, Completion, Engine, Kind, ModelClock, Op, RingDead, Ticks};
use admission::{Admission, SlcCache, WriteCache};
pub use ftl::{FlashCounters, FlashRules, Ftl, MOST_PAGES, SPARE_BLOCKS};
pub use law::{Cache, Disk, Law, Laws, Memory, ReadCacheRules, Slc, Surface, ZoneRules};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use read_cache::ReadCache;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;
pub use zones::Zones;

/// The device, shared by all workers of a plan that use it.
///
/// In most configurations, requests are served first come, first served, and the completion time is known when a
/// request arrives. With a head that serves the cheapest request next, or servers that slow each other down, the
/// completion time depends on later arrivals: such requests wait in `queue` until a [decision](Device::decide_next).
/// Decisions are taken in order of time, on the requests that have arrived by then.
#[derive(Debug)]
pub struct Device {
    laws: Laws,
    /// Whether the device has servers and a service time, and no further behaviour such as caps or caches.
    plain: bool,
    /// Times at which servers become free: of all servers, or only of the busy ones if completions are deferred.
    free_at: BinaryHeap<Reverse<Ticks>>,
    random: Xoshiro256PlusPlus,
    admission: Admission,
    cache: Option<WriteCache>,
    written: u64,
    head: u64,
    /// Waiting requests in the order of their admission.
    queue: VecDeque<Request>,
    /// Time of the last decision.
    last_decision: Ticks,
    /// Number of decisions for other requests since the first request of the queue began to wait.
    passed: u32,
    /// Write pointers of a zoned device.
    zones: Option<Zones>,
    /// Flash of an SSD.
    flash: Option<Ftl>,
    slc: Option<Box<SlcCache>>,
    read_cache: Option<Box<ReadCache>>,
}

/// Multiple of the disk's queue length: number of requests that a disk may serve before the first of its queue.
const PATIENCE: u32 = 8;

/// A request that waits for a decision.
#[derive(Clone, Copy, Debug)]
struct Request {
    /// Time of its admission in nanoseconds.
    ready: Ticks,
    /// Offset of the request on the device in bytes.
    place: u64,
    bytes: u64,
    worn: bool,
    /// Time in nanoseconds of the flash.
    flash: Ticks,
    worker: usize,
    slot: u16,
}

/// The completion of a request that waited for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Index of the worker that sent the request.
    pub worker: usize,
    due: Ticks,
    slot: u16,
    res: i32,
}

impl Device {
    /// Returns a device in the state of `memory`, with no I/O in flight.
    pub fn new(laws: Laws, seed: u64, memory: Memory) -> Rc<RefCell<Self>> {
        let servers = if laws.decides_at_once() { laws.servers.max(1) } else { 0 };
        Rc::new(RefCell::new(Self {
            plain: laws == Laws::of(laws.servers, laws.law.clone()),
            free_at: (0..servers).map(|_| Reverse(0)).collect(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            admission: Admission::new(&laws, &memory),
            cache: laws.cache.map(|cache| WriteCache::new(cache, &memory)),
            written: memory.written,
            head: memory.head,
            queue: VecDeque::new(),
            last_decision: 0,
            passed: 0,
            zones: laws.zones.map(Zones::new),
            flash: None,
            slc: laws.slc.map(|slc| Box::new(SlcCache::new(slc, &memory))),
            read_cache: laws.read_cache.map(|rules| Box::new(ReadCache::new(rules))),
            laws,
        }))
    }

    /// Returns the state of the device at `now`; no I/O may be in flight.
    pub fn memory(&self, now: Ticks) -> Memory {
        Memory {
            at: now,
            spent: self.admission.spent(now),
            cached: self
                .cache
                .as_ref()
                .map_or_else(|| self.slc.as_ref().map_or(0, |slc| slc.bytes(now)), |cache| cache.bytes(now)),
            written: self.written,
            head: self.head,
        }
    }

    /// Returns the zones of a zoned device with their counters.
    pub fn zones(&self) -> Option<&Zones> {
        self.zones.as_ref()
    }

    /// Makes the device an SSD: requests take the time of `flash`, a new one or that of an earlier run, in addition to
    /// their service time.
    pub fn insert_flash(&mut self, flash: Ftl) {
        (self.flash, self.plain) = (Some(flash), false);
    }

    /// Takes the flash of an SSD out of the device, with its data and counters.
    pub fn take_flash(&mut self) -> Option<Ftl> {
        self.flash.take()
    }

    /// Returns whether completion times depend on later arrivals, so that decisions have to be taken.
    pub fn defers_answers(&self) -> bool {
        !self.laws.decides_at_once()
    }

    /// Returns the completion time of a request that arrives at `arrival`; `None` if the request waits for a
    /// decision.
    #[inline]
    fn serve(&mut self, arrival: Ticks, op: &Op, place: u64, worker: usize) -> Option<Ticks> {
        if self.plain {
            let service = self.laws.law.draw(self.random.next_u64());
            return Some(self.by_next_server(arrival, |_, start| start.saturating_add(service.max(1))));
        }
        self.serve_by_laws(arrival, op, place, worker)
    }

    #[inline]
    fn by_next_server(&mut self, ready: Ticks, done: impl FnOnce(&mut Self, Ticks) -> Ticks) -> Ticks {
        let free = self.free_at.peek().map_or(0, |Reverse(free)| *free);
        let done = done(self, free.max(ready));
        if let Some(mut next) = self.free_at.peek_mut() {
            next.0 = done;
        }
        done
    }

    fn serve_by_laws(&mut self, arrival: Ticks, op: &Op, place: u64, worker: usize) -> Option<Ticks> {
        let bytes = u64::from(op.len - op.done);
        let mut ready = self.admission.admit(arrival, bytes);
        let mut worn = false;
        match op.kind {
            Kind::Read => {
                if let Some((share, nanos)) = self.laws.hit
                    && unit(self.random.next_u64()) < share
                {
                    return Some(self.awake(ready, nanos));
                }
                if let (Some(cache), Some(rules)) = (&mut self.read_cache, self.laws.read_cache)
                    && cache.touch(place.saturating_add(u64::from(op.done)), bytes)
                {
                    return Some(self.awake(ready, rules.nanos));
                }
            }
            Kind::Write => {
                self.written = self.written.saturating_add(bytes);
                worn = self.laws.cliff.is_some_and(|(most, _)| self.written > most);
                let slower = self.slower(worn);
                if let Some(cache) = &mut self.cache {
                    let (room, nanos) = cache.take(ready, bytes, slower);
                    return Some(self.awake(room, nanos));
                }
                if let Some(slc) = &mut self.slc {
                    ready = slc.take(ready, bytes);
                }
            }
            _ => {}
        }
        let flash = self.flash_time(op.kind, place.saturating_add(u64::from(op.done)), bytes);
        if self.defers_answers() {
            self.queue.push_back(Request { ready, place, bytes, worn, flash, worker, slot: op.slot });
            return None;
        }
        Some(
            self.by_next_server(ready, |device, start| {
                device.done(start, (place, bytes), worn, flash as f64, 0)
            }),
        )
    }

    /// Returns the time in nanoseconds that the flash of an SSD takes for a request, which it performs in the order of
    /// arrival.
    fn flash_time(&mut self, kind: Kind, place: u64, bytes: u64) -> Ticks {
        let Some(flash) = &mut self.flash else { return 0 };
        match kind {
            Kind::Read => flash.read(place, bytes),
            Kind::Write => flash.write(place, bytes),
            Kind::Trim => {
                flash.trim(place, bytes);
                0
            }
            _ => 0,
        }
    }

    /// Returns the time of the next decision; `None` if no request waits for a decision. Every request that arrives
    /// by then, that time included, has to be queued before the decision is taken.
    pub fn next_decision(&self) -> Option<Ticks> {
        // Servers that became free at the last decision cannot serve earlier than that.
        let first = self.queue.front()?.ready.max(self.last_decision);
        match self.free_at.peek() {
            Some(Reverse(free)) if self.free_at.len() >= self.laws.servers.max(1) as usize => {
                Some(first.max(*free))
            }
            _ => Some(first),
        }
    }

    /// Takes the next decision and returns the completion of the request that is served.
    pub fn decide_next(&mut self) -> Option<Answer> {
        let now = self.next_decision()?;
        while self.free_at.peek().is_some_and(|Reverse(free)| *free <= now) {
            self.free_at.pop();
        }
        self.last_decision = now;
        let here = self.queue.partition_point(|request| request.ready <= now);
        let waiting = (here + self.free_at.len()).saturating_sub(self.laws.servers.max(1) as usize);
        let (next, nanos) = self.cheapest(here, now);
        self.passed = if next == 0 { 0 } else { self.passed + 1 };
        let Request { place, bytes, worn, flash, worker, slot, .. } = self.queue.remove(next)?;
        if bytes > 0 {
            self.head = place.saturating_add(bytes);
        }
        let due = self.done(now, (place, bytes), worn, nanos + flash as f64, waiting);
        self.free_at.push(Reverse(due));
        Some(Answer { worker, due, slot, res: bytes as i32 })
    }

    /// Returns the index of the request served next among the first `requests`, and the nanoseconds that the head
    /// needs to reach it.
    fn cheapest(&mut self, requests: usize, now: Ticks) -> (usize, f64) {
        let Some(disk) = self.laws.disk else { return (0, 0.0) };
        let mut best = (0, f64::INFINITY);
        // As in a real disk, no request waits without limit while requests near the head are served.
        let look = if self.passed >= PATIENCE.saturating_mul(disk.queue) { 1 } else { disk.queue.max(1) };
        for (at, request) in self.queue.iter().take(requests.min(look as usize)).enumerate() {
            // A sync moves no data, and the head stays.
            if request.place == self.head || request.bytes == 0 {
                return (at, 0.0);
            }
            let stroke = request.place.abs_diff(self.head) as f64 / disk.size.max(1) as f64;
            let root = stroke.min(1.0).sqrt();
            let nanos = match self.laws.surface {
                Some(surface) => {
                    let angle = |place| surface.angle(place, surface.size, disk.rotation);
                    let ((here, _), (there, at)) = (angle(self.head), angle(request.place));
                    let settle = surface.settle.min(disk.seek) as f64;
                    let seek = if here == there { 0.0 } else { settle + (disk.seek as f64 - settle) * root };
                    let turns = (now as f64 + seek) / disk.rotation.max(1) as f64;
                    seek + disk.rotation as f64 * (at - turns).rem_euclid(1.0)
                }
                // The platter rotates meanwhile: its position is random at each decision.
                None => disk.seek as f64 * root + disk.rotation as f64 * unit(self.random.next_u64()),
            };
            if nanos < best.1 {
                best = (at, nanos);
            }
        }
        // Of adjacent requests the first is served first, and the others follow without a seek.
        while let Some(at) = self.queue.get(best.0).and_then(|next| {
            let first = |r: &Request| r.bytes > 0 && r.place.checked_add(r.bytes) == Some(next.place);
            self.queue.iter().take(requests.min(look as usize)).position(first)
        }) {
            best.0 = at;
        }
        best
    }

    /// Returns the end of a service that starts at `start` and takes `nanos` nanoseconds in addition to the drawn
    /// service time, while `waiting` other requests wait.
    fn done(
        &mut self,
        start: Ticks,
        (place, bytes): (u64, u64),
        worn: bool,
        nanos: f64,
        waiting: usize,
    ) -> Ticks {
        let mut service = self.laws.law.draw(self.random.next_u64()) as f64 + nanos;
        if let Some(surface) = self.laws.surface {
            service += bytes as f64 * 1e9 / surface.zone(place, surface.size).0;
        } else if let Some(transfer) = self.laws.transfer {
            service += bytes as f64 * 1e9 / transfer.get() as f64;
        }
        service *= self.slower(worn);
        service *= 1.0 + self.laws.drift * start as f64 / 1e9;
        service *= 1.0 + self.laws.contention * waiting as f64;
        service /= self.laws.step.filter(|(from, _)| *from <= start).map_or(1.0, |(_, share)| share);
        self.awake(start, service.round() as Ticks)
    }

    fn slower(&self, worn: bool) -> f64 {
        self.laws.cliff.filter(|_| worn).map_or(1.0, |(_, factor)| factor)
    }

    /// Returns the end of `nanos` of work that start at `start`, including stalls.
    fn awake(&self, start: Ticks, nanos: Ticks) -> Ticks {
        let nanos = nanos.max(1);
        let Some((every, lasts)) = self.laws.stall else { return start.saturating_add(nanos) };
        let works = every.saturating_sub(lasts).max(1);
        // Both times exclude stalls. A service that ends exactly when a stall begins is not delayed by the stall.
        let worked = start / every * works + (start % every).min(works);
        let last = worked.saturating_add(nanos - 1);
        (last / works).saturating_mul(every).saturating_add(last % works + 1)
    }
}

/// Returns a number in 0..1 from 53 of the random bits.
fn unit(random: u64) -> f64 {
    (random >> 11) as f64 / (1u64 << 53) as f64
}

/// The engine of one worker on a simulated device.
#[derive(Debug)]
pub struct Model {
    device: Rc<RefCell<Device>>,
    clock: ModelClock,
    in_flight: BinaryHeap<Reverse<(Ticks, u16, i32)>>,
    worker: usize,
    /// Offset of each file on the device.
    places: Vec<u64>,
    deferred: bool,
    /// Number of completions that the worker waits for, while their times are not known yet; 0 if the worker does not
    /// wait.
    waits: usize,
    /// Time at which the wait ends at the latest.
    until: Ticks,
    /// CPU time in nanoseconds that the worker needs per I/O; `spent` is the total so far.
    cpu: Ticks,
    spent: Ticks,
    /// Operations that were set up and have not arrived at the device yet, because other workers may be earlier.
    set_up: Vec<Op>,
    moved: bool,
}

impl Model {
    /// Returns an engine for at most `depth` operations in flight, whose clock starts at `begin`.
    pub fn new(device: Rc<RefCell<Device>>, depth: usize, begin: Ticks) -> Self {
        let deferred = device.borrow().defers_answers();
        Self {
            device,
            clock: ModelClock::at(begin),
            in_flight: BinaryHeap::with_capacity(depth),
            worker: 0,
            places: Vec::new(),
            deferred,
            waits: 0,
            until: Ticks::MAX,
            cpu: 0,
            spent: 0,
            set_up: Vec::new(),
            moved: false,
        }
    }

    /// Returns the engine with the index of its worker and the offsets of the worker's files on the device, in bytes.
    pub fn of_worker(self, worker: usize, places: Vec<u64>) -> Self {
        Self { worker, places, ..self }
    }

    /// Returns the engine with the CPU time in nanoseconds that the setup of an I/O takes.
    pub fn on_cpu(self, cpu: Ticks) -> Self {
        Self { cpu, ..self }
    }

    /// Returns the CPU time used so far, in nanoseconds.
    pub fn cpu_spent(&self) -> Ticks {
        self.spent
    }

    /// Returns the time of the worker's next action, as far as it is known. The driver steps the worker with the
    /// earliest time, after all decisions of devices that are due before.
    pub fn moment(&self) -> Ticks {
        match self.waits {
            0 => self.clock.now(),
            1 => self.in_flight.peek().map_or(self.until, |Reverse((due, ..))| (*due).min(self.until)),
            // Only jobs with `iodepth_batch_complete_min` wait for several completions.
            several => {
                let mut dues: Vec<Ticks> = self.in_flight.iter().map(|Reverse((due, ..))| *due).collect();
                dues.sort_unstable();
                dues.get(several - 1).copied().unwrap_or(Ticks::MAX)
            }
        }
    }

    /// Ends the wait and advances the clock to the time of [`Model::moment`].
    pub fn wake(&mut self) {
        if self.waits > 0 {
            self.clock.advance_to(self.moment());
            self.waits = 0;
        }
    }

    /// Adds a completion of the device, which is reaped from its completion time on.
    pub fn answer(&mut self, answer: Answer) {
        self.in_flight.push(Reverse((answer.due, answer.slot, answer.res)));
    }

    #[inline]
    fn arrive(&mut self, ops: &[Op]) {
        let now = self.clock.now();
        let mut device = self.device.borrow_mut();
        for op in ops {
            let file = self.places.get(op.file as usize).copied().unwrap_or(0);
            if let Some(zones) = &mut device.zones
                && !zones.accepts(op, file.saturating_add(op.offset))
            {
                self.in_flight.push(Reverse((now + 1, op.slot, -libc::EIO)));
                continue;
            }
            if let Some(due) = device.serve(now, op, file.saturating_add(op.offset), self.worker) {
                self.in_flight.push(Reverse((due, op.slot, (op.len - op.done) as i32)));
            }
        }
    }

    /// Passes the operations that were set up to the device, once the clocks of all other workers have reached this
    /// time.
    fn hand_over(&mut self) {
        let ops = std::mem::take(&mut self.set_up);
        self.arrive(&ops);
        self.set_up = ops;
        self.set_up.clear();
    }

    #[inline(never)]
    fn spend(&mut self, ops: &[Op]) {
        self.hand_over();
        let nanos = self.cpu.saturating_mul(ops.len() as u64);
        self.spent = self.spent.saturating_add(nanos);
        self.clock.advance_to(self.clock.now().saturating_add(nanos));
        self.set_up.extend_from_slice(ops);
        self.moved = true;
    }

    /// Returns whether `min` operations have completed; if not, the worker waits for them.
    fn has_answers(&mut self, min: usize) -> bool {
        let now = self.clock.now();
        let due = match min {
            0 => true,
            1 => self.in_flight.peek().is_some_and(|Reverse((due, ..))| *due <= now),
            _ => self.in_flight.iter().filter(|Reverse((due, ..))| *due <= now).count() >= min,
        };
        (self.waits, self.until) = (if due { 0 } else { min }, Ticks::MAX);
        due
    }
}

impl Engine for Model {
    type Clock = ModelClock;
    const SYNC: bool = false;
    const TRIMS_IN_CALL: bool = false;

    fn clock(&self) -> ModelClock {
        self.clock.clone()
    }

    fn queue(&mut self, ops: &[Op]) {
        if self.cpu > 0 {
            return self.spend(ops);
        }
        self.arrive(ops);
    }

    fn submit(&mut self) -> Result<(), RingDead> {
        Ok(())
    }

    fn manage_zone(&mut self, file: u32, offset: u64, finish: bool) {
        let file = self.places.get(file as usize).copied().unwrap_or(0);
        if let Some(zones) = &mut self.device.borrow_mut().zones {
            zones.manage(file.saturating_add(offset), finish);
        }
    }

    fn write_pointer(&self, file: u32, offset: u64) -> Option<u64> {
        let file = self.places.get(file as usize).copied().unwrap_or(0);
        let device = self.device.borrow();
        device.zones.as_ref().map(|zones| zones.write_pointer(file.saturating_add(offset)) - file)
    }

    /// Returns no completion if other workers have to act first; the driver calls again.
    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        if self.cpu > 0 {
            if std::mem::take(&mut self.moved) {
                return Ok(0);
            }
            self.hand_over();
        }
        if self.deferred && !self.has_answers(min) {
            return Ok(0);
        }
        let mut n = 0;
        while n < out.len() {
            let Some(Reverse((due, slot, res))) = self.in_flight.peek().copied() else { break };
            if due > self.clock.now() {
                if n >= min {
                    break;
                }
                self.clock.advance_to(due);
            }
            self.in_flight.pop();
            out[n] = Completion { slot, res };
            n += 1;
        }
        Ok(n)
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.reap(0, out)?;
        // With CPU time per I/O, the worker is called again first: the operations that were set up have arrived by
        // then.
        if n > 0 || self.cpu > 0 && !self.set_up.is_empty() {
            return Ok(n);
        }
        let until = self.clock.now().saturating_add(nanos);
        if self.deferred {
            if !self.has_answers(1) {
                self.until = until;
            }
            return Ok(0);
        }
        match self.in_flight.peek() {
            Some(Reverse((due, ..))) if *due <= until => self.reap(1, out),
            _ => {
                self.clock.advance_to(until);
                Ok(0)
            }
        }
    }
}
