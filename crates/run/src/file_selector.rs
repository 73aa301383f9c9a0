//! Selection of the file of each I/O (`file_service_type`), and of the files that are open at a time (`openfiles`).

use crate::distribution::Distribution;
use crate::random::below;
use job::job::FileService;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Result of the selection of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextFile {
    /// Number of the file of the next I/O.
    File(usize),
    /// No further file may be opened before I/Os in flight have completed.
    AllBusy,
    /// Every file is at the end of its pass.
    Exhausted,
}

/// Action on a file that is due before the operations that were filled last are issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAction {
    /// Opens the file with this number.
    Open(u32),
    /// Closes the file with this number, on which no I/O is in flight.
    Close(u32),
}

/// Number of draws from a distribution after which an open file is taken at random: a few open files among 100,000
/// are hardly ever drawn.
const DRAWS: u32 = 1 << 12;

/// Selects the file of each I/O.
#[derive(Debug)]
pub(crate) struct FileSelector {
    service: FileService,
    pick: Xoshiro256PlusPlus,
    /// Distribution of I/Os over the files, if the job sets one.
    distribution: Option<Distribution>,
    /// Files that are not at the end of their pass.
    left: FileSet,
    current: usize,
    served: u32,
    limit: Option<OpenFileLimit>,
}

/// Open files and their I/Os in flight, for `openfiles`.
#[derive(Debug)]
struct OpenFileLimit {
    /// Number of files that may be open at a time.
    most: usize,
    /// Files that are open and not at the end of their pass.
    open: FileSet,
    /// Number of I/Os in flight per file.
    in_flight: Vec<u32>,
    /// Whether a file is at the end of its pass and open only because an I/O on it is in flight.
    closing: Vec<bool>,
    closings: usize,
    due: Vec<FileAction>,
}

impl FileSelector {
    /// Returns a selector of `files` files, at most `most` of which are open at a time; 0 if all are open from start
    /// to end.
    pub(crate) fn new(service: FileService, files: usize, most: usize, pick: Xoshiro256PlusPlus) -> Self {
        let distribution = match &service {
            FileService::Law(law) => Distribution::of_files(law, files as u64, pick.clone().next_u64()),
            _ => None,
        };
        let limit = (most > 0).then(|| OpenFileLimit {
            most,
            open: FileSet::new(files),
            in_flight: vec![0; files],
            closing: vec![false; files],
            closings: 0,
            due: Vec::new(),
        });
        // The file after the last one is the first.
        let current = files.saturating_sub(1);
        Self { service, pick, distribution, left: FileSet::new(files), current, served: u32::MAX, limit }
    }

    /// Begins a pass; `usable` is, for each file, whether an I/O fits into the file.
    pub(crate) fn begin_pass(&mut self, usable: impl Iterator<Item = bool>) {
        for (file, usable) in usable.enumerate() {
            if usable { self.left.insert(file) } else { self.left.remove(file) }
        }
    }

    /// Returns the file of the next I/O.
    pub(crate) fn next(&mut self) -> NextFile {
        let ios_in_a_row = match self.service {
            FileService::RoundRobin(n) | FileService::Random(n) => n.max(1),
            FileService::Law(_) => 1,
            FileService::Sequential => u32::MAX,
        };
        let (room, open) = match &self.limit {
            None => (true, None),
            Some(limit) => (limit.open.len() + limit.closings < limit.most, Some(&limit.open)),
        };
        let among = if room { &self.left } else { open.unwrap_or(&self.left) };
        let stays = self.served < ios_in_a_row && among.has(self.current);
        if !stays {
            if among.len() == 0 {
                return if self.left.len() == 0 { NextFile::Exhausted } else { NextFile::AllBusy };
            }
            let any = |random: u64| among.nth(below(random, among.len() as u64) as usize);
            self.current = match (&self.service, &self.distribution) {
                (FileService::RoundRobin(_) | FileService::Sequential, _) => among.after(self.current),
                (_, None) => any(self.pick.next_u64()),
                (_, Some(distribution)) => {
                    let drawn = (0..DRAWS)
                        .map(|_| distribution.next(&mut self.pick) as usize)
                        .find(|f| among.has(*f));
                    drawn.unwrap_or_else(|| any(self.pick.next_u64()))
                }
            };
            self.served = 0;
        }
        if let Some(limit) = &mut self.limit {
            limit.take(self.current);
        }
        NextFile::File(self.current)
    }

