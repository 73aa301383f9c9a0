//! Stages of a test, and the next step of a stage.

use super::super::demand::{PtsOperatingPoint, operating_points};
use super::super::load::{PtsBlock, PtsLoad};
use super::super::sample::{PtsPhase, PtsPlace, PtsPoint, PtsSample};
use super::super::time_course::{PRECONDITION_ROUND, PtsPreconditioning, PtsSaturation};
use super::super::window::{PtsQuantity, PtsSteady};
use super::{MINUTE_S, PtsExtent, PtsOrder, PtsProtocol, PtsStep, is_cache, is_purge};

/// End of a stage of continuous writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PtsUntil {
    /// A number of minutes.
    Minutes(u32),
    /// Steady state of one minute of each 30-minute round, or a number of rounds.
    Steady {
        /// Whether the last minute of a round is its sample, not the first.
        last: bool,
        /// Largest number of rounds.
        most: u32,
    },
    /// Rules of the write saturation test, with the largest number of minutes.
    Saturated(u32),
}

/// What a stage does.
#[derive(Clone, Debug, PartialEq)]
pub enum PtsStageKind {
    /// Purge.
    Purge,
    /// Write cache.
    Cache,
    /// Sequential writes over the active range.
    Fill {
        /// Block size, bytes.
        block: u64,
        /// Number of passes.
        passes: u32,
        /// Number of pieces of a pass.
        pieces: u32,
    },
    /// Rounds of cells until steady state.
    Rounds {
        /// Minutes of a load before the cells of each round.
        before: Option<(PtsLoad, u32)>,
        /// Cells in the order of measurement, one minute each.
        cells: Vec<PtsLoad>,
        /// Tracked variables.
        tracked: Vec<(PtsLoad, PtsQuantity)>,
        /// Largest number of rounds.
        most: u32,
        /// Half-width of the interval at which they end before steady state, percent.
        early: Option<f64>,
    },
    /// Loads on equal slices of the device, one minute each.
    Slices {
        /// Number of slices.
        count: u32,
        /// Size of a slice, bytes.
        slice_bytes: u64,
        /// Loads of a slice.
        cells: Vec<PtsLoad>,
    },
    /// One load, minute by minute.
    Continuous {
        /// Purpose.
        phase: PtsPhase,
        /// Load.
        load: PtsLoad,
        /// End.
        until: PtsUntil,
        /// Idle time before the first minute, seconds.
        idle_s: f64,
    },
    /// Bursts with idle times between them.
    Bursts {
        /// Load.
        load: PtsLoad,
        /// Number of bursts.
        count: u32,
        /// Duration of a burst, seconds.
        burst_s: f64,
        /// Idle time after a burst, seconds.
        wait_s: f64,
    },
    /// One measurement with all latencies.
    Histogram {
        /// Load.
        load: PtsLoad,
        /// Duration, minutes.
        minutes: u32,
    },
    /// Writes and histogram at the operating point with the number of the part.
    Operating {
        /// Load of the writes, whose demand is replaced by that of the point.
        writes: PtsLoad,
        /// Minutes of the writes.
        write_minutes: u32,
        /// Minutes of the histogram.
        minutes: u32,
    },
}

/// A stage of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct PtsStage {
    /// Part of the test.
    pub part: u32,
    /// What it does.
    pub kind: PtsStageKind,
}

impl PtsStage {
    /// Returns the phase of the samples of the stage; `None` for a purge or the write cache.
    pub fn phase(&self) -> Option<PtsPhase> {
        match &self.kind {
            PtsStageKind::Purge | PtsStageKind::Cache => None,
            PtsStageKind::Fill { .. } => Some(PtsPhase::Fill),
            PtsStageKind::Rounds { .. } => Some(PtsPhase::Round),
            PtsStageKind::Slices { .. } => Some(PtsPhase::Slice),
            PtsStageKind::Continuous { phase, .. } => Some(*phase),
            PtsStageKind::Bursts { .. } => Some(PtsPhase::Burst),
            PtsStageKind::Histogram { .. } | PtsStageKind::Operating { .. } => Some(PtsPhase::Histogram),
        }
    }

