//! Whose turn it is: which file the next I/O goes to, and with `openfiles` which files are open meanwhile.

use crate::pattern::below;
use crate::spread::Curve;
use job::job::FileService;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// This file.
    File(usize),
    /// No other file may be opened before I/Os that fly have landed.
    Busy,
    /// Every file is used up.
    Over,
}

/// What has to be done to a file before the I/Os that were drawn since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Open it.
    Open(u32),
    /// Close it: nothing flies.
    Close(u32),
}

/// Draws of a law after which any file will do: a few open files of a hundred thousand may hardly ever be hit.
const DRAWS: u32 = 1 << 12;

/// See the module.
#[derive(Debug)]
pub(crate) struct Turns {
    service: FileService,
    pick: Xoshiro256PlusPlus,
    /// Which file, by a law.
    curve: Option<Curve>,
    /// Not used up.
    left: Set,
    current: usize,
    served: u32,
    doors: Option<Doors>,
}

/// What `openfiles` needs to know.
#[derive(Debug)]
struct Doors {
    most: usize,
    /// Open and not used up.
    open: Set,
    /// I/Os on their way, per file.
    flying: Vec<u32>,
    /// Used up and open, for something flies.
    closing: Vec<bool>,
    closings: usize,
    due: Vec<Door>,
}

impl Turns {
    /// Over `files` files, at most `most` of them open at a time; 0 = they are open from start to end.
    pub(crate) fn new(service: FileService, files: usize, most: usize, pick: Xoshiro256PlusPlus) -> Self {
        let curve = match &service {
            FileService::Law(law) => Curve::of_files(law, files as u64, pick.clone().next_u64()),
            _ => None,
        };
        let doors = (most > 0).then(|| Doors {
            most,
            open: Set::new(files),
            flying: vec![0; files],
            closing: vec![false; files],
            closings: 0,
            due: Vec::new(),
        });
        // The first turn is the first file's.
        let current = files.saturating_sub(1);
        Self { service, pick, curve, left: Set::new(files), current, served: u32::MAX, doors }
    }

    /// A pass begins, with these files.
    pub(crate) fn begin_pass(&mut self, usable: impl Iterator<Item = bool>) {
        for (file, usable) in usable.enumerate() {
            if usable { self.left.insert(file) } else { self.left.remove(file) }
        }
    }

    /// The file whose turn it is.
    pub(crate) fn next(&mut self) -> Turn {
        let per_turn = match self.service {
            FileService::RoundRobin(n) | FileService::Random(n) => n.max(1),
            FileService::Law(_) => 1,
            FileService::Sequential => u32::MAX,
        };
        let (room, open) = match &self.doors {
            None => (true, None),
            Some(doors) => (doors.open.len() + doors.closings < doors.most, Some(&doors.open)),
        };
        let among = if room { &self.left } else { open.unwrap_or(&self.left) };
        let stays = self.served < per_turn && among.has(self.current);
        if !stays {
            if among.len() == 0 {
                return if self.left.len() == 0 { Turn::Over } else { Turn::Busy };
            }
            let any = |random: u64| among.nth(below(random, among.len() as u64) as usize);
            self.current = match (&self.service, &self.curve) {
                (FileService::RoundRobin(_) | FileService::Sequential, _) => among.after(self.current),
                (_, None) => any(self.pick.next_u64()),
                (_, Some(curve)) => {
                    let drawn =
                        (0..DRAWS).map(|_| curve.next(&mut self.pick) as usize).find(|f| among.has(*f));
                    drawn.unwrap_or_else(|| any(self.pick.next_u64()))
                }
            };
            self.served = 0;
        }
        if let Some(doors) = &mut self.doors {
            doors.take(self.current);
        }
        Turn::File(self.current)
    }

    /// An I/O goes to the file whose turn it is.
    pub(crate) fn serve(&mut self) {
        self.served = self.served.saturating_add(1);
        if let Some(doors) = &mut self.doors {
            doors.flying[self.current] += 1;
        }
    }