    /// Counts an I/O on the current file.
    pub(crate) fn count_io(&mut self) {
        self.served = self.served.saturating_add(1);
        if let Some(limit) = &mut self.limit {
            limit.in_flight[self.current] += 1;
        }
    }

    /// Records that an I/O on `file` has completed.
    pub(crate) fn completed(&mut self, file: usize) {
        let Some(limit) = &mut self.limit else { return };
        limit.in_flight[file] = limit.in_flight[file].saturating_sub(1);
        if limit.in_flight[file] == 0 && std::mem::take(&mut limit.closing[file]) {
            limit.closings -= 1;
            limit.due.push(FileAction::Close(file as u32));
        }
    }

    /// Ends the pass of the current file, and returns whether the file starts its next pass at once: it does if a
    /// distribution selects the files, unless no I/O fits into the file (`fresh`).
    pub(crate) fn end_of_file(&mut self, fresh: bool) -> bool {
        let again = self.distribution.is_some() && !fresh;
        if !again {
            self.left.remove(self.current);
            self.served = u32::MAX;
        }
        if let Some(limit) = &mut self.limit {
            limit.leave(self.current);
        }
        again
    }

    /// Closes every open file after a pass; no I/O may be in flight.
    pub(crate) fn close_all(&mut self) {
        if let Some(limit) = &mut self.limit {
            while limit.open.len() > 0 {
                limit.leave(limit.open.nth(0));
            }
        }
    }

    /// Returns the files to open and to close now, in this order.
    pub(crate) fn take_due(&mut self) -> Vec<FileAction> {
        self.limit.as_mut().map_or(Vec::new(), |limit| std::mem::take(&mut limit.due))
    }

    /// Returns whether files are opened and closed while the job runs.
    pub(crate) fn limits_open_files(&self) -> bool {
        self.limit.is_some()
    }
}

impl OpenFileLimit {
    /// Opens `file` if it is closed, and counts it as open.
    fn take(&mut self, file: usize) {
        if self.open.has(file) {
            return;
        }
        self.open.insert(file);
        if std::mem::take(&mut self.closing[file]) {
            // A new pass has reached the file before its last I/O completed.
            self.closings -= 1;
        } else {
            self.due.push(FileAction::Open(file as u32));
        }
    }

    /// Closes `file`, or marks it to be closed when its last I/O in flight has completed.
    fn leave(&mut self, file: usize) {
        self.open.remove(file);
        if self.in_flight[file] > 0 {
            self.closing[file] = true;
            self.closings += 1;
        } else {
            self.due.push(FileAction::Close(file as u32));
        }
    }
}

/// A set of files whose operations take a time independent of the number of files.
#[derive(Debug)]
struct FileSet {
    words: Vec<u64>,
    list: Vec<u32>,
    /// Position of each file in the list.
    place: Vec<u32>,
}

impl FileSet {
    fn new(files: usize) -> Self {
        Self { words: vec![0; files.div_ceil(64)], list: Vec::new(), place: vec![0; files] }
    }

    fn len(&self) -> usize {
        self.list.len()
    }

    fn has(&self, file: usize) -> bool {
        self.words[file / 64] >> (file % 64) & 1 == 1
    }

    fn nth(&self, n: usize) -> usize {
        self.list[n] as usize
    }

    fn insert(&mut self, file: usize) {
        if !self.has(file) {
            self.words[file / 64] |= 1 << (file % 64);
            self.place[file] = self.list.len() as u32;
            self.list.push(file as u32);
        }
    }

