//! Rules about the alignment of partitions, volumes and data on each device of the storage stack.

use super::{Examined, Lines};
use facts::alignment::{LayerOffset, OffsetCause};
use facts::layers::{Device, DeviceKind};
use facts::partition;
use facts::queue::Queue;
use facts::traits::alignment_offset;
use facts::usage::{self, Use};
use stats::doctor::{Fact, Misfit, Origin, Severity, TargetKind, Topic, Unit};
use std::fs::File;

/// Smallest block size that alignment is checked against, bytes: flash, the page cache and file systems use pages of at
/// least 4 KiB, whatever a disk reports.
const PAGE: u64 = 4096;

/// Alignment that a device requires.
struct Demand {
    queue: Queue,
    /// Offset at which the device's physical blocks begin, bytes: 0 except for disks built for partitions that begin at
    /// sector 63.
    first: i64,
    /// Whether the device is a RAID with parity, on which a write of less than a stripe causes reads.
    parity: bool,
}

impl Demand {
    fn of(examined: &Examined, device: &Device) -> Demand {
        let dir = device.number.sysfs();
        let disk = matches!(device.kind, DeviceKind::Disk { .. });
        let first = examined.root.number::<i64>(dir.join("alignment_offset")).filter(|_| disk).unwrap_or(0);
        let parity = matches!(&device.kind, DeviceKind::Raid(level) if ["raid4", "raid5", "raid6"].contains(&level.as_str()));
        Demand { queue: Queue::of(examined.root, device), first: first.max(0), parity }
    }

    fn physical(&self) -> u64 {
        self.queue.physical_block_bytes.map_or(512, u64::from)
    }

    fn logical(&self) -> u64 {
        self.queue.logical_block_bytes.map_or(512, u64::from)
    }

    /// Returns the first alignment requirement that an offset does not meet.
    fn misfit(&self, byte: u64) -> Option<Misfit> {
        let sector = self.physical().max(PAGE);
        let chunk = self.queue.minimum_io_bytes.filter(|c| *c > sector);
        let stripe = self.queue.optimal_io_bytes.filter(|s| self.parity && chunk.is_some_and(|c| *s > c));
        let demands = [(Unit::Sector, Some(sector)), (Unit::Chunk, chunk), (Unit::Stripe, stripe)];
        demands.into_iter().find_map(|(unit, bytes)| {
            let bytes = bytes?;
            let beyond = (i128::from(byte) - i128::from(self.first)).rem_euclid(i128::from(bytes)) as u64;
            (beyond != 0).then_some(Misfit { unit, bytes, beyond })
        })
    }
}

/// Returns the severity of a misalignment: a block across two sectors needs a read before each write; a block across
/// two chunks sometimes occupies a second disk.
fn severity(fails: Option<Misfit>) -> Severity {
    match fails.map(|m| m.unit) {
        None => Severity::Fine,
        Some(Unit::Sector) => Severity::Spoils,
        Some(Unit::Chunk) => Severity::Matters,
        Some(Unit::Stripe) => Severity::Note,
    }
}

pub(super) fn lines(examined: &Examined, lines: &mut Lines) {
    let before = lines.0.len();
    let mut carried = false;
    for place in &examined.places {
        of_place(examined, place, &mut carried, lines);
        verdict(examined, &place.device, lines);
    }
    if let Some(device) = examined.first().filter(|_| examined.target == TargetKind::Device) {
        let parts = device.partitions(examined.root);
        for part in &parts {
            partition_of(examined, device, part, lines);
        }
        if parts.is_empty() {
            table(examined, device, lines);
        }
    } else if let Some(file) = examined.file.as_ref().filter(|_| examined.target == TargetKind::File) {
        let name = examined.path.as_ref().and_then(|p| p.file_name());
        let name = name.map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        if let Some(size) = examined.size {
            entries(&name, file, size, 512, 512, true, &|_| None, lines);
        }
    }
    small_blocks(examined, lines);
    if let Some(device) = examined.first().filter(|_| lines.0.len() == before) {
        lines.add(Topic::Alignment, Severity::Fine, Fact::NothingBetween { device: device.name.clone() });
    }
}

fn of_place(examined: &Examined, place: &LayerOffset, carried: &mut bool, lines: &mut Lines) {
    let Some((what, between)) = &place.above else { return };
    let origin = match between {
        OffsetCause::Partition => Origin::Partition,
        OffsetCause::Loop => Origin::Loop,
        OffsetCause::Raid => Origin::Raid,
        OffsetCause::Pieces(_) => Origin::File,
        OffsetCause::Unknown => {
            // Further offsets are relative to the next layer.
            *carried = false;
            let mapped = examined.places.iter().any(|p| {
                p.device.name == *what
                    && alignment_offset(examined.root, &p.device) == 0
                    && matches!(p.device.kind, DeviceKind::Mapped(_) | DeviceKind::Raid(_))
            });
            if mapped {
                let fact = Fact::OffsetNotTold { above: what.clone(), device: place.device.name.clone() };
                lines.add(Topic::Alignment, Severity::Fine, fact);
            }
            return;
        }
    };
    let demand = Demand::of(examined, &place.device);
    let (own, whole) = (demand.misfit(place.offset), demand.misfit(place.position));
    let compensated = own.is_some() && whole.is_none();
    let begins = |what: &str, origin, byte, fails| {
        let on = place.device.name.clone();
        Fact::begins(what.into(), origin, on, byte, demand.logical(), demand.physical())
            .failing(fails, compensated)
    };
    let grade = if compensated { Severity::Note } else { severity(own) };
    lines.add(Topic::Alignment, grade, begins(what, origin, place.offset, own));
    if own.is_none() && whole.is_some() && !*carried {
        lines.add(Topic::Alignment, severity(whole), begins(&place.from, Origin::Sum, place.position, whole));
    }
    // One misaligned layer is reported once, not again for each layer below it.
    *carried |= whole.is_some();
}

