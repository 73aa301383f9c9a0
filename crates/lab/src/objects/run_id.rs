//! Identifier of a run on object storage, which is part of the names of its objects: it tells whether the process of the
//! run still exists.

use facts::SysRoot;
use std::path::Path;
use sys::fnv::fnv1a;

/// Beginning of the names below which a run has its objects.
pub(super) const NAME: &str = "fathom-run-";

/// Name of the metadata in which each object has the identifier of its run.
pub(super) const METADATA: &str = "x-amz-meta-fathom-run";

/// Identifier of a run: boot and namespace of the process, its number and its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunId {
    /// Boot of the machine and namespace of process numbers; elsewhere, the number says nothing.
    place: String,
    pid: u32,
    /// Start of the process in clock ticks since the boot: another process with the number has another.
    start: u64,
    /// Number of the run in its process.
    run: u32,
}

impl RunId {
    /// Returns the identifier of run `run` of this process.
    pub fn own(root: &SysRoot, run: u32) -> RunId {
        let pid = std::process::id();
        RunId { place: place(root), pid, start: start_of(root, pid).unwrap_or(0), run }
    }

    /// Reads the identifier of the run to which a name belongs, which begins with the prefix of the load.
    pub fn of_key(key: &str, prefix: &str) -> Option<RunId> {
        let (text, _) = key.strip_prefix(prefix)?.strip_prefix(NAME)?.split_once('/')?;
        let mut parts = text.split('-');
        let id = RunId {
            place: parts.next()?.into(),
            pid: parts.next()?.parse().ok()?,
            start: parts.next()?.parse().ok()?,
            run: parts.next()?.parse().ok()?,
        };
        // Only what this program writes, letter for letter.
        (id.to_string() == text).then_some(id)
    }

    /// Returns the beginning of the names of the run's objects.
    pub fn keys(&self, prefix: &str) -> String {
        format!("{prefix}{NAME}{self}/")
    }

    /// Returns whether the process of the run has ended; false if that cannot be known here.
    pub fn ended(&self, root: &SysRoot) -> bool {
        self.place == place(root) && start_of(root, self.pid) != Some(self.start)
    }
}

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{}-{}", self.place, self.pid, self.start, self.run)
    }
}

/// Returns a name for the boot of this machine and the namespaces of process numbers and of times, which the start of a
/// process is counted in: 16 digits.
fn place(root: &SysRoot) -> String {
    let boot = root.read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = |kind: &str| std::fs::read_link(Path::new("/proc/self/ns").join(kind)).unwrap_or_default();
    let text = format!("{}{}{}", boot.trim(), space("pid").display(), space("time").display());
    format!("{:016x}", fnv1a(&text))
}

/// Returns the start of a process, field 22 of its `stat`; `None` if it does not exist.
fn start_of(root: &SysRoot, pid: u32) -> Option<u64> {
    let stat = root.read(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    // The name of the program, in parentheses, may contain blanks.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    // A zombie runs no more.
    let alive = fields.next().is_some_and(|state| state != "Z" && state != "X");
    fields.nth(18)?.parse().ok().filter(|_| alive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_run_has_not_ended_and_is_read_from_its_keys() {
        let root = SysRoot::machine();
        let own = RunId::own(&root, 3);
        assert!(own.start > 0);
        let key = format!("{}00/17", own.keys("a/b-"));
        assert_eq!(RunId::of_key(&key, "a/b-"), Some(own.clone()));
        assert!(!own.ended(&root));
        assert!(RunId { start: own.start + 1, ..own.clone() }.ended(&root));
        // Of another machine nothing is known.
        assert!(!RunId { place: "0000000000000000".into(), start: 1, ..own }.ended(&root));
    }

    #[test]
    fn other_names_are_of_no_run() {
        for key in [
            "fathom-run-x",
            "fathom-run-a-1-2-3",
            "fathom-run-a-1-2/k",
            "fathom-run-a-01-2-3/k",
            "fathom-run-a-1-2-3-4/k",
            "x/fathom-run-a-1-2-3/k",
        ] {
            assert_eq!(RunId::of_key(key, ""), None, "{key}");
        }
        assert!(RunId::of_key("fathom-run-a-1-2-3/k", "").is_some());
    }
}
