//! The link to the storage, as the text around a result states it.

use super::medium::{LONGEST, contains_word};
use super::page::TextPage;
use stats::audit::{PrintedLink, PrintedResult, StatedMedium};

/// Lines above and below a result among which a statement about the link is looked for.
const REACH: usize = 12;

/// Links by the words for them, with the largest bandwidth after encoding and headers, bytes per second.
const LINKS: [(f64, &[&str]); 7] = [
    (
        117e6,
        &["1 gbe", "1gbe", "gigabit", "1 gbit", "1 gbit/s", "1 gb/s ethernet", "1 gbps", "1gbps", "千兆"],
    ),
    (1170e6, &["10 gbe", "10gbe", "10 gigabit", "10 gbit/s", "10 gbit", "10 gbps", "10gbps", "万兆"]),
    (2900e6, &["25 gbe", "25gbe", "25 gbit/s"]),
    (42e6, &["usb 2", "usb2", "usb 2.0", "usb2.0", "usb-2"]),
    (142e6, &["sata i", "sata 1", "sata 1.5", "sata-i"]),
    (
        285e6,
        &["sata ii", "sata 2", "sata2", "sata-ii", "sata 3gb/s", "sata 3 gb/s", "sata 3gbps", "3 gb/s sata"],
    ),
    (450e6, &["usb 3.0", "usb3.0"]),
];

/// Words that say that the storage is reached by a network; a network link alone may be for other traffic.
const NETWORK: [&str; 20] = [
    "over",
    "via",
    "through",
    "nas",
    "nfs",
    "smb",
    "cifs",
    "iscsi",
    "san",
    "über",
    "по",
    "через",
    "par",
    "por",
    "samba",
    "mount",
    "mounted",
    "share",
    "通过",
    "synology",
];

/// Statements of a page's lines about the link, each read at most once.
pub(super) type StatedLinks = Vec<Option<Option<f64>>>;

/// Returns the link that the nearest line above a result states, or one just below it. `known` has the statements that were
/// read before.
pub(super) fn near(page: &TextPage, result: &PrintedResult, known: &mut StatedLinks) -> Option<PrintedLink> {
    known.resize(page.lines.len(), None);
    let [first, last] = result.lines;
    let above = page.lines.partition_point(|line| line.number <= first);
    let below = page.lines.partition_point(|line| line.number <= last);
    let up = (above.saturating_sub(REACH)..above).rev();
    let down = below..page.lines.len().min(below + 3);
    up.chain(down).find_map(|at| {
        let text = page.at(at);
        // A line with a rate of its own is about that one.
        let own = (first..=last).contains(&page.lines[at].number);
        let of_line = *known[at].get_or_insert_with(|| stated(text));
        let bytes_per_second = of_line.filter(|_| own || !has_rate(text))?;
        let local = bytes_per_second < 100e6 || (130e6..1e9).contains(&bytes_per_second);
        let nvme = result.stated.is_some_and(|stated| stated.medium == StatedMedium::Nvme);
        (!(local && nvme)).then_some(PrintedLink { bytes_per_second, line: page.lines[at].number })
    })
}

/// Returns whether a line has a rate: digits before `B/s`.
fn has_rate(text: &str) -> bool {
    text.match_indices("B/s").any(|(at, _)| {
        let before = text[..at].trim_end_matches(char::is_alphabetic).trim_end();
        before.ends_with(|c: char| c.is_ascii_digit())
    })
}

/// Returns the one link that a line names.
fn stated(text: &str) -> Option<f64> {
    if text.chars().count() > LONGEST || text.contains("://") {
        return None;
    }
    let lower = text.to_lowercase();
    let denied =
        ["no ", "not ", " than ", "instead", "kein", " не ", "upgrade", "without", "expected", "used to"];
    let several =
        ["2x", "2 x", "4x", "4 x", "bond", "lacp", "trunk", "multipath", "dual", "aggregat", "internet"];
    // Links of other traffic.
    let other = ["backup", "rsync", "scp", "iperf", "management", "boot", "keyboard", "replication"];
    if denied.iter().chain(&several).chain(&other).any(|word| lower.contains(word)) {
        return None;
    }
    let named: Vec<f64> = LINKS
        .iter()
        .filter(|(_, words)| words.iter().any(|word| contains_word(&lower, word)))
        .map(|(speed, _)| *speed)
        .collect();
    // "10 gigabit" is no gigabit, "SATA II" no "SATA I".
    let speed = match named.as_slice() {
        [one] => *one,
        [117e6, 1170e6] => 1170e6,
        _ => return None,
    };
    let network = (100e6..120e6).contains(&speed) || speed > 1e9;
    (!network || NETWORK.iter().any(|word| contains_word(&lower, word))).then_some(speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_from_lines_that_name_one_way_to_the_storage() {
        assert_eq!(stated("NFS over 1 GbE, rsize 1M"), Some(117e6));
        assert_eq!(stated("iSCSI target, 10 gigabit"), Some(1170e6));
        assert_eq!(stated("external disk in a USB 2.0 case"), Some(42e6));
        assert_eq!(stated("the board has SATA II ports"), Some(285e6));
        assert_eq!(stated("the server has 1 GbE for management"), None);
        assert_eq!(stated("NFS over 2x 10 GbE"), None);
        assert_eq!(stated("not over 1 GbE any more"), None);
        assert_eq!(stated("USB 3.2 Gen 2"), None);
        assert_eq!(stated("boots from a USB 2.0 stick"), None);
        assert!(has_rate("copies over 1 GbE at 110 MB/s") && !has_rate("over 1 GbE in MB/s"));
    }
}
