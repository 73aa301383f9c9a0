//! Attachment of a disk (bus, controller, network), and its vendor and model.

use crate::SysRoot;
use crate::layers::{Device, DeviceKind};
use std::path::{Path, PathBuf};

/// Bus, controller or network by which a disk is attached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// NVMe over PCIe.
    Nvme,
    /// NVMe over a network (`tcp`, `rdma`, `fc`).
    NvmeOver(String),
    /// SATA port.
    Sata,
    /// Disk behind a host bus adapter that passes each disk through; contains the name of the driver.
    Sas(String),
    /// Volume of a RAID controller, which hides the disks behind it; contains the name of the driver.
    Controller(String),
    /// Disk behind USB, such as a stick or a bridge to SATA.
    Usb,
    /// Disk of a hypervisor (`virtio`, `virtio-scsi`, `Xen`, `Hyper-V`, `VMware`, `QEMU`).
    Virtual(&'static str),
    /// Disk reached over a network (`nbd`, `rbd`, `drbd`, `iSCSI`).
    Network(&'static str),
    /// Device in memory (`zram`, `brd`, `null_blk`, `pmem`).
    Memory(&'static str),
    /// SD card or eMMC.
    Mmc,
    /// Device that consists of other devices.
    Stacked,
    /// sysfs does not show the attachment.
    Unknown,
}

/// Attachment, vendor and model of a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Bus, controller or network of the disk.
    pub attachment: Attachment,
    /// Vendor as reported by SCSI; `None` if not reported.
    pub vendor: Option<String>,
    /// Model as reported by the disk; `None` if not reported.
    pub model: Option<String>,
}

/// Drivers of RAID controllers, which may present volumes.
const CONTROLLERS: [&str; 8] =
    ["megaraid_sas", "mpt3sas", "mpi3mr", "hpsa", "smartpqi", "aacraid", "3w-9xxx", "arcmsr"];

/// Beginnings of the model names of RAID volumes; a disk that is passed through has the model name of its manufacturer.
const VOLUMES: [&str; 6] = ["PERC", "MR", "LOGICAL VOLUME", "SERVERAID", "RS3", "RAID"];
const MAKERS: [&str; 6] = ["AVAGO", "LSI", "BROADCOM", "ADAPTEC", "MICROSEM", "ARECA"];

impl Attachment {
    /// Returns the driver of a device that keeps its data in volatile memory, so that no disk is measured. Persistent
    /// memory is storage.
    pub fn volatile_memory(&self) -> Option<&'static str> {
        match self {
            Attachment::Memory("pmem") => None,
            Attachment::Memory(driver) => Some(driver),
            _ => None,
        }
    }
}

impl Identity {
    /// Returns attachment, vendor and model of a device according to sysfs.
    pub fn of(root: &SysRoot, device: &Device) -> Identity {
        let dir = device.number.sysfs();
        let text = |name: &str| root.read(dir.join("device").join(name)).ok().filter(|t| !t.is_empty());
        let (vendor, model) = (text("vendor").filter(|v| !v.starts_with("0x")), text("model"));
        let attachment = attachment(root, device, vendor.as_deref(), model.as_deref());
        Identity { attachment, vendor, model }
    }
}

