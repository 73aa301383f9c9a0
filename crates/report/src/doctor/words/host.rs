//! What goes on beside: load, limits, the host.

use super::{Words, raw, say};
use crate::scale::{bytes, percent, short};
use stats::doctor::*;

pub(super) fn load(fact: &Fact) -> Words {
    match fact {
        Fact::Busy { device, look_ms, ios, bytes: n, util_percent, in_flight } => {
            let fact = if *ios == 0 && *in_flight == 0 {
                format!("{device} was idle for {look_ms} ms")
            } else {
                let fly = if *in_flight > 0 { format!(", {in_flight} in flight") } else { String::new() };
                format!(
                    "{device} in {look_ms} ms: {ios} I/Os, {}, busy {}{fly}",
                    bytes(*n),
                    percent(*util_percent)
                )
            };
            let why = if *ios == 0 && *in_flight > 0 {
                "I/Os are waiting and none is answered: the disk hangs, or is capped"
            } else {
                "others use it: their I/O takes from yours, and yours waits for theirs"
            };
            say(fact, why, "find them (iotop, pidstat -d) and stop them, or say so with the figures")
        }
        Fact::Pressure { percent: p } => say(
            format!("somebody waited for a disk in {} of the last 10 s", percent(*p)),
            "this machine's disks are in use, this target's or others",
            "wait until it is over",
        ),
        Fact::Dirty { bytes: n } => say(
            format!("{} in the page cache are yet to be written", bytes(*n)),
            "they will be written during the test",
            "sync, then begin",
        ),
        Fact::ArrayBusy { device, level, work: ArrayWork::Waiting, done_percent: _ } => say(
            format!("{device} ({level}) has a resync that waits or is stopped"),
            "it may begin during the test, and until then the members are not equal",
            "let it finish: /proc/mdstat",
        ),
        Fact::ArrayBusy { device, level, work, done_percent } => {
            let work = match work {
                ArrayWork::Resync => "makes its members equal (resync)",
                ArrayWork::Recover => "fills a new member (recovery)",
                ArrayWork::Reshape => "changes its layout (reshape)",
                ArrayWork::Check | ArrayWork::Waiting => "reads and compares all members (check)",
                ArrayWork::Repair => "reads and mends all members (repair)",
            };
            // Only what nobody waits for may be stopped.
            let act = match work.ends_with("(check)") || work.ends_with("(repair)") {
                true => {
                    format!("wait (/proc/mdstat), or stop it: echo idle > /sys/block/{device}/md/sync_action")
                }
                false => "wait until it is done: /proc/mdstat".into(),
            };
            let done = done_percent.map_or(String::new(), |p| format!(", {p} % done"));
            say(
                format!("{device} ({level}) {work}{done}"),
                "its reads and writes go on beside the test and take turns with it",
                act,
            )
        }
        Fact::Degraded { device, level, missing, disks } => {
            let of = disks.map_or(String::new(), |d| format!(" of {d}"));
            say(
                format!("{device} ({level}) lacks {missing}{of} members"),
                match level.as_str() {
                    "raid4" | "raid5" | "raid6" => {
                        "what the missing one held is computed from all others at each read"
                    }
                    _ => "reads have fewer disks to go to, writes fewer to wait for",
                },
                "replace the member, wait for the recovery, then measure",
            )
        }
        Fact::Array { device, level, disks, bitmap } => {
            let of = disks.map_or(String::new(), |d| format!(" of {d}"));
            let with = if *bitmap { ", with a write-intent bitmap" } else { "" };
            let mut why = Vec::new();
            match level.as_str() {
                "raid4" | "raid5" => why.push("a small write is two reads and two writes"),
                "raid6" => why.push("a small write is three reads and three writes"),
                _ => {}
            }
            if *bitmap {
                why.push("the bitmap is written before random writes");
            }
            say(
                format!("{device}: {level}{of} members, whole and idle{with}"),
                why.join("; "),
                "expect fewer random writes than the members could do together",
            )
        }
        other => raw(other),
    }
}

