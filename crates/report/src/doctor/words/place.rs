//! Texts about the target: its alignment, and the file system or device that contains it.

use super::{Words, errno, exact, raw, told};
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
        Fact::KernelSaysMisaligned { device, offset_bytes } => told(
            say!(lang, "doctor-kernel-says-misaligned", device, offset_bytes),
            word!(lang, "doctor-kernel-says-misaligned-why"),
            word!(lang, "doctor-kernel-says-misaligned-do"),
        ),
        Fact::OffsetNotTold { above, device } => {
            told(say!(lang, "doctor-offset-unknown", above, device), "", "")
        }
        Fact::TableWithoutPartitions { device, gpt, entries } => {
            let kind = if *gpt { "GPT" } else { "MBR" };
            told(
                say!(lang, "doctor-table-ignored", device, kind, entries),
                word!(lang, "doctor-table-ignored-why"),
                word!(lang, "doctor-table-ignored-do"),
            )
        }
        Fact::TableForOtherSectors { device, table_bytes, device_bytes } => told(
            say!(lang, "doctor-table-other-sectors", device, table_bytes, device_bytes),
            word!(lang, "doctor-table-other-sectors-why"),
            say!(lang, "doctor-table-other-sectors-do", table_bytes),
        ),
        Fact::TableUnread { device } => told(
            say!(lang, "doctor-table-unread", device),
            word!(lang, "doctor-table-unread-why"),
            word!(lang, "doctor-table-unread-do"),
        ),
        Fact::SmallFileSystemBlocks { at, bytes } => told(
            say!(lang, "doctor-small-blocks", at, bytes),
            word!(lang, "doctor-small-blocks-why"),
            word!(lang, "doctor-small-blocks-do"),
        ),
        Fact::NothingBetween { device } => told(say!(lang, "doctor-no-offset", device), "", ""),
        other => raw(other),
    }
}

fn file_system(lang: Lang, kind: &str, answers: FileSystemKind, at: &str) -> Words {
    match answers {
        FileSystemKind::Memory => told(
            say!(lang, "doctor-on-memory", kind, at),
            word!(lang, "doctor-on-memory-why"),
            word!(lang, "doctor-on-memory-do"),
        ),
        FileSystemKind::Disk => told(
            say!(lang, "doctor-on-disk", kind, at),
            word!(lang, "doctor-on-disk-why"),
            word!(lang, "doctor-on-disk-do"),
        ),
        FileSystemKind::CopyOnWrite => told(
            say!(lang, "doctor-on-copy-on-write", kind, at),
            word!(lang, "doctor-on-copy-on-write-why"),
            word!(lang, "doctor-on-copy-on-write-do"),
        ),
        FileSystemKind::Overlay => told(
            say!(lang, "doctor-on-overlay", kind, at),
            word!(lang, "doctor-on-overlay-why"),
            word!(lang, "doctor-on-overlay-do"),
        ),
        FileSystemKind::Network => told(
            say!(lang, "doctor-on-network", kind, at),
            word!(lang, "doctor-on-network-why"),
            word!(lang, "doctor-on-network-do"),
        ),
        FileSystemKind::Served => told(
            say!(lang, "doctor-on-served", kind, at),
            word!(lang, "doctor-on-served-why"),
            word!(lang, "doctor-on-served-do"),
        ),
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
        Fact::LoopOverFile { device, backing, direct: false } => told(
            say!(lang, "doctor-loop-buffered", device, backing),
            word!(lang, "doctor-loop-buffered-why"),
            word!(lang, "doctor-loop-buffered-do"),
        ),
        Fact::LoopOverFile { device, backing, direct: true } => told(
            say!(lang, "doctor-loop-direct", device, backing),
            word!(lang, "doctor-loop-direct-why"),
            word!(lang, "doctor-loop-direct-do"),
        ),
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
        Fact::Carries { device, what } => told(
            say!(lang, "doctor-carries", device, what = crate::words::facts::contents(lang, what)),
            word!(lang, "doctor-carries-why"),
            word!(lang, "doctor-carries-do"),
        ),
        Fact::DirectIo { accepted: true } => told(word!(lang, "doctor-direct-accepted"), "", ""),
        Fact::DirectIo { accepted: false } => told(
            word!(lang, "doctor-direct-refused"),
            word!(lang, "doctor-direct-refused-why"),
            word!(lang, "doctor-direct-refused-do"),
        ),
        Fact::Unreadable { errno: n } => {
            let error = errno(lang, *n);
            told(
                say!(lang, "doctor-unreadable", error),
                word!(lang, "doctor-unreadable-why"),
                word!(lang, "doctor-unreadable-do"),
            )
        }
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
        Fact::ZeroBlocks { sampled, zero } => told(
            say!(lang, "doctor-zero-blocks", zero, sampled),
            word!(lang, "doctor-zero-blocks-why"),
            word!(lang, "doctor-zero-blocks-do"),
        ),
        Fact::Cached { size, cached } => {
            let (cached, size) = (bytes(*cached), bytes(*size));
            told(
                say!(lang, "doctor-cached", cached, size),
                word!(lang, "doctor-cached-why"),
                word!(lang, "doctor-cached-do"),
            )
        }
        Fact::Space { size, free } => {
            let (free, size) = (bytes(*free), bytes(*size));
            told(
                say!(lang, "doctor-space", free, size),
                word!(lang, "doctor-space-why"),
                word!(lang, "doctor-space-do"),
            )
        }
        other => raw(other),
    }
}
