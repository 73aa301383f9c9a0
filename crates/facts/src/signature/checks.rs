//! Checks for formats whose signature is shorter than four bytes: other fields must be valid too, so that random data
//! is not mistaken for the format.

use super::Ends;
use stats::contents::ContentsClass::{self, *};

/// Class and name of a format that was found, and the offset in bytes of its signature.
type Check = (ContentsClass, &'static str, u64);

/// All checks except [`empty_mbr`].
pub(super) const ALL: &[fn(&Ends) -> Option<Check>] =
    &[ext, mbr, fat_without_a_name, hfs_plus, hfs, md_at_end, zfs, nilfs, minix, sun, atari, amiga, pc98];

/// ext2 to ext4. The magic has two bytes, which random data contains once in 65,536 times: other fields must be valid
/// too.
fn ext(e: &Ends) -> Option<Check> {
    let sensible = e.u16(1024 + 56)? == 0xef53 && e.u32(1024 + 24)? <= 6 && e.u32(1024 + 76)? <= 1;
    let (compat, incompat) = (e.u32(1024 + 92)?, e.u32(1024 + 96)?);
    // Extents, 64 bit, flexible groups: only ext4 has them. A journal: ext3.
    let (class, name) = match (incompat & 0x2c0 != 0, compat & 4 != 0, incompat & 8 != 0) {
        (_, _, true) => (JournalDevice, "ext"),
        (true, ..) => (FileSystem, "ext4"),
        (_, true, _) => (FileSystem, "ext3"),
        _ => (FileSystem, "ext2"),
    };
    sensible.then_some((class, name, 1080))
}

/// MBR partition table. 0x55aa is at the end of any boot sector; a table has four valid entries, at least one in use.
fn mbr(e: &Ends) -> Option<Check> {
    if e.u16(510)? != 0xaa55 {
        return None;
    }
    let mut used = false;
    for i in 0..4 {
        let entry = e.at(446 + 16 * i, 16)?;
        if entry[0] & 0x7f != 0 {
            return None;
        }
        let sectors = e.u32(446 + 16 * i + 12)?;
        used |= entry[4] != 0 && sectors != 0;
    }
    used.then_some((PartitionTable, "MBR", 510))
}

/// Old FAT without a name in the boot sector: jump, sector size, cluster size, one or two FATs, media byte.
fn fat_without_a_name(e: &Ends) -> Option<Check> {
    let b = e.at(0, 64)?;
    let jump = (b[0] == 0xeb && b[2] == 0x90) || b[0] == 0xe9;
    let sector = u16::from_le_bytes([b[11], b[12]]);
    let sensible = matches!(sector, 512 | 1024 | 2048 | 4096)
        && b[13].is_power_of_two()
        && u16::from_le_bytes([b[14], b[15]]) != 0
        && matches!(b[16], 1 | 2)
        && (b[21] == 0xf0 || b[21] >= 0xf8);
    (jump && sensible && e.u16(510)? == 0xaa55).then_some((FileSystem, "FAT", 0))
}

/// HFS+: a magic of two letters, and a valid version.
fn hfs_plus(e: &Ends) -> Option<Check> {
    let b = e.at(1024, 4)?;
    let known = b == b"H+\0\x04" || b == b"HX\0\x05";
    known.then_some((FileSystem, "HFS+", 1024))
}

/// Linux RAID with its superblock at the end: md 0.90 (at the last but one 64 KiB boundary) and 1.0 (8 to 12 KiB before
/// the end).
fn md_at_end(e: &Ends) -> Option<Check> {
    let sectors = e.size / 512;
    let old = (e.size & !0xffff).checked_sub(0x1_0000)?;
    let new = sectors.checked_sub(16).map(|s| (s & !7) * 512)?;
    let little = 0xa92b_4efc_u32;
    let offset = [old, new].into_iter().find(|o| {
        e.u32(*o) == Some(little) || (*o == old && e.u32(*o).map(u32::swap_bytes) == Some(little))
    })?;
    Some((RaidMember, "Linux md", offset))
}

/// ZFS: four labels of 256 KiB, two at each end; the second half of each is a ring of uberblocks.
fn zfs(e: &Ends) -> Option<Check> {
    const LABEL: u64 = 256 << 10;
    let end = e.size & !(LABEL - 1);
    let labels = [Some(0), Some(LABEL), end.checked_sub(2 * LABEL), end.checked_sub(LABEL)];
    for label in labels.into_iter().flatten() {
        // Packed list of names and values: encoding, byte order, two zeros; version 0; flag NV_UNIQUE_NAME.
        let packed = e.at(label + (16 << 10), 12);
        if packed.is_some_and(|b| b[0] <= 1 && b[1] <= 1 && b[2..] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]) {
            return Some((PoolMember, "ZFS", label + (16 << 10)));
        }
        for uberblock in (label + LABEL / 2..label + LABEL).step_by(1024) {
            if matches!(e.u64(uberblock), Some(0x00ba_b10c | 0x0cb1_ba00_0000_0000)) {
                return Some((PoolMember, "ZFS", uberblock));
            }
        }
    }
    None
}

/// HFS: a magic of two letters, blocks of whole sectors, and a name of valid length.
fn hfs(e: &Ends) -> Option<Check> {
    let (block, name) = (e.be_u32(1024 + 20)?, e.at(1024 + 36, 1)?[0]);
    let sensible = e.is(1024, b"BD")
        && block != 0
        && block.is_multiple_of(512)
        && e.be_u16(1024 + 18)? != 0
        && (1..=27).contains(&name);
    sensible.then_some((FileSystem, "HFS", 1024))
}

