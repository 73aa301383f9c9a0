//! The mark of a scratch file: an extended attribute that identifies a file that fathom wrote, and the state in which
//! fathom left it. A copy has the same attribute but another inode and birth time; a program that changes the file
//! changes its times.

use crate::refusal::NotOurs;
use facts::identity::{Identity, Moment, Seen};
use facts::unknown::first_foreign_sector;
use job::job::Job;
use rustix::fd::AsFd;
use rustix::fs::{Advice, Mode, OFlags, SeekFrom, XattrFlags, fadvise};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Name of the extended attribute.
pub const SCRATCH_ATTRIBUTE: &str = "user.fathom.scratch";

/// First words of the attribute's text with the version of its format. Version 1 was the text "1", which any copy
/// kept.
const HEAD: &str = "fathom-scratch 2";
/// Maximum time in nanoseconds by which a file's change time may be later than the time in its mark: writing the mark
/// is itself a change, and the kernel's clock of file times advances in steps of 10 ms or less.
const TOLERANCE: Moment = 12_000_000;
/// Number of attempts to write a mark within [`TOLERANCE`].
const ATTEMPTS: u32 = 8;
/// Number of bytes examined at each sampled offset.
const PIECE: u64 = 64 << 10;
/// Number of offsets sampled in a file that is unchanged according to its mark, first and last included.
const PLACES: u64 = 8;
/// Number of offsets sampled in a file of an interrupted run that is larger than [`READ_THROUGH`].
const MANY_PLACES: u64 = 1024;
/// File size in bytes up to which a file of an interrupted run is read completely.
const READ_THROUGH: u64 = 256 << 20;

/// Kind of data that fathom wrote into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Noise or zeros, which fathom recognises.
    Noise,
    /// A pattern, verification headers or compressible parts, which another program could have written as well.
    Any,
}

impl Content {
    /// Returns the kind of data that a job's writes and layout produce.
    pub fn of(job: &Job) -> Content {
        let payload = &job.payload;
        let noise = payload.percent == 0 && payload.pattern.is_empty() && payload.dedupe.is_none();
        if noise { Content::Noise } else { Content::Any }
    }

    /// Returns the kind of data of a file with writes of both kinds.
    #[must_use]
    pub fn and(self, other: Content) -> Content {
        if self == other { self } else { Content::Any }
    }

    fn word(self) -> &'static str {
        match self {
            Content::Noise => "noise",
            Content::Any => "any",
        }
    }
}

/// Marks an open file as being written by a run.
pub fn begin<Fd: AsFd>(file: Fd, identity: &Identity, content: Content) {
    let text = format!("{} state=writing", head(identity, content));
    // On a file system without extended attributes (old NFS, ramfs) the file stays unmarked, and the next run refuses
    // it.
    let _ = rustix::fs::fsetxattr(file, SCRATCH_ATTRIBUTE, text.as_bytes(), XattrFlags::empty());
}

/// Marks the file at `path` as complete: it holds the data that fathom wrote, and no program has changed it since.
/// Does nothing if `path` now refers to another file.
pub fn settle(path: &Path, identity: &Identity, content: Content) {
    let Ok(mut seen) = Seen::at(path) else { return };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as Moment);
    // The kernel uses the time of its last clock tick.
    let mut changed = now - TOLERANCE / 2;
    for _ in 0..ATTEMPTS {
        if !seen.identity.is(identity) {
            return;
        }
        let text = format!(
            "{} state=whole size={} modified={} changed={changed}",
            head(identity, content),
            seen.size,
            seen.modified
        );
        if rustix::fs::setxattr(path, SCRATCH_ATTRIBUTE, text.as_bytes(), XattrFlags::empty()).is_err() {
            return;
        }
        match Seen::at(path) {
            Ok(after) if within(after.changed, changed) => return,
            Ok(after) => (changed, seen) = (after.changed, after),
            Err(_) => return,
        }
    }
}

fn within(changed: Moment, marked: Moment) -> bool {
    (marked..=marked + TOLERANCE).contains(&changed)
}

fn head(identity: &Identity, content: Content) -> String {
    let (device, inode) = identity.number();
    // Device numbers change from boot to boot; an inode number and a birth time identify a file without them.
    let which = identity.born().map_or_else(|| format!("device={device}"), |born| format!("born={born}"));
    format!("{HEAD} inode={inode} {which} content={}", content.word())
}

/// Checks that fathom created the file at `path`, whose metadata is `seen`, and that no program has changed it since;
/// returns the kind of its data. With `thorough`, a sample of the data is examined as well.
///
/// # Errors
/// The reason why the file is not fathom's.
pub fn examine(path: &Path, seen: &Seen, thorough: bool) -> Result<Content, NotOurs> {
    let mut value = [0u8; 512];
    let text = match rustix::fs::getxattr(path, SCRATCH_ATTRIBUTE, &mut value) {
        Ok(length) => String::from_utf8_lossy(value.get(..length).unwrap_or_default()).into_owned(),
        Err(_) => return Err(NotOurs::Unmarked),
    };
    let Some(mark) = parse(&text) else {
        return Err(NotOurs::OtherVersion);
    };
    let word = |key: &str| mark.get(key).copied().unwrap_or_default();
    let number = |key: &str| word(key).parse::<Moment>().ok();
    let (device, inode) = seen.identity.number();
    let this = number("inode") == Some(Moment::from(inode))
        && match seen.identity.born() {
            Some(born) => number("born") == Some(born),
            None => number("device") == Some(Moment::from(device)),
        };
    if !this {
        return Err(NotOurs::Copy);
    }
    if seen.links > 1 {
        return Err(NotOurs::HardLinks { names: seen.links });
    }
    let content = if word("content") == Content::Noise.word() { Content::Noise } else { Content::Any };
    match word("state") {
        "whole" => {
            if number("size") != Some(Moment::from(seen.size))
                || number("modified") != Some(seen.modified)
                || !number("changed").is_some_and(|marked| within(seen.changed, marked))
            {
                return Err(NotOurs::Changed);
            }
            if thorough && content == Content::Noise {
                is_noise(path, seen, PLACES, MIB)?;
            }
        }
        "writing" if content == Content::Noise => is_noise(path, seen, MANY_PLACES, READ_THROUGH)?,
        "writing" => {
            return Err(NotOurs::PatternInterrupted);
        }
        _ => return Err(NotOurs::UnreadableMark),
    }
    Ok(content)
}

