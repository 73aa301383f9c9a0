//! Purge of the device: NVMe Format, NVMe Sanitize, or a discard of all blocks.

use super::claim::Claim;
use facts::layers::DeviceKind;
use stats::pts::{PtsAsked, PtsPurge, PtsPurgeMethod};
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Part of a device that one discard covers, so that a signal is noticed soon.
const PIECE: u64 = 8 << 30;

/// Ways to purge that may be tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PurgeChoice {
    /// The best method that the device has.
    #[default]
    Auto,
    /// ATA SECURITY ERASE UNIT, and nothing else.
    AtaSecureErase,
    /// Only a discard.
    Discard,
    /// None.
    None,
}

impl PurgeChoice {
    /// Returns the choice with which a study was begun.
    pub fn of(asked: &PtsAsked) -> PurgeChoice {
        match asked.only_purge {
            _ if !asked.purge => PurgeChoice::None,
            Some(PtsPurgeMethod::AtaSecureErase) => PurgeChoice::AtaSecureErase,
            Some(PtsPurgeMethod::Discard) => PurgeChoice::Discard,
            _ => PurgeChoice::Auto,
        }
    }
}

/// Purges the device by the best permitted method that it accepts.
pub fn purge(claim: &Claim, choice: PurgeChoice, interrupt: &AtomicUsize) -> PtsPurge {
    let began = Instant::now();
    let mut refused = Vec::new();
    let methods: &[PtsPurgeMethod] = match choice {
        PurgeChoice::Auto => {
            &[PtsPurgeMethod::NvmeFormat, PtsPurgeMethod::NvmeSanitize, PtsPurgeMethod::Discard]
        }
        PurgeChoice::Discard => &[PtsPurgeMethod::Discard],
        // Carried out by `ata_erase`, whose failure ends the study.
        PurgeChoice::AtaSecureErase | PurgeChoice::None => &[],
    };
    let mut method = PtsPurgeMethod::None;
    for candidate in methods {
        match tried(claim, *candidate, interrupt) {
            // The device does not have this method.
            None => {}
            Some(Ok(())) => {
                method = *candidate;
                break;
            }
            Some(Err(_)) => refused.push(*candidate),
        }
    }
    let mut purge = PtsPurge { method, seconds: began.elapsed().as_secs_f64(), ..PtsPurge::default() };
    purge.refused.iter_mut().zip(refused).for_each(|(place, method)| *place = Some(method));
    purge
}

fn tried(claim: &Claim, method: PtsPurgeMethod, interrupt: &AtomicUsize) -> Option<io::Result<()>> {
    match method {
        PtsPurgeMethod::Discard => Some(discard(claim, interrupt)),
        PtsPurgeMethod::NvmeFormat => {
            sole_namespace(claim)?.format.then(|| sys::nvme_admin::format(&claim.open))
        }
        PtsPurgeMethod::NvmeSanitize => {
            sole_namespace(claim)?.block_erase.then(|| sanitize(&claim.open, interrupt))
        }
        PtsPurgeMethod::AtaSecureErase | PtsPurgeMethod::Simulated | PtsPurgeMethod::None => None,
    }
}

/// Returns what the controller can do if the claimed device is its only namespace, and whole: these commands may destroy
/// the data of every namespace.
fn sole_namespace(claim: &Claim) -> Option<sys::nvme_admin::Capabilities> {
    if !matches!(claim.device.kind, DeviceKind::Disk { .. }) || !claim.device.name.starts_with("nvme") {
        return None;
    }
    sys::nvme_admin::capabilities(&claim.open).ok().filter(|can| can.namespaces == 1)
}

fn sanitize(open: &File, interrupt: &AtomicUsize) -> io::Result<()> {
    const LOOK: Duration = Duration::from_millis(200);
    sys::nvme_admin::sanitize(open)?;
    // A sanitize operation cannot be stopped; a signal ends only the wait.
    while interrupt.load(Relaxed) == 0 && sys::nvme_admin::sanitizing(open)? {
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn discard(claim: &Claim, interrupt: &AtomicUsize) -> io::Result<()> {
    let mut at = 0;
    while at < claim.bytes && interrupt.load(Relaxed) == 0 {
        let length = PIECE.min(claim.bytes - at);
        sys::block::discard(&claim.open, at, length)?;
        at += length;
    }
    Ok(())
}
