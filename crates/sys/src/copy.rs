//! Copies from and to a mapped file. If the file is shorter than its mapping, or its device fails, the processor
//! faults during the copy (SIGBUS). The fault then ends the copy, and the number of bytes copied until then is
//! returned.

/// Copy routine chosen for this processor. A value exists only after [`ready`] installed the SIGBUS handler, so the
/// routine may fault.
#[derive(Clone, Copy, Debug)]
pub struct Ready(#[cfg(target_arch = "x86_64")] unsafe extern "C" fn(*mut u8, *const u8, usize) -> usize);

/// Copy size in bytes from which `rep movs` is faster than copies through vector registers: it needs time to start,
/// and then writes whole cache lines without reading them first. With vector registers, writes to a mapped file took
/// 20 % more time than fio's at 64 KiB and 35 % more at 1 MiB.
#[cfg(target_arch = "x86_64")]
const LARGE: usize = 32 << 10;

/// Copies `len` bytes. Returns the number of bytes copied before a fault, or `len` if there was none.
///
/// # Safety
/// Both ranges are mapped, one readable, one writable, do not overlap, and no other code relies on the bytes of `to`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn copy(to: *mut u8, from: *const u8, len: usize, ready: Ready) -> usize {
    // SAFETY: both routines keep the C calling convention and touch the two ranges only; the caller guarantees the
    // ranges. A fault inside continues at the end of the routine (see `ready`), which checked that the processor has
    // the instructions.
    len - unsafe { (ready.0)(to, from, len) }
}

/// Copies `len` bytes. Returns the number of bytes copied before a fault, or `len` if there was none.
///
/// # Safety
/// Both ranges are mapped, one readable, one writable, and no other code relies on the bytes of
/// `to`.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn copy(to: *mut u8, from: *const u8, len: usize, _: Ready) -> usize {
    // The kernel copies within our own address space, and returns an error instead of raising a fault.
    let local = libc::iovec { iov_base: to.cast(), iov_len: len };
    let remote = libc::iovec { iov_base: from.cast_mut().cast(), iov_len: len };
    // SAFETY: both vectors live across the call; the caller guarantees the ranges.
    let moved = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    usize::try_from(moved).unwrap_or(0)
}

