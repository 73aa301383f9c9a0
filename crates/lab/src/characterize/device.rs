//! The device that is characterized: single operations and streams on a real or simulated device, each with its times on
//! the clock of the device.

use super::CharacterizePart;
use super::meter::Meter;
use crate::held::HeldTarget;
use engine::aio::{Aio, AioOptions};
use engine::model::{Device, Model};
use engine::sync::{Calls, Plain, Sync};
use engine::uring::{Uring, UringFeatures, UringOptions};
use engine::{Arena, Clock, Completion, Engine, Kind, MachineClock, ModelClock, Op};
use run::wear::WriteAllowance;
use rustix::fd::OwnedFd;
use stats::characterize::EarlyEnd;
use std::cell::RefCell;
use std::os::fd::AsRawFd;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Largest number of operations in flight.
pub const DEPTH: u16 = 4;
/// Largest operation in bytes.
pub const LARGEST: u64 = 1 << 20;

/// Operations on a device, and its clock.
pub trait DeviceOperations {
    /// Returns the time in nanoseconds.
    fn now(&self) -> u64;
    /// Queues and submits operations.
    ///
    /// # Errors
    /// The errno of the engine; nothing was submitted.
    fn send(&mut self, ops: &[Op]) -> Result<(), i32>;
    /// Waits for at least one completion, and returns their number.
    ///
    /// # Errors
    /// The errno of the engine.
    fn reap(&mut self, out: &mut [Completion]) -> Result<usize, i32>;
    /// Discards a range.
    ///
    /// # Errors
    /// The errno of the device.
    fn discard(&mut self, offset: u64, bytes: u32) -> Result<(), i32>;
    /// Lets time pass.
    fn idle(&mut self, nanos: u64);
    /// Changes the contents of the next write of a slot.
    fn refresh(&mut self, slot: u16, bytes: u32);
}

/// A real device or file. The engine is dropped before the memory of its operations.
struct Real<E> {
    engine: E,
    trims: Sync<Calls<Plain<false>>>,
    clock: MachineClock,
    arena: Arena,
    writes: u64,
    _open: OwnedFd,
    _held: HeldTarget,
}

impl<E: Engine<Clock = MachineClock>> DeviceOperations for Real<E> {
    fn now(&self) -> u64 {
        self.clock.nanos(self.clock.now())
    }

    fn send(&mut self, ops: &[Op]) -> Result<(), i32> {
        self.engine.queue(ops);
        self.engine.submit().map_err(|dead| dead.errno)
    }

    fn reap(&mut self, out: &mut [Completion]) -> Result<usize, i32> {
        self.engine.reap(1, out).map_err(|dead| dead.errno)
    }

    fn discard(&mut self, offset: u64, bytes: u32) -> Result<(), i32> {
        let mut out = [Completion::default()];
        self.trims.queue(&[Op { offset, len: bytes, kind: Kind::Trim, ..Op::NONE }]);
        let done = self.trims.reap(1, &mut out).map_err(|dead| dead.errno)?;
        if done == 1 && out[0].res >= 0 { Ok(()) } else { Err(-out[0].res) }
    }

    fn idle(&mut self, nanos: u64) {
        // Short pauses are waited for on the clock: a sleep of the system overshoots.
        let until = self.now() + nanos;
        let sleep = nanos.saturating_sub(200_000);
        if sleep > 0 {
            std::thread::sleep(Duration::from_nanos(sleep));
        }
        while self.now() < until {
            std::hint::spin_loop();
        }
    }

    fn refresh(&mut self, slot: u16, bytes: u32) {
        self.writes += 1;
        // A drive that compresses or stores equal blocks once gets other data for each block.
        for (nth, page) in self.arena.words(slot, bytes as usize).chunks_mut(512).enumerate() {
            page[0] = self.writes.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ nth as u64;
        }
    }
}

/// A simulated device in virtual time.
struct Simulated {
    device: Rc<RefCell<Device>>,
    model: Model,
    clock: ModelClock,
}

impl DeviceOperations for Simulated {
    fn now(&self) -> u64 {
        self.clock.now()
    }

    fn send(&mut self, ops: &[Op]) -> Result<(), i32> {
        self.model.queue(ops);
        self.model.submit().map_err(|dead| dead.errno)
    }

    fn reap(&mut self, out: &mut [Completion]) -> Result<usize, i32> {
        loop {
            let done = self.model.reap(1, out).map_err(|dead| dead.errno)?;
            if done > 0 || !self.device.borrow().defers_answers() {
                return Ok(done);
            }
            let moment = self.model.moment();
            let due = self.device.borrow().next_decision().filter(|due| *due < moment);
            match due {
                Some(_) => {
                    let answer = self.device.borrow_mut().decide_next();
                    self.model.answer(answer.ok_or(libc_eio())?);
                }
                None => self.model.wake(),
            }
        }
    }