    /// Returns the loads of the stage.
    pub fn loads(&self) -> Vec<PtsLoad> {
        match &self.kind {
            PtsStageKind::Purge | PtsStageKind::Cache => Vec::new(),
            PtsStageKind::Fill { block, .. } => vec![fill_load(*block)],
            PtsStageKind::Rounds { before, cells, .. } => {
                before.iter().map(|(load, _)| *load).chain(cells.iter().copied()).collect()
            }
            PtsStageKind::Slices { cells, .. } => cells.clone(),
            PtsStageKind::Continuous { load, .. }
            | PtsStageKind::Bursts { load, .. }
            | PtsStageKind::Histogram { load, .. } => vec![*load],
            PtsStageKind::Operating { writes, .. } => vec![*writes],
        }
    }

    /// Returns whether a completed step belongs to the stage. Purges and cache settings are counted by
    /// [`PtsStage::next`].
    pub fn has(&self, point: &PtsPoint) -> bool {
        match &self.kind {
            PtsStageKind::Purge => return is_purge(point),
            PtsStageKind::Cache => return is_cache(point),
            _ => {}
        }
        let Some(sample) = point.sample() else { return false };
        let place = sample.place;
        let phase = match self.kind {
            PtsStageKind::Rounds { .. } => matches!(place.phase, PtsPhase::Round | PtsPhase::PreWrite),
            PtsStageKind::Operating { .. } => {
                matches!(place.phase, PtsPhase::OperatingWrites | PtsPhase::Histogram)
            }
            _ => self.phase() == Some(place.phase),
        };
        phase && place.part == self.part
    }

