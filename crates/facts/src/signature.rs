//! Signatures of file systems, partition tables and other formats on a device. A device without a known signature may
//! still contain data, which [`crate::unknown`] looks for. Devices are only read.

mod checks;
mod table;

use crate::uncached::Uncached;
use stats::contents::{Contents, ContentsClass};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;

/// Signature found on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Format that the signature identifies.
    pub what: Contents,
    /// Offset in bytes of the signature on the device.
    pub offset: u64,
}

/// Bytes read at the start: the second ZFS label ends at 512 KiB, and VMFS begins at 1 MiB.
const HEAD: u64 = (1 << 20) + 4096;
/// Bytes read at the end, for two ZFS labels of 256 KiB, whose position is rounded down to 256 KiB.
const TAIL: u64 = 1 << 20;

/// Returns all signatures on a device of `size` bytes; each format occurs once.
///
/// # Errors
/// The device cannot be read.
pub fn find(device: &File, size: u64) -> io::Result<Vec<Signature>> {
    Ok(find_in(&Ends::read(device, size)?, device))
}

/// Returns the signatures found by fathom's own table, without libblkid.
///
/// # Errors
/// The device cannot be read.
pub fn find_in_table(device: &File, size: u64) -> io::Result<Vec<Signature>> {
    Ok(in_bytes(&Ends::read(device, size)?))
}

/// Bytes at each end of a device within which libblkid looks for nearly all formats.
const READ_BY_LIBBLKID: u64 = 2 << 20;

/// Formats that libblkid recognises by two bytes, which random data contains on one of 65,536 devices. Such results of
/// libblkid are ignored: fathom's table contains these formats and also checks the fields around the two bytes.
const TWO_BYTES: [&str; 4] = ["ext", "jbd", "hfsplus", "PMBR"];

/// Returns the signatures in both ends of `device`. libblkid, which also reads other places, is used only if the table
/// finds none.
pub(crate) fn find_in(ends: &Ends, device: &File) -> Vec<Signature> {
    let found = in_bytes(ends);
    if !found.is_empty() {
        return found;
    }
    // libblkid reads through the page cache.
    let uncached = Uncached::of(device);
    uncached.drop_clean_pages(0, READ_BY_LIBBLKID);
    uncached.drop_clean_pages(ends.size.saturating_sub(READ_BY_LIBBLKID), READ_BY_LIBBLKID);
    let others = sys::blkid::find(device).unwrap_or_default();
    let others =
        others.into_iter().filter(|found| !TWO_BYTES.iter().any(|kind| found.kind.starts_with(kind)));
    let named = others.map(|found| Signature {
        what: Contents {
            class: if found.table { ContentsClass::PartitionTable } else { ContentsClass::Other },
            name: found.kind.into(),
        },
        offset: found.offset.unwrap_or(0),
    });
    named.collect()
}

/// Offsets in bytes at which partitioning tools begin the first partition. A disk that has lost its partition table
/// still has its file system there.
const PARTITIONS_BEGIN: [u64; 2] = [1 << 20, 2 << 20];
/// Bytes read at the start of a first partition; the superblock of btrfs is at 64 KiB.
const BEGINNING: u64 = 68 << 10;

/// Returns the signatures at the usual offsets of the first partition.
///
/// # Errors
/// The device cannot be read.
pub(crate) fn find_in_lost_partitions(device: &File, size: u64) -> io::Result<Vec<Signature>> {
    let mut all = Vec::new();
    let device = Uncached::of(device);
    for begin in PARTITIONS_BEGIN.into_iter().filter(|begin| begin + BEGINNING <= size) {
        let mut head = vec![0; BEGINNING as usize];
        device.read_exact_at(&mut head, begin)?;
        // The end of the partition is unknown and not examined.
        let found = in_bytes(&Ends { head, tail: Vec::new(), size: u64::MAX });
        all.extend(found.into_iter().map(|found| Signature { offset: begin + found.offset, ..found }));
    }
    Ok(all)
}

/// Contents of both ends of a device at one time: file systems, partition tables and swap areas begin or end there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndContents {
    /// Signatures of fathom's own table.
    pub signatures: Vec<Signature>,
    /// Hash of the bytes.
    hash: u64,
}

impl EndContents {
    /// Returns the contents of the ends of a device of `size` bytes.
    ///
    /// # Errors
    /// The device cannot be read.
    pub fn read(device: &File, size: u64) -> io::Result<EndContents> {
        let ends = Ends::read(device, size)?;
        let mut hasher = DefaultHasher::new();
        (&ends.head, &ends.tail).hash(&mut hasher);
        Ok(EndContents { signatures: in_bytes(&ends), hash: hasher.finish() })
    }
}

/// First and last bytes of a device.
pub(crate) struct Ends {
    /// Bytes from the start of the device.
    pub head: Vec<u8>,
    /// Bytes up to the end of the device.
    pub tail: Vec<u8>,
    /// Size of the device in bytes.
    pub size: u64,
}

impl Ends {
    /// Reads both ends of a device of `size` bytes.
    ///
    /// # Errors
    /// The device cannot be read.
    pub fn read(device: &File, size: u64) -> io::Result<Ends> {
        let device = Uncached::of(device);
        Ends::read_by(&mut |bytes, offset| device.read_exact_at(bytes, offset), size)
    }

