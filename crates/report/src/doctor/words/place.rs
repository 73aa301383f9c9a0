//! Where the target lies: alignment, and what is under it.

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
                    say!(lang, "doctor-place-partition-begins-sector", what, sector, on)
                }
                Origin::Partition | Origin::TableEntry => {
                    say!(lang, "doctor-place-partition-begins-sector-byte", what, sector, on, sector_bytes)
                }
                Origin::Loop => {
                    say!(lang, "doctor-place-loop-begins-byte", what, byte, on)
                }
                Origin::Raid => {
                    say!(lang, "doctor-place-raid-data-begins-byte", what, byte, on)
                }
                Origin::File => {
                    say!(lang, "doctor-place-file-lies-byte", what, byte, on)
                }
                Origin::Sum => {
                    say!(lang, "doctor-place-sum-all-layers-together", what, byte, on)
                }
            };
            let Some(m) = fails else {
                let multiple = match multiple_of.map(|u| exact(lang, u)) {
                    None => say!(lang, "doctor-place-sum-aligned"),
                    Some(unit) => {
                        say!(lang, "doctor-place-sum-multiple", unit)
                    }
                };
                return told(format!("{place}: {multiple}"), "", "");
            };
            let (beyond, unit) = (exact(lang, m.beyond), exact(lang, m.bytes));
            let fact = say!(lang, "doctor-place-sum-beyond-multiple", place, beyond, unit);
            if *compensated {
                return told(
                    fact,
                    word!(lang, "doctor-place-sum-layers-below-make"),
                    word!(lang, "doctor-place-sum-nothing-unless-one"),
                );
            }
            let reported = if *physical_bytes < 4096 {
                say!(lang, "doctor-place-sum-reports-sectors-bytes", on, physical_bytes)
            } else {
                String::new()
            };
            let act = match origin {
                Origin::Partition | Origin::TableEntry => {
                    word!(lang, "doctor-place-partition-save-data-make")
                }
                Origin::Loop => {
                    word!(lang, "doctor-place-loop-attach-offset-multiple")
                }
                Origin::Raid => {
                    word!(lang, "doctor-place-raid-create-array-data")
                }
                Origin::File => {
                    word!(lang, "doctor-place-file-make-file-system")
                }
                Origin::Sum => {
                    word!(lang, "doctor-place-sum-align-layers-one")
                }
            };
            match m.unit {
                Unit::Sector => {
                    let why = say!(lang, "doctor-place-sector", reported);
                    told(fact, why, act)
                }
                Unit::Chunk => {
                    let why = say!(lang, "doctor-place-chunk", unit);
                    told(fact, why, act)
                }
                Unit::Stripe => told(
                    fact,
                    say!(lang, "doctor-place-stripe-no-write-fills", unit),
                    word!(lang, "doctor-place-stripe-large-sequential-writes"),
                ),
            }
        }
        Fact::KernelSaysMisaligned { device, offset_bytes } => told(
            say!(lang, "doctor-place-kernel-says-misaligned-kernel-calls-misaligned", device, offset_bytes),
            word!(lang, "doctor-place-kernel-says-misaligned-blocks-lie-across"),
            word!(lang, "doctor-place-kernel-says-misaligned-make-volume-anew"),
        ),
        Fact::OffsetNotTold { above, device } => {
            told(say!(lang, "doctor-place-offset-not-told", above, device), "", "")
        }
        Fact::TableWithoutPartitions { device, gpt, entries } => {
            let kind = if *gpt { "GPT" } else { "MBR" };
            let entries = match entries {
                1 => say!(lang, "doctor-place-table-without-partitions-1-partition"),
                n => say!(lang, "doctor-place-table-without-partitions-partitions", n),
            };
            told(
                say!(lang, "doctor-place-table-without-partitions-has-table-kernel", device, kind, entries),
                word!(lang, "doctor-place-table-without-partitions-read-from-disk"),
                word!(lang, "doctor-place-table-without-partitions-partx-partprobe-losetup"),
            )
        }
        Fact::TableForOtherSectors { device, table_bytes, device_bytes } => told(
            say!(
                lang,
                "doctor-place-table-for-other-sectors-table-counts-sectors",
                device,
                table_bytes,
                device_bytes
            ),
            word!(lang, "doctor-place-table-for-other-sectors-made-another-disk"),
            say!(lang, "doctor-place-table-for-other-sectors-use-disk-byte", table_bytes),
        ),
        Fact::TableUnread { device } => told(
            say!(lang, "doctor-place-table-unread-whether-has-partition", device),
            word!(lang, "doctor-place-table-unread-kernel-made-no"),
            word!(lang, "doctor-place-table-unread-ask-again-root"),
        ),
        Fact::SmallFileSystemBlocks { at, bytes } => told(
            say!(lang, "doctor-place-small-file-system-blocks-file-system-has", at, bytes),
            word!(lang, "doctor-place-small-file-system-blocks-file-may-begin"),
            word!(lang, "doctor-place-small-file-system-blocks-mkfs-4096-byte"),
        ),
        Fact::NothingBetween { device } => told(say!(lang, "doctor-place-nothing-between", device), "", ""),
        other => raw(other),
    }
}

