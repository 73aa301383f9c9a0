//! Profile of a trace of I/O: mix, sizes, order, working set and arrivals.

use crate::Direction;
use crate::moments::Moments;
use crate::working_set::WorkingSet;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Largest number of different sizes that are counted one by one.
const SIZES: usize = 1 << 16;
/// Largest number of sizes in a profile.
const SHOWN_SIZES: usize = 256;
/// Number of ranges of the histogram of offsets.
const OFFSET_RANGES: usize = 1024;
/// Longest time between two I/Os, nanoseconds (36 years): the squares of all times then fit into their sum.
const LONGEST_GAP: u64 = 1 << 60;
/// Largest number of I/Os in flight that are followed.
const IN_FLIGHT: usize = 1 << 20;

/// Format of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceFormat {
    /// fio's text, version 2.
    Iolog2,
    /// fio's text, version 3.
    Iolog3,
    /// Binary events of blktrace.
    Blktrace,
    /// Text of the MSR Cambridge collection.
    Msr,
    /// Text of the Alibaba block traces.
    Alibaba,
    /// Text of the Tencent CBS collection.
    Tencent,
    /// Text of the SYSTOR '17 collection.
    Systor,
}

impl TraceFormat {
    /// Returns the columns of a text with commas; empty for the other formats.
    pub fn columns(self) -> &'static str {
        match self {
            TraceFormat::Iolog2 | TraceFormat::Iolog3 | TraceFormat::Blktrace => "",
            TraceFormat::Msr => "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime",
            TraceFormat::Alibaba => "device_id,opcode,offset,length,timestamp",
            TraceFormat::Tencent => "Timestamp,Offset,Size,IOType,VolumeID",
            TraceFormat::Systor => "Timestamp,Response,IOType,LUN,Offset,Size",
        }
    }
}

/// Read, write or trim of a trace.
#[derive(Clone, Copy, Debug)]
pub struct TraceIo {
    /// Time since the start of the trace in nanoseconds; not below that of the I/O before.
    pub nanos: u64,
    /// Direction.
    pub direction: Direction,
    /// Number of the file.
    pub file: u32,
    /// Offset in bytes.
    pub offset: u64,
    /// Length in bytes, above 0.
    pub length: u32,
    /// Time from the issue to the completion in nanoseconds, if the trace has it.
    pub response: Option<u64>,
}

/// I/Os of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeCount {
    /// Size in bytes.
    pub bytes: u32,
    /// Number of reads, writes and trims.
    pub ios: [u64; 3],
}

/// Profile of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceProfile {
    /// Format.
    pub format: TraceFormat,
    /// Names of the files or volumes with I/Os, at most 16.
    pub files: Vec<String>,
    /// Number of files or volumes.
    pub file_count: u64,
    /// Number of reads, writes and trims.
    pub ios: [u64; 3],
    /// Bytes of reads, writes and trims.
    pub bytes: [u64; 3],
    /// Number of syncs.
    pub syncs: u64,
    /// Time from the first to the last I/O in nanoseconds.
    pub duration_ns: u64,
    /// The 256 most frequent sizes, the most frequent first.
    pub sizes: Vec<SizeCount>,
    /// Number of I/Os of all other sizes.
    pub other_sizes: u64,
    /// Number of reads, writes and trims that began where the one before of the same direction and file ended.
    pub sequential: [u64; 3],
    /// Number of reads, writes and trims that had one of the same direction and file before them.
    pub successors: [u64; 3],
    /// Number of distinct blocks of 4 KiB that were read or written.
    pub working_set_blocks: u64,
    /// Whether this number is exact; otherwise it has a standard error of 0.8 %.
    pub working_set_exact: bool,
    /// Largest end of an I/O in a file, bytes.
    pub end: u64,
    /// Shares of all reads and writes in each tenth of the bytes from 0 to `end`.
    pub tenths: [f64; 10],
    /// Mean rate in I/Os per second; `None` for a duration of 0.
    pub rate: Option<f64>,
    /// Largest number of I/Os in a second, counted from the first I/O.
    pub peak_rate: u64,
    /// Standard deviation of the times between I/Os divided by their mean: 0 for a fixed rate, 1 for a Poisson process;
    /// `None` for a duration of 0.
    pub arrival_variation: Option<f64>,
    /// Mean and largest number of I/Os in flight, if the trace has response times.
    pub in_flight: Option<(f64, u64)>,
}

impl TraceProfile {
    /// Returns the number of reads, writes and trims.
    pub fn total_ios(&self) -> u64 {
        self.ios.iter().sum()
    }

    /// Returns the share of sequential I/Os of reads, writes and trims; 0 without I/Os.
    pub fn sequential_share(&self) -> [f64; 3] {
        std::array::from_fn(|i| self.sequential[i] as f64 / self.successors[i].max(1) as f64)
    }
}

/// Accumulator of a [`TraceProfile`]. Memory: the working set (64 MiB at most), 65536 sizes, three offsets per file and
/// the I/Os in flight.
#[derive(Debug, Default)]
pub struct TraceProfiler {
    ios: [u64; 3],
    bytes: [u64; 3],
    syncs: u64,
    sizes: HashMap<u32, [u64; 3]>,
    other_sizes: u64,
    sequential: [u64; 3],
    successors: [u64; 3],
    /// End of the last I/O of each direction in each file.
    ends: Vec<[Option<u64>; 3]>,
    working_set: WorkingSet,
    end: u64,
    offsets: OffsetRanges,
    first: Option<u64>,
    last: u64,
    /// Times between I/Os, nanoseconds.
    gaps: Moments,
    second: u64,
    in_second: u64,
    peak: u64,
    /// Sum of response times, ends of the I/Os in flight, and their largest number.
    responses: Option<u128>,
    in_flight: BinaryHeap<Reverse<u64>>,
    most_in_flight: u64,
}

