//! Restriction of kernel worker threads to one CPU.
//!
//! A loop device is served by such threads. On a virtual machine, the rate of dependent I/O changes by a factor of ten
//! depending on whether the scheduler runs a worker on the submitter's CPU or on another, idle CPU, and this choice can
//! last for seconds.
use std::io;
use std::path::PathBuf;

const MASK: &str = "/sys/devices/virtual/workqueue/cpumask";

/// Restriction of unbound kernel workers to one CPU; removed on drop.
#[derive(Debug)]
pub struct Workqueues {
    before: String,
}

impl Workqueues {
    /// Restricts unbound kernel workers to `cpu` (below 32).
    ///
    /// # Errors
    /// The kernel refuses the mask, for example without root.
    pub fn on_cpu(cpu: u32) -> io::Result<Workqueues> {
        let path = PathBuf::from(MASK);
        let mask = format!("{:x}", 1_u32 << cpu);
        let mut before = std::fs::read_to_string(&path)?.trim().to_owned();
        if before.trim_start_matches(['0', ',']) == mask {
            // A killed test left the mask changed: all CPUs is the kernel's default.
            before = std::fs::read_to_string("/sys/devices/system/cpu/present")
                .map(|range| present(range.trim()))
                .unwrap_or(before);
        }
        std::fs::write(&path, mask)?;
        Ok(Workqueues { before })
    }
}

/// Returns the CPU mask of the range `0-N` in the format of the kernel: hexadecimal groups of 32 bits.
fn present(range: &str) -> String {
    let last: u32 = range.rsplit(['-', ',']).next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let words: Vec<String> = (0..=last / 32)
        .rev()
        .map(|word| {
            let bits = (last + 1).saturating_sub(32 * word).min(32);
            format!("{:08x}", ((1_u64 << bits) - 1) as u32)
        })
        .collect();
    words.join(",")
}

impl Drop for Workqueues {
    fn drop(&mut self) {
        if let Err(error) = std::fs::write(MASK, &self.before) {
            eprintln!("{MASK}: {} could not be put back: {error}", self.before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mask_of_present_cpus_has_groups_of_32_bits() {
        assert_eq!(present("0"), "00000001");
        assert_eq!(present("0-1"), "00000003");
        assert_eq!(present("0-31"), "ffffffff");
        assert_eq!(present("0-35"), "0000000f,ffffffff");
    }
}
