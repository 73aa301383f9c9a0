//! Names of tests, loads, operating points, methods and deviations.

use crate::Lang;
use crate::catalog::say;
use crate::labels;
use crate::scale::short;
use stats::pts::{
    PtsBlock, PtsCacheControl, PtsClass, PtsDeviation, PtsDeviceKind, PtsLoad, PtsOperatingPoint,
    PtsPurgeMethod, PtsSaturationEnd, PtsSteadyPart, PtsTest,
};

/// Returns the name of a test with its section in the specification.
pub(crate) fn test(lang: Lang, test: PtsTest) -> String {
    let name = match test {
        PtsTest::Iops => say!(lang, "pts-test-iops"),
        PtsTest::Throughput => say!(lang, "pts-test-throughput"),
        PtsTest::Latency => say!(lang, "pts-test-latency"),
        PtsTest::Wsat => say!(lang, "pts-test-wsat"),
        PtsTest::Hir => say!(lang, "pts-test-hir"),
        PtsTest::Xsr => say!(lang, "pts-test-xsr"),
        PtsTest::Cbw => say!(lang, "pts-test-cbw"),
        PtsTest::Dirth => say!(lang, "pts-test-dirth"),
        PtsTest::HddIops => say!(lang, "pts-test-hdd-iops"),
        PtsTest::HddThroughput => say!(lang, "pts-test-hdd-throughput"),
    };
    match test.section() {
        Some(section) => say!(lang, "pts-test-with-section", name, section = section.to_string()),
        None => name,
    }
}

/// Returns a mix of reads and writes, percent: `65/35`.
pub(crate) fn mix(reads: u32) -> String {
    format!("{reads}/{}", 100u32.saturating_sub(reads))
}

/// Returns the block size of a load: `4k`, or the name of the composite mix.
pub(crate) fn block(lang: Lang, block: PtsBlock) -> String {
    match block {
        PtsBlock::Bytes(bytes) => labels::block(bytes),
        PtsBlock::Composite => say!(lang, "pts-composite"),
    }
}

/// Returns a load in the terms of the specification: `RND 4k 65/35`.
pub(crate) fn load(lang: Lang, load: &PtsLoad) -> String {
    let order = if load.random { "RND" } else { "SEQ" };
    format!("{order} {} {}", block(lang, load.block), mix(load.reads))
}

/// Returns a load with its threads and queue depth: `RND 4k 0/100, T1Q1`.
pub(crate) fn load_with_demand(lang: Lang, of: &PtsLoad) -> String {
    format!("{}, {}", load(lang, of), demand(of))
}

/// Returns the threads and queue depth of a load: `T32Q32`.
pub(crate) fn demand(load: &PtsLoad) -> String {
    format!("T{}Q{}", load.threads, load.depth)
}

/// Returns the name of reads or writes.
pub(crate) fn direction(lang: Lang, reads: u32) -> String {
    if reads == 0 { say!(lang, "pts-writes") } else { say!(lang, "pts-reads") }
}

/// Returns the name of a part of a test that has a steady state of its own; `None` for a whole test.
pub(crate) fn steady_part(lang: Lang, part: PtsSteadyPart) -> Option<String> {
    match part {
        PtsSteadyPart::Whole => None,
        PtsSteadyPart::Block(bytes) => Some(labels::block(bytes)),
        PtsSteadyPart::Preconditioning => Some(say!(lang, "pts-preconditioning-part")),
        PtsSteadyPart::Rounds => Some(say!(lang, "pts-rounds-part")),
    }
}

/// Returns the name of an operating point.
pub(crate) fn operating(lang: Lang, point: PtsOperatingPoint) -> String {
    match point {
        PtsOperatingPoint::Max => say!(lang, "pts-max-point"),
        PtsOperatingPoint::Mid => say!(lang, "pts-mid-point"),
        PtsOperatingPoint::Min => say!(lang, "pts-min-point"),
    }
}

/// Returns the part of a chart's id for an operating point.
pub(crate) fn operating_id(point: PtsOperatingPoint) -> &'static str {
    match point {
        PtsOperatingPoint::Max => "max",
        PtsOperatingPoint::Mid => "mid",
        PtsOperatingPoint::Min => "min",
    }
}

