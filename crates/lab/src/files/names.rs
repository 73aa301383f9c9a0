//! Names in the tree: directories breadth first, files and empty directories numbered over all directories.

use stats::files::FilesAsked;
use std::ffi::CStr;

/// Paths of the directories of a tree below its root, parents first; those of the lowest level are the last ones.
#[derive(Debug)]
pub struct TreeNames {
    below: Vec<String>,
    /// Number of the first directory that receives files.
    first: u64,
    /// Files of one worker in a directory.
    files: u64,
}

impl TreeNames {
    /// Returns the names of a tree with at most `u32::MAX` directories.
    pub fn new(asked: &FilesAsked) -> TreeNames {
        let mut below = vec![String::new()];
        let mut level = 0..1;
        for _ in 0..asked.depth {
            let end = below.len();
            for parent in level.clone() {
                for child in 0..asked.branching {
                    below.push(format!("{}/t.{child}", below[parent]));
                }
            }
            level = end..below.len();
        }
        let first = if asked.leaves_only { level.start as u64 } else { 0 };
        TreeNames { below, first, files: asked.files }
    }

    /// Returns the number of directories of the tree.
    pub fn directories(&self) -> u64 {
        self.below.len() as u64
    }

    /// Returns the number of the directory in which a file lies.
    fn directory_of(&self, file: u64) -> u64 {
        self.first + file / self.files.max(1)
    }
}

/// A name that is written anew for each operation, in the same memory. Of files of one directory only the number is written.
#[derive(Debug, Default)]
pub struct NameBuffer {
    bytes: Vec<u8>,
    /// Kind, worker and directory of the name before, if it was that of a file.
    same: Option<(u8, u32, u64)>,
    /// Length of what names of this kind in this directory have in common.
    common: usize,
}

impl NameBuffer {
    /// Sets the name of a directory of a tree.
    pub fn directory(&mut self, tree: &TreeNames, root: &str, directory: u64) {
        self.same = None;
        self.bytes.clear();
        self.bytes.extend_from_slice(root.as_bytes());
        if let Some(below) = tree.below.get(directory as usize) {
            self.bytes.extend_from_slice(below.as_bytes());
        }
        self.bytes.push(0);
    }

    /// Sets the name of the directory in which a file lies.
    pub fn parent(&mut self, tree: &TreeNames, root: &str, file: u64) {
        self.directory(tree, root, tree.directory_of(file));
    }

    /// Sets the name of a file or empty directory: kind, worker that made it, number.
    pub fn entry(&mut self, tree: &TreeNames, root: &str, (kind, maker, number): (u8, u32, u64)) {
        let directory = tree.directory_of(number);
        if self.same != Some((kind, maker, directory)) {
            self.directory(tree, root, directory);
            self.bytes.pop();
            self.bytes.extend_from_slice(&[b'/', kind, b'.']);
            self.number(u64::from(maker));
            self.bytes.push(b'.');
            self.common = self.bytes.len();
            self.same = Some((kind, maker, directory));
        }
        self.bytes.truncate(self.common);
        self.number(number);
        self.bytes.push(0);
    }

    fn number(&mut self, mut number: u64) {
        let from = self.bytes.len();
        loop {
            self.bytes.push(b'0' + (number % 10) as u8);
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.bytes[from..].reverse();
    }

    /// Forgets the directory of the name before: the next phase may have another root.
    pub fn forget(&mut self) {
        self.same = None;
    }

    /// Sets the directory in which another name lies.
    pub fn parent_of(&mut self, other: &NameBuffer) {
        let path = other.get().to_bytes();
        let end = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        self.same = None;
        self.bytes.clear();
        self.bytes.extend_from_slice(&path[..end]);
        self.bytes.push(0);
    }

    /// Returns the name.
    pub fn get(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::files::FilesPhase;

    #[test]
    fn names_are_those_of_the_tree_in_any_order() {
        let asked = FilesAsked {
            workers: 1,
            depth: 2,
            branching: 2,
            files: 10,
            leaves_only: true,
            bytes: 0,
            shared: false,
            shift: 0,
            random: false,
            fsync: false,
            fsync_dir: false,
            write_on_create: false,
            drop_caches: false,
            phases: FilesPhase::ALL.to_vec(),
            iterations: None,
            seconds: None,
            seed: 0,
        };
        let tree = TreeNames::new(&asked);
        assert_eq!(tree.directories(), 7);
        let mut name = NameBuffer::default();
        let mut entry = |root: &str, of| {
            name.entry(&tree, root, of);
            name.get().to_str().unwrap().to_owned()
        };
        assert_eq!(entry("i.0/w.3", (b'f', 3, 0)), "i.0/w.3/t.0/t.0/f.3.0");
        assert_eq!(entry("i.0/w.3", (b'f', 3, 9)), "i.0/w.3/t.0/t.0/f.3.9");
        assert_eq!(entry("i.0/w.3", (b'f', 3, 10)), "i.0/w.3/t.0/t.1/f.3.10");
        assert_eq!(entry("i.0/w.3", (b'r', 3, 39)), "i.0/w.3/t.1/t.1/r.3.39");
        assert_eq!(entry("i.0/w.3", (b'r', 12, 31)), "i.0/w.3/t.1/t.1/r.12.31");
        let mut parent = NameBuffer::default();
        parent.parent_of(&name);
        assert_eq!(parent.get(), c"i.0/w.3/t.1/t.1");
        name.forget();
        name.entry(&tree, "i.1/w.3", (b'r', 12, 31));
        assert_eq!(name.get(), c"i.1/w.3/t.1/t.1/r.12.31");
        name.directory(&tree, "i.1/w.3", 1);
        assert_eq!(name.get(), c"i.1/w.3/t.0");
        name.parent(&tree, "i.1/w.3", 20);
        assert_eq!(name.get(), c"i.1/w.3/t.1/t.0");
    }
}
