//! Partition tables on a device or in an image: MBR with its logical partitions, and GPT. The tables are read from the
//! device itself, so that partitions are found even if the kernel has not read the table; nothing is written.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Kind of partition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Partition table of the master boot record, called `dos` by fdisk.
    Mbr,
    /// GUID partition table.
    Gpt,
}

/// Partition; positions in bytes of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number as in fdisk: 1 to 4, logical partitions from 5.
    pub number: u32,
    /// Offset of the first byte.
    pub start: u64,
    /// Length in bytes.
    pub length: u64,
    /// Whether this is the extended partition of an MBR, which only contains logical partitions.
    pub container: bool,
}

/// Partition table of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// MBR or GPT.
    pub kind: TableKind,
    /// Size in bytes of the sectors in which the table counts; may differ from the device's if the table was made for
    /// another disk.
    pub sector: u64,
    /// Partitions in the order of the table, logical ones last.
    pub entries: Vec<Entry>,
}

/// Largest number of logical partitions that are read; the kernel reads 256.
const MOST_LOGICAL: u32 = 256;
/// Largest number of GPT entries that is plausible; usual tables have 128.
const MOST_ENTRIES: u32 = 1024;

/// Reads the partition table of a device of `size` bytes with logical sectors of `sector` bytes; `None` if no valid
/// table is found. A GPT with sectors of another size (an image made for another disk) is found too.
///
/// # Errors
/// The device cannot be read.
pub fn read(device: &File, size: u64, sector: u64) -> io::Result<Option<Table>> {
    let disk = Disk { device, size };
    let Some(first) = disk.bytes(0, 512)? else { return Ok(None) };
    for sector in [sector, 512, 4096] {
        let last = (size / sector.max(1)).saturating_sub(1);
        for at in [1, last] {
            if let Some(entries) = gpt(&disk, sector, at)? {
                return Ok(Some(Table { kind: TableKind::Gpt, sector, entries }));
            }
        }
    }
    let entries = mbr(&disk, &first, sector)?;
    Ok(entries.map(|entries| Table { kind: TableKind::Mbr, sector, entries }))
}

struct Disk<'a> {
    device: &'a File,
    size: u64,
}

