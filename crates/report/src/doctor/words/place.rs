//! Texts about the target: its alignment, and the file system or device that contains it.

use super::{Words, advised, errno, exact, raw, told};
use crate::Lang;
use crate::catalog::{say, word};
use crate::scale::bytes;
use stats::doctor::*;

pub(super) fn alignment(lang: Lang, fact: &Fact) -> Words {
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
                Origin::Partition | Origin::TableEntry if *sector_bytes == 512 => {
                    say!(lang, "doctor-begins-at-sector", what, sector, on)
                }
                Origin::Partition | Origin::TableEntry => {
                    say!(lang, "doctor-begins-at-large-sector", what, sector, on, sector_bytes)
                }
                Origin::Loop => say!(lang, "doctor-begins-at-byte", what, byte, on),
                Origin::Raid => say!(lang, "doctor-begins-raid-data", what, byte, on),
                Origin::File => say!(lang, "doctor-begins-file", what, byte, on),
                Origin::Sum => say!(lang, "doctor-begins-all-layers", what, byte, on),
            };
            let Some(m) = fails else {
                let fact = match multiple_of.map(|u| exact(lang, u)) {
                    None => say!(lang, "doctor-begins-aligned", place),
                    Some(unit) => say!(lang, "doctor-begins-multiple", place, unit),
                };
                return told(fact, "", "");
            };
            let (beyond, unit) = (exact(lang, m.beyond), exact(lang, m.bytes));
            let fact = say!(lang, "doctor-begins-misaligned", place, beyond, unit);
            if *compensated {
                return told(
                    fact,
                    word!(lang, "doctor-begins-compensated-why"),
                    word!(lang, "doctor-begins-compensated-do"),
                );
            }
            let act = match origin {
                Origin::Partition | Origin::TableEntry => word!(lang, "doctor-begins-partition-do"),
                Origin::Loop => word!(lang, "doctor-begins-loop-do"),
                Origin::Raid => word!(lang, "doctor-begins-raid-do"),
                Origin::File => word!(lang, "doctor-begins-file-do"),
                Origin::Sum => word!(lang, "doctor-begins-all-layers-do"),
            };
            match m.unit {
                Unit::Sector if *physical_bytes < 4096 => {
                    told(fact, say!(lang, "doctor-begins-small-sector-why", on, physical_bytes), act)
                }
                Unit::Sector => told(fact, word!(lang, "doctor-begins-sector-why"), act),
                Unit::Chunk => {
                    let why = say!(lang, "doctor-begins-chunk-why", unit);
                    told(fact, why, act)
                }
                Unit::Stripe => told(
                    fact,
                    say!(lang, "doctor-begins-stripe-why", unit),
                    word!(lang, "doctor-begins-stripe-do"),
                ),
            }
        }
        Fact::KernelSaysMisaligned { device, offset_bytes } => {
            advised!(lang, "doctor-kernel-says-misaligned", device, offset_bytes)
        }
        Fact::OffsetNotTold { above, device } => {
            told(say!(lang, "doctor-offset-unknown", above, device), "", "")
        }
        Fact::TableWithoutPartitions { device, gpt, entries } => {
            let kind = if *gpt { "GPT" } else { "MBR" };
            advised!(lang, "doctor-table-ignored", device, kind, entries)
        }
        Fact::TableForOtherSectors { device, table_bytes, device_bytes } => told(
            say!(lang, "doctor-table-other-sectors", device, table_bytes, device_bytes),
            word!(lang, "doctor-table-other-sectors-why"),
            say!(lang, "doctor-table-other-sectors-do", table_bytes),
        ),
        Fact::TableUnread { device } => advised!(lang, "doctor-table-unread", device),
        Fact::SmallFileSystemBlocks { at, bytes } => advised!(lang, "doctor-small-blocks", at, bytes),
        Fact::NothingBetween { device } => told(say!(lang, "doctor-no-offset", device), "", ""),
        other => raw(other),
    }
}

fn file_system(lang: Lang, kind: &str, answers: FileSystemKind, at: &str) -> Words {
    match answers {
        FileSystemKind::Memory => advised!(lang, "doctor-on-memory", kind, at),
        FileSystemKind::Disk => advised!(lang, "doctor-on-disk", kind, at),
        FileSystemKind::CopyOnWrite => advised!(lang, "doctor-on-copy-on-write", kind, at),
        FileSystemKind::Overlay => advised!(lang, "doctor-on-overlay", kind, at),
        FileSystemKind::Network => advised!(lang, "doctor-on-network", kind, at),
        FileSystemKind::Served => advised!(lang, "doctor-on-served", kind, at),
    }
}