fn verdict(examined: &Examined, device: &Device, lines: &mut Lines) {
    let offset_bytes = alignment_offset(examined.root, device);
    if offset_bytes != 0 {
        let fact = Fact::KernelSaysMisaligned { device: device.name.clone(), offset_bytes };
        lines.add(Topic::Alignment, Severity::Spoils, fact);
    }
}

fn partition_of(examined: &Examined, disk: &Device, part: &Device, lines: &mut Lines) {
    let Some(start) = examined.root.number::<u64>(part.number.sysfs().join("start")) else { return };
    // An extended partition, which the kernel shows with a size of two sectors, contains no data.
    if part.size(examined.root).is_some_and(|bytes| bytes <= 1024) {
        return;
    }
    let demand = Demand::of(examined, disk);
    let byte = start.saturating_mul(512);
    let fails = demand.misfit(byte);
    let (what, on) = (part.name.clone(), disk.name.clone());
    let fact = Fact::begins(what, Origin::Partition, on, byte, demand.logical(), demand.physical());
    let fact = fact.failing(fails, false);
    lines.add(Topic::Alignment, severity(fails), fact);
}

/// Examines a partition table that the kernel did not parse, read from the device or, if the device may not be read,
/// from the file of the loop device.
fn table(examined: &Examined, device: &Device, lines: &mut Lines) {
    let behind = match &device.kind {
        DeviceKind::Loop { backing } if examined.file.is_none() => {
            let offset: u64 = examined.root.number(device.number.sysfs().join("loop/offset")).unwrap_or(0);
            // Only a regular file is opened here: a device in its place might be anything.
            let path = examined.root.path(backing);
            let regular = std::fs::metadata(&path).is_ok_and(|m| m.is_file());
            (offset == 0 && regular).then(|| File::open(path).ok()).flatten()
        }
        _ => None,
    };
    let (Some(file), Some(size)) = (examined.file.as_ref().or(behind.as_ref()), examined.size) else {
        // A device that is mounted or held as a whole has no partition table.
        let whole = usage::live(examined.root, device).iter().any(|u| match u {
            Use::Mounted { device: d, .. } | Use::Swap { device: d } | Use::Held { device: d, .. } => {
                *d == device.name
            }
            _ => false,
        });
        if examined.path.is_some() && !whole {
            let fact = Fact::TableUnread { device: device.name.clone() };
            lines.add(Topic::Alignment, Severity::Note, fact);
        }
        return;
    };
    let demand = Demand::of(examined, device);
    entries(
        &device.name,
        file,
        size,
        demand.logical(),
        demand.physical(),
        false,
        &|b| demand.misfit(b),
        lines,
    );
}

#[allow(clippy::too_many_arguments)] // one call each for devices and images
fn entries(
    name: &str,
    file: &File,
    size: u64,
    logical: u64,
    physical: u64,
    image: bool,
    misfit: &dyn Fn(u64) -> Option<Misfit>,
    lines: &mut Lines,
) {
    let Ok(Some(table)) = partition::read(file, size, logical) else { return };
    let used = table.entries.iter().filter(|e| !e.container);
    let gpt = table.kind == partition::TableKind::Gpt;
    if !image {
        let entries = used.clone().count() as u32;
        let fact = Fact::TableWithoutPartitions { device: name.into(), gpt, entries };
        lines.add(Topic::Alignment, Severity::Note, fact);
        if table.sector != logical {
            let fact = Fact::TableForOtherSectors {
                device: name.into(),
                table_bytes: table.sector,
                device_bytes: logical,
            };
            lines.add(Topic::Alignment, Severity::Matters, fact);
        }
    }
    for entry in used {
        let page = || {
            let beyond = entry.start % PAGE;
            (beyond != 0).then_some(Misfit { unit: Unit::Sector, bytes: PAGE, beyond })
        };
        let fails = if image { page() } else { misfit(entry.start) };
        // The kernel's name of the partition, such as `loop3p1`: a `p` follows a name that ends with a digit.
        let between = if name.ends_with(|c: char| c.is_ascii_digit()) { "p" } else { "" };
        let what =
            if image { format!("#{}", entry.number) } else { format!("{name}{between}{}", entry.number) };
        let fact = Fact::begins(what, Origin::TableEntry, name.into(), entry.start, table.sector, physical);
        let fact = fact.failing(fails, false);
        // A measurement of an image file does not use the partitions in it.
        let most = if image { Severity::Matters } else { Severity::Spoils };
        lines.add(Topic::Alignment, severity(fails).min(most), fact);
    }
}

fn small_blocks(examined: &Examined, lines: &mut Lines) {
    let (Some(mount), Some(path), true) =
        (examined.file_system(), &examined.path, examined.first().is_some())
    else {
        return;
    };
    let bytes = rustix::fs::statvfs(path).map_or(PAGE, |s| s.f_frsize);
    // A file whose extents are known has been judged by them.
    let judged =
        examined.places.first().is_some_and(|p| matches!(p.above, Some((_, OffsetCause::Pieces(_)))));
    if bytes < PAGE && !judged {
        let fact = Fact::SmallFileSystemBlocks { at: mount.at.to_string_lossy().into_owned(), bytes };
        lines.add(Topic::Alignment, Severity::Matters, fact);
    }
}
