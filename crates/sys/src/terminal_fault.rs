//! Restoration of the terminal when a fault of the program (SIGSEGV, SIGABRT and the like) ends it in the middle of a
//! full-screen view. The signal then has the effect that it would have had.

use rustix::fd::AsRawFd;
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::Relaxed, Ordering::SeqCst};

/// Signals that a fault of the program, or an administrator who wants a core dump, ends it with.
const FAULTS: [libc::c_int; 6] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP, libc::SIGABRT];
/// Leaves the alternate screen and shows the cursor.
const NORMAL_SCREEN: &[u8] = b"\x1b[?1049l\x1b[?25h\r";

/// A terminal and its state before the view.
#[derive(Clone, Copy)]
struct Saved {
    keys: libc::c_int,
    screen: libc::c_int,
    state: libc::termios,
}

/// State to restore; null while there is nothing to restore. Values are never freed, because a handler may be reading them.
static SAVED: AtomicPtr<Saved> = AtomicPtr::new(ptr::null_mut());
/// Latest value of `SAVED`, kept for the next view: the state is nearly always the same.
static KNOWN: AtomicPtr<Saved> = AtomicPtr::new(ptr::null_mut());
static ON_ALTERNATE_SCREEN: AtomicBool = AtomicBool::new(false);
/// Actions of the signals before, in the order of `FAULTS`.
static BEFORE: AtomicPtr<[libc::sigaction; FAULTS.len()]> = AtomicPtr::new(ptr::null_mut());

/// Remembers the state of the terminal `keys`, whose view is drawn on `screen`; a fault restores it from now on. Both
/// descriptors must stay open until [`forget`].
///
/// # Errors
/// `keys` is no terminal, or the kernel refuses the handlers.
pub fn remember(keys: &impl AsRawFd, screen: &impl AsRawFd) -> io::Result<()> {
    let (keys, screen) = (keys.as_raw_fd(), screen.as_raw_fd());
    let mut state = MaybeUninit::<libc::termios>::zeroed();
    // SAFETY: the pointer is to a local of the right type, which an all-zero value is valid for.
    let state = unsafe {
        checked(libc::tcgetattr(keys, state.as_mut_ptr()))?;
        state.assume_init()
    };
    let now = Saved { keys, screen, state };
    // SAFETY: values behind KNOWN are never changed or freed.
    let known = unsafe { KNOWN.load(SeqCst).as_ref() };
    let saved = match known {
        Some(known) if same(known, &now) => KNOWN.load(SeqCst),
        _ => Box::into_raw(Box::new(now)),
    };
    KNOWN.store(saved, SeqCst);
    handle_faults()?;
    SAVED.store(saved, SeqCst);
    Ok(())
}

/// Says whether the alternate screen is shown.
pub fn alternate_screen(shown: bool) {
    ON_ALTERNATE_SCREEN.store(shown, Relaxed);
}

/// Restores nothing from now on: the caller has done it.
pub fn forget() {
    SAVED.store(ptr::null_mut(), SeqCst);
    alternate_screen(false);
}

fn same(a: &Saved, b: &Saved) -> bool {
    let modes = |s: &Saved| [s.state.c_iflag, s.state.c_oflag, s.state.c_cflag, s.state.c_lflag];
    (a.keys, a.screen, modes(a), a.state.c_cc) == (b.keys, b.screen, modes(b), b.state.c_cc)
}

fn checked(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Installs the handlers, once.
fn handle_faults() -> io::Result<()> {
    static INSTALLED: Once = Once::new();
    let mut result = Ok(());
    INSTALLED.call_once(|| {
        // SAFETY: all-zero is a valid sigaction; the pointers are to locals that outlive the calls. The box is published
        // before the first handler, and never freed.
        result = unsafe {
            let mut before: Box<[libc::sigaction; FAULTS.len()]> = Box::new(std::mem::zeroed());
            let read = FAULTS.iter().zip(before.iter_mut()).try_for_each(|(signal, before)| {
                checked(libc::sigaction(*signal, ptr::null(), ptr::from_mut(before)))
            });
            BEFORE.store(Box::into_raw(before), SeqCst);
            let mut new: libc::sigaction = std::mem::zeroed();
            libc::sigemptyset(&raw mut new.sa_mask);
            new.sa_sigaction =
                fault as extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) as usize;
            // On the stack of Rust's own handler, which tells an overflow of the stack.
            new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            read.and_then(|()| {
                FAULTS
                    .iter()
                    .try_for_each(|signal| checked(libc::sigaction(*signal, &raw const new, ptr::null_mut())))
            })
        };
    });
    result
}

/// Restores the terminal and what the signal did before, which then follows.
extern "C" fn fault(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: write, tcgetpgrp, getpgrp, tcsetattr, sigaction, signal and raise are async-signal-safe; the pointers are to values
    // that are never freed, or null; the kernel passes a valid siginfo to a handler with SA_SIGINFO.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        if let Some(saved) = SAVED.swap(ptr::null_mut(), SeqCst).as_ref() {
            if ON_ALTERNATE_SCREEN.swap(false, Relaxed) {
                libc::write(saved.screen, NORMAL_SCREEN.as_ptr().cast(), NORMAL_SCREEN.len());
            }
            // In the background, the call would stop the process.
            if libc::tcgetpgrp(saved.keys) == libc::getpgrp() {
                libc::tcsetattr(saved.keys, libc::TCSANOW, &raw const saved.state);
            }
        }
        *errno = before;
        if (*info).si_code <= 0 {
            // A signal that was sent is sent again, and delivered when this handler returns. Rust's own handler would wait for
            // a fault that does not come.
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        } else if let Some(actions) = BEFORE.load(SeqCst).as_ref()
            && let Some(at) = FAULTS.iter().position(|fault| *fault == signal)
        {
            // A fault of the processor recurs at the same instruction.
            libc::sigaction(signal, &raw const actions[at], ptr::null_mut());
        }
    }
}
