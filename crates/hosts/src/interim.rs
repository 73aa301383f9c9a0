//! The result so far, which an agent sends once a second so that the figures of a lost host survive.
//!
//! It is small: the offsets of the I/Os, which only the complete result needs, are left out, the rate over time is coarser, the
//! histograms, most of a result, are written as distances and counts of a few bits each, and all is compressed. The coordinator keeps the
//! text as it came, and reads it only if the host is lost: it would otherwise read a thousand of them each second.

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use serde::{Deserialize, Serialize};
use stats::{Histogram, RunResult};
use std::io::{Read, Write};

/// Largest number of windows for each phase.
const WINDOWS: usize = 64;
/// Largest length of what is compressed, bytes.
const LONGEST: u64 = 256 << 20;

/// Result so far: base64 of the compressed form of the length of the rest as JSON (four bytes, lowest first), the rest as JSON,
/// and the histograms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Interim(String);

impl Interim {
    /// Returns the result in this form; `None` if it cannot be written.
    pub(crate) fn of(mut result: RunResult) -> Option<Interim> {
        for job in &mut result.jobs {
            job.offsets.clear();
        }
        for (_, series) in &mut result.series {
            *series = series.merged(series.windows.len().div_ceil(WINDOWS));
        }
        let mut numbers = Vec::new();
        for histogram in histograms(&mut result) {
            let buckets: Vec<(usize, u64)> = std::mem::take(histogram).into();
            put(&mut numbers, buckets.len() as u64);
            let mut last = 0;
            for (bucket, _) in &buckets {
                put(&mut numbers, (bucket - last) as u64);
                last = *bucket;
            }
            buckets.iter().for_each(|(_, count)| put(&mut numbers, *count));
        }
        let rest = serde_json::to_vec(&result).ok()?;
        let mut out = DeflateEncoder::new(Vec::new(), Compression::default());
        out.write_all(&(rest.len() as u32).to_le_bytes()).ok()?;
        out.write_all(&rest).ok()?;
        out.write_all(&numbers).ok()?;
        Some(Interim(STANDARD.encode(out.finish().ok()?)))
    }

    /// Returns the result; `None` if the text is not in this form.
    pub(crate) fn read(&self) -> Option<RunResult> {
        let mut all = Vec::new();
        let packed = STANDARD.decode(&self.0).ok()?;
        DeflateDecoder::new(packed.as_slice()).take(LONGEST).read_to_end(&mut all).ok()?;
        let (length, all) = all.split_first_chunk::<4>()?;
        let (rest, mut numbers) = all.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let mut result: RunResult = serde_json::from_slice(rest).ok()?;
        for histogram in histograms(&mut result) {
            let count = take(&mut numbers)?;
            let mut buckets = Vec::new();
            let mut last = 0usize;
            for _ in 0..count {
                last = last.checked_add(usize::try_from(take(&mut numbers)?).ok()?)?;
                buckets.push((last, 0));
            }
            for (_, count) in &mut buckets {
                *count = take(&mut numbers)?;
            }
            *histogram = Histogram::try_from(buckets).ok()?;
        }
        Some(result)
    }
}

/// Returns the histograms of a result, always in the same order.
fn histograms(result: &mut RunResult) -> impl Iterator<Item = &mut Histogram> {
    result.jobs.iter_mut().flat_map(|job| {
        let flows = job.directions.iter_mut();
        let all = flows.flat_map(|flow| [&mut flow.slat, &mut flow.clat, &mut flow.lat, &mut flow.scheduled]);
        let others = [&mut job.sync, &mut job.commit, &mut job.lateness.delay];
        all.chain(others).map(|latency| &mut latency.histogram)
    })
}

