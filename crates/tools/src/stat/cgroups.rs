//! I/O of control groups by device: `blkio.throttle.io_service_bytes` (version 1) and `io.stat` (version 2).

use facts::SysRoot;
use stats::io_counters::CgroupIo;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where the hierarchies are mounted: all of version 2, or the block hierarchy of version 1.
const HIERARCHIES: [&str; 3] = ["/sys/fs/cgroup/blkio", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"];
/// Deepest group that is read.
const DEEPEST: usize = 12;

/// Bytes read and written, and number of both.
#[derive(Clone, Copy, Default)]
struct Served {
    read: u64,
    written: u64,
    ios: Option<u64>,
}

/// Counters of all control groups at the last reading, by group and device number.
#[derive(Default)]
pub struct Cgroups {
    before: HashMap<(String, String), Served>,
}

/// Reads the lines `8:0 rbytes=1 wbytes=2 rios=3 wios=4 ...`.
fn version_2(text: &str) -> Vec<(String, Served)> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let device = words.next().filter(|word| word.contains(':'))?.to_owned();
        let mut served = Served::default();
        for (key, value) in words.filter_map(|word| word.split_once('=')) {
            let Ok(value) = value.parse::<u64>() else { continue };
            match key {
                "rbytes" => served.read = value,
                "wbytes" => served.written = value,
                "rios" | "wios" => served.ios = Some(served.ios.unwrap_or(0) + value),
                _ => {}
            }
        }
        Some((device, served))
    };
    text.lines().filter_map(line).collect()
}

/// Reads the lines `8:0 Read 4096`, `8:0 Write 0` of bytes and of numbers.
fn version_1(bytes: &str, ios: &str) -> Vec<(String, Served)> {
    let mut found: Vec<(String, Served)> = Vec::new();
    let fields = |text: &str| -> Vec<(String, String, u64)> {
        let line = |line: &str| {
            let mut words = line.split_whitespace();
            let device = words.next().filter(|word| word.contains(':'))?.to_owned();
            Some((device, words.next()?.to_owned(), words.next()?.parse().ok()?))
        };
        text.lines().filter_map(line).collect()
    };
    for (device, kind, value) in fields(bytes) {
        let at = found.iter().position(|(of, _)| *of == device).unwrap_or_else(|| {
            found.push((device.clone(), Served::default()));
            found.len() - 1
        });
        match kind.as_str() {
            "Read" => found[at].1.read = value,
            "Write" => found[at].1.written = value,
            _ => {}
        }
    }
    for (device, kind, value) in fields(ios) {
        if let Some((_, served)) = found.iter_mut().find(|(of, _)| *of == device)
            && ["Read", "Write"].contains(&kind.as_str())
        {
            served.ios = Some(served.ios.unwrap_or(0) + value);
        }
    }
    found
}

fn of_group(dir: &Path) -> Vec<(String, Served)> {
    let read = |file: &str| std::fs::read_to_string(dir.join(file)).ok();
    if let Some(text) = read("io.stat") {
        return version_2(&text);
    }
    match read("blkio.throttle.io_service_bytes") {
        Some(bytes) => version_1(&bytes, &read("blkio.throttle.io_serviced").unwrap_or_default()),
        None => Vec::new(),
    }
}

fn groups(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    found.push(dir.to_owned());
    if depth < DEEPEST
        && let Ok(entries) = std::fs::read_dir(dir)
    {
        let is_dir = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let mut below: Vec<PathBuf> = entries.flatten().filter(is_dir).map(|entry| entry.path()).collect();
        below.sort();
        below.iter().for_each(|dir| groups(dir, depth + 1, found));
    }
}

