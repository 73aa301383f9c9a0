//! The bench of a study: it measures cells, keeps every point, spends the budget, and repeats what is stored when a
//! study goes on. What it decides depends on points alone, so a study that is resumed decides the same.

use run::Watch;
use stats::converge::{self, StopRule};
use stats::failure::Failure;
use stats::pauses::SlowStretches;
use stats::study::{
    Access, Cell, Counted, Ended, Estimate, PercentileIntervals, Point, Question, Study, Trend,
};
use stats::{Claim, DirectionOutcome, Grade, Histogram, Latency, RunResult, Series, Window};
use std::time::Duration;

/// Result of measuring one cell once.
pub struct Measurement {
    /// Result of the run.
    pub result: RunResult,
    /// Whether the stop rule ended it.
    pub satisfied: bool,
    /// Start, milliseconds.
    pub began_ms: u64,
    /// Wall time, seconds, including layout and the checks before the run.
    pub wall_s: f64,
    /// State of the targets afterwards, for [`Runner::restore`].
    pub state: Vec<f64>,
}

/// Measures cells for a study.
pub trait Runner {
    /// Loads a cell until `stop` says that it is enough, or for `most`.
    fn measure(
        &mut self,
        cell: &Cell,
        seed: u64,
        most: Duration,
        stop: StopRule,
    ) -> Result<Measurement, Failure>;
    /// Waits until the target is idle; returns the seconds that it took.
    fn rest(&mut self, target: usize) -> f64;
    /// Waits until this time, milliseconds on the clock of [`Measurement::began_ms`].
    fn wait(&mut self, until_ms: u64);
    /// Sets the targets to the state in which a stored point left them.
    fn restore(&mut self, state: &[f64]);
    /// Whether a signal asked for an early end.
    fn interrupted(&self) -> bool;
    /// Reports that another question begins, with the seconds left of the budget.
    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64);
}

/// Keeps the points of a study as they are measured.
pub trait Journal {
    /// Stores a point; it is on stable storage when this returns.
    fn add(&mut self, point: &Point);
}

/// Journal that keeps nothing.
pub struct NoJournal;

impl Journal for NoJournal {
    fn add(&mut self, _: &Point) {}
}

/// Receives the progress of a study.
pub trait Progress: Watch {
    /// Another question begins, with the seconds left of the budget.
    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64);
}

/// Why work on a question stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum StopReason {
    /// The time of the question is used up.
    Budget,
    /// An answer needs so many seconds more.
    Needs(f64),
    /// A signal asked for an early end.
    Interrupted,
    /// A run failed, or its result cannot be used.
    Failed(Failure),
}

impl StopReason {
    /// Returns the reason for a point that did not measure the device.
    pub(super) fn not_the_device(point: usize) -> StopReason {
        StopReason::Failed(Failure::NotTheDevice { point: point as u32 })
    }
}

/// The bench.
pub struct Bench<'a> {
    /// The study so far.
    pub study: Study,
    /// Points of it that were used: all of them but when it is resumed.
    used: usize,
    /// Seconds of the budget that are spent, by the points' own account.
    pub spent_s: f64,
    /// What is asked now.
    pub question: Question,
    /// Until when this question may spend.
    pub until_s: f64,
    /// The study began here: points that are older were of another level of the device.
    anew: usize,
    runner: &'a mut dyn Runner,
    journal: &'a mut dyn Journal,
    restored: bool,
}

/// Pauses that a visit should hold, of a target that pauses.
const PAUSES: f64 = 5.0;
/// Shortest time of a point, seconds.
pub const LEAST_S: f64 = 0.4;

impl<'a> Bench<'a> {
    /// For a study whose points, if it has any, were measured before.
    pub fn new(study: Study, runner: &'a mut dyn Runner, journal: &'a mut dyn Journal) -> Self {
        Bench {
            study,
            used: 0,
            spent_s: 0.0,
            question: Question::Depth,
            until_s: 0.0,
            anew: 0,
            runner,
            journal,
            restored: false,
        }
    }

    /// Points that were measured from here on count; those before were of another level.
    pub fn begin_anew(&mut self) {
        self.anew = self.used;
    }

    /// Seconds that the question has left.
    pub fn left_s(&self) -> f64 {
        self.until_s - self.spent_s
    }