fn file_system(lang: Lang, kind: &str, answers: FileSystemKind, at: &str) -> Words {
    match answers {
        FileSystemKind::Memory => told(
            say!(lang, "doctor-place-memory-memory", kind, at),
            word!(lang, "doctor-place-memory-there-no-disk"),
            word!(lang, "doctor-place-memory-choose-directory-disk"),
        ),
        FileSystemKind::Disk => told(
            say!(lang, "doctor-place-disk-file-system", kind, at),
            word!(lang, "doctor-place-disk-figures-file-system"),
            word!(lang, "doctor-place-disk-disk-alone-measure"),
        ),
        FileSystemKind::CopyOnWrite => told(
            say!(lang, "doctor-place-copy-on-write-file-system-never", kind, at),
            word!(lang, "doctor-place-copy-on-write-random-writes-allocate"),
            word!(lang, "doctor-place-copy-on-write-use-incompressible-data"),
        ),
        FileSystemKind::Overlay => told(
            say!(lang, "doctor-place-overlay-lies-other-file", kind, at),
            word!(lang, "doctor-place-overlay-file-lower-layer"),
            word!(lang, "doctor-place-overlay-measure-file-made"),
        ),
        FileSystemKind::Network => told(
            say!(lang, "doctor-place-network-served-over-network", kind, at),
            word!(lang, "doctor-place-network-figures-network-s"),
            word!(lang, "doctor-place-network-use-more-data"),
        ),
        FileSystemKind::Served => told(
            say!(lang, "doctor-place-served-served-another-program", kind, at),
            word!(lang, "doctor-place-served-figures-program-s"),
            word!(lang, "doctor-place-served-measure-where-data"),
        ),
    }
}

fn mount(lang: Lang, effect: MountEffect) -> (&'static str, &'static str) {
    match effect {
        MountEffect::Synchronous => (
            word!(lang, "doctor-place-synchronous-every-write-waits"),
            word!(lang, "doctor-place-synchronous-mount-without-keep"),
        ),
        MountEffect::NoFlush => (
            word!(lang, "doctor-place-no-flush-fsync-does-not"),
            word!(lang, "doctor-place-no-flush-mount-barriers"),
        ),
        MountEffect::DataTwice => (
            word!(lang, "doctor-place-data-twice-each-byte-written"),
            word!(lang, "doctor-place-data-twice-mount-data-ordered"),
        ),
        MountEffect::Compressed => (
            word!(lang, "doctor-place-compressed-zeros-patterns-shrink"),
            word!(lang, "doctor-place-compressed-use-incompressible-data"),
        ),
        MountEffect::Dax => (
            word!(lang, "doctor-place-dax-there-no-page"),
            word!(lang, "doctor-place-dax-compare-mount-without"),
        ),
        MountEffect::ReadOnly => (
            word!(lang, "doctor-place-read-only-nothing-can-written"),
            word!(lang, "doctor-place-read-only-reads-only"),
        ),
        MountEffect::Discard => (
            word!(lang, "doctor-place-discard-deleting-trims-once"),
            word!(lang, "doctor-place-discard-use-fstrim-between"),
        ),
    }
}