    /// An I/O on `file` is done.
    pub(crate) fn landed(&mut self, file: usize) {
        let Some(doors) = &mut self.doors else { return };
        doors.flying[file] = doors.flying[file].saturating_sub(1);
        if doors.flying[file] == 0 && std::mem::take(&mut doors.closing[file]) {
            doors.closings -= 1;
            doors.due.push(Door::Close(file as u32));
        }
    }

    /// The file whose turn it is has nothing left in this pass. Whether it begins anew: where a law says which file is
    /// next, files have no end; unless not one I/O fitted into it.
    pub(crate) fn used_up(&mut self, fresh: bool) -> bool {
        let again = self.curve.is_some() && !fresh;
        if !again {
            self.left.remove(self.current);
            self.served = u32::MAX;
        }
        if let Some(doors) = &mut self.doors {
            doors.leave(self.current);
        }
        again
    }

    /// The lap is over and nothing flies: whatever is open is to be closed.
    pub(crate) fn close_all(&mut self) {
        if let Some(doors) = &mut self.doors {
            while doors.open.len() > 0 {
                doors.leave(doors.open.nth(0));
            }
        }
    }

    /// What has to be opened and closed now, in this order.
    pub(crate) fn take_due(&mut self) -> Vec<Door> {
        self.doors.as_mut().map_or(Vec::new(), |doors| std::mem::take(&mut doors.due))
    }

    /// Whether files are opened and closed while the job runs.
    pub(crate) fn moves(&self) -> bool {
        self.doors.is_some()
    }
}

impl Doors {
    fn take(&mut self, file: usize) {
        if self.open.has(file) {
            return;
        }
        self.open.insert(file);
        if std::mem::take(&mut self.closing[file]) {
            // A new pass came to it before its last I/O landed.
            self.closings -= 1;
        } else {
            self.due.push(Door::Open(file as u32));
        }
    }

    fn leave(&mut self, file: usize) {
        self.open.remove(file);
        if self.flying[file] > 0 {
            self.closing[file] = true;
            self.closings += 1;
        } else {
            self.due.push(Door::Close(file as u32));
        }
    }
}

/// Some of the files: each question takes no longer with a hundred thousand of them.
#[derive(Debug)]
struct Set {
    words: Vec<u64>,
    list: Vec<u32>,
    /// Where in the list.
    place: Vec<u32>,
}

impl Set {
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

    /// The first one behind `file`, going round; of an empty set, `file`.
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
    use crate::general::{Asked, General};
    use crate::pattern::{Budget, Region};
    use engine::{Kind, Op};
    use job::distribution::{Law, Places, Sizes};
    use job::job::{Mix, Order};
    use proptest::prelude::*;

    const K: u64 = 1024;

