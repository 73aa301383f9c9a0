//! The card of `fathom explain`.

use crate::catalog::{say, word};
use crate::scale::{bytes, seconds, short, time};
use crate::terms::stack;
use crate::words::run::job_error;
use crate::{Grid, Lang, columns, export, fill, findings, fit, fit_end, lay, left, prose_width, widest};
use stats::Grade;
use stats::answer::Answer;
use stats::bottleneck::BottleneckEvidence as Evidence;
use stats::bottleneck::{
    Bottleneck, BottleneckAnswer, BottleneckCard, BottleneckSample, JudgedBottleneck, LoadChange, LoadShape,
    RateChange, RateRaise, ReachedCap, Standing, Trend,
};
use stats::estimate::Estimate;
use stats::finding::{Claim, Finding};
use stats::throttle::{ThrottleShape, ThrottledUnit};

/// Largest number of loads that the card shows.
const LOADS: usize = 8;

/// Returns the card in lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end.
pub fn render(lang: Lang, card: &BottleneckCard, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = vec![title(lang, card, width)];
    lines.extend(fill("", &answer(lang, card), width));
    let block = card.samples.first().map_or(0, |base| base.shape.block);
    let raises: Vec<String> = card.raises.iter().map(|raise| self::raise(lang, card, block, raise)).collect();
    if !raises.is_empty() {
        lines.extend(fill(&label(lang, word!(lang, "explain-label-raise")), &raises.join("; "), width));
    }
    lines.push(String::new());
    if !card.candidates.is_empty() {
        lines.extend(candidates(lang, card, width));
    }
    // A file may hold thousands of results.
    let mut loads: Vec<String> = card.samples.iter().take(LOADS).map(|sample| load(lang, sample)).collect();
    loads.extend((card.samples.len() > LOADS).then(|| "...".to_owned()));
    lines.extend(fill(&label(lang, word!(lang, "explain-label-loads")), &loads.join("; "), width));
    // The finding that forbids a verdict is stated in its place.
    if let Some(found) = caveat(card).filter(|_| card.error.is_some() || card.not_the_target().is_none()) {
        lines.extend(fill(
            &label(lang, word!(lang, "explain-label-caveat")),
            &format!("{} {}", found.claim.grade().letter(), findings::statement(lang, &found.claim)),
            width,
        ));
    }
    lay(&lines)
}

/// Returns the cards of loads that ran one after the other, with an empty line between them.
pub fn render_all(lang: Lang, cards: &[BottleneckCard], width: usize) -> String {
    let cards: Vec<String> = cards.iter().map(|card| render(lang, card, width)).collect();
    cards.join("\n")
}

/// Returns the worst finding about conditions of the measurement that no candidate has.
fn caveat(card: &BottleneckCard) -> Option<&Finding> {
    let other = |claim: &Claim| {
        !matches!(
            claim,
            Claim::Cap { .. }
                | Claim::Bursts { .. }
                | Claim::Generator { .. }
                | Claim::CpuTakenAway { .. }
                | Claim::CpuContention { .. }
                | Claim::PageCache { .. }
                | Claim::CacheBelow { .. }
                | Claim::TooShort { .. }
        )
    };
    let serious = card.findings.iter().filter(|f| f.claim.grade() >= Grade::Caveats && other(&f.claim));
    serious.max_by_key(|found| found.claim.grade())
}

/// Returns one card as a JSON document, and several as an array of them, newline at the end.
pub fn json(cards: &[BottleneckCard]) -> String {
    match cards {
        [card] => export::json_with_words(card),
        cards => export::json_with_words(&cards),
    }
}

/// Returns the line about the load that is being measured.
pub fn measuring(lang: Lang, shape: &LoadShape) -> String {
    self::shape(lang, shape)
}

/// Returns that a source has no rate to explain.
pub fn nothing(lang: Lang, source: &str) -> String {
    say!(lang, "explain-nothing", source)
}

