//! What a device carries, by the bytes that its makers put there. Read-only, and only a witness against writing: a
//! device without a known signature may still hold data.

use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// A signature that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// What it is the signature of: `ext4 file system`, `GPT partition table`, ...
    pub what: &'static str,
    /// Byte of the device at which it was found.
    pub offset: u64,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (signature at byte {})", self.what, self.offset)
    }
}

/// Bytes that mean one thing, at places counted from the start.
const AT_START: &[(&str, &[u64], &[u8])] = &[
    ("XFS file system", &[0], b"XFSB"),
    ("btrfs file system", &[0x1_0040], b"_BHRfS_M"),
    ("NTFS file system", &[3], b"NTFS    "),
    ("exFAT file system", &[3], b"EXFAT   "),
    ("ReFS file system", &[3], b"ReFS\0\0\0\0"),
    ("BitLocker volume", &[3], b"-FVE-FS-"),
    ("FAT file system", &[0x52], b"FAT32   "),
    ("FAT file system", &[0x36], b"FAT16   "),
    ("FAT file system", &[0x36], b"FAT12   "),
    ("FAT file system", &[0x36], b"FAT     "),
    ("ISO 9660 file system", &[0x8001], b"CD001"),
    ("UDF file system", &[0x8001, 0x8801, 0x9001], b"BEA01"),
    ("UDF file system", &[0x8001, 0x8801, 0x9001], b"NSR02"),
    ("UDF file system", &[0x8001, 0x8801, 0x9001], b"NSR03"),
    ("F2FS file system", &[0x400, 0x1400], &[0x10, 0x20, 0xf5, 0xf2]),
    ("JFS file system", &[0x8000], b"JFS1"),
    ("ReiserFS file system", &[0x1_0034, 0x2034], b"ReIsEr"),
    ("Reiser4 file system", &[0x1_0000], b"ReIsEr4"),
    ("OCFS2 file system", &[0x400, 0x800, 0x1000, 0x2000], b"OCFSV2"),
    ("GFS2 file system", &[0x1_0000], &[0x01, 0x16, 0x19, 0x70]),
    ("SquashFS file system", &[0], b"hsqs"),
    ("cramfs file system", &[0, 512], &[0x45, 0x3d, 0xcd, 0x28]),
    ("EROFS file system", &[0x400], &[0xe2, 0xe1, 0xf5, 0xe0]),
    ("ZoneFS file system", &[0], &[0x53, 0x46, 0x4f, 0x5a]),
    ("APFS container", &[32], b"NXSB"),
    ("UFS file system", &[8192 + 1372, 65536 + 1372], &[0x19, 0x01, 0x54, 0x19]),
    ("VMFS volume", &[0x10_0000], &[0x0d, 0xd0, 0x01, 0xc0]),
    ("LVM physical volume", &[0x18, 0x218, 0x418, 0x618], b"LVM2 001"),
    ("LUKS encrypted volume", &[0, 0x4000, 0x8000, 0x1_0000, 0x2_0000, 0x4_0000], b"SKUL\xba\xbe"),
    ("LUKS encrypted volume", &[0], b"LUKS\xba\xbe"),
    ("dm-integrity volume", &[0], b"integrt\0"),
    ("dm-verity hash device", &[0], b"verity\0\0"),
    ("VDO volume", &[0], b"dmvdo001"),
    ("Stratis pool member", &[0x208, 0x1208], b"!Stra0tis\x86\xff\x02^\x41rh"),
    ("Linux md RAID member", &[0, 4096], &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("bcache device", &[0x1018], b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81"),
    ("bcachefs file system", &[0x1018], b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef"),
    ("Ceph BlueStore device", &[0], b"bluestore block device"),
    ("Oracle ASM disk", &[32], b"ORCLDISK"),
    ("swap area", &[4086, 8182, 16374, 32758, 65526], b"SWAPSPACE2"),
    ("swap area", &[4086, 8182, 16374, 32758, 65526], b"SWAP-SPACE"),
    ("suspended system image", &[4086, 8182, 16374, 32758, 65526], b"S1SUSPEND"),
    ("suspended system image", &[4086, 8182, 16374, 32758, 65526], b"S2SUSPEND"),
    ("suspended system image", &[4086, 8182, 16374, 32758, 65526], b"ULSUSPEND"),
    ("suspended system image", &[4086, 8182, 16374, 32758, 65526], b"LINHIB0001"),
    ("GPT partition table", &[512, 1024, 2048, 4096], b"EFI PART"),
    ("Apple partition map", &[512], b"PM\0\0"),
    ("BSD disk label", &[512, 64], &[0x57, 0x45, 0x56, 0x82]),
];

/// The same, at places counted back from the end.
const AT_END: &[(&str, &[u64], &[u8])] = &[
    ("GPT partition table", &[512, 1024, 2048, 4096], b"EFI PART"),
    ("Intel RAID member", &[1024, 8192], b"Intel Raid ISM Cfg Sig. "),
    ("DDF RAID member", &[512, 131_584], &[0xde, 0x11, 0xde, 0x11]),
    ("Promise RAID member", &[63 * 512, 255 * 512, 256 * 512], b"Promise Technology, Inc."),
    ("LSI RAID member", &[512], b"$XIDE$"),
    ("DRBD device", &[4096 - 60], &[0x83, 0x74, 0x02, 0x6b]),
    ("DRBD device", &[4096 - 60], &[0x83, 0x74, 0x02, 0x6d]),
];

/// Bytes read at the start: the second ZFS label ends at 512 KiB, VMFS begins at 1 MiB.
const HEAD: u64 = (1 << 20) + 4096;
/// Bytes read at the end: two ZFS labels, up to 256 KiB of rounding.
const TAIL: u64 = 1 << 20;

/// All signatures on a device of `size` bytes, each kind once. Errors: those of reading it.
pub fn find(device: &File, size: u64) -> io::Result<Vec<Signature>> {
    let head = read(device, 0, HEAD.min(size))?;
    let from = size - TAIL.min(size);
    let tail = read(device, from, size - from)?;
    Ok(in_bytes(&Ends { head: &head, tail: &tail, size }))
}

fn read(device: &File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length as usize];
    device.read_exact_at(&mut bytes, offset)?;
    Ok(bytes)
}

/// Both ends of a device.
struct Ends<'a> {
    head: &'a [u8],
    tail: &'a [u8],
    size: u64,
}

impl Ends<'_> {
    /// `length` bytes at `offset` of the device, if they were read.
    fn at(&self, offset: u64, length: usize) -> Option<&[u8]> {
        let from_head = usize::try_from(offset).ok().and_then(|o| self.head.get(o..o.checked_add(length)?));
        from_head.or_else(|| {
            let o = usize::try_from(offset.checked_sub(self.size - self.tail.len() as u64)?).ok()?;
            self.tail.get(o..o.checked_add(length)?)
        })
    }

    fn is(&self, offset: u64, bytes: &[u8]) -> bool {
        self.at(offset, bytes.len()) == Some(bytes)
    }

    fn u16(&self, offset: u64) -> Option<u16> {
        Some(u16::from_le_bytes(self.at(offset, 2)?.try_into().ok()?))
    }

    fn u32(&self, offset: u64) -> Option<u32> {
        Some(u32::from_le_bytes(self.at(offset, 4)?.try_into().ok()?))
    }

    fn u64(&self, offset: u64) -> Option<u64> {
        Some(u64::from_le_bytes(self.at(offset, 8)?.try_into().ok()?))
    }
}

