//! Sum of what several hosts measured at the same time.

use super::{Durability, FilesCard, FilesCaveat, FilesEnd, FilesPhase, FilesPhaseResult, FilesSample};
use crate::hosts::{HostOutcome, fairness};
use serde::{Deserialize, Serialize};

/// What one host measured, with the samples that a sum needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FilesMeasured {
    /// Card of the host.
    pub card: FilesCard,
    /// Samples of each phase, one per iteration.
    pub samples: Vec<(FilesPhase, Vec<FilesSample>)>,
}

impl FilesMeasured {
    /// Returns the samples of a phase.
    fn of(&self, phase: FilesPhase) -> &[FilesSample] {
        self.samples.iter().find(|(of, _)| *of == phase).map_or(&[], |(_, samples)| samples)
    }

    /// Returns how many phases took place before this one.
    fn phases_before(&self, phase: FilesPhase, iteration: usize) -> usize {
        let took_place = |(of, samples): &(FilesPhase, Vec<FilesSample>)| {
            samples.len().min(iteration + usize::from(*of < phase))
        };
        self.samples.iter().map(took_place).sum()
    }

    fn failed(&self) -> bool {
        matches!(self.card.ended, Some(FilesEnd::Failed { .. } | FilesEnd::Stuck { .. }))
    }
}

/// A host of the sum.
#[derive(Clone, Copy)]
struct Summed<'a> {
    host: &'a HostOutcome<FilesMeasured>,
    measured: &'a FilesMeasured,
}

/// Returns what the hosts did together in a phase of an iteration. Its time is that from the first start of a worker on any host
/// to the last end on any host, by the offsets of the clocks.
fn together(hosts: &[Summed<'_>], phase: FilesPhase, iteration: usize) -> FilesSample {
    let mut all = FilesSample::default();
    let mut span: Option<(f64, f64)> = None;
    for Summed { host, measured } in hosts {
        let Some(own) = measured.of(phase).get(iteration) else { continue };
        if own.operations > 0 {
            let began =
                host.began_ns.get(measured.phases_before(phase, iteration)).map_or(0, |began| began.0);
            let from = began as f64 / 1e9;
            let to = from + own.seconds;
            span = span.map_or(Some((from, to)), |(first, last)| Some((first.min(from), last.max(to))));
        }
        all.operations += own.operations;
        all.entries += own.entries;
        all.bytes += own.bytes;
        all.cut |= own.cut;
        all.latency.merge(&own.latency);
    }
    all.seconds = span.map_or(0.0, |(first, last)| last - first);
    all
}

impl FilesCard {
    /// Returns the sum of what the hosts measured, with their cards; `None` if no host has measured anything.
    ///
    /// The sum has the iterations of each phase that all of these hosts completed, without hosts that were lost or on which an
    /// operation failed (unless all did): operations, bytes and latencies are those of all, and the time of an iteration is that from
    /// the first start of a worker on any host to the last end on any host.
    pub fn of_hosts(target: &str, hosts: Vec<HostOutcome<FilesMeasured>>) -> Option<FilesCard> {
        let there = || hosts.iter().filter(|host| host.lost.is_none());
        let measured: Vec<Summed<'_>> =
            there().filter_map(|host| Some(Summed { host, measured: host.result.as_ref()? })).collect();
        let complete: Vec<Summed<'_>> =
            measured.iter().copied().filter(|one| !one.measured.failed()).collect();
        let summed = if complete.is_empty() { measured } else { complete };
        let first = &summed.first()?.measured.card;
        let cards =
            || hosts.iter().filter_map(|host| Some((host.name.as_str(), &host.result.as_ref()?.card)));
        let phase = |phase: FilesPhase| {
            let iterations = summed.iter().map(|one| one.measured.of(phase).len()).min().unwrap_or(0);
            let samples: Vec<FilesSample> =
                (0..iterations).map(|iteration| together(&summed, phase, iteration)).collect();
            FilesPhaseResult::of(phase, &samples).filter(|_| first.asked.phases.contains(&phase))
        };
        let phases: Vec<FilesPhaseResult> = FilesPhase::ALL.into_iter().filter_map(phase).collect();
        let mut caveats: Vec<FilesCaveat> = Vec::new();
        for caveat in
            summed.iter().flat_map(|one| FilesCaveat::of(&first.asked, &one.measured.card.mount, &phases))
        {
            if !caveats.contains(&caveat) {
                caveats.push(caveat);
            }
        }
        caveats.sort_by_key(|caveat| std::cmp::Reverse(caveat.grade()));
        let durable = |of: &Durability| matches!(of, Durability::Synced | Durability::SyncMount);
        let durability = summed.iter().map(|one| one.measured.card.durability).find(|of| !durable(of));
        let kept: Vec<String> =
            cards().filter_map(|(name, card)| Some(format!("{name}: {}", card.kept.as_ref()?))).collect();
        let foreign =
            cards().flat_map(|(host, card)| card.foreign.iter().map(move |name| format!("{host}: {name}")));
        let sum = FilesCard {
            target: target.to_owned(),
            iterations: summed.iter().map(|one| one.measured.card.iterations).min().unwrap_or(0),
            seconds: summed.iter().map(|one| one.measured.card.seconds).fold(0.0, f64::max),
            // The end of a lost host is told with its loss.
            ended: there().find_map(|host| host.result.as_ref()?.card.ended.clone()),
            kept: (!kept.is_empty()).then(|| kept.join(", ")),
            foreign: foreign.collect(),
            durability: durability.unwrap_or(first.durability),
            phases,
            caveats,
            ..first.clone()
        };
        let with_card = |mut host: HostOutcome<FilesMeasured>| {
            let card = host.result.take().map(|measured| measured.card);
            host.with_result(card)
        };
        Some(FilesCard { hosts: hosts.into_iter().map(with_card).collect(), ..sum })
    }

    /// Returns Jain's index of the rates of the hosts in a phase ([`fairness`]), without lost hosts; `None` unless two have a rate.
    pub fn fairness(&self, phase: FilesPhase) -> Option<f64> {
        let there = self.hosts.iter().filter(|host| host.lost.is_none());
        let rates = there.filter_map(|host| Some(host.result.as_ref()?.phase(phase)?.rate.value));
        fairness(&rates.collect::<Vec<f64>>())
    }
}
