//! Texts of the findings: the observation with its numbers, and the advice.

use crate::catalog::{say, word};
use crate::scale::{self, bytes, percent, probability, short, time};
use crate::{Lang, fit_end, words};
use stats::{Claim, Direction, Finding, Grade, Unmeasured};
use std::borrow::Borrow;

/// Returns the meaning of a grade.
pub fn grade(lang: Lang, grade: Grade) -> &'static str {
    match grade {
        Grade::Trusted => word!(lang, "grade-trusted"),
        Grade::Caveats => word!(lang, "grade-caveats"),
        Grade::Conditions => word!(lang, "grade-conditions"),
        Grade::NotTheDevice => word!(lang, "grade-not-the-device"),
    }
}

/// Returns a grade and its meaning: `B (with caveats)`.
pub fn trust(lang: Lang, grade: Grade) -> String {
    format!("{} ({})", grade.letter(), self::grade(lang, grade))
}

/// Returns the name of the rule that made a claim: `M4`, or a word for a rule without a number.
pub fn rule(lang: Lang, claim: &Claim) -> &'static str {
    match claim.rule() {
        "memory" => word!(lang, "finding-rule-memory"),
        "errors" => word!(lang, "finding-rule-errors"),
        "end" => word!(lang, "finding-rule-end"),
        "stopped" => word!(lang, "finding-rule-stopped"),
        "size" => word!(lang, "finding-rule-size"),
        "network" => word!(lang, "finding-rule-network"),
        number => number,
    }
}

/// Returns a finding as one line: `M4 (C) JOB: STATEMENT; ADVICE`.
pub fn line(lang: Lang, finding: &Finding) -> String {
    let (observation, advice) = (observation(lang, finding), advice(lang, &finding.claim));
    let advice = if advice.is_empty() { advice } else { format!("; {advice}") };
    format!("{} ({}) {observation}{advice}", rule(lang, &finding.claim), finding.claim.grade().letter())
}

/// Largest number of hosts that are named, as before a finding that some hosts have.
const NAMED: usize = 3;

/// Returns the hosts that have a finding; `None` on one machine.
pub fn hosts(lang: Lang, finding: &Finding) -> Option<String> {
    finding.found_on.as_ref().map(|on| match on.hosts.len() {
        1.. if on.all => word!(lang, "finding-on-all-hosts").to_owned(),
        _ => some_hosts(lang, &on.hosts),
    })
}

/// Returns the names of hosts, of many the first ones and the number of the others.
pub(crate) fn some_hosts<S: Borrow<str>>(lang: Lang, hosts: &[S]) -> String {
    match hosts.len().checked_sub(NAMED) {
        None | Some(0) => hosts.join(", "),
        Some(more) => {
            say!(lang, "finding-on-more-hosts", hosts = hosts[..NAMED].join(", "), more = more.to_string())
        }
    }
}

/// Returns the observation of a finding with the hosts and the job that it is about: `HOSTS: JOB: STATEMENT (figures of HOST)`.
pub fn observation(lang: Lang, finding: &Finding) -> String {
    let hosts = hosts(lang, finding);
    let job = Some(finding.job.clone()).filter(|job| !job.is_empty());
    let mut text: String = [hosts, job].into_iter().flatten().map(|place| format!("{place}: ")).collect();
    text += &statement(lang, &finding.claim);
    if let Some(host) = finding.found_on.as_ref().and_then(|on| on.figures_of.as_deref()) {
        text += &format!(" ({})", say!(lang, "finding-figures-of", host));
    }
    text
}