/// Returns that the stored result `name` is an answer without loads to explain, and what to run instead.
pub fn answer_named(lang: Lang, name: &str, answer: &Answer) -> String {
    let (command, target) = match answer {
        Answer::Explain(_) => return say!(lang, "explain-answer-itself", name),
        Answer::Fit(cards) => ("fit", cards.first().map(|card| card.target.as_str())),
        Answer::Cloud(card) => ("cloud", card.target.as_deref()),
        Answer::Rank(ranking) => ("rank", Some(ranking.source.as_str())),
        Answer::Characterize(character) => ("characterize", Some(character.target.as_str())),
        Answer::Files(card) => ("files", Some(card.target.as_str())),
        Answer::Objects(result) => ("objects", Some(result.target.as_str())),
        Answer::Hosts(_) => ("run --hosts", None),
    };
    say!(lang, "explain-answer-named", name, command, target = target.unwrap_or("TARGET"))
}

fn label(lang: Lang, text: &str) -> String {
    let all = [
        word!(lang, "explain-label-raise"),
        word!(lang, "explain-label-loads"),
        word!(lang, "explain-label-caveat"),
    ];
    left(text, widest(&all) + 1)
}

fn title(lang: Lang, card: &BottleneckCard, width: usize) -> String {
    let block = card.samples.first().map_or(0, |sample| sample.shape.block);
    let size = if block == 0 { String::new() } else { format!("{} ", block_size(block)) };
    let mut rest = format!("   {size}{}", card.rw);
    if !card.facts.stack.is_empty() {
        rest += &format!("   {}", stack(lang, &card.facts.stack));
    }
    if card.seconds > 0.0 {
        rest += &format!("   {:.0} s", card.seconds);
    }
    let source = fit_end(&card.source, width.saturating_sub(columns(&rest)).max(16));
    fit(&format!("{source}{rest}"), width)
}

/// Returns a block size in binary units.
fn block_size(size: u64) -> String {
    match size {
        n if n >= 1 << 20 && n.is_multiple_of(1 << 20) => format!("{} MiB", n >> 20),
        n if n >= 1 << 10 && n.is_multiple_of(1 << 10) => format!("{} KiB", n >> 10),
        n => format!("{n} B"),
    }
}

/// Returns the name of a candidate on the target of a card.
fn name_on(lang: Lang, card: &BottleneckCard, candidate: Bottleneck) -> &'static str {
    match candidate {
        Bottleneck::Medium if card.facts.served => word!(lang, "explain-server"),
        Bottleneck::VisibleThrottle if is_of_server(highest_cap(card)) => word!(lang, "explain-server-limit"),
        other => name(lang, other),
    }
}

/// Returns the name of a candidate.
pub fn name(lang: Lang, candidate: Bottleneck) -> &'static str {
    match candidate {
        Bottleneck::OwnPace => word!(lang, "explain-own-pace"),
        Bottleneck::VisibleThrottle => word!(lang, "explain-visible-throttle"),
        Bottleneck::CpuQuota => word!(lang, "explain-cpu-quota"),
        Bottleneck::CpuContention => word!(lang, "explain-cpu-contention"),
        Bottleneck::Memory => word!(lang, "explain-memory"),
        Bottleneck::HiddenThrottle => word!(lang, "explain-hidden-throttle"),
        Bottleneck::QueueDepth => word!(lang, "explain-queue-depth"),
        Bottleneck::LoadGenerator => word!(lang, "explain-load-generator"),
        Bottleneck::BlockQueue => word!(lang, "explain-block-queue"),
        Bottleneck::Scheduler => word!(lang, "explain-scheduler"),
        Bottleneck::FileSystem => word!(lang, "explain-file-system"),
        Bottleneck::Link => word!(lang, "explain-link"),
        Bottleneck::Medium => word!(lang, "explain-medium"),
    }
}

