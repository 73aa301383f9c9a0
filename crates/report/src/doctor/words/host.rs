//! Texts about other load, limits of control groups, links and the host.

use super::{Words, advised, raw, told};
use crate::Lang;
use crate::catalog::{say, word};
use crate::scale::{bytes, percent, short};
use stats::doctor::*;

pub(super) fn load(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::Busy { device, look_ms, ios, bytes: n, util_percent, in_flight } => {
            let fact = if *ios == 0 && *in_flight == 0 {
                say!(lang, "doctor-idle", device, look_ms)
            } else {
                let (moved, busy) = (bytes(*n), percent(*util_percent));
                if *in_flight > 0 {
                    say!(lang, "doctor-busy-in-flight", device, look_ms, ios, moved, busy, in_flight)
                } else {
                    say!(lang, "doctor-busy", device, look_ms, ios, moved, busy)
                }
            };
            let why = if *ios == 0 && *in_flight > 0 {
                word!(lang, "doctor-busy-stuck-why")
            } else {
                word!(lang, "doctor-busy-why")
            };
            told(fact, why, word!(lang, "doctor-busy-do"))
        }
        Fact::Pressure { percent: p } => advised!(lang, "doctor-pressure", share = percent(*p)),
        Fact::Dirty { bytes: n } => advised!(lang, "doctor-dirty", waiting = bytes(*n)),
        Fact::ArrayBusy { device, level, work: ArrayWork::Waiting, done_percent: _ } => {
            advised!(lang, "doctor-array-resync-pending", device, level)
        }
        Fact::ArrayBusy { device, level, work, done_percent } => {
            let operation = match work {
                ArrayWork::Resync => word!(lang, "doctor-array-resync"),
                ArrayWork::Recover => word!(lang, "doctor-array-recovery"),
                ArrayWork::Reshape => word!(lang, "doctor-array-reshape"),
                ArrayWork::Check | ArrayWork::Waiting => word!(lang, "doctor-array-check"),
                ArrayWork::Repair => word!(lang, "doctor-array-repair"),
            };
            // A check and a repair may be stopped without harm; the others restore redundancy.
            let act = match work {
                ArrayWork::Check | ArrayWork::Waiting | ArrayWork::Repair => {
                    say!(lang, "doctor-array-stoppable-do", device)
                }
                _ => say!(lang, "doctor-array-running-do"),
            };
            told(
                match done_percent {
                    Some(p) => say!(lang, "doctor-array-running-percent", device, level, operation, p),
                    None => say!(lang, "doctor-array-running", device, level, operation),
                },
                word!(lang, "doctor-array-running-why"),
                act,
            )
        }
        Fact::Degraded { device, level, missing, disks } => told(
            match disks {
                Some(disks) => say!(lang, "doctor-degraded-of", device, level, missing, disks),
                None => say!(lang, "doctor-degraded", device, level, missing),
            },
            match level.as_str() {
                "raid4" | "raid5" | "raid6" => word!(lang, "doctor-degraded-parity-why"),
                _ => word!(lang, "doctor-degraded-mirror-why"),
            },
            word!(lang, "doctor-degraded-do"),
        ),
        Fact::Array { device, level, disks, bitmap } => {
            let mut facts = vec![level.clone()];
            facts.extend(disks.map(|n| say!(lang, "doctor-array-members", n)));
            facts.push(word!(lang, "doctor-array-complete").into());
            if *bitmap {
                facts.push(word!(lang, "doctor-array-bitmap").into());
            }
            let facts = facts.join(", ");
            let mut why = Vec::new();
            match level.as_str() {
                "raid4" | "raid5" => why.push(word!(lang, "doctor-array-raid5-why")),
                "raid6" => why.push(word!(lang, "doctor-array-raid6-why")),
                _ => {}
            }
            if *bitmap {
                why.push(word!(lang, "doctor-array-bitmap-why"));
            }
            told(say!(lang, "doctor-array", device, facts), why.join("; "), word!(lang, "doctor-array-do"))
        }
        other => raw(other),
    }
}

