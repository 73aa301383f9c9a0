//! CPU time, page faults and context switches of the process or of one thread (getrusage(2)).

use std::io;

/// Scope of [`rusage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// All threads of this process.
    Process,
    /// The calling thread.
    Thread,
}

/// CPU time, page faults and context switches since the start of the process or thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rusage {
    /// CPU time in user mode, microseconds.
    pub user_us: u64,
    /// CPU time in kernel mode, microseconds.
    pub system_us: u64,
    /// Number of page faults served without I/O.
    pub minor_faults: u64,
    /// Number of page faults that needed I/O.
    pub major_faults: u64,
    /// Number of voluntary context switches (the thread waited).
    pub voluntary: u64,
    /// Number of involuntary context switches (the thread was preempted).
    pub involuntary: u64,
}

/// Returns the usage of the process or of the calling thread up to now.
///
/// # Errors
/// errno of getrusage(2); none in practice.
pub fn rusage(who: Who) -> io::Result<Rusage> {
    let which = match who {
        Who::Process => libc::RUSAGE_SELF,
        Who::Thread => libc::RUSAGE_THREAD,
    };
    // SAFETY: rusage is plain numbers, for which zero is valid; the kernel fills it.
    let mut u: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live rusage.
    if unsafe { libc::getrusage(which, &raw mut u) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let micros = |t: libc::timeval| (t.tv_sec as u64).wrapping_mul(1_000_000).wrapping_add(t.tv_usec as u64);
    Ok(Rusage {
        user_us: micros(u.ru_utime),
        system_us: micros(u.ru_stime),
        minor_faults: u.ru_minflt as u64,
        major_faults: u.ru_majflt as u64,
        voluntary: u.ru_nvcsw as u64,
        involuntary: u.ru_nivcsw as u64,
    })
}