    fn remove(&mut self, file: usize) {
        if self.has(file) {
            self.words[file / 64] &= !(1 << (file % 64));
            let place = self.place[file];
            self.list.swap_remove(place as usize);
            if let Some(moved) = self.list.get(place as usize) {
                self.place[*moved as usize] = place;
            }
        }
    }

    /// Returns the first file of the set after `file`, cyclically; `file` if the set is empty.
    fn after(&self, file: usize) -> usize {
        let (at, bit) = (file / 64, file % 64);
        let behind = self.words[at] & u64::MAX.checked_shl(bit as u32 + 1).unwrap_or(0);
        let around = (at + 1..self.words.len()).chain(0..=at).map(|w| (w, self.words[w]));
        let found = std::iter::once((at, behind)).chain(around).find(|(_, word)| *word != 0);
        found.map_or(file, |(w, word)| w * 64 + word.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::general::{General, GeneralSpec};
    use crate::region::{Budget, Region};
    use engine::{Kind, Op};
    use job::distribution::{Law, Places, Sizes};
    use job::job::{Mix, Order};
    use proptest::prelude::*;

    const K: u64 = 1024;

    /// Returns the order of sequential 4k writes to files whose lengths are given in blocks.
    fn writes(
        service: FileService,
        most: usize,
        blocks: &[u64],
        sync: Option<(Kind, u64)>,
        seed: u64,
    ) -> General {
        let spec = GeneralSpec {
            mix: Mix::Write,
            order: Order::Sequential { skip: 0 },
            block: [(4 * K, 4 * K); 3],
            sizes: Sizes::default(),
            places: Places::default(),
            random_map: false,
            syncs: sync.into_iter().collect(),
            range_flags: 0,
            serialize: false,
            depth: 1,
            service,
            open_files: most,
            seed,
        };
        let region =
            |blocks: &u64| Region { start: 0, length: blocks * 4 * K, ends_file: true, room: blocks * 4 * K };
        let regions: Vec<Region> = blocks.iter().map(region).collect();
        let bytes = regions.iter().map(|r| r.length).sum();
        General::new(spec, &regions, Budget { bytes, ios: u64::MAX, wraps: false })
    }

    /// Returns the actions and operations of a pattern in order: O opens, C closes, s syncs, the others are writes.
    fn line(mut general: General) -> String {
        let mut out = String::new();
        let mut said = |general: &mut General, op: Option<Op>| {
            for action in general.take_file_actions() {
                out += &match action {
                    FileAction::Open(file) => format!("O{file} "),
                    FileAction::Close(file) => format!("C{file} "),
                };
            }
            if let Some(op) = op {
                out += &match op.kind {
                    Kind::Fsync => format!("s{} ", op.file),
                    _ => format!("{}:{} ", op.file, op.offset / 4 / K),
                };
            }
        };
        let mut ops = [Op::NONE];
        while general.fill(&mut ops) > 0 {
            said(&mut general, Some(ops[0]));
            general.completed(&ops[0]);
        }
        general.close_all_files();
        said(&mut general, None);
        out
    }

    /// Expected lines are those of strace on fio 3.33 with the same jobs.
    #[test]
    fn files_are_opened_served_and_closed_in_fios_order() {
        let round_robin = FileService::RoundRobin;
        assert_eq!(
            line(writes(round_robin(1), 2, &[2; 4], None, 1)),
            "O0 0:0 O1 1:0 0:1 1:1 C0 C1 O2 2:0 O3 3:0 2:1 3:1 C2 C3 "
        );
        assert_eq!(
            line(writes(round_robin(1), 2, &[2, 3, 3, 5], None, 1)),
            "O0 0:0 O1 1:0 0:1 1:1 C0 1:2 O2 2:0 C1 2:1 O3 3:0 2:2 3:1 C2 3:2 3:3 3:4 C3 "
        );
        assert_eq!(
            line(writes(round_robin(4), 2, &[6; 4], None, 1)),
            "O0 0:0 0:1 0:2 0:3 O1 1:0 1:1 1:2 1:3 0:4 0:5 C0 1:4 1:5 C1 O2 2:0 2:1 2:2 2:3 O3 3:0 3:1 3:2 3:3 2:4 2:5 C2 3:4 3:5 C3 "
        );
        assert_eq!(
            line(writes(FileService::Sequential, 2, &[2; 3], None, 1)),
            "O0 0:0 0:1 C0 O1 1:0 1:1 C1 O2 2:0 2:1 C2 "
        );
        assert_eq!(
            line(writes(round_robin(2), 2, &[4; 4], Some((Kind::Fsync, 3)), 1)),
            "O0 0:0 0:1 O1 1:0 s1 0:2 0:3 1:1 s1 C0 1:2 1:3 O2 2:0 s2 C1 2:1 2:2 O3 3:0 s3 2:3 C2 3:1 3:2 s3 3:3 C3 "
        );
        assert_eq!(
            line(writes(round_robin(1), 0, &[4; 4], Some((Kind::Fsync, 3)), 1)),
            "0:0 1:0 2:0 s3 0:1 1:1 2:1 s3 0:2 1:2 2:2 s3 0:3 1:3 2:3 s3 3:0 3:1 3:2 s3 3:3 "
        );
    }

    proptest! {
        /// For any order of completions: the limit of open files is kept, I/O goes to open files only, no file is
        /// closed with I/O in flight, and every block is visited once.
        #[test]
        fn no_more_files_are_open_than_allowed(most in 1usize..6, blocks in proptest::collection::vec(1u64..9, 2..40),
            service in 0u8..3, batch in 1usize..9, depth in 1usize..24, seed: u64) {
            let service = match service { 0 => FileService::RoundRobin(2), 1 => FileService::Random(1), _ => FileService::Sequential };
            let mut general = writes(service, most, &blocks, None, seed);
            let (mut in_flight, mut open, mut seen) = (Vec::<(u32, u64)>::new(), std::collections::BTreeSet::new(), Vec::new());
            let mut rng = crate::random::generator(seed, 99);
            loop {
                let mut ops = vec![Op::NONE; batch.min(depth - in_flight.len())];
                let n = general.fill(&mut ops);
                for action in general.take_file_actions() {
                    match action {
                        FileAction::Open(file) => prop_assert!(open.insert(file)),
                        FileAction::Close(file) => {
                            prop_assert!(in_flight.iter().all(|f| f.0 != file) && open.remove(&file));
                        }
                    }
                    prop_assert!(open.len() <= most.min(blocks.len()));
                }
                for op in &ops[..n] {
                    prop_assert!(most >= blocks.len() || open.contains(&op.file));
                    in_flight.push((op.file, op.offset));
                    seen.push((op.file, op.offset / 4 / K));
                }
                if in_flight.is_empty() {
                    prop_assert!(n == 0 && !general.blocked());
                    break;
                }
                if in_flight.len() == depth || n == 0 || rng.next_u64().is_multiple_of(2) {
                    let at = below(rng.next_u64(), in_flight.len() as u64) as usize;
                    let (file, offset) = in_flight.swap_remove(at);
                    general.completed(&Op { file, offset, ..Op::NONE });
                }
            }
            seen.sort_unstable();
            let all: Vec<_> = blocks.iter().enumerate().flat_map(|(f, n)| (0..*n).map(move |b| (f as u32, b))).collect();
            prop_assert_eq!(seen, all);
        }
    }

    /// As in fio, a file that a distribution selects again after the end of its pass starts its next pass.
    #[test]
    fn with_a_distribution_files_have_no_end() {
        let law = Law::Zipf { theta: 1.2, center: Some(0.5) };
        let text = line(writes(FileService::Law(law), 0, &[4; 16], None, 1));
        let hot: Vec<&str> = text.split_whitespace().filter(|w| w.starts_with("8:")).collect();
        assert!(hot.len() > 40 && hot[..5] == ["8:0", "8:1", "8:2", "8:3", "8:0"], "{text}");
        assert_eq!(text.split_whitespace().count(), 64);
    }
}
