//! Flash drives under a path, and their endurance.

use crate::SysRoot;
use crate::attach::{Attachment, Identity, controller};
use crate::cloud;
use crate::generic;
use crate::layers::{Device, DeviceKind, DeviceNumber, Stack};
use rustix::fs::{FileType, Mode, OFlags};
use stats::wear::{DriveHealth, Endurance, FlashClass};
use stats::{HeatCounters, LiveDrive};
use std::path::Path;

/// A flash drive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlashDrive {
    /// Kernel name, such as `nvme0n1`.
    pub name: String,
    /// Endurance, from the health log of an NVMe drive or assumed from the capacity.
    pub endurance: Endurance,
}

/// Returns the flash drives under `path`, which may be a file, a directory or a device. Virtual, network, cloud and RAID
/// volumes are not counted: their medium is unknown.
pub fn drives_under(root: &SysRoot, path: &Path) -> Vec<FlashDrive> {
    let stack = match behind_character_device(root, path) {
        Some(disk) => Stack::of_device(root, disk.number),
        None => Stack::under(root, path).unwrap_or_default(),
    };
    stack.devices().filter_map(|device| drive(root, device)).collect()
}

/// Returns the block device of an NVMe namespace or SCSI disk that is addressed by its character device.
fn behind_character_device(root: &SysRoot, path: &Path) -> Option<Device> {
    let meta = rustix::fs::stat(path).ok()?;
    if FileType::from_raw_mode(meta.st_mode) != FileType::CharacterDevice {
        return None;
    }
    let number = DeviceNumber::from_raw(meta.st_rdev);
    if !generic::is_nvme_namespace(root, number) {
        return generic::scsi_disk(root, number);
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let open = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    generic::block_device(root, number, sys::nvme::id(open).ok()?)
}

/// Returns the drive if `device` is a flash drive.
fn drive(root: &SysRoot, device: &Device) -> Option<FlashDrive> {
    if device.kind != (DeviceKind::Disk { rotational: false }) {
        return None;
    }
    let identity = Identity::of(root, device);
    // Cloud volumes on a network look like NVMe drives.
    if matches!(
        cloud::disk(root, device, &identity),
        Some((_, cloud::Place::Network | cloud::Place::Unknown))
    ) {
        return None;
    }
    let class = match identity.attachment {
        Attachment::Nvme | Attachment::Sata | Attachment::Sas(_) => FlashClass::Drive,
        Attachment::Usb | Attachment::Mmc => FlashClass::Removable,
        Attachment::NvmeOver(_)
        | Attachment::Controller(_)
        | Attachment::Virtual(_)
        | Attachment::Network(_)
        | Attachment::Memory(_)
        | Attachment::Stacked
        | Attachment::Unknown => return None,
    };
    let endurance = Endurance::of(device.size(root)?, class, health(root, device));
    Some(FlashDrive { name: device.name.clone(), endurance })
}

/// Returns the health of an NVMe drive; `None` for other drives and without root. The health of SATA drives is not read,
/// because the meaning of its attributes depends on the manufacturer.
fn health(root: &SysRoot, device: &Device) -> Option<DriveHealth> {
    let health = log_page(root, device)?;
    Some(DriveHealth { percentage_used: health.percentage_used, written: health.bytes_written })
}

/// Returns how often and how long an NVMe drive slowed down because of its temperature; `None` for other devices and
/// without root.
pub fn heat(root: &SysRoot, device: &Device) -> Option<HeatCounters> {
    log_page(root, device).map(|log| counters(&log))
}

fn counters(log: &sys::nvme_health::Health) -> HeatCounters {
    HeatCounters { warning_minutes: log.warning_minutes, slowed: log.slowed, slowed_s: log.slowed_s }
}

/// Returns the temperature of a drive, degrees Celsius: from the health log of an NVMe drive, which needs root, else from
/// the kernel's sensor of the drive; `None` if neither exists.
pub fn celsius(root: &SysRoot, device: &Device) -> Option<f64> {
    temperature(root, device, log_page(root, device).as_ref())
}

fn temperature(root: &SysRoot, device: &Device, log: Option<&sys::nvme_health::Health>) -> Option<f64> {
    let logged = log.map(|log| log.kelvin).filter(|kelvin| *kelvin > 0);
    logged.map(|kelvin| f64::from(kelvin) - 273.15).or_else(|| sensor(root, device))
}

/// Returns the temperature of the kernel's sensor (hwmon), degrees Celsius: NVMe drives have one below their controller, SATA
/// and SAS drives with the module drivetemp below their SCSI device.
fn sensor(root: &SysRoot, device: &Device) -> Option<f64> {
    let scsi = device.number.sysfs().join("device");
    let homes = controller(root, device).into_iter().chain([scsi.clone(), scsi.join("hwmon")]);
    let sensors = homes.flat_map(|home| {
        let names = root.names(&home).into_iter().filter(|name| name.starts_with("hwmon"));
        names.map(move |name| home.join(name).join("temp1_input")).collect::<Vec<_>>()
    });
    sensors.filter_map(|path| root.number::<i64>(path)).next().map(|millidegrees| millidegrees as f64 / 1e3)
}

/// Returns the temperature of a drive and its effects; `None` if it reports neither. May take as long as the device takes
/// to answer a command.
pub fn drive_now(root: &SysRoot, device: &Device) -> Option<LiveDrive> {
    let log = log_page(root, device);
    let (celsius, heat) = (temperature(root, device, log.as_ref()), log.as_ref().map(counters));
    (celsius.is_some() || heat.is_some()).then(|| LiveDrive { name: device.name.clone(), celsius, heat })
}

fn log_page(root: &SysRoot, device: &Device) -> Option<sys::nvme_health::Health> {
    let controller = controller(root, device)?;
    let node = Path::new("/dev").join(controller.file_name()?);
    let open = std::fs::File::open(root.path(node)).ok()?;
    sys::nvme_health::health(&open).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use stats::wear::EnduranceBasis;
    use std::os::unix::fs::symlink;
    use testbed::Sandbox;

    /// Disks by their directory in sysfs, rotation flag, model, and the assumed drive writes; `None` = no flash is known.
    #[test]
    fn flash_is_told_from_rotating_virtual_and_memory_disks() {
        let cases = [
            ("pci/nvme/nvme0/nvme0n1", "0", "X", Some(600)),
            ("pci/nvme/nvme1/nvme1n1", "0", "Amazon Elastic Block Store", None),
            ("pci/nvme/nvme2/nvme2n1", "0", "Amazon EC2 NVMe Instance Storage", Some(600)),
            ("pci/ata1/host0/sda", "0", "X", Some(600)),
            ("pci/ata2/host1/sdb", "1", "X", None),
            ("pci/usb1/host2/sdc", "0", "X", Some(200)),
            ("pci/mmc0/mmcblk0", "0", "X", Some(200)),
            ("pci/virtio0/vda", "0", "X", None),
            ("virtual/block/nullb0", "0", "X", None),
            ("virtual/block/zram0", "0", "X", None),
        ];
        let sandbox = Sandbox::new().unwrap();
        let root = SysRoot::at(sandbox.path());
        std::fs::create_dir_all(sandbox.join("sys/dev/block")).unwrap();
        for (minor, (dir, rotational, model, drive_writes)) in cases.into_iter().enumerate() {
            let dir = format!("sys/devices/{dir}");
            for (name, text) in [
                ("dev", format!("8:{minor}")),
                ("size", "2000".into()),
                ("queue/rotational", rotational.into()),
                ("device/model", model.into()),
            ] {
                sandbox.put(&format!("{dir}/{name}"), &text).unwrap();
            }
            symlink(sandbox.join(&dir), sandbox.join(&format!("sys/dev/block/8:{minor}"))).unwrap();
            let device = Device::of(&root, DeviceNumber { major: 8, minor: minor as u32 }).unwrap();
            let found = drive(&root, &device).map(|drive| (drive.endurance.least, drive.endurance.basis));
            let expected =
                drive_writes.map(|n: u64| (n * 1_024_000, EnduranceBasis::Assumed { drive_writes: n }));
            assert_eq!(found, expected, "{dir}");
        }
    }

    /// The kernel's sensor of a drive, where NVMe and SCSI drives have it.
    #[test]
    fn temperature_without_a_health_log_is_that_of_the_sensor() {
        let cases = [
            ("pci/nvme0/nvme0n1", "nvme0n1", "sys/class/nvme/nvme0/hwmon3/temp1_input", Some(41.85)),
            ("pci/ata2/host1/sdb", "sdb", "device/hwmon/hwmon1/temp1_input", Some(38.0)),
            ("pci/virtio0/vda", "vda", "device/other", None),
        ];
        for (minor, (dir, name, sensor, expected)) in cases.into_iter().enumerate() {
            let sandbox = Sandbox::new().unwrap();
            let root = SysRoot::at(sandbox.path());
            let dir = format!("sys/devices/{dir}");
            sandbox.put(&format!("{dir}/dev"), &format!("8:{minor}")).unwrap();
            sandbox.put(&format!("{dir}/device/model"), "X").unwrap();
            let home = if sensor.starts_with("sys") { String::new() } else { format!("{dir}/") };
            let millidegrees = expected.unwrap_or(0.0) * 1e3;
            sandbox.put(&format!("{home}{sensor}"), &format!("{millidegrees:.0}\n")).unwrap();
            std::fs::create_dir_all(sandbox.join("sys/dev/block")).unwrap();
            symlink(sandbox.join(&dir), sandbox.join(&format!("sys/dev/block/8:{minor}"))).unwrap();
            let device = Device::of(&root, DeviceNumber { major: 8, minor: minor as u32 }).unwrap();
            assert_eq!(device.name, name);
            let drive = drive_now(&root, &device);
            assert_eq!(drive.and_then(|drive| drive.celsius), expected, "{name}");
        }
    }
}
