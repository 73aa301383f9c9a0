//! Signals that would end the program: the first one requests the end with a full report, the second one ends it at
//! once.

use rustix::process::Signal;
use signal_hook::flag;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Once, OnceLock};

/// Number of the signal that requested the end, shared by all callers of [`watch`].
static ASKED: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// Requests an early end of the run with a full report, as if SIGPIPE had arrived.
pub fn reader_went_away() {
    ASKED.get_or_init(Arc::default).store(Signal::PIPE.as_raw() as usize, Relaxed);
}

/// Signals whose default action ends a program and that can be handled. SIGPIPE is ignored by Rust's runtime (the write
/// fails instead); signals of program faults such as SIGSEGV keep their default action.
const ENDING: [Signal; 12] = [
    Signal::INT,
    Signal::TERM,
    Signal::HUP,
    Signal::QUIT,
    Signal::USR2,
    Signal::ALARM,
    Signal::VTALARM,
    Signal::PROF,
    Signal::XCPU,
    Signal::IO,
    Signal::POWER,
    Signal::STKFLT,
];

/// Numbers of the real-time signals that programs may use; the C library reserves the two below.
const REAL_TIME: RangeInclusive<i32> = 34..=64;

/// Replaces the fatal default action of two signals, at the start of every command: SIGUSR1 requests a report
/// ([`report_wanted`]), and SIGXFSZ does nothing, so that a write beyond RLIMIT_FSIZE fails with EFBIG.
pub fn keep_running() {
    let _ = flag::register(Signal::XFSZ.as_raw(), Arc::default());
    report_wanted();
}

/// Returns the number of the signal that requested the end, 0 before that. After the first call of this function, the
/// first signal no longer terminates the process; the second one does.
pub fn watch() -> Arc<AtomicUsize> {
    static WATCHED: Once = Once::new();
    let asked = ASKED.get_or_init(Arc::default);
    WATCHED.call_once(|| {
        let second = Arc::new(AtomicBool::new(false));
        // A hangup that the process was started to ignore (nohup) stays ignored.
        let ignored = |signal: &i32| *signal == Signal::HUP.as_raw() && hangup_ignored();
        let signals = ENDING.map(Signal::as_raw).into_iter().chain(REAL_TIME);
        for signal in signals.filter(|signal| !ignored(signal)) {
            // Registering a handler for a standard signal fails only for lack of memory; the default action then
            // remains, which ends the program, too. The order matters: a signal that arrives in between is not lost,
            // and the second one finds the flag already set.
            let _ = flag::register_usize(signal, asked.clone(), signal as usize);
            let _ = flag::register_conditional_shutdown(signal, 128, second.clone());
            let _ = flag::register(signal, second.clone());
        }
    });
    asked.clone()
}

/// Returns whether a signal has requested the end.
pub fn asked() -> bool {
    ASKED.get().is_some_and(|asked| asked.load(Relaxed) != 0)
}

/// Returns whether SIGHUP is ignored, as `nohup` has it for the programs that it starts.
fn hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (Signal::HUP.as_raw() - 1) & 1 == 1
}

/// Returns the flag that SIGUSR1 sets to request a report during the run.
pub fn report_wanted() -> Arc<AtomicBool> {
    static WANTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let register = || {
        let wanted = Arc::new(AtomicBool::new(false));
        // As above, registering fails only for lack of memory.
        let _ = flag::register(Signal::USR1.as_raw(), wanted.clone());
        wanted
    };
    WANTED.get_or_init(register).clone()
}