    /// Visits a cell until its 99 % interval is `within_percent` wide on either side, for `least_s` at least and
    /// `most_s` at most: its number. Where nothing comes through for as long as that, it is visited once more: a pause
    /// counts, but is no rate that an answer could rest on.
    pub fn visit(
        &mut self,
        cell: &Cell,
        within_percent: f64,
        seconds: (f64, f64),
    ) -> Result<usize, StopReason> {
        self.visit_after(cell, 0.0, within_percent, seconds)
    }

    /// The same after `warm_up_s` of load that do not count.
    pub fn visit_after(
        &mut self,
        cell: &Cell,
        warm_up_s: f64,
        within_percent: f64,
        seconds: (f64, f64),
    ) -> Result<usize, StopReason> {
        let at = self.once(cell, warm_up_s, within_percent, seconds)?;
        if self.point(at).iops.value > 0.0 {
            return Ok(at);
        }
        let next = self.once(cell, warm_up_s, within_percent, seconds)?;
        if self.point(next).iops.value > 0.0 {
            return Ok(next);
        }
        Err(StopReason::Failed(Failure::NothingTwice { points: [at, next].map(|n| n as u32) }))
    }

    fn once(
        &mut self,
        cell: &Cell,
        warm_up_s: f64,
        within_percent: f64,
        (least_s, most_s): (f64, f64),
    ) -> Result<usize, StopReason> {
        let warm_up_s = warm_up_s.max(self.slowest_s(cell).min(most_s / 2.0));
        // Asked of stored points too: where the study had no time left it has none when it goes on.
        let left = self.left_s() - warm_up_s - self.drain_s(cell);
        if left < LEAST_S {
            return Err(StopReason::Budget);
        }
        if let Some(stored) = self.study.points.get(self.used) {
            if stored.cell != *cell {
                return Err(StopReason::Failed(Failure::AnotherPath { point: self.used as u32 }));
            }
            self.spent_s += stored.rest_s + stored.seconds;
            // Its interval may know already what later points saw.
            let before = self.slow(cell);
            know(&mut self.study.points[self.used], &before);
            self.used += 1;
            self.hindsight();
            return Ok(self.used - 1);
        }
        if self.runner.interrupted() {
            return Err(StopReason::Interrupted);
        }
        self.restore();
        let ordinal = self.used as u32;
        let rest_s = self.runner.rest(cell.target);
        let most_s = most_s.min(left).max(LEAST_S);
        let before = self.slow(cell);
        let least_s = least_s.max(PAUSES * between_pauses_s(&before)).min(most_s);
        let mixed = self.study.asked.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let seed = (mixed >> 34).wrapping_add(u64::from(ordinal) * 7919 + 1);
        let stop = StopRule::new(within_percent, (least_s.max(LEAST_S) * 1e9) as u64)
            .after((warm_up_s * 1e9) as u64);
        let stop = stop.knowing(before);
        let measured = self
            .runner
            .measure(cell, seed, Duration::from_secs_f64(most_s), stop)
            .map_err(StopReason::Failed)?;
        let completed = measured.result.layers.app_ios.iter().any(|ios| *ios > 0);
        let point = point(ordinal, self.question, cell, rest_s, measured, &before);
        if point.ended == Ended::Interrupted {
            return Err(StopReason::Interrupted);
        }
        if !completed && point.iops.value == 0.0 {
            return Err(StopReason::Failed(Failure::NothingCompleted));
        }
        self.journal.add(&point);
        self.spent_s += point.rest_s + point.seconds;
        self.study.points.push(point);
        self.used += 1;
        self.hindsight();
        Ok(self.used - 1)
    }

    /// Slow stretches of the target, by the points so far.
    fn slow(&self, cell: &Cell) -> SlowStretches {
        let mine = self.level_points().iter().filter(|p| p.cell.target == cell.target);
        mine.map(slow_of).fold(SlowStretches::default(), |sum, one| sum.and(&one))
    }

    /// What the last point saw of slow stretches holds for the others, too: those that saw none know their rate no better.
    fn hindsight(&mut self) {
        let last = &self.study.points[self.used - 1];
        if slow_of(last).count == 0 {
            return;
        }
        let target = last.cell.target;
        let mine: Vec<usize> =
            (self.anew..self.used).filter(|n| self.study.points[*n].cell.target == target).collect();
        let slow: Vec<SlowStretches> = mine.iter().map(|n| slow_of(&self.study.points[*n])).collect();
        for at in &mine {
            let others = mine.iter().zip(&slow).filter(|(n, _)| *n != at);
            let others = others.fold(SlowStretches::default(), |sum, (_, one)| sum.and(one));
            know(&mut self.study.points[*at], &others);
        }
    }

