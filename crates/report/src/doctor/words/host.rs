//! What goes on beside: load, limits, the host.

use super::{Words, raw, told};
use crate::Lang;
use crate::catalog::{say, word};
use crate::scale::{bytes, percent, short};
use stats::doctor::*;

pub(super) fn load(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::Busy { device, look_ms, ios, bytes: n, util_percent, in_flight } => {
            let fact = if *ios == 0 && *in_flight == 0 {
                say!(lang, "doctor-host-busy-idle-ms", device, look_ms)
            } else {
                let (moved, busy) = (bytes(*n), percent(*util_percent));
                let fly = if *in_flight > 0 {
                    say!(lang, "doctor-host-busy-flight", in_flight)
                } else {
                    String::new()
                };
                say!(lang, "doctor-host-busy-ms-i-os", device, look_ms, ios, moved, busy, fly)
            };
            let why = if *ios == 0 && *in_flight > 0 {
                word!(lang, "doctor-host-busy-i-os-waiting")
            } else {
                word!(lang, "doctor-host-busy-others-use-their")
            };
            told(fact, why, word!(lang, "doctor-host-busy-find-them-iotop"))
        }
        Fact::Pressure { percent: p } => {
            let share = percent(*p);
            told(
                say!(lang, "doctor-host-pressure-somebody-waited-disk", share),
                word!(lang, "doctor-host-pressure-machine-s-disks"),
                word!(lang, "doctor-host-pressure-wait-until-over"),
            )
        }
        Fact::Dirty { bytes: n } => {
            let waiting = bytes(*n);
            told(
                say!(lang, "doctor-host-dirty-page-cache-yet", waiting),
                word!(lang, "doctor-host-dirty-they-will-written"),
                word!(lang, "doctor-host-dirty-sync-then-begin"),
            )
        }
        Fact::ArrayBusy { device, level, work: ArrayWork::Waiting, done_percent: _ } => told(
            say!(lang, "doctor-host-array-busy-has-resync-waits", device, level),
            word!(lang, "doctor-host-array-busy-may-begin-during"),
            word!(lang, "doctor-host-array-busy-let-finish-proc"),
        ),
        Fact::ArrayBusy { device, level, work, done_percent } => {
            let doing = match work {
                ArrayWork::Resync => {
                    word!(lang, "doctor-host-resync")
                }
                ArrayWork::Recover => {
                    word!(lang, "doctor-host-recover")
                }
                ArrayWork::Reshape => word!(lang, "doctor-host-reshape"),
                ArrayWork::Check | ArrayWork::Waiting => {
                    word!(lang, "doctor-host-check-reads-compares-all")
                }
                ArrayWork::Repair => {
                    word!(lang, "doctor-host-repair")
                }
            };
            // Only what nobody waits for may be stopped.
            let act = match work {
                ArrayWork::Check | ArrayWork::Waiting | ArrayWork::Repair => {
                    say!(lang, "doctor-host-check-wait-proc-mdstat", device)
                }
                _ => {
                    say!(lang, "doctor-host-check-wait-until-done")
                }
            };
            let done = done_percent.map_or(String::new(), |p| say!(lang, "doctor-host-check-done", p));
            told(
                say!(lang, "doctor-host-check-text", device, level, doing, done),
                word!(lang, "doctor-host-check-reads-writes-go"),
                act,
            )
        }
        Fact::Degraded { device, level, missing, disks } => {
            let of = disks.map_or(String::new(), |d| say!(lang, "doctor-host-degraded-of", d));
            told(
                say!(lang, "doctor-host-degraded-lacks-members", device, level, missing, of),
                match level.as_str() {
                    "raid4" | "raid5" | "raid6" => word!(lang, "doctor-host-degraded-what-missing-one"),
                    _ => {
                        word!(lang, "doctor-host-degraded-reads-have-fewer")
                    }
                },
                word!(lang, "doctor-host-degraded-replace-member-wait"),
            )
        }
        Fact::Array { device, level, disks, bitmap } => {
            let of = match disks {
                Some(d) => say!(lang, "doctor-host-array-members", d),
                None => say!(lang, "doctor-host-array-members-2"),
            };
            let with = if *bitmap { word!(lang, "doctor-host-array-write-intent-bitmap") } else { "" };
            let mut why = Vec::new();
            match level.as_str() {
                "raid4" | "raid5" => why.push(word!(lang, "doctor-host-array-small-write-two")),
                "raid6" => why.push(word!(lang, "doctor-host-array-small-write-three")),
                _ => {}
            }
            if *bitmap {
                why.push(word!(lang, "doctor-host-array-bitmap-written-before"));
            }
            told(
                say!(lang, "doctor-host-array-whole-idle", device, level, of, with),
                why.join("; "),
                word!(lang, "doctor-host-array-expect-fewer-random"),
            )
        }
        other => raw(other),
    }
}

