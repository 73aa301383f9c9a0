//! Output of `fathom hdparm`: what hdparm 9.65 prints, word for word, and below each figure what it is worth.

use crate::Lang;
use crate::catalog::say;
use run::job_error::errno_text;
use rustix::io::Errno;
use tools::evidence::Bottom;
use tools::hdparm::arguments::HdparmFault;
use tools::hdparm::{CHUNK, DiskSources, HdparmEvent, ReadFault, TimedReads};

/// Version of hdparm whose output this is.
pub const VERSION: &str = "hdparm v9.65\n";

const HEAD: &str = "\nhdparm - get/set hard disk parameters - version v9.65, by Mark Lord.\n\n";

/// hdparm's lines of the options that fathom has.
const OPTIONS: &str = "\
Usage:  hdparm  [options] [device ...]

Options:
 -h   Display terse usage information
 -I   Detailed/current information directly from drive
 -t   Perform device read timings
 -T   Perform cache read timings
 -V   Display program version and exit immediately
 --direct          Use O_DIRECT to bypass page cache for timings
 --offset          use with -t, to begin timings at given offset (in GiB) from start of drive
";

/// Returns the help.
pub fn help() -> String {
    format!("{HEAD}{OPTIONS}\n")
}

/// Returns the text of a refused command line for standard error.
pub fn fault(lang: Lang, fault: &HdparmFault) -> String {
    match fault {
        HdparmFault::Usage(clue) => format!("{HEAD}clue={clue}\n{OPTIONS}\n"),
        HdparmFault::UnknownFlag(name) => format!("{name}: unknown flag\n"),
        HdparmFault::Offset => "  offset: GB offset for -t flag\n".into(),
        HdparmFault::NotSupported(option) => {
            format!("fathom hdparm: {}\n", say!(lang, "hdparm-not-supported", option))
        }
    }
}

fn system(e: Errno) -> String {
    errno_text(e.raw_os_error())
}

/// Returns the text of an event for standard output, and that for standard error.
pub fn event(lang: Lang, event: &HdparmEvent<'_>) -> (String, String) {
    let out = match event {
        HdparmEvent::CannotOpen(path, e) => {
            let name = path.display().to_string();
            let name = if name.is_empty() { name } else { format!("{name}: ") };
            return (String::new(), format!("{name}{}\n", system(*e)));
        }
        HdparmEvent::Fault(fault) => return (String::new(), format!("{}\n", read_fault(*fault))),
        HdparmEvent::NothingToTime => {
            return (String::new(), format!("fathom hdparm: {}\n", say!(lang, "hdparm-nothing-to-time")));
        }
        HdparmEvent::AtaDisk(path) => {
            let path = path.display().to_string();
            return (String::new(), format!("fathom hdparm: {}\n", say!(lang, "hdparm-ata", path)));
        }
        HdparmEvent::Device(path) => format!("\n{}:\n", path.display()),
        HdparmEvent::CachedBegins { direct } => {
            format!(" Timing {}cached reads:   ", if *direct { "O_DIRECT " } else { "" })
        }
        HdparmEvent::Cached { reads, direct } => {
            let note = if *direct { say!(lang, "hdparm-cached-direct") } else { say!(lang, "hdparm-cached") };
            format!("{}{}", rate(reads), below(&[note]))
        }
        HdparmEvent::DiskBegins { direct, offset } => {
            let kind = if *direct { "O_DIRECT" } else { "buffered" };
            let from = offset.map(|gib| format!(" (offset {gib} GB)")).unwrap_or_default();
            format!(" Timing {kind} disk reads{from}: ")
        }
        HdparmEvent::Disk { reads, sources } => {
            format!("{}{}", rate(reads), below(&origin(lang, reads, sources)))
        }
    };
    (out, String::new())
}

fn read_fault(fault: ReadFault) -> String {
    match fault {
        ReadFault::Memory => "could not allocate timing buf".into(),
        ReadFault::Read(e) => format!("read() failed: {}", system(e)),
        ReadFault::EndOfFile => "read() hit EOF - device too small".into(),
        ReadFault::Short(n) => format!("read({CHUNK}) returned {n} bytes"),
        ReadFault::Seek(e) => format!("lseek() failed: {}", system(e)),
        ReadFault::Size(e) => format!(" BLKGETSIZE failed: {}", system(e)),
        ReadFault::DropPages(e) => format!("BLKFLSBUF failed: {}", system(e)),
    }
}

/// Returns hdparm's figures; below one MiB per second in kB.
fn rate(reads: &TimedReads) -> String {
    let (mib, seconds) = (reads.mib, reads.seconds.max(1e-9));
    let rate = mib as f64 / seconds;
    let (rate, unit) = if mib as f64 >= seconds { (rate, "MB") } else { (rate * 1024.0, "kB") };
    format!("{mib:3} MB in {:5.2} seconds = {rate:6.2} {unit}/sec\n", reads.seconds)
}

/// Returns bytes in MiB, the unit of hdparm's figures, which it calls MB.
fn mib(bytes: u64) -> String {
    let text = format!("{:.2}", bytes as f64 / f64::from(1 << 20));
    format!("{} MiB", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Returns fathom's lines below a figure.
fn below(notes: &[String]) -> String {
    notes.iter().map(|note| format!(" fathom: {note}\n")).collect()
}

/// Returns where the data of `-t` came from, as far as it is known.
fn origin(lang: Lang, reads: &TimedReads, found: &DiskSources) -> Vec<String> {
    let all = mib(reads.mib << 20);
    let top = found.top.clone().unwrap_or_default();
    let mut notes = Vec::new();
    let positive = |bytes: Option<u64>| bytes.filter(|bytes| *bytes > 0);
    if let Some(part) = positive(found.from_page_cache) {
        let part = mib(part);
        notes.push(say!(lang, "hdparm-page-cache", part, all = &all));
    }
    match &found.bottom {
        Bottom::Memory(kind) => notes.push(say!(lang, "finding-below-memory", device = top, kind)),
        Bottom::Unknown => notes.push(say!(lang, "hdparm-unknown")),
        Bottom::Disks(disks) => {
            let disk = disks.join(", ");
            if let Some(part) = positive(found.from_below) {
                let part = mib(part);
                notes.push(say!(lang, "hdparm-below", part, all = &all, disk = &disk, top));
            }
            if let Some(read) = found.disk_read {
                notes.push(say!(lang, "hdparm-disk-read", disk, read = mib(read), all = &all));
            }
        }
    }
    if let Some((file, part)) = found.holes.as_ref().filter(|(_, part)| *part > 0) {
        let file = file.display().to_string();
        notes.push(say!(lang, "hdparm-holes", part = mib(*part), all, file));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines that hdparm 9.65 printed.
    #[test]
    fn figures_are_printed_as_hdparm_prints_them() {
        let text = |mib, seconds| rate(&TimedReads { mib, seconds });
        assert_eq!(text(64, 0.164_406), " 64 MB in  0.16 seconds = 389.28 MB/sec\n");
        assert_eq!(text(14, 2.029), " 14 MB in  2.03 seconds =   6.90 MB/sec\n");
        assert_eq!(text(34162, 1.991_038), "34162 MB in  1.99 seconds = 17157.88 MB/sec\n");
        assert_eq!(text(4, 5.001_83), "  4 MB in  5.00 seconds = 818.90 kB/sec\n");
        assert_eq!([64 << 20, 4096, 0, 3_250_585].map(mib), ["64 MiB", "0 MiB", "0 MiB", "3.1 MiB"]);
    }
}
