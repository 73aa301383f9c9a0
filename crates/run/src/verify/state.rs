//! The saved state of a job that writes verified data (`verify_state_save`, `verify_state_load`), in the file format of
//! fio 3.33: version, size and checksum of the rest; number of the last completed writes, queue depth, number of files,
//! number of writes, index of the job; the state of fio's generator; the job's name; and for each file the places of
//! its last completed writes, the latest first.

use super::checksum::crc32c;
use engine::Op;
use std::collections::VecDeque;

const VERSION: u64 = 3;
/// Bytes before the part that the checksum covers.
const HEAD: usize = 24;
/// Bytes of the covered part before the list of completed writes.
const FIXED: usize = 152;
/// Position of the generator's state in the covered part, and of the job's name.
const GENERATOR: usize = 32;
const NAME: usize = 88;
/// Largest name in bytes; the field ends with a zero byte.
const NAME_MOST: usize = 63;
/// Marks a state that fathom saved, in the field of the generator's state.
const OURS: u64 = u64::from_le_bytes(*b"fathom\0\x01");

/// Reason why a state file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateFault {
    /// The file is too short, or has another version.
    Header,
    /// The checksum is wrong, or the lengths contradict each other.
    Content,
}

/// State of one job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Name of the job.
    pub name: String,
    /// Index of the job's clone in the run.
    pub index: u64,
    /// Queue depth.
    pub depth: u32,
    /// Number of writes that were issued.
    pub writes: u64,
    /// Offsets of the last completed writes to each file, the latest first; at most `depth` per file.
    pub completed: Vec<VecDeque<u64>>,
    /// Number that the run drew; `None` if fio saved the state.
    pub run: Option<u32>,
}

impl State {
    /// Returns the state before any write.
    pub fn new(name: &str, index: usize, depth: u32, files: usize, run: Option<u32>) -> Self {
        let completed = vec![VecDeque::new(); files];
        Self { name: name.to_owned(), index: index as u64, depth, writes: 0, completed, run }
    }

    /// Returns the name of the state file of a clone; `index` is its position in the run.
    pub fn file_name(job: &str, index: usize) -> String {
        format!("local-{}-{index}-verify.state", job.replace('/', "."))
    }

    /// Records a completed write.
    pub fn complete(&mut self, op: &Op) {
        let depth = self.depth as usize;
        if let Some(list) = self.completed.get_mut(op.file as usize) {
            list.push_front(op.offset);
            list.truncate(depth);
        }
    }

    /// Returns whether the write with this number, from 0, had completed: of the last writes, only those are known.
    pub fn covers(&self, number: u64, file: u32, offset: u64) -> bool {
        let certain = self.writes.saturating_sub(u64::from(self.depth));
        let listed = || self.completed.get(file as usize).is_some_and(|list| list.contains(&offset));
        number < certain || number < self.writes && listed()
    }

    /// Returns the state as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let entries = self.depth as usize * self.completed.len();
        let mut body = vec![0; FIXED];
        body[0..8].copy_from_slice(&(entries as u64).to_le_bytes());
        body[8..12].copy_from_slice(&self.depth.to_le_bytes());
        body[12..16].copy_from_slice(&(self.completed.len() as u32).to_le_bytes());
        body[16..24].copy_from_slice(&self.writes.to_le_bytes());
        body[24..32].copy_from_slice(&self.index.to_le_bytes());
        if let Some(run) = self.run {
            body[GENERATOR + 8..GENERATOR + 16].copy_from_slice(&OURS.to_le_bytes());
            body[GENERATOR + 16..GENERATOR + 20].copy_from_slice(&run.to_le_bytes());
        }
        let name = &self.name.as_bytes()[..self.name.len().min(NAME_MOST)];
        body[NAME..NAME + name.len()].copy_from_slice(name);
        for (file, list) in self.completed.iter().enumerate() {
            for at in 0..self.depth as usize {
                body.extend_from_slice(&(file as u64).to_le_bytes());
                body.extend_from_slice(&list.get(at).copied().unwrap_or(0).to_le_bytes());
            }
        }
        let mut bytes = Vec::with_capacity(HEAD + body.len());
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&u64::from(crc32c(&body)).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Returns whether a file begins with the header of a state.
    pub fn begins(start: &[u8]) -> bool {
        let word = |at: usize| {
            start.get(at..at + 8).map(|bytes| u64::from_le_bytes(std::array::from_fn(|i| bytes[i])))
        };
        // The checksum has 32 bits.
        word(0) == Some(VERSION)
            && word(8).is_some_and(|size| size >= FIXED as u64)
            && word(16).is_some_and(|crc| crc <= u64::from(u32::MAX))
    }