fn in_bytes(ends: &Ends) -> Vec<Signature> {
    let mut found: Vec<Signature> = Vec::new();
    let mut add = |what, offset| {
        if !found.iter().any(|s: &Signature| s.what == what) {
            found.push(Signature { what, offset });
        }
    };
    for (what, places, bytes) in AT_START {
        places.iter().filter(|p| ends.is(**p, bytes)).for_each(|p| add(*what, *p));
    }
    for (what, places, bytes) in AT_END {
        let places = places.iter().filter_map(|p| ends.size.checked_sub(*p));
        places.filter(|p| ends.is(*p, bytes)).for_each(|p| add(*what, p));
    }
    for special in [ext, mbr, fat_without_a_name, hfs, md_at_end, zfs] {
        if let Some(s) = special(ends) {
            add(s.what, s.offset);
        }
    }
    found
}

/// The magic of ext is two bytes, so that noise has it once in 65,536: other fields must make sense as well.
fn ext(e: &Ends) -> Option<Signature> {
    let sensible = e.u16(1024 + 56)? == 0xef53 && e.u32(1024 + 24)? <= 6 && e.u32(1024 + 76)? <= 1;
    let (compat, incompat) = (e.u32(1024 + 92)?, e.u32(1024 + 96)?);
    // Extents, 64 bit, flexible groups: only ext4 has them. A journal: ext3.
    let what = match (incompat & 0x2c0 != 0, compat & 4 != 0, incompat & 8 != 0) {
        (_, _, true) => "ext journal device",
        (true, ..) => "ext4 file system",
        (_, true, _) => "ext3 file system",
        _ => "ext2 file system",
    };
    sensible.then_some(Signature { what, offset: 1080 })
}

/// 0x55aa ends any boot sector; a partition table has four entries that make sense, one of them in use.
fn mbr(e: &Ends) -> Option<Signature> {
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
    used.then_some(Signature { what: "MBR partition table", offset: 510 })
}

/// Old FAT has no name in it: a jump, a sector size, a cluster size, one or two FATs and a media byte.
fn fat_without_a_name(e: &Ends) -> Option<Signature> {
    let b = e.at(0, 64)?;
    let jump = (b[0] == 0xeb && b[2] == 0x90) || b[0] == 0xe9;
    let sector = u16::from_le_bytes([b[11], b[12]]);
    let sensible = matches!(sector, 512 | 1024 | 2048 | 4096)
        && b[13].is_power_of_two()
        && u16::from_le_bytes([b[14], b[15]]) != 0
        && matches!(b[16], 1 | 2)
        && (b[21] == 0xf0 || b[21] >= 0xf8);
    (jump && sensible && e.u16(510)? == 0xaa55).then_some(Signature { what: "FAT file system", offset: 0 })
}

