//! Record of the ranges that fathom has filled: an extended attribute of a file or, for a device, a small file in the
//! state directory. The record is written after all data is on stable storage and removed before a range is filled
//! again, so that an interruption at any time leaves no record of unfilled ranges.

use crate::target_fault::errno;
use facts::SysRoot;
use facts::layers::Device;
use facts::medium;
use rustix::fs::XattrFlags;
use rustix::io::Errno;
use stats::RecordedIn;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Name of the extended attribute that holds the record of a file.
pub const ATTRIBUTE: &str = "user.fathom.filled";

/// Largest length of a record, in bytes: some file systems keep all attributes of a file in one block.
const LONGEST: usize = 2048;

/// Stored record: the filled ranges of one file or device, and the identity for which they are valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Identity of the target: `inode` and `size` of a file; identity of the medium, size and the counters that change
    /// when data is discarded, of a device.
    of: BTreeMap<String, String>,
    /// Filled ranges in bytes, ascending and disjoint.
    ranges: Vec<Range<u64>>,
}

const HEAD: &str = "fathom-filled 1";

impl Record {
    fn text(&self) -> String {
        let of = self.of.iter().map(|(key, value)| format!(" {key}={value}"));
        let ranges = self.ranges.iter().map(|r| format!(" range={}+{}", r.start, r.end - r.start));
        std::iter::once(HEAD.to_string()).chain(of).chain(ranges).collect()
    }

    /// Parses a stored record; `None` if `text` is not a complete record of this version.
    fn parse(text: &str) -> Option<Record> {
        let words = text.trim_end().strip_prefix(HEAD)?;
        let mut record = Record { of: BTreeMap::new(), ranges: Vec::new() };
        for word in words.split_whitespace() {
            let (key, value) = word.split_once('=')?;
            if key == "range" {
                let (start, length) = value.split_once('+')?;
                let (start, length): (u64, u64) = (start.parse().ok()?, length.parse().ok()?);
                record.add(start..start.checked_add(length)?);
            } else {
                record.of.insert(key.into(), value.into());
            }
        }
        Some(record)
    }

    fn add(&mut self, range: Range<u64>) {
        self.ranges.push(range);
        self.ranges.sort_by_key(|r| r.start);
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in self.ranges.drain(..) {
            match joined.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        self.ranges = joined;
    }

    /// Returns the parts of `region` outside the recorded ranges.
    fn lacks(&self, region: Range<u64>) -> Vec<Range<u64>> {
        let mut lacking = Vec::new();
        let mut at = region.start;
        for range in self.ranges.iter().filter(|r| r.start < region.end && r.end > region.start) {
            if range.start > at {
                lacking.push(at..range.start);
            }
            at = at.max(range.end);
        }
        if at < region.end {
            lacking.push(at..region.end);
        }
        lacking
    }
}

/// Access to the record of filled ranges of one target.
#[derive(Debug)]
pub struct FilledRecord {
    place: Place,
    /// Present identity of the target; a record is valid only if it has the same identity.
    now: BTreeMap<String, String>,
    /// Whether the identity is valid only until the next boot.
    weak: bool,
    record: Option<Record>,
    /// Whether a record exists that is not valid for the current state of the target.
    stale: bool,
}

/// Reason why a region could not be recorded as filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum NotRecorded {
    /// Neither XDG_STATE_HOME nor HOME is set.
    NoStateDirectory,
    /// Writing the record failed with this error.
    System(Errno),
}

#[derive(Debug)]
enum Place {
    Attribute(PathBuf),
    State(PathBuf),
    /// No place for a record, because no state directory exists.
    Nowhere,
}

