//! CPUs: numbers of online CPUs, CPUs allowed for a thread, and idle time.

use crate::SysRoot;
use rustix::thread::{CpuSet, sched_getaffinity};

/// Returns the numbers of the online CPUs, ascending; empty if sysfs is not available.
pub fn online(root: &SysRoot) -> Vec<u32> {
    list(&root.read("/sys/devices/system/cpu/online").unwrap_or_default())
}

/// Returns the numbers of the CPUs that the calling thread may use, ascending; empty if sched_getaffinity(2) fails.
pub fn allowed() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).map(|cpu| cpu as u32).collect()
}

/// Returns for each online CPU its number and its idle time since boot in nanoseconds, in steps of 10 ms, including the
/// time in which tasks waited for I/O (idle and iowait of /proc/stat). Empty if /proc/stat is not available.
pub fn idle(root: &SysRoot) -> Vec<(u32, u64)> {
    let text = root.read("/proc/stat").unwrap_or_default();
    let tick = 1_000_000_000 / rustix::param::clock_ticks_per_second().max(1);
    let cpu = |line: &str| {
        let mut words = line.strip_prefix("cpu")?.split_whitespace();
        // The line without a number is the sum.
        let cpu = words.next().filter(|_| !line.starts_with("cpu "))?.parse().ok()?;
        // user, nice, system; then idle and iowait.
        let ticks: u64 = words.skip(3).take(2).filter_map(|n| n.parse::<u64>().ok()).sum();
        Some((cpu, ticks.saturating_mul(tick)))
    };
    text.lines().filter_map(cpu).collect()
}

/// Returns the numbers in a list in the kernel's format, such as `0-3,8`; parts that are not numbers are ignored.
pub fn list(text: &str) -> Vec<u32> {
    let range = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to) = (from.trim().parse::<u32>().ok()?, to.trim().parse::<u32>().ok()?);
        Some(from..=to.min(from.saturating_add(1 << 16)))
    };
    text.split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn idle_time_is_that_without_work_and_that_of_waiting_for_disks() {
        let dir = std::env::temp_dir().join(format!("fathom-facts-stat-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("proc")).unwrap();
        let text =
            "cpu  9 9 9 9 9 9 9 0 0 0\ncpu0 1 2 3 400 50 6 7 8 0 0\ncpu12 1 1 1 7 0 1 1 1 0 0\nintr 1 2 3\n";
        std::fs::write(dir.join("proc/stat"), text).unwrap();
        assert_eq!(idle(&SysRoot::at(&dir)), [(0, 4_500_000_000), (12, 70_000_000)]);
        std::fs::remove_dir_all(&dir).unwrap();
        let machine = SysRoot::machine();
        let cpus: Vec<u32> = idle(&machine).iter().map(|(cpu, _)| *cpu).collect();
        assert_eq!(cpus, online(&machine));
    }

    #[test]
    fn cpu_list_is_read_as_the_kernel_writes_it() {
        assert_eq!(list("0-3,8,10-11\n"), [0, 1, 2, 3, 8, 10, 11]);
        assert!(list("").is_empty());
        assert_eq!(list("x,2-,5-4,7"), [7]);
        let online = online(&SysRoot::machine());
        let allowed = allowed();
        assert!(
            !allowed.is_empty() && allowed.iter().all(|cpu| online.contains(cpu)),
            "{allowed:?} {online:?}"
        );
    }
}