/// Returns the reason why the write saturation test ended, as a sentence. Its durations were divided by `scale`.
pub(crate) fn saturation_end(lang: Lang, end: PtsSaturationEnd, scale: u32) -> String {
    match end {
        PtsSaturationEnd::Time if scale > 1 => {
            say!(lang, "pts-ended-time-scaled", by = scale.to_string())
        }
        PtsSaturationEnd::Written => say!(lang, "pts-ended-written"),
        PtsSaturationEnd::Time => say!(lang, "pts-ended-time"),
        PtsSaturationEnd::Steady => say!(lang, "pts-ended-steady"),
    }
}

/// Returns the settings of the specification: PTS-E or PTS-C.
pub(crate) fn class(class: PtsClass) -> &'static str {
    match class {
        PtsClass::Enterprise => "PTS-E",
        PtsClass::Client => "PTS-C",
    }
}

/// Returns the kind of a device.
pub(crate) fn device_kind(lang: Lang, kind: PtsDeviceKind) -> String {
    match kind {
        PtsDeviceKind::Ssd => "SSD".into(),
        PtsDeviceKind::Rotating => say!(lang, "pts-kind-rotating"),
        PtsDeviceKind::Unknown => say!(lang, "pts-kind-unknown"),
        PtsDeviceKind::Simulated => say!(lang, "pts-kind-simulated"),
    }
}

/// Returns the name of a purge method.
pub(crate) fn purge(lang: Lang, method: PtsPurgeMethod) -> String {
    match method {
        PtsPurgeMethod::NvmeFormat => "NVMe Format".into(),
        PtsPurgeMethod::NvmeSanitize => "NVMe Sanitize".into(),
        PtsPurgeMethod::AtaSecureErase => "ATA Security Erase".into(),
        PtsPurgeMethod::Discard => say!(lang, "pts-purge-discard"),
        PtsPurgeMethod::Simulated => say!(lang, "pts-purge-simulated"),
        PtsPurgeMethod::None => say!(lang, "pts-purge-none"),
    }
}

/// Returns the way in which the write cache was set.
pub(crate) fn cache_control(lang: Lang, control: PtsCacheControl) -> String {
    match control {
        PtsCacheControl::NvmeFeature => "NVMe feature 06h".into(),
        PtsCacheControl::ScsiCacheType => "SCSI cache_type".into(),
        PtsCacheControl::Kernel => "queue/write_cache".into(),
        PtsCacheControl::Simulated => say!(lang, "pts-kind-simulated"),
        PtsCacheControl::None => say!(lang, "pts-cache-no-control"),
    }
}

/// Returns a reason why a result does not conform to the specification.
pub(crate) fn deviation(lang: Lang, deviation: &PtsDeviation) -> String {
    match deviation {
        PtsDeviation::Scaled { by } => say!(lang, "pts-deviation-scaled", by = by.to_string()),
        PtsDeviation::TestOfTkperf => say!(lang, "pts-deviation-tkperf"),
        PtsDeviation::Simulated => say!(lang, "pts-deviation-simulated"),
        PtsDeviation::Rotating => say!(lang, "pts-deviation-rotating"),
        PtsDeviation::UnknownMedium => say!(lang, "pts-deviation-medium"),
        PtsDeviation::PageCache => say!(lang, "pts-deviation-page-cache"),
        PtsDeviation::NotPurged => say!(lang, "pts-deviation-not-purged"),
        PtsDeviation::DiscardOnly => say!(lang, "pts-deviation-discard"),
        PtsDeviation::WriteCacheUnknown => say!(lang, "pts-deviation-cache-unknown"),
        PtsDeviation::WriteCacheNotSet => say!(lang, "pts-deviation-cache-not-set"),
        PtsDeviation::ActiveRange { required, used } => {
            say!(lang, "pts-deviation-range", required = required.to_string(), used = used.to_string())
        }
        PtsDeviation::BlocksLeftOut { sector } => {
            say!(lang, "pts-deviation-blocks", sector = labels::block(*sector))
        }
        PtsDeviation::FewerRounds { most } => say!(lang, "pts-deviation-rounds", most = most.to_string()),
        PtsDeviation::StoppedEarly { percent, confidence } => {
            say!(lang, "pts-deviation-early", percent = short(*percent), confidence = short(*confidence))
        }
        PtsDeviation::Resumed => say!(lang, "pts-deviation-resumed"),
        PtsDeviation::FailedIos { errors } => {
            say!(lang, "pts-deviation-errors", errors = errors.to_string())
        }
    }
}