/// Returns the observation of a claim in one sentence.
pub fn statement(lang: Lang, claim: &Claim) -> String {
    match claim {
        Claim::PageCache { app, storage, span, memory } => {
            let (served, read) = (share(app.saturating_sub(*storage), *app), bytes(*app));
            if *memory > *span && *memory > 0 {
                let (data, memory) = (bytes(*span), bytes(*memory));
                say!(lang, "finding-page-cache-fits-memory", served, read, data, memory)
            } else {
                say!(lang, "finding-page-cache", served, read)
            }
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
                say!(lang, "finding-cache-below-write", below, above, upper, lower)
            } else {
                say!(lang, "finding-cache-below-read", below, above, upper, lower)
            }
        }
        Claim::AboveLink { device, seen, ceiling } => {
            let (seen, ceiling) = (rate(*seen as f64), rate(*ceiling as f64));
            say!(lang, "finding-above-link", seen, device, ceiling)
        }
        Claim::TooFastToTurn { device, p50_ns } => {
            say!(lang, "finding-too-fast-for-rotational", device, p50 = time(*p50_ns as f64))
        }
        Claim::TinySpan { span, passes } => {
            let span = bytes(*span);
            if *passes > 0.0 {
                say!(lang, "finding-tiny-span-passes", span, passes = passes.round() as u64)
            } else {
                say!(lang, "finding-tiny-span-random", span)
            }
        }
        Claim::NoQueue { engine, asked, reached } => {
            if *reached > 0.0 {
                let reached = format!("{reached:.1}");
                say!(lang, "finding-no-queue-reached", engine, asked, reached)
            } else {
                say!(lang, "finding-no-queue", engine, asked)
            }
        }
        Claim::BlockingSubmit { engine, buffered, asked, reached, in_submit_percent } => {
            let measured = *reached > 0.0;
            let (reached, call) = (format!("{reached:.1}"), percent(*in_submit_percent));
            match (buffered, measured) {
                (true, true) => {
                    say!(lang, "finding-blocking-submit-buffered-measured", engine, reached, asked, call)
                }
                (true, false) => say!(lang, "finding-blocking-submit-buffered", engine),
                (false, true) => say!(lang, "finding-blocking-submit-direct-measured", reached, asked, call),
                (false, false) => say!(lang, "finding-blocking-submit-direct"),
            }
        }
        Claim::StartedLate { late, ios, p99_ns } => {
            let (late, p99) = (share(*late, *ios), time(*p99_ns as f64));
            say!(lang, "finding-started-late", late, limit = time(stats::LATE_START as f64), p99)
        }
        Claim::Shallow { reached, asked } => {
            say!(lang, "finding-shallow", reached = format!("{reached:.1}"), asked = short(*asked))
        }
        Claim::ThinkTime { blocks, asked, reached } => match (*blocks, *reached > 0.0) {
            (_, true) => {
                say!(lang, "finding-think-time-reached", asked, reached = format!("{reached:.1}"))
            }
            (0, false) => say!(lang, "finding-think-time", asked),
            (blocks, false) => say!(lang, "finding-think-time-blocks", asked, blocks),
        },
        Claim::NeverWritten { path, bytes: missing, size } => {
            let (part, path, missing) = (share(*missing, *size), fit_end(path, 24), bytes(*missing));
            say!(lang, "finding-never-written", part, path, missing)
        }
        Claim::Zeros { path, zero, sampled, .. } => {
            say!(lang, "finding-zeros", zero, sampled, path = fit_end(path, 24))
        }
        Claim::Compressible { layer, percent: smaller } => {
            let smaller = percent(*smaller);
            if layer.is_empty() {
                say!(lang, "finding-compressible", smaller)
            } else {
                say!(lang, "finding-compressible-layer", layer, smaller)
            }
        }
        Claim::StepDown { write, before, after, at_s, bytes: until } => {
            let (before, after, until) = (rate(*before), rate(*after), bytes(*until));
            let at_s = format!("{at_s:.1}");
            if *write {
                say!(lang, "finding-step-down-write", before, after, at_s, until)
            } else {
                say!(lang, "finding-step-down-read", before, after, at_s, until)
            }
        }
        Claim::RateDropped { at_s, seconds, before, during, ended_run } => {
            let (before, during, at_s) = (short(*before), short(*during), format!("{at_s:.0}"));
            match seconds {
                Some(seconds) => {
                    say!(
                        lang,
                        "finding-rate-dropped",
                        at_s,
                        seconds = format!("{seconds:.0}"),
                        before,
                        during
                    )
                }
                None if *ended_run => say!(lang, "finding-rate-dropped-stop", at_s, before, during),
                None => say!(lang, "finding-rate-dropped-end", at_s, before, during),
            }
        }
        Claim::Unsteady { range_percent, slope_percent } => {
            let (slope, range) = (percent(*slope_percent), percent(*range_percent));
            say!(lang, "finding-unsteady", slope, range)
        }
        Claim::WriteBackCache { device, p50_ns } => {
            say!(lang, "finding-write-back-cache", device, p50 = time(*p50_ns as f64))
        }
        Claim::TooShort { ios, seconds, half_width_percent } => match half_width_percent {
            Some(half) if *half > 5.0 => {
                let half = percent(*half);
                say!(lang, "finding-too-short-rate-uncertain", half, seconds = scale::seconds(*seconds))
            }
            _ if *ios < 1000 => {
                let above = ios / 100;
                say!(lang, "finding-too-short-few-ios", ios, seconds = scale::seconds(*seconds), above)
            }
            _ => say!(lang, "finding-too-short-no-interval", seconds = scale::seconds(*seconds)),
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
        Claim::Repeated { times } => say!(lang, "finding-repeated", times = format!("{times:.1}")),
        Claim::UnevenOffsets { samples, ios_percent, region_percent, chance } => {
            let (ios, part) = (percent(*ios_percent), percent(*region_percent));
            let (samples, chance) = (short(*samples as f64), probability(*chance));
            say!(lang, "finding-uneven-offsets", ios, part, samples, chance)
        }
        Claim::Generator { percent: busy } => say!(lang, "finding-generator", busy = percent(*busy)),
        Claim::CpuTakenAway { throttled_ms, steal_percent } => {
            if *throttled_ms > 0 {
                let stopped = time(*throttled_ms as f64 * 1e6);
                say!(lang, "finding-cpu-quota", stopped)
            } else {
                say!(lang, "finding-cpu-steal", stolen = percent(*steal_percent))
            }
        }
        Claim::CpuContention { waited_percent } => {
            say!(lang, "finding-cpu-contention", part = percent(*waited_percent))
        }
        Claim::CpusBusy { waited_percent } => {
            say!(lang, "finding-cpus-busy", part = percent(*waited_percent))
        }
        Claim::Stopped { stopped_ms, share_percent } => {
            let (stopped, part) = (time(*stopped_ms as f64 * 1e6), percent(*share_percent));
            say!(lang, "finding-stopped", stopped, part)
        }
        Claim::FillingBuffers { user_percent } => {
            say!(lang, "finding-filling-buffers", part = percent(*user_percent))
        }
        Claim::FarNode { device, node } => say!(lang, "finding-far-node", device, node),
        Claim::SlowedByHeat { device, slowed, slowed_s, warning_minutes, .. } => {
            if *slowed > 0 || *slowed_s > 0 {
                say!(lang, "finding-slowed-by-heat", device, times = slowed, seconds = slowed_s)
            } else {
                say!(lang, "finding-hot", device, minutes = warning_minutes)
            }
        }
        Claim::SlowLink { device, now, most } => {
            let (now, most) = (rate(*now as f64), rate(*most as f64));
            say!(lang, "finding-slow-link", device, now, most)
        }
        Claim::Misaligned { device, start_sector: None, block } => {
            say!(lang, "finding-misaligned", device, block = bytes(*block))
        }
        Claim::Misaligned { device, start_sector: Some(start_sector), block } => {
            say!(lang, "finding-misaligned-partition", device, start_sector, block = bytes(*block))
        }
        Claim::PartialSector { device, block, sector } => {
            let (block, sector) = (bytes(*block), bytes(*sector));
            say!(lang, "finding-partial-sector", block, device, sector)
        }
        Claim::Split { device, ratio, block, most } => {
            let (block, ratio) = (bytes(*block), format!("{ratio:.1}"));
            match most.map(bytes) {
                Some(most) => say!(lang, "finding-split-largest", block, ratio, device, most),
                None => say!(lang, "finding-split", block, ratio, device),
            }
        }
        Claim::Merged { device, ratio, block } => {
            say!(lang, "finding-merged", ratio = format!("{ratio:.1}"), block = bytes(*block), device)
        }
        Claim::BusyIsNotFull { device, util_percent, at_once } => {
            let busy = percent(*util_percent);
            say!(lang, "finding-busy-is-not-full", device, busy, at_once = format!("{at_once:.1}"))
        }
        Claim::IdleWhileWaiting { device, util_percent, in_flight } => {
            let busy = percent(*util_percent);
            say!(lang, "finding-idle-while-waiting", in_flight = format!("{in_flight:.1}"), device, busy)
        }
        Claim::NoBusyTime { device } => say!(lang, "finding-no-busy-time", device),
        Claim::MeanHides { mean_ns, p50_ns, max_ns } => {
            let (mean, p50, most) = (time(*mean_ns), time(*p50_ns as f64), time(*max_ns as f64));
            say!(lang, "finding-mean-hides", mean, p50, most)
        }
        Claim::Stall { longest_ns, missed } => {
            let (longest, missed) = (time(*longest_ns as f64), short(*missed as f64));
            say!(lang, "finding-stall", longest, missed)
        }
        Claim::Pauses { count, longest_ns, share_percent, every_s, cpu_busy } => {
            let (longest, part) = (time(*longest_ns as f64), percent(*share_percent));
            let pauses = match every_s.map(|s| time(s * 1e9)) {
                Some(every) => say!(lang, "finding-pauses-periodic", count, every, longest, part),
                None => say!(lang, "finding-pauses", count, longest, part),
            };
            if *cpu_busy { say!(lang, "finding-pauses-cpu-busy", pauses) } else { pauses }
        }
        Claim::OtherLoad { device, device_bytes, app_bytes, file_system } => {
            let [read, written] = device_bytes.map(bytes);
            let [our_read, our_written] = [0, 1].map(|d| bytes(app_bytes[d].min(device_bytes[d])));
            if *file_system {
                say!(lang, "finding-other-load-or-file-system", device, read, written, our_read, our_written)
            } else {
                say!(lang, "finding-other-load", device, read, written, our_read, our_written)
            }
        }
        Claim::Rebuilding { device, action } => say!(lang, "finding-rebuilding", device, action),
        Claim::Cap { device, server, iops, limit, seen } => {
            let (seen, limit) = match iops {
                true => (format!("{} IOPS", short(*seen)), limit.to_string()),
                false => (rate(*seen), rate(*limit as f64)),
            };
            if *server {
                say!(lang, "finding-cap-server", seen, device, limit)
            } else {
                say!(lang, "finding-cap", seen, device, limit)
            }
        }
        Claim::Bursts { waited_percent, wait_ns, p50_ns, iops, period_ns } => {
            let (waited, wait, half) =
                (percent(*waited_percent), time(*wait_ns as f64), time(*p50_ns as f64));
            let iops = format!("{iops:.0}");
            if *period_ns == 0 {
                say!(lang, "finding-bursts", waited, wait, half, iops)
            } else {
                let period = time(*period_ns as f64);
                say!(lang, "finding-bursts-every", waited, wait, half, iops, period)
            }
        }
        Claim::NoTime { percent: share } => say!(lang, "finding-no-time", part = percent(*share)),
        Claim::NotDurable { device } => {
            if device.is_empty() {
                say!(lang, "finding-not-durable")
            } else {
                say!(lang, "finding-not-durable-device-cache", device)
            }
        }
        Claim::SyncedAtEnd => say!(lang, "finding-synced-at-end"),
        Claim::NotCommitted { layer, app, server, commits } => {
            let (written, there) = (bytes(*app), bytes(*server));
            say!(lang, "finding-not-committed", layer, written, there, commits)
        }
        Claim::ExportUnknown { layer } => say!(lang, "finding-export-unknown", layer),
        Claim::SoftMount { layer, seconds } => {
            say!(lang, "finding-soft-mount", layer, seconds = short(*seconds))
        }
        Claim::AttributesCached { layer, seconds } => say!(lang, "finding-attributes-cached", layer, seconds),
        Claim::LinkLimit { interface, seen, payload, mbit, .. } => {
            let (seen, payload) = (rate(*seen as f64), rate(*payload as f64));
            say!(lang, "finding-link-limit", seen, interface, mbit, payload)
        }
        Claim::ShaperLimit { interface, shaper, seen, payload, mbit } => {
            let (seen, payload) = (rate(*seen as f64), rate(*payload as f64));
            say!(lang, "finding-shaper-limit", seen, interface, shaper, mbit, payload)
        }
        Claim::RateOfLink { interface, seen, payload, mbit, .. } => {
            let (seen, payload) = (rate(*seen as f64), rate(*payload as f64));
            say!(lang, "finding-rate-of-link", seen, interface, mbit, payload)
        }
        Claim::SegmentsRepeated { repeated, sent, own } => {
            let part = share(*repeated, *sent);
            match own {
                true => say!(lang, "finding-segments-repeated-own", repeated, sent, part),
                false => say!(lang, "finding-segments-repeated", repeated, sent, part),
            }
        }
        Claim::SmallPool { pool, groups, copies, osds } => {
            say!(lang, "finding-small-pool", pool, groups, copies, osds)
        }
        Claim::ClusterBusy { layer, recovering, scrubbing } => {
            say!(lang, "finding-cluster-busy", layer, recovering, scrubbing)
        }
        Claim::LibraryCache { library, bytes: size, policy } => {
            say!(lang, "finding-library-cache", library, size = bytes(*size), policy)
        }
        Claim::ReplicationLimit { seen, payload, copies, hosts, mbit } => {
            let (seen, payload) = (rate(*seen as f64), rate(*payload as f64));
            say!(lang, "finding-replication-limit", seen, payload, copies, hosts, mbit)
        }
        Claim::RequestsRepeated { layer, repeated, requests } => {
            say!(lang, "finding-requests-repeated", layer, repeated, requests)
        }
        Claim::Reconnected { layer, times } => say!(lang, "finding-reconnected", layer, times),
        Claim::ServerSilent { layer, longest_ns, setting, seconds } => {
            let longest = time(*longest_ns as f64);
            match seconds.map(short) {
                Some(seconds) => say!(lang, "finding-server-silent", layer, longest, setting, seconds),
                None => say!(lang, "finding-server-silent-waits", layer, longest, setting),
            }
        }
        Claim::StateCarried { before } => say!(lang, "finding-state-carried", before),
        Claim::NearlyFull { used_percent } => {
            let full = percent(*used_percent);
            say!(lang, "finding-nearly-full", full)
        }
        Claim::CopyOnWrite { kind } => say!(lang, "finding-copy-on-write", kind),
        Claim::RandomBeatsSequential { sequential, random_rate, sequential_rate } => {
            let (random, ordered) = (rate(*random_rate as f64), rate(*sequential_rate as f64));
            say!(lang, "finding-random-beats-sequential", random, ordered, sequential)
        }
        Claim::Memory { kind } if kind == "null" => say!(lang, "finding-memory-no-storage"),
        Claim::Memory { kind } => say!(lang, "finding-memory-no-device", kind),
        Claim::BelowMemory { device, kind } => say!(lang, "finding-below-memory", device, kind),
        Claim::Overlay { path } => say!(lang, "finding-overlay", path = fit_end(path, 24)),
        Claim::Failed { failed, ios } => {
            say!(lang, "finding-failed", failed, all = failed.saturating_add(*ios))
        }
        Claim::EndedEarly { signal } => say!(lang, "finding-ended-early", by = signal_name(*signal)),
        Claim::NotMeasured { why: Unmeasured::Interrupted } => say!(lang, "finding-interrupted"),
        Claim::NotMeasured { why: Unmeasured::Failed } => say!(lang, "finding-ended-by-error"),
        Claim::NotMeasured { why: Unmeasured::Nothing } => say!(lang, "finding-no-completion"),
        Claim::SizeTimesJobs { clones, each } => {
            let (whole, each) = (bytes(each.saturating_mul(u64::from(*clones))), bytes(*each));
            say!(lang, "finding-size-times-jobs", clones, each, whole)
        }
    }
}

