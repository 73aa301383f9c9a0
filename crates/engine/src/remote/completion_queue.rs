//! Completions that a library delivers on its own threads, handed over to the worker that waits for them.

use crate::Completion;
use rustix::thread::futex;
use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Value of the head of the list: no completion is in it.
const EMPTY: u32 = u32::MAX;
/// Value of the head of the list: no completion is in it, and the worker sleeps until one is.
const WAITING: u32 = u32::MAX - 1;
/// Longest wait in one call. With a limit, the wait ends with EINTR after a signal even if its handler restarts calls.
const LONGEST: Duration = Duration::from_secs(3600);
/// Time after which a worker that polls without sleeping returns to its caller, which may have been asked to stop.
const SPIN: Duration = Duration::from_millis(50);

/// Completions of one worker. Threads of the library push them into a list of slots without a lock; only a worker that
/// sleeps is woken by a system call.
#[derive(Debug)]
pub(crate) struct CompletionQueue {
    /// Slot that was completed last, or [`EMPTY`] or [`WAITING`]; boxed, because the library's threads hold its address.
    head: Box<AtomicU32>,
    /// Places by slot; boxed for the same reason.
    places: Box<[Place]>,
    /// Results of operations by slot that the library reports as 0: the bytes of a write or a trim.
    bytes: Box<[i32]>,
    /// Completions taken from the list and not reaped yet, the oldest last.
    ready: Vec<Completion>,
    in_flight: usize,
    spins: bool,
    failed: Option<Completion>,
}

/// Place of the completion of one slot.
#[derive(Debug)]
pub(crate) struct Place {
    head: *const AtomicU32,
    /// Slot that was completed before this one.
    next: AtomicU32,
    res: AtomicI32,
    slot: u16,
}

impl CompletionQueue {
    /// Returns the queue for operations in `slots` slots; with `spins`, the worker polls instead of sleeping.
    pub fn new(slots: usize, spins: bool) -> Self {
        let head = Box::new(AtomicU32::new(EMPTY));
        let place = |slot| Place {
            head: std::ptr::from_ref(&*head),
            next: AtomicU32::new(EMPTY),
            res: AtomicI32::new(0),
            slot: slot as u16,
        };
        Self {
            places: (0..slots).map(place).collect(),
            head,
            bytes: vec![0; slots].into(),
            ready: Vec::with_capacity(slots),
            in_flight: 0,
            spins,
            failed: None,
        }
    }

    /// Notes that an operation of this slot is about to be submitted, and returns the argument of its callback. A result
    /// of 0 is replaced by `bytes`.
    #[inline(always)]
    pub fn begin(&mut self, slot: u16, bytes: u32) -> *mut c_void {
        self.in_flight += 1;
        self.bytes[usize::from(slot)] = bytes as i32;
        std::ptr::from_ref(&self.places[usize::from(slot)]).cast_mut().cast()
    }

    /// Adds the completion of an operation that the library did not accept: its callback is not called.
    #[cold]
    pub fn refuse(&mut self, slot: u16, res: i32) {
        self.in_flight -= 1;
        self.answer(slot, res);
    }

    /// Adds the completion of an operation that was not submitted.
    #[cold]
    pub fn answer(&mut self, slot: u16, res: i32) {
        let completion = Completion { slot, res };
        if res < 0 {
            self.failed = Some(completion);
        }
        self.ready.insert(0, completion);
    }

    /// Returns the number of operations whose completions were not reaped yet.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Returns an operation that failed since the last call.
    #[inline(always)]
    pub fn take_failed(&mut self) -> Option<Completion> {
        self.failed.take()
    }

    /// Waits for `min` completions as [`crate::Engine::reap`]; returns the number of filled entries of `out`.
    #[inline(always)]
    pub fn reap(&mut self, min: usize, out: &mut [Completion]) -> usize {
        let min = min.min(out.len());
        let mut n = 0;
        loop {
            n += self.deliver(&mut out[n..]);
            if n >= min || self.in_flight == 0 || !self.wait(LONGEST) {
                return n;
            }
        }
    }

    /// Waits for one completion, for `nanos` nanoseconds at most.
    pub fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> usize {
        let n = self.deliver(out);
        if n > 0 || nanos == 0 || self.in_flight == 0 || !self.wait(Duration::from_nanos(nanos)) {
            return n;
        }
        self.deliver(out)
    }

