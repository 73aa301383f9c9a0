//! Texts about the disk: queues and engines, sectors and chunks, medium, scheduler and caches.

use super::{Words, advised, errno, exact, raw, told};
use crate::Lang;
use crate::catalog::{say, word};
use crate::scale::time;
use stats::doctor::*;

pub(super) fn queue(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::Processors { usable, online } if usable == online => {
            told(say!(lang, "doctor-cpus", online), "", "")
        }
        Fact::Processors { usable, online } => advised!(lang, "doctor-cpus-restricted", usable, online),
        Fact::Depth { device, hardware_queues, requests, disk_takes } => {
            let (why, act) = match disk_takes {
                Some(1) => (
                    word!(lang, "doctor-queues-one-request-why"),
                    word!(lang, "doctor-queues-one-request-do"),
                ),
                _ if *hardware_queues == 1 && *requests >= 32 => {
                    (word!(lang, "doctor-queues-shared-why"), word!(lang, "doctor-queues-shared-do"))
                }
                _ => (word!(lang, "doctor-queues-why"), word!(lang, "doctor-queues-do")),
            };
            let queues = hardware_queues;
            let fact = match disk_takes {
                Some(disk) => say!(lang, "doctor-queues-and-disk", device, queues, requests, disk),
                None => say!(lang, "doctor-queues", device, queues, requests),
            };
            told(fact, why, act)
        }
        Fact::Engine { engine, errno: None } => {
            let engine = engine_name(*engine);
            told(say!(lang, "doctor-engine", engine), "", "")
        }
        Fact::Engine { engine, errno: Some(n) } => {
            let error = errno(lang, *n);
            let (why, act) = match engine {
                EngineName::IoUring => {
                    (word!(lang, "doctor-io-uring-why"), word!(lang, "doctor-io-uring-do"))
                }
                EngineName::Libaio => (word!(lang, "doctor-libaio-why"), word!(lang, "doctor-libaio-do")),
            };
            let engine = engine_name(*engine);
            told(say!(lang, "doctor-engine-unavailable", engine, error), why, act)
        }
        Fact::AioRoom { used, most } => advised!(lang, "doctor-aio-slots", used, most),
        other => raw(other),
    }
}

fn engine_name(engine: EngineName) -> &'static str {
    match engine {
        EngineName::IoUring => "io_uring",
        EngineName::Libaio => "libaio",
    }
}

pub(super) fn block_size(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::Sectors { device, logical, physical } => {
            let fact = say!(lang, "doctor-sectors", device, logical, physical);
            let mut why = Vec::new();
            if *logical > 512 {
                why.push(say!(lang, "doctor-sectors-logical-why", logical));
            }
            if physical > logical {
                why.push(say!(lang, "doctor-sectors-physical-why", physical));
            }
            let act = say!(lang, "doctor-sectors-do", physical);
            told(fact, why.join("; "), act)
        }
        Fact::LargestRequest { device, bytes: n } => {
            let most = exact(lang, *n);
            told(
                say!(lang, "doctor-largest-request", device, most),
                word!(lang, "doctor-largest-request-why"),
                say!(lang, "doctor-largest-request-do", most),
            )
        }
        Fact::Stripe { device, chunk, stripe } => {
            let chunk = exact(lang, *chunk);
            let why = word!(lang, "doctor-chunks-why");
            match stripe.map(|s| exact(lang, s)) {
                Some(stripe) => told(
                    say!(lang, "doctor-chunks-and-stripes", device, chunk, stripe),
                    why,
                    say!(lang, "doctor-stripes-do", stripe),
                ),
                None => {
                    told(say!(lang, "doctor-chunks", device, chunk), why, word!(lang, "doctor-chunks-do"))
                }
            }
        }
        other => raw(other),
    }
}

