//! What to do about a claim.

use crate::Lang;
use crate::catalog::{say, word};
use crate::scale::bytes;
use stats::{Claim, Unmeasured};

pub(super) fn of(lang: Lang, claim: &Claim) -> String {
    let advice = match claim {
        Claim::PageCache { .. } => {
            word!(lang, "advice-page-cache")
        }
        Claim::WritesReturnedEarly { .. } => {
            word!(lang, "advice-writes-returned-early")
        }
        Claim::WritesCached { .. } => word!(lang, "advice-writes-cached"),
        Claim::CacheBelow { upper, .. } => {
            return say!(lang, "advice-cache-below", upper);
        }
        Claim::AboveLink { .. } => word!(lang, "advice-above-link"),
        Claim::TooFastToTurn { .. } => word!(lang, "advice-too-fast-for-rotational"),
        Claim::TinySpan { .. } => word!(lang, "advice-tiny-span"),
        Claim::NoQueue { .. } => word!(lang, "advice-no-queue"),
        Claim::BlockingSubmit { buffered: true, .. } => {
            word!(lang, "advice-blocking-submit-buffered")
        }
        Claim::BlockingSubmit { .. } => word!(lang, "advice-blocking-submit-direct"),
        Claim::NeverWritten { path, .. } => return say!(lang, "advice-never-written", path),
        Claim::Zeros { .. } => {
            word!(lang, "advice-zeros")
        }
        Claim::Compressible { .. } => word!(lang, "advice-compressible"),
        Claim::StepDown { .. } => {
            word!(lang, "advice-step-down")
        }
        Claim::Unsteady { .. } => word!(lang, "advice-unsteady"),
        Claim::WriteBackCache { .. } => word!(lang, "advice-write-back-cache"),
        Claim::TooShort { .. } => word!(lang, "advice-too-short"),
        Claim::SizeRanOut { .. } => word!(lang, "advice-size-ran-out"),
        Claim::ShortStroke { .. } => word!(lang, "advice-short-stroke"),
        Claim::Overlap { .. } => word!(lang, "advice-overlap"),
        Claim::Repeated { .. } => word!(lang, "advice-repeated"),
        Claim::Generator { .. } => word!(lang, "advice-generator"),
        Claim::CpuTakenAway { .. } => {
            word!(lang, "advice-cpu-limited")
        }
        Claim::CpuContention { .. } => {
            word!(lang, "advice-cpu-contention")
        }
        Claim::Stopped { .. } => {
            word!(lang, "advice-stopped")
        }
        Claim::Pauses { .. } => {
            word!(lang, "advice-pauses")
        }
        Claim::BelowMemory { .. } => {
            word!(lang, "advice-below-memory")
        }
        Claim::Overlay { .. } => {
            word!(lang, "advice-overlay")
        }
        Claim::FillingBuffers { .. } => {
            word!(lang, "advice-filling-buffers")
        }
        Claim::FarNode { node, .. } => return say!(lang, "advice-far-node", node),
        Claim::SlowLink { .. } => {
            word!(lang, "advice-slow-link")
        }
        Claim::Misaligned { start_sector: None, .. } => word!(lang, "advice-misaligned"),
        Claim::Misaligned { .. } => {
            word!(lang, "advice-misaligned-partition")
        }
        Claim::PartialSector { sector, .. } => {
            let sector = bytes(*sector);
            return say!(lang, "advice-partial-sector", sector);
        }
        Claim::Split { .. } => word!(lang, "advice-split"),
        Claim::Merged { .. } => word!(lang, "advice-merged"),
        Claim::IdleWhileWaiting { .. } => word!(lang, "advice-idle-while-waiting"),
        Claim::NoBusyTime { .. } => word!(lang, "advice-no-busy-time"),
        Claim::MeanHides { .. } => word!(lang, "advice-mean-hides"),
        Claim::OtherLoad { .. } => word!(lang, "advice-other-load"),
        Claim::Rebuilding { .. } => word!(lang, "advice-rebuilding"),
        Claim::Cap { .. } => {
            word!(lang, "advice-cap")
        }
        Claim::Bursts { .. } => {
            word!(lang, "advice-bursts")
        }
        Claim::NoTime { .. } => {
            word!(lang, "advice-no-time")
        }
        Claim::NotDurable { .. } => {
            word!(lang, "advice-not-durable")
        }
        Claim::SyncedAtEnd => word!(lang, "advice-synced-at-end"),
        Claim::StateCarried { .. } => word!(lang, "advice-state-carried"),
        Claim::NearlyFull { .. } => {
            word!(lang, "advice-nearly-full")
        }
        Claim::RandomBeatsSequential { .. } => word!(lang, "advice-random-beats-sequential"),
        Claim::NotMeasured { why: Unmeasured::Interrupted } => {
            word!(lang, "advice-interrupted")
        }
        Claim::NotMeasured { why: Unmeasured::Failed } => {
            word!(lang, "advice-ended-by-error")
        }
        Claim::NotMeasured { why: Unmeasured::Nothing } => {
            word!(lang, "advice-no-completion")
        }
        Claim::Failed { .. } => word!(lang, "advice-failed"),
        Claim::Shallow { .. }
        | Claim::BusyIsNotFull { .. }
        | Claim::Stall { .. }
        | Claim::CopyOnWrite { .. }
        | Claim::Memory { .. }
        | Claim::SizeTimesJobs { .. } => "",
    };
    advice.to_string()
}
