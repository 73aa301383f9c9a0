//! Clocks. Real engines read the TSC if it is invariant, else CLOCK_MONOTONIC; the simulated device has a clock of
//! its own. Code above the engine reads no wall clock.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::OnceLock;
use std::time::Duration;

/// A time of a [`Clock`], in ticks of that clock.
pub type Ticks = u64;

/// A clock of one worker.
pub trait Clock: Clone {
    /// Whether the clock is real: it advances on its own, and sleeps overshoot.
    const REAL: bool;
    /// Returns the current time in ticks.
    fn now(&self) -> Ticks;
    /// Converts a difference of ticks to nanoseconds.
    fn nanos(&self, difference: Ticks) -> u64;
    /// Returns the nanoseconds per tick in 32.32 fixed point, for [`scaled`].
    fn scale(&self) -> u64;
    /// Converts nanoseconds to a difference of ticks, saturating.
    fn ticks(&self, nanos: u64) -> Ticks;
    /// Waits until `moment`; the wait may end earlier, and the caller checks the time again.
    fn wait_until(&self, moment: Ticks);
    /// Returns the clock that reads `source`; a simulated clock is returned unchanged.
    fn reading(self, _source: Source) -> Self {
        self
    }
}

/// Converts a difference of ticks to nanoseconds, as [`Clock::nanos`] of the clock with this [`Clock::scale`] does.
#[inline(always)]
pub fn scaled(difference: Ticks, scale: u64) -> u64 {
    ((u128::from(difference) * u128::from(scale)) >> 32) as u64
}

/// Time source of a machine's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The TSC if it is invariant on this machine, else CLOCK_MONOTONIC.
    Best,
    /// CLOCK_MONOTONIC, in nanoseconds.
    Monotonic,
    /// CLOCK_MONOTONIC in whole microseconds: the resolution of gettimeofday without its jumps.
    Micros,
}

/// The clock of the machine, for real engines.
#[derive(Clone, Copy, Debug)]
pub struct MachineClock {
    /// Nanoseconds per tick in 32.32 fixed point; 1 << 32 if the ticks are nanoseconds of CLOCK_MONOTONIC.
    nanos_per_tick: u64,
    tsc: bool,
    /// Whether times are whole microseconds.
    micros: bool,
}

/// Environment variable that makes [`MachineClock::best`] use CLOCK_MONOTONIC.
pub const NO_TSC: &str = "FATHOM_NO_TSC";

impl MachineClock {
    /// Returns the best clock of this machine: the TSC if it is invariant, else CLOCK_MONOTONIC. Calibrated once per
    /// process, in 10 ms.
    pub fn best() -> Self {
        static BEST: OnceLock<MachineClock> = OnceLock::new();
        *BEST.get_or_init(|| {
            if std::env::var_os(NO_TSC).is_some() {
                Self::monotonic()
            } else {
                Self::calibrated().unwrap_or(Self::monotonic())
            }
        })
    }

    /// Returns the clock that reads CLOCK_MONOTONIC.
    pub fn monotonic() -> Self {
        Self { nanos_per_tick: 1 << 32, tsc: false, micros: false }
    }

    /// Returns whether the clock reads the TSC.
    pub fn is_tsc(&self) -> bool {
        self.tsc
    }

    #[inline(never)]
    fn kernels(&self) -> Ticks {
        let now = monotonic_nanos();
        if self.micros { now / 1000 * 1000 } else { now }
    }