    /// Sequential writes of 4k to files of so many blocks.
    fn writes(
        service: FileService,
        most: usize,
        blocks: &[u64],
        sync: Option<(Kind, u64)>,
        seed: u64,
    ) -> General {
        let asked = Asked {
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
        General::new(asked, &regions, Budget { bytes, ios: u64::MAX, wraps: false })
    }

    /// One at a time: O opens, C closes, s syncs, the rest are writes.
    fn line(mut general: General) -> String {
        let mut out = String::new();
        let mut said = |general: &mut General, op: Option<Op>| {
            for door in general.doors() {
                out += &match door {
                    Door::Open(file) => format!("O{file} "),
                    Door::Close(file) => format!("C{file} "),
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
            general.landed(&ops[0]);
        }
        general.close_doors();
        said(&mut general, None);
        out
    }

    /// The lines are what strace shows of fio 3.33 with the same jobs.
    #[test]
    fn files_are_opened_served_and_closed_in_fios_order() {
        let turn = FileService::RoundRobin;
        assert_eq!(
            line(writes(turn(1), 2, &[2; 4], None, 1)),
            "O0 0:0 O1 1:0 0:1 1:1 C0 C1 O2 2:0 O3 3:0 2:1 3:1 C2 C3 "
        );
        assert_eq!(
            line(writes(turn(1), 2, &[2, 3, 3, 5], None, 1)),
            "O0 0:0 O1 1:0 0:1 1:1 C0 1:2 O2 2:0 C1 2:1 O3 3:0 2:2 3:1 C2 3:2 3:3 3:4 C3 "
        );
        assert_eq!(
            line(writes(turn(4), 2, &[6; 4], None, 1)),
            "O0 0:0 0:1 0:2 0:3 O1 1:0 1:1 1:2 1:3 0:4 0:5 C0 1:4 1:5 C1 O2 2:0 2:1 2:2 2:3 O3 3:0 3:1 3:2 3:3 2:4 2:5 C2 3:4 3:5 C3 "
        );
        assert_eq!(
            line(writes(FileService::Sequential, 2, &[2; 3], None, 1)),
            "O0 0:0 0:1 C0 O1 1:0 1:1 C1 O2 2:0 2:1 C2 "
        );
        assert_eq!(
            line(writes(turn(2), 2, &[4; 4], Some((Kind::Fsync, 3)), 1)),
            "O0 0:0 0:1 O1 1:0 s1 0:2 0:3 1:1 s1 C0 1:2 1:3 O2 2:0 s2 C1 2:1 2:2 O3 3:0 s3 2:3 C2 3:1 3:2 s3 3:3 C3 "
        );
        assert_eq!(
            line(writes(turn(1), 0, &[4; 4], Some((Kind::Fsync, 3)), 1)),
            "0:0 1:0 2:0 s3 0:1 1:1 2:1 s3 0:2 1:2 2:2 s3 0:3 1:3 2:3 s3 3:0 3:1 3:2 s3 3:3 "
        );
    }

    proptest! {
        /// Whatever lands when: never more files open than allowed, I/O to open files only, none closed under I/O, and
        /// every block once.
        #[test]
        fn no_more_files_are_open_than_allowed(most in 1usize..6, blocks in proptest::collection::vec(1u64..9, 2..40),
            service in 0u8..3, batch in 1usize..9, depth in 1usize..24, seed: u64) {
            let service = match service { 0 => FileService::RoundRobin(2), 1 => FileService::Random(1), _ => FileService::Sequential };
            let mut general = writes(service, most, &blocks, None, seed);
            let (mut flying, mut open, mut seen) = (Vec::<(u32, u64)>::new(), std::collections::BTreeSet::new(), Vec::new());
            let mut dice = crate::pattern::random(seed, 99);
            loop {
                let mut ops = vec![Op::NONE; batch.min(depth - flying.len())];
                let n = general.fill(&mut ops);
                for door in general.doors() {
                    match door {
                        Door::Open(file) => prop_assert!(open.insert(file)),
                        Door::Close(file) => {
                            prop_assert!(flying.iter().all(|f| f.0 != file) && open.remove(&file));
                        }
                    }
                    prop_assert!(open.len() <= most.min(blocks.len()));
                }
                for op in &ops[..n] {
                    prop_assert!(most >= blocks.len() || open.contains(&op.file));
                    flying.push((op.file, op.offset));
                    seen.push((op.file, op.offset / 4 / K));
                }
                if flying.is_empty() {
                    prop_assert!(n == 0 && !general.blocked());
                    break;
                }
                if flying.len() == depth || n == 0 || dice.next_u64().is_multiple_of(2) {
                    let at = below(dice.next_u64(), flying.len() as u64) as usize;
                    let (file, offset) = flying.swap_remove(at);
                    general.landed(&Op { file, offset, ..Op::NONE });
                }
            }
            seen.sort_unstable();
            let all: Vec<_> = blocks.iter().enumerate().flat_map(|(f, n)| (0..*n).map(move |b| (f as u32, b))).collect();
            prop_assert_eq!(seen, all);
        }
    }

    /// fio goes on in a file that is used up from its beginning, where a law says which file is next.
    #[test]
    fn with_a_law_files_have_no_end() {
        let law = Law::Zipf { theta: 1.2, center: Some(0.5) };
        let text = line(writes(FileService::Law(law), 0, &[4; 16], None, 1));
        let hot: Vec<&str> = text.split_whitespace().filter(|w| w.starts_with("8:")).collect();
        assert!(hot.len() > 40 && hot[..5] == ["8:0", "8:1", "8:2", "8:3", "8:0"], "{text}");
        assert_eq!(text.split_whitespace().count(), 64);
    }
}
