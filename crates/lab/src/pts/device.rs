//! Description of the device under test.

use super::claim::Claim;
use facts::SysRoot;
use facts::attach::{Attachment, Identity};
use facts::cloud;
use facts::layers::{Device, DeviceKind, Stack};
use facts::queue::Queue;
use stats::pts::{PtsDevice, PtsDeviceKind};
use std::path::Path;

/// Returns the description of a claimed device.
pub fn described(name: &str, claim: &Claim, root: &SysRoot) -> PtsDevice {
    described_device(name, &claim.device, claim.bytes, root)
}

/// Returns the description of a device that is not claimed, for a plan.
pub fn described_device(name: &str, device: &Device, bytes: u64, root: &SysRoot) -> PtsDevice {
    let identity = Identity::of(root, device);
    let file = |path: &str| {
        let text = root.read(format!("/sys/block/{}/{path}", device.name)).unwrap_or_default();
        text.trim().to_owned()
    };
    let stack = Stack::under(root, Path::new(name)).map(|stack| stack.words()).unwrap_or_default();
    let first = |paths: &[&str]| paths.iter().map(|path| file(path)).find(|text| !text.is_empty());
    PtsDevice {
        name: name.to_owned(),
        model: [identity.vendor.clone(), identity.model.clone()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" "),
        firmware: first(&["device/firmware_rev", "device/rev"]).unwrap_or_default(),
        kind: kind(root, device, &identity),
        bytes,
        sector: u64::from(Queue::of(root, device).logical_block_bytes.unwrap_or(512)),
        stack,
        attachment: attachment(&identity.attachment).to_owned(),
        identity: first(&["wwid", "device/wwid", "serial", "device/serial"])
            .or_else(|| backing_file(device))
            .unwrap_or_default(),
        loop_files: facts::medium::loop_files(root, Path::new(name)),
        cached: matches!(device.kind, DeviceKind::Loop { .. }) && file("loop/dio") != "1",
    }
}

fn backing_file(device: &Device) -> Option<String> {
    match &device.kind {
        DeviceKind::Loop { backing } => Some(backing.display().to_string()),
        _ => None,
    }
}

fn kind(root: &SysRoot, device: &Device, identity: &Identity) -> PtsDeviceKind {
    let DeviceKind::Disk { rotational } = device.kind else { return PtsDeviceKind::Unknown };
    let hidden = cloud::disk(root, device, identity);
    if matches!(hidden, Some((_, cloud::Place::Network | cloud::Place::Unknown))) {
        return PtsDeviceKind::Unknown;
    }
    match identity.attachment {
        Attachment::Nvme | Attachment::Sata | Attachment::Sas(_) | Attachment::Usb | Attachment::Mmc => {
            if rotational {
                PtsDeviceKind::Rotating
            } else {
                PtsDeviceKind::Ssd
            }
        }
        _ => PtsDeviceKind::Unknown,
    }
}

fn attachment(attachment: &Attachment) -> &str {
    match attachment {
        Attachment::Nvme => "nvme",
        Attachment::NvmeOver(_) => "nvme-of",
        Attachment::Sata => "sata",
        Attachment::Sas(_) => "sas",
        Attachment::Controller(driver) => driver,
        Attachment::Usb => "usb",
        Attachment::Virtual(name) | Attachment::Network(name) | Attachment::Memory(name) => name,
        Attachment::Mmc => "mmc",
        Attachment::Stacked | Attachment::Unknown => "",
    }
}