fn answer(lang: Lang, card: &BottleneckCard) -> String {
    let Some(base) = card.samples.first() else { return String::new() };
    if let Some(error) = &card.error {
        return say!(lang, "explain-load-failed", error = job_error(lang, error));
    }
    if let Some(found) = card.not_the_target() {
        return say!(lang, "explain-no-verdict", why = findings::statement(lang, &found.claim));
    }
    match &card.answer {
        BottleneckAnswer::Named { limit } => {
            let why = reason(lang, card, base, *limit);
            say!(lang, "explain-answer", limit = name_on(lang, card, *limit).to_uppercase(), why)
        }
        BottleneckAnswer::CannotTell { left } => {
            let names: Vec<&str> = left.iter().map(|candidate| name_on(lang, card, *candidate)).collect();
            say!(
                lang,
                "explain-cannot-tell",
                rate = rate_of(base.shape.block, base.rate.value),
                names = names.join(", ")
            )
        }
    }
}

/// Returns a share (0 to 1) in percent.
fn percent(share: f64) -> String {
    crate::scale::percent(100.0 * share)
}

fn iops(rate: f64) -> String {
    format!("{} IOPS", short(rate))
}

/// Returns a rate of I/Os in the unit in which people quote this block size.
fn rate_of(block: u64, ios_per_second: f64) -> String {
    /// Smallest block whose rate is quoted in bytes.
    const LARGE: u64 = 64 << 10;
    if block >= LARGE { byte_rate(ios_per_second * block as f64) } else { iops(ios_per_second) }
}

fn byte_rate(bytes_per_second: f64) -> String {
    format!("{}/s", bytes(bytes_per_second.round().max(0.0) as u64))
}

fn reason(lang: Lang, card: &BottleneckCard, base: &BottleneckSample, limit: Bottleneck) -> String {
    let rate = rate_of(base.shape.block, base.rate.value);
    let latency = time(base.mean_ns);
    let depth = short(base.in_flight);
    let cpu = base.cpu.unwrap_or_default();
    match limit {
        Bottleneck::OwnPace => say!(lang, "explain-why-own-pace", rate),
        Bottleneck::VisibleThrottle => {
            let Some(cap) = highest_cap(card) else { return rate };
            let seen = if cap.iops { rate } else { byte_rate(base.bytes_per_second) };
            let limit = self::cap(cap);
            match is_of_server(Some(cap)) {
                true => say!(lang, "explain-why-server-limit", limit, rate = seen, device = &cap.device),
                false => say!(lang, "explain-why-visible-throttle", limit, rate = seen),
            }
        }
        Bottleneck::HiddenThrottle => hidden(lang, card, base),
        Bottleneck::CpuQuota => say!(lang, "explain-why-cpu-quota", share = percent(cpu.quota), rate),
        Bottleneck::CpuContention if cpu.others > cpu.waited.max(cpu.steal) => {
            say!(lang, "explain-why-cpus-full", share = percent(cpu.others), rate)
        }
        Bottleneck::CpuContention => {
            say!(lang, "explain-why-cpu-contention", share = percent(cpu.waited.max(cpu.steal)), rate)
        }
        Bottleneck::Memory => say!(lang, "explain-why-memory", rate),
        Bottleneck::QueueDepth => say!(lang, "explain-why-queue-depth", depth, latency, rate),
        Bottleneck::LoadGenerator => {
            say!(lang, "explain-why-load-generator", share = percent(cpu.used), rate)
        }
        Bottleneck::BlockQueue => {
            let device = base.device.as_ref().map_or("", |device| device.name.as_str());
            let slots = card.facts.slots.unwrap_or(0);
            say!(lang, "explain-why-block-queue", device, slots, depth, rate)
        }
        Bottleneck::Scheduler => {
            let scheduler = card.facts.scheduler.as_deref().unwrap_or("-");
            say!(lang, "explain-why-scheduler", scheduler, rate)
        }
        Bottleneck::FileSystem => {
            let kind = card.facts.file_system.as_deref().unwrap_or("-");
            let judged = card.candidates.iter().find(|judged| judged.candidate == limit);
            let split = judged.into_iter().flat_map(|judged| &judged.evidence).find_map(|e| match e {
                Evidence::Split { requests } => Some(short(*requests)),
                _ => None,
            });
            match split {
                Some(requests) => say!(lang, "explain-why-fragmented", kind, requests, rate),
                None => say!(lang, "explain-why-file-system", kind, rate),
            }
        }
        Bottleneck::Link => {
            let rate = byte_rate(base.bytes_per_second);
            say!(lang, "explain-why-link", rate, capacity = byte_rate(card.facts.link.unwrap_or(0.0)))
        }
        Bottleneck::Medium if card.facts.served => {
            let top = card.facts.stack.first().and_then(|layer| layer.split(' ').next());
            let kind = card.facts.file_system.as_deref().or(top).unwrap_or("-");
            say!(lang, "explain-why-server", kind, rate, depth)
        }
        Bottleneck::Medium => say!(lang, "explain-why-medium", rate, depth),
    }
}

