//! Rules about the load of other processes, and about limits of this process.

use super::{Examined, Lines};
use facts::disk::Counters;
use facts::layers::Device;
use facts::md::{Array, Sync, SyncKind};
use facts::queue::Queue;
use facts::{cgroup, machine};
use stats::doctor::{ArrayWork, Fact, Severity, Topic};
use std::time::{Duration, Instant};

/// Utilization from which a device counts as used by other processes, percent.
const BUSY_PERCENT: f64 = 2.0;
/// I/Os per second from which a device counts as used by other processes: more than the journal of an idle file system
/// writes.
const BUSY_IOS: f64 = 20.0;
/// Utilization by other processes from which a measurement is spoiled, percent.
const TAKEN_PERCENT: f64 = 50.0;
/// Largest share of time with tasks stalled on I/O that counts as noise, percent.
const PRESSURE_PERCENT: f64 = 5.0;
/// Amount of dirty pages that even a slow disk writes back within about a second, bytes.
const DIRTY: u64 = 64 << 20;
/// Largest share of CPU time taken by the hypervisor (steal) that counts as noise, percent.
const STEAL_PERCENT: f64 = 1.0;
/// Memory left under the limit of the control group, bytes, below which the page cache starts writeback early.
const LITTLE_MEMORY: u64 = 1 << 30;

pub(super) fn lines(examined: &Examined, look: Duration, lines: &mut Lines) {
    watch(examined, look, lines);
    // Both figures are of the whole system: they matter for this target only if its own devices are busy, too.
    let busy = lines.0.iter().any(|l| l.topic == Topic::Load && l.severity > Severity::Fine);
    let on_disk = examined.first().is_some();
    if let Some(percent) = machine::io_pressure(examined.root).filter(|_| on_disk) {
        let severity = match percent > PRESSURE_PERCENT {
            true if busy => Severity::Matters,
            true => Severity::Note,
            false => Severity::Fine,
        };
        lines.add(Topic::Load, severity, Fact::Pressure { percent });
    }
    if let Some(bytes) = machine::dirty_bytes(examined.root).filter(|_| on_disk) {
        let severity = if bytes > DIRTY { Severity::Note } else { Severity::Fine };
        lines.add(Topic::Load, severity, Fact::Dirty { bytes });
    }
    for device in examined.stack.devices() {
        array(examined, device, lines);
    }
    caps(examined, lines);
}

fn watch(examined: &Examined, look: Duration, lines: &mut Lines) {
    let devices: Vec<&Device> = examined.stack.devices().collect();
    let counters = |d: &Device| Counters::read(examined.root, d.number);
    let before: Vec<Option<Counters>> = devices.iter().map(|d| counters(d)).collect();
    let stolen = machine::steal(examined.root);
    let began = Instant::now();
    std::thread::sleep(look);
    let elapsed_ms = began.elapsed().as_secs_f64() * 1000.0;
    for (device, before) in devices.iter().zip(before) {
        let Some((now, before)) = counters(device).zip(before) else { continue };
        let did = now.since(&before, &device.name, elapsed_ms);
        let ios: u64 = did.ios.iter().sum();
        let in_flight = Queue::of(examined.root, device).in_flight.unwrap_or(0);
        let util_percent = did.util_percent;
        let severity = match util_percent {
            u if u >= TAKEN_PERCENT => Severity::Spoils,
            u if u >= BUSY_PERCENT || ios as f64 * 1000.0 / elapsed_ms.max(1.0) >= BUSY_IOS => {
                Severity::Matters
            }
            // A request that stays in flight without completing.
            _ if in_flight > 0 && ios == 0 => Severity::Matters,
            _ => Severity::Fine,
        };
        // The load of a partition is included in that of its disk; idle layers above the disks are left out.
        let bottom = examined.disks.iter().any(|d| d.device.number == device.number);
        if !bottom && (severity == Severity::Fine || device.kind == facts::layers::DeviceKind::Partition) {
            continue;
        }
        let bytes = did.sectors.iter().sum::<u64>().saturating_mul(512);
        let (device, look_ms) = (device.name.clone(), elapsed_ms.round() as u64);
        lines.add(Topic::Load, severity, Fact::Busy { device, look_ms, ios, bytes, util_percent, in_flight });
    }
    if let Some(((then, all_then), (now, all_now))) = stolen.zip(machine::steal(examined.root))
        && machine::hypervisor(examined.root).is_some()
    {
        let all = all_now.saturating_sub(all_then).max(1) as f64;
        let percent = now.saturating_sub(then) as f64 * 100.0 / all;
        let severity = if percent > STEAL_PERCENT { Severity::Matters } else { Severity::Fine };
        lines.add(Topic::Host, severity, Fact::Steal { percent });
    }
}

fn array(examined: &Examined, device: &Device, lines: &mut Lines) {
    let Some(array) = Array::of(examined.root, device) else { return };
    let (name, level) = (|| device.name.clone(), || array.level.clone());
    let work = match array.sync {
        Sync::Idle => None,
        Sync::Waiting => Some(ArrayWork::Waiting),
        Sync::Running(kind) => Some(match kind {
            SyncKind::Resync => ArrayWork::Resync,
            SyncKind::Recover => ArrayWork::Recover,
            SyncKind::Reshape => ArrayWork::Reshape,
            SyncKind::Check => ArrayWork::Check,
            SyncKind::Repair => ArrayWork::Repair,
        }),
    };
    if let Some(work) = work {
        // A delayed resync uses no bandwidth yet but may begin at any time.
        let severity = if work == ArrayWork::Waiting { Severity::Matters } else { Severity::Spoils };
        let done_percent = array.done_percent;
        lines.add(
            Topic::Load,
            severity,
            Fact::ArrayBusy { device: name(), level: level(), work, done_percent },
        );
    }
    if array.degraded > 0 {
        let fact =
            Fact::Degraded { device: name(), level: level(), missing: array.degraded, disks: array.disks };
        lines.add(Topic::Load, Severity::Spoils, fact);
    }
    if work.is_none() && array.degraded == 0 {
        // Small writes to these arrays need reads first, and a write-intent bitmap adds writes.
        let parity = ["raid4", "raid5", "raid6"].contains(&array.level.as_str());
        let severity = if parity || array.bitmap { Severity::Note } else { Severity::Fine };
        let fact = Fact::Array { device: name(), level: level(), disks: array.disks, bitmap: array.bitmap };
        lines.add(Topic::Load, severity, fact);
    }
}

fn caps(examined: &Examined, lines: &mut Lines) {
    let limits = cgroup::limits(examined.root);
    let mut capped = false;
    for cap in &limits.io {
        let Some(device) = examined.stack.devices().find(|d| d.number == cap.device) else { continue };
        let (bytes_per_second, iops) = (cap.bytes_per_second, cap.iops);
        if bytes_per_second.iter().chain(&iops).any(Option::is_some) {
            capped = true;
            let fact = Fact::IoCap { device: device.name.clone(), bytes_per_second, iops };
            lines.add(Topic::Limits, Severity::Spoils, fact);
        }
    }
    if !capped && examined.first().is_some() {
        lines.add(Topic::Limits, Severity::Fine, Fact::NoIoCap);
    }
    if let Some(left_bytes) = limits.memory_left_bytes.filter(|left| *left < LITTLE_MEMORY) {
        lines.add(Topic::Limits, Severity::Note, Fact::MemoryCap { left_bytes });
    }
}
