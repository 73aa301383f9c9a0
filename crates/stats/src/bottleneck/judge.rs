//! Rules: what the loads show about each candidate.

use super::BottleneckEvidence as Evidence;
use super::strays::{Strays, paused_share};
use super::{
    Bottleneck, BottleneckAnswer, BottleneckCard, BottleneckSample, CpuShares, DeviceLoad, JudgedBottleneck,
    LoadChange, LoadShape, RateChange, RateRaise, Standing, Trend,
};
use crate::throttle::{self, IDLE, Throttle, ThrottleSample, ThrottledUnit, quick_product};

/// Share of the time in which a thread runs or waits for a CPU, from which the CPU limits its load.
const RUNS: f64 = 0.9;
/// Share up to which it does not.
const SLEEPS: f64 = 0.75;
/// Share of the time in which the thread waits for a CPU from which others use the CPU.
const WAITS: f64 = 0.25;
/// Share of the time in which the thread waits for a CPU that is enough by itself: more I/Os in flight then only let it
/// issue more each time it runs.
const WAITS_LONG: f64 = 0.4;
/// Share of the time withheld by the hypervisor from which it limits the load.
const STOLEN: f64 = 0.15;
/// Share of the time of all CPUs used by others, with no CPU idle, from which they limit a device whose work CPUs do.
const TAKEN: f64 = 0.4;
/// Share of the time of all CPUs used by others, with no CPU idle, from which the waits for a CPU show in the times of
/// the completions.
const FILLED: f64 = 0.1;
/// Smallest share of the time in which a device that lacks the CPU has requests.
const WORKS: f64 = 0.3;
/// Smallest half-width of the interval of the rate, percent, of a device that now and then lacks the CPU.
const UNSTEADY: f64 = 10.0;
/// Share of the time withheld by a quota from which the quota limits the load.
const WITHHELD: f64 = 0.1;
/// Time per I/O, seconds, above which memory is not what limits a load, if its bandwidth is low as well.
const MEMORY_IO_S: f64 = 1e-3;
/// Bandwidth, bytes per second, below which memory is not what limits a load.
const MEMORY_BYTES_PER_S: f64 = 100e6;
/// Range of the rate, as a share of a cap, within which the cap limits: the kernel permits whole I/Os per slice.
const AT_CAP: std::ops::RangeInclusive<f64> = 0.93..=1.04;
/// Time in seconds whose I/Os a cap permits at once at the start of a load: the kernel's slice.
const SLICE_S: f64 = 0.1;
/// Smallest share of a cap that the load in question reaches if the cap limits it.
const NEAR_CAP: f64 = 0.75;
/// Share of the requests that the queue can hold from which it is full.
const FULL: f64 = 0.8;
/// Ratio of the I/Os in flight to the requests at the device from which I/Os wait above the device.
const WAITING: f64 = 1.25;
/// Share of the I/Os in flight that are at the device from which no layer above holds them back.
const ARRIVED: f64 = 0.7;
/// Requests at the device for each I/O of the load from which they are split.
const SPLIT: f64 = 1.25;
/// I/O schedulers that leave the device idle at times, or hold requests back from it. The requests that they hold count
/// as requests at the device.
const IDLING: [&str; 2] = ["bfq", "kyber"];
/// Share of the capacity of the link from which the link limits.
const LINK: f64 = 0.85;
/// Largest dispersion of a throttle, as a share of that of the service times: below it a device with such service times
/// is in less than 1 of 100,000 runs.
const EVENED: f64 = 0.25;
/// Largest dispersion of the completions of a throttle that only loads with other numbers of I/Os in flight show.
const LINE: f64 = 0.01;
/// Share of the I/Os that wait for the end of a pause, as a multiple of its share of the time.
const WAITED_OUT: f64 = 2.0;
/// Largest difference between the rates of loads with the same limit, as a share of the rate.
const NEAR: f64 = 0.1;
/// Largest product of the latency of few I/Os and the rate that a device with one server has: of more servers with constant
/// service times, a throttle in front of a faster device looks the same.
const ONE: f64 = 1.1;
/// Ratio of the rates below which more I/Os in flight have slowed the device down.
const FALLEN: f64 = 0.7;
/// Smallest coefficient of variation of the latency of few I/Os that is compared with the evenness of the completions.
const VARIED: f64 = 0.2;
/// Largest coefficient of variation of constant service times.
const CONSTANT: f64 = 0.1;

