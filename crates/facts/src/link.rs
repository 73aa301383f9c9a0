//! Current and possible speed of a disk's link (PCIe, SATA, USB), and the NUMA node of the disk.

use crate::SysRoot;
use crate::attach::{Attachment, Identity, ancestors, controller};
use crate::layers::Device;
use std::path::Path;

/// Width and speed of a PCIe link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes {
    /// Number of lanes.
    pub width: u32,
    /// Transfer rate of a lane in GT/s.
    pub speed: f64,
}

impl Lanes {
    /// Returns the bandwidth in bytes per second after line encoding; packet headers need another 10 to 20 %.
    pub fn bytes_per_second(self) -> u64 {
        // 8b/10b up to 5 GT/s, 128b/130b above.
        let payload = if self.speed > 5.0 { 128.0 / 130.0 } else { 0.8 };
        (f64::from(self.width) * self.speed * payload * 1e9 / 8.0) as u64
    }
}

/// Link of a disk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// PCIe link.
    Pcie {
        /// Current width and speed.
        now: Lanes,
        /// Largest width and speed that the disk supports.
        most: Lanes,
    },
    /// SATA link, speeds in tenths of Gbit/s.
    Sata {
        /// Current speed.
        now: u32,
        /// Speed to which the port is limited; `None` = not limited.
        limit: Option<u32>,
    },
    /// USB link.
    Usb {
        /// Speed in Mbit/s.
        mbit: u32,
        /// Whether the disk uses the driver `usb-storage` (bulk-only transport), which sends one request at a time.
        one_at_a_time: bool,
    },
}

impl Link {
    /// Returns the current and the largest bandwidth in bytes per second, before the overhead of packets.
    pub fn bytes_per_second(&self) -> [u64; 2] {
        // 8b/10b: ten bits on the wire are a byte.
        let wire = |megabits: u64| megabits * 100_000;
        match self {
            Link::Pcie { now, most } => [now.bytes_per_second(), most.bytes_per_second()],
            Link::Sata { now, limit } => {
                [*now, limit.map_or(*now, |l| l.max(*now))].map(|s| wire(u64::from(s) * 100))
            }
            Link::Usb { mbit, .. } => [wire(u64::from(*mbit)); 2],
        }
    }

    /// Returns the link of a disk; `None` if sysfs shows none.
    pub fn of(root: &SysRoot, disk: &Device, identity: &Identity) -> Option<Link> {
        match identity.attachment {
            Attachment::Nvme => pcie(root, disk),
            Attachment::Sata => sata(root, disk),
            Attachment::Usb => usb(root, disk),
            _ => None,
        }
    }
}

fn pcie(root: &SysRoot, disk: &Device) -> Option<Link> {
    let dir = controller(root, disk)?.join("device");
    // `8.0 GT/s PCIe`, older kernels `8 GT/s`.
    let speed = |name: &str| root.read(dir.join(name)).ok()?.split(' ').next()?.parse::<f64>().ok();
    let width = |name: &str| root.number::<u32>(dir.join(name)).filter(|w| (1..=32).contains(w));
    let lanes = |which: &str| {
        Some(Lanes {
            width: width(&format!("{which}_link_width"))?,
            speed: speed(&format!("{which}_link_speed"))?,
        })
    };
    Some(Link::Pcie { now: lanes("current")?, most: lanes("max")? })
}

fn sata(root: &SysRoot, disk: &Device) -> Option<Link> {
    let way = crate::attach::way(root, disk);
    let port = way.iter().find_map(|p| p.strip_prefix("ata")?.parse::<u32>().ok())?;
    let dir = format!("/sys/class/ata_link/link{port}");
    // `6.0 Gbps`; `<unknown>` if the port is not limited.
    let speed = |name: &str| {
        let text = root.read(format!("{dir}/{name}")).ok()?;
        Some((text.split(' ').next()?.parse::<f64>().ok()? * 10.0).round() as u32)
    };
    let now = speed("sata_spd")?;
    Some(Link::Sata { now, limit: speed("sata_spd_limit").or_else(|| speed("hw_sata_spd_limit")) })
}

fn usb(root: &SysRoot, disk: &Device) -> Option<Link> {
    let dirs = ancestors(root, disk);
    let number =
        |dir: &Path, name: &str| std::fs::read_to_string(dir.join(name)).ok()?.trim().parse::<f64>().ok();
    let mbit = dirs.iter().find_map(|d| number(d, "speed"))? as u32;
    let driver = |d: &Path| {
        Some(std::fs::read_link(d.join("driver")).ok()?.file_name()?.to_string_lossy().into_owned())
    };
    let one_at_a_time = dirs.iter().filter_map(|d| driver(d)).any(|d| d == "usb-storage");
    Some(Link::Usb { mbit, one_at_a_time })
}

/// Returns the NUMA node to which a disk is attached; `None` if sysfs reports none (-1, as on machines without NUMA).
pub fn numa_node(root: &SysRoot, disk: &Device) -> Option<u32> {
    let node = |dir: &Path| std::fs::read_to_string(dir.join("numa_node")).ok()?.trim().parse::<i32>().ok();
    let at = ancestors(root, disk).iter().find_map(|d| node(d));
    let at = at.or_else(|| root.number::<i32>(controller(root, disk)?.join("numa_node")));
    at.and_then(|n| u32::try_from(n).ok())
}
