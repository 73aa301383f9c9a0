//! Signatures that libblkid recognises on a device. The library is part of util-linux and is loaded when it is
//! needed; without it, only fathom's own table of signatures is used.

use libc::{c_char, c_int, c_void, off_t, size_t};
use rustix::fd::{AsFd, AsRawFd};
use std::ffi::CStr;

/// A file system, a member of a volume or a partition table that libblkid recognises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// libblkid's name: `ext4` or `LVM2_member` of a superblock, `dos` or `gpt` of a partition table.
    pub kind: String,
    /// Whether the signature is a partition table.
    pub table: bool,
    /// Offset of the magic number on the device in bytes; `None` if libblkid does not report one.
    pub offset: Option<u64>,
}

type Probe = *mut c_void;

crate::c_library! {
    /// Functions of libblkid that are used.
    struct Library = "libblkid.so.1" {
        new_probe = blkid_new_probe: fn() -> Probe;
        set_device = blkid_probe_set_device: fn(Probe, c_int, off_t, off_t) -> c_int;
        enable_superblocks = blkid_probe_enable_superblocks: fn(Probe, c_int) -> c_int;
        superblocks_flags = blkid_probe_set_superblocks_flags: fn(Probe, c_int) -> c_int;
        enable_partitions = blkid_probe_enable_partitions: fn(Probe, c_int) -> c_int;
        partitions_flags = blkid_probe_set_partitions_flags: fn(Probe, c_int) -> c_int;
        do_probe = blkid_do_probe: fn(Probe) -> c_int;
        lookup_value = blkid_probe_lookup_value: fn(Probe, *const c_char, *mut *const c_char, *mut size_t) -> c_int;
        free_probe = blkid_free_probe: fn(Probe);
    }
}

/// BLKID_SUBLKS_TYPE and BLKID_SUBLKS_MAGIC, without BLKID_SUBLKS_BADCSUM, which sometimes reports random data as a
/// file system with a wrong checksum.
const SUPERBLOCKS: c_int = 1 << 5 | 1 << 9;
/// BLKID_PARTS_FORCE_GPT and BLKID_PARTS_MAGIC.
const PARTITIONS: c_int = 1 << 1 | 1 << 3;
/// Maximum number of results read; no device has more.
const MOST: usize = 64;

/// Returns all signatures that libblkid recognises on a device or in an image; `None` if the library is missing or
/// cannot read the device.
pub fn find<Fd: AsFd>(device: Fd) -> Option<Vec<Found>> {
    let library = Library::load().ok()?;
    // SAFETY: the functions have the types of libblkid's public header. The probe is used by this thread alone and
    // freed once; the descriptor is borrowed and outlives it.
    unsafe {
        let probe = (library.new_probe)();
        if probe.is_null() {
            return None;
        }
        let found = search(library, probe, device.as_fd().as_raw_fd());
        (library.free_probe)(probe);
        found
    }
}

/// Returns all results of one probe of the open descriptor `fd`, or `None` if the device cannot be read.
///
/// # Safety
/// `probe` is a probe of `library` that is not freed yet, and `fd` an open descriptor.
unsafe fn search(library: &Library, probe: Probe, fd: c_int) -> Option<Vec<Found>> {
    let mut all = Vec::new();
    // SAFETY: as promised by the caller; the names are null-terminated.
    unsafe {
        if (library.set_device)(probe, fd, 0, 0) != 0 {
            return None;
        }
        (library.enable_superblocks)(probe, 1);
        (library.superblocks_flags)(probe, SUPERBLOCKS);
        (library.enable_partitions)(probe, 1);
        (library.partitions_flags)(probe, PARTITIONS);
        // 0: one more result. 1: no more results. Below zero: an error, after which libblkid reports nothing more.
        while all.len() < MOST && (library.do_probe)(probe) == 0 {
            let names = [(c"TYPE", c"SBMAGIC_OFFSET", false), (c"PTTYPE", c"PTMAGIC_OFFSET", true)];
            for (kind, offset, table) in names {
                if let Some(kind) = value(library, probe, kind) {
                    let offset = value(library, probe, offset).and_then(|text| text.parse().ok());
                    all.push(Found { kind, table, offset });
                }
            }
        }
    }
    Some(all)
}

/// Returns the value of the current result with the given name, or `None` if it has none.
///
/// # Safety
/// As [`search`].
unsafe fn value(library: &Library, probe: Probe, name: &CStr) -> Option<String> {
    let mut data = std::ptr::null();
    // SAFETY: libblkid stores a pointer to a null-terminated text that lives until the next call that probes.
    unsafe {
        let status = (library.lookup_value)(probe, name.as_ptr(), &mut data, std::ptr::null_mut());
        (status == 0 && !data.is_null()).then(|| CStr::from_ptr(data).to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::unix::fs::FileExt;

    #[test]
    fn a_swap_area_is_found_and_an_empty_image_carries_nothing() {
        let path = std::env::temp_dir().join(format!("fathom-blkid-{}", std::process::id()));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        file.set_len(4 << 20).unwrap();
        let Some(nothing) = find(&file) else {
            println!("SKIP a_swap_area_is_found_and_an_empty_image_carries_nothing: no libblkid");
            return;
        };
        assert_eq!(nothing, []);
        file.write_all_at(b"SWAPSPACE2", 4086).unwrap();
        // Version 1 of the swap header, and the number of the last page.
        file.write_all_at(&[1, 0, 0, 0, 0xff, 3, 0, 0], 1024).unwrap();
        assert_eq!(find(&file), Some(vec![Found { kind: "swap".into(), table: false, offset: Some(4086) }]));
    }
}