    /// Waits until the only operation in flight is complete, for `limit` at most; returns its result, `None` if it is
    /// not complete. Signals do not end the wait.
    pub fn wait_for_one(&mut self, limit: Duration) -> Option<i32> {
        let end = Instant::now() + limit.min(LONGEST);
        let mut out = [Completion::default()];
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if self.reap_within(left.as_nanos() as u64, &mut out) > 0 {
                return Some(out[0].res);
            }
            if left.is_zero() || self.in_flight == 0 {
                return None;
            }
        }
    }

    #[inline(always)]
    fn deliver(&mut self, out: &mut [Completion]) -> usize {
        let mut n = 0;
        while n < out.len() {
            if self.ready.is_empty() && !self.take() {
                break;
            }
            while n < out.len()
                && let Some(completion) = self.ready.pop()
            {
                out[n] = completion;
                n += 1;
            }
        }
        n
    }

    /// Takes the list of completions; returns false if it is empty.
    #[inline(always)]
    fn take(&mut self) -> bool {
        if self.head.load(Ordering::Relaxed) == EMPTY {
            return false;
        }
        let mut slot = self.head.swap(EMPTY, Ordering::Acquire);
        if slot == EMPTY {
            return false;
        }
        while slot != EMPTY {
            let place = &self.places[slot as usize];
            let mut res = place.res.load(Ordering::Relaxed);
            if res <= 0 {
                if res == 0 {
                    res = self.bytes[slot as usize];
                } else {
                    self.failed = Some(Completion { slot: slot as u16, res });
                }
            }
            self.ready.push(Completion { slot: slot as u16, res });
            slot = place.next.load(Ordering::Relaxed);
        }
        self.in_flight -= self.ready.len();
        true
    }

    /// Waits until the list has a completion; returns false if none came within `limit`, or before a signal.
    fn wait(&self, limit: Duration) -> bool {
        if self.spins {
            let begin = Instant::now();
            let limit = limit.min(SPIN);
            while self.head.load(Ordering::Relaxed) == EMPTY {
                std::hint::spin_loop();
                if begin.elapsed() >= limit {
                    return false;
                }
            }
            return true;
        }
        if self.head.compare_exchange(EMPTY, WAITING, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return true;
        }
        let limit = limit.min(LONGEST);
        let time = futex::Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: limit.subsec_nanos().into() };
        // The result does not matter: the head says whether a completion came.
        let _ = futex::wait(&self.head, futex::Flags::PRIVATE, WAITING, Some(&time));
        self.head.compare_exchange(WAITING, EMPTY, Ordering::Relaxed, Ordering::Relaxed).is_err()
    }
}

impl Drop for CompletionQueue {
    fn drop(&mut self) {
        if self.in_flight > 0 {
            // The library may still call back.
            let _ = Box::leak(std::mem::replace(&mut self.head, Box::new(AtomicU32::new(EMPTY))));
            let _ = Box::leak(std::mem::take(&mut self.places));
        }
    }
}

impl Place {
    /// Hands the result of an operation over to its worker. Called once for each operation, on a thread of the library.
    ///
    /// # Safety
    /// `argument` was returned by [`CompletionQueue::begin`] for this operation.
    #[inline(always)]
    pub unsafe fn complete(argument: *mut c_void, res: i32) {
        // SAFETY: the queue keeps its places as long as an operation is in flight, and this one is until the exchange
        // below.
        let place = unsafe { &*argument.cast::<Place>() };
        place.res.store(res, Ordering::Relaxed);
        let (head, slot) = (place.head, u32::from(place.slot));
        // SAFETY: as above; the head lives as long as the places.
        let mut old = unsafe { (*head).load(Ordering::Relaxed) };
        loop {
            let next = if old == WAITING { EMPTY } else { old };
            place.next.store(next, Ordering::Relaxed);
            // SAFETY: as above.
            let exchanged =
                unsafe { (*head).compare_exchange_weak(old, slot, Ordering::Release, Ordering::Relaxed) };
            match exchanged {
                Ok(_) => break,
                Err(now) => old = now,
            }
        }
        if old == WAITING {
            // From the exchange on, the worker may reap the operation and drop the queue, so that the head is an address
            // only: the kernel does not read what is there, and sleepers on a word that is there now have to expect wakes
            // without a reason.
            // SAFETY: the call takes an address and two integers.
            unsafe { libc::syscall(libc::SYS_futex, head, libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, 1) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments of callbacks, passed to another thread.
    struct Arguments(Vec<*mut c_void>);
    // SAFETY: the places consist of atomics, and the queue outlives the thread.
    unsafe impl Send for Arguments {}

    #[test]
    fn completions_of_other_threads_arrive_once_and_in_order() {
        let mut queue = CompletionQueue::new(64, false);
        for round in 0..2000 {
            let arguments = Arguments((0..64).map(|slot| queue.begin(slot, 7)).collect());
            let mut got = Vec::new();
            std::thread::scope(|scope| {
                scope.spawn(move || {
                    let all = arguments;
                    for (i, argument) in all.0.into_iter().enumerate() {
                        // SAFETY: each argument is of this queue, and is used once.
                        unsafe { Place::complete(argument, if i.is_multiple_of(3) { 0 } else { i as i32 }) };
                        if i.is_multiple_of(16) && round % 100 == 0 {
                            std::thread::sleep(Duration::from_micros(50));
                        }
                    }
                });
                let mut out = [Completion::default(); 16];
                while got.len() < 64 {
                    let n = queue.reap(1, &mut out);
                    got.extend(out[..n].iter().map(|c| (c.slot, c.res)));
                }
            });
            let expected = |slot: u16| if slot.is_multiple_of(3) { 7 } else { i32::from(slot) };
            assert_eq!(got, (0..64).map(|slot| (slot, expected(slot))).collect::<Vec<_>>());
            assert_eq!(queue.in_flight(), 0);
        }
    }

    #[test]
    fn wait_without_completion_ends_at_its_limit() {
        let mut queue = CompletionQueue::new(1, false);
        assert_eq!(queue.reap(1, &mut [Completion::default()]), 0);
        let argument = queue.begin(0, 0);
        assert_eq!(queue.wait_for_one(Duration::from_millis(5)), None);
        // SAFETY: the argument is of this queue, and is used once.
        unsafe { Place::complete(argument, -5) };
        assert_eq!(queue.wait_for_one(Duration::ZERO), Some(-5));
        assert_eq!(queue.take_failed().map(|c| c.res), Some(-5));
    }
}
