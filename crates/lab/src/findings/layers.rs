//! Rules about the storage stack: the counters of each layer during the run, and the kinds of the layers.

use super::{Found, Run};
use job::job::{EngineChoice, SyncMode};
use stats::unit::MIB;
use stats::{Claim, Direction, DiskOutcome, LayerKind, Layers};
use std::path::Path;

/// Share of the bytes read that storage must have transferred; below it, the rest came from memory, M1.
pub(super) const SERVED: f64 = 0.9;
/// Smallest share of a layer's I/O that must reach the layer below; a smaller share shows a cache between the layers,
/// M2.
pub(super) const PASSED: f64 = 0.5;
/// Largest share of unwritten bytes that is not reported, percent, M8.
pub(super) const HOLES: u64 = 1;
/// Smallest ratio of the bytes that storage transferred to the bytes read with which no hole was read.
pub(super) const ALL_DATA: f64 = 0.99;
/// Share of zero blocks in the sample, percent, above which they are reported (M9).
pub(super) const ZEROS: u32 = 20;
/// Smallest load of other processes that is reported, as a share of the job's I/O, M32.
pub(super) const OTHERS: f64 = 0.02;
/// Smallest load of other processes that is reported, bytes, M32.
pub(super) const OTHERS_LEAST: u64 = 4 * MIB;
/// File systems that overwrite data in place, so that they write little besides the data.
const IN_PLACE: [&str; 4] = ["ext2", "ext3", "ext4", "xfs"];
/// Bytes that a file system writes to its journal for one sync.
pub(super) const JOURNAL: u64 = 64 << 10;
/// Share of the job's writes above which other writes to a file system of [`IN_PLACE`] are reported.
pub(super) const MANY: f64 = 0.25;
/// Largest ratio of bytes read to bytes requested that read-ahead of a loop device through the page cache explains.
const READ_AHEAD: u64 = 31;
/// Smallest number of additional reads under a loop device that is attributed to other processes, unless a hundredth of
/// the loop device's reads is more.
const EXTRA_READS: u64 = 100;
/// Device requests per I/O of the job from which I/Os count as split, M27.
pub(super) const SPLIT: f64 = 1.5;
/// Largest ratio of the requests per I/O to the number that the largest request gives, with which that size explains the
/// split, M27.
const BY_SIZE: f64 = 1.25;
/// I/Os of the job per device request from which I/Os count as merged, M27.
pub(super) const MERGED: f64 = 2.0;
/// Largest block size, bytes, for which IOPS are the usual figure; larger blocks are quoted in bandwidth.
pub(super) const SMALL_BLOCK: u64 = 64 << 10;
/// Ratio of a result to the capacity of the link from which the result is implausible, M2; the overhead of packets is
/// not subtracted.
pub(super) const ABOVE_LINK: f64 = 1.05;
/// Range of the ratio of a result to a cap within which the cap limited the result, M33.
pub(super) const AT_CAP: std::ops::Range<f64> = 0.85..1.15;
/// Smallest alignment, bytes: the physical sector of most disks and the page of the page cache, M26.
pub(super) const PAGE: u64 = 4096;

/// Number of I/Os with a busy time of zero from which a device counts as not accounting its busy time, M29.
pub(super) const NO_BUSY_IOS: u64 = 10_000;
/// Utilization from which a device is busy all the time, percent, M28.
pub(super) const UTIL: f64 = 95.0;
/// Used share of a file system above which it is nearly full, percent, M39.
pub(super) const FULL: f64 = 85.0;

pub(super) fn look(run: &Run<'_>, found: &mut Found) {
    let layers = &run.result.layers;
    if let Some(kind) = run.in_memory() {
        return found.run(Claim::Memory { kind: kind.to_owned() });
    }
    if layers.targets.is_empty() {
        if run.works().all(|w| matches!(w.job.engine, EngineChoice::Null { .. }))
            && run.works().next().is_some()
        {
            found.run(Claim::Memory { kind: "null".into() });
        }
        return;
    }
    without_data(run, found);
    page_cache(run, found);
    early(run, found);
    below(layers, found);
    memory(layers, found);
    alignment(run, found);
    sizes(run, found);
    busy(run, found);
    others(run, found);
    caps(run, found);
    links(run, found);
    heat(run, found);
    place(run, found);
}

