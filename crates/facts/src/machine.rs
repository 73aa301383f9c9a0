//! Properties of the machine: hypervisor, host name, disks, CPU frequency governors, NUMA nodes, and current load.

use crate::SysRoot;
use crate::attach::Identity;
use crate::cpu;
use crate::layers::Stack;
use std::path::Path;

/// Returns the name of the hypervisor; empty if a hypervisor exists and is not named, `None` on bare metal.
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

/// Returns the host name and kernel release; empty if /proc is not available.
pub fn host(root: &SysRoot) -> stats::Host {
    let of = |name: &str| root.read(format!("/proc/sys/kernel/{name}")).unwrap_or_default();
    stats::Host { name: of("hostname"), kernel: of("osrelease"), ..stats::Host::default() }
}

/// Returns the disks under a path, with vendor and model if known: `sda (ATA Samsung SSD 870)`.
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

/// Returns the CPU frequency governors of the online CPUs, each once; empty if the host of a virtual machine controls
/// the frequency.
pub fn governors(root: &SysRoot) -> Vec<String> {
    let mut found: Vec<String> = cpu::online(root)
        .into_iter()
        .filter_map(|n| root.read(format!("/sys/devices/system/cpu/cpu{n}/cpufreq/scaling_governor")).ok())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Returns the kernel's current clock source, such as `tsc`; `None` if sysfs is not available.
pub fn clocksource(root: &SysRoot) -> Option<String> {
    root.read("/sys/devices/system/clocksource/clocksource0/current_clocksource").ok()
}

/// Returns the numbers of the NUMA nodes and their CPUs.
pub fn nodes(root: &SysRoot) -> Vec<(u32, Vec<u32>)> {
    let dir = "/sys/devices/system/node";
    let node = |n: String| {
        let number = n.strip_prefix("node")?.parse().ok()?;
        Some((number, cpu::list(&root.read(format!("{dir}/{n}/cpulist")).ok()?)))
    };
    root.names(dir).into_iter().filter_map(node).collect()
}

/// Returns the clock ticks (10 ms) of all CPUs since boot: stolen by the hypervisor, and in total. `None` if /proc/stat
/// is not available.
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

/// Returns the dirty bytes in the page cache, including those in writeback; `None` if /proc/meminfo is not available.
pub fn dirty_bytes(root: &SysRoot) -> Option<u64> {
    Some(crate::memory::field(root, "Dirty")? + crate::memory::field(root, "Writeback").unwrap_or(0))
}

/// Result of a test whether an engine works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Available {
    /// The engine was set up successfully.
    Yes,
    /// The kernel refused with this errno.
    No(i32),
}

/// Tests io_uring: sets up the smallest ring, completes an empty request and closes the ring.
pub fn io_uring() -> Available {
    tried(sys::uring::Ring::probe())
}

/// Tests Linux AIO: sets up and destroys a context.
pub fn libaio() -> Available {
    tried(sys::aio::Context::probe())
}

fn tried(set_up: std::io::Result<()>) -> Available {
    set_up.map_or_else(|e| Available::No(e.raw_os_error().unwrap_or(0)), |()| Available::Yes)
}
