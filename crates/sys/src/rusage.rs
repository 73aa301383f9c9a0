//! getrusage(2), of the process and of one thread.

use std::io;

/// Threads whose usage is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// All threads of this process.
    Process,
    /// The calling thread.
    Thread,
}

/// CPU time, faults and switches since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rusage {
    /// User time, microseconds.
    pub user_us: u64,
    /// System time, microseconds.
    pub system_us: u64,
    /// Minor faults.
    pub minor_faults: u64,
    /// Major faults.
    pub major_faults: u64,
    /// Voluntary context switches.
    pub voluntary: u64,
    /// Involuntary context switches.
    pub involuntary: u64,
}

/// Returns the resource usage so far.
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