    /// Returns the next step of the stage; `None` if it is complete. `mine` are the completed steps of the stage, `all`
    /// those of the test.
    pub fn next(&self, protocol: &PtsProtocol, mine: &[&PtsPoint], all: &[&PtsPoint]) -> Option<PtsStep> {
        let samples: Vec<&PtsSample> = mine.iter().filter_map(|point| point.sample()).collect();
        let order = |phase, round, cell, load: PtsLoad, extent| {
            PtsStep::Measure(PtsOrder {
                place: PtsPlace { phase, part: self.part, round, cell },
                load,
                extent,
                idle_s: 0.0,
                start: protocol.continued(all, &load, self.part),
                base: 0,
                range: protocol.range,
            })
        };
        let minute = PtsExtent::Seconds(protocol.scaled(MINUTE_S));
        let done = samples.len() as u32;
        match &self.kind {
            // Each part has a purge of its own.
            PtsStageKind::Purge => (mine.len() as u32 <= self.part).then_some(PtsStep::Purge),
            PtsStageKind::Cache => (mine.len() as u32 <= self.part).then_some(PtsStep::SetCache),
            PtsStageKind::Fill { block, passes, pieces } => {
                let (pass, piece) = (done / pieces, done % pieces);
                let at = |piece: u32| protocol.range / u64::from(*pieces) * u64::from(piece) / block * block;
                let end = if piece + 1 == *pieces { protocol.range / block * block } else { at(piece + 1) };
                let step = PtsOrder {
                    place: PtsPlace { phase: PtsPhase::Fill, part: self.part, round: pass + 1, cell: piece },
                    load: fill_load(*block),
                    extent: PtsExtent::Bytes(end - at(piece)),
                    idle_s: 0.0,
                    start: at(piece),
                    base: 0,
                    range: protocol.range,
                };
                (pass < *passes).then_some(PtsStep::Measure(step))
            }
            PtsStageKind::Rounds { before, cells, tracked, most, early } => {
                let cell_count = cells.len().max(1) as u32;
                let in_rounds = samples.iter().filter(|s| s.place.phase == PtsPhase::Round).count() as u32;
                let (rounds, cell) = (in_rounds / cell_count, in_rounds % cell_count);
                if cell == 0 && (rounds >= *most || steady(&samples, tracked).or_early(*early).ended()) {
                    return None;
                }
                if let Some((load, minutes)) = before {
                    let written = done - in_rounds;
                    let now = written.saturating_sub(rounds * minutes);
                    if cell == 0 && now < *minutes {
                        return Some(order(PtsPhase::PreWrite, rounds + 1, now, *load, minute));
                    }
                }
                let load = cells.get(cell as usize)?;
                Some(order(PtsPhase::Round, rounds + 1, cell, *load, minute))
            }
            PtsStageKind::Slices { count, slice_bytes, cells } => {
                let cell_count = cells.len() as u32;
                let (slice, cell) = (done.checked_div(cell_count)?, done % cell_count.max(1));
                let load = cells.get(cell as usize).filter(|_| slice < *count)?;
                Some(PtsStep::Measure(PtsOrder {
                    place: PtsPlace { phase: PtsPhase::Slice, part: self.part, round: slice + 1, cell },
                    load: *load,
                    extent: minute,
                    idle_s: 0.0,
                    start: 0,
                    base: u64::from(slice) * slice_bytes,
                    range: *slice_bytes,
                }))
            }
            PtsStageKind::Continuous { phase, load, until, idle_s } => {
                let over = match until {
                    PtsUntil::Minutes(minutes) => done >= *minutes,
                    PtsUntil::Steady { last, most } => {
                        let at = if *last { 0 } else { 1 };
                        done >= most * PRECONDITION_ROUND
                            || done % PRECONDITION_ROUND == at
                                && PtsPreconditioning::of(&samples, *last).steady.met()
                    }
                    PtsUntil::Saturated(most) => {
                        PtsSaturation::of(&samples, protocol.capacity, *most).ended.is_some()
                    }
                };
                let PtsStep::Measure(mut step) = order(*phase, done + 1, 0, *load, minute) else {
                    return None;
                };
                step.idle_s = if done == 0 { protocol.scaled(*idle_s) } else { 0.0 };
                (!over).then_some(PtsStep::Measure(step))
            }
            PtsStageKind::Bursts { load, count, burst_s, wait_s } => {
                let extent = PtsExtent::Seconds(protocol.scaled(*burst_s));
                let PtsStep::Measure(mut step) = order(PtsPhase::Burst, done + 1, 0, *load, extent) else {
                    return None;
                };
                // The first burst of a wait state follows its predecessor without an idle time.
                step.idle_s = if done == 0 { 0.0 } else { protocol.scaled(*wait_s) };
                (done < *count).then_some(PtsStep::Measure(step))
            }
            PtsStageKind::Histogram { load, minutes } => {
                let extent = PtsExtent::Seconds(protocol.scaled(f64::from(*minutes) * MINUTE_S));
                (done == 0).then(|| order(PtsPhase::Histogram, 1, 0, *load, extent))
            }
            PtsStageKind::Operating { writes, write_minutes, minutes } => {
                if samples.iter().any(|s| s.place.phase == PtsPhase::Histogram) {
                    return None;
                }
                let everything: Vec<&PtsSample> = all.iter().filter_map(|p| p.sample()).collect();
                let (points, _) = operating_points(&protocol.matrix(&everything, 0).cells);
                let at = points.get(self.part as usize)?.load;
                if done < *write_minutes {
                    let load = PtsLoad { threads: at.threads, depth: at.depth, ..*writes };
                    return Some(order(PtsPhase::OperatingWrites, done + 1, 0, load, minute));
                }
                let extent = PtsExtent::Seconds(protocol.scaled(f64::from(*minutes) * MINUTE_S));
                Some(order(PtsPhase::Histogram, 1, 0, at, extent))
            }
        }
    }

    /// Returns the minutes of I/O that the stage has at least and at most, without fills, and its waits in seconds.
    pub fn minutes(&self) -> (f64, f64, f64) {
        match &self.kind {
            PtsStageKind::Purge | PtsStageKind::Cache | PtsStageKind::Fill { .. } => (0.0, 0.0, 0.0),
            PtsStageKind::Rounds { before, cells, most, .. } => {
                let round = cells.len() as f64 + before.map_or(0.0, |(_, minutes)| f64::from(minutes));
                (round * f64::from(5.min(*most)), round * f64::from(*most), 0.0)
            }
            PtsStageKind::Slices { count, cells, .. } => {
                let minutes = f64::from(*count) * cells.len() as f64;
                (minutes, minutes, 0.0)
            }
            PtsStageKind::Continuous { until, idle_s, .. } => match until {
                PtsUntil::Minutes(minutes) => (f64::from(*minutes), f64::from(*minutes), *idle_s),
                PtsUntil::Steady { last, most } => {
                    let round = f64::from(PRECONDITION_ROUND);
                    let least = if *last { 5.0 * round } else { 4.0 * round + 1.0 };
                    (least.min(round * f64::from(*most)), round * f64::from(*most), 0.0)
                }
                PtsUntil::Saturated(most) => (0.0, f64::from(*most), 0.0),
            },
            PtsStageKind::Bursts { count, burst_s, wait_s, .. } => {
                let minutes = f64::from(*count) * burst_s / MINUTE_S;
                (minutes, minutes, f64::from(count.saturating_sub(1)) * wait_s)
            }
            PtsStageKind::Histogram { minutes, .. } => (f64::from(*minutes), f64::from(*minutes), 0.0),
            PtsStageKind::Operating { write_minutes, minutes, .. } => {
                let all = f64::from(write_minutes + minutes);
                (all, all, 0.0)
            }
        }
    }

