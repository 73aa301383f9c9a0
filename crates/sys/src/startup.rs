//! What a program inherited: Rust's runtime ignores SIGPIPE and opens /dev/null for closed standard descriptors before
//! `main`, which a program that imitates another one has to undo.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

static SIGPIPE_DEFAULT: AtomicBool = AtomicBool::new(false);
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Runs before Rust's runtime.
extern "C" fn look() {
    // SAFETY: sigaction with a null new action only reads the current one into a valid local; fcntl(F_GETFD) takes
    // integers. Both are async-signal-safe and need no runtime.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGPIPE, std::ptr::null(), &raw mut now) == 0 {
            SIGPIPE_DEFAULT.store(now.sa_sigaction == libc::SIG_DFL, Relaxed);
        }
        for descriptor in 0..3 {
            if libc::fcntl(descriptor, libc::F_GETFD) < 0 {
                CLOSED.fetch_or(1 << descriptor, Relaxed);
            }
        }
    }
}

// SAFETY: the section holds pointers to functions without arguments that the C library calls before `main`; `look` uses
// nothing that Rust's runtime sets up.
#[unsafe(link_section = ".init_array")]
#[used]
static LOOK: extern "C" fn() = look;

/// Restores the inherited action of SIGPIPE, and makes I/O fail on the standard descriptors that the program was started
/// without. Must be called before the program has a second thread.
pub fn restore_inherited() {
    // The read keeps the linker from dropping the entry of the section.
    // SAFETY: a static is valid for reads.
    let _ = unsafe { std::ptr::read_volatile(&raw const LOOK) };
    if SIGPIPE_DEFAULT.load(Relaxed) {
        // SAFETY: signal takes a number and an action; SIG_DFL runs no code of this process.
        unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    }
    for descriptor in (0..3).filter(|descriptor| is_closed(*descriptor)) {
        // A number that stays free would be given to the next file that is opened. A descriptor of O_PATH occupies it, and
        // reads and writes fail with EBADF, as if it were closed.
        // SAFETY: the path is a valid string; dup2 and close take integers, of which no value owns the first: Rust's runtime
        // opened it on /dev/null.
        unsafe {
            let path = libc::open(c"/dev/null".as_ptr(), libc::O_PATH | libc::O_CLOEXEC);
            if path >= 0 {
                libc::dup2(path, descriptor);
                libc::close(path);
            }
        }
    }
}

/// Returns whether the program was started without this standard descriptor: 0, 1 or 2.
pub fn is_closed(descriptor: i32) -> bool {
    (0..3).contains(&descriptor) && CLOSED.load(Relaxed) & (1 << descriptor) != 0
}
