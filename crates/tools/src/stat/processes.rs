//! Bytes that each process read from and wrote to storage, from `/proc/PID/io` (proc(5)).

use facts::SysRoot;
use stats::io_counters::ProcessIo;
use std::collections::HashMap;

/// Counters of a process: bytes read and written, less those that were truncated before they reached storage.
#[derive(Clone, Copy)]
struct Bytes {
    read: u64,
    written: u64,
}

/// Counters of all processes at the last reading. A process is its id and the time at which it started.
#[derive(Default)]
pub struct Processes {
    before: Option<HashMap<(u32, u64), Bytes>>,
}

/// Fields of `/proc/PID/stat` behind the name: the 20th of them is the start time (field 22 of the line).
const START_TIME: usize = 19;

fn identity(root: &SysRoot, pid: u32) -> Option<(String, u64)> {
    let stat = root.read(format!("/proc/{pid}/stat")).ok()?;
    let (open, close) = (stat.find('(')?, stat.rfind(')')?);
    let started = stat.get(close + 1..)?.split_whitespace().nth(START_TIME)?.parse().ok()?;
    Some((stat.get(open + 1..close)?.to_owned(), started))
}

fn bytes(root: &SysRoot, pid: u32) -> Option<Bytes> {
    let text = root.read(format!("/proc/{pid}/io")).ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse::<u64>().ok()
    };
    let cancelled = field("cancelled_write_bytes:").unwrap_or(0);
    Some(Bytes { read: field("read_bytes:")?, written: field("write_bytes:")?.saturating_sub(cancelled) })
}

impl Processes {
    /// Returns the `most` processes with the most bytes since the last call, those with the most first. Those of the
    /// first call are since each process started. Processes that ended meanwhile are not in it, nor those whose
    /// counters this process may not read.
    pub fn next(&mut self, root: &SysRoot, most: usize) -> Vec<ProcessIo> {
        let mut now = HashMap::new();
        let mut found = Vec::new();
        for pid in root.names("/proc").iter().filter_map(|name| name.parse::<u32>().ok()) {
            let Some(((command, started), bytes)) = identity(root, pid).zip(bytes(root, pid)) else {
                continue;
            };
            now.insert((pid, started), bytes);
            let none = Bytes { read: 0, written: 0 };
            let before = self.before.as_ref().and_then(|before| before.get(&(pid, started))).unwrap_or(&none);
            let read_bytes = bytes.read.saturating_sub(before.read);
            let written_bytes = bytes.written.saturating_sub(before.written);
            if read_bytes > 0 || written_bytes > 0 {
                found.push(ProcessIo { pid, command, read_bytes, written_bytes });
            }
        }
        self.before = Some(now);
        found.sort_by_key(|p| (std::cmp::Reverse(p.read_bytes.saturating_add(p.written_bytes)), p.pid));
        found.truncate(most);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testbed::Sandbox;

    #[test]
    fn processes_are_ordered_by_what_they_moved() {
        let tree = Sandbox::in_memory().unwrap();
        let put = |pid: u32, start: u64, read: u64, written: u64, cancelled: u64| {
            let dir = tree.join(&format!("proc/{pid}"));
            std::fs::create_dir_all(&dir).unwrap();
            let zeros = "0 ".repeat(START_TIME - 1);
            std::fs::write(dir.join("stat"), format!("{pid} (a) b) S {zeros}{start} 0")).unwrap();
            let io = format!(
                "rchar: 9\nwchar: 9\nsyscr: 9\nsyscw: 9\nread_bytes: {read}\nwrite_bytes: {written}\ncancelled_write_bytes: {cancelled}\n"
            );
            std::fs::write(dir.join("io"), io).unwrap();
        };
        let root = SysRoot::at(tree.path());
        let moved = |found: Vec<ProcessIo>| -> Vec<(u32, u64, u64)> {
            found.iter().map(|p| (p.pid, p.read_bytes, p.written_bytes)).collect()
        };
        put(7, 100, 4096, 0, 0);
        put(8, 100, 0, 8192, 4096);
        put(9, 100, 0, 0, 0);
        let mut processes = Processes::default();
        let first = processes.next(&root, 9);
        assert_eq!(first[0].command, "a) b");
        assert_eq!(moved(first), [(7, 4096, 0), (8, 0, 4096)]);
        put(7, 100, 5096, 0, 0);
        put(8, 200, 3000, 100, 0); // another process with the same id
        put(9, 100, 1, 1, 0);
        assert_eq!(moved(processes.next(&root, 2)), [(8, 3000, 100), (7, 1000, 0)]);
        assert_eq!(moved(processes.next(&root, 2)), []);
    }
}