fn attachment(root: &SysRoot, device: &Device, vendor: Option<&str>, model: Option<&str>) -> Attachment {
    let name = device.name.as_str();
    match &device.kind {
        DeviceKind::Zram => return Attachment::Memory("zram"),
        DeviceKind::Disk { .. } => {}
        _ => return Attachment::Stacked,
    }
    for (start, driver) in [("ram", "brd"), ("nullb", "null_blk"), ("pmem", "pmem")] {
        if name.starts_with(start) {
            return Attachment::Memory(driver);
        }
    }
    // Devices of null_blk that are created through configfs can have any name.
    match driver(root, device.number.major).as_deref() {
        Some("nullb") => return Attachment::Memory("null_blk"),
        Some("ramdisk") => return Attachment::Memory("brd"),
        _ => {}
    }
    for (start, driver) in [("nbd", "nbd"), ("rbd", "rbd"), ("drbd", "drbd")] {
        if name.starts_with(start) {
            return Attachment::Network(driver);
        }
    }
    if name.starts_with("nvme") {
        return match controller(root, device).and_then(|dir| root.read(dir.join("transport")).ok()) {
            Some(other) if other != "pcie" => Attachment::NvmeOver(other),
            _ => Attachment::Nvme,
        };
    }
    for (start, what) in [
        ("vd", Attachment::Virtual("virtio")),
        ("xvd", Attachment::Virtual("Xen")),
        ("mmcblk", Attachment::Mmc),
    ] {
        if name.starts_with(start) {
            return what;
        }
    }
    let way = way(root, device);
    let on = |start: &str| way.iter().any(|part| numbered(part, start));
    if on("usb") {
        return Attachment::Usb;
    }
    if on("session") {
        return Attachment::Network("iSCSI");
    }
    let host = way.iter().find(|part| numbered(part, "host"));
    let driver = host.and_then(|h| root.read(format!("/sys/class/scsi_host/{h}/proc_name")).ok());
    let driver = driver.unwrap_or_default();
    match driver.as_str() {
        "iscsi_tcp" | "iser" | "bnx2i" | "qedi" | "cxgb4i" | "be2iscsi" => Attachment::Network("iSCSI"),
        "virtio_scsi" => Attachment::Virtual("virtio-scsi"),
        _ if vendor.is_some_and(|v| v == "Msft") => Attachment::Virtual("Hyper-V"),
        "vmw_pvscsi" => Attachment::Virtual("VMware"),
        _ if vendor.is_some_and(|v| v == "VMware") => Attachment::Virtual("VMware"),
        _ if vendor.is_some_and(|v| v == "QEMU") => Attachment::Virtual("QEMU"),
        d if CONTROLLERS.contains(&d) && is_volume(vendor, model) => Attachment::Controller(driver),
        _ if on("ata") => Attachment::Sata,
        "" => Attachment::Unknown,
        _ => Attachment::Sas(driver),
    }
}

/// Returns the name of the driver that registered a major number for block devices.
fn driver(root: &SysRoot, major: u32) -> Option<String> {
    let text = root.read("/proc/devices").ok()?;
    let mut block =
        text.lines().skip_while(|l| !l.starts_with("Block")).filter_map(|l| l.trim().split_once(' '));
    block.find(|(number, _)| number.parse() == Ok(major)).map(|(_, name)| name.trim().to_owned())
}

fn is_volume(vendor: Option<&str>, model: Option<&str>) -> bool {
    let (vendor, model) =
        (vendor.unwrap_or_default().to_uppercase(), model.unwrap_or_default().to_uppercase());
    MAKERS.iter().any(|m| vendor.starts_with(m)) || VOLUMES.iter().any(|v| model.starts_with(v))
}

/// Returns whether `part` is `start` followed by a number: `ata3` for `ata`, but not `ata_port`.
fn numbered(part: &str, start: &str) -> bool {
    part.strip_prefix(start).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns the names of the directories of a device in sysfs, from the bus to the device.
pub(crate) fn way(root: &SysRoot, device: &Device) -> Vec<String> {
    let part = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned());
    ancestors(root, device).iter().rev().filter_map(|p| part(p)).collect()
}

/// Returns the directories in sysfs that contain a device, the device's own first, as absolute paths of this machine
/// (not below the root).
pub(crate) fn ancestors(root: &SysRoot, device: &Device) -> Vec<PathBuf> {
    let Ok(dir) = std::fs::canonicalize(root.path(device.number.sysfs())) else { return Vec::new() };
    let end = std::fs::canonicalize(root.path("/sys")).unwrap_or_default();
    dir.ancestors().take_while(|d| **d != *end && d.parent().is_some()).map(Path::to_owned).collect()
}

/// Returns `/sys/class/nvme/nvmeN` of a namespace; the first controller if several lead to the namespace.
pub(crate) fn controller(root: &SysRoot, device: &Device) -> Option<PathBuf> {
    // nvme0n1, nvme0c1n1
    let number: String = device.name.strip_prefix("nvme")?.chars().take_while(char::is_ascii_digit).collect();
    let way = way(root, device);
    let by_way = way.iter().rev().find(|p| numbered(p, "nvme")).cloned();
    // If several controllers lead to the namespace, the first is used.
    let subsystem = way.iter().rev().find(|p| numbered(p, "nvme-subsys"));
    let by_way = by_way.or_else(|| {
        let names = root.names(format!("/sys/class/nvme-subsystem/{}", subsystem?));
        names.into_iter().find(|n| numbered(n, "nvme"))
    });
    let name = by_way.unwrap_or(format!("nvme{number}"));
    Some(PathBuf::from(format!("/sys/class/nvme/{name}")))
}