impl FilledRecord {
    /// Returns the record of the regular file at `path`. The inode number reveals a copy that inherited the attribute
    /// of the original.
    ///
    /// # Errors
    /// The file cannot be examined.
    pub fn of_file(path: &Path) -> io::Result<FilledRecord> {
        let meta = std::fs::metadata(path)?;
        let now = BTreeMap::from([
            ("inode".to_string(), meta.ino().to_string()),
            ("size".to_string(), meta.len().to_string()),
        ]);
        let mut value = vec![0u8; LONGEST];
        // A file system without attributes has no record.
        let length = rustix::fs::getxattr(path, ATTRIBUTE, &mut value).unwrap_or(0);
        let text = String::from_utf8_lossy(value.get(..length).unwrap_or_default()).into_owned();
        Ok(FilledRecord {
            place: Place::Attribute(path.into()),
            now,
            weak: false,
            record: None,
            stale: false,
        }
        .with(&text))
    }

    /// Returns the record of a block device of `size` bytes from the directory `state`.
    pub fn of_device(root: &SysRoot, device: &Device, size: u64, state: Option<&Path>) -> FilledRecord {
        let medium = medium::of(root, device);
        let name: String = medium
            .identity
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .take(160)
            .collect();
        let place =
            state.map_or(Place::Nowhere, |dir| Place::State(dir.join("filled").join(format!("{name}.txt"))));
        let now = BTreeMap::from([
            ("device".to_string(), medium.identity),
            ("size".to_string(), size.to_string()),
            ("boot".to_string(), medium.boot),
            ("sequence".to_string(), medium.sequence.to_string()),
            ("discarded".to_string(), medium.discarded.to_string()),
        ]);
        let text = match &place {
            Place::State(path) => std::fs::read_to_string(path).unwrap_or_default(),
            _ => String::new(),
        };
        FilledRecord { place, now, weak: !medium.own, record: None, stale: false }.with(&text)
    }

    /// Uses the record in `text` if it is valid for the current state of the target. The kernel's counters restart at
    /// each boot: for a record of an earlier boot only the identity of the medium is compared, and callers check a
    /// sample of the data.
    fn with(mut self, text: &str) -> Self {
        self.record = Record::parse(text).filter(|record| {
            let another_boot = record.of.get("boot") != self.now.get("boot");
            let counted = |key: &str| matches!(key, "boot" | "sequence" | "discarded");
            let same = |(key, value): (&String, &String)| {
                another_boot && !self.weak && counted(key) || record.of.get(key) == Some(value)
            };
            self.now.iter().all(same)
        });
        self.stale = self.record.is_none() && !text.is_empty();
        self
    }

    /// Returns the parts of `region` that are not recorded as filled.
    pub fn lacks(&self, region: Range<u64>) -> Vec<Range<u64>> {
        self.record.as_ref().map_or_else(|| vec![region.clone()], |record| record.lacks(region.clone()))
    }

    /// Returns whether the stored record is no longer valid for the target.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Removes the record, before the target is changed or after the record proved to be wrong.
    ///
    /// # Errors
    /// The attribute or file cannot be removed.
    pub fn forget(&mut self) -> io::Result<()> {
        (self.record, self.stale) = (None, false);
        match &self.place {
            Place::Attribute(path) => match rustix::fs::removexattr(path, ATTRIBUTE) {
                Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(()),
                Err(e) => Err(e.into()),
            },
            Place::State(path) => match std::fs::remove_file(path) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
                _ => Ok(()),
            },
            Place::Nowhere => Ok(()),
        }
    }

    /// Adds `region` to the recorded ranges and returns the place of the record. All of the region must be on stable
    /// storage.
    ///
    /// # Errors
    /// There is no place for the record, or it cannot be written.
    pub fn remember(&mut self, region: Range<u64>) -> Result<RecordedIn, NotRecorded> {
        let mut record = self.record.take().unwrap_or(Record { of: BTreeMap::new(), ranges: Vec::new() });
        record.of = self.now.clone();
        record.add(region.clone());
        let mut text = record.text();
        if text.len() > LONGEST {
            // Too many ranges: only the newest is recorded.
            record.ranges = vec![region];
            text = record.text();
        }
        let place = match &self.place {
            Place::Attribute(path) => {
                rustix::fs::setxattr(path, ATTRIBUTE, text.as_bytes(), XattrFlags::empty())
                    .map_err(NotRecorded::System)?;
                RecordedIn::Attribute { name: ATTRIBUTE.into() }
            }
            Place::State(path) => {
                replace(path, &(text + "\n")).map_err(|e| NotRecorded::System(errno(&e)))?;
                RecordedIn::Text(path.display().to_string())
            }
            Place::Nowhere => return Err(NotRecorded::NoStateDirectory),
        };
        self.record = Some(record);
        Ok(place)
    }
}