const MIB: u64 = 1 << 20;

fn parse(text: &str) -> Option<BTreeMap<&str, &str>> {
    text.strip_prefix(HEAD)?.split_whitespace().map(|word| word.split_once('=')).collect()
}

/// Checks that the file holds noise: all data if the file has at most `whole` bytes, else `places` samples. Holes are
/// skipped.
fn is_noise(path: &Path, seen: &Seen, places: u64, whole: u64) -> Result<(), NotOurs> {
    let unreadable = |e: io::Error| NotOurs::Unreadable(Errno::from_io_error(&e).unwrap_or(Errno::IO));
    let file = open(path).map_err(unreadable)?;
    let same = Seen::of(&file).map_err(unreadable)?;
    if !same.identity.is(&seen.identity) {
        return Err(NotOurs::Replaced);
    }
    // Read-ahead would bring data into the page cache that was not requested.
    let _ = fadvise(&file, 0, None, Advice::Random);
    let mut piece = vec![0; PIECE as usize];
    let last = seen.size.saturating_sub(PIECE) / 512 * 512;
    let step =
        if seen.size <= whole { PIECE } else { (last / (places - 1)).next_multiple_of(4096).max(PIECE) };
    let mut at = 0;
    while at < seen.size {
        // A file system that reports no holes: all is treated as data.
        let from = match rustix::fs::seek(&file, SeekFrom::Data(at)) {
            Ok(data) => data.max(at),
            Err(Errno::NXIO) => return Ok(()),
            Err(_) => at,
        };
        let from = from / 512 * 512;
        let length = file.read_at(&mut piece, from).map_err(unreadable)?;
        let _ = fadvise(&file, from, NonZeroU64::new(length as u64), Advice::DontNeed);
        if let Some(foreign) = first_foreign_sector(&piece[..length]) {
            return Err(NotOurs::ForeignData { offset: from + foreign as u64 });
        }
        if length == 0 {
            return Ok(());
        }
        // The end is always examined.
        at = if from < last { (from + step).min(last) } else { seen.size };
    }
    Ok(())
}

fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = match rustix::fs::open(path, flags | OFlags::NOATIME, Mode::empty()) {
        Err(Errno::PERM) => rustix::fs::open(path, flags, Mode::empty()),
        other => other,
    };
    Ok(opened?.into())
}

/// Returns whether the regular file at `path` is fathom's own and may be overwritten without consent.
pub fn is_ours(path: &Path) -> bool {
    Seen::at(path).is_ok_and(|seen| seen.identity.is_file() && examine(path, &seen, true).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testbed::Sandbox;

    fn marked(path: &Path, state: fn(&Path, &Identity)) -> Seen {
        state(path, &Seen::at(path).unwrap().identity);
        Seen::at(path).unwrap()
    }

    fn whole(path: &Path, identity: &Identity) {
        settle(path, identity, Content::Noise);
    }

    fn interrupted(path: &Path, identity: &Identity) {
        begin(File::open(path).unwrap(), identity, Content::Noise);
    }

    #[test]
    fn a_mark_holds_until_anything_changes() {
        let sandbox = Sandbox::new().unwrap();
        let path = sandbox.file("f", 3 << 20).unwrap();
        assert_eq!(examine(&path, &Seen::at(&path).unwrap(), true), Err(NotOurs::Unmarked));
        assert_eq!(examine(&path, &marked(&path, whole), true), Ok(Content::Noise));
        std::thread::sleep(std::time::Duration::from_millis(60));
        File::options().write(true).open(&path).unwrap().write_all_at(b"x", 5000).unwrap();
        let found = examine(&path, &Seen::at(&path).unwrap(), true);
        assert_eq!(found, Err(NotOurs::Changed));
    }

    #[test]
    fn an_interrupted_file_is_ours_while_all_of_it_is_noise() {
        let sandbox = Sandbox::new().unwrap();
        for at in [0, 1_500_000, (3 << 20) - 600] {
            let path = sandbox.file("f", 3 << 20).unwrap();
            assert_eq!(examine(&path, &marked(&path, interrupted), false), Ok(Content::Noise));
            // Text without repetitions: a repeated sentence could be a pattern.
            let letter: String =
                (0..60).map(|n| format!("order {} of customer {}; ", n * 7919 % 1000, n * n * 31)).collect();
            let fits = letter.len().min((3 << 20) - at);
            let file = File::options().write(true).open(&path).unwrap();
            file.write_all_at(&letter.as_bytes()[..fits], at as u64).unwrap();
            let found = examine(&path, &Seen::at(&path).unwrap(), false);
            assert_eq!(found, Err(NotOurs::ForeignData { offset: at as u64 / 512 * 512 }));
        }
    }
}