/// Two letters, and the version that goes with them.
fn hfs(e: &Ends) -> Option<Signature> {
    let b = e.at(1024, 4)?;
    let known = b == b"H+\0\x04" || b == b"HX\0\x05";
    known.then_some(Signature { what: "HFS+ file system", offset: 1024 })
}

/// md versions 0.90 (at the last 64 KiB boundary but one) and 1.0 (8 to 12 KiB before the end).
fn md_at_end(e: &Ends) -> Option<Signature> {
    let sectors = e.size / 512;
    let old = (e.size & !0xffff).checked_sub(0x1_0000)?;
    let new = sectors.checked_sub(16).map(|s| (s & !7) * 512)?;
    let little = 0xa92b_4efc_u32;
    let offset = [old, new].into_iter().find(|o| {
        e.u32(*o) == Some(little) || (*o == old && e.u32(*o).map(u32::swap_bytes) == Some(little))
    })?;
    Some(Signature { what: "Linux md RAID member", offset })
}

/// Four labels of 256 KiB, two at each end; the second half of each is a ring of uberblocks.
fn zfs(e: &Ends) -> Option<Signature> {
    const LABEL: u64 = 256 << 10;
    let end = e.size & !(LABEL - 1);
    let labels = [Some(0), Some(LABEL), end.checked_sub(2 * LABEL), end.checked_sub(LABEL)];
    for label in labels.into_iter().flatten() {
        for uberblock in (label + LABEL / 2..label + LABEL).step_by(1024) {
            if matches!(e.u64(uberblock), Some(0x00ba_b10c | 0x0cb1_ba00_0000_0000)) {
                return Some(Signature { what: "ZFS pool member", offset: uberblock });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(device: &[u8]) -> Vec<Signature> {
        let size = device.len() as u64;
        let head = &device[..HEAD.min(size) as usize];
        let tail = &device[(size - TAIL.min(size)) as usize..];
        in_bytes(&Ends { head, tail, size })
    }

    #[test]
    fn every_signature_of_the_tables_is_found_at_each_of_its_places_and_one_byte_off_it_is_not() {
        let size: usize = 4 << 20;
        let ends =
            AT_END.iter().map(|(w, p, b)| (w, p.iter().map(|p| size as u64 - p).collect::<Vec<_>>(), b));
        let starts = AT_START.iter().map(|(w, p, b)| (w, p.to_vec(), b));
        let mut device = vec![0u8; size];
        for (what, places, bytes) in starts.chain(ends) {
            for place in places.iter().map(|p| *p as usize) {
                device[place..place + bytes.len()].copy_from_slice(bytes);
                assert_eq!(look(&device), [Signature { what, offset: place as u64 }]);
                device[place..place + bytes.len()].fill(0);
                device[place + 1..=place + bytes.len()].copy_from_slice(bytes);
                assert!(!look(&device).iter().any(|s| s.offset == place as u64), "{what} at {place}");
                device[place + 1..=place + bytes.len()].fill(0);
            }
        }
    }

    #[test]
    fn md_and_zfs_are_found_at_the_end_of_devices_of_odd_size() {
        for size in [3 << 20, (3 << 20) + 512, (3 << 20) + 66_048] {
            let at = |offset: u64, bytes: &[u8]| {
                let mut device = vec![0u8; size as usize];
                device[offset as usize..offset as usize + bytes.len()].copy_from_slice(bytes);
                look(&device)
            };
            let md = 0xa92b_4efc_u32;
            let old = (size / 65536 - 1) * 65536;
            let new = (size / 512 - 16) / 8 * 8 * 512;
            for found in [at(old, &md.to_le_bytes()), at(old, &md.to_be_bytes()), at(new, &md.to_le_bytes())]
            {
                assert_eq!(found[0].what, "Linux md RAID member");
            }
            let label = size / 262_144 * 262_144 - 262_144;
            for uberblock in [131_072, label + 131_072 + 5 * 1024, label - 1024] {
                let found = at(uberblock, &0x00ba_b10c_u64.to_be_bytes());
                assert_eq!(found, [Signature { what: "ZFS pool member", offset: uberblock }]);
            }
            assert_eq!(at(label, &0x00ba_b10c_u64.to_le_bytes()), []);
        }
    }

    #[test]
    fn noise_zeros_and_small_devices_carry_nothing_and_break_nothing() {
        for size in [0, 1, 512, 4096, 100_000, 3 << 20] {
            assert_eq!(look(&vec![0; size]), []);
            assert_eq!(look(&vec![0xff; size]), []);
            let mut state = 7u64;
            let noise = std::iter::repeat_with(|| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            });
            let noise: Vec<u8> = noise.take(size).collect();
            assert_eq!(look(&noise), []);
        }
    }
}