    /// Reads a state file.
    ///
    /// # Errors
    /// The file is not one, or is damaged.
    pub fn read(bytes: &[u8]) -> Result<State, StateFault> {
        let word = |at: usize| {
            let bytes = bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.map(u64::from_le_bytes).ok_or(StateFault::Header)
        };
        let (version, size, crc) = (word(0)?, word(8)?, word(16)?);
        if version != VERSION {
            return Err(StateFault::Header);
        }
        let size = usize::try_from(size).map_err(|_| StateFault::Content)?;
        let body = HEAD.checked_add(size).and_then(|end| bytes.get(HEAD..end)).ok_or(StateFault::Content)?;
        if body.len() < FIXED || u64::from(crc32c(body)) != crc {
            return Err(StateFault::Content);
        }
        let u64_at = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| body[at + i]));
        let u32_at = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| body[at + i]));
        let (entries, depth, files) = (u64_at(0), u32_at(8), u32_at(12) as usize);
        let list = body[FIXED..].as_chunks::<16>().0;
        if entries != list.len() as u64 || files > list.len().max(1) || depth == 0 {
            return Err(StateFault::Content);
        }
        let mut completed = vec![VecDeque::new(); files];
        for (number, entry) in list.iter().enumerate() {
            let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| entry[at + i]));
            let (file, offset) = (usize::try_from(word(0)).unwrap_or(usize::MAX), word(8));
            // The list of a file is filled up with zeros; its first entry is always one.
            let filler = offset == 0 && number > 0 && list[number - 1][..8] == entry[..8];
            if let Some(list) = completed.get_mut(file).filter(|_| !filler) {
                list.push_back(offset);
            }
        }
        let name = &body[NAME..NAME + NAME_MOST];
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(NAME_MOST);
        let ours = u64_at(GENERATOR + 8) == OURS;
        Ok(State {
            name: String::from_utf8_lossy(&name[..end]).into_owned(),
            index: u64_at(24),
            depth,
            writes: u64_at(16),
            completed,
            run: ours.then(|| u32_at(GENERATOR + 16)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_state_reads_back(
            name in "[a-z]{1,60}",
            lists in prop::collection::vec(prop::collection::vec_deque(1u64..1 << 40, 1..6), 1..4),
            writes: u64,
            run in prop::option::of(any::<u32>()),
            cut in 0usize..400,
            flip in 24usize..400,
        ) {
            let state = State { name, index: 3, depth: 6, writes, completed: lists, run };
            let bytes = state.to_bytes();
            prop_assert_eq!(State::read(&bytes), Ok(state));
            prop_assert!(cut >= bytes.len() || State::read(&bytes[..cut]).is_err());
            let mut damaged = bytes.clone();
            let at = flip % (bytes.len() - 24) + 24;
            damaged[at] ^= 1;
            prop_assert_eq!(State::read(&damaged), Err(StateFault::Content));
        }
    }

    /// The state of fio 3.33 after `--size=64k --bs=4k --rw=write --verify=crc32c --iodepth=4 --ioengine=libaio`.
    #[test]
    fn a_state_of_fio_is_read() {
        let mut state = State {
            name: "a".into(),
            index: 0,
            depth: 4,
            writes: 16,
            completed: vec![[0xf000, 0xe000, 0xd000, 0xc000].into()],
            run: None,
        };
        let mut bytes = state.to_bytes();
        // The checksum that fio stored.
        assert_eq!(bytes[16..20], [0xf4, 0xdc, 0xbb, 0x4c]);
        assert_eq!(State::read(&bytes), Ok(state.clone()));
        state.run = Some(7);
        bytes = state.to_bytes();
        assert_eq!(State::read(&bytes).map(|state| state.run), Ok(Some(7)));
    }
}
