//! Where the target lies: alignment, and what is under it.

use super::{Words, errno, exact, raw, say};
use crate::scale::bytes;
use stats::doctor::*;

pub(super) fn alignment(fact: &Fact) -> Words {
    match fact {
        Fact::Begins {
            what,
            origin,
            on,
            byte,
            sector,
            sector_bytes,
            multiple_of,
            physical_bytes,
            fails,
            compensated,
        } => {
            let place = match origin {
                Origin::Partition | Origin::TableEntry => {
                    if *sector_bytes == 512 {
                        format!("{what} begins at sector {sector} of {on}")
                    } else {
                        format!("{what} begins at sector {sector} of {on} ({sector_bytes}-byte sectors)")
                    }
                }
                Origin::Loop => format!("{what} begins at byte {byte} of {on}"),
                Origin::Raid => format!("the data of {what} begins at byte {byte} of {on}"),
                Origin::File => format!("{what} lies at byte {byte} of {on}"),
                Origin::Sum => format!("all layers together, {what} begins at byte {byte} of {on}"),
            };
            let Some(m) = fails else {
                let multiple =
                    multiple_of.map_or("aligned".into(), |u| format!("a multiple of {}", exact(u)));
                return say(format!("{place}: {multiple}"), "", "");
            };
            let fact = format!("{place}: {} beyond a multiple of {}", exact(m.beyond), exact(m.bytes));
            if *compensated {
                let why = "the layers below make up for it: the target itself begins at a whole block";
                return say(fact, why, "nothing, unless one of the layers is changed");
            }
            let told = if *physical_bytes < 4096 {
                format!(
                    " ({on} reports sectors of {physical_bytes} bytes; flash and virtual disks work in 4096 \
                     all the same)"
                )
            } else {
                String::new()
            };
            let act = match origin {
                Origin::Partition | Origin::TableEntry => {
                    "save the data, make the partition anew at sector 2048 (1 MiB), copy it back"
                }
                Origin::Loop => "attach it with an offset that is a multiple of 4096",
                Origin::Raid => "create the array with a data offset that is a multiple of 1 MiB",
                Origin::File => "make the file system with blocks of 4096 bytes",
                Origin::Sum => "align the layers one by one, from the disk up",
            };
            match m.unit {
                Unit::Sector => say(
                    fact,
                    format!(
                        "each 4k block lies across two; a write of one is two reads and two writes{told}"
                    ),
                    act,
                ),
                Unit::Chunk => say(
                    fact,
                    format!("some requests lie across two chunks of {} and ask two members", exact(m.bytes)),
                    act,
                ),
                Unit::Stripe => say(
                    fact,
                    format!(
                        "no write of {} fills one stripe: parity is read before it is written",
                        exact(m.bytes)
                    ),
                    "for large sequential writes, begin at a multiple of the stripe",
                ),
            }
        }
        Fact::KernelSaysMisaligned { device, offset_bytes } => say(
            format!("the kernel calls {device} misaligned (alignment_offset {offset_bytes})"),
            "its blocks lie across those of what it is made of: small writes are done twice",
            "make the volume anew with its data at a multiple of 1 MiB",
        ),
        Fact::OffsetNotTold { above, device } => say(
            format!(
                "where {above} begins on {device} only root may ask (dmsetup table); the kernel sees no misfit"
            ),
            "",
            "",
        ),
        Fact::TableWithoutPartitions { device, gpt, entries } => {
            let kind = if *gpt { "GPT" } else { "MBR" };
            let entries = if *entries == 1 { "1 partition".into() } else { format!("{entries} partitions") };
            say(
                format!("{device} has a table ({kind}, {entries}) that the kernel made nothing of"),
                "read from the disk; nothing can be mounted or measured through them yet",
                "partx -a, partprobe, or losetup -P makes them",
            )
        }
        Fact::TableForOtherSectors { device, table_bytes, device_bytes } => say(
            format!(
                "the table on {device} counts in sectors of {table_bytes} bytes, the disk has {device_bytes}"
            ),
            "it was made for another disk; the kernel finds no partition, or a wrong one",
            format!("use the disk with {table_bytes}-byte sectors, or partition it anew"),
        ),
        Fact::TableUnread { device } => say(
            format!("whether {device} has a partition table is not known: it may not be read"),
            "the kernel made no partitions of it; a table would be seen on the disk alone",
            "ask again as root or as a member of group disk",
        ),
        Fact::SmallFileSystemBlocks { at, bytes } => say(
            format!("the file system at {at} has blocks of {bytes} bytes"),
            "a file may begin between two pages of flash, wherever the partition begins",
            "mkfs with 4096-byte blocks (ext4: -b 4096)",
        ),
        Fact::NothingBetween { device } => {
            say(format!("nothing between the target and {device} has an offset"), "", "")
        }
        other => raw(other),
    }
}