    #[cfg(target_arch = "x86_64")]
    fn calibrated() -> Option<Self> {
        // CPUID 0x80000007 EDX bit 8: the TSC runs at one rate in all power states.
        let leaf = |n| std::arch::x86_64::__cpuid(n);
        if leaf(0x8000_0000).eax < 0x8000_0007 || leaf(0x8000_0007).edx & (1 << 8) == 0 {
            return None;
        }
        // If the kernel has replaced the TSC by another clock source, the TSC is not used here either.
        let source =
            std::fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
        if source.is_ok_and(|s| !["tsc", "kvm-clock", "hyperv_clocksource_tsc_page"].contains(&s.trim())) {
            return None;
        }
        let (t0, n0) = paired();
        std::thread::sleep(Duration::from_millis(10));
        let (t1, n1) = paired();
        let nanos_per_tick = (u128::from(n1 - n0) << 32) / u128::from((t1 - t0).max(1));
        u64::try_from(nanos_per_tick).ok().filter(|k| *k > 0).map(|nanos_per_tick| Self {
            nanos_per_tick,
            tsc: true,
            micros: false,
        })
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn calibrated() -> Option<Self> {
        None
    }
}

/// Returns CLOCK_MONOTONIC in nanoseconds.
pub fn monotonic_nanos() -> u64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// Returns TSC and CLOCK_MONOTONIC at the same time: the closest pair of several readings.
#[cfg(target_arch = "x86_64")]
fn paired() -> (u64, u64) {
    (0..32)
        .map(|_| {
            let (before, nanos, after) = (tsc(), monotonic_nanos(), tsc());
            (after.wrapping_sub(before), before + (after.wrapping_sub(before)) / 2, nanos)
        })
        .min()
        .map_or((tsc(), monotonic_nanos()), |(_, ticks, nanos)| (ticks, nanos))
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn tsc() -> u64 {
    // SAFETY: reading the time stamp counter has no precondition on x86_64.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(not(target_arch = "x86_64"))]
fn tsc() -> u64 {
    monotonic_nanos()
}

impl Clock for MachineClock {
    const REAL: bool = true;

    #[inline(always)]
    fn now(&self) -> Ticks {
        if self.tsc { tsc() } else { self.kernels() }
    }

    #[inline(always)]
    fn nanos(&self, difference: Ticks) -> u64 {
        scaled(difference, self.nanos_per_tick)
    }

    fn scale(&self) -> u64 {
        self.nanos_per_tick
    }

    fn ticks(&self, nanos: u64) -> Ticks {
        u64::try_from((u128::from(nanos) << 32) / u128::from(self.nanos_per_tick)).unwrap_or(u64::MAX)
    }

    fn wait_until(&self, moment: Ticks) {
        let left = moment.saturating_sub(self.now());
        // Short sleeps, so that a request to end is noticed in time.
        std::thread::sleep(Duration::from_nanos(self.nanos(left).min(20_000_000)));
    }

    fn reading(self, source: Source) -> Self {
        match source {
            Source::Best => Self::best(),
            Source::Monotonic => Self::monotonic(),
            Source::Micros => Self { micros: true, ..Self::monotonic() },
        }
    }
}

/// Clock of one worker of a simulated device, which advances only when the worker waits.
#[derive(Clone, Debug, Default)]
pub struct ModelClock(Rc<Cell<u64>>);

impl ModelClock {
    /// Returns a clock that shows `moment`.
    pub fn at(moment: Ticks) -> Self {
        Self(Rc::new(Cell::new(moment)))
    }

    /// Advances the clock to `moment` (nanoseconds); a past moment has no effect.
    pub fn advance_to(&self, moment: Ticks) {
        self.0.set(self.0.get().max(moment));
    }
}

impl Clock for ModelClock {
    const REAL: bool = false;

    fn now(&self) -> Ticks {
        self.0.get()
    }

    fn nanos(&self, difference: Ticks) -> u64 {
        difference
    }

    fn scale(&self) -> u64 {
        1 << 32
    }

    fn ticks(&self, nanos: u64) -> Ticks {
        nanos
    }

    fn wait_until(&self, moment: Ticks) {
        self.advance_to(moment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tsc_agrees_with_clock_monotonic_within_50_ppm() {
        let clock = MachineClock::best();
        // Both clocks are read without a pause of this thread between the reads.
        let both = || loop {
            let (before, ticks, after) = (monotonic_nanos(), clock.now(), monotonic_nanos());
            if after - before < 5_000 {
                return (ticks, before + (after - before) / 2);
            }
        };
        let (t0, n0) = both();
        std::thread::sleep(Duration::from_secs(1));
        let (t1, n1) = both();
        let (ours, kernels) = (clock.nanos(t1 - t0) as f64, (n1 - n0) as f64);
        assert!((ours / kernels - 1.0).abs() < 50e-6, "tsc={} {ours} against {kernels}", clock.is_tsc());
        assert!(clock.nanos(clock.ticks(1_000_000)).abs_diff(1_000_000) <= 1);
    }

    #[test]
    fn each_source_is_read() {
        let best = MachineClock::best();
        assert_eq!(best.reading(Source::Best).is_tsc(), best.is_tsc());
        for source in [Source::Monotonic, Source::Micros] {
            let clock = best.reading(source);
            let read = || (0..64).map(|_| (monotonic_nanos(), clock.now(), monotonic_nanos()));
            let least = if source == Source::Micros { 999 } else { 0 };
            assert!(read().all(|(before, now, after)| now + least >= before && now <= after), "{source:?}");
            let whole = read().filter(|(_, now, _)| now % 1000 == 0).count();
            assert!(if source == Source::Micros { whole == 64 } else { whole < 16 }, "{source:?}: {whole}");
        }
        assert_eq!(ModelClock::default().reading(Source::Micros).now(), 0);
    }
}