/// Looks for other load on the device and for its limits. The alignment is needed to judge other load.
pub(super) fn disturbances(run: &Run<'_>, found: &mut Found) {
    if !run.result.layers.targets.is_empty() {
        alignment(run, found);
        others(run, found);
        caps(run, found);
    }
}

fn without_data(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    // Reads of holes reach no device: where the storage transferred all bytes read, there were no holes.
    let read = l.bytes(false);
    let fetched = [read.process, read.devices].into_iter().flatten().min().unwrap_or(0);
    let moved = |share: f64| fetched as f64 >= share * read.app as f64;
    let is_read = |path: &str| {
        let reads = |w: &&super::Work<'_>| w.ios(Direction::Read) > 0 && w.works_on(Path::new(path));
        run.works().any(|w| reads(&w))
    };
    for t in l.targets.iter().filter(|t| is_read(&t.path)) {
        let bytes = t.holes.unwrap_or(0).saturating_add(t.unwritten.unwrap_or(0));
        let path = t.path.clone();
        if bytes > t.size / 100 * HOLES && !moved(ALL_DATA) {
            found.run(Claim::NeverWritten { path, bytes, size: t.size });
        } else if let Some((zero, sampled)) =
            t.zero_blocks.zip(t.sampled_blocks).filter(|(zero, of)| zero * 100 > of * ZEROS)
        {
            // The lowest device with I/O counters.
            let lowest = t.names().filter_map(|name| l.device(name)).last();
            let memory = |d: &DiskOutcome| l.traits_of(&d.name).is_some_and(|t| t.kind == LayerKind::Zram);
            // zram stores a block of one repeated word as this word, without transferring data.
            let lowest = lowest.filter(|d| !memory(d));
            let moved = lowest.is_some_and(|d| (d.sectors[0] * 512) as f64 >= SERVED * read.app as f64);
            found.run(Claim::Zeros { path, zero, sampled, moved });
        }
    }
}

fn page_cache(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    let (read, write) = (l.bytes(false), l.bytes(true));
    let on_device = !l.top_devices().is_empty();
    let span = l.targets.iter().fold(0u64, |sum, t| sum.saturating_add(t.size));
    let memory = l.host.memory;
    let cached: u64 = l.targets.iter().filter_map(|t| t.cached_before).sum();
    // The file system returns zeros for holes, also with O_DIRECT; compressed blocks are fewer bytes.
    let explained = run.direct() && l.without_data().is_some_and(|n| n > 0);
    let compressed = l.targets.iter().any(|t| t.compresses) && cached < span / 10;
    if read.app > 0 && on_device && !explained && !compressed {
        // Bytes that the storage or the page cache delivered: reads of holes return zeros, which are no hits. I/Os are
        // taken to be spread evenly over the targets.
        let holes = l.without_data().unwrap_or(0).min(span) as f64 / span.max(1) as f64;
        let app = read.app.saturating_sub((read.app as f64 * holes) as u64);
        if let Some(storage) = read.process.filter(|p| (*p as f64) < SERVED * app as f64) {
            found.run(Claim::PageCache { app, storage, span, memory });
        }
    } else if let Some((_, traffic)) = l.server_file_system() {
        // The client of the file system counts the bytes that the server sent.
        let storage = traffic.server_bytes[0];
        if read.app > 0 && !run.direct() && super::network::cached_reads(read.app, storage) {
            found.run(Claim::PageCache { app: read.app, storage, span, memory });
        }
    } else if read.app > 0 && !on_device && !run.direct() && cached > span / 10 {
        // There is no device with counters: the share of the file in the page cache before the run is used. Pages of
        // holes are not data.
        let data = span.saturating_sub(l.without_data().unwrap_or(0));
        let share = cached.min(data) as f64 / span.max(1) as f64;
        let storage = (read.app as f64 * (1.0 - share.min(1.0))) as u64;
        found.run(Claim::PageCache { app: read.app, storage, span, memory });
    }
    let packed = l.targets.iter().any(|t| t.compresses);
    let past = run.works().any(|w| w.job.engine.writes_past_caches());
    let arrived = write.devices.filter(|_| write.app > 0 && on_device && !run.direct() && !packed && !past);
    if let Some(device) = arrived.filter(|d| (*d as f64) < SERVED * write.app as f64) {
        found.run(Claim::WritesCached { app: write.app, device });
    }
}

