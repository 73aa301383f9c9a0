//! NVMe: the SMART / Health Information log page of a controller.

use crate::nvme::{Command, admin};
use rustix::fd::AsFd;
use std::io;

/// Size of the log page in bytes.
pub const LOG_BYTES: usize = 512;
/// A data unit of the log page in bytes: a thousand blocks of 512 bytes.
const UNIT: u128 = 512_000;

/// Figures of the log page about wear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Health {
    /// Estimate of the drive for the used part of its life, percent; may exceed 100, 255 stands for 255 and more.
    pub percentage_used: u8,
    /// Bytes that hosts have written, rounded up to units of 512000 bytes.
    pub bytes_written: u64,
    /// Composite temperature, kelvin; 0 if it is not reported.
    pub kelvin: u16,
    /// Minutes at or above the warning temperature.
    pub warning_minutes: u32,
    /// Number of times that the drive slowed down because of its temperature (both thermal management thresholds).
    pub slowed: u64,
    /// Seconds during which it was slowed down.
    pub slowed_s: u64,
}

impl Health {
    /// Returns the figures of a log page.
    pub fn parse(page: &[u8; LOG_BYTES]) -> Health {
        let mut units = [0; 16];
        units.copy_from_slice(&page[48..64]);
        let bytes = u128::from_le_bytes(units).saturating_mul(UNIT);
        let word = |at: usize| {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&page[at..at + 4]);
            u32::from_le_bytes(bytes)
        };
        let sum = |at: usize| u64::from(word(at)) + u64::from(word(at + 4));
        Health {
            percentage_used: page[5],
            kelvin: u16::from_le_bytes([page[1], page[2]]),
            bytes_written: u64::try_from(bytes).unwrap_or(u64::MAX),
            warning_minutes: word(192),
            slowed: sum(216),
            slowed_s: sum(224),
        }
    }
}

/// Returns the health of the controller of an open `/dev/nvmeN` or of one of its namespaces.
///
/// # Errors
/// ENOTTY if the device is no NVMe device; EACCES without the permission to read logs; EIO if the controller refuses the
/// command.
pub fn health<Fd: AsFd>(device: Fd) -> io::Result<Health> {
    const GET_LOG_PAGE: u8 = 0x02;
    const SMART: u32 = 0x02;
    /// Log of the controller, not of a namespace.
    const CONTROLLER: u32 = 0xffff_ffff;
    let mut page = Box::new([0u8; LOG_BYTES]);
    // The number of words of four bytes, less one, in the upper half.
    let words = (LOG_BYTES / 4 - 1) as u32;
    let command = Command {
        opcode: GET_LOG_PAGE,
        nsid: CONTROLLER,
        addr: page.as_mut_ptr() as u64,
        data_len: LOG_BYTES as u32,
        cdw10: words << 16 | SMART,
        ..Command::default()
    };
    // SAFETY: the command fills the 512 bytes of `page`, which lives across the call.
    unsafe { admin(device, command)? };
    Ok(Health::parse(&page))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offsets of the fields in the SMART / Health Information log page of the NVMe base specification.
    #[test]
    fn health_is_read_from_the_log_page() {
        let mut page = [0xff; LOG_BYTES];
        page[5] = 7;
        page[48..64].copy_from_slice(&82_031_250u128.to_le_bytes());
        for (at, value) in [(192, 11u32), (216, 3), (220, 4), (224, 50), (228, 60)] {
            page[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        let bytes_written = 42_000_000_000_000;
        let read = Health {
            percentage_used: 7,
            kelvin: 0xffff,
            bytes_written,
            warning_minutes: 11,
            slowed: 7,
            slowed_s: 110,
        };
        assert_eq!(Health::parse(&page), read);
        page[48..64].copy_from_slice(&u128::MAX.to_le_bytes());
        assert_eq!(Health::parse(&page).bytes_written, u64::MAX);
        let zero = Health {
            percentage_used: 0,
            kelvin: 0,
            bytes_written: 0,
            warning_minutes: 0,
            slowed: 0,
            slowed_s: 0,
        };
        assert_eq!(Health::parse(&[0; LOG_BYTES]), zero);
    }

    #[test]
    fn other_files_have_no_health() {
        let file = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(health(&file).unwrap_err().raw_os_error(), Some(libc::ENOTTY));
    }
}