/// Returns the limit that a load of the card came closest to.
fn highest_cap(card: &BottleneckCard) -> Option<&ReachedCap> {
    let caps = card.samples.iter().filter_map(|sample| sample.cap.as_ref());
    caps.max_by(|a, b| (a.seen / a.limit).total_cmp(&(b.seen / b.limit)))
}

fn is_of_server(cap: Option<&ReachedCap>) -> bool {
    cap.is_some_and(|cap| job::remote::is_remote_target(&cap.device))
}

fn cap(cap: &ReachedCap) -> String {
    if cap.iops { iops(cap.limit) } else { byte_rate(cap.limit) }
}

/// Returns the limit of a throttle that this machine does not show.
fn hidden(lang: Lang, card: &BottleneckCard, base: &BottleneckSample) -> String {
    let range = |rate: &Estimate, unit: &dyn Fn(f64) -> String| {
        if rate.is_known() {
            say!(lang, "explain-range", value = unit(rate.value), half = percent(rate.half_percent() / 100.0))
        } else {
            unit(rate.value)
        }
    };
    let limit = match card.throttle.as_ref().map(|throttle| throttle.limit) {
        Some(ThrottledUnit::Iops { rate }) => range(&rate, &iops),
        Some(ThrottledUnit::Bytes { rate }) => range(&rate, &byte_rate),
        Some(ThrottledUnit::Both { iops: ios, bytes, .. }) => {
            format!("{}, {}", range(&ios, &iops), range(&bytes, &byte_rate))
        }
        Some(ThrottledUnit::Unresolved { iops: ios, bytes }) => {
            say!(lang, "explain-either", iops = range(&ios, &iops), bytes = byte_rate(bytes.value))
        }
        None => match RateChange::of(&card.samples, LoadChange::LargerBlocks) {
            Some(change) if change.trend() == Trend::Same => range(&base.rate, &iops),
            Some(change) if (0.9..1.1).contains(&change.bytes) => byte_rate(base.bytes_per_second),
            _ => {
                let bytes = byte_rate(base.bytes_per_second);
                say!(lang, "explain-either", iops = range(&base.rate, &iops), bytes)
            }
        },
    };
    match card.throttle.as_ref().map(|throttle| throttle.shape) {
        Some(ThrottleShape::Sliced { period_s }) => {
            say!(lang, "explain-why-hidden-slices", limit, period = time(period_s.value * 1e9))
        }
        _ => say!(lang, "explain-why-hidden", limit),
    }
}