/// Finds buffered writes without a sync whose median latency is shorter than the device's time for a write: they
/// returned when the data was in memory, before the device had it.
fn early(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    let [top] = l.top_devices()[..] else { return };
    if top.ios[1] == 0 || top.ticks_ms[1] == 0 || found.has(|c| matches!(c, Claim::WritesCached { .. })) {
        return;
    }
    let device_ns = top.ticks_ms[1] as f64 * 1e6 / top.ios[1] as f64;
    for work in run.works().filter(|w| w.on_files() && !w.job.target.direct && !w.is_synced()) {
        let Some(p50_ns) = work.latency(Direction::Write).percentile(50.0) else { continue };
        if (p50_ns as f64) < PASSED * device_ns {
            found.job(work.job, Claim::WritesReturnedEarly { p50_ns, device: top.name.clone(), device_ns });
        }
    }
}

/// Finds devices whose data is in memory, and overlay file systems.
fn memory(l: &Layers, found: &mut Found) {
    let mut told: Vec<&str> = Vec::new();
    for target in &l.targets {
        let names: Vec<&str> = target.names().collect();
        if names.first() == Some(&"overlay") {
            found.run(Claim::Overlay { path: target.path.clone() });
        }
        let is_loop = |name: &str| l.traits_of(name).is_some_and(|t| t.kind == LayerKind::Loop);
        let on_memory =
            names.windows(2).find(|pair| is_loop(pair[0]) && matches!(pair[1], "tmpfs" | "ramfs"));
        let driver = |name: &str| {
            let traits = l.traits_of(name)?;
            // Results of earlier versions have no driver.
            traits.in_memory.as_deref().or((traits.kind == LayerKind::Zram).then_some("zram"))
        };
        let device = names.iter().find_map(|name| Some((*name, driver(name)?)));
        let found_here = on_memory.map(|pair| (pair[0], pair[1])).or(device);
        if let Some((device, kind)) = found_here.filter(|(device, _)| !told.contains(device)) {
            told.push(device);
            found.run(Claim::BelowMemory { device: device.to_owned(), kind: kind.to_owned() });
        }
    }
}

/// Finds caches between the process and the first device, and between a loop device and the device of its file.
fn below(l: &Layers, found: &mut Found) {
    let compared = |direction: Direction, upper: (&str, u64), lower: (&str, u64), found: &mut Found| {
        if upper.1 >= MIB && (lower.1 as f64) < PASSED * upper.1 as f64 {
            found.run(Claim::CacheBelow {
                direction,
                upper: upper.0.to_owned(),
                upper_bytes: upper.1,
                lower: lower.0.to_owned(),
                lower_bytes: lower.1,
            });
        }
    };
    let read = l.bytes(false);
    if let (Some(process), [top]) = (read.process, l.top_devices().as_slice()) {
        let process = process.min(read.app);
        compared(Direction::Read, ("process", process), (&top.name, top.sectors[0] * 512), found);
    }
    for target in &l.targets {
        let names: Vec<&str> = target.names().filter(|n| l.device(n).is_some()).collect();
        for pair in names.windows(2) {
            let loops = l.traits_of(pair[0]).is_some_and(|t| t.kind == LayerKind::Loop);
            let (Some(upper), Some(lower)) = (l.device(pair[0]), l.device(pair[1])) else { continue };
            for direction in [Direction::Read, Direction::Write].into_iter().filter(|_| loops) {
                let bytes = |d: &DiskOutcome| d.sectors[direction as usize] * 512;
                compared(direction, (pair[0], bytes(upper)), (pair[1], bytes(lower)), found);
            }
        }
    }
    // Targets on the same devices give the same findings.
    let mut once: Vec<stats::Finding> = Vec::new();
    for finding in found.0.drain(..) {
        if !once.contains(&finding) {
            once.push(finding);
        }
    }
    found.0 = once;
}