pub(super) fn limits(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::IoCap { device, bytes_per_second, iops } => {
            let [read, written] = bytes_per_second.map(|n| n.map(bytes));
            // The limits on IOPS are shown as they were set, without rounding.
            let [reads, writes] = iops;
            let all: Vec<String> = [
                read.map(|n| say!(lang, "doctor-io-limit-read-bandwidth", n)),
                written.map(|n| say!(lang, "doctor-io-limit-write-bandwidth", n)),
                reads.map(|n| say!(lang, "doctor-io-limit-read-iops", n)),
                writes.map(|n| say!(lang, "doctor-io-limit-write-iops", n)),
            ]
            .into_iter()
            .flatten()
            .collect();
            advised!(lang, "doctor-io-limit", device, all = all.join(", "))
        }
        Fact::NoIoCap => told(word!(lang, "doctor-no-io-limit"), "", ""),
        Fact::CpuCap { cpus, usable } => advised!(lang, "doctor-cpu-limit", cpus = short(*cpus), usable),
        Fact::MemoryCap { left_bytes } => advised!(lang, "doctor-memory-limit", rest = bytes(*left_bytes)),
        other => raw(other),
    }
}

pub(super) fn host(lang: Lang, line: &Line) -> Words {
    match &line.fact {
        Fact::Pcie {
            device,
            width,
            speed,
            most_width,
            most_speed,
            bytes_per_second,
            most_bytes_per_second,
        } => {
            let (now, most) = (bytes(*bytes_per_second), bytes(*most_bytes_per_second));
            advised!(lang, "doctor-pcie", device, width, speed, most_width, most_speed, now, most)
        }
        Fact::Sata { device, tenths, limit_tenths, bytes_per_second } => {
            let rate = |t: u32| format!("{}.{} Gbit/s", t / 10, t % 10);
            let limit = limit_tenths.filter(|l| *l < 60).map(rate);
            let (now, most) = (rate(*tenths), bytes(*bytes_per_second));
            told(
                match limit {
                    Some(limit) => say!(lang, "doctor-sata-limited", device, now, limit, most),
                    None => say!(lang, "doctor-sata", device, now, most),
                },
                word!(lang, "doctor-sata-why"),
                word!(lang, "doctor-sata-do"),
            )
        }
        Fact::Usb { device, mbit, one_at_a_time } => {
            let protocol = if *one_at_a_time {
                word!(lang, "doctor-usb-storage")
            } else {
                word!(lang, "doctor-usb-uas")
            };
            let (why, act) = match line.severity {
                Severity::Spoils => (word!(lang, "doctor-usb-slow-why"), word!(lang, "doctor-usb-slow-do")),
                Severity::Matters => {
                    (word!(lang, "doctor-usb-storage-why"), word!(lang, "doctor-usb-storage-do"))
                }
                _ => (word!(lang, "doctor-usb-why"), word!(lang, "doctor-usb-do")),
            };
            told(say!(lang, "doctor-usb", device, mbit, protocol), why, act)
        }
        Fact::Numa { device, node, local } => {
            let (why, act) = match local {
                true => (word!(lang, "doctor-numa-why"), say!(lang, "doctor-numa-do", node)),
                false => {
                    (word!(lang, "doctor-numa-excluded-why"), say!(lang, "doctor-numa-excluded-do", node))
                }
            };
            let fact = match local {
                true => say!(lang, "doctor-numa", device, node),
                false => say!(lang, "doctor-numa-excluded", device, node),
            };
            told(fact, why, act)
        }
        Fact::Hypervisor { name } => told(
            if name.is_empty() {
                say!(lang, "doctor-virtual-machine")
            } else {
                say!(lang, "doctor-virtual-machine-named", name)
            },
            word!(lang, "doctor-virtual-machine-why"),
            word!(lang, "doctor-virtual-machine-do"),
        ),
        Fact::Steal { percent: p } => advised!(lang, "doctor-steal", share = percent(*p)),
        Fact::Governor { names } => advised!(lang, "doctor-governor", names = names.join(", ")),
        Fact::Clock { name, .. } => advised!(lang, "doctor-clock", name),
        other => raw(other),
    }
}
