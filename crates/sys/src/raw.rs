//! The bare system call, for the two or three calls per I/O of the engines. libc's `syscall` needs as many
//! instructions as the rest of a submission: a variadic call, moves between registers, errno in thread-local storage.

/// Makes a system call with up to six arguments and returns the kernel's result, or -errno.
///
/// # Safety
/// The requirements of the system call itself.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn syscall(number: libc::c_long, a: [usize; 6]) -> isize {
    let result;
    // SAFETY: this is the kernel's calling convention: arguments in these registers, rcx and r11 clobbered. The
    // caller guarantees the effects of the call on memory.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a[0], in("rsi") a[1], in("rdx") a[2], in("r10") a[3], in("r8") a[4], in("r9") a[5],
            lateout("rcx") _, lateout("r11") _,
            options(nostack)
        );
    }
    result
}

/// Makes a system call with up to six arguments and returns the kernel's result, or -errno.
///
/// # Safety
/// The requirements of the system call itself.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub unsafe fn syscall(number: libc::c_long, a: [usize; 6]) -> isize {
    // SAFETY: the caller guarantees the requirements of the call.
    let result = unsafe { libc::syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]) };
    if result < 0 {
        -(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO) as isize)
    } else {
        result as isize
    }
}