    fn discard(&mut self, offset: u64, bytes: u32) -> Result<(), i32> {
        self.send(&[Op { offset, len: bytes, kind: Kind::Trim, ..Op::NONE }])?;
        self.reap(&mut [Completion::default()]).map(drop)
    }

    fn idle(&mut self, nanos: u64) {
        self.clock.advance_to(self.clock.now().saturating_add(nanos));
    }

    fn refresh(&mut self, _: u16, _: u32) {}
}

fn libc_eio() -> i32 {
    rustix::io::Errno::IO.raw_os_error()
}

/// Device with counters of its traffic, and the limits of the measurement.
pub struct Bench {
    device: Box<dyn DeviceOperations>,
    /// Bytes read so far.
    pub read_bytes: u64,
    /// Bytes written so far.
    pub written_bytes: u64,
    /// Largest number of operations that the engine takes at a time.
    depth: u16,
    interrupt: Arc<AtomicUsize>,
    allowance: Option<Arc<WriteAllowance>>,
    meter: Arc<Meter>,
}

impl Bench {
    /// Returns a bench on a simulated device.
    pub fn simulated(device: Rc<RefCell<Device>>, interrupt: Arc<AtomicUsize>) -> Bench {
        let model = Model::new(device.clone(), usize::from(DEPTH), 0);
        let clock = model.clock();
        Bench::of(Box::new(Simulated { device, model, clock }), interrupt, None)
    }

