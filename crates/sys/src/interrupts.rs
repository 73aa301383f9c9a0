//! Signals that interrupt a blocking system call (EINTR) and are counted: requests for a report, and the request to end.

use std::io;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::Relaxed};

static REPORTS: AtomicUsize = AtomicUsize::new(0);
static ENDING: AtomicI32 = AtomicI32::new(0);

extern "C" fn report(_: libc::c_int) {
    REPORTS.fetch_add(1, Relaxed);
}

extern "C" fn end(signal: libc::c_int) {
    ENDING.store(signal, Relaxed);
}

/// Counts SIGUSR1, and keeps SIGINT for [`ending`] unless it is ignored; the second SIGINT ends the program. System calls
/// that a signal interrupts fail with EINTR.
///
/// # Errors
/// The kernel refuses the handlers.
pub fn watch() -> io::Result<()> {
    // SAFETY: all-zero is a valid sigaction; the handlers only store to atomics, which is async-signal-safe; the pointers
    // are to locals that outlive the calls.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        checked(libc::sigaction(libc::SIGINT, std::ptr::null(), &raw mut old))?;
        let mut new: libc::sigaction = std::mem::zeroed();
        libc::sigemptyset(&raw mut new.sa_mask);
        libc::sigaddset(&raw mut new.sa_mask, libc::SIGUSR1);
        if old.sa_sigaction != libc::SIG_IGN {
            libc::sigaddset(&raw mut new.sa_mask, libc::SIGINT);
        }
        new.sa_sigaction = report as extern "C" fn(libc::c_int) as usize;
        checked(libc::sigaction(libc::SIGUSR1, &raw const new, std::ptr::null_mut()))?;
        if old.sa_sigaction != libc::SIG_IGN {
            new.sa_sigaction = end as extern "C" fn(libc::c_int) as usize;
            new.sa_flags = libc::SA_NODEFER | libc::SA_RESETHAND;
            checked(libc::sigaction(libc::SIGINT, &raw const new, std::ptr::null_mut()))?;
        }
    }
    Ok(())
}

fn checked(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Returns the number of the signal that asked for the end; `None` before that.
#[inline]
pub fn ending() -> Option<i32> {
    match ENDING.load(Relaxed) {
        0 => None,
        signal => Some(signal),
    }
}

/// Takes one request for a report; `false` if there is none.
#[inline]
pub fn take_report() -> bool {
    REPORTS.load(Relaxed) > 0 && {
        REPORTS.fetch_sub(1, Relaxed);
        true
    }
}

/// Ends the process by the signal's default action.
pub fn die_of(signal: i32) {
    // SAFETY: signal and raise take integers; the default action runs no code of this process.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}