fn raise(lang: Lang, card: &BottleneckCard, block: u64, raise: &RateRaise) -> String {
    let rate = |iops: f64| rate_of(block, iops);
    match raise {
        RateRaise::Depth { to, iops } => say!(lang, "explain-raise-depth", to, rate = rate(*iops)),
        RateRaise::Jobs { to, iops } => say!(lang, "explain-raise-jobs", to, rate = rate(*iops)),
        RateRaise::Slots { to, iops } => say!(lang, "explain-raise-slots", to, rate = rate(*iops)),
        RateRaise::Cpu { iops } => say!(lang, "explain-raise-cpu", rate = rate(*iops)),
        RateRaise::Beneath { iops } => say!(lang, "explain-raise-beneath", rate = rate(*iops)),
        RateRaise::Unscheduled { iops } => {
            say!(lang, "explain-raise-unscheduled", rate = rate(*iops))
        }
        RateRaise::Limit => word!(lang, "explain-raise-limit").to_owned(),
        RateRaise::Blocks { to, bytes_per_second } => {
            say!(lang, "explain-raise-blocks", size = block_size(*to), rate = byte_rate(*bytes_per_second))
        }
        RateRaise::Device if card.facts.served => word!(lang, "explain-raise-server").to_owned(),
        RateRaise::Device => word!(lang, "explain-raise-device").to_owned(),
    }
}

