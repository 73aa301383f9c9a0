//! Texts for the types of `facts`: signatures, users of a device or file.

use crate::Lang;
use crate::catalog::{say, word};
use facts::extents::RangesError;
use facts::file_usage::FileUse;
use facts::signature::Signature;
use facts::usage::{DevicePart, Use};
use stats::contents::{Contents, ContentsClass};

/// Returns the name of the contents of a device or file: `ext4 file system`.
pub fn contents(lang: Lang, contents: &Contents) -> String {
    let name = &contents.name;
    match contents.class {
        ContentsClass::FileSystem => say!(lang, "facts-file-system", name),
        ContentsClass::Container => say!(lang, "facts-container", name),
        ContentsClass::Volume => say!(lang, "facts-volume", name),
        ContentsClass::EncryptedVolume => say!(lang, "facts-encrypted-volume", name),
        ContentsClass::PhysicalVolume => say!(lang, "facts-physical-volume", name),
        ContentsClass::ControlVolume => say!(lang, "facts-control-volume", name),
        ContentsClass::HashDevice => say!(lang, "facts-hash-device", name),
        ContentsClass::JournalDevice => say!(lang, "facts-journal-device", name),
        ContentsClass::LogDevice => say!(lang, "facts-log-device", name),
        ContentsClass::PoolMember => say!(lang, "facts-pool-member", name),
        ContentsClass::Pool => say!(lang, "facts-pool", name),
        ContentsClass::RaidMember => say!(lang, "facts-raid-member", name),
        ContentsClass::Device => say!(lang, "facts-device", name),
        ContentsClass::Disk => say!(lang, "facts-disk", name),
        ContentsClass::DynamicDisk => say!(lang, "facts-dynamic-disk", name),
        ContentsClass::Swap => word!(lang, "facts-swap").into(),
        ContentsClass::SuspendedSystem => word!(lang, "facts-suspended-system").into(),
        ContentsClass::SnapshotStore => say!(lang, "facts-snapshot-store", name),
        ContentsClass::DataLog => say!(lang, "facts-data-log", name),
        ContentsClass::PartitionTable => say!(lang, "facts-partition-table", name),
        ContentsClass::EmptyPartitionTable => say!(lang, "facts-empty-partition-table", name),
        ContentsClass::PartitionMap => say!(lang, "facts-partition-map", name),
        ContentsClass::DiskLabel => say!(lang, "facts-disk-label", name),
        ContentsClass::LoopLabel => say!(lang, "facts-loop-label", name),
        ContentsClass::Label => say!(lang, "facts-label", name),
        ContentsClass::Archive => say!(lang, "facts-archive", name),
        ContentsClass::EncryptedData => say!(lang, "facts-encrypted-data", name),
        ContentsClass::DiskImage => say!(lang, "facts-disk-image", name),
        ContentsClass::Picture => say!(lang, "facts-picture", name),
        ContentsClass::Document => say!(lang, "facts-document", name),
        ContentsClass::Video => say!(lang, "facts-video", name),
        ContentsClass::MediaFile => say!(lang, "facts-media-file", name),
        ContentsClass::Program => say!(lang, "facts-program", name),
        ContentsClass::Database => say!(lang, "facts-database", name),
        ContentsClass::Other => name.to_string(),
    }
}

/// Returns the name of the contents of a device or file, with the offset of its signature.
pub fn signature(lang: Lang, found: &Signature) -> String {
    let (contents, offset) = (contents(lang, &found.what), found.offset.to_string());
    say!(lang, "facts-signature", contents, offset)
}

/// Returns the reason why a device in use is not written to.
pub fn device_use(lang: Lang, used: &Use) -> String {
    match used {
        Use::Mounted { device, at } => say!(lang, "facts-use-mounted", device, at = at.to_string_lossy()),
        Use::Swap { device } => say!(lang, "facts-use-swap", device),
        Use::Held { device, by } => say!(lang, "facts-use-held", device, by),
        Use::Loop { device, by } => say!(lang, "facts-use-loop", device, by),
        Use::SameFile { by, used: None } => say!(lang, "facts-use-same-file", by),
        Use::SameFile { by, used: Some(used) } => {
            say!(lang, "facts-use-same-file-used", by, used = device_use(lang, used))
        }
        Use::Opened { program, pid } => say!(lang, "facts-use-opened", program, pid = pid.to_string()),
        Use::Partitioned { device, partitions } => {
            say!(lang, "facts-use-partitioned", device, partitions = partition_names(lang, partitions))
        }
        Use::Carries(found) => say!(lang, "facts-use-carries", signature = signature(lang, found)),
        Use::Unknown { offset, part: DevicePart::First } => {
            say!(lang, "facts-use-unknown-first", offset = offset.to_string())
        }
        Use::Unknown { offset, part: DevicePart::Last } => {
            say!(lang, "facts-use-unknown-last", offset = offset.to_string())
        }
        Use::Unknown { offset, part: DevicePart::Between } => {
            say!(lang, "facts-use-unknown-between", offset = offset.to_string())
        }
    }
}

