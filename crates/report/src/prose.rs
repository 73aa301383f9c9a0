//! Findings in words: what happened in this case, with its own numbers, and what to do next.

use crate::fit_end;
use crate::scale::{bytes, percent, short, time};
use stats::{Claim, Direction, Finding, Grade};

/// A grade in words.
pub fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Trusted => "trusted",
        Grade::Caveats => "trusted, with caveats",
        Grade::Conditions => "holds only under the conditions below",
        Grade::NotTheDevice => "did not measure the device",
    }
}

/// One line: `M4 (C) job: what; next`.
pub fn line(finding: &Finding) -> String {
    let (what, next) = words(&finding.claim);
    let job = if finding.job.is_empty() { String::new() } else { format!("{}: ", finding.job) };
    let next = if next.is_empty() { next } else { format!("; {next}") };
    format!("{} ({}) {job}{what}{next}", finding.claim.rule(), finding.claim.grade().letter())
}

fn rate(bytes_per_second: f64) -> String {
    format!("{}/s", bytes(bytes_per_second as u64))
}

fn verb(write: bool) -> &'static str {
    if write { "written" } else { "read" }
}

fn share(part: u64, whole: u64) -> String {
    percent(100.0 * part as f64 / whole.max(1) as f64)
}

/// What was found and what to do about it; the second may be empty.
pub fn words(claim: &Claim) -> (String, String) {
    match claim {
        Claim::PageCache { app, storage, span, memory } => {
            let served = app.saturating_sub(*storage);
            let fits = if *memory > *span && *memory > 0 {
                format!(" ({} of data, {} of memory)", bytes(*span), bytes(*memory))
            } else {
                String::new()
            };
            (
                format!(
                    "{} of {} read came from the page cache{fits}: that is memory",
                    share(served, *app),
                    bytes(*app)
                ),
                "run it with direct=1".into(),
            )
        }
        Claim::WritesCached { app, device } => (
            format!(
                "{} of {} written had reached the device when the run ended",
                bytes(*device),
                bytes(*app)
            ),
            "run it with direct=1, or end_fsync=1 to count the rest".into(),
        ),
        Claim::CacheBelow { direction, upper, upper_bytes, lower, lower_bytes } => {
            let word = verb(*direction == Direction::Write);
            (
                format!(
                    "{} of the {} that {upper} had {word} reached {lower} below it: a cache there answered",
                    bytes(*lower_bytes),
                    bytes(*upper_bytes)
                ),
                format!(
                    "open what lies under {upper} around its cache too (a loop device: losetup --direct-io=on)"
                ),
            )
        }
        Claim::AboveLink { device, seen, ceiling } => (
            format!(
                "{} is more than the link to {device} carries ({})",
                rate(*seen as f64),
                rate(*ceiling as f64)
            ),
            "look for a cache above the link".into(),
        ),
        Claim::TooFastToTurn { device, p50_ns } => (
            format!(
                "half of the random reads of {device}, which turns, took under {}: a cache answered",
                time(*p50_ns as f64)
            ),
            "read at random over the whole disk".into(),
        ),
        Claim::TinySpan { span, passes } => (
            if *passes > 0.0 {
                format!(
                    "{} were gone over {:.0} times: any drive's own memory holds them",
                    bytes(*span),
                    passes
                )
            } else {
                format!("random I/O over {}: the page cache holds that", bytes(*span))
            },
            "use a region many times the caches, or the whole device".into(),
        ),
        Claim::NoQueue { engine, asked, reached } => {
            let had = if *reached > 0.0 { format!(", had {reached:.1} on average") } else { String::new() };
            (
                format!(
                    "asked for {asked} in flight{had}: engine {engine} holds one at a time, whatever iodepth says"
                ),
                "use ioengine=io_uring or libaio with direct=1, or numjobs".into(),
            )
        }
        Claim::BlockingSubmit { engine, buffered, asked, reached, in_submit_percent } => {
            let seen = if *reached > 0.0 {
                format!(
                    ": {reached:.1} of {asked} in flight, {} of the time in the call",
                    percent(*in_submit_percent)
                )
            } else {
                String::new()
            };
            if *buffered {
                (format!("{engine} without direct=1 waits in the submit call{seen}"), "add direct=1".into())
            } else {
                (
                    format!("submitting blocked{seen}"),
                    "look for allocating writes, a full queue (nr_requests) or a file system that is not asynchronous".into(),
                )
            }
        }
        Claim::Shallow { reached, asked } => {
            (format!("{reached:.1} I/Os were in flight, {} were asked for", short(*asked)), String::new())
        }
        Claim::NeverWritten { path, bytes: missing, size } => (
            format!(
                "{} of {} was never written ({}): such reads do not touch the disk",
                share(*missing, *size),
                fit_end(path, 24),
                bytes(*missing)
            ),
            format!("fathom prefill {path}"),
        ),
        Claim::Zeros { path, zero, sampled } => (
            format!(
                "{zero} of {sampled} sampled blocks of {} are zeros: a drive may answer those from its map",
                fit_end(path, 24)
            ),
            "fill it with data that does not compress first".into(),
        ),
        Claim::Compressible { layer, percent: smaller } => (
            if layer.is_empty() {
                format!(
                    "{} of what was written can be made smaller, and a drive may do so",
                    percent(*smaller)
                )
            } else {
                format!(
                    "{layer} compresses, and {} of what was written can be made smaller",
                    percent(*smaller)
                )
            },
            "write noise (no zero_buffers, pattern, dedupe or compress options) and compare".into(),
        ),
        Claim::StepDown { write, before, after, at_s, bytes: until } => (
            format!(
                "{} for {at_s:.1} s ({}), then {}: {}",
                rate(*before),
                bytes(*until),
                rate(*after),
                if *write {
                    "a write cache or a credit ran out"
                } else {
                    "a burst credit ran out, or a cache"
                }
            ),
            "quote the second figure; measure it with ramp_time beyond the step".into(),
        ),
        Claim::Unsteady { range_percent, slope_percent } => (
            format!(
                "the rate still changed: by {} over the run, in a range of {}",
                percent(*slope_percent),
                percent(*range_percent)
            ),
            "run longer, or cut the beginning off with ramp_time".into(),
        ),
        Claim::WriteBackCache { device, p50_ns } => (
            format!(
                "half of the random writes to {device}, which turns, took under {}: a cache acknowledged them",
                time(*p50_ns as f64)
            ),
            "write more than the controller's cache holds".into(),
        ),
        Claim::TooShort { ios, seconds, half_width_percent } => (
            match half_width_percent {
                Some(half) if *half > 5.0 => {
                    format!("the rate is known to {} either way after {seconds:.1} s", percent(*half))
                }
                _ if *ios < 1000 => {
                    format!("{ios} I/Os in {seconds:.1} s: a p99 of them rests on {} of them", ios / 100)
                }
                _ => format!("{seconds:.1} s are too few to tell how much the rate varies"),
            },
            "do not compare by it; run longer".into(),
        ),
        Claim::SizeRanOut { ran_s, asked_s } => (
            format!("stopped after {ran_s:.1} s of {asked_s:.0} s: the size was done"),
            "add time_based".into(),
        ),
        Claim::ShortStroke { span, capacity, service_ns } => (
            format!(
                "random I/O over {} of {} ({}), {} each: the heads hardly moved",
                bytes(*span),
                bytes(*capacity),
                share(*span, *capacity),
                time(*service_ns as f64)
            ),
            "random I/O over the whole of it is slower; measure that".into(),
        ),
        Claim::Overlap { clones, counted, distinct } => (
            format!(
                "{clones} sequential jobs go over the same bytes: {} are counted, {} are different",
                bytes(*counted),
                bytes(*distinct)
            ),
            "give each its own part with offset_increment, or its own file".into(),
        ),
        Claim::Repeated { times } => (
            format!("through the page cache each block was touched {times:.1} times on average"),
            "use a larger file, or direct=1".into(),
        ),
        Claim::Generator { percent: busy } => (
            format!("a generator thread was {} busy: the CPU was the limit, not the device", percent(*busy)),
            "use more jobs, larger blocks or a cheaper engine".into(),
        ),
        Claim::CpuTakenAway { throttled_ms, steal_percent } => (
            if *throttled_ms > 0 {
                format!("a CPU quota stopped this process for {}", time(*throttled_ms as f64 * 1e6))
            } else {
                format!("the hypervisor gave {} of the CPUs' time to others", percent(*steal_percent))
            },
            "measure where the CPU is not limited".into(),
        ),
        Claim::FillingBuffers { user_percent } => (
            format!("{} of the time went into making what is written", percent(*user_percent)),
            "more jobs, or no refill_buffers".into(),
        ),
        Claim::FarNode { device, node } => (
            format!("{device} hangs on NUMA node {node}, the job ran elsewhere"),
            format!("numa_cpu_nodes={node}"),
        ),
        Claim::SlowLink { device, now, most } => (
            format!(
                "the link to {device} carries {}; it could carry {}",
                rate(*now as f64),
                rate(*most as f64)
            ),
            "look at the slot and the cable".into(),
        ),
        Claim::Misaligned { device, start_sector: None, block } => (
            format!("{device} lies across the blocks of {} under it: each I/O touches two", bytes(*block)),
            "make it anew, at a multiple of 1 MiB".into(),
        ),
        Claim::Misaligned { device, start_sector: Some(start_sector), block } => (
            format!(
                "{device} starts at sector {start_sector}, which no block of {} does: each I/O touches two",
                bytes(*block)
            ),
            "make the partition anew, at sector 2048".into(),
        ),
        Claim::PartialSector { device, block, sector } => (
            format!(
                "writes of {} to {device}, whose unit is {}: it reads the rest first",
                bytes(*block),
                bytes(*sector)
            ),
            format!("write multiples of {}", bytes(*sector)),
        ),
        Claim::Split { device, ratio, block, most } => (
            format!(
                "each {} of ours is {ratio:.1} I/Os at {device}{}: its IOPS are that many times ours",
                bytes(*block),
                most.map_or(String::new(), |m| format!(" (it takes {} at a time)", bytes(m)))
            ),
            "quote bytes per second, or use blocks that fit".into(),
        ),
        Claim::Merged { device, ratio, block } => (
            format!(
                "{ratio:.1} of our I/Os of {} are one at {device}: these IOPS are not its own",
                bytes(*block)
            ),
            "quote bytes per second, or use direct=1 at random".into(),
        ),
        Claim::BusyIsNotFull { device, util_percent, at_once } => (
            format!(
                "{device} was busy {} of the time, with {at_once:.1} requests at once: that is not full",
                percent(*util_percent)
            ),
            String::new(),
        ),
        Claim::IdleWhileWaiting { device, util_percent, in_flight } => (
            format!(
                "{in_flight:.1} I/Os were in flight and {device} says it was busy {} of the time: they were held back above it",
                percent(*util_percent)
            ),
            "look for a limit (control group, cloud volume)".into(),
        ),
        Claim::NoBusyTime { device } => (
            format!("{device} keeps no account of its time: its util means nothing"),
            "look at the devices under it".into(),
        ),
        Claim::MeanHides { mean_ns, p50_ns, max_ns } => (
            format!(
                "the mean of {} hides that half took under {} and one {}",
                time(*mean_ns),
                time(*p50_ns as f64),
                time(*max_ns as f64)
            ),
            "quote percentiles".into(),
        ),
        Claim::Stall { longest_ns, missed } => (
            format!(
                "one I/O took {}, in which {} would have been sent: few felt it here, many would have",
                time(*longest_ns as f64),
                short(*missed as f64)
            ),
            String::new(),
        ),
        Claim::OtherLoad { device, device_bytes, app_bytes, file_system } => (
            format!(
                "{device} read {} and wrote {}, of which {} and {} are ours: somebody else used it{}",
                bytes(device_bytes[0]),
                bytes(device_bytes[1]),
                bytes(app_bytes[0].min(device_bytes[0])),
                bytes(app_bytes[1].min(device_bytes[1])),
                if *file_system { ", or the file system" } else { "" }
            ),
            "measure while nothing else runs on it".into(),
        ),
        Claim::Rebuilding { device, action } => {
            (format!("{device} was at work beside ({action})"), "wait until it is done".into())
        }
        Claim::Cap { device, iops, limit, seen } => (
            if *iops {
                format!("{} IOPS is the limit that a control group sets for {device} ({limit})", short(*seen))
            } else {
                format!(
                    "{} is the limit that a control group sets for {device} ({})",
                    rate(*seen),
                    rate(*limit as f64)
                )
            },
            "this is the limit's figure, not the device's".into(),
        ),
        Claim::NoTime { percent: share } => (
            format!(
                "{} of the I/Os seem to have taken under 2 us: a clock or a cache, not the disk",
                percent(*share)
            ),
            "check the clocksource".into(),
        ),
        Claim::NotDurable { device } => (
            if device.is_empty() {
                "nothing made these writes durable: they were in memory when they counted".into()
            } else {
                format!("nothing made these writes durable: {device} may keep them in a volatile cache")
            },
            "compare with fdatasync=1".into(),
        ),
        Claim::StateCarried { before } => (
            format!("reads what {before} had written at random before: not a fresh state"),
            "measure in the order that you mean".into(),
        ),
        Claim::NearlyFull { used_percent } => (
            format!("the file system is {} full", percent(*used_percent)),
            "make room; many slow down there".into(),
        ),
        Claim::CopyOnWrite { kind } => (
            format!("{kind} writes every block to a new place: this measures its allocation, too"),
            String::new(),
        ),
        Claim::RandomBeatsSequential { sequential, random_rate, sequential_rate } => (
            format!(
                "{} at random beats {} of {sequential} in order",
                rate(*random_rate as f64),
                rate(*sequential_rate as f64)
            ),
            "look for a cache, or for sequential I/O one object at a time".into(),
        ),
        Claim::Memory { kind } => {
            let where_ = if kind == "null" {
                "no storage was involved: this measured the generator".into()
            } else {
                format!("{kind} is memory: no device is under it")
            };
            (where_, String::new())
        }
        Claim::Failed { failed, ios } => (
            format!("{failed} of {} I/Os failed: the figures are of the others", failed.saturating_add(*ios)),
            "look at the kernel's log (dmesg) and at what lies under it".into(),
        ),
        Claim::SizeTimesJobs { clones, each } => (
            format!(
                "{clones} jobs of {} each: {} in all",
                bytes(*each),
                bytes(each.saturating_mul(u64::from(*clones)))
            ),
            String::new(),
        ),
    }
}
