//! The simulated device: k servers, one queue, a law of service times, in virtual time. Its answers are known
//! exactly, so whatever is concluded from a run on it can be checked.

use crate::{Completion, Engine, ModelClock, Op, RingDead, Ticks};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::os::fd::RawFd;
use std::rc::Rc;

/// Law of a service time, nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// Always the same.
    Constant(u64),
    /// Uniform between the two, inclusive.
    Uniform(u64, u64),
    /// Exponential with this mean.
    Exponential(u64),
    /// (parts per million, nanoseconds).
    Mixture(Vec<(u32, u64)>),
}

impl Law {
    fn draw(&self, random: u64) -> u64 {
        match self {
            Law::Constant(nanos) => *nanos,
            Law::Uniform(low, high) => low + ((u128::from(random) * u128::from(high - low + 1)) >> 64) as u64,
            Law::Exponential(mean) => {
                let unit = ((random >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
                (-unit.ln() * *mean as f64) as u64
            }
            Law::Mixture(parts) => {
                let mut at = ((u128::from(random) * 1_000_000) >> 64) as u32;
                for (share, nanos) in parts {
                    if at < *share {
                        return *nanos;
                    }
                    at -= share;
                }
                parts.last().map_or(0, |(_, nanos)| *nanos)
            }
        }
    }
}

/// What a device remembers from one run to the next beside the time; whole numbers, so that they are the same wherever
/// they were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// When this was so, nanoseconds since the device began.
    pub at: Ticks,
    /// Credits that are gone.
    pub spent: u64,
    /// Bytes in the write cache.
    pub cached: u64,
    /// Bytes written since it began.
    pub written: u64,
    /// Where the head is.
    pub head: u64,
}

/// The device, shared by all workers of a plan that use it.
#[derive(Debug)]
pub struct Device {
    free_at: BinaryHeap<Reverse<Ticks>>,
    law: Law,
    random: Xoshiro256PlusPlus,
    memory: Memory,
}

impl Device {
    /// `servers` requests are served at a time; nothing is in flight.
    pub fn new(servers: u32, law: Law, seed: u64, memory: Memory) -> Rc<RefCell<Self>> {
        let free_at = (0..servers.max(1)).map(|_| Reverse(0)).collect();
        Rc::new(RefCell::new(Self { free_at, law, random: Xoshiro256PlusPlus::seed_from_u64(seed), memory }))
    }

    /// What it remembers at `now`, when nothing is in flight.
    pub fn memory(&self, now: Ticks) -> Memory {
        Memory { at: now, ..self.memory }
    }

    /// When a request that arrives now will be answered: first come, first served.
    fn serve(&mut self, arrival: Ticks) -> Ticks {
        let service = self.law.draw(self.random.next_u64());
        let Reverse(free) = self.free_at.pop().unwrap_or(Reverse(0));
        let done = free.max(arrival) + service;
        self.free_at.push(Reverse(done));
        done
    }
}

/// One worker's way to the device.
#[derive(Debug)]
pub struct Model {
    device: Rc<RefCell<Device>>,
    clock: ModelClock,
    in_flight: BinaryHeap<Reverse<(Ticks, u16, i32)>>,
}

impl Model {
    /// For at most `depth` operations in flight, from `begin` on.
    pub fn new(device: Rc<RefCell<Device>>, depth: usize, begin: Ticks) -> Self {
        Self { device, clock: ModelClock::at(begin), in_flight: BinaryHeap::with_capacity(depth) }
    }
}

impl Engine for Model {
    type Clock = ModelClock;
    const SYNC: bool = false;
    const TRIMS_IN_CALL: bool = false;

    fn clock(&self) -> ModelClock {
        self.clock.clone()
    }

    fn set_file(&mut self, _: usize, _: RawFd) -> Result<(), RingDead> {
        Ok(())
    }

    fn queue(&mut self, ops: &[Op]) {
        let now = crate::Clock::now(&self.clock);
        let mut device = self.device.borrow_mut();
        for op in ops {
            self.in_flight.push(Reverse((device.serve(now), op.slot, (op.len - op.done) as i32)));
        }
    }

    fn submit(&mut self) -> Result<(), RingDead> {
        Ok(())
    }

    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let mut n = 0;
        while n < out.len() {
            let Some(Reverse((due, slot, res))) = self.in_flight.peek().copied() else { break };
            if due > crate::Clock::now(&self.clock) {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, Kind};

    fn throughput(servers: u32, depth: u16, law: Law) -> f64 {
        let device = Device::new(servers, law, 1, Memory::default());
        let mut engine = Model::new(device, usize::from(depth), 0);
        let clock = engine.clock();
        let mut out = vec![Completion::default(); usize::from(depth)];
        let op = |slot| Op { slot, len: 4096, kind: Kind::Read, ..Op::NONE };
        engine.queue(&(0..depth).map(op).collect::<Vec<_>>());
        let mut done = 0;
        while done < 20_000 {
            let n = engine.reap(1, &mut out).expect("a model does not die");
            done += n;
            let again: Vec<_> = out[..n].iter().map(|c| op(c.slot)).collect();
            engine.queue(&again);
        }
        done as f64 / (clock.now() as f64 / 1e9)
    }

    #[test]
    fn eight_servers_of_ten_milliseconds_saturate_at_depth_eight() {
        for (depth, expected) in [(1, 100.0), (4, 400.0), (8, 800.0), (16, 800.0)] {
            let iops = throughput(8, depth, Law::Constant(10_000_000));
            assert!((iops / expected - 1.0).abs() < 1e-3, "depth {depth}: {iops}");
        }
        let iops = throughput(4, 4, Law::Exponential(1_000_000));
        assert!((iops / 4000.0 - 1.0).abs() < 0.03, "{iops}");
        let iops = throughput(1, 1, Law::Mixture(vec![(900_000, 10_000_000), (100_000, 100_000_000)]));
        assert!((iops * 0.019 - 1.0).abs() < 0.03, "{iops}");
    }
}