pub(super) fn limits(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::IoCap { device, bytes_per_second, iops } => {
            let [read, written] = bytes_per_second.map(|n| n.map(bytes));
            // Whole numbers are not rounded: they were set by somebody.
            let [reads, writes] = iops;
            let all: Vec<String> = [
                read.map(|n| say!(lang, "doctor-host-io-cap-s-read", n)),
                written.map(|n| say!(lang, "doctor-host-io-cap-s-written", n)),
                reads.map(|n| say!(lang, "doctor-host-io-cap-reads-s", n)),
                writes.map(|n| say!(lang, "doctor-host-io-cap-writes-s", n)),
            ]
            .into_iter()
            .flatten()
            .collect();
            let all = all.join(", ");
            told(
                say!(lang, "doctor-host-io-cap-control-group-caps", device, all),
                word!(lang, "doctor-host-io-cap-cap-measured-not"),
                word!(lang, "doctor-host-io-cap-run-outside-group"),
            )
        }
        Fact::NoIoCap => told(word!(lang, "doctor-host-no-io-cap"), "", ""),
        Fact::CpuCap { cpus, usable } => {
            let cpus = short(*cpus);
            told(
                say!(lang, "doctor-host-cpu-cap-control-group-caps", cpus, usable),
                word!(lang, "doctor-host-cpu-cap-load-generator-stopped"),
                word!(lang, "doctor-host-cpu-cap-lift-cpu-max"),
            )
        }
        Fact::MemoryCap { left_bytes } => {
            let rest = bytes(*left_bytes);
            told(
                say!(lang, "doctor-host-memory-cap-memory-left-process", rest),
                word!(lang, "doctor-host-memory-cap-buffered-writes-written"),
                word!(lang, "doctor-host-memory-cap-direct-1-lift"),
            )
        }
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
            told(
                say!(
                    lang,
                    "doctor-host-pcie-pcie-x-gt",
                    device,
                    width,
                    speed,
                    most_width,
                    most_speed,
                    now,
                    most
                ),
                word!(lang, "doctor-host-pcie-slot-adapter-bad"),
                word!(lang, "doctor-host-pcie-another-slot-look"),
            )
        }
        Fact::Sata { device, tenths, limit_tenths, bytes_per_second } => {
            let rate = |t: u32| format!("{}.{} Gbit/s", t / 10, t % 10);
            let held = limit_tenths.filter(|l| *l < 60).map_or(String::new(), |l| {
                let limit = rate(l);
                say!(lang, "doctor-host-sata-held-down", limit)
            });
            let (now, most) = (rate(*tenths), bytes(*bytes_per_second));
            told(
                say!(lang, "doctor-host-sata-sata-most-s", device, now, held, most),
                word!(lang, "doctor-host-sata-port-cable-backplane"),
                word!(lang, "doctor-host-sata-another-port-cable"),
            )
        }
        Fact::Usb { device, mbit, one_at_a_time } => {
            let protocol = if *one_at_a_time {
                word!(lang, "doctor-host-usb-one-request-time")
            } else {
                word!(lang, "doctor-host-usb-queue-uas")
            };
            let (why, act) = match line.severity {
                Severity::Spoils => (
                    word!(lang, "doctor-host-spoils-some-40-mb"),
                    word!(lang, "doctor-host-spoils-usb-3-port"),
                ),
                Severity::Matters => (
                    word!(lang, "doctor-host-matters-depth-gains-nothing"),
                    word!(lang, "doctor-host-matters-bridge-driver-uas"),
                ),
                _ => (
                    word!(lang, "doctor-host-matters-bridge-between-usb"),
                    word!(lang, "doctor-host-matters-disk-alone-native"),
                ),
            };
            told(say!(lang, "doctor-host-matters-usb-mbit-s", device, mbit, protocol), why, act)
        }
        Fact::Numa { device, node, local } => {
            let (why, act) = match local {
                true => (
                    word!(lang, "doctor-host-numa-threads-other-nodes"),
                    format!("numa_cpu_nodes={node} numa_mem_policy=bind:{node}"),
                ),
                false => (
                    word!(lang, "doctor-host-numa-all-i-o"),
                    say!(lang, "doctor-host-numa-let-run-node", node),
                ),
            };
            let mine = if *local { "" } else { word!(lang, "doctor-host-numa-process-may-not") };
            told(say!(lang, "doctor-host-numa-hangs-numa-node", device, node, mine), why, act)
        }
        Fact::Hypervisor { name } => {
            let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
            told(
                say!(lang, "doctor-host-hypervisor-virtual-machine", name),
                word!(lang, "doctor-host-hypervisor-host-s-cache"),
                word!(lang, "doctor-host-hypervisor-suspect-cap-where"),
            )
        }
        Fact::Steal { percent: p } => {
            let share = percent(*p);
            told(
                say!(lang, "doctor-host-steal-processor-time-went", share),
                word!(lang, "doctor-host-steal-latencies-have-gaps"),
                word!(lang, "doctor-host-steal-another-hour-machine"),
            )
        }
        Fact::Governor { names } => {
            let names = names.join(", ");
            told(
                say!(lang, "doctor-host-governor-processors-clocked", names),
                word!(lang, "doctor-host-governor-processor-slows-down"),
                word!(lang, "doctor-host-governor-cpupower-frequency-set"),
            )
        }
        Fact::Clock { name, .. } => told(
            say!(lang, "doctor-host-clock-kernel-s-clock", name),
            word!(lang, "doctor-host-clock-each-reading-takes"),
            word!(lang, "doctor-host-clock-find-out-why"),
        ),
        other => raw(other),
    }
}