    /// Reads both ends of a device or volume of `size` bytes by `read`, which fills a buffer with the bytes at an offset.
    ///
    /// # Errors
    /// The error of `read`.
    pub fn read_by(read: &mut dyn FnMut(&mut [u8], u64) -> io::Result<()>, size: u64) -> io::Result<Ends> {
        let mut piece = |offset: u64, length: u64| {
            let mut bytes = vec![0; length as usize];
            read(&mut bytes, offset).map(|()| bytes)
        };
        let tail = TAIL.min(size);
        Ok(Ends { head: piece(0, HEAD.min(size))?, tail: piece(size - tail, tail)?, size })
    }

    /// Returns `length` bytes at `offset` of the device; `None` if they are outside the ends that were read.
    fn at(&self, offset: u64, length: usize) -> Option<&[u8]> {
        let from_head = usize::try_from(offset).ok().and_then(|o| self.head.get(o..o.checked_add(length)?));
        from_head.or_else(|| {
            let o = usize::try_from(offset.checked_sub(self.size - self.tail.len() as u64)?).ok()?;
            self.tail.get(o..o.checked_add(length)?)
        })
    }

    /// Returns the offset of the first byte that differs in `other`, the ends of the same device.
    pub fn first_change(&self, other: &Ends) -> Option<u64> {
        let differs = |a: &[u8], b: &[u8]| a.iter().zip(b).position(|(a, b)| a != b).map(|at| at as u64);
        let tail = self.size - self.tail.len() as u64;
        differs(&self.head, &other.head).or_else(|| differs(&self.tail, &other.tail).map(|at| tail + at))
    }

    fn is(&self, offset: u64, bytes: &[u8]) -> bool {
        self.at(offset, bytes.len()) == Some(bytes)
    }

    pub fn u16(&self, offset: u64) -> Option<u16> {
        Some(u16::from_le_bytes(self.at(offset, 2)?.try_into().ok()?))
    }

    pub fn u32(&self, offset: u64) -> Option<u32> {
        Some(u32::from_le_bytes(self.at(offset, 4)?.try_into().ok()?))
    }

    fn be_u16(&self, offset: u64) -> Option<u16> {
        Some(u16::from_be_bytes(self.at(offset, 2)?.try_into().ok()?))
    }

    fn be_u32(&self, offset: u64) -> Option<u32> {
        Some(u32::from_be_bytes(self.at(offset, 4)?.try_into().ok()?))
    }

    pub fn u64(&self, offset: u64) -> Option<u64> {
        Some(u64::from_le_bytes(self.at(offset, 8)?.try_into().ok()?))
    }
}

/// Returns the signatures of fathom's own table in these ends.
pub(crate) fn in_bytes(ends: &Ends) -> Vec<Signature> {
    let mut found: Vec<Signature> = Vec::new();
    let mut add = |class, name, offset| {
        let what = Contents::new(class, name);
        if !found.iter().any(|s: &Signature| s.what == what) {
            found.push(Signature { what, offset });
        }
    };
    for (class, name, places, bytes) in table::AT_START {
        places.iter().filter(|p| ends.is(**p, bytes)).for_each(|p| add(*class, name, *p));
    }
    for (class, name, places, bytes) in table::AT_END {
        let places = places.iter().filter_map(|p| ends.size.checked_sub(*p));
        places.filter(|p| ends.is(*p, bytes)).for_each(|p| add(*class, name, p));
    }
    for check in checks::ALL {
        if let Some((class, name, offset)) = check(ends) {
            add(class, name, offset);
        }
    }
    // Boot sectors of file systems have the same signature as a boot record.
    if found.is_empty()
        && let Some((class, name, offset)) = checks::empty_mbr(ends)
    {
        found.push(Signature { what: Contents::new(class, name), offset });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(device: &[u8]) -> Vec<Signature> {
        let size = device.len() as u64;
        let head = device[..HEAD.min(size) as usize].to_vec();
        let tail = device[(size - TAIL.min(size)) as usize..].to_vec();
        in_bytes(&Ends { head, tail, size })
    }

    #[test]
    fn every_signature_is_found_at_its_offsets_and_not_one_byte_off() {
        let size: usize = 4 << 20;
        let ends = table::AT_END
            .iter()
            .map(|(c, n, p, b)| (c, n, p.iter().map(|p| size as u64 - p).collect::<Vec<_>>(), b));
        let starts = table::AT_START.iter().map(|(c, n, p, b)| (c, n, p.to_vec(), b));
        let mut device = vec![0u8; size];
        for (class, name, places, bytes) in starts.chain(ends) {
            let what = Contents::new(*class, name);
            for place in places.iter().map(|p| *p as usize) {
                device[place..place + bytes.len()].copy_from_slice(bytes);
                assert_eq!(look(&device), [Signature { what: what.clone(), offset: place as u64 }]);
                device[place..place + bytes.len()].fill(0);
                device[place + 1..=place + bytes.len()].copy_from_slice(bytes);
                assert!(!look(&device).iter().any(|s| s.offset == place as u64), "{what:?} at {place}");
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
                assert_eq!(found[0].what, Contents::new(ContentsClass::RaidMember, "Linux md"));
            }
            let label = size / 262_144 * 262_144 - 262_144;
            for uberblock in [131_072, label + 131_072 + 5 * 1024, label - 1024] {
                let found = at(uberblock, &0x00ba_b10c_u64.to_be_bytes());
                let what = Contents::new(ContentsClass::PoolMember, "ZFS");
                assert_eq!(found, [Signature { what, offset: uberblock }]);
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
