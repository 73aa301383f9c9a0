//! Restriction of kernel worker threads to one CPU.
//!
//! A loop device is served by such threads. Whether the scheduler runs one on the submitter's CPU or on another that
//! idles changes the rate of dependent I/O by a factor of ten on a virtual machine, and lasts for seconds.
use std::io;
use std::path::PathBuf;

const MASK: &str = "/sys/devices/virtual/workqueue/cpumask";

/// Unbound kernel workers run on one CPU until this is dropped.
#[derive(Debug)]
pub struct Workqueues {
    before: String,
}

impl Workqueues {
    /// Keeps unbound kernel workers on `cpu` (below 32).
    ///
    /// # Errors
    /// When the kernel refuses the mask, as for an ordinary user.
    pub fn on_cpu(cpu: u32) -> io::Result<Workqueues> {
        let path = PathBuf::from(MASK);
        let mask = format!("{:x}", 1_u32 << cpu);
        let mut before = std::fs::read_to_string(&path)?.trim().to_owned();
        if before.trim_start_matches(['0', ',']) == mask {
            // Somebody who was killed left it so: all CPUs is the kernel's default.
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