fn mount(lang: Lang, effect: MountEffect) -> (&'static str, &'static str) {
    match effect {
        MountEffect::Synchronous => {
            (word!(lang, "doctor-mount-synchronous-why"), word!(lang, "doctor-mount-synchronous-do"))
        }
        MountEffect::NoFlush => {
            (word!(lang, "doctor-mount-no-flush-why"), word!(lang, "doctor-mount-no-flush-do"))
        }
        MountEffect::DataTwice => {
            (word!(lang, "doctor-mount-data-twice-why"), word!(lang, "doctor-mount-data-twice-do"))
        }
        MountEffect::Compressed => {
            (word!(lang, "doctor-mount-compressed-why"), word!(lang, "doctor-mount-compressed-do"))
        }
        MountEffect::Dax => (word!(lang, "doctor-mount-dax-why"), word!(lang, "doctor-mount-dax-do")),
        MountEffect::ReadOnly => {
            (word!(lang, "doctor-mount-read-only-why"), word!(lang, "doctor-mount-read-only-do"))
        }
        MountEffect::Discard => {
            (word!(lang, "doctor-mount-discard-why"), word!(lang, "doctor-mount-discard-do"))
        }
    }
}

pub(super) fn ground(lang: Lang, line: &Line) -> Words {
    match &line.fact {
        Fact::Target { kind, size } => {
            let kind = match kind {
                TargetKind::Device => word!(lang, "doctor-target-device"),
                TargetKind::Partition => word!(lang, "doctor-target-partition"),
                TargetKind::File => word!(lang, "doctor-target-file"),
                TargetKind::Directory => word!(lang, "doctor-target-directory"),
            };
            match size.map(bytes) {
                Some(size) => told(say!(lang, "doctor-target-with-size", kind, size), "", ""),
                None => told(kind, "", ""),
            }
        }
        Fact::Empty { kind: TargetKind::File } => told(
            word!(lang, "doctor-empty-file"),
            word!(lang, "doctor-empty-file-why"),
            word!(lang, "doctor-empty-file-do"),
        ),
        Fact::Empty { .. } => told(
            word!(lang, "doctor-empty-device"),
            word!(lang, "doctor-empty-device-why"),
            word!(lang, "doctor-empty-device-do"),
        ),
        Fact::OnFileSystem { kind, answers, at } => file_system(lang, kind, *answers, at),
        Fact::MountOption { at, option, effect } => {
            let (why, act) = mount(lang, *effect);
            told(say!(lang, "doctor-mount-option", at, option), why, act)
        }
        Fact::LoopOverFile { device, backing, direct: false } => {
            advised!(lang, "doctor-loop-buffered", device, backing)
        }
        Fact::LoopOverFile { device, backing, direct: true } => {
            advised!(lang, "doctor-loop-direct", device, backing)
        }
        Fact::InUse { device, used, by } => {
            let fact = match used {
                UsedAs::Mounted => say!(lang, "doctor-in-use-mounted", device, by),
                UsedAs::Swap => say!(lang, "doctor-in-use-swap", device),
                UsedAs::Part => say!(lang, "doctor-in-use-member", device, by),
                UsedAs::Loop => say!(lang, "doctor-in-use-loop", by, device),
            };
            let act = match used {
                UsedAs::Mounted => word!(lang, "doctor-in-use-mounted-do"),
                UsedAs::Swap => word!(lang, "doctor-in-use-swap-do"),
                UsedAs::Part | UsedAs::Loop => word!(lang, "doctor-in-use-member-do"),
            };
            let why = word!(lang, "doctor-in-use-why");
            told(fact, why, act)
        }
        Fact::Carries { device, what } => {
            advised!(lang, "doctor-carries", device, what = crate::words::facts::contents(lang, what))
        }
        Fact::DirectIo { accepted: true } => told(word!(lang, "doctor-direct-accepted"), "", ""),
        Fact::DirectIo { accepted: false } => told(
            word!(lang, "doctor-direct-refused"),
            word!(lang, "doctor-direct-refused-why"),
            word!(lang, "doctor-direct-refused-do"),
        ),
        Fact::Unreadable { errno: n } => advised!(lang, "doctor-unreadable", error = errno(lang, *n)),
        Fact::Holes { size, holes, unwritten } => {
            let missing = holes.saturating_add(unwritten.unwrap_or(0));
            if missing == 0 {
                let whole = word!(lang, "doctor-no-holes");
                return told(whole, "", "");
            }
            let reserved = unwritten.filter(|u| *u > 0).map(bytes);
            let (holes, size) = (bytes(*holes), bytes(*size));
            told(
                match reserved {
                    Some(reserved) => say!(lang, "doctor-holes-and-unwritten", holes, size, reserved),
                    None => say!(lang, "doctor-holes", holes, size),
                },
                word!(lang, "doctor-holes-why"),
                word!(lang, "doctor-holes-do"),
            )
        }
        Fact::Pieces { pieces, mean_bytes, .. } => {
            let mean = bytes(*mean_bytes);
            told(
                match pieces {
                    1 => say!(lang, "doctor-one-extent"),
                    n => say!(lang, "doctor-fragments", n, mean),
                },
                word!(lang, "doctor-fragments-why"),
                word!(lang, "doctor-fragments-do"),
            )
        }
        Fact::ZeroBlocks { sampled, zero } => advised!(lang, "doctor-zero-blocks", zero, sampled),
        Fact::Cached { size, cached } => {
            let (cached, size) = (bytes(*cached), bytes(*size));
            advised!(lang, "doctor-cached", cached, size)
        }
        Fact::Space { size, free } => {
            let (free, size) = (bytes(*free), bytes(*size));
            advised!(lang, "doctor-space", free, size)
        }
        other => raw(other),
    }
}