    /// Seconds of the slowest I/O that was alone: a load begins with all I/Os fresh, and is what it will be when the slow ones
    /// among them have come round.
    fn slowest_s(&self, cell: &Cell) -> f64 {
        let seen = &self.study.points[..self.used];
        let alone = seen.iter().filter(|p| {
            p.cell.target == cell.target && p.cell.access == cell.access && p.cell.in_flight() == 1
        });
        alone.map(|p| p.max_ns as f64 / 1e9).fold(0.0, f64::max)
    }

    /// Seconds that the I/Os in flight at the end of a visit will take, by the latency of its last one or else of the
    /// target's: a disk may need many seconds for thirty-two large blocks, and the budget holds with them.
    fn drain_s(&self, cell: &Cell) -> f64 {
        let bytes = |c: &Cell| u64::from(c.in_flight()) as f64 * c.access.bs as f64;
        let seen = &self.study.points[..self.used];
        let last =
            seen.iter().rfind(|p| p.cell == *cell).or(seen.iter().rfind(|p| p.cell.target == cell.target));
        last.map_or(0.0, |p| p.mean_ns / 1e9 * (bytes(cell) / bytes(&p.cell)).max(1.0))
    }

    /// Waits until this moment, unless what comes then is stored already.
    pub fn wait(&mut self, until_ms: u64) {
        if self.used < self.study.points.len() {
            return;
        }
        self.restore();
        self.runner.wait(until_ms);
    }

    /// The targets as the last stored point left them, once.
    fn restore(&mut self) {
        if let Some(last) = self.study.points.last().filter(|_| !self.restored) {
            self.runner.restore(&last.state.clone());
        }
        self.restored = true;
    }

    /// The point of this number.
    pub fn point(&self, at: usize) -> &Point {
        &self.study.points[at]
    }

    /// All visits of the cell since the last [`Bench::begin_anew`], as one.
    pub fn seen(&self, cell: &Cell) -> Option<Estimate> {
        let (rates, seconds): (Vec<Estimate>, Vec<f64>) =
            self.visits(cell).map(|p| (p.iops, p.seconds - p.cut_s)).unzip();
        converge::pooled(&rates, &seconds)
    }

    /// The visits of the cell since the last [`Bench::begin_anew`].
    pub fn visits(&self, cell: &Cell) -> impl Iterator<Item = &Point> {
        self.study.points[self.anew..self.used].iter().filter(move |p| p.cell == *cell)
    }

    /// The points from number `from` on, up to the last that was used: one that is stored and whose turn has not come
    /// must not decide.
    pub fn since(&self, from: usize) -> &[Point] {
        &self.study.points[from..self.used]
    }

    /// The points since the last [`Bench::begin_anew`].
    pub fn level_points(&self) -> &[Point] {
        &self.study.points[self.anew..self.used]
    }

    /// How many points were used.
    pub fn used(&self) -> usize {
        self.used
    }

    /// When a load left one rate for another: the study's clock at the beginning of the last visit that is nearer the one, and
    /// at the end of the first after it, seconds, for the change may lie within either. `None` where it was not seen at both.
    pub fn left_at(&self, cell: &Cell, before: f64, now: f64) -> Option<(f64, f64)> {
        let far = |p: &Point, rate: f64| (p.iops.value / rate).ln().abs();
        let (mut clock_s, mut visits) = (0.0, Vec::new());
        for p in &self.study.points[..self.used] {
            let begin_s = clock_s + p.rest_s;
            clock_s = begin_s + p.seconds;
            if p.cell == *cell && !worthless(p) {
                visits.push((far(p, before) < far(p, now), begin_s, clock_s));
            }
        }
        let last = visits.iter().rposition(|(old, ..)| *old)?;
        Some((visits[last].1, visits.get(last + 1)?.2))
    }

    /// Says that a question begins.
    pub fn asks(&mut self, target: usize, access: &Access, left_s: f64) {
        self.runner.question(self.question, access, &self.study.targets[target].name, left_s);
    }

    /// Whether a signal asked for the end.
    pub fn interrupted(&self) -> bool {
        self.runner.interrupted()
    }
}