pub(super) fn device(lang: Lang, line: &Line) -> Words {
    match &line.fact {
        Fact::Kind { device, medium, says_rotational, behaviour, read_ns } => {
            kind(lang, device, *medium, *says_rotational, *behaviour, *read_ns)
        }
        Fact::Cloud { device, provider, disk } => {
            let provider = match provider.as_str() {
                "aws" => "Amazon",
                "azure" => "Azure",
                "gcp" => "Google",
                "alibaba" => "Alibaba",
                "huawei" => "Huawei",
                "tencent" => "Tencent",
                "oracle" => "Oracle",
                "digitalocean" => "DigitalOcean",
                other => other,
            };
            match disk {
                CloudDisk::Network => advised!(lang, "doctor-cloud-network", device, provider),
                CloudDisk::Local => advised!(lang, "doctor-cloud-local", device, provider),
                CloudDisk::Unknown => advised!(lang, "doctor-cloud-unknown", device, provider),
            }
        }
        Fact::ControllerVolume { device, driver } => {
            advised!(lang, "doctor-controller-volume", device, driver)
        }
        Fact::Scheduler { device, name, .. } => told(
            say!(lang, "doctor-scheduler", device, name),
            match line.severity {
                Severity::Matters => word!(lang, "doctor-scheduler-warning-why"),
                _ => word!(lang, "doctor-scheduler-why"),
            },
            say!(lang, "doctor-scheduler-do", command = write_setting(device, "scheduler", "none")),
        ),
        Fact::ReadAhead { device, bytes: 0 } => advised!(lang, "doctor-no-read-ahead", device),
        Fact::ReadAhead { device, bytes: n } => {
            let ahead = exact(lang, *n);
            advised!(lang, "doctor-read-ahead", device, ahead)
        }
        Fact::WriteCache { device, back, hidden } => {
            let fact = match (back, hidden) {
                (true, true) => say!(lang, "doctor-write-back-hidden", device),
                (true, false) => say!(lang, "doctor-write-back", device),
                (false, true) => say!(lang, "doctor-write-through-hidden", device),
                (false, false) => say!(lang, "doctor-write-through", device),
            };
            let (why, act) = match back {
                true => (word!(lang, "doctor-write-back-why"), word!(lang, "doctor-write-back-do")),
                false => (word!(lang, "doctor-write-through-why"), word!(lang, "doctor-write-through-do")),
            };
            told(fact, why, act)
        }
        Fact::Zoned { device, host_managed: true } => advised!(lang, "doctor-zoned-managed", device),
        Fact::Zoned { device, host_managed: false } => advised!(lang, "doctor-zoned-aware", device),
        other => raw(other),
    }
}

fn kind(
    lang: Lang,
    device: &str,
    medium: Medium,
    says_rotational: Option<bool>,
    behaviour: Behaviour,
    read_ns: Option<u64>,
) -> Words {
    let (fact, why, act) = match (medium, behaviour) {
        (Medium::Memory, _) => (
            say!(lang, "doctor-medium-memory", device),
            word!(lang, "doctor-medium-memory-why"),
            word!(lang, "doctor-medium-memory-do"),
        ),
        (Medium::Platters, Behaviour::Quick) => (
            say!(lang, "doctor-medium-fast-rotational", device),
            word!(lang, "doctor-medium-fast-rotational-why"),
            word!(lang, "doctor-medium-fast-rotational-do"),
        ),
        (Medium::Platters, _) => (
            say!(lang, "doctor-medium-rotational", device),
            word!(lang, "doctor-medium-rotational-why"),
            word!(lang, "doctor-medium-rotational-do"),
        ),
        (Medium::Flash, Behaviour::Slow) => (
            say!(lang, "doctor-medium-flash", device),
            word!(lang, "doctor-medium-slow-flash-why"),
            word!(lang, "doctor-medium-slow-flash-do"),
        ),
        (Medium::Flash, _) => (say!(lang, "doctor-medium-flash", device), "", ""),
        (Medium::Hidden, _) => {
            let fact = match says_rotational {
                Some(true) => say!(lang, "doctor-medium-hidden-rotational", device),
                Some(false) => say!(lang, "doctor-medium-hidden-not-rotational", device),
                None => say!(lang, "doctor-medium-hidden", device),
            };
            let (why, act) = match behaviour {
                Behaviour::Unseen => {
                    (word!(lang, "doctor-medium-unmeasured-why"), word!(lang, "doctor-medium-unmeasured-do"))
                }
                Behaviour::Quick => (
                    word!(lang, "doctor-medium-fast-hidden-why"),
                    word!(lang, "doctor-medium-fast-hidden-do"),
                ),
                Behaviour::Between => {
                    (word!(lang, "doctor-medium-between-why"), word!(lang, "doctor-medium-between-do"))
                }
                Behaviour::Slow => (
                    word!(lang, "doctor-medium-slow-hidden-why"),
                    word!(lang, "doctor-medium-slow-hidden-do"),
                ),
            };
            (fact, why, act)
        }
    };
    // What is in memory needs no read latency as evidence.
    match read_ns.filter(|_| medium != Medium::Memory).map(|ns| time(ns as f64)) {
        Some(took) => told(say!(lang, "doctor-medium-read-latency", medium = fact, took), why, act),
        None => told(fact, why, act),
    }
}

/// Returns the shell command that writes `value` to a queue setting of each of `devices`; names are separated by ", "
/// if several disks share a line.
fn write_setting(devices: &str, setting: &str, value: &str) -> String {
    let paths: Vec<String> =
        devices.split(", ").map(|device| format!("/sys/block/{device}/queue/{setting}")).collect();
    match paths.as_slice() {
        [one] => format!("echo {value} > {one}"),
        several => format!("echo {value} | tee {}", several.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that the command has a path for each of the disks that share a line.
    #[test]
    fn write_setting_of_several_disks_names_each_path() {
        assert_eq!(write_setting("sda", "scheduler", "none"), "echo none > /sys/block/sda/queue/scheduler");
        assert_eq!(
            write_setting("sda, sdb", "scheduler", "none"),
            "echo none | tee /sys/block/sda/queue/scheduler /sys/block/sdb/queue/scheduler"
        );
    }
}