/// Returns the names of up to eight partitions, and the number of further ones.
fn partition_names(lang: Lang, names: &[String]) -> String {
    const MOST: usize = 8;
    match names.len().checked_sub(MOST) {
        None | Some(0) => names.join(", "),
        Some(more) => say!(lang, "facts-more-names", names = names[..MOST].join(", "), more),
    }
}

/// Returns the purpose for which the system uses a file.
pub fn file_use(lang: Lang, used: &FileUse) -> String {
    match used {
        FileUse::Loop { by } => say!(lang, "facts-file-use-loop", by),
        FileUse::Swap => word!(lang, "facts-file-use-swap").into(),
        FileUse::Mounted { at } => say!(lang, "facts-file-use-mounted", at = at.to_string_lossy()),
    }
}

/// Returns the reason why the unwritten ranges of a file are not known.
pub fn ranges_error(lang: Lang, error: &RangesError) -> String {
    match error {
        RangesError::Io(error) => error.to_string(),
        RangesError::TooMany { zeros: false, most } => say!(lang, "facts-too-many-gaps", most),
        RangesError::TooMany { zeros: true, most } => say!(lang, "facts-too-many-zeros", most),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_words_of_every_use_and_signature() {
        let found = |class, name, offset| Signature { what: Contents::new(class, name), offset };
        let named = |found: &Signature| signature(Lang::En, found);
        assert_eq!(
            named(&found(ContentsClass::FileSystem, "ext4", 1080)),
            "ext4 file system (signature at byte 1080)"
        );
        assert_eq!(named(&found(ContentsClass::Swap, "", 4086)), "swap area (signature at byte 4086)");
        let libblkid = Contents { class: ContentsClass::Other, name: "silicon_medley".to_owned().into() };
        assert_eq!(contents(Lang::En, &libblkid), "silicon_medley");
        let (device, by) = ("sda1".to_owned(), "loop3".to_owned());
        let swap = Use::Swap { device: by.clone() };
        let numbered = |n: usize| (1..=n).map(|i| format!("sda{i}")).collect::<Vec<_>>();
        let device_uses = [
            (Use::Mounted { device: device.clone(), at: "/mnt".into() }, "sda1 is mounted on /mnt"),
            (Use::Swap { device: device.clone() }, "sda1 is in use as swap"),
            (Use::Held { device: device.clone(), by: "md0".into() }, "sda1 is part of md0"),
            (Use::Loop { device, by: by.clone() }, "sda1 is the backing device of loop3"),
            (Use::SameFile { by: by.clone(), used: None }, "loop3 uses the same part of the same file"),
            (
                Use::SameFile { by: by.clone(), used: Some(Box::new(swap)) },
                "loop3 uses the same part of the same file, and loop3 is in use as swap",
            ),
            (Use::Opened { program: "dd".into(), pid: 12_345 }, "dd (process 12345) has it open for writing"),
            (
                Use::Partitioned { device: "sda".into(), partitions: numbered(2) },
                "the kernel knows partitions of sda (sda1, sda2)",
            ),
            (
                Use::Partitioned { device: "sda".into(), partitions: numbered(10) },
                "the kernel knows partitions of sda (sda1, sda2, sda3, sda4, sda5, sda6, sda7, sda8 and 2 more)",
            ),
            (
                Use::Carries(found(ContentsClass::RaidMember, "Linux md", 4096)),
                "it carries: Linux md RAID member (signature at byte 4096)",
            ),
            (
                Use::Unknown { offset: 1 << 30, part: DevicePart::Between },
                "it holds data of an unknown kind (at byte 1073741824)",
            ),
            (
                Use::Unknown { offset: 1 << 40, part: DevicePart::Last },
                "its last MiB holds data of an unknown kind (at byte 1099511627776)",
            ),
            (
                Use::Unknown { offset: 512, part: DevicePart::First },
                "its first MiB holds data of an unknown kind (at byte 512)",
            ),
        ];
        for (used, expected) in device_uses {
            assert_eq!(device_use(Lang::En, &used), expected);
        }
        let file_uses = [
            (FileUse::Loop { by }, "it is the backing file of loop3"),
            (FileUse::Swap, "it is in use as swap"),
            (FileUse::Mounted { at: "/f".into() }, "it is mounted on /f"),
        ];
        for (used, expected) in file_uses {
            assert_eq!(file_use(Lang::En, &used), expected);
        }
    }
}