fn alignment(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    for t in &l.traits {
        let block = t.physical_block.max(PAGE);
        let start_sector = t.start_sector.filter(|s| (s * 512) % block != 0);
        // A stacked device has no start sector; the kernel reports its offset from a physical block or a RAID chunk.
        if start_sector.is_some() || t.alignment_offset % (block as i64).max(1) != 0 {
            found.run(Claim::Misaligned { device: t.name.clone(), start_sector, block });
        }
    }
    let sector = l.traits.iter().max_by_key(|t| t.physical_block.max(t.logical_block));
    for work in run.works().filter(|w| w.on_files() && w.ios(Direction::Write) > 0) {
        let (least, _) = work.job.pattern.block[Direction::Write as usize];
        let place = work.clones.iter().flat_map(|(c, _)| &c.files).map(|f| f.start).find(|s| s % PAGE != 0);
        let unit = |sector: u64| least % sector != 0 || place.is_some_and(|s| s % sector != 0);
        // Without O_DIRECT whole pages are read and written; only a sequential writer fills them without a read.
        let paged = !work.job.target.direct && work.random() && least % PAGE != 0;
        let claim = match sector.map(|t| (t, t.physical_block.max(t.logical_block))) {
            Some((t, sector))
                if sector > 512 && unit(sector) && (work.job.target.direct || work.random()) =>
            {
                Some((t.name.clone(), sector))
            }
            _ if paged => Some(("page cache".to_owned(), PAGE)),
            _ => None,
        };
        if let Some((device, sector)) = claim {
            found.job(work.job, Claim::PartialSector { device, block: least, sector });
        }
    }
}

/// Compares the number of I/Os of the jobs with that of the device, where both moved the same bytes.
fn sizes(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    let [top] = l.top_devices()[..] else { return };
    for at in [0, 1] {
        let (ours, its) = (l.app_ios[at], top.ios[at]);
        let (bytes, device_bytes) = (l.app_bytes[at], top.sectors[at] * 512);
        let alike = bytes.abs_diff(device_bytes) <= bytes / 10;
        if ours < 100 || its == 0 || !alike {
            continue;
        }
        let (block, ratio) = (bytes / ours, its as f64 / ours as f64);
        let device = top.name.clone();
        if ratio >= SPLIT {
            // A limit that gives fewer requests, or none at all, does not explain the split; the number of segments or
            // a lower layer may.
            let explains =
                |most: &u64| *most < block && ratio <= BY_SIZE * block.div_ceil((*most).max(1)) as f64;
            let most = l.traits_of(&top.name).and_then(|t| t.largest_request).filter(explains);
            found.run(Claim::Split { device, ratio, block, most });
        } else if ratio <= 1.0 / MERGED && block < SMALL_BLOCK {
            found.run(Claim::Merged { device, ratio: 1.0 / ratio, block });
        }
    }
}

fn busy(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    for top in l.top_devices() {
        let ios: u64 = top.ios.iter().sum();
        let ticks: u64 = top.ticks_ms.iter().sum();
        let memory = l.traits_of(&top.name).is_some_and(|t| t.kind == LayerKind::Zram);
        let at_once = top.in_queue_ms as f64 / l.wall_ms.max(1) as f64;
        let device = top.name.clone();
        let [read, write] = [l.bytes(false), l.bytes(true)];
        let reached_it = [&read, &write].iter().all(|b| b.devices.is_none_or(|d| b.agrees(d)));
        if ios >= NO_BUSY_IOS && ticks == 0 && top.in_queue_ms == 0 && top.util_percent == 0.0 && !memory {
            found.run(Claim::NoBusyTime { device });
        } else if top.util_percent >= UTIL && at_once >= 1.5 {
            found.run(Claim::BusyIsNotFull { device, util_percent: top.util_percent, at_once });
        } else if top.util_percent < 50.0
            && l.depth_reached >= 0.9
            && at_once < 0.3 * l.depth_reached
            && l.busiest_thread_percent < 50.0
            && ios > 0
            && !memory
            && reached_it
            && !found.has(|c| matches!(c, Claim::Failed { .. }))
        {
            let util_percent = top.util_percent;
            found.run(Claim::IdleWhileWaiting { device, util_percent, in_flight: l.depth_reached });
        }
    }
}

/// Finds drives whose own counters say that their temperature slowed them down during the run.
fn heat(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    for t in &l.traits {
        let Some([before, after]) = t.heat else { continue };
        let slowed = after.slowed.saturating_sub(before.slowed);
        let slowed_s = after.slowed_s.saturating_sub(before.slowed_s);
        let warning_minutes = after.warning_minutes.saturating_sub(before.warning_minutes);
        if slowed == 0 && slowed_s == 0 && warning_minutes == 0 {
            continue;
        }
        let seconds = slowed_s.max(60 * u64::from(warning_minutes)) as f64;
        let share_percent = (100.0 * 1e3 * seconds / l.wall_ms.max(1) as f64).min(100.0);
        let device = t.name.clone();
        found.run(Claim::SlowedByHeat { device, slowed, slowed_s, warning_minutes, share_percent });
    }
}