/// Replaces the contents of the file at `path` by `text` atomically and durably.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("."));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    // One name is enough: the filling process holds the device exclusively, and a leftover of a killed process is
    // overwritten.
    let new = path.with_extension("new");
    let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    let renamed = written.and_then(|()| std::fs::rename(&new, path));
    if renamed.is_err() {
        // The first error is returned, so an error of the removal is ignored.
        let _ = std::fs::remove_file(&new);
    }
    renamed?;
    File::open(parent)?.sync_all()
}

/// Returns the directory for records of devices: `$XDG_STATE_HOME/fathom`, else `/var/lib/fathom` for root and
/// `~/.local/state/fathom` for other users; `None` if HOME is not set.
pub fn state_directory() -> Option<PathBuf> {
    if let Some(state) = absolute("XDG_STATE_HOME") {
        return Some(state.join("fathom"));
    }
    if rustix::process::geteuid().is_root() {
        return Some("/var/lib/fathom".into());
    }
    Some(absolute("HOME")?.join(".local/state/fathom"))
}

/// Returns the path in an environment variable; relative ones are ignored, as the XDG base directory specification says.
pub(crate) fn absolute(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)] // one range is what is meant
mod tests {
    use super::*;

    fn record(ranges: &[Range<u64>]) -> Record {
        let mut record = Record { of: BTreeMap::from([("inode".into(), "7".into())]), ranges: Vec::new() };
        ranges.iter().cloned().for_each(|r| record.add(r));
        record
    }

    #[test]
    fn a_record_comes_back_and_what_is_cut_or_newer_is_none() {
        let r = record(&[8..16, 0..4, 16..20, 2..3]);
        assert_eq!(r.ranges, [0..4, 8..20]);
        assert_eq!(Record::parse(&r.text()), Some(r.clone()));
        for broken in
            ["", "fathom-filled 2 range=0+8", "fathom-filled 1 range=0", "fathom-filled 1 range=9+x"]
        {
            assert_eq!(Record::parse(broken), None, "{broken}");
        }
    }

    #[test]
    fn what_a_record_lacks_of_a_region_is_what_lies_between_its_ranges() {
        let r = record(&[4..8, 12..16]);
        assert_eq!(r.lacks(0..20), [0..4, 8..12, 16..20]);
        assert_eq!(r.lacks(4..8), []);
        assert_eq!(r.lacks(6..13), [8..12]);
        assert_eq!(r.lacks(20..24), [20..24]);
        assert_eq!(record(&[]).lacks(0..4), [0..4]);
    }

    fn memory(boot: &str, discarded: &str, weak: bool) -> FilledRecord {
        let word = |key: &str, value: &str| (key.to_string(), value.to_string());
        let now = BTreeMap::from([
            word("device", "serial:1"),
            word("boot", boot),
            word("sequence", "3"),
            word("discarded", discarded),
        ]);
        FilledRecord { place: Place::Nowhere, now, weak, record: None, stale: false }
    }

    #[test]
    fn discard_forgets_all_and_reboot_what_has_no_identity() {
        let mut kept = record(&[0..8]);
        kept.of = memory("a", "10", false).now;
        let lacks = |m: FilledRecord| m.with(&kept.text()).lacks(0..8).is_empty();
        assert!(lacks(memory("a", "10", false)));
        assert!(!lacks(memory("a", "11", false)), "discarded since");
        assert!(lacks(memory("b", "0", false)), "the counters began anew");
        assert!(!lacks(memory("b", "10", true)), "a name is nobody's");
        let mut other = memory("a", "10", false);
        other.now.insert("device".into(), "serial:2".into());
        assert!(!lacks(other), "another medium");
    }
}
