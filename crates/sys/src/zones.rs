//! Zones of zoned block devices: report, reset and finish (linux/blkzoned.h).

use rustix::fd::AsFd;
use rustix::ioctl::{Getter, Ioctl, IoctlOutput, Opcode, Setter, ioctl, opcode};
use std::ffi::c_void;
use std::io;

const BLKGETZONESZ: Opcode = opcode::read::<u32>(0x12, 132);
const BLKGETNRZONES: Opcode = opcode::read::<u32>(0x12, 133);
const BLKRESETZONE: Opcode = opcode::write::<[u64; 2]>(0x12, 131);
const BLKFINISHZONE: Opcode = opcode::write::<[u64; 2]>(0x12, 136);

/// Bytes of a sector, the unit of these ioctls.
const SECTOR: u64 = 512;
/// Number of zones of one call of BLKREPORTZONE.
const BATCH: usize = 256;
/// Flag of a report whose zones have a capacity (BLK_ZONE_REP_CAPACITY).
const HAS_CAPACITY: u32 = 1;

/// Type of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneKind {
    /// May be written at any offset.
    Conventional,
    /// Has to be written at its write pointer.
    Sequential,
}

/// A zone as the kernel reports it; offsets and sizes are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Offset of the first byte.
    pub start: u64,
    /// Size of the zone.
    pub length: u64,
    /// Number of writable bytes from the start.
    pub capacity: u64,
    /// Offset of the next write.
    pub write_pointer: u64,
    /// Type of the zone.
    pub kind: ZoneKind,
    /// Whether the zone is open: the device keeps resources for it.
    pub open: bool,
    /// Whether the zone accepts neither writes nor resets (read-only or offline).
    pub dead: bool,
}

/// struct blk_zone.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct RawZone {
    start: u64,
    length: u64,
    write_pointer: u64,
    kind: u8,
    condition: u8,
    flags: [u8; 6],
    capacity: u64,
    reserved: [u64; 3],
}

/// struct blk_zone_report.
#[repr(C)]
struct Head {
    sector: u64,
    zones: u32,
    flags: u32,
}

/// struct blk_zone_report with room for its zones.
#[repr(C)]
struct Report {
    head: Head,
    zones: [RawZone; BATCH],
}

// SAFETY: the opcode has the size of the head, the kernel fills in at most `head.zones` entries behind the head, and the
// pointer is that of a whole report with as many entries.
unsafe impl Ioctl for &mut Report {
    type Output = ();
    const IS_MUTATING: bool = true;

    fn opcode(&self) -> Opcode {
        opcode::read_write::<Head>(0x12, 130)
    }

    fn as_ptr(&mut self) -> *mut c_void {
        std::ptr::from_mut::<Report>(self).cast()
    }

    unsafe fn output_from_ptr(_: IoctlOutput, _: *mut c_void) -> rustix::io::Result<()> {
        Ok(())
    }
}

/// Returns the size of a zone in bytes; 0 if the device has no zones.
///
/// # Errors
/// ENOTTY if the file is no block device.
pub fn zone_size<Fd: AsFd>(device: Fd) -> io::Result<u64> {
    // SAFETY: BLKGETZONESZ stores one u32.
    Ok(u64::from(unsafe { ioctl(device, Getter::<BLKGETZONESZ, u32>::new())? }) * SECTOR)
}

/// Returns the number of zones; 0 if the device has no zones.
///
/// # Errors
/// ENOTTY if the file is no block device.
pub fn number_of_zones<Fd: AsFd>(device: Fd) -> io::Result<u32> {
    // SAFETY: BLKGETNRZONES stores one u32.
    Ok(unsafe { ioctl(device, Getter::<BLKGETNRZONES, u32>::new())? })
}

