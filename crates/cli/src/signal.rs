//! Ctrl-C and its kin: the first one asks for the end with a full report, the second one ends at once.

use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// What [`watch`] returned.
static ASKED: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// Ends a run early and in order, as the signal of a broken pipe would end it at once.
pub fn reader_went_away() {
    ASKED.get_or_init(Arc::default).store(SIGPIPE as usize, Relaxed);
}

/// The signal that asked for the end, 0 = none yet; set from now on.
pub fn watch() -> Arc<AtomicUsize> {
    let asked = ASKED.get_or_init(Arc::default).clone();
    let second = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // Registering a handler for a standard signal cannot fail but for lack of memory; then the default action
        // stays, which ends the program too. The order matters: the second signal finds the flag already set.
        let _ = flag::register_conditional_shutdown(signal, 128, second.clone());
        let _ = flag::register(signal, second.clone());
        let _ = flag::register_usize(signal, asked.clone(), signal as usize);
    }
    asked
}

/// Set by SIGUSR1: a report is wanted while the run goes on.
pub fn report_wanted() -> Arc<AtomicBool> {
    let wanted = Arc::new(AtomicBool::new(false));
    // As above: registering fails for lack of memory only.
    let _ = flag::register(SIGUSR1, wanted.clone());
    wanted
}