/// Returns the advice for a claim; empty if nothing is to be done.
pub fn advice(lang: Lang, claim: &Claim) -> String {
    let advice = match claim {
        Claim::PageCache { .. } => word!(lang, "advice-page-cache"),
        Claim::WritesReturnedEarly { .. } => word!(lang, "advice-writes-returned-early"),
        Claim::WritesCached { .. } => word!(lang, "advice-writes-cached"),
        Claim::CacheBelow { upper, .. } => {
            return say!(lang, "advice-cache-below", upper);
        }
        Claim::AboveLink { .. } => word!(lang, "advice-above-link"),
        Claim::TooFastToTurn { .. } => word!(lang, "advice-too-fast-for-rotational"),
        Claim::TinySpan { .. } => word!(lang, "advice-tiny-span"),
        Claim::NoQueue { .. } => word!(lang, "advice-no-queue"),
        Claim::ThinkTime { blocks, asked, .. } if *blocks > 0 && *blocks < u64::from(*asked) => {
            word!(lang, "advice-think-time-blocks")
        }
        Claim::ThinkTime { .. } => word!(lang, "advice-think-time"),
        Claim::BlockingSubmit { buffered: true, .. } => word!(lang, "advice-blocking-submit-buffered"),
        Claim::BlockingSubmit { .. } => word!(lang, "advice-blocking-submit-direct"),
        Claim::NeverWritten { path, .. } => return say!(lang, "advice-never-written", path),
        Claim::Zeros { path, .. } => match words::job::fill_command(path, None) {
            Some(command) => return say!(lang, "advice-zeros-server", command, path),
            None => word!(lang, "advice-zeros"),
        },
        Claim::Compressible { .. } => word!(lang, "advice-compressible"),
        Claim::StepDown { .. } => word!(lang, "advice-step-down"),
        Claim::RateDropped { .. } => word!(lang, "advice-rate-dropped"),
        Claim::Unsteady { .. } => word!(lang, "advice-unsteady"),
        Claim::WriteBackCache { .. } => word!(lang, "advice-write-back-cache"),
        Claim::TooShort { .. } => word!(lang, "advice-too-short"),
        Claim::SizeRanOut { .. } => word!(lang, "advice-size-ran-out"),
        Claim::ShortStroke { .. } => word!(lang, "advice-short-stroke"),
        Claim::Overlap { .. } => word!(lang, "advice-overlap"),
        Claim::Repeated { .. } => word!(lang, "advice-repeated"),
        Claim::UnevenOffsets { .. } => word!(lang, "advice-uneven-offsets"),
        Claim::Generator { .. } => word!(lang, "advice-generator"),
        Claim::CpuTakenAway { .. } => word!(lang, "advice-cpu-limited"),
        Claim::CpuContention { .. } => word!(lang, "advice-cpu-contention"),
        Claim::CpusBusy { .. } => word!(lang, "advice-cpus-busy"),
        Claim::Stopped { .. } => word!(lang, "advice-stopped"),
        Claim::Pauses { .. } => word!(lang, "advice-pauses"),
        Claim::BelowMemory { .. } => word!(lang, "advice-below-memory"),
        Claim::Overlay { .. } => word!(lang, "advice-overlay"),
        Claim::FillingBuffers { .. } => word!(lang, "advice-filling-buffers"),
        Claim::FarNode { node, .. } => return say!(lang, "advice-far-node", node),
        Claim::SlowLink { .. } => word!(lang, "advice-slow-link"),
        Claim::SlowedByHeat { .. } => word!(lang, "advice-slowed-by-heat"),
        Claim::Misaligned { start_sector: None, .. } => word!(lang, "advice-misaligned"),
        Claim::Misaligned { .. } => word!(lang, "advice-misaligned-partition"),
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
        Claim::Cap { .. } => word!(lang, "advice-cap"),
        Claim::Bursts { .. } => word!(lang, "advice-bursts"),
        Claim::NoTime { .. } => word!(lang, "advice-no-time"),
        Claim::NotDurable { .. } => word!(lang, "advice-not-durable"),
        Claim::SyncedAtEnd => word!(lang, "advice-synced-at-end"),
        Claim::NotCommitted { .. } => word!(lang, "advice-not-committed"),
        Claim::ExportUnknown { .. } => word!(lang, "advice-export-unknown"),
        Claim::SoftMount { .. } => word!(lang, "advice-soft-mount"),
        Claim::AttributesCached { .. } => word!(lang, "advice-attributes-cached"),
        Claim::LinkLimit { .. } => word!(lang, "advice-link-limit"),
        Claim::ShaperLimit { .. } => word!(lang, "advice-shaper-limit"),
        Claim::RateOfLink { .. } => word!(lang, "advice-rate-of-link"),
        Claim::SegmentsRepeated { .. } => word!(lang, "advice-segments-repeated"),
        Claim::SmallPool { .. } => word!(lang, "advice-small-pool"),
        Claim::ClusterBusy { .. } => word!(lang, "advice-cluster-busy"),
        Claim::LibraryCache { .. } => word!(lang, "advice-library-cache"),
        Claim::ReplicationLimit { .. } => word!(lang, "advice-replication-limit"),
        Claim::RequestsRepeated { .. } => word!(lang, "advice-requests-repeated"),
        Claim::Reconnected { .. } => word!(lang, "advice-reconnected"),
        Claim::ServerSilent { .. } => word!(lang, "advice-server-silent"),
        Claim::StateCarried { .. } => word!(lang, "advice-state-carried"),
        Claim::NearlyFull { .. } => word!(lang, "advice-nearly-full"),
        Claim::RandomBeatsSequential { .. } => word!(lang, "advice-random-beats-sequential"),
        Claim::EndedEarly { .. } | Claim::NotMeasured { why: Unmeasured::Interrupted } => {
            word!(lang, "advice-interrupted")
        }
        Claim::NotMeasured { why: Unmeasured::Failed } => word!(lang, "advice-ended-by-error"),
        Claim::NotMeasured { why: Unmeasured::Nothing } => word!(lang, "advice-no-completion"),
        Claim::Failed { .. } => word!(lang, "advice-failed"),
        Claim::StartedLate { .. } => word!(lang, "advice-started-late"),
        Claim::Shallow { .. }
        | Claim::BusyIsNotFull { .. }
        | Claim::Stall { .. }
        | Claim::CopyOnWrite { .. }
        | Claim::Memory { .. }
        | Claim::SizeTimesJobs { .. } => "",
    };
    advice.to_string()
}

/// Returns the name of a signal; of SIGINT with the key that sends it.
pub(crate) fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "Ctrl-C (SIGINT)",
        3 => "SIGQUIT",
        12 => "SIGUSR2",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        other => return format!("signal {other}"),
    };
    name.into()
}

fn rate(bytes_per_second: f64) -> String {
    format!("{}/s", bytes(bytes_per_second as u64))
}

fn share(part: u64, whole: u64) -> String {
    percent(100.0 * part as f64 / whole.max(1) as f64)
}