/// Writes a number in groups of seven bits, lowest first; the highest bit of a byte says that another one follows (LEB128).
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(input: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = input.split_first()?;
        *input = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame;
    use crate::message::{Beat, FromAgent};
    use proptest::prelude::*;
    use stats::{DirectionOutcome, JobOutcome, Latency, Series, Window};

    /// Latencies as of a disk and of its cache: two humps, and a tail over three decades with a thousandth of the I/Os.
    fn latency(center_ns: f64, ios: u64) -> Latency {
        let mut latency = Latency::default();
        let mut record = |nanos: f64, count: f64| {
            if count >= 1.0 {
                latency.histogram.record(nanos as u64, count as u64);
                latency.moments.record(nanos as u64, count as u64);
            }
        };
        for step in -400..400 {
            // A normal distribution over the logarithm of the latency, four standard deviations wide.
            let x = f64::from(step) / 100.0;
            let count = (-x * x / 2.0).exp() / 250.66 / 2.0 * ios as f64;
            record(center_ns * (0.15 * x).exp(), count);
            record(8.0 * center_ns * (0.15 * x).exp(), count);
        }
        for step in 0..700 {
            let x = f64::from(step) / 100.0;
            record(8.0 * center_ns * x.exp(), 1e-5 * (-x).exp() * ios as f64 + f64::from(step % 3) * 0.6);
        }
        latency
    }

    /// A run of `jobs` jobs that read and write, with so many I/Os in each direction of each job.
    fn run(jobs: usize, ios: u64) -> RunResult {
        let job = |number: usize| {
            let flow = |center_ns: f64| {
                let (lat, clat, slat) =
                    (latency(center_ns, ios), latency(center_ns - 1500.0, ios), latency(1500.0, ios));
                let n = lat.moments.n;
                let counted =
                    DirectionOutcome { ios: n, bytes: 4096 * n, runtime_ms: 20_000, ..Default::default() };
                DirectionOutcome { slat, clat, lat, ..counted }
            };
            let center_ns = 70_000.0 * (1.0 + 0.01 * number as f64);
            let options = ["rw=randrw", "bs=4k", "ioengine=libaio", "iodepth=16", "filename=/dev/nvme0n1"];
            let options = options.iter().filter_map(|word| word.split_once('='));
            JobOutcome {
                name: "job".into(),
                options: options.map(|(key, value)| (key.into(), value.into())).collect(),
                directions: [flow(center_ns), flow(center_ns / 3.0), DirectionOutcome::default()],
                runtime_ms: 20_000,
                ..JobOutcome::default()
            }
        };
        let mut series = Series::default();
        let window = |at: u64| {
            let ios = [5000 + at * 7919 % 97, 5000 + at * 104_729 % 89, 0];
            Window { nanos: 50_000_000 + at % 13 * 1000, ios, bytes: ios.map(|n| 4096 * n) }
        };
        series.windows = (0..400).map(window).collect();
        RunResult {
            jobs: (0..jobs).map(job).collect(),
            series: vec![(String::new(), series)],
            ..RunResult::default()
        }
    }

    fn length(message: &impl Serialize) -> usize {
        let mut out = Vec::new();
        frame::write(&mut out, message).unwrap();
        out.len()
    }

    /// One frame a second and host has a result of four jobs in less than 20 kB, whatever their rate is.
    #[test]
    fn frame_of_a_usual_job_is_small() {
        for (jobs, ios, most) in
            [(1, 1_000_000, 8_000), (4, 100_000, 20_000), (4, 10_000_000, 20_000), (16, 1_000_000, 64_000)]
        {
            let result = run(jobs, ios);
            let whole = length(&result);
            let beat = Beat { live: None, interim: Interim::of(result) };
            let sent = length(&FromAgent::Beat(Box::new(beat)));
            println!("{jobs} jobs of {ios} I/Os: {sent} bytes, {whole} as JSON");
            assert!(
                sent < most && 8 * sent < whole,
                "{jobs} jobs of {ios} I/Os: {sent} bytes, {whole} as JSON"
            );
        }
    }

    proptest! {
        /// Everything but the offsets and the fine windows arrives; no I/O of the windows is lost.
        #[test]
        fn result_that_was_sent_arrives(
            latencies in prop::collection::vec((any::<u64>(), 1u64..u64::MAX >> 20), 0..200),
            jobs in 0usize..3,
        ) {
            let mut result = run(jobs, 1000);
            for job in &mut result.jobs {
                for (nanos, count) in &latencies {
                    job.directions[2].clat.histogram.record(*nanos, *count);
                    job.sync.histogram.record(nanos / 2, *count);
                }
            }
            let got = Interim::of(result.clone()).unwrap().read().unwrap();
            prop_assert_eq!(&got.jobs, &result.jobs);
            let all = |result: &RunResult| {
                result.series[0].1.windows.iter().fold(Window::default(), |sum, window| sum.plus(window))
            };
            prop_assert_eq!(all(&got), all(&result));
            prop_assert!(got.series[0].1.windows.len() <= WINDOWS);
        }

        /// Damaged text is no result, and no panic.
        #[test]
        fn damaged_text_is_no_result(
            at in any::<prop::sample::Index>(),
            byte in b'0'..b'z',
            cut in any::<prop::sample::Index>(),
        ) {
            let Interim(text) = Interim::of(run(1, 1000)).unwrap();
            let mut bytes = text.into_bytes();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            bytes.truncate(cut.index(bytes.len()));
            let _ = Interim(String::from_utf8(bytes).unwrap()).read();
        }
    }
}