pub(super) fn ground(lang: Lang, line: &Line) -> Words {
    match &line.fact {
        Fact::Target { kind, size } => {
            let size = size.map_or(String::new(), |s| {
                let size = bytes(s);
                say!(lang, "doctor-place-target", size)
            });
            let fact = match kind {
                TargetKind::Device => {
                    say!(lang, "doctor-place-device", size)
                }
                TargetKind::Partition => {
                    say!(lang, "doctor-place-partition", size)
                }
                TargetKind::File => {
                    say!(lang, "doctor-place-file", size)
                }
                TargetKind::Directory => {
                    say!(lang, "doctor-place-directory", size)
                }
            };
            told(fact, "", "")
        }
        Fact::Empty { kind: TargetKind::File } => told(
            word!(lang, "doctor-place-empty-file-empty"),
            word!(lang, "doctor-place-empty-there-nothing-read"),
            word!(lang, "doctor-place-empty-write-fully-first"),
        ),
        Fact::Empty { .. } => told(
            word!(lang, "doctor-place-empty-device-has-no"),
            word!(lang, "doctor-place-empty-no-medium-no"),
            word!(lang, "doctor-place-empty-insert-attach-losetup"),
        ),
        Fact::OnFileSystem { kind, answers, at } => file_system(lang, kind, *answers, at),
        Fact::MountOption { at, option, effect } => {
            let (why, act) = mount(lang, *effect);
            told(say!(lang, "doctor-place-mount-option", at, option), why, act)
        }
        Fact::LoopOverFile { device, backing, direct: false } => told(
            say!(lang, "doctor-place-loop-over-file-loop-device-over", device, backing),
            word!(lang, "doctor-place-loop-over-file-what-file-has"),
            word!(lang, "doctor-place-loop-over-file-losetup-direct-io"),
        ),
        Fact::LoopOverFile { device, backing, direct: true } => told(
            say!(lang, "doctor-place-loop-over-file-loop-device-over-2", device, backing),
            word!(lang, "doctor-place-loop-over-file-each-request-passes"),
            word!(lang, "doctor-place-loop-over-file-disk-alone-measure"),
        ),
        Fact::InUse { device, used, by } => {
            let fact = match used {
                UsedAs::Mounted => {
                    say!(lang, "doctor-place-mounted-mounted", device, by)
                }
                UsedAs::Swap => {
                    say!(lang, "doctor-place-swap-swapped", device)
                }
                UsedAs::Part => {
                    say!(lang, "doctor-place-part-part", device, by)
                }
                UsedAs::Loop => {
                    say!(lang, "doctor-place-loop", by, device)
                }
            };
            let act = match used {
                UsedAs::Mounted => {
                    word!(lang, "doctor-place-mounted-measure-file-unmount")
                }
                UsedAs::Swap => {
                    word!(lang, "doctor-place-swap-swapoff-time-test")
                }
                UsedAs::Part | UsedAs::Loop => {
                    word!(lang, "doctor-place-part-measure-instead-take")
                }
            };
            let why = word!(lang, "doctor-place-part-users-i-o");
            told(fact, why, act)
        }
        Fact::Carries { device, what } => told(
            say!(lang, "doctor-place-carries-carries", device, what),
            word!(lang, "doctor-place-carries-write-test-would"),
            word!(lang, "doctor-place-carries-measure-reads-only"),
        ),
        Fact::DirectIo { accepted: true } => told(word!(lang, "doctor-place-direct-io-direct-i-o"), "", ""),
        Fact::DirectIo { accepted: false } => told(
            word!(lang, "doctor-place-direct-io-direct-i-o-2"),
            word!(lang, "doctor-place-direct-io-only-buffered-i"),
            word!(lang, "doctor-place-direct-io-use-more-data"),
        ),
        Fact::Unreadable { errno: n } => {
            let error = errno(lang, *n);
            told(
                say!(lang, "doctor-place-unreadable-target-may-not", error),
                word!(lang, "doctor-place-unreadable-contents-partition-table"),
                word!(lang, "doctor-place-unreadable-ask-again-somebody"),
            )
        }
        Fact::Holes { size, holes, unwritten } => {
            let missing = holes.saturating_add(unwritten.unwrap_or(0));
            if missing == 0 {
                let whole = word!(lang, "doctor-place-holes-no-holes-nothing");
                return told(whole, "", "");
            }
            let unwritten = unwritten.filter(|u| *u > 0).map_or(String::new(), |u| {
                let reserved = bytes(u);
                say!(lang, "doctor-place-holes-reserved-but-never", reserved)
            });
            let (holes, size) = (bytes(*holes), bytes(*size));
            told(
                say!(lang, "doctor-place-holes-holes", holes, size, unwritten),
                word!(lang, "doctor-place-holes-reads-them-give"),
                word!(lang, "doctor-place-holes-write-file-fully"),
            )
        }
        Fact::Pieces { pieces, mean_bytes, .. } => {
            let mean = bytes(*mean_bytes);
            told(
                match pieces {
                    1 => {
                        say!(lang, "doctor-place-pieces-file-lies-one")
                    }
                    n => {
                        say!(lang, "doctor-place-pieces-file-lies-pieces", n, mean)
                    }
                },
                word!(lang, "doctor-place-pieces-sequential-read-jumps"),
                word!(lang, "doctor-place-pieces-copy-file-own"),
            )
        }
        Fact::ZeroBlocks { sampled, zero } => told(
            say!(lang, "doctor-place-zero-blocks-sampled-blocks-hold", zero, sampled),
            word!(lang, "doctor-place-zero-blocks-trimmed-thin-blocks"),
            word!(lang, "doctor-place-zero-blocks-write-target-fully"),
        ),
        Fact::Cached { size, cached } => {
            let (cached, size) = (bytes(*cached), bytes(*size));
            told(
                say!(lang, "doctor-place-cached-page-cache", cached, size),
                word!(lang, "doctor-place-cached-buffered-reads-them"),
                word!(lang, "doctor-place-cached-direct-1-invalidate"),
            )
        }
        Fact::Space { size, free } => {
            let (free, size) = (bytes(*free), bytes(*size));
            told(
                say!(lang, "doctor-place-space-free", free, size),
                word!(lang, "doctor-place-space-full-file-systems"),
                word!(lang, "doctor-place-space-make-room-15"),
            )
        }
        other => raw(other),
    }
}