impl Disk<'_> {
    /// Reads bytes of the device; `None` if the range is beyond the end.
    fn bytes(&self, offset: u64, length: usize) -> io::Result<Option<Vec<u8>>> {
        if offset.checked_add(length as u64).is_none_or(|end| end > self.size) {
            return Ok(None);
        }
        let mut bytes = vec![0; length];
        self.device.read_exact_at(&mut bytes, offset)?;
        Ok(Some(bytes))
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// Returns the partitions of the GPT whose header is at sector `at`; `None` unless its checksums and positions are
/// valid.
fn gpt(disk: &Disk, sector: u64, at: u64) -> io::Result<Option<Vec<Entry>>> {
    let Some(header) = at.checked_mul(sector).map(|o| disk.bytes(o, 512)).transpose()?.flatten() else {
        return Ok(None);
    };
    let length = u32_at(&header, 12) as usize;
    let (count, each) = (u32_at(&header, 80), u32_at(&header, 84));
    let sensible = header.starts_with(b"EFI PART")
        && (92..=512).contains(&length)
        && u64_at(&header, 24) == at
        && (1..=MOST_ENTRIES).contains(&count)
        && (128..=4096).contains(&each);
    if !sensible {
        return Ok(None);
    }
    let mut checked = header[..length].to_vec();
    checked[16..20].fill(0);
    if crc32(&checked) != u32_at(&header, 16) {
        return Ok(None);
    }
    let place = u64_at(&header, 72).checked_mul(sector);
    let Some(array) = place.map(|o| disk.bytes(o, (count * each) as usize)).transpose()?.flatten() else {
        return Ok(None);
    };
    if crc32(&array) != u32_at(&header, 88) {
        return Ok(None);
    }
    let entry = |(i, raw): (usize, &[u8])| {
        let (first, last) = (u64_at(raw, 32), u64_at(raw, 40));
        let sectors = last.checked_sub(first)?.checked_add(1)?;
        raw.iter().take(16).any(|b| *b != 0).then_some(())?;
        Some(Entry {
            number: i as u32 + 1,
            start: first.checked_mul(sector)?,
            length: sectors.checked_mul(sector)?,
            container: false,
        })
    };
    Ok(Some(array.chunks_exact(each as usize).enumerate().filter_map(entry).collect()))
}

/// Partition entry of a boot record, one of four.
struct Slot {
    kind: u8,
    first: u64,
    sectors: u64,
}

/// Returns the entries of a boot record; `None` if the sector has no boot signature or an entry is invalid.
fn slots(record: &[u8]) -> Option<[Slot; 4]> {
    let slot = |i: usize| {
        let raw = record.get(446 + 16 * i..462 + 16 * i)?;
        let slot = Slot { kind: raw[4], first: u32_at(raw, 8).into(), sectors: u32_at(raw, 12).into() };
        (raw[0] & 0x7f == 0).then_some(slot)
    };
    let ends = record.get(510..512)? == [0x55, 0xaa];
    ends.then_some([slot(0)?, slot(1)?, slot(2)?, slot(3)?])
}

fn mbr(disk: &Disk, first: &[u8], sector: u64) -> io::Result<Option<Vec<Entry>>> {
    let Some(primary) = slots(first) else { return Ok(None) };
    let mut entries = Vec::new();
    for (number, slot) in (1..).zip(&primary) {
        if slot.kind == 0 || slot.sectors == 0 || slot.first == 0 {
            continue;
        }
        let container = matches!(slot.kind, 0x05 | 0x0f | 0x85);
        entries.push(Entry { number, start: slot.first * sector, length: slot.sectors * sector, container });
    }
    // The boot sector of a FAT may look like an empty table; a table with a partition that begins beyond the end is
    // invalid.
    if entries.is_empty() || entries.iter().any(|e| e.start >= disk.size) {
        return Ok(None);
    }
    if let Some(container) = entries.iter().find(|e| e.container).map(|e| e.start / sector) {
        logical(disk, container, sector, &mut entries)?;
    }
    Ok(Some(entries))
}

/// Reads logical partitions. Each has its own boot record: the first entry is the partition, relative to that record;
/// the second is the position of the next record, relative to the container.
fn logical(disk: &Disk, container: u64, sector: u64, entries: &mut Vec<Entry>) -> io::Result<()> {
    let mut record = container;
    let mut number = 5;
    for _ in 0..MOST_LOGICAL {
        let Some(bytes) = disk.bytes(record * sector, 512)? else { break };
        let Some([own, next, ..]) = slots(&bytes) else { break };
        if own.kind != 0 && own.sectors != 0 {
            let start = (record + own.first) * sector;
            entries.push(Entry { number, start, length: own.sectors * sector, container: false });
            number += 1;
        }
        // Each record must be behind the previous one, so that the loop ends.
        if next.sectors == 0 || container + next.first <= record {
            break;
        }
        record = container + next.first;
    }
    Ok(())
}

/// Returns the checksum of GPT (CRC-32 of IEEE 802.3). Not optimized, because a table needs only two short ones.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};
    use testbed::{Need, Sandbox, skip_without};

    const SIZE: u64 = 64 << 20;

    /// Partitions as sfdisk reads them back: number, first sector, sectors.
    fn sfdisk(sandbox: &Sandbox, script: &str) -> (File, Vec<(u32, u64, u64)>) {
        let path = sandbox.sparse("disk", SIZE).unwrap();
        let mut child = Command::new("/usr/sbin/sfdisk")
            .args(["--quiet", "--no-reread", "--no-tell-kernel"])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "{script}");
        let dump = Command::new("/usr/sbin/sfdisk").arg("--dump").arg(&path).output().unwrap();
        let dump = String::from_utf8(dump.stdout).unwrap();
        let number = |line: &str, key: &str| {
            let rest = line.split_once(key)?.1.trim_start();
            rest[..rest.find(',').unwrap_or(rest.len())].trim().parse::<u64>().ok()
        };
        let line = |l: &str| {
            let digits = l.split(' ').next()?.rsplit_once(|c: char| !c.is_ascii_digit())?.1;
            Some((digits.parse().ok()?, number(l, "start=")?, number(l, "size=")?))
        };
        (File::open(&path).unwrap(), dump.lines().filter_map(line).collect())
    }

    fn read_back(file: &File) -> (TableKind, Vec<(u32, u64, u64)>) {
        let table = read(file, SIZE, 512).unwrap().unwrap();
        (table.kind, table.entries.iter().map(|e| (e.number, e.start / 512, e.length / 512)).collect())
    }

    #[test]
    fn tables_are_read_as_sfdisk_reads_them_back_logical_partitions_too() {
        skip_without!(Need::Program("sfdisk"));
        let sandbox = Sandbox::new().unwrap();
        let scripts = [
            ("label: dos\n63,1000,83\n", TableKind::Mbr),
            ("label: dos\n2048,8192,83\nstart=12288,size=2048\n", TableKind::Mbr),
            (
                "label: dos\nstart=63,size=4000,type=83\nstart=8192,type=5\nstart=8255,size=2000\n\
                 start=12351,size=3000\nstart=16384,size=100\n",
                TableKind::Mbr,
            ),
            ("label: gpt\nstart=2048,size=8192\nstart=34816,size=9\n", TableKind::Gpt),
        ];
        for (script, kind) in scripts {
            let (file, expected) = sfdisk(&sandbox, script);
            assert!(expected.len() > usize::from(script.contains("type=5")), "{expected:?}");
            assert_eq!(read_back(&file), (kind, expected), "{script}");
        }
    }

    #[test]
    fn a_damaged_gpt_is_read_from_its_copy_and_two_damaged_ones_are_no_table() {
        skip_without!(Need::Program("sfdisk"));
        let sandbox = Sandbox::new().unwrap();
        let (_, expected) = sfdisk(&sandbox, "label: gpt\nfirst-lba: 34\nstart=40,size=8192\n");
        let path = sandbox.join("disk");
        let write = File::options().read(true).write(true).open(&path).unwrap();
        assert_eq!(read_back(&write), (TableKind::Gpt, expected.clone()));
        write.write_all_at(b"x", 512 + 60).unwrap();
        assert_eq!(read_back(&write), (TableKind::Gpt, expected));
        write.write_all_at(b"x", SIZE - 512 + 60).unwrap();
        // What is left is the protective MBR: one entry over the whole disk.
        let table = read(&write, SIZE, 512).unwrap().unwrap();
        assert_eq!((table.kind, table.entries.len()), (TableKind::Mbr, 1));
    }

    #[test]
    fn noise_ends_beyond_the_end_and_records_that_lead_back_end_the_reading() {
        let sandbox = Sandbox::new().unwrap();
        let file = |bytes: &[u8]| {
            let path = sandbox.join("raw");
            std::fs::write(&path, bytes).unwrap();
            let file = File::open(&path).unwrap();
            read(&file, bytes.len() as u64, 512).unwrap()
        };
        assert_eq!(file(&[]), None);
        assert_eq!(file(&[0; 511]), None);
        assert_eq!(file(&[0xff; 4096]), None);
        let record = |entries: &[(usize, u8, u32, u32)]| {
            let mut r = vec![0u8; 512];
            for (i, kind, first, sectors) in entries {
                r[446 + 16 * i + 4] = *kind;
                r[446 + 16 * i + 8..][..4].copy_from_slice(&first.to_le_bytes());
                r[446 + 16 * i + 12..][..4].copy_from_slice(&sectors.to_le_bytes());
            }
            r[510..].copy_from_slice(&[0x55, 0xaa]);
            r
        };
        assert_eq!(file(&[record(&[]), vec![0; 4096]].concat()), None, "an empty table has nothing to say");
        assert_eq!(file(&record(&[(0, 0x83, 63, 100)])), None, "begins beyond the end");
        // The second record's next is itself.
        let looping = [
            record(&[(1, 5, 1, 7)]),
            record(&[(0, 0x83, 1, 1), (1, 5, 2, 3)]),
            vec![0; 512],
            record(&[(0, 0x83, 1, 1), (1, 5, 2, 3)]),
            vec![0; 4096],
        ]
        .concat();
        let numbers: Vec<u32> = file(&looping).unwrap().entries.iter().map(|e| e.number).collect();
        assert_eq!(numbers, [2, 5, 6]);
    }
}
