//! Purge by ATA SECURITY ERASE UNIT, only if the user names it.

use super::claim::Claim;
use super::error::{PtsError, PtsRefusal};
use facts::layers::DeviceKind;
use rustix::io::Errno;
use std::path::Path;
use sys::ata_security::{Security, erase, security};

/// User password during the erase, which removes it. A disk that loses its power in between is locked with it.
pub const PASSWORD: &str = "fathom";
/// Time beyond the one that the disk states, and the time if it states none, minutes.
const GRACE_MINUTES: u32 = 30;
const UNKNOWN_MINUTES: u32 = 12 * 60;

/// Reason why a disk cannot be erased by ATA commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtaFault {
    /// The device is a partition or consists of others; the command erases a whole disk.
    NotWhole,
    /// The device takes no ATA commands.
    NotAta,
    /// The disk has no security feature set.
    NotSupported,
    /// The disk refuses the command until it is powered off.
    Frozen,
    /// The disk is locked with a password.
    Locked,
    /// A password is set.
    PasswordSet,
    /// Too many wrong passwords were tried.
    Expired,
}

impl AtaFault {
    fn of(state: &Security) -> Option<AtaFault> {
        let faults = [
            (!state.supported, AtaFault::NotSupported),
            (state.locked, AtaFault::Locked),
            (state.expired, AtaFault::Expired),
            (state.frozen, AtaFault::Frozen),
            // Another password than ours: the erase would need it.
            (state.enabled, AtaFault::PasswordSet),
        ];
        faults.into_iter().find_map(|(found, fault)| found.then_some(fault))
    }
}

/// Returns the time that the erase of the claimed disk takes at most, milliseconds.
///
/// # Errors
/// The disk cannot be erased by ATA commands.
pub(super) fn check(path: &Path, claim: &Claim) -> Result<u32, PtsError> {
    let refused = |fault| PtsError::Refused { path: path.into(), reason: PtsRefusal::AtaErase(fault) };
    if !matches!(claim.device.kind, DeviceKind::Disk { .. }) {
        return Err(refused(AtaFault::NotWhole));
    }
    let state = security(&claim.open).map_err(|_| refused(AtaFault::NotAta))?;
    if let Some(fault) = AtaFault::of(&state) {
        return Err(refused(fault));
    }
    let minutes = state.minutes.map_or(UNKNOWN_MINUTES, |minutes| minutes + GRACE_MINUTES);
    Ok(minutes.saturating_mul(60_000))
}

/// Erases the claimed disk and waits for the end.
///
/// # Errors
/// The disk cannot be erased by ATA commands, or refuses one.
pub(super) fn purge(path: &Path, claim: &Claim) -> Result<(), PtsError> {
    let timeout_ms = check(path, claim)?;
    erase(&claim.open, PASSWORD, timeout_ms).map_err(|e| PtsError::System {
        path: path.into(),
        errno: Errno::from_io_error(&e).unwrap_or(Errno::IO),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unlocked_disk_without_password_is_erased() {
        let ready = Security { supported: true, minutes: Some(2), ..Security::default() };
        assert_eq!(AtaFault::of(&ready), None);
        let cases = [
            (Security { supported: false, ..ready }, AtaFault::NotSupported),
            (Security { frozen: true, ..ready }, AtaFault::Frozen),
            (Security { enabled: true, ..ready }, AtaFault::PasswordSet),
            (Security { enabled: true, locked: true, ..ready }, AtaFault::Locked),
            (Security { enabled: true, expired: true, ..ready }, AtaFault::Expired),
        ];
        for (state, fault) in cases {
            assert_eq!(AtaFault::of(&state), Some(fault), "{state:?}");
        }
    }
}
