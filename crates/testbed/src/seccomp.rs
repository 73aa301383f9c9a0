//! Children to which the kernel denies one system call, as with a container's seccomp filter.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Makes `command` run under a seccomp filter that fails one system call (`libc::SYS_*`) with `errno`.
pub fn forbid(command: &mut Command, syscall: libc::c_long, errno: i32) {
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    let number = u32::try_from(syscall).unwrap_or(u32::MAX);
    let mut filter = [
        // The number is the first field of struct seccomp_data.
        statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0),
        libc::sock_filter { jf: 1, ..statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, number) },
        statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ERRNO | (errno as u32 & 0xffff)),
        statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW),
    ];
    let install = move || {
        let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
        // SAFETY: prctl takes integers here, and then a program that lives across the call, of the length that it says.
        let failed = unsafe {
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
                || libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) != 0
        };
        if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
    };
    // SAFETY: between fork and exec only prctl is called, which is safe there; nothing is allocated.
    unsafe { command.pre_exec(install) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounded, TOOL_LIMIT};

    #[test]
    fn a_forbidden_call_fails_with_the_errno_and_others_work() {
        let mut command = Command::new("mkdir");
        forbid(command.env("LC_ALL", "C").arg("/tmp/never-made"), libc::SYS_mkdir, libc::EPERM);
        let out = command.output_within(TOOL_LIMIT).unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(!out.status.success() && said.contains("Operation not permitted"), "{said}");
        let mut command = Command::new("true");
        forbid(&mut command, libc::SYS_mkdir, libc::ENOSYS);
        assert!(command.output_within(TOOL_LIMIT).unwrap().status.success());
    }
}