/// Installs the SIGBUS handler, once for the whole process, and chooses the copy routine for copies of `usual` bytes.
///
/// # Errors
/// errno of sigaction(2).
pub fn ready(usual: usize) -> std::io::Result<Ready> {
    #[cfg(target_arch = "x86_64")]
    {
        x86::catch()?;
        let wide = usual < LARGE && std::is_x86_feature_detected!("avx");
        Ok(Ready(if wide { x86::fathom_copy_wide } else { x86::fathom_copy }))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = usual;
        Ok(Ready())
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::io;
    use std::sync::OnceLock;

    std::arch::global_asm!(
        // rdi: to, rsi: from, rdx: bytes; returns the bytes that were not copied. Whole words first, then the rest:
        // each of the two instructions keeps its progress in rdi, rsi and rcx, so that a fault finds it there.
        ".globl fathom_copy",
        ".hidden fathom_copy",
        "fathom_copy:",
        "mov rcx, rdx",
        "shr rcx, 3",
        "and edx, 7",
        ".globl fathom_copy_words",
        ".hidden fathom_copy_words",
        "fathom_copy_words:",
        "rep movsq",
        "mov ecx, edx",
        ".globl fathom_copy_bytes",
        ".hidden fathom_copy_bytes",
        "fathom_copy_bytes:",
        "rep movsb",
        "xor eax, eax",
        "ret",
        // A fault in the copy of words: 8 * rcx + rdx bytes are left; a part of the current word may have been
        // copied.
        ".globl fathom_copy_words_fault",
        ".hidden fathom_copy_words_fault",
        "fathom_copy_words_fault:",
        "lea rcx, [rdx + rcx * 8]",
        "jmp fathom_copy_bytes",
        ".globl fathom_copy_bytes_fault",
        ".hidden fathom_copy_bytes_fault",
        "fathom_copy_bytes_fault:",
        "mov rax, rcx",
        "ret",
        // The same, 512 bytes at a time as long as that many are left. rdi, rsi and rdx change only after a whole
        // piece: after a fault in a piece, the piece is copied again by the other routine, which locates the fault to
        // the byte.
        ".globl fathom_copy_wide",
        ".hidden fathom_copy_wide",
        "fathom_copy_wide:",
        "sub rdx, 512",
        "jb 3f",
        ".globl fathom_copy_piece",
        ".hidden fathom_copy_piece",
        "fathom_copy_piece:",
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
        "vmovdqu ymm\\n, [rsi + 32 * \\n]",
        ".endr",
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
        "vmovdqu [rdi + 32 * \\n], ymm\\n",
        ".endr",
        ".globl fathom_copy_piece_end",
        ".hidden fathom_copy_piece_end",
        "fathom_copy_piece_end:",
        "add rsi, 512",
        "add rdi, 512",
        "sub rdx, 512",
        "jae fathom_copy_piece",
        ".globl fathom_copy_piece_fault",
        ".hidden fathom_copy_piece_fault",
        "fathom_copy_piece_fault:",
        "vzeroupper",
        "3:",
        "add rdx, 512",
        "jne fathom_copy",
        "xor eax, eax",
        "ret",
    );

    unsafe extern "C" {
        pub(super) fn fathom_copy(to: *mut u8, from: *const u8, len: usize) -> usize;
        pub(super) fn fathom_copy_wide(to: *mut u8, from: *const u8, len: usize) -> usize;
        fn fathom_copy_piece();
        fn fathom_copy_piece_end();
        fn fathom_copy_piece_fault();
        fn fathom_copy_words();
        fn fathom_copy_bytes();
        fn fathom_copy_words_fault();
        fn fathom_copy_bytes_fault();
    }

    /// Action for SIGBUS that was installed before this handler.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    /// Installs the SIGBUS handler once.
    pub(super) fn catch() -> io::Result<()> {
        static CAUGHT: OnceLock<Result<(), i32>> = OnceLock::new();
        let caught = CAUGHT.get_or_init(|| {
            // SAFETY: zero bytes are a valid sigaction.
            let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
            // SAFETY: the old action is written into `before`, which lives across the call.
            if unsafe { libc::sigaction(libc::SIGBUS, std::ptr::null(), &mut before) } != 0 {
                return Err(errno());
            }
            let _ = BEFORE.set(before);
            // SAFETY: as above.
            let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
            action.sa_sigaction = fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            // SAFETY: the handler only reads statics and the context that it is given, which is allowed in a signal
            // handler.
            match unsafe { libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut()) } {
                0 => Ok(()),
                _ => Err(errno()),
            }
        });
        caught.map_err(io::Error::from_raw_os_error)
    }

    fn errno() -> i32 {
        io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
    }

    /// Handles SIGBUS: a fault inside a copy continues at the end of the routine; any other fault goes to the
    /// previous action.
    extern "C" fn fault(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: with SA_SIGINFO the kernel passes the interrupted thread's ucontext_t, ours to change.
        let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
        let at = &mut context.uc_mcontext.gregs[libc::REG_RIP as usize];
        let address = |label: unsafe extern "C" fn()| label as *const () as i64;
        if *at == address(fathom_copy_words) {
            *at = address(fathom_copy_words_fault);
        } else if *at == address(fathom_copy_bytes) {
            *at = address(fathom_copy_bytes_fault);
        } else if (address(fathom_copy_piece)..address(fathom_copy_piece_end)).contains(at) {
            *at = address(fathom_copy_piece_fault);
        } else if let Some(before) = BEFORE.get() {
            // SAFETY: restores the action that was in force before; the instruction is executed again and raises the
            // signal for it.
            unsafe { libc::sigaction(libc::SIGBUS, before, std::ptr::null_mut()) };
        }
    }
}