    /// Returns a bench on an open file or device, which stays open and claimed as long as the bench exists.
    ///
    /// # Errors
    /// There is no memory for the operations.
    pub fn real(
        open: OwnedFd,
        held: HeldTarget,
        engine: &str,
        interrupt: Arc<AtomicUsize>,
        allowance: Option<Arc<WriteAllowance>>,
    ) -> std::io::Result<Bench> {
        let depth = usize::from(DEPTH);
        let mut arena = Arena::new(depth, LARGEST as usize)?;
        let mut state = 0x2545_f491_4f6c_dd1du64;
        for slot in 0..DEPTH {
            for word in arena.words(slot, LARGEST as usize) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                *word = state;
            }
        }
        let blocks = arena.blocks();
        let fd = open.as_raw_fd();
        let mut trims = Sync::calling(Plain::<false>::new(blocks), 1);
        let ready = |dead: engine::RingDead| std::io::Error::from_raw_os_error(dead.errno);
        trims.set_file(0, fd).map_err(ready)?;
        let clock = MachineClock::best();
        let device: Box<dyn DeviceOperations> = match engine {
            "io_uring" => {
                let features = UringFeatures::default();
                let options = UringOptions { fixed_buffers: false, fixed_files: false, features };
                let mut engine = Uring::<false>::new(blocks, depth, 1, options)?;
                engine.set_file(0, fd).map_err(ready)?;
                Box::new(Real { engine, trims, clock, arena, writes: 0, _open: open, _held: held })
            }
            "libaio" => {
                let mut engine = Aio::<false>::new(blocks, depth, 1, AioOptions::default())?;
                engine.set_file(0, fd).map_err(ready)?;
                Box::new(Real { engine, trims, clock, arena, writes: 0, _open: open, _held: held })
            }
            _ => {
                let mut engine = Sync::calling(Plain::<false>::new(blocks), 1);
                engine.set_file(0, fd).map_err(ready)?;
                Box::new(Real { engine, trims, clock, arena, writes: 0, _open: open, _held: held })
            }
        };
        let mut bench = Bench::of(device, interrupt, allowance);
        if !matches!(engine, "io_uring" | "libaio") {
            bench.depth = 1;
        }
        Ok(bench)
    }

    /// Returns a bench on these operations.
    pub fn of(
        device: Box<dyn DeviceOperations>,
        interrupt: Arc<AtomicUsize>,
        allowance: Option<Arc<WriteAllowance>>,
    ) -> Bench {
        Bench {
            device,
            read_bytes: 0,
            written_bytes: 0,
            depth: DEPTH,
            interrupt,
            allowance,
            meter: Arc::default(),
        }
    }

    /// Returns the time of the device in nanoseconds.
    pub fn now(&self) -> u64 {
        self.device.now()
    }

    /// Lets `meter` count all operations from now on.
    pub(super) fn count_in(&mut self, meter: Arc<Meter>) {
        self.meter = meter;
    }

    /// Says that `done`, a share from 0 to 1, of a part is done.
    pub(super) fn part(&self, part: CharacterizePart, done: f64) {
        self.meter.part(part, done);
    }

    fn go_on(&self) -> Result<(), EarlyEnd> {
        if self.interrupt.load(Relaxed) == 0 { Ok(()) } else { Err(EarlyEnd::Interrupted) }
    }

    /// Reads one block and returns its latency in nanoseconds.
    ///
    /// # Errors
    /// The read failed, or the user interrupted.
    pub fn read(&mut self, offset: u64, bytes: u32) -> Result<f64, EarlyEnd> {
        let begin = self.device.now();
        let end = self.stream(Kind::Read, (offset, u64::from(bytes)), bytes, 1)?;
        Ok(end.last().map_or(0, |end| end.saturating_sub(begin)) as f64)
    }

    /// Reads or writes a range in order, in blocks of `block` bytes with `depth` operations in flight. Returns the
    /// completion times in nanoseconds.
    ///
    /// # Errors
    /// An operation failed, the user interrupted, or the budget of writes is used up.
    pub fn stream(
        &mut self,
        kind: Kind,
        (offset, bytes): (u64, u64),
        block: u32,
        depth: u16,
    ) -> Result<Vec<u64>, EarlyEnd> {
        let count = (bytes / u64::from(block)) as usize;
        let depth = depth.clamp(1, self.depth);
        self.meter.depth(u32::from(depth));
        let began = self.device.now();
        let mut sent_at = [0u64; DEPTH as usize];
        let mut free: Vec<u16> = (0..depth).rev().collect();
        let mut places = [0u64; DEPTH as usize];
        let mut ends = Vec::with_capacity(count);
        let mut out = [Completion::default(); DEPTH as usize];
        let (mut sent, mut failed) = (0usize, None);
        while ends.len() < count {
            if failed.is_none() && sent.is_multiple_of(64) {
                failed = self.go_on().err();
            }
            while failed.is_none()
                && sent < count
                && let Some(slot) = free.pop()
            {
                let place = offset + sent as u64 * u64::from(block);
                if kind == Kind::Write {
                    let fits = self.allowance.as_ref().is_none_or(|a| a.take(u64::from(block)));
                    if !fits {
                        failed = Some(EarlyEnd::WearBudget);
                        free.push(slot);
                        break;
                    }
                    self.device.refresh(slot, block);
                }
                places[usize::from(slot)] = place;
                sent += 1;
                sent_at[usize::from(slot)] = if sent == 1 { began } else { self.device.now() };
                let op = Op { slot, offset: place, len: block, kind, ..Op::NONE };
                self.device.send(&[op]).map_err(|errno| EarlyEnd::Failed { errno, offset: place })?;
            }
            if free.len() == usize::from(depth) {
                break;
            }
            let done = self.device.reap(&mut out).map_err(|errno| EarlyEnd::Failed { errno, offset })?;
            let now = self.device.now();
            // A stream may take minutes.
            self.meter.clock(now);
            for Completion { slot, res } in &out[..done] {
                let place = places[usize::from(*slot)];
                match u32::try_from(*res) {
                    Ok(moved) if moved == block => {
                        ends.push(now);
                        let sent_at = sent_at[usize::from(*slot)];
                        self.meter.completed(kind, u64::from(block), now.saturating_sub(sent_at));
                        match kind {
                            Kind::Write => self.written_bytes += u64::from(block),
                            _ => self.read_bytes += u64::from(block),
                        }
                    }
                    Ok(_) => _ = failed.get_or_insert(EarlyEnd::Failed { errno: libc_eio(), offset: place }),
                    Err(_) => _ = failed.get_or_insert(EarlyEnd::Failed { errno: -res, offset: place }),
                }
                free.push(*slot);
            }
            if failed.is_some() && free.len() == usize::from(depth) {
                break;
            }
        }
        if let Some(end) = ends.last() {
            self.meter.clock(*end);
            let moved = ends.len() as u64 * u64::from(block);
            self.meter.took(kind, ends.len(), moved, end.saturating_sub(began));
        }
        failed.map_or(Ok(ends), Err)
    }

    /// Discards a range in pieces. Returns false if the device cannot discard.
    ///
    /// # Errors
    /// The user interrupted.
    pub fn discard(&mut self, offset: u64, bytes: u64) -> Result<bool, EarlyEnd> {
        const PIECE: u64 = 64 << 20;
        let mut at = 0;
        while at < bytes {
            self.go_on()?;
            let piece = PIECE.min(bytes - at);
            if self.device.discard(offset + at, piece as u32).is_err() {
                return Ok(false);
            }
            at += piece;
        }
        Ok(true)
    }

    /// Lets the device rest for `seconds`.
    ///
    /// # Errors
    /// The user interrupted.
    pub fn idle(&mut self, seconds: f64) -> Result<(), EarlyEnd> {
        const LOOK: f64 = 0.05;
        let mut left = seconds;
        while left > 0.0 {
            self.go_on()?;
            let part = left.min(LOOK);
            self.device.idle((part * 1e9) as u64);
            self.meter.clock(self.device.now());
            left -= part;
        }
        Ok(())
    }
}
