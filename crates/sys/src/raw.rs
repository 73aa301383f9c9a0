//! The bare system call. libc's `syscall` costs as many instructions again as the rest of a submit: its variadic
//! call, the shuffle of registers, errno in thread-local storage. Used by the engines' two or three hot calls only.

/// Makes a system call with up to six arguments; returns its result, or -errno.
///
/// # Safety
/// As the system call itself.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn syscall(number: libc::c_long, a: [usize; 6]) -> isize {
    let result;
    // SAFETY: the kernel's calling convention: arguments in these registers, rcx and r11 clobbered; the caller
    // vouches for what the call does to memory.
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

/// Makes a system call with up to six arguments; returns its result, or -errno.
///
/// # Safety
/// As the system call itself.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub unsafe fn syscall(number: libc::c_long, a: [usize; 6]) -> isize {
    // SAFETY: the caller vouches for the call.
    let result = unsafe { libc::syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]) };
    if result < 0 {
        -(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO) as isize)
    } else {
        result as isize
    }
}
