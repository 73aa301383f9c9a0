//! Steps that write: the write curve with its recovery, and reads of written and discarded data.

use super::CharacterizePart;
use super::device::{Bench, DEPTH};
use super::places::Places;
use super::reads::SMALL;
use engine::Kind;
use stats::characterize::EarlyEnd;
use stats::characterize::regions::{self, Discarded};
use stats::characterize::writes::{self, Recovery, WriteCurve, WriteStep};

/// Largest block of a write in bytes.
const BLOCK: u64 = 256 << 10;
/// Blocks of a part of the curve: whole rounds of the operations in flight.
const PER_PART: u64 = 2 * DEPTH as u64;
/// Parts that are written in one stream.
const STREAM: u64 = 32;
/// Largest number of parts of the curve.
const PARTS: u64 = 1 << 16;
/// Reads of written and of discarded data, each.
pub const READS: usize = 128;
/// Largest discarded region in bytes.
const DISCARD: u64 = 1 << 30;

/// Returns the block size in bytes of writes with a budget of `bytes` bytes.
pub fn block(bytes: u64) -> u64 {
    (bytes / 2048 / 4096 * 4096).clamp(4096, BLOCK)
}

/// Bytes that are left for writes, and the place of the next one.
struct Writer<'a> {
    bench: &'a mut Bench,
    size: u64,
    at: u64,
    left: u64,
}

impl Writer<'_> {
    /// Writes `parts` parts of `unit` bytes and returns their times in nanoseconds, fewer at the end of the budget.
    fn parts(&mut self, parts: u64, unit: u64, block: u64) -> (Vec<f64>, Result<(), EarlyEnd>) {
        if self.at + unit > self.size {
            self.at = 0;
        }
        // In one stream, so that the device does not rest between the parts.
        let parts = parts.min(self.left / unit).min((self.size - self.at) / unit);
        let mut last = self.bench.now();
        let ends = match self.bench.stream(Kind::Write, (self.at, parts * unit), block as u32, DEPTH) {
            Err(end) => return (Vec::new(), Err(end)),
            Ok(ends) => ends,
        };
        let mut nanos = Vec::new();
        for part in ends.chunks((unit / block) as usize) {
            let end = part.last().copied().unwrap_or(last);
            nanos.push(end.saturating_sub(last).max(1) as f64);
            last = end;
        }
        self.at += parts * unit;
        self.left -= parts * unit;
        (nanos, Ok(()))
    }
}

/// Writes `budget` bytes in order, then, if the rate fell, bursts after pauses of at most `longest` seconds, which write at
/// most as much again. What was measured until an early end is stored in `curve`.
pub(super) fn curve(
    bench: &mut Bench,
    (size, budget): (u64, u64),
    longest: f64,
    curve: &mut Option<WriteCurve>,
) -> Result<(), EarlyEnd> {
    let block = block(budget);
    let small = block * PER_PART;
    let unit = small * (budget / small).div_ceil(PARTS).max(1);
    let mut writer = Writer { bench, size: size / unit * unit, at: 0, left: budget };
    let (mut nanos, count) = (Vec::new(), budget / unit);
    while (nanos.len() as u64) < count {
        writer.bench.part(CharacterizePart::Writes, nanos.len() as f64 / count as f64);
        let (more, end) = writer.parts(STREAM, unit, block);
        let ended = more.is_empty();
        nanos.extend(more);
        if let Err(end) = end {
            *curve = writes::curve(&nanos, unit);
            return Err(end);
        }
        if ended {
            break;
        }
    }
    *curve = writes::curve(&nanos, unit);
    let Some(result) = curve else { return Ok(()) };
    let Some(step) = result.step else { return Ok(()) };
    writer.left = budget;
    let mut recovery: Vec<Recovery> = Vec::new();
    while let Some(idle_s) = writes::next_pause(&step, &recovery, longest) {
        writer.bench.part(CharacterizePart::Recovery, idle_s / longest.max(idle_s));
        writer.bench.idle(idle_s)?;
        let (burst, end) = burst(&mut writer, &step, small, block);
        let whole = end.is_ok() && burst.len() > 16;
        if whole {
            recovery.push(Recovery { idle_s, bytes: writes::recovered(&burst, small, &step) });
        }
        result.recovery.clone_from(&recovery);
        end?;
        if !whole {
            break;
        }
    }
    result.recovery.sort_by(|a, b| a.idle_s.total_cmp(&b.idle_s));
    result.cache = writes::kind(&step, &result.recovery);
    Ok(())
}

/// Writes until the rate has fallen again, and returns the times of the parts.
fn burst(
    writer: &mut Writer<'_>,
    step: &WriteStep,
    unit: u64,
    block: u64,
) -> (Vec<f64>, Result<(), EarlyEnd>) {
    const TAIL: usize = 16;
    let slow = unit as f64 * 1e9 / (step.before.value * step.after.value).sqrt().max(1.0);
    let most = (1.3 * step.bytes.high / unit as f64) as usize + 4 * TAIL;
    // Long streams: between two of them the device rests for the time of a write.
    let stream = ((step.bytes.value / unit as f64) as u64 / 16).clamp(4, STREAM);
    let mut nanos: Vec<f64> = Vec::new();
    while nanos.len() < most {
        let (more, end) = writer.parts(stream, unit, block);
        let ended = more.is_empty();
        nanos.extend(more);
        if end.is_err() || ended {
            return (nanos, end);
        }
        let last = &nanos[nanos.len().saturating_sub(TAIL)..];
        let slow_parts = last.iter().filter(|time| **time > slow).count();
        if last.len() == TAIL && slow_parts * 10 >= TAIL * 9 {
            break;
        }
    }
    (nanos, Ok(()))
}

/// Reads written data, and data of a region that is discarded; `None` if the device cannot discard.
pub(super) fn discarded(
    bench: &mut Bench,
    (size, budget): (u64, u64),
    places: &mut Places,
) -> Result<Option<Discarded>, EarlyEnd> {
    bench.part(CharacterizePart::Discarded, 0.0);
    // The written part is followed by the discarded one, or loses its end.
    let region = DISCARD.min(budget / 4) / 4096 * 4096;
    let end = budget.min(size);
    let from = (end - region) / 4096 * 4096;
    if !bench.discard(from, region)? {
        return Ok(None);
    }
    let (mut written, mut empty) = (Vec::new(), Vec::new());
    for _ in 0..READS {
        written.push(bench.read(places.offset(0, from - u64::from(SMALL)), SMALL)?);
        empty.push(bench.read(places.offset(from, end - u64::from(SMALL)), SMALL)?);
    }
    Ok(regions::discarded(&written, &empty))
}