/// Returns all zones of the device, in the order of their offsets.
///
/// # Errors
/// ENOTTY if the file is no block device, EOPNOTSUPP or EINVAL if it has no zones.
pub fn report_zones<Fd: AsFd>(device: Fd) -> io::Result<Vec<Zone>> {
    let device = device.as_fd();
    let mut all = Vec::new();
    let mut sector = 0;
    loop {
        let head = Head { sector, zones: BATCH as u32, flags: 0 };
        let mut report = Box::new(Report { head, zones: [RawZone::default(); BATCH] });
        // SAFETY: see the implementation of `Ioctl`.
        unsafe { ioctl(device, &mut *report)? };
        let found = (report.head.zones as usize).min(BATCH);
        let has_capacity = report.head.flags & HAS_CAPACITY != 0;
        all.extend(report.zones[..found].iter().map(|zone| zone_of(zone, has_capacity)));
        match report.zones[..found].last() {
            Some(last) if last.length > 0 => sector = last.start + last.length,
            _ => return Ok(all),
        }
    }
}

/// Returns the zone that begins at byte `start`.
///
/// # Errors
/// ENOTTY if the file is no block device, EOPNOTSUPP or EINVAL if it has no zones, ENXIO if it ends before `start`.
pub fn report_zone<Fd: AsFd>(device: Fd, start: u64) -> io::Result<Zone> {
    let head = Head { sector: start / SECTOR, zones: 1, flags: 0 };
    let mut report = Box::new(Report { head, zones: [RawZone::default(); BATCH] });
    // SAFETY: see the implementation of `Ioctl`.
    unsafe { ioctl(device.as_fd(), &mut *report)? };
    let has_capacity = report.head.flags & HAS_CAPACITY != 0;
    let found = report.zones[..(report.head.zones as usize).min(1)].first();
    found.map(|zone| zone_of(zone, has_capacity)).ok_or_else(|| io::Error::from_raw_os_error(libc::ENXIO))
}

fn zone_of(raw: &RawZone, has_capacity: bool) -> Zone {
    Zone {
        start: raw.start * SECTOR,
        length: raw.length * SECTOR,
        capacity: if has_capacity { raw.capacity } else { raw.length } * SECTOR,
        write_pointer: raw.write_pointer.saturating_mul(SECTOR),
        // BLK_ZONE_TYPE_CONVENTIONAL.
        kind: if raw.kind == 1 { ZoneKind::Conventional } else { ZoneKind::Sequential },
        // BLK_ZONE_COND_IMP_OPEN and BLK_ZONE_COND_EXP_OPEN.
        open: matches!(raw.condition, 2 | 3),
        // BLK_ZONE_COND_READONLY and BLK_ZONE_COND_OFFLINE.
        dead: matches!(raw.condition, 0xd | 0xf),
    }
}

/// Resets the zones from byte `start` to `start + length`: their data is lost, and their write pointers return to their
/// starts.
///
/// # Errors
/// EBADF if the device is not open for writing, EINVAL if the range is not made of whole zones, EIO.
pub fn reset_zones<Fd: AsFd>(device: Fd, start: u64, length: u64) -> io::Result<()> {
    // SAFETY: BLKRESETZONE reads two u64, first sector and number of sectors, from the array that is passed.
    unsafe { ioctl(device, Setter::<BLKRESETZONE, [u64; 2]>::new([start / SECTOR, length / SECTOR]))? };
    Ok(())
}

/// Finishes the zones from byte `start` to `start + length`: they are full.
///
/// # Errors
/// As [`reset_zones`].
pub fn finish_zones<Fd: AsFd>(device: Fd, start: u64, length: u64) -> io::Result<()> {
    // SAFETY: BLKFINISHZONE reads two u64, first sector and number of sectors, from the array that is passed.
    unsafe { ioctl(device, Setter::<BLKFINISHZONE, [u64; 2]>::new([start / SECTOR, length / SECTOR]))? };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_file_has_no_zones() {
        let file = std::fs::File::open("/proc/self/exe").unwrap();
        let not_a_device = Some(libc::ENOTTY);
        assert_eq!(zone_size(&file).unwrap_err().raw_os_error(), not_a_device);
        assert_eq!(number_of_zones(&file).unwrap_err().raw_os_error(), not_a_device);
        assert_eq!(report_zones(&file).unwrap_err().raw_os_error(), not_a_device);
        assert_eq!(reset_zones(&file, 0, 512).unwrap_err().raw_os_error(), not_a_device);
        assert_eq!(finish_zones(&file, 0, 512).unwrap_err().raw_os_error(), not_a_device);
        assert_eq!((size_of::<RawZone>(), size_of::<Head>()), (64, 16));
    }
}