pub(super) fn ground(line: &Line) -> Words {
    match &line.fact {
        Fact::Target { kind, size } => {
            let size = size.map_or(String::new(), |s| format!(" of {}", bytes(s)));
            let what = match kind {
                TargetKind::Device => "a block device",
                TargetKind::Partition => "a partition",
                TargetKind::File => "a file",
                TargetKind::Directory => "a directory: fathom measures a scratch file in it",
            };
            say(format!("{what}{size}"), "", "")
        }
        Fact::Empty { kind: TargetKind::File } => say(
            "the file is empty",
            "there is nothing to read",
            "write it fully first, or name its directory: fathom makes a scratch file",
        ),
        Fact::Empty { .. } => say(
            "the device has no bytes",
            "no medium is in it, no file is attached, or it was not set up",
            "insert, attach (losetup) or set up (zramctl), then ask again",
        ),
        Fact::OnFileSystem { kind, answers, at } => match answers {
            FileSystemKind::Memory => say(
                format!("{kind} at {at} is memory"),
                "there is no disk: every figure is the memory's",
                "choose a directory on a disk",
            ),
            FileSystemKind::Disk => say(
                format!("on a file system: {kind} at {at}"),
                "figures are the file system's and the disk's together",
                "for the disk alone measure the raw device, empty, or by reads only",
            ),
            FileSystemKind::CopyOnWrite => say(
                format!("on a file system that never writes in place: {kind} at {at}"),
                "random writes allocate, checksums take processor time, compression makes zeros vanish",
                "use incompressible data (refill_buffers); for the disk alone measure the raw device",
            ),
            FileSystemKind::Overlay => say(
                format!("{kind} at {at} lies on other file systems"),
                "a file of a lower layer is copied up, whole, at its first write",
                "measure a file made here by you, or a mounted volume",
            ),
            FileSystemKind::Network => say(
                format!("{kind} at {at} is served over a network"),
                "figures are the network's and the server's; direct=1 leaves out only our own page cache",
                "use more data than the server's memory; compare with the link's rate",
            ),
            FileSystemKind::Served => say(
                format!("{kind} at {at} is served by another program or by the host"),
                "figures are that program's; its cache is out of our reach",
                "measure where the data lies",
            ),
        },
        Fact::MountOption { at, option, effect } => {
            let (why, act) = match effect {
                MountEffect::Synchronous => {
                    ("every write waits for the disk, asked or not", "mount without it, or keep it in mind")
                }
                MountEffect::NoFlush => {
                    ("fsync does not flush the disk's cache: its figures are too good", "mount with barriers")
                }
                MountEffect::DataTwice => ("each byte is written twice", "mount with data=ordered"),
                MountEffect::Compressed => {
                    ("zeros and patterns shrink to nothing", "use incompressible data (refill_buffers)")
                }
                MountEffect::Dax => {
                    ("there is no page cache: buffered is direct", "compare with a mount without it")
                }
                MountEffect::ReadOnly => ("nothing can be written", "reads only"),
                MountEffect::Discard => {
                    ("deleting trims at once, which slows what runs beside it", "use fstrim between runs")
                }
            };
            say(format!("{at} is mounted with {option}"), why, act)
        }
        Fact::LoopOverFile { device, backing, direct: false } => say(
            format!("{device} is a loop device over {backing}, through the page cache"),
            "what its file has in memory is answered from memory, direct=1 or not",
            "losetup --direct-io=on, or measure what lies under it",
        ),
        Fact::LoopOverFile { device, backing, direct: true } => say(
            format!("{device} is a loop device over {backing}, with direct I/O"),
            "each request passes two block layers and a worker",
            "for the disk alone measure what lies under it",
        ),
        Fact::InUse { device, used, by } => {
            let fact = match used {
                UsedAs::Mounted => format!("{device} is mounted on {by}"),
                UsedAs::Swap => format!("{device} is swapped to"),
                UsedAs::Part => format!("{device} is part of {by}"),
                UsedAs::Loop => format!("{by} lies on {device}"),
            };
            let act = match used {
                UsedAs::Mounted => "measure a file in it, or unmount it",
                UsedAs::Swap => "swapoff for the time of the test",
                UsedAs::Part | UsedAs::Loop => "measure that instead, or take it apart",
            };
            say(fact, "its users' I/O is in the figures; a write test would destroy it and is refused", act)
        }
        Fact::Carries { device, what } => say(
            format!("{device} carries: {what}"),
            "a write test would destroy it; fathom refuses",
            "measure by reads only, or a file in it; wipefs -a if nothing is needed",
        ),
        Fact::DirectIo { accepted: true } => say("direct I/O is accepted", "", ""),
        Fact::DirectIo { accepted: false } => say(
            "direct I/O is refused",
            "only buffered I/O is left, which is the page cache's for the better part",
            "use more data than there is memory, or another file system",
        ),
        Fact::Unreadable { errno: n } => say(
            format!("the target may not be read ({})", errno(*n)),
            "its contents, partition table and signatures are not known",
            "ask again as somebody who may read it",
        ),
        Fact::Holes { size, holes, unwritten } => {
            let missing = holes.saturating_add(unwritten.unwrap_or(0));
            if missing == 0 {
                return say("no holes, nothing unwritten", "", "");
            }
            let unwritten =
                unwritten.filter(|u| *u > 0).map(|u| format!(" and {} reserved but never written", bytes(u)));
            say(
                format!("{} of {} are holes{}", bytes(*holes), bytes(*size), unwritten.unwrap_or_default()),
                "reads of them give zeros without asking the disk; first writes allocate and are slower",
                "write the file fully before it is read (rw=write bs=1M)",
            )
        }
        Fact::Pieces { pieces, mean_bytes, .. } => say(
            match pieces {
                1 => "the file lies in one piece".to_string(),
                n => format!("the file lies in {n} pieces of {} on average", bytes(*mean_bytes)),
            },
            "a sequential read of it jumps: heads that move make it a random one",
            "copy it to a file of its own, or make room first",
        ),
        Fact::ZeroBlocks { sampled, zero } => say(
            format!("{zero} of {sampled} sampled blocks hold only zeros"),
            "trimmed or thin blocks are answered without the medium, and zeros compress to nothing",
            "write the target fully with random data before it is read",
        ),
        Fact::Cached { size, cached } => say(
            format!("{} of {} are in the page cache", bytes(*cached), bytes(*size)),
            "buffered reads of them are answered from memory",
            "direct=1, or invalidate=1 (the default)",
        ),
        Fact::Space { size, free } => say(
            format!("{} of {} are free", bytes(*free), bytes(*size)),
            "full file systems scatter what they write, and full flash cleans up while it writes",
            "make room: 15 % and more",
        ),
        other => raw(other),
    }
}