/// NILFS2: a magic of two bytes in the superblock at 1 KiB, or in its copy in the last whole block of 4 KiB.
fn nilfs(e: &Ends) -> Option<Check> {
    let copy = (e.size / 4096).checked_sub(1).map(|block| block * 4096);
    let sensible = |at: u64| {
        let length = e.u16(at + 8)?;
        let known = e.u32(at)? == 2 && e.u16(at + 6)? == 0x3434;
        (known && (64..=1024).contains(&length) && e.u32(at + 20)? <= 6).then_some(at + 6)
    };
    let found = [Some(1024), copy].into_iter().flatten().find_map(sensible);
    found.map(|offset| (FileSystem, "NILFS2", offset))
}

/// Minix: three versions with a magic of two bytes, in either byte order. The bitmaps must have blocks, enough for all
/// inodes.
fn minix(e: &Ends) -> Option<Check> {
    type Field<'a> = &'a dyn Fn(u64) -> Option<u16>;
    let either = |sensible: &dyn Fn(Field) -> Option<bool>| {
        let little = sensible(&|offset| e.u16(1024 + offset));
        little == Some(true) || sensible(&|offset| e.be_u16(1024 + offset)) == Some(true)
    };
    let bitmaps = |inodes: u64, inode_blocks: u16, zone_blocks: u16, first: u16, log: u16| {
        let needed = inodes.div_ceil(8 * 4096).max(1);
        inodes > 0
            && zone_blocks > 0
            && (needed..=inodes.div_ceil(8 * 512) + 1).contains(&inode_blocks.into())
            && u32::from(first) > 2 + u32::from(inode_blocks) + u32::from(zone_blocks)
            && log == 0
    };
    let old = |u16: &dyn Fn(u64) -> Option<u16>| {
        let magic = matches!(u16(16)?, 0x137f | 0x138f | 0x2468 | 0x2478);
        Some(magic && bitmaps(u16(0)?.into(), u16(4)?, u16(6)?, u16(8)?, u16(10)?))
    };
    // The number of inodes has four bytes, and here only which half is the upper one depends on the byte order.
    let three = |u16: &dyn Fn(u64) -> Option<u16>| {
        let (a, b) = (u64::from(u16(0)?), u64::from(u16(2)?));
        let inodes = [a | b << 16, b | a << 16];
        let block = u16(28)?;
        let sensible = u16(24)? == 0x4d5a && block.is_power_of_two() && (512..=4096).contains(&block);
        let fits = |inodes: &u64| bitmaps(*inodes, u16(6)?, u16(8)?, u16(10)?, u16(12)?).then_some(());
        Some(sensible && inodes.iter().any(|i| fits(i).is_some()))
    };
    if either(&old) {
        return Some((FileSystem, "Minix", 1040));
    }
    either(&three).then_some((FileSystem, "Minix", 1048))
}

/// Sun disk label: a magic of two bytes at the end of the first sector, and a checksum over the sector.
fn sun(e: &Ends) -> Option<Check> {
    let sector = e.at(0, 512)?;
    let sum = sector.chunks_exact(2).fold(0, |sum, word| sum ^ u16::from_be_bytes([word[0], word[1]]));
    (e.is(508, &[0xda, 0xbe]) && sum == 0).then_some((DiskLabel, "Sun", 508))
}

/// Atari partition table, which has no magic: the size of the disk, and four entries that are inside the disk or
/// unused.
fn atari(e: &Ends) -> Option<Check> {
    let sectors = u64::from(e.be_u32(0x1c2)?);
    let device = e.size / 512;
    // A label without partitions says the size of the disk exactly; parted leaves words in the places of partitions.
    if sectors == device && sectors > 0 {
        return Some((PartitionTable, "Atari", 0x1c2));
    }
    let mut used = 0;
    for at in (0x1c6..0x1c6 + 48).step_by(12) {
        let entry = e.at(at, 12)?;
        let (start, length) = (u64::from(e.be_u32(at + 4)?), u64::from(e.be_u32(at + 8)?));
        if entry[0] & 1 == 0 {
            if entry.iter().any(|byte| *byte != 0) {
                return None;
            }
            continue;
        }
        let id = entry[1..4].iter().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
        if !id || start == 0 || length == 0 || start + length > sectors {
            return None;
        }
        used += 1;
    }
    (used > 0 && sectors < device).then_some((PartitionTable, "Atari", 0x1c2))
}

/// Amiga partition table: the magic `RDSK` in one of the first sixteen sectors.
fn amiga(e: &Ends) -> Option<Check> {
    let found = (0..16).map(|sector| sector * 512).find(|at| e.is(*at, b"RDSK"))?;
    Some((DiskLabel, "Amiga", found))
}

/// PC-98 boot sector: the magic `IPL1`, and the signature of a boot record.
fn pc98(e: &Ends) -> Option<Check> {
    (e.is(4, b"IPL1") && e.u16(510)? == 0xaa55).then_some((PartitionTable, "PC-98", 4))
}

/// MBR without partitions: a boot record with its signature and an empty partition table.
pub(super) fn empty_mbr(e: &Ends) -> Option<Check> {
    let empty = e.at(446, 64)?.iter().all(|byte| *byte == 0);
    (empty && e.u16(510)? == 0xaa55).then_some((EmptyPartitionTable, "MBR", 510))
}
