//! CPUs: how many there are, and which of them this thread may use.

use crate::SysRoot;
use rustix::thread::{CpuSet, sched_getaffinity};

/// Numbers of the CPUs that are online, ascending; empty if the kernel does not say.
pub fn online(root: &SysRoot) -> Vec<u32> {
    list(&root.read("/sys/devices/system/cpu/online").unwrap_or_default())
}

/// Numbers of the CPUs that the calling thread may run on, ascending; empty if the kernel does not say.
pub fn allowed() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).map(|cpu| cpu as u32).collect()
}

/// The kernel's way to write a set: `0-3,8`. What is not a number is left out.
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
    use super::*;

    #[test]
    fn a_list_is_read_as_the_kernel_writes_it_and_this_thread_runs_on_an_online_cpu() {
        assert_eq!(list("0-3,8,10-11\n"), [0, 1, 2, 3, 8, 10, 11]);
        assert_eq!(list(""), []);
        assert_eq!(list("x,2-,5-4,7"), [7]);
        let online = online(&SysRoot::machine());
        let allowed = allowed();
        assert!(
            !allowed.is_empty() && allowed.iter().all(|cpu| online.contains(cpu)),
            "{allowed:?} {online:?}"
        );
    }
}
