//! Copying from and to a mapped file. If the file ends before its mapping, or its device fails, the processor faults in the
//! middle of the copy (SIGBUS): the copy ends there and returns the number of bytes copied.

/// The copy function for this processor. Only [`ready`] returns one, after it has installed the handler for faults.
#[derive(Clone, Copy, Debug)]
pub struct Ready(#[cfg(target_arch = "x86_64")] unsafe extern "C" fn(*mut u8, *const u8, usize) -> usize);

/// From this length on `rep movs`, which takes a moment to start and then writes whole cache lines without reading them first, is
/// faster than pieces through vector registers: writes of 64k to a mapped file took 20 % more time with these than fio's, of 1M
/// 35 % more.
#[cfg(target_arch = "x86_64")]
const LARGE: usize = 32 << 10;

/// Copies `len` bytes. Returns the number of bytes copied before a fault, or `len` if there was none.
///
/// # Safety
/// Both ranges are mapped, one readable, one writable, do not overlap, and no other code relies on the bytes of `to`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn copy(to: *mut u8, from: *const u8, len: usize, ready: Ready) -> usize {
    // SAFETY: both copies keep the C calling convention and touch the two ranges only; the caller vouches for them. A
    // fault inside continues at the end (see `ready`), which has seen that the processor knows the instructions.
    len - unsafe { (ready.0)(to, from, len) }
}

/// Copies `len` bytes. Returns the number of bytes copied before a fault, or `len` if there was none.
///
/// # Safety
/// As the other copy: both ranges are mapped, one readable, one writable, and no other code relies on the bytes of `to`.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn copy(to: *mut u8, from: *const u8, len: usize, _: Ready) -> usize {
    // The kernel copies within our own address space, and tells of a fault instead of raising it.
    let local = libc::iovec { iov_base: to.cast(), iov_len: len };
    let remote = libc::iovec { iov_base: from.cast_mut().cast(), iov_len: len };
    // SAFETY: both vectors live across the call; the caller vouches for the ranges.
    let moved = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    usize::try_from(moved).unwrap_or(0)
}

/// Installs the handler for faults, once per process, and returns the copy function for pieces of `usual` bytes.
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
        // rdi: to, rsi: from, rdx: bytes; returns the bytes that were not copied. Whole words first, then the rest: each
        // of the two instructions keeps its progress in rdi, rsi and rcx, so that a fault finds it there.
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
        // A fault among the words: 8 * rcx + rdx bytes are left, of which some of the word may be there.
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
        // The same, 512 bytes at a time while there are as many. rdi, rsi and rdx stand still until a piece is whole: a
        // fault in it begins the piece again the other way, which tells to the byte how far it came.
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

    /// Action for SIGBUS before the handler was installed.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    /// Installs the handler of SIGBUS.
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
            // SAFETY: the handler only reads statics and the context it is given: nothing that a signal may not do.
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

    /// Handler of SIGBUS: continues behind a copy that faulted; passes other faults to the earlier action.
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
            // The instruction is run again and meets whoever waited for SIGBUS before us.
            // SAFETY: `before` came from sigaction itself.
            unsafe { libc::sigaction(libc::SIGBUS, before, std::ptr::null_mut()) };
        }
    }
}
