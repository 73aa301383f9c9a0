//! Rules about CPUs, hardware queues, I/O engines, and sector and request sizes.

use super::{Disk, Examined, Lines};
use facts::attach::Attachment;
use facts::layers::Device;
use facts::machine::{self, Available};
use facts::md::Array;
use facts::queue::Queue;
use facts::{cgroup, cpu, limits};
use stats::doctor::{EngineName, Fact, Severity, Topic};

/// Smallest queue size, requests, that is enough for the deepest pattern of the check.
const SHALLOW: u32 = 32;
/// Number of kernel AIO requests that a load of several jobs may need.
const AIO_ROOM: u64 = 1024;
/// Largest commonly measured block size, bytes.
const LARGE: u64 = 1 << 20;

pub(super) fn lines(examined: &Examined, lines: &mut Lines) {
    processors(examined, lines);
    for disk in &examined.disks {
        depth(disk, lines);
    }
    engines(examined, lines);
    block_sizes(examined, lines);
}

fn processors(examined: &Examined, lines: &mut Lines) {
    let (usable, online) = (cpu::allowed().len() as u32, cpu::online(examined.root).len() as u32);
    let severity = if usable < online { Severity::Note } else { Severity::Fine };
    lines.add(Topic::Queue, severity, Fact::Processors { usable, online: online.max(usable) });
    if let Some(cpus) = cgroup::limits(examined.root).cpus.filter(|c| *c < f64::from(usable)) {
        lines.add(Topic::Limits, Severity::Matters, Fact::CpuCap { cpus, usable });
    }
}

fn depth(disk: &Disk, lines: &mut Lines) {
    let Some(requests) = disk.queue.nr_requests else { return };
    let hardware_queues = disk.queue.hardware_queues.unwrap_or(1);
    let disk_takes = disk.queue.device_depth;
    let one = disk_takes == Some(1);
    let few_queues = disk.identity.attachment == Attachment::Nvme && hardware_queues == 1;
    let severity = match () {
        // A disk that accepts one request at a time cannot benefit from a greater depth.
        _ if one => Severity::Matters,
        _ if requests < SHALLOW || few_queues => Severity::Note,
        _ => Severity::Fine,
    };
    let device = disk.device.name.clone();
    lines.add(Topic::Queue, severity, Fact::Depth { device, hardware_queues, requests, disk_takes });
}

fn engines(examined: &Examined, lines: &mut Lines) {
    let errno = |tried| match tried {
        Available::Yes => None,
        Available::No(errno) => Some(errno),
    };
    let (uring, aio) = (errno(machine::io_uring()), errno(machine::libaio()));
    let both = uring.is_some() && aio.is_some();
    for (engine, errno) in [(EngineName::IoUring, uring), (EngineName::Libaio, aio)] {
        let severity = match errno {
            None => Severity::Fine,
            Some(_) if both => Severity::Matters,
            Some(_) => Severity::Note,
        };
        lines.add(Topic::Queue, severity, Fact::Engine { engine, errno });
    }
    if let Some((used, most)) =
        limits::aio(examined.root).filter(|(used, most)| most.saturating_sub(*used) < AIO_ROOM)
    {
        lines.add(Topic::Queue, Severity::Note, Fact::AioRoom { used, most });
    }
}

fn block_sizes(examined: &Examined, lines: &mut Lines) {
    let mut seen: Vec<(u64, u64)> = Vec::new();
    let bottom = examined.disks.iter().map(|d| &d.device);
    let devices: Vec<&Device> = examined.first().into_iter().chain(bottom).collect();
    for device in devices {
        let queue = Queue::of(examined.root, device);
        let sizes = (
            u64::from(queue.logical_block_bytes.unwrap_or(0)),
            u64::from(queue.physical_block_bytes.unwrap_or(0)),
        );
        if sizes.0 == 0 || seen.contains(&sizes) {
            continue;
        }
        seen.push(sizes);
        let (logical, physical) = sizes;
        let severity = if logical > 512 || physical > logical { Severity::Note } else { Severity::Fine };
        let device = device.name.clone();
        lines.add(Topic::BlockSize, severity, Fact::Sectors { device, logical, physical });
    }
    for disk in &examined.disks {
        if let Some(kib) = disk.queue.max_sectors_kib {
            let bytes = u64::from(kib) * 1024;
            let severity = if bytes < LARGE { Severity::Note } else { Severity::Fine };
            let device = disk.device.name.clone();
            lines.add(Topic::BlockSize, severity, Fact::LargestRequest { device, bytes });
        }
    }
    for device in examined.stack.devices() {
        if let Some(chunk) = Array::of(examined.root, device).and_then(|a| a.chunk) {
            let stripe = Queue::of(examined.root, device).optimal_io_bytes.filter(|s| *s > chunk);
            let device = device.name.clone();
            lines.add(Topic::BlockSize, Severity::Note, Fact::Stripe { device, chunk, stripe });
        }
    }
}
