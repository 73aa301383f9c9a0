//! The machine around the disks: what virtualises it, how its processors are clocked, what is going on in it.

use crate::SysRoot;
use crate::attach::Identity;
use crate::cpu;
use crate::layers::Stack;
use std::path::Path;

/// Returns the name of the hypervisor; `None` on bare metal, or if no source names one.
pub fn hypervisor(root: &SysRoot) -> Option<String> {
    let dmi = |name: &str| root.read(format!("/sys/class/dmi/id/{name}")).unwrap_or_default();
    let flag = root
        .read("/proc/cpuinfo")
        .unwrap_or_default()
        .lines()
        .any(|l| l.starts_with("flags") && l.split_whitespace().any(|f| f == "hypervisor"));
    let xen = root.read("/sys/hypervisor/type").ok().filter(|t| !t.is_empty());
    let named = [dmi("sys_vendor"), dmi("product_name")].into_iter().filter(|t| !t.is_empty());
    let name: Vec<String> = named.collect();
    match (flag, xen) {
        (_, Some(kind)) => Some(kind),
        (true, None) if name.is_empty() => Some(String::new()),
        (true, None) => Some(name.join(" ")),
        (false, None) => None,
    }
}

/// Its name and its kernel's release; empty where nothing tells.
pub fn host(root: &SysRoot) -> stats::Host {
    let of = |name: &str| root.read(format!("/proc/sys/kernel/{name}")).unwrap_or_default();
    stats::Host { name: of("hostname"), kernel: of("osrelease"), ..stats::Host::default() }
}

/// The disks under a path, each with its vendor and model where it has them: `sda (ATA Samsung SSD 870)`.
pub fn disks(root: &SysRoot, path: &Path) -> Vec<String> {
    let Ok(stack) = Stack::under(root, path) else { return Vec::new() };
    let whole = stack.devices().map(|device| device.whole(root).unwrap_or_else(|| device.clone()));
    let bottom = whole.filter(|device| device.members(root).is_empty());
    let mut found: Vec<String> = bottom
        .map(|device| {
            let identity = Identity::of(root, &device);
            let words: Vec<&str> =
                [&identity.vendor, &identity.model].into_iter().flatten().map(|word| word.trim()).collect();
            if words.is_empty() {
                device.name.clone()
            } else {
                format!("{} ({})", device.name, words.join(" "))
            }
        })
        .collect();
    found.dedup();
    found
}

/// How the CPUs that this thread may use are clocked: each governor once; empty where the host decides.
pub fn governors(root: &SysRoot) -> Vec<String> {
    let mut found: Vec<String> = cpu::online(root)
        .into_iter()
        .filter_map(|n| root.read(format!("/sys/devices/system/cpu/cpu{n}/cpufreq/scaling_governor")).ok())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The clock that the kernel reads.
pub fn clocksource(root: &SysRoot) -> Option<String> {
    root.read("/sys/devices/system/clocksource/clocksource0/current_clocksource").ok()
}

/// The CPUs of each node of a NUMA machine.
pub fn nodes(root: &SysRoot) -> Vec<(u32, Vec<u32>)> {
    let dir = "/sys/devices/system/node";
    let node = |n: String| {
        let number = n.strip_prefix("node")?.parse().ok()?;
        Some((number, cpu::list(&root.read(format!("{dir}/{n}/cpulist")).ok()?)))
    };
    root.names(dir).into_iter().filter_map(node).collect()
}

/// Hundredths of a second of all CPUs together since the start: (taken by the hypervisor for others, all).
pub fn steal(root: &SysRoot) -> Option<(u64, u64)> {
    let text = root.read("/proc/stat").ok()?;
    // user nice system idle iowait irq softirq steal; guest time is in user already.
    let ticks: Vec<u64> = text
        .lines()
        .next()?
        .strip_prefix("cpu ")?
        .split_whitespace()
        .take(8)
        .filter_map(|n| n.parse().ok())
        .collect();
    Some((*ticks.get(7)?, ticks.iter().sum()))
}

/// Returns the share of the last 10 s in which tasks were stalled on I/O (PSI `some`), percent; `None` without PSI.
pub fn io_pressure(root: &SysRoot) -> Option<f64> {
    let text = root.read("/proc/pressure/io").ok()?;
    let some = text.lines().find_map(|l| l.strip_prefix("some "))?;
    some.split_whitespace().find_map(|w| w.strip_prefix("avg10=")?.parse().ok())
}

/// Bytes in the page cache that are yet to be written.
pub fn dirty_bytes(root: &SysRoot) -> Option<u64> {
    Some(crate::memory::field(root, "Dirty")? + crate::memory::field(root, "Writeback").unwrap_or(0))
}

/// Whether an engine can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Available {
    /// It was set up.
    Yes,
    /// The kernel refuses, with this errno.
    No(i32),
}

/// Sets up the smallest io_uring there is, has it answer an empty request, and takes it down again.
pub fn io_uring() -> Available {
    tried(sys::uring::Ring::probe())
}

/// The same with a context of kernel AIO.
pub fn libaio() -> Available {
    tried(sys::aio::Context::probe())
}

fn tried(set_up: std::io::Result<()>) -> Available {
    set_up.map_or_else(|e| Available::No(e.raw_os_error().unwrap_or(0)), |()| Available::Yes)
}