/// Finds links that are slower than they could be, and results above the capacity of a link.
fn links(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    let seen: u64 = run.works().flat_map(|w| Direction::ALL.map(|d| w.rate(d))).max().unwrap_or(0);
    for t in &l.traits {
        let Some([now, most]) = t.link else { continue };
        let device = || t.name.clone();
        if now < most {
            found.run(Claim::SlowLink { device: device(), now, most });
        }
        if seen as f64 > ABOVE_LINK * now as f64 {
            found.run(Claim::AboveLink { device: device(), seen, ceiling: now });
        }
    }
}

fn others(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    for t in &l.traits {
        if let Some(action) = &t.rebuilding {
            found.run(Claim::Rebuilding { device: t.name.clone(), action: action.clone() });
        }
    }
    let [top] = l.top_devices()[..] else { return };
    others_below(run, top, found);
    let on_file = l.targets.iter().any(|t| t.names().next() != Some(top.name.as_str()));
    let partial = found.has(|c| matches!(c, Claim::PartialSector { .. }));
    let app = [l.app_bytes[0], l.app_bytes[1] + l.app_bytes[2]];
    let device = top.sectors.map(|s| s * 512);
    let total = app[0] + app[1];
    // Requests of the process itself are not other load. A request that failed, or that the kernel returned because it
    // would have blocked (io_uring tries without blocking first) and that was submitted again, is counted by the
    // process and by stacked devices.
    let sent = [l.bytes(false), l.bytes(true)].map(|b| b.process);
    let ours = |at: usize| sent[at].is_some_and(|s| device[at].abs_diff(s) <= (s / 100).max(MIB));
    let beyond = |at: usize| {
        let more = device[at].saturating_sub(app[at]);
        !ours(at) && more >= OTHERS_LEAST && more as f64 > OTHERS * total as f64
    };
    // Without O_DIRECT the kernel reads ahead, and writes dirty pages at a time of its own.
    let reads = run.direct() && !partial && beyond(0);
    // Journal and metadata writes of a file system look like other load. Additional writes are reported only if the
    // file system overwrites in place and they are many.
    let journals_data = || facts::layers::mounts(run.root).iter().any(|m| m.options.contains("data=journal"));
    let in_place = l.targets.iter().all(|t| t.names().next().is_some_and(|fs| IN_PLACE.contains(&fs)))
        && !journals_data();
    let journal = run.works().map(super::Work::syncs).sum::<u64>().saturating_mul(JOURNAL);
    let more = device[1].saturating_sub(app[1]).saturating_sub(journal);
    let plain = !run.works().any(|w| w.job.target.sync != SyncMode::None);
    let many = in_place && plain && more as f64 > MANY * app[1] as f64;
    let writes = run.direct() && (!on_file || app[1] == 0 || many) && beyond(1);
    if reads || writes {
        found.run(Claim::OtherLoad {
            device: top.name.clone(),
            device_bytes: device,
            // Reads of holes do not reach a device.
            app_bytes: [0, 1].map(|at| sent[at].map_or(app[at], |sent| sent.min(app[at]))),
            file_system: on_file,
        });
    }
}