/// Judges every candidate, and writes the answer to the card.
pub fn judge(card: &mut BottleneckCard) {
    // Loads that an error ended, or that did not reach the target, say nothing about any candidate.
    if card.error.is_some() || card.not_the_target().is_some() {
        card.candidates = Vec::new();
        card.throttle = None;
        card.answer = BottleneckAnswer::CannotTell { left: Vec::new() };
        card.raises = Vec::new();
        return;
    }
    let Some(seen) = Seen::of(card) else { return };
    let mut candidates: Vec<JudgedBottleneck> = Vec::new();
    for candidate in Bottleneck::ALL {
        let shown = candidates.iter().find(|judged| judged.standing == Standing::Shown).map(|j| j.candidate);
        if let Some((standing, evidence)) = seen.candidate(candidate, shown) {
            candidates.push(JudgedBottleneck { candidate, standing, evidence });
        }
    }
    let throttle = seen.throttle.clone();
    let with = |standing: Standing| {
        candidates.iter().filter(move |j| j.standing == standing).map(|j| j.candidate).collect::<Vec<_>>()
    };
    let (shown, possible) = (with(Standing::Shown), with(Standing::Possible));
    let answer = match (shown.first(), possible.as_slice()) {
        (Some(limit), _) => BottleneckAnswer::Named { limit: *limit },
        // That nothing else is left is no evidence of a throttle.
        (None, [limit]) if *limit != Bottleneck::HiddenThrottle => BottleneckAnswer::Named { limit: *limit },
        (None, _) => BottleneckAnswer::CannotTell { left: possible.clone() },
    };
    let raises = match &answer {
        BottleneckAnswer::Named { limit } => seen.raises(*limit),
        BottleneckAnswer::CannotTell { .. } => Vec::new(),
    };
    if let (None, [only], BottleneckAnswer::Named { .. }) = (shown.first(), possible.as_slice(), &answer) {
        for judged in candidates.iter_mut().filter(|judged| judged.candidate == *only) {
            judged.standing = Standing::Shown;
            judged.evidence.insert(0, Evidence::OnlyOneLeft);
        }
    }
    card.throttle = throttle.filter(|_| shown.first() == Some(&Bottleneck::HiddenThrottle));
    card.candidates = candidates;
    card.answer = answer;
    card.raises = raises;
}

/// What the loads show together.
struct Seen<'a> {
    card: &'a BottleneckCard,
    base: &'a BottleneckSample,
    deeper: Option<RateChange>,
    shallower: Option<RateChange>,
    jobs: Option<RateChange>,
    beneath: Option<RateChange>,
    unscheduled: Option<RateChange>,
    /// Throttle that the loads show.
    throttle: Option<Throttle>,
    /// Evenness of the completions of the loads with the rate of the load in question.
    strays: Vec<Strays>,
}

type Judgement = (Standing, Vec<Evidence>);

fn changed(change: &RateChange) -> Vec<Evidence> {
    vec![Evidence::Changed { change: *change }]
}

