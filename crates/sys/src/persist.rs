//! Write-back of cache lines to persistent memory, without a system call.

/// Instruction that writes back a cache line.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// clwb: writes the line back and keeps it.
    Clwb,
    /// clflushopt: writes the line back and evicts it; not ordered.
    Clflushopt,
    /// clflush: as clflushopt, ordered.
    Clflush,
}

/// Write-back of this processor.
#[derive(Clone, Copy, Debug)]
pub struct WriteBack(#[cfg(target_arch = "x86_64")] Line);

impl WriteBack {
    /// Returns the best instruction that this processor has; `None` if the processor is of a kind without one, and
    /// msync(2) has to be called.
    pub fn of_processor() -> Option<WriteBack> {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{__cpuid, __cpuid_count};
            let known = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
            Some(WriteBack(match (known >> 24 & 1, known >> 23 & 1) {
                (1, _) => Line::Clwb,
                (_, 1) => Line::Clflushopt,
                _ => Line::Clflush,
            }))
        }
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Writes back the cache lines of `len` bytes from `at`. The order of write-backs is that of [`WriteBack::fence`].
    ///
    /// # Safety
    /// The range is mapped.
    #[inline(always)]
    pub unsafe fn lines(self, at: *const u8, len: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            const LINE: usize = 64;
            let mut line = at as usize & !(LINE - 1);
            let end = at as usize + len;
            while line < end {
                // SAFETY: the line holds a byte of the range, which the caller guarantees to be mapped; the instructions
                // change no data, and `of_processor` found that the processor has them.
                unsafe {
                    match self.0 {
                        Line::Clwb => {
                            std::arch::asm!("clwb [{}]", in(reg) line, options(nostack, preserves_flags))
                        }
                        Line::Clflushopt => {
                            std::arch::asm!("clflushopt [{}]", in(reg) line, options(nostack, preserves_flags));
                        }
                        Line::Clflush => {
                            std::arch::asm!("clflush [{}]", in(reg) line, options(nostack, preserves_flags));
                        }
                    }
                }
                line += LINE;
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (at, len);
    }

    /// Waits until the write-backs before it are complete.
    #[inline(always)]
    pub fn fence(self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every processor of this architecture has the instruction, which touches no memory.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
}