impl Cgroups {
    /// Returns the I/O of each group and device since the last call, the most bytes first. A group of version 2
    /// contains the I/O of the groups below it, one of version 1 does not.
    pub fn next(&mut self, root: &SysRoot) -> Vec<CgroupIo> {
        let file = |dir: &Path| {
            dir.join("io.stat").exists()
                || dir.join("blkio.throttle.io_service_bytes").exists()
                || dir.join("cgroup.controllers").exists()
        };
        let Some(top) = HIERARCHIES.iter().map(|at| root.path(at)).find(|dir| file(dir)) else {
            return Vec::new();
        };
        let mut dirs = Vec::new();
        groups(&top, 0, &mut dirs);
        let mut now = HashMap::new();
        let mut found = Vec::new();
        for dir in dirs {
            let below =
                dir.strip_prefix(&top).map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
            let group = format!("/{below}");
            for (number, served) in of_group(&dir) {
                let key = (group.clone(), number.clone());
                let before = self.before.get(&key).copied().unwrap_or_default();
                now.insert(key, served);
                let ios = served.ios.map(|ios| ios.saturating_sub(before.ios.unwrap_or(0)));
                let read_bytes = served.read.saturating_sub(before.read);
                let written_bytes = served.written.saturating_sub(before.written);
                if read_bytes > 0 || written_bytes > 0 || ios.is_some_and(|ios| ios > 0) {
                    let device = root.link_name(format!("/sys/dev/block/{number}")).unwrap_or(number);
                    found.push(CgroupIo { group: group.clone(), device, read_bytes, written_bytes, ios });
                }
            }
        }
        self.before = now;
        found.sort_by(|a, b| {
            let bytes = |c: &CgroupIo| c.read_bytes.saturating_add(c.written_bytes);
            bytes(b).cmp(&bytes(a)).then_with(|| (&a.group, &a.device).cmp(&(&b.group, &b.device)))
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testbed::Sandbox;

    fn shown(found: &[CgroupIo]) -> Vec<String> {
        let line = |c: &CgroupIo| {
            format!("{} {} {} {} {:?}", c.group, c.device, c.read_bytes, c.written_bytes, c.ios.unwrap_or(0))
        };
        found.iter().map(line).collect()
    }

    #[test]
    fn both_versions_give_growth_by_group_and_device() {
        for second in [false, true] {
            let tree = Sandbox::in_memory().unwrap();
            let top = tree.join(if second { "sys/fs/cgroup" } else { "sys/fs/cgroup/blkio" });
            std::fs::create_dir_all(top.join("a/b")).unwrap();
            std::fs::create_dir_all(tree.join("sys/dev/block")).unwrap();
            std::os::unix::fs::symlink("../../block/sda", tree.join("sys/dev/block/8:0")).unwrap();
            let put = |group: &str, read: u64, written: u64, ios: u64| {
                let dir = top.join(group);
                if second {
                    let line =
                        format!("8:0 rbytes={read} wbytes={written} rios={ios} wios=1 dbytes=0 dios=0\n");
                    std::fs::write(dir.join("io.stat"), line).unwrap();
                } else {
                    let bytes = format!("8:0 Read {read}\n8:0 Write {written}\n8:0 Total 9\nTotal 9\n");
                    std::fs::write(dir.join("blkio.throttle.io_service_bytes"), bytes).unwrap();
                    let ios = format!("8:0 Read {ios}\n8:0 Write 1\n8:0 Total 9\nTotal 9\n");
                    std::fs::write(dir.join("blkio.throttle.io_serviced"), ios).unwrap();
                }
            };
            put("", 0, 0, 0);
            put("a/b", 4096, 512, 1);
            let root = SysRoot::at(tree.path());
            let mut cgroups = Cgroups::default();
            assert_eq!(shown(&cgroups.next(&root)), ["/a/b sda 4096 512 2", "/ sda 0 0 1"], "{second}");
            put("a/b", 8192, 512, 3);
            assert_eq!(shown(&cgroups.next(&root)), ["/a/b sda 4096 0 2"], "{second}");
            assert_eq!(shown(&cgroups.next(&root)), Vec::<String>::new());
        }
    }
}