pub(super) fn limits(fact: &Fact) -> Words {
    match fact {
        Fact::IoCap { device, bytes_per_second, iops } => {
            let rates = bytes_per_second
                .iter()
                .zip(["read", "written"])
                .filter_map(|(n, d)| n.map(|n| format!("{}/s {d}", bytes(n))));
            let counts = iops
                .iter()
                .zip(["reads", "writes"])
                .filter_map(|(n, d)| n.map(|n| format!("{} {d}/s", count(n))));
            let all: Vec<String> = rates.chain(counts).collect();
            say(
                format!("a control group caps {device} for this process: {}", all.join(", ")),
                "the cap is measured, not the disk; iostat shows an idle disk meanwhile",
                "run outside that group (systemd slice, container), or measure the cap on purpose",
            )
        }
        Fact::NoIoCap => say("no control group caps these devices for this process", "", ""),
        Fact::CpuCap { cpus, usable } => say(
            format!("a control group caps processor time at {} of {usable} processors", short(*cpus)),
            "the load generator is stopped part of the time: latencies have gaps that are not the disk's",
            "lift cpu.max, or keep jobs x load below it",
        ),
        Fact::MemoryCap { left_bytes } => say(
            format!("{} of memory are left to this process's control group", bytes(*left_bytes)),
            "buffered writes are written back early, and many jobs do not fit",
            "direct=1, or lift memory.max",
        ),
        other => raw(other),
    }
}

/// Whole numbers are not rounded: they were set by somebody.
fn count(n: u64) -> String {
    n.to_string()
}

pub(super) fn host(line: &Line) -> Words {
    match &line.fact {
        Fact::Pcie {
            device,
            width,
            speed,
            most_width,
            most_speed,
            bytes_per_second,
            most_bytes_per_second,
        } => say(
            format!(
                "{device}: PCIe x{width} at {speed} GT/s of x{most_width} at {most_speed} GT/s: at most {}/s of {}/s",
                bytes(*bytes_per_second),
                bytes(*most_bytes_per_second)
            ),
            "the slot, an adapter or a bad contact holds the link down: its rate is measured, not the disk's",
            "another slot; look for AER errors (dmesg); power saving of the link (pcie_aspm) off",
        ),
        Fact::Sata { device, tenths, limit_tenths, bytes_per_second } => {
            let rate = |t: u32| format!("{}.{} Gbit/s", t / 10, t % 10);
            let held = limit_tenths
                .filter(|l| *l < 60)
                .map_or(String::new(), |l| format!(", held down to {}", rate(l)));
            let most = bytes(*bytes_per_second);
            say(
                format!("{device}: SATA at {}{held}: at most {most}/s", rate(*tenths)),
                "port, cable, backplane or an old disk allows no more, or errors held it down: that is what is measured",
                "another port or cable; look for link resets in dmesg",
            )
        }
        Fact::Usb { device, mbit, one_at_a_time } => {
            let protocol =
                if *one_at_a_time { "one request at a time (usb-storage)" } else { "with a queue (uas)" };
            let (why, act) = match line.severity {
                Severity::Spoils => (
                    "some 40 MB/s at 480 Mbit/s: the link is measured, not the disk",
                    "a USB 3 port and cable; for the disk alone a native port",
                ),
                Severity::Matters => (
                    "depth gains nothing: the bridge takes one request at a time",
                    "a bridge and a driver with UAS; for the disk alone a native port",
                ),
                _ => (
                    "the bridge between USB and disk is measured as well",
                    "for the disk alone a native port",
                ),
            };
            say(format!("{device}: USB at {mbit} Mbit/s, {protocol}"), why, act)
        }
        Fact::Numa { device, node, local } => {
            let (why, act) = match local {
                true => (
                    "threads on other nodes reach it over the link between the processors",
                    format!("numa_cpu_nodes={node} numa_mem_policy=bind:{node}"),
                ),
                false => (
                    "all I/O crosses the link between the processors",
                    format!("let it run on node {node} (cpuset, taskset), or say so with the figures"),
                ),
            };
            let mine = if *local { "" } else { "; this process may not run there" };
            say(format!("{device} hangs on NUMA node {node}{mine}"), why, act)
        }
        Fact::Hypervisor { name } => {
            let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
            say(
                format!("a virtual machine{name}"),
                "the host's cache, its caps and its other guests are not seen from here",
                "suspect a cap where figures stay the same at any depth; repeat at another hour",
            )
        }
        Fact::Steal { percent: p } => say(
            format!("{} of processor time went to other guests of this host", percent(*p)),
            "latencies have gaps that are not the disk's",
            "another hour, or a machine with processors of its own",
        ),
        Fact::Governor { names } => say(
            format!("processors are clocked by: {}", names.join(", ")),
            "a processor that slows down between I/Os adds microseconds at low depth",
            "cpupower frequency-set -g performance for the time of the test",
        ),
        Fact::Clock { name, .. } => say(
            format!("the kernel's clock is {name}"),
            "each reading takes microseconds, and every I/O reads it",
            "find out why tsc was given up (dmesg); clocksource=tsc",
        ),
        other => raw(other),
    }
}