/// Seconds from one pause to the next; 0 where pauses do not matter. A visit that happens to have none would look well known
/// at once.
fn between_pauses_s(slow: &SlowStretches) -> f64 {
    const MATTERS: f64 = 0.01;
    let (count, lost_s) = slow.pauses;
    if count > 0 && lost_s > MATTERS * slow.seconds { slow.seconds / count as f64 } else { 0.0 }
}

/// Slow stretches of a point; a rate that moves has no usual one. A visit that begins or ends with a pause looks like a step
/// to nothing, and were it left out, the pauses would be counted short.
pub(super) fn slow_of(point: &Point) -> SlowStretches {
    const PAUSED: f64 = 0.1;
    let counts = match point.trend {
        Trend::Level => true,
        Trend::Steps { before, after, .. } => before.min(after) < PAUSED * before.max(after),
        _ => false,
    };
    if counts { SlowStretches::of(&point.series) } else { SlowStretches::default() }
}

/// Gives a point the interval that it has where such slow stretches were seen at other times.
fn know(point: &mut Point, others: &SlowStretches) {
    if let Some((level, ..)) = converge::settle_knowing(&point.series, others)
        && point.iops.value > 0.0
    {
        point.iops = level.estimate().times(per_write(&point.cell));
    }
}

/// A commit counts as one I/O; the rate over time is that of the writes.
fn per_write(cell: &Cell) -> f64 {
    let sync = cell.access.sync.filter(|_| cell.access.commits());
    1.0 / sync.map_or(1.0, |sync| sync.every as f64)
}

/// A result as a point.
fn point(
    ordinal: u32,
    question: Question,
    cell: &Cell,
    rest_s: f64,
    measured: Measurement,
    before: &SlowStretches,
) -> Point {
    let Measurement { result, satisfied, began_ms, wall_s, state } = measured;
    let series = result.series.first().map(|(_, s)| s.clone()).unwrap_or_default();
    let settled = converge::settle_knowing(&series, before);
    let each = per_write(cell);
    // What completed while it was warming up, or after its time, is in no rate. Without any window all there is counts.
    let whole = series.windows.iter().fold(Window::default(), |sum, w| sum.plus(w));
    let runtime_s = result.jobs.iter().map(|j| j.runtime_ms).max().unwrap_or(0) as f64 / 1e3;
    let (measured, bytes) = match series.windows.is_empty() {
        true => (
            Counted { ios: result.layers.app_ios.iter().sum(), seconds: runtime_s.max(1e-3) },
            result.layers.app_bytes.iter().sum(),
        ),
        false => (Counted::of(&series.windows), whole.bytes.iter().sum::<u64>()),
    };
    let ios = (measured.ios as f64 * each).round() as u64;
    // So few windows have no interval: what there is stands between nothing and twice as much.
    let plain = measured.rate();
    let (iops, counted, cut_s, trend) = settled.map_or(
        (Estimate { value: plain, low: 0.0, high: 2.0 * plain }, measured, 0.0, Trend::Level),
        |(l, cut, trend)| (l.estimate(), l.counted, cut, trend),
    );
    let iops = iops.times(each);
    let mut latencies = Histogram::default();
    let (mut nanos, mut n, mut max_ns) = (0u128, 0u64, 0);
    for lat in of_cell(&result, cell) {
        latencies.merge(&lat.histogram);
        nanos += lat.moments.sum;
        n += lat.moments.n;
        max_ns = max_ns.max(lat.moments.max());
    }
    // A percentile that fewer than ten I/Os exceed is an anecdote.
    let quantile = |percent: f64| {
        let above = latencies.count() as f64 * (1.0 - percent / 100.0);
        latencies.quantile(percent).filter(|_| above >= 10.0 || percent <= 50.0)
    };
    let (mut lengths, mut squares) = (0.0, 0.0);
    for moments in of_cell(&result, &Cell { rate: None, ..cell.clone() }).iter().map(|lat| &lat.moments) {
        lengths += moments.sum as f64;
        squares += moments.squares as f64;
    }
    let varied = if n > 0 { (squares * n as f64 / lengths.powi(2).max(1.0) - 1.0).max(0.0) } else { 0.0 };
    let independent = converge::independent(&series, n, varied);
    let between = |percent: f64| latencies.interval(percent, independent);
    let tails =
        PercentileIntervals { independent, p50: between(50.0), p99: between(99.0), p999: between(99.9) };
    let top = result.layers.top_devices().first().map(|d| (*d).clone());
    let wall_ms = result.layers.wall_ms.max(1) as f64;
    let requests = top.as_ref().map(|d| d.ios[0] + d.ios[1]).unwrap_or(0);
    // A point is short by design, and its interval says what that costs.
    let findings: Vec<_> = result
        .findings
        .into_iter()
        .filter(|f| !matches!(f.claim, Claim::TooShort { .. } | Claim::Unsteady { .. }))
        .collect();
    let seconds = measured.seconds;
    Point {
        ordinal,
        question,
        cell: cell.clone(),
        began_ms,
        rest_s: rest_s + (wall_s - seconds).max(0.0),
        seconds,
        cut_s,
        iops,
        counted,
        bytes_per_second: iops.value * bytes as f64 / ios.max(1) as f64,
        slices: settled.map_or(0, |(l, ..)| l.slices as u32),
        correlation: settled.map_or(0.0, |(l, ..)| l.correlation),
        mean_ns: if n > 0 { nanos as f64 / n as f64 } else { 0.0 },
        max_ns,
        p50_ns: quantile(50.0),
        p99_ns: quantile(99.0),
        p999_ns: quantile(99.9),
        tails,
        util_percent: top.as_ref().map(|d| d.util_percent),
        await_ms: top
            .as_ref()
            .filter(|_| requests > 0)
            .map(|d| (d.ticks_ms[0] + d.ticks_ms[1]) as f64 / requests as f64),
        queue: top.as_ref().map(|d| d.in_queue_ms as f64 / wall_ms),
        cpu_percent: result.layers.busiest_thread_percent,
        ios,
        bytes,
        ended: match result.provenance.ended_by_signal {
            Some(_) => Ended::Interrupted,
            None if satisfied => Ended::Enough,
            None => Ended::TimeUp,
        },
        trend,
        grade: stats::grade_of(&findings),
        findings,
        series,
        latencies: if question == Question::Slo { latencies } else { Histogram::default() },
        state,
    }
}

