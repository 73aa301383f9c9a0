//! What was found, one sentence for each claim.

use super::{rate, share};
use crate::catalog::say;
use crate::scale::{bytes, percent, short, time};
use crate::{Lang, fit_end};
use stats::{Claim, Direction, Unmeasured};

pub(super) fn of(lang: Lang, claim: &Claim) -> String {
    match claim {
        Claim::PageCache { app, storage, span, memory } => {
            let (served, read) = (share(app.saturating_sub(*storage), *app), bytes(*app));
            let fits = if *memory > *span && *memory > 0 {
                let (data, memory) = (bytes(*span), bytes(*memory));
                say!(lang, "finding-page-cache-data-memory", data, memory)
            } else {
                String::new()
            };
            say!(lang, "finding-page-cache-read-came-from", served, read, fits)
        }
        Claim::WritesCached { app, device } => {
            let (there, written) = (bytes(*device), bytes(*app));
            say!(lang, "finding-writes-cached", there, written)
        }
        Claim::WritesReturnedEarly { p50_ns, device, device_ns } => {
            let (half, at_device) = (time(*p50_ns as f64), time(*device_ns));
            say!(lang, "finding-writes-returned-early", half, device, at_device)
        }
        Claim::CacheBelow { direction, upper, upper_bytes, lower, lower_bytes } => {
            let (above, below) = (bytes(*upper_bytes), bytes(*lower_bytes));
            if *direction == Direction::Write {
                say!(lang, "finding-cache-below-had-written-reached", below, above, upper, lower)
            } else {
                say!(lang, "finding-cache-below-had-read-reached", below, above, upper, lower)
            }
        }
        Claim::AboveLink { device, seen, ceiling } => {
            let (seen, ceiling) = (rate(*seen as f64), rate(*ceiling as f64));
            say!(lang, "finding-above-link", seen, device, ceiling)
        }
        Claim::TooFastToTurn { device, p50_ns } => {
            let p50 = time(*p50_ns as f64);
            say!(lang, "finding-too-fast-to-turn", device, p50)
        }
        Claim::TinySpan { span, passes } => {
            let span = bytes(*span);
            if *passes > 0.0 {
                say!(lang, "finding-tiny-span-gone-over-times", span, passes = format!("{passes:.0}"))
            } else {
                say!(lang, "finding-tiny-span-random-i-o", span)
            }
        }
        Claim::NoQueue { engine, asked, reached } => {
            let had = if *reached > 0.0 {
                say!(lang, "finding-no-queue-had-average", reached = format!("{reached:.1}"))
            } else {
                String::new()
            };
            say!(lang, "finding-no-queue-asked-flight-engine", asked, had, engine)
        }
        Claim::BlockingSubmit { engine, buffered, asked, reached, in_submit_percent } => {
            let call = percent(*in_submit_percent);
            let seen = if *reached > 0.0 {
                say!(
                    lang,
                    "finding-blocking-submit-flight-time-call",
                    reached = format!("{reached:.1}"),
                    asked,
                    call
                )
            } else {
                String::new()
            };
            if *buffered {
                say!(lang, "finding-blocking-submit-without-direct-1", engine, seen)
            } else {
                say!(lang, "finding-blocking-submit-submitting-blocked", seen)
            }
        }
        Claim::Shallow { reached, asked } => {
            let asked = short(*asked);
            say!(lang, "finding-shallow", reached = format!("{reached:.1}"), asked)
        }
        Claim::NeverWritten { path, bytes: missing, size } => {
            let (part, path, missing) = (share(*missing, *size), fit_end(path, 24), bytes(*missing));
            say!(lang, "finding-never-written", part, path, missing)
        }
        Claim::Zeros { path, zero, sampled, .. } => {
            let path = fit_end(path, 24);
            say!(lang, "finding-zeros", zero, sampled, path)
        }
        Claim::Compressible { layer, percent: smaller } => {
            let smaller = percent(*smaller);
            if layer.is_empty() {
                say!(lang, "finding-compressible-what-written-can", smaller)
            } else {
                say!(lang, "finding-compressible-compresses-what-written", layer, smaller)
            }
        }
        Claim::StepDown { write, before, after, at_s, bytes: until } => {
            let (before, after, until) = (rate(*before), rate(*after), bytes(*until));
            if *write {
                say!(
                    lang,
                    "finding-step-down-s-then-write",
                    before,
                    at_s = format!("{at_s:.1}"),
                    until,
                    after
                )
            } else {
                say!(
                    lang,
                    "finding-step-down-s-then-burst",
                    before,
                    at_s = format!("{at_s:.1}"),
                    until,
                    after
                )
            }
        }
        Claim::Unsteady { range_percent, slope_percent } => {
            let (slope, range) = (percent(*slope_percent), percent(*range_percent));
            say!(lang, "finding-unsteady", slope, range)
        }
        Claim::WriteBackCache { device, p50_ns } => {
            let p50 = time(*p50_ns as f64);
            say!(lang, "finding-write-back-cache", device, p50)
        }
        Claim::TooShort { ios, seconds, half_width_percent } => match half_width_percent {
            Some(half) if *half > 5.0 => {
                let half = percent(*half);
                say!(lang, "finding-too-short-rate-known-either", half, seconds = format!("{seconds:.1}"))
            }
            _ if *ios < 1000 => {
                let above = ios / 100;
                say!(lang, "finding-too-short-i-os-s", ios, seconds = format!("{seconds:.1}"), above)
            }
            _ => say!(lang, "finding-too-short-s-too-few", seconds = format!("{seconds:.1}")),
        },
        Claim::SizeRanOut { ran_s, asked_s } => say!(
            lang,
            "finding-size-ran-out",
            ran_s = format!("{ran_s:.1}"),
            asked_s = format!("{asked_s:.0}")
        ),
        Claim::ShortStroke { span, capacity, service_ns } => {
            let (part, each) = (share(*span, *capacity), time(*service_ns as f64));
            let (span, capacity) = (bytes(*span), bytes(*capacity));
            say!(lang, "finding-short-stroke", span, capacity, part, each)
        }
        Claim::Overlap { clones, counted, distinct } => {
            let (counted, distinct) = (bytes(*counted), bytes(*distinct));
            say!(lang, "finding-overlap", clones, counted, distinct)
        }
        Claim::Repeated { times } => {
            say!(lang, "finding-repeated", times = format!("{times:.1}"))
        }
        Claim::Generator { percent: busy } => {
            let busy = percent(*busy);
            say!(lang, "finding-generator", busy)
        }
        Claim::CpuTakenAway { throttled_ms, steal_percent } => {
            if *throttled_ms > 0 {
                let stopped = time(*throttled_ms as f64 * 1e6);
                say!(lang, "finding-cpu-taken-away-cpu-quota-stopped", stopped)
            } else {
                let stolen = percent(*steal_percent);
                say!(lang, "finding-cpu-taken-away-hypervisor-gave-cpus", stolen)
            }
        }
        Claim::CpuContention { waited_percent } => {
            let part = percent(*waited_percent);
            say!(lang, "finding-cpu-contention", part)
        }
        Claim::Stopped { stopped_ms, share_percent } => {
            let (stopped, part) = (time(*stopped_ms as f64 * 1e6), percent(*share_percent));
            say!(lang, "finding-stopped", stopped, part)
        }
        Claim::FillingBuffers { user_percent } => {
            let part = percent(*user_percent);
            say!(lang, "finding-filling-buffers", part)
        }
        Claim::FarNode { device, node } => {
            say!(lang, "finding-far-node", device, node)
        }
        Claim::SlowLink { device, now, most } => {
            let (now, most) = (rate(*now as f64), rate(*most as f64));
            say!(lang, "finding-slow-link", device, now, most)
        }
        Claim::Misaligned { device, start_sector: None, block } => {
            let block = bytes(*block);
            say!(lang, "finding-misaligned-lies-across-blocks", device, block)
        }
        Claim::Misaligned { device, start_sector: Some(start_sector), block } => {
            let block = bytes(*block);
            say!(lang, "finding-misaligned-starts-sector-no", device, start_sector, block)
        }
        Claim::PartialSector { device, block, sector } => {
            let (block, sector) = (bytes(*block), bytes(*sector));
            say!(lang, "finding-partial-sector", block, device, sector)
        }
        Claim::Split { device, ratio, block, most } => {
            let (block, takes) = (bytes(*block), most.map(bytes));
            let takes = takes.map_or(String::new(), |most| say!(lang, "finding-split-takes-time", most));
            say!(lang, "finding-split-each-ours-i", block, ratio = format!("{ratio:.1}"), device, takes)
        }
        Claim::Merged { device, ratio, block } => {
            let block = bytes(*block);
            say!(lang, "finding-merged", ratio = format!("{ratio:.1}"), block, device)
        }
        Claim::BusyIsNotFull { device, util_percent, at_once } => {
            let busy = percent(*util_percent);
            say!(lang, "finding-busy-is-not-full", device, busy, at_once = format!("{at_once:.1}"))
        }
        Claim::IdleWhileWaiting { device, util_percent, in_flight } => {
            let busy = percent(*util_percent);
            say!(lang, "finding-idle-while-waiting", in_flight = format!("{in_flight:.1}"), device, busy)
        }
        Claim::NoBusyTime { device } => {
            say!(lang, "finding-no-busy-time", device)
        }
        Claim::MeanHides { mean_ns, p50_ns, max_ns } => {
            let (mean, p50, most) = (time(*mean_ns), time(*p50_ns as f64), time(*max_ns as f64));
            say!(lang, "finding-mean-hides", mean, p50, most)
        }
        Claim::Stall { longest_ns, missed } => {
            let (longest, missed) = (time(*longest_ns as f64), short(*missed as f64));
            say!(lang, "finding-stall", longest, missed)
        }
        Claim::Pauses { count, longest_ns, share_percent, every_s } => {
            let (longest, part) = (time(*longest_ns as f64), percent(*share_percent));
            let apart = every_s
                .map(|s| time(s * 1e9))
                .map_or(String::new(), |every| say!(lang, "finding-pauses-apart", every));
            say!(lang, "finding-pauses-pauses-nothing-completed", count, longest, apart, part)
        }
        Claim::OtherLoad { device, device_bytes, app_bytes, file_system } => {
            let [read, written] = device_bytes.map(bytes);
            let [our_read, our_written] = [0, 1].map(|d| bytes(app_bytes[d].min(device_bytes[d])));
            let or = if *file_system { say!(lang, "finding-other-load-file-system") } else { String::new() };
            say!(lang, "finding-other-load-read-wrote-ours", device, read, written, our_read, our_written, or)
        }
        Claim::Rebuilding { device, action } => say!(lang, "finding-rebuilding", device, action),
        Claim::Cap { device, iops, limit, seen } => {
            let (seen, limit) = match iops {
                true => (format!("{} IOPS", short(*seen)), limit.to_string()),
                false => (rate(*seen), rate(*limit as f64)),
            };
            say!(lang, "finding-cap", seen, device, limit)
        }
        Claim::Bursts { waited_percent, wait_ns, p50_ns, iops } => {
            let (waited, wait, half) =
                (percent(*waited_percent), time(*wait_ns as f64), time(*p50_ns as f64));
            say!(lang, "finding-bursts", waited, wait, half, iops = format!("{iops:.0}"))
        }
        Claim::NoTime { percent: share } => {
            let part = percent(*share);
            say!(lang, "finding-no-time", part)
        }
        Claim::NotDurable { device } => {
            if device.is_empty() {
                say!(lang, "finding-not-durable-nothing-made-these")
            } else {
                say!(lang, "finding-not-durable-nothing-made-these-2", device)
            }
        }
        Claim::SyncedAtEnd => say!(lang, "finding-synced-at-end"),
        Claim::StateCarried { before } => {
            say!(lang, "finding-state-carried", before)
        }
        Claim::NearlyFull { used_percent } => {
            let full = percent(*used_percent);
            say!(lang, "finding-nearly-full", full)
        }
        Claim::CopyOnWrite { kind } => say!(lang, "finding-copy-on-write", kind),
        Claim::RandomBeatsSequential { sequential, random_rate, sequential_rate } => {
            let (random, ordered) = (rate(*random_rate as f64), rate(*sequential_rate as f64));
            say!(lang, "finding-random-beats-sequential", random, ordered, sequential)
        }
        Claim::Memory { kind } if kind == "null" => say!(lang, "finding-memory-no-storage-involved"),
        Claim::Memory { kind } => {
            say!(lang, "finding-memory-memory-no-device", kind)
        }
        Claim::BelowMemory { device, kind } => {
            say!(lang, "finding-below-memory", device, kind)
        }
        Claim::Overlay { path } => {
            let path = fit_end(path, 24);
            say!(lang, "finding-overlay", path)
        }
        Claim::Failed { failed, ios } => {
            let all = failed.saturating_add(*ios);
            say!(lang, "finding-failed", failed, all)
        }
        Claim::NotMeasured { why: Unmeasured::Interrupted } => {
            say!(lang, "finding-not-measured-run-interrupted-part")
        }
        Claim::NotMeasured { why: Unmeasured::Failed } => {
            say!(lang, "finding-not-measured-error-ended-job")
        }
        Claim::NotMeasured { why: Unmeasured::Nothing } => {
            say!(lang, "finding-not-measured-no-i-o")
        }
        Claim::SizeTimesJobs { clones, each } => {
            let (whole, each) = (bytes(each.saturating_mul(u64::from(*clones))), bytes(*each));
            say!(lang, "finding-size-times-jobs", clones, each, whole)
        }
    }
}