fn candidates(lang: Lang, card: &BottleneckCard, width: usize) -> Vec<String> {
    let head = [
        word!(lang, "explain-column-candidate"),
        word!(lang, "explain-column-standing"),
        word!(lang, "explain-column-evidence"),
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut judged: Vec<&JudgedBottleneck> = card.candidates.iter().collect();
    judged.sort_by_key(|judged| match judged.standing {
        Standing::Shown => 0,
        Standing::Possible => 1,
        Standing::Excluded => 2,
    });
    for judged in judged {
        let standing = match judged.standing {
            Standing::Shown => word!(lang, "explain-shown"),
            Standing::Possible => word!(lang, "explain-possible"),
            Standing::Excluded => word!(lang, "explain-excluded"),
        };
        // One line each: the strongest evidence that is no elimination.
        let strongest = judged.evidence.iter().find(|e| **e != Evidence::OnlyOneLeft);
        let why = strongest.or(judged.evidence.first()).map(|evidence| self::evidence(lang, evidence));
        rows.push(vec![
            name_on(lang, card, judged.candidate).to_owned(),
            standing.to_owned(),
            why.unwrap_or("-".into()),
        ]);
    }
    let before = |c: usize| rows.iter().map(|row| columns(&row[c])).max().unwrap_or(0) + 2;
    let room = width.saturating_sub(before(0) + before(1));
    for row in &mut rows {
        row[2] = fit(&row[2], room);
    }
    Grid { keys: 1, to_right: |_| false, gap: 2 }.lines(&rows, width)
}

fn evidence(lang: Lang, evidence: &Evidence) -> String {
    match evidence {
        Evidence::Changed { change } => changed(lang, change),
        Evidence::OwnPace => word!(lang, "explain-evidence-own-pace").to_owned(),
        Evidence::CpuUsed { share } => say!(lang, "explain-evidence-cpu-used", share = percent(*share)),
        Evidence::CpuWaited { share } => say!(lang, "explain-evidence-cpu-waited", share = percent(*share)),
        Evidence::CpuWaitedAsleep { share, asleep } => {
            let (share, asleep) = (percent(*share), percent(*asleep));
            say!(lang, "explain-evidence-cpu-asleep", share, asleep)
        }
        Evidence::CpusFull { others } => {
            say!(lang, "explain-evidence-cpus-full", share = percent(*others))
        }
        Evidence::CpuQuota { share } => say!(lang, "explain-evidence-cpu-quota", share = percent(*share)),
        Evidence::CpuUnknown => word!(lang, "explain-evidence-cpu-unknown").to_owned(),
        Evidence::Cap { cap } => {
            say!(lang, "explain-evidence-cap", device = &cap.device, limit = self::cap(cap))
        }
        Evidence::NoCap => word!(lang, "explain-evidence-no-cap").to_owned(),
        Evidence::Throttle => word!(lang, "explain-evidence-throttle").to_owned(),
        Evidence::Uneven => word!(lang, "explain-evidence-uneven").to_owned(),
        Evidence::InParallel { product } => {
            say!(lang, "explain-evidence-at-once", count = short(*product))
        }
        Evidence::Explained { by } => say!(lang, "explain-evidence-explained", by = name(lang, *by)),
        Evidence::FromMemory => word!(lang, "explain-evidence-memory").to_owned(),
        Evidence::SlowForMemory { each_ns } => {
            say!(lang, "explain-evidence-memory-slow", time = time(*each_ns))
        }
        Evidence::NotFromMemory => word!(lang, "explain-evidence-no-memory").to_owned(),
        Evidence::Queue { device, queue, slots, in_flight } => {
            let (queue, depth) = (short(*queue), short(*in_flight));
            say!(lang, "explain-evidence-queue", device, queue, slots, depth)
        }
        Evidence::AtDevice { device, busy, queue, in_flight }
        | Evidence::AboveDevice { device, busy, queue, in_flight } => {
            let (busy, depth) = (percent(*busy), short(*in_flight));
            // The source has no queue of the device.
            if *queue == 0.0 {
                return say!(lang, "explain-evidence-busy", device, busy);
            }
            // Requests of others, or parts of split I/Os, are there too.
            if queue > in_flight {
                let queue = short(*queue);
                return say!(lang, "explain-evidence-more", device, busy, queue, depth);
            }
            let queue = short(*queue);
            say!(lang, "explain-evidence-place", device, busy, queue, depth)
        }
        Evidence::NoLayer => word!(lang, "explain-evidence-no-layer").to_owned(),
        Evidence::Scheduler { name } => name.clone(),
        Evidence::SchedulerUntried { name } => say!(lang, "explain-evidence-untried", name),
        Evidence::Split { requests } => {
            say!(lang, "explain-evidence-split", requests = short(*requests))
        }
        Evidence::Link { share, capacity } => {
            say!(lang, "explain-evidence-link", share = percent(*share), capacity = byte_rate(*capacity))
        }
        Evidence::OnlyOneLeft => word!(lang, "explain-evidence-left").to_owned(),
    }
}

fn changed(lang: Lang, change: &RateChange) -> String {
    let (from, to) = (change.from as u64, change.to as u64);
    let ratio = format!("{:.2}", change.ios.value);
    match change.change {
        LoadChange::Deeper | LoadChange::Shallower => say!(lang, "explain-evidence-depth", from, to, ratio),
        LoadChange::MoreJobs => say!(lang, "explain-evidence-jobs", from, to, ratio),
        LoadChange::LargerBlocks => {
            let (from, to) = (block_size(from), block_size(to));
            say!(lang, "explain-evidence-blocks", from, to, ratio)
        }
        LoadChange::Beneath => say!(lang, "explain-evidence-beneath", ratio),
        LoadChange::Unscheduled => say!(lang, "explain-evidence-unscheduled", ratio),
    }
}

fn load(lang: Lang, sample: &BottleneckSample) -> String {
    let shape = shape(lang, &sample.shape);
    say!(
        lang,
        "explain-load",
        shape,
        rate = rate_of(sample.shape.block, sample.rate.value),
        latency = time(sample.mean_ns)
    )
}

/// Returns the configuration of a load.
fn shape(lang: Lang, shape: &LoadShape) -> String {
    let mut parts = Vec::new();
    if shape.depth > 0 {
        parts.push(say!(lang, "explain-shape-depth", depth = shape.depth));
    }
    if shape.jobs > 1 {
        parts.push(say!(lang, "explain-shape-jobs", jobs = shape.jobs));
    }
    if shape.block > 0 {
        parts.push(block_size(shape.block));
    }
    if shape.paced {
        parts.push(word!(lang, "explain-shape-light").to_owned());
    }
    if shape.beneath {
        parts.push(word!(lang, "explain-shape-beneath").to_owned());
    }
    if shape.unscheduled {
        parts.push(word!(lang, "explain-shape-unscheduled").to_owned());
    }
    parts.join(", ")
}

/// Returns that the experiments ended early.
pub fn cut_short(lang: Lang, card: &BottleneckCard) -> Option<String> {
    card.cut_short.then(|| say!(lang, "explain-cut-short", time = seconds(card.seconds)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::bottleneck::{BottleneckFacts, CpuShares, DeviceLoad};

    fn sample(depth: u32, rate: f64) -> BottleneckSample {
        let cap = Some(ReachedCap {
            device: "nvme10n1".into(),
            iops: false,
            limit: 123_456_789.0,
            seen: 123_456_789.0,
        });
        BottleneckSample {
            shape: LoadShape { block: 4096, depth, jobs: 1, ..LoadShape::default() },
            rate: Estimate::around(rate, rate / 50.0),
            bytes_per_second: rate * 4096.0,
            mean_ns: f64::from(depth) / rate * 1e9,
            in_flight: f64::from(depth),
            cpu: Some(CpuShares { used: 0.123, waited: 0.0123, quota: 0.00123, steal: 0.0, others: 0.0 }),
            device: Some(DeviceLoad {
                name: "nvme10n1".into(),
                busy: 0.987,
                queue: 3.98,
                requests_per_io: 1.0,
            }),
            cap,
            ..BottleneckSample::default()
        }
    }

    /// Cards with every limit, with eight loads and all candidates, fit a terminal of 80 columns and 25 lines in every
    /// language.
    #[test]
    fn answers_fit_80_columns_and_25_lines() {
        let facts = BottleneckFacts {
            stack: vec!["ext4".into(), "nvme10n1p1 (partition)".into(), "nvme10n1 (disk, ssd)".into()],
            slots: Some(4),
            scheduler: Some("mq-deadline".into()),
            file_system: Some("ext4".into()),
            served: false,
            host_known: true,
            on_cpu: true,
            link: Some(3_938_000_000.0),
        };
        let shape = |jobs, paced, beneath, block, depth| LoadShape {
            block,
            depth,
            jobs,
            paced,
            beneath,
            unscheduled: false,
        };
        let mut samples: Vec<BottleneckSample> = vec![sample(32, 123_456.0), sample(128, 130_000.0)];
        for shape in [
            shape(1, false, false, 4096, 2),
            shape(2, false, false, 4096, 16),
            shape(1, true, false, 4096, 32),
            shape(1, false, true, 4096, 32),
            shape(1, false, false, 16384, 32),
        ] {
            samples.push(BottleneckSample { shape, ..sample(32, 123_456.0) });
        }
        let source = "/var/lib/postgresql/data/a/very/long/path/to/a/directory/of/a/database";
        let mut card = BottleneckCard::of(source, "randread", facts, samples);
        card.seconds = 34.5;
        let claim = Claim::Stopped { stopped_ms: 12_345, share_percent: 34.0 };
        card.findings = vec![Finding::new(String::new(), claim)];
        for lang in [Lang::En, Lang::Zh, Lang::Ru, Lang::De] {
            let check = |what: &str, card: &BottleneckCard| {
                let text = render(lang, card, 80);
                let wide = text.lines().map(columns).max().unwrap_or(0);
                assert!(wide <= 80 && text.lines().count() <= 25, "{what} in {}:\n{text}", lang.name());
            };
            for limit in Bottleneck::ALL {
                card.answer = BottleneckAnswer::Named { limit };
                card.raises =
                    vec![RateRaise::Blocks { to: 1 << 20, bytes_per_second: 1.5e9 }, RateRaise::Device];
                check(&format!("{limit:?}"), &card);
            }
            card.answer = BottleneckAnswer::CannotTell { left: Bottleneck::ALL[5..].to_vec() };
            card.raises = Vec::new();
            check("cannot tell", &card);
        }
    }
}