impl TraceProfiler {
    /// Adds an I/O.
    pub fn add(&mut self, io: &TraceIo) {
        let (at, length) = (io.direction as usize, u64::from(io.length));
        self.ios[at] += 1;
        self.bytes[at] = self.bytes[at].saturating_add(length);
        let room = self.sizes.len() < SIZES;
        match self.sizes.get_mut(&io.length) {
            Some(ios) => ios[at] += 1,
            None if room => {
                let mut ios = [0; 3];
                ios[at] = 1;
                self.sizes.insert(io.length, ios);
            }
            None => self.other_sizes += 1,
        }
        let file = io.file as usize;
        if self.ends.len() <= file {
            self.ends.resize(file + 1, [None; 3]);
        }
        let end = io.offset + length;
        if let Some(before) = self.ends[file][at].replace(end) {
            self.successors[at] += 1;
            self.sequential[at] += u64::from(before == io.offset);
        }
        self.end = self.end.max(end);
        if io.direction != Direction::Trim {
            self.working_set.add(io.file, io.offset, length);
            self.offsets.add(io.offset);
        }
        self.arrive(io);
    }

    /// Adds a sync.
    pub fn add_sync(&mut self) {
        self.syncs += 1;
    }

    fn arrive(&mut self, io: &TraceIo) {
        if self.first.is_some() {
            self.gaps.record((io.nanos - self.last).min(LONGEST_GAP), 1);
        }
        let first = *self.first.get_or_insert(io.nanos);
        self.last = io.nanos;
        let second = (io.nanos - first) / 1_000_000_000;
        if second != self.second {
            (self.second, self.in_second) = (second, 0);
        }
        self.in_second += 1;
        self.peak = self.peak.max(self.in_second);
        if let Some(response) = io.response {
            *self.responses.get_or_insert(0) += u128::from(response);
            while self.in_flight.peek().is_some_and(|end| end.0 <= io.nanos) {
                self.in_flight.pop();
            }
            if self.in_flight.len() < IN_FLIGHT {
                self.in_flight.push(Reverse(io.nanos.saturating_add(response)));
            }
            self.most_in_flight = self.most_in_flight.max(self.in_flight.len() as u64);
        }
    }

    /// Returns the profile. `files` are the names of all files or volumes.
    pub fn finish(self, format: TraceFormat, files: &[String]) -> TraceProfile {
        let duration = self.last - self.first.unwrap_or(0);
        let mut sizes: Vec<SizeCount> =
            self.sizes.iter().map(|(bytes, ios)| SizeCount { bytes: *bytes, ios: *ios }).collect();
        sizes.sort_by_key(|size| (Reverse(size.ios.iter().sum::<u64>()), size.bytes));
        let shown = sizes.len().min(SHOWN_SIZES);
        let rest = sizes.split_off(shown).iter().map(|size| size.ios.iter().sum::<u64>()).sum::<u64>();
        let (working_set_blocks, working_set_exact) = self.working_set.blocks();
        let timed = duration > 0;
        let seconds = duration as f64 / 1e9;
        TraceProfile {
            format,
            files: files.iter().take(16).cloned().collect(),
            file_count: files.len() as u64,
            ios: self.ios,
            bytes: self.bytes,
            syncs: self.syncs,
            duration_ns: duration,
            sizes,
            other_sizes: self.other_sizes + rest,
            sequential: self.sequential,
            successors: self.successors,
            working_set_blocks,
            working_set_exact,
            end: self.end,
            tenths: self.offsets.tenths(self.end),
            // The rate of the arrivals after the first.
            rate: timed.then(|| self.gaps.n as f64 / seconds),
            peak_rate: self.peak,
            arrival_variation: timed.then(|| self.gaps.varied().sqrt()),
            in_flight: self
                .responses
                .filter(|_| timed)
                .map(|sum| (sum as f64 / duration as f64, self.most_in_flight)),
        }
    }
}

/// Histogram of offsets with ranges of equal width, which doubles when an offset is beyond the last range.
#[derive(Debug)]
struct OffsetRanges {
    ios: Vec<u64>,
    width: u64,
}

impl Default for OffsetRanges {
    fn default() -> Self {
        Self { ios: vec![0; OFFSET_RANGES], width: 512 }
    }
}

impl OffsetRanges {
    fn add(&mut self, offset: u64) {
        while offset / self.width >= OFFSET_RANGES as u64 {
            let doubled = |i: usize| self.ios.get(2 * i..2 * i + 2).map_or(0, |pair| pair.iter().sum());
            self.ios = (0..OFFSET_RANGES).map(doubled).collect();
            self.width *= 2;
        }
        self.ios[(offset / self.width) as usize] += 1;
    }

    /// Returns the share of each tenth of `end` bytes; I/Os of a range are spread evenly over it.
    fn tenths(&self, end: u64) -> [f64; 10] {
        let mut tenths = [0.0; 10];
        let all = self.ios.iter().sum::<u64>() as f64;
        let tenth = end as f64 / 10.0;
        for (i, ios) in self.ios.iter().enumerate().filter(|(_, ios)| **ios > 0) {
            let from = (i as u64 * self.width) as f64;
            let to = (from + self.width as f64).min(end as f64);
            for (n, share) in tenths.iter_mut().enumerate() {
                let (low, high) = (n as f64 * tenth, (n + 1) as f64 * tenth);
                let common = (to.min(high) - from.max(low)).max(0.0);
                *share += common / (to - from) * *ios as f64 / all;
            }
        }
        tenths
    }
}