impl<'a> Seen<'a> {
    fn of(card: &'a BottleneckCard) -> Option<Seen<'a>> {
        let base = card.samples.first()?;
        let of = |change| RateChange::of(&card.samples, change);
        let busy = |sample: &BottleneckSample| {
            sample.cpu.is_some_and(|cpu| cpu.used + cpu.waited >= SLEEPS || cpu.quota >= WITHHELD)
        };
        let samples: Vec<&BottleneckSample> =
            card.samples.iter().filter(|sample| !is_without_layer(&sample.shape) && !busy(sample)).collect();
        Some(Seen {
            base,
            deeper: of(LoadChange::Deeper),
            shallower: of(LoadChange::Shallower),
            jobs: of(LoadChange::MoreJobs),
            beneath: of(LoadChange::Beneath),
            unscheduled: of(LoadChange::Unscheduled),
            throttle: throttle(base, &samples),
            strays: samples
                .iter()
                .filter(|sample| has_limit_of(base, sample))
                .filter_map(|s| Strays::of(s))
                .collect(),
            card,
        })
    }

    /// Returns the standing of a candidate, if it applies to the target. `shown` is a limit of the candidates before it
    /// that is shown.
    fn candidate(&self, candidate: Bottleneck, shown: Option<Bottleneck>) -> Option<Judgement> {
        let host_known = self.card.facts.host_known;
        match candidate {
            Bottleneck::OwnPace => self.base.own_pace.then(|| (Standing::Shown, vec![Evidence::OwnPace])),
            Bottleneck::VisibleThrottle => (host_known && (self.base.device.is_some() || self.has_cap()))
                .then(|| self.visible_throttle()),
            Bottleneck::CpuQuota => self.base.cpu.filter(|_| host_known).map(cpu_quota),
            Bottleneck::CpuContention => {
                self.base.cpu.filter(|_| host_known).map(|cpu| self.cpu_contention(cpu))
            }
            Bottleneck::Memory => self.base.memory.map(|memory| match memory {
                true if self.is_slow_for_memory() => {
                    let each_ns = 1e9 / self.base.rate.value;
                    (Standing::Excluded, vec![Evidence::SlowForMemory { each_ns }])
                }
                true => (Standing::Shown, vec![Evidence::FromMemory]),
                false => (Standing::Excluded, vec![Evidence::NotFromMemory]),
            }),
            Bottleneck::HiddenThrottle => Some(self.hidden_throttle(shown)),
            Bottleneck::QueueDepth => Some(self.queue_depth(shown)),
            Bottleneck::LoadGenerator => Some(self.load_generator(shown)),
            Bottleneck::BlockQueue => self.block_queue(),
            Bottleneck::Scheduler => self.scheduler(shown),
            Bottleneck::FileSystem => self.file_system(shown),
            Bottleneck::Link => self.link(),
            Bottleneck::Medium => Some(self.medium(shown)),
        }
    }

    /// Returns whether memory would have answered far faster than this, so that something else is the limit.
    fn is_slow_for_memory(&self) -> bool {
        let each_s = 1.0 / self.base.rate.value.max(1e-9);
        each_s > MEMORY_IO_S && self.base.bytes_per_second < MEMORY_BYTES_PER_S
    }

    /// Returns the change of the rate with more I/Os in flight, if it rises.
    fn rises_with_depth(&self) -> Option<&RateChange> {
        self.deeper.as_ref().filter(|change| change.trend() == Trend::Rises)
    }

    /// Returns the change of the rate without a layer above the device, if it rises.
    fn rises_without_layer(&self) -> Option<&RateChange> {
        let mut changes = self.beneath.iter().chain(&self.unscheduled);
        changes.find(|change| change.trend() == Trend::Rises)
    }

    fn has_cap(&self) -> bool {
        self.card.samples.iter().any(|sample| sample.cap.is_some())
    }

    fn visible_throttle(&self) -> Judgement {
        // Stalls of a busy machine keep some loads below a limit that others reach.
        let caps = self.card.samples.iter().filter_map(|sample| {
            let cap = sample.cap.clone()?;
            Some((cap, sample))
        });
        let highest = caps.max_by(|(a, _), (b, _)| (a.seen / a.limit).total_cmp(&(b.seen / b.limit)));
        let Some((cap, sample)) = highest else {
            return (Standing::Excluded, vec![Evidence::NoCap]);
        };
        let base = if cap.iops { self.base.rate.value } else { self.base.bytes_per_second } / cap.limit;
        let most = AT_CAP.end() + SLICE_S / sample.seconds.max(SLICE_S);
        let at_cap = (*AT_CAP.start()..=most).contains(&(cap.seen / cap.limit));
        let shallower = sample.shape.block == self.base.shape.block && sample.in_flight < self.base.in_flight;
        // A throttle at the cap is the cap, another one leaves it out of reach.
        let throttle = self.throttle.as_ref().map(|throttle| match throttle.limit {
            ThrottledUnit::Iops { rate } => cap.iops && AT_CAP.contains(&(rate.value / cap.limit)),
            ThrottledUnit::Bytes { rate } => !cap.iops && AT_CAP.contains(&(rate.value / cap.limit)),
            ThrottledUnit::Both { iops, bytes, .. } | ThrottledUnit::Unresolved { iops, bytes } => {
                AT_CAP.contains(&(if cap.iops { iops } else { bytes }.value / cap.limit))
            }
        });
        let evidence = vec![Evidence::Cap { cap }];
        match self.rises_with_depth() {
            Some(change) => (Standing::Excluded, changed(change)),
            // With very many I/Os in flight some kernels stay below the cap that other loads reach.
            None if base < NEAR_CAP && at_cap && shallower => (Standing::Possible, evidence),
            None if base < NEAR_CAP => (Standing::Excluded, evidence),
            None if at_cap || throttle == Some(true) => (Standing::Shown, evidence),
            None if throttle == Some(false) => (Standing::Excluded, evidence),
            None => (Standing::Possible, evidence),
        }
    }

    fn cpu_contention(&self, cpu: CpuShares) -> Judgement {
        let evidence = vec![Evidence::CpuWaited { share: cpu.waited.max(cpu.steal) }];
        let waits = cpu.waited >= WAITS && cpu.used + cpu.waited >= RUNS || cpu.waited >= WAITS_LONG;
        let stolen = cpu.steal >= STOLEN && cpu.used + cpu.waited + cpu.steal >= RUNS;
        // A device that lacks the CPU has requests, and no throttle evens out its rate.
        let works = self.base.device.as_ref().is_some_and(|device| device.busy >= WORKS);
        let unsteady = self.base.rate.half_percent() >= UNSTEADY;
        let starved =
            self.card.facts.on_cpu && cpu.others >= TAKEN && works && unsteady && self.throttle.is_none();
        match cpu.quota < WITHHELD {
            true if waits || stolen => (Standing::Shown, evidence),
            true if starved => (Standing::Shown, vec![Evidence::CpusFull { others: cpu.others }]),
            true if cpu.waited >= WAITS => {
                let asleep = (1.0 - cpu.used - cpu.waited).max(0.0);
                (Standing::Excluded, vec![Evidence::CpuWaitedAsleep { share: cpu.waited, asleep }])
            }
            _ => (Standing::Excluded, evidence),
        }
    }

    fn hidden_throttle(&self, shown: Option<Bottleneck>) -> Judgement {
        if let Some(by) = shown {
            return (Standing::Excluded, vec![Evidence::Explained { by }]);
        }
        if let Some(change) = self.rises_with_depth().or(self.rises_without_layer()) {
            return (Standing::Excluded, changed(change));
        }
        // A throttle permits as much with more I/Os in flight.
        if let Some(change) = self.deeper.as_ref().filter(|change| change.ios.value < FALLEN) {
            return (Standing::Excluded, changed(change));
        }
        if self.throttle.is_some() {
            return (Standing::Shown, vec![Evidence::Throttle]);
        }
        if let Some(used) = self.base.runnable().filter(|share| *share >= RUNS) {
            return (Standing::Excluded, vec![Evidence::CpuUsed { share: used }]);
        }
        if let Some(others) = self.filled_by_others() {
            return (Standing::Possible, vec![Evidence::CpusFull { others }]);
        }
        let light = self.light();
        // A throttle evens out each load that it limits all the time; I/Os in flight close to what the device needs, and
        // stalls, keep some loads below it.
        let varied = light.map(|(_, varied)| varied);
        // Before a light load shows how much the service times vary, a slow device behind a throttle strays as well.
        let uneven = match varied {
            Some(varied) => Strays::like_a_device(&self.strays, varied),
            None => self.base.writes && Strays::stay_at_random(&self.strays),
        };
        if uneven {
            return (Standing::Excluded, vec![Evidence::Uneven]);
        }
        let Some((product, varied)) = light else { return (Standing::Possible, Vec::new()) };
        let evidence = vec![Evidence::InParallel { product }];
        // A disk that sorts more I/Os in flight is more even than one with fewer.
        let base = Strays::of(self.base).map_or(f64::INFINITY, |strays| strays.long);
        let most_even = self.strays.iter().map(|strays| strays.long).fold(f64::INFINITY, f64::min);
        let evened = base < EVENED * varied.powi(2) || most_even < LINE.min(EVENED * varied.powi(2));
        if varied >= VARIED && evened && !self.base.writes {
            (Standing::Shown, vec![Evidence::Throttle])
        } else if varied < CONSTANT && (1.0 / ONE..=ONE).contains(&product) {
            (Standing::Excluded, evidence)
        } else {
            (Standing::Possible, evidence)
        }
    }

    fn light_load(&self) -> Option<&BottleneckSample> {
        self.card.samples.iter().find(|sample| sample.shape.paced)
    }

    /// Returns the share of the CPUs that others use, if they leave none idle: completions then stray for want of a CPU,
    /// behind a throttle as well. The load at a lower rate shows it, because the work for it fills no CPU.
    fn filled_by_others(&self) -> Option<f64> {
        let load = self.light_load().or(self.base.writes.then_some(self.base))?;
        load.cpu.map(|cpu| cpu.others).filter(|others| *others >= FILLED)
    }

    /// Returns the latency of the load at a lower rate multiplied by the rate of the load in question, and the
    /// coefficient of variation of this latency.
    fn light(&self) -> Option<(f64, f64)> {
        let light = self.light_load()?;
        let latency = &light.latency[usize::from(light.writes)];
        // The waits for the end of a pause are no service times.
        let paused = self.card.samples.iter().map(|sample| paused_share(&sample.series)).fold(0.0, f64::max);
        let bound = latency.quantile(100.0 * (1.0 - WAITED_OUT * paused)).filter(|_| paused > 0.0);
        let varied = latency.varied_below(bound.unwrap_or(u64::MAX)).unwrap_or(0.0).sqrt();
        let product = quick_product(light.mean_ns, varied, latency.count() as f64, self.base.rate.value);
        Some((product, varied))
    }

    fn queue_depth(&self, shown: Option<Bottleneck>) -> Judgement {
        if let Some(change) = &self.deeper {
            let standing = match change.trend() {
                Trend::Rises => Standing::Shown,
                Trend::Same | Trend::Falls => Standing::Excluded,
                Trend::Unclear => Standing::Possible,
            };
            return (standing, changed(change));
        }
        match (&self.shallower, shown) {
            (Some(change), _) if change.trend() == Trend::Same => (Standing::Excluded, changed(change)),
            // What looks like a throttle in one load may be chance.
            (_, None | Some(Bottleneck::HiddenThrottle | Bottleneck::VisibleThrottle)) => {
                (Standing::Possible, Vec::new())
            }
            (_, Some(by)) => (Standing::Excluded, vec![Evidence::Explained { by }]),
        }
    }

    fn load_generator(&self, shown: Option<Bottleneck>) -> Judgement {
        let Some(share) = self.base.runnable() else {
            return match shown {
                Some(by) => (Standing::Excluded, vec![Evidence::Explained { by }]),
                None => (Standing::Possible, vec![Evidence::CpuUnknown]),
            };
        };
        let mut evidence = vec![Evidence::CpuUsed { share }];
        if share < SLEEPS {
            return (Standing::Excluded, evidence);
        }
        evidence.extend(self.jobs.iter().map(|change| Evidence::Changed { change: *change }));
        let trend = self.jobs.map(|change| change.trend());
        match (shown, trend) {
            (Some(by), _) => (Standing::Excluded, vec![Evidence::Explained { by }]),
            _ if share >= RUNS => (Standing::Shown, evidence),
            (None, Some(Trend::Rises)) => (Standing::Shown, evidence),
            (None, Some(Trend::Same | Trend::Falls)) => (Standing::Excluded, evidence),
            (None, _) => (Standing::Possible, evidence),
        }
    }

    fn block_queue(&self) -> Option<Judgement> {
        let (device, slots) = (self.base.device.as_ref()?, self.card.facts.slots?);
        let (queue, in_flight) = (device.queue, self.base.in_flight);
        let evidence = Evidence::Queue { device: device.name.clone(), queue, slots, in_flight };
        if queue < FULL * slots as f64 || in_flight < WAITING * queue {
            return Some((Standing::Excluded, vec![evidence]));
        }
        let mut all = vec![evidence];
        all.extend(self.shallower.iter().map(|change| Evidence::Changed { change: *change }));
        Some(match self.shallower.map(|change| change.trend()) {
            Some(Trend::Falls) => (Standing::Shown, all),
            Some(Trend::Same | Trend::Rises) => (Standing::Excluded, all),
            _ => (Standing::Possible, all),
        })
    }

    /// Returns the evidence about the place of the I/Os in flight, and whether they are at the device.
    fn place(&self, device: &DeviceLoad) -> (Evidence, bool) {
        let DeviceLoad { name, busy, queue, .. } = device.clone();
        let in_flight = self.base.in_flight;
        // The driver of some devices counts no queue; a request may hold several I/Os.
        let expected = in_flight * device.requests_per_io.clamp(f64::MIN_POSITIVE, 1.0);
        let arrived = if queue > 0.0 { queue >= ARRIVED * expected } else { busy >= RUNS };
        let evidence = match arrived {
            true => Evidence::AtDevice { device: name, busy, queue, in_flight },
            false => Evidence::AboveDevice { device: name, busy, queue, in_flight },
        };
        (evidence, arrived)
    }

    fn scheduler(&self, shown: Option<Bottleneck>) -> Option<Judgement> {
        let device = self.base.device.as_ref()?;
        let Some(name) = self.card.facts.scheduler.clone() else {
            return Some((Standing::Excluded, vec![Evidence::NoLayer]));
        };
        if let Some(by) = shown {
            return Some((Standing::Excluded, vec![Evidence::Explained { by }]));
        }
        let (place, arrived) = self.place(device);
        let idling = IDLING.contains(&name.as_str());
        Some(match self.unscheduled.map(|change| (change.trend(), changed(&change))) {
            Some((Trend::Rises, evidence)) => (Standing::Shown, evidence),
            Some((Trend::Same | Trend::Falls, evidence)) => (Standing::Excluded, evidence),
            Some((Trend::Unclear, evidence)) => (Standing::Possible, evidence),
            None if arrived && !idling => (Standing::Excluded, vec![place, Evidence::Scheduler { name }]),
            None => (Standing::Possible, vec![Evidence::SchedulerUntried { name }, place]),
        })
    }

    fn file_system(&self, shown: Option<Bottleneck>) -> Option<Judgement> {
        let device = self.base.device.as_ref()?;
        if self.card.facts.file_system.is_none() {
            return Some((Standing::Excluded, vec![Evidence::NoLayer]));
        }
        let (place, arrived) = self.place(device);
        // The blocks of a fragmented file are not adjacent on the device.
        let split = device.requests_per_io >= SPLIT;
        let mut evidence = match split {
            true => vec![Evidence::Split { requests: device.requests_per_io }, place],
            false => vec![place],
        };
        evidence.extend(self.beneath.iter().map(|change| Evidence::Changed { change: *change }));
        if arrived && !split {
            return Some((Standing::Excluded, evidence));
        }
        if let Some(by) = shown {
            return Some((Standing::Excluded, vec![Evidence::Explained { by }]));
        }
        Some(match self.beneath.map(|change| change.trend()) {
            Some(Trend::Rises) => (Standing::Shown, evidence.into_iter().rev().collect()),
            Some(Trend::Same | Trend::Falls) => (Standing::Excluded, evidence),
            _ => (Standing::Possible, evidence),
        })
    }

    fn link(&self) -> Option<Judgement> {
        let capacity = self.card.facts.link?;
        let share = self.base.bytes_per_second / capacity;
        let evidence = vec![Evidence::Link { share, capacity }];
        Some(if share >= LINK { (Standing::Shown, evidence) } else { (Standing::Excluded, evidence) })
    }

    fn medium(&self, shown: Option<Bottleneck>) -> Judgement {
        if let Some(by) = shown {
            return (Standing::Excluded, vec![Evidence::Explained { by }]);
        }
        let places = self.base.device.iter().map(|device| (self.place(device), device.busy));
        // I/Os that wait above an idle device do not wait for it.
        let idle = places.clone().any(|((_, arrived), busy)| !arrived && busy > 0.0 && busy < IDLE);
        let mut evidence: Vec<Evidence> = places.map(|((evidence, _), _)| evidence).collect();
        evidence.extend(self.deeper.iter().map(|change| Evidence::Changed { change: *change }));
        if let Some((product, _)) = self.light() {
            evidence.push(Evidence::InParallel { product });
        }
        (if idle { Standing::Excluded } else { Standing::Possible }, evidence)
    }

    /// Returns what would raise the rate of a load with this limit.
    fn raises(&self, limit: Bottleneck) -> Vec<RateRaise> {
        let base = self.base;
        let rate = base.rate.value;
        let measured = |change: &Option<RateChange>| change.filter(|c| c.trend() == Trend::Rises);
        // The change is of the I/Os of all jobs in flight.
        let depth = |change: RateChange| RateRaise::Depth {
            to: (change.to / f64::from(base.shape.jobs.max(1))) as u32,
            iops: rate * change.ios.value,
        };
        match limit {
            Bottleneck::VisibleThrottle | Bottleneck::HiddenThrottle | Bottleneck::OwnPace => {
                vec![RateRaise::Limit]
            }
            Bottleneck::QueueDepth => {
                let deeper = measured(&self.deeper);
                deeper.map(depth).into_iter().collect()
            }
            Bottleneck::LoadGenerator => match measured(&self.jobs) {
                Some(c) => vec![RateRaise::Jobs { to: c.to as u32, iops: rate * c.ios.value }],
                None => Vec::new(),
            },
            Bottleneck::CpuQuota => {
                let quota = base.cpu.map_or(0.0, |cpu| cpu.quota);
                vec![RateRaise::Cpu { iops: rate / (1.0 - quota).max(0.05) }]
            }
            Bottleneck::CpuContention => {
                let lost = base.cpu.map_or(0.0, |cpu| cpu.waited.max(cpu.steal).max(cpu.others));
                vec![RateRaise::Cpu { iops: rate / (1.0 - lost).max(0.05) }]
            }
            Bottleneck::BlockQueue => {
                let queue = base.device.as_ref().map_or(1.0, |device| device.queue.max(1.0));
                let to = base.in_flight.ceil() as u64;
                vec![RateRaise::Slots { to, iops: rate * base.in_flight / queue }]
            }
            Bottleneck::FileSystem => match measured(&self.beneath) {
                Some(c) => vec![RateRaise::Beneath { iops: rate * c.ios.value }],
                None => Vec::new(),
            },
            Bottleneck::Medium | Bottleneck::Link => {
                let larger = RateChange::of(&self.card.samples, LoadChange::LargerBlocks);
                let fewer = measured(&self.shallower).map(depth);
                let larger = larger.filter(|c| c.bytes >= WAITING).map(|c| RateRaise::Blocks {
                    to: c.to as u64,
                    bytes_per_second: base.bytes_per_second * c.bytes,
                });
                fewer.into_iter().chain(larger).chain([RateRaise::Device]).collect()
            }
            Bottleneck::Scheduler => match measured(&self.unscheduled) {
                Some(c) => vec![RateRaise::Unscheduled { iops: rate * c.ios.value }],
                None => Vec::new(),
            },
            Bottleneck::Memory => Vec::new(),
        }
    }
}

/// Returns whether a load has the rate of the load in question, and no limit of its own.
fn has_limit_of(base: &BottleneckSample, sample: &BottleneckSample) -> bool {
    !sample.shape.paced && (sample.rate.value / base.rate.value - 1.0).abs() < NEAR
}

/// Returns whether a load left out a layer above the device.
fn is_without_layer(shape: &LoadShape) -> bool {
    shape.beneath || shape.unscheduled
}

fn cpu_quota(cpu: CpuShares) -> Judgement {
    let evidence = vec![Evidence::CpuQuota { share: cpu.quota }];
    let standing = if cpu.quota >= WITHHELD { Standing::Shown } else { Standing::Excluded };
    (standing, evidence)
}

/// Returns the throttle that the loads show. Slices are only visible with fewer I/Os in flight than a slice permits, so
/// the loads with fewer are looked at alone, too.
fn throttle(base: &BottleneckSample, samples: &[&BottleneckSample]) -> Option<Throttle> {
    let fitted = |most: f64| {
        let few = samples.iter().filter(|sample| sample.shape.paced || sample.in_flight <= most);
        let loads: Vec<ThrottleSample<'_>> = few
            .map(|sample| ThrottleSample {
                series: &sample.series,
                latency: [&sample.latency[0], &sample.latency[1]],
                in_flight: sample.in_flight.max(1.0),
                paced: sample.shape.paced,
                busy_share: sample.device.as_ref().map(|device| device.busy),
                start_s: sample.start_s,
            })
            .collect();
        throttle::fit(&loads, None).throttle().cloned()
    };
    let mut depths: Vec<f64> = samples
        .iter()
        .filter(|sample| has_limit_of(base, sample))
        .map(|sample| 1.01 * sample.in_flight)
        .collect();
    depths.sort_by(|a, b| b.total_cmp(a));
    depths.into_iter().find_map(fitted)
}
