//! The medium of a device, as the text above a result or the name of the device states it.

use super::page::TextPage;
use stats::audit::{PrintedMedium, PrintedResult, StatedMedium};

/// Lines above a result among which a statement about the medium is looked for.
pub(super) const REACH: usize = 60;
/// Longest line that counts as a statement about the device; longer ones are prose about many things.
pub(super) const LONGEST: usize = 160;

/// Words for media. A line with words for two media states none.
const WORDS: [(StatedMedium, &[&str]); 4] = [
    (StatedMedium::FastHdd, &["15k", "10k rpm", "10000 rpm", "15000 rpm", "velociraptor"]),
    (
        StatedMedium::Hdd,
        &[
            "hdd",
            "7200 rpm",
            "7200rpm",
            "7200 r/min",
            "7.2k rpm",
            "7,200 rpm",
            "7200 об/мин",
            "5400 об/мин",
            "7200 u/min",
            "7200转",
            "7.2k",
            "5400 rpm",
            "5400rpm",
            "5.4k",
            "hard disk",
            "机械硬盘",
            "жёсткий диск",
            "жесткий диск",
            "festplatte",
        ],
    ),
    (StatedMedium::Nvme, &["nvme", "pcie ssd"]),
    (StatedMedium::SataSsd, &["sata ssd", "ssd"]),
];

/// Statements of a page's lines about the medium, each read at most once.
pub(super) type StatedMedia = Vec<Option<Option<(StatedMedium, Option<u32>, bool)>>>;

/// Returns the medium that is stated nearest above a result, or by the name of its device. `known` has the statements that
/// were read before.
pub(super) fn near(
    page: &TextPage,
    result: &PrintedResult,
    known: &mut StatedMedia,
) -> Option<PrintedMedium> {
    known.resize(page.lines.len(), None);
    let first = result.lines[0];
    let device = |prefix: &str| {
        result.target.starts_with(prefix) || result.devices.iter().any(|d| d.name.starts_with(&prefix[5..]))
    };
    for (prefix, medium) in [("/dev/nvme", StatedMedium::Nvme), ("/dev/mmcblk", StatedMedium::Card)] {
        if device(prefix) {
            return Some(PrintedMedium { medium, devices: None, array: false, line: first });
        }
    }
    let end = page.lines.partition_point(|line| line.number <= first);
    (end.saturating_sub(REACH)..end).rev().find_map(|at| {
        let (medium, devices, array) = (*known[at].get_or_insert_with(|| stated(page.at(at))))?;
        Some(PrintedMedium { medium, devices, array, line: page.lines[at].number })
    })
}

/// Returns the one medium that a line names, the number of devices, and whether they are an array.
fn stated(text: &str) -> Option<(StatedMedium, Option<u32>, bool)> {
    if text.chars().count() > LONGEST || text.contains("://") {
        return None;
    }
    let lower = text.to_lowercase();
    // A denial or comparison states no medium of the result.
    if ["no ", "not ", " than ", "instead", "kein", " не "].iter().any(|word| lower.contains(word)) {
        return None;
    }
    let arrays = ["raid", "array", "zpool", "zfs", "raidz", "cluster", "ceph", "stripe", "jbod", "vsan"];
    let array = arrays.iter().any(|word| lower.contains(word));
    let has = |words: &[&str]| words.iter().any(|word| contains_word(&lower, word));
    let named: Vec<StatedMedium> =
        WORDS.iter().filter(|(_, words)| has(words)).map(|(medium, _)| *medium).collect();
    let medium = match named.as_slice() {
        [one] => *one,
        // "NVMe SSD" and "15k HDD" name one medium, the first.
        [StatedMedium::Nvme, StatedMedium::SataSsd] => StatedMedium::Nvme,
        [StatedMedium::FastHdd, StatedMedium::Hdd] => StatedMedium::FastHdd,
        _ => return None,
    };
    Some((medium, devices(&lower), array))
}

pub(super) fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(|c| c.is_ascii_alphanumeric())
            && !after.is_some_and(|c| c.is_ascii_alphanumeric())
    })
}

/// Reads `4x`, `4 x`, `x4` or `4块`.
fn devices(lower: &str) -> Option<u32> {
    let words: Vec<&str> = lower.split(|c: char| c.is_whitespace() || c == ',' || c == '(').collect();
    let number = |text: &str| text.parse::<u32>().ok().filter(|n| (2..=64).contains(n));
    words.iter().enumerate().find_map(|(at, word)| {
        let times =
            word.strip_suffix('x').or_else(|| word.strip_prefix('x')).or_else(|| word.strip_suffix('块'));
        times.and_then(number).or_else(|| number(word).filter(|_| words.get(at + 1) == Some(&"x")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medium_is_read_from_lines_that_name_one() {
        assert_eq!(
            stated("RAID-10 на Adaptec 5405 из 4x SAS 15k SEAGATE"),
            Some((StatedMedium::FastHdd, Some(4), true))
        );
        assert_eq!(stated("4块 SSD RAID5"), Some((StatedMedium::SataSsd, Some(4), true)));
        assert_eq!(stated("Samsung 990 Pro NVMe SSD"), Some((StatedMedium::Nvme, None, false)));
        assert_eq!(stated("HDD against SSD"), None);
        assert_eq!(stated("the thread id 1hdd2"), None);
    }
}