/// Finds other load on the device of a loop device's file, or of a partition: more I/O than the layer above sent.
fn others_below(run: &Run<'_>, top: &DiskOutcome, found: &mut Found) {
    let l = &run.result.layers;
    if !run.direct() {
        return;
    }
    // For a write smaller than a sector, the cache of a loop device reads the rest of the sector and writes all of it.
    if found.has(|c| matches!(c, Claim::PartialSector { .. })) {
        return;
    }
    let moved = |d: &DiskOutcome| d.sectors.map(|sectors| sectors.saturating_mul(512));
    for target in &l.targets {
        let chain: Vec<&DiskOutcome> = target.names().filter_map(|name| l.device(name)).collect();
        for pair in chain.windows(2).filter(|_| chain[0].name == top.name) {
            let (upper, lower) = (pair[0], pair[1]);
            let kind = l.traits_of(&upper.name).map(|t| t.kind);
            let is_loop = kind == Some(LayerKind::Loop);
            if !is_loop && kind != Some(LayerKind::Partition) {
                continue;
            }
            let (above, below) = (moved(upper), moved(lower));
            // A loop device through the page cache reads ahead: more bytes in no more I/Os.
            let extra = lower.ios[0].saturating_sub(upper.ios[0]);
            let reads_ahead = is_loop && extra < (upper.ios[0] / 100).max(EXTRA_READS);
            let ahead = if reads_ahead { above[0].saturating_mul(READ_AHEAD) } else { 0 };
            // Writes of a loop device from before the run may arrive during it, and its file system has a journal.
            let write_share = if is_loop && above[1] > 0 { MANY } else { OTHERS };
            let total = above[0].saturating_add(above[1]) as f64;
            let many = |bytes: u64, share: f64| bytes >= OTHERS_LEAST && bytes as f64 > share * total;
            let (read, written) = (below[0].saturating_sub(above[0]), below[1].saturating_sub(above[1]));
            if many(read.saturating_sub(ahead), OTHERS) || many(written, write_share) {
                return found.run(Claim::OtherLoad {
                    device: lower.name.clone(),
                    device_bytes: below,
                    app_bytes: above,
                    file_system: is_loop,
                });
            }
        }
    }
}

fn caps(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    // A rate that was requested and reached is not limited by the cap, however near the cap is.
    if run.keeps_its_pace() {
        return;
    }
    for direction in [Direction::Read, Direction::Write] {
        let iops: f64 = run.works().map(|w| w.iops(direction)).sum();
        let rate = run.works().fold(0u64, |sum, w| sum.saturating_add(w.rate(direction)));
        at_cap(l, direction, (iops, rate as f64), found);
    }
}

/// Finds the limits of the devices that IOPS and bytes per second of one direction reach.
pub(super) fn at_cap(l: &Layers, direction: Direction, (iops, rate): (f64, f64), found: &mut Found) {
    let at = direction as usize;
    let devices = l.traits.iter().map(|t| (&t.name, &t.cap, false));
    let servers = l.targets.iter().map(|t| (&t.path, &t.cap, true));
    for (name, cap, server) in devices.chain(servers) {
        for (is_iops, limit, seen) in [(true, cap.iops[at], iops), (false, cap.bytes_per_second[at], rate)] {
            if let Some(limit) = limit.filter(|l| AT_CAP.contains(&(seen / *l as f64))) {
                found.run(Claim::Cap { device: name.clone(), server, iops: is_iops, limit, seen });
            }
        }
    }
}

/// Finds a nearly full or copy-on-write file system, and a disk on another NUMA node than the jobs' CPUs.
fn place(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    if let Some(used_percent) = l.targets.iter().filter_map(|t| t.used_percent).find(|u| *u > FULL) {
        // A file system made for this file is expected to be full.
        if l.app_bytes[1] > 0 && l.targets.iter().map(|t| t.size).sum::<u64>() > 0 && !mostly_ours(l) {
            found.run(Claim::NearlyFull { used_percent });
        }
    }
    let kind = l
        .targets
        .iter()
        .filter_map(|t| t.names().next())
        .find(|k| matches!(*k, "btrfs" | "zfs" | "bcachefs"));
    if let Some(kind) = kind.filter(|_| run.works().any(|w| w.random() && w.ios(Direction::Write) > 0)) {
        found.run(Claim::CopyOnWrite { kind: kind.to_owned() });
    }
    let (allowed, nodes) = (facts::cpu::allowed(), facts::machine::nodes(run.root));
    for t in &l.traits {
        let Some(node) = t.node else { continue };
        let Some((_, near)) = nodes.iter().find(|(number, _)| *number == node) else { continue };
        let of_jobs: Vec<u32> = run.works().flat_map(|w| w.job.host.cpus.clone()).collect();
        let on = if of_jobs.is_empty() { &allowed } else { &of_jobs };
        if !near.is_empty() && !on.iter().any(|cpu| near.contains(cpu)) {
            found.run(Claim::FarNode { device: t.name.clone(), node });
        }
    }
}

/// Returns whether the targets take more than half of the first device.
fn mostly_ours(l: &Layers) -> bool {
    let ours = l.targets.iter().fold(0u64, |sum, t| sum.saturating_add(t.size));
    let device = l.top_devices().first().and_then(|d| l.traits_of(&d.name)).map_or(0, |t| t.size);
    ours > device / 2
}