/// The latencies that a point of this cell is about: those of commits, or of I/Os; where arrivals have a schedule, since
/// they were due.
fn of_cell<'a>(result: &'a RunResult, cell: &Cell) -> Vec<&'a Latency> {
    let of_ios = |d: &'a DirectionOutcome| if cell.rate.is_some() { &d.scheduled } else { &d.lat };
    if cell.access.commits() {
        result.jobs.iter().map(|j| &j.commit).collect()
    } else {
        result.jobs.iter().flat_map(|j| &j.directions).map(of_ios).collect()
    }
}

/// Whether the CPU was what kept this point back, not the device.
pub fn generator_bound(point: &Point) -> bool {
    const BUSY_PERCENT: f64 = 85.0;
    // Who hardly needs a processor does not miss what others took of it.
    const MISSED_PERCENT: f64 = 50.0;
    point.cpu_percent >= BUSY_PERCENT
        || rationed(point)
        || point.findings.iter().any(|f| match f.claim {
            Claim::Generator { .. } => true,
            Claim::CpuTakenAway { .. } => point.cpu_percent >= MISSED_PERCENT,
            _ => false,
        })
}

/// Whether a quota of processor time held the generator back: more jobs would get no more of it.
pub fn rationed(point: &Point) -> bool {
    const HELD_PERCENT: u64 = 5;
    let wall_ms = (point.seconds * 1e3) as u64;
    let held = |c: &Claim| matches!(c, Claim::CpuTakenAway { throttled_ms, .. } if throttled_ms * 100 > HELD_PERCENT * wall_ms);
    point.findings.iter().any(|f| held(&f.claim))
}

/// Whether nothing can be said from this point.
pub fn worthless(point: &Point) -> bool {
    point.grade == Grade::NotTheDevice
}

/// Nothing is shown, and the series alone ends the run.
pub struct Until<'a> {
    /// The rule.
    pub stop: StopRule,
    /// It said so.
    pub satisfied: bool,
    /// Who else watches.
    pub watch: &'a mut dyn Watch,
}

impl Watch for Until<'_> {
    fn notice(&mut self, notice: run::Notice) {
        self.watch.notice(notice);
    }

    fn look(&mut self, live: &stats::Live) {
        self.watch.look(live);
    }

    fn interval(&self) -> Duration {
        self.watch.interval()
    }

    fn enough(&mut self, series: &Series) -> bool {
        self.satisfied |= self.stop.enough(series);
        self.satisfied
    }
}