    /// Returns the number of steps of a stage that has a fixed number of them; 0 for rounds, fills and purges.
    pub(in crate::pts) fn steps(&self) -> u32 {
        match &self.kind {
            PtsStageKind::Purge | PtsStageKind::Fill { .. } | PtsStageKind::Rounds { .. } => 0,
            PtsStageKind::Cache | PtsStageKind::Histogram { .. } => 1,
            PtsStageKind::Slices { count, cells, .. } => count * cells.len() as u32,
            PtsStageKind::Continuous { until: PtsUntil::Minutes(minutes), .. } => *minutes,
            PtsStageKind::Continuous { .. } => 0,
            PtsStageKind::Bursts { count, .. } => *count,
            PtsStageKind::Operating { write_minutes, .. } => write_minutes + 1,
        }
    }

    /// Returns the duration of a step of the stage, counted from 0, without the scale, with the idle time before it,
    /// seconds; 0 for a step that has no fixed duration.
    pub(in crate::pts) fn nominal_s(&self, nth: u32) -> f64 {
        match &self.kind {
            PtsStageKind::Purge | PtsStageKind::Cache | PtsStageKind::Fill { .. } => 0.0,
            PtsStageKind::Rounds { .. } | PtsStageKind::Slices { .. } => MINUTE_S,
            PtsStageKind::Continuous { idle_s, .. } => MINUTE_S + if nth == 0 { *idle_s } else { 0.0 },
            PtsStageKind::Bursts { burst_s, wait_s, .. } => burst_s + if nth == 0 { 0.0 } else { *wait_s },
            PtsStageKind::Histogram { minutes, .. } => f64::from(*minutes) * MINUTE_S,
            PtsStageKind::Operating { write_minutes, minutes, .. } => {
                if nth < *write_minutes {
                    MINUTE_S
                } else {
                    f64::from(*minutes) * MINUTE_S
                }
            }
        }
    }

    /// Returns the steady state so far of a stage that requires one, from the completed steps of the stage.
    pub fn steady(&self, mine: &[&PtsPoint]) -> Option<PtsSteady> {
        let samples: Vec<&PtsSample> = mine.iter().filter_map(|point| point.sample()).collect();
        match &self.kind {
            PtsStageKind::Rounds { tracked, early, .. } => Some(steady(&samples, tracked).or_early(*early)),
            PtsStageKind::Continuous { until: PtsUntil::Steady { last, .. }, .. } => {
                Some(PtsPreconditioning::of(&samples, *last).steady)
            }
            PtsStageKind::Continuous { until: PtsUntil::Saturated(most), .. } => {
                Some(PtsSaturation::of(&samples, u64::MAX, *most).steady)
            }
            _ => None,
        }
    }
}

/// Returns the load of a fill: sequential writes with 32 in flight.
fn fill_load(block: u64) -> PtsLoad {
    PtsLoad { random: false, reads: 0, block: PtsBlock::Bytes(block), threads: 1, depth: 32 }
}

/// Returns the steady state of the tracked variables in these samples of rounds.
fn steady(samples: &[&PtsSample], tracked: &[(PtsLoad, PtsQuantity)]) -> PtsSteady {
    PtsSteady::of(tracked.iter().map(|(load, quantity)| {
        let mine = samples.iter().filter(|s| s.place.phase == PtsPhase::Round && s.load == *load);
        (*load, *quantity, mine.map(|s| quantity.of(s)).collect())
    }))
}

/// Returns the number of operating points.
pub(super) fn operating_parts() -> std::ops::Range<u32> {
    0..PtsOperatingPoint::ALL.len() as u32
}
