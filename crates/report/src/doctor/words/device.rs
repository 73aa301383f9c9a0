//! The disk: queue, sectors, what it is.

use super::{Words, errno, exact, raw, told};
use crate::Lang;
use crate::catalog::{say, word};
use crate::scale::time;
use stats::doctor::*;

pub(super) fn queue(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::Processors { usable, online } if usable == online => {
            told(say!(lang, "doctor-device-processors-processors-all-usable", online), "", "")
        }
        Fact::Processors { usable, online } => told(
            say!(lang, "doctor-device-processors-processors-may-used", usable, online),
            word!(lang, "doctor-device-processors-more-busy-jobs"),
            word!(lang, "doctor-device-processors-numjobs-up-more"),
        ),
        Fact::Depth { device, hardware_queues, requests, disk_takes } => {
            let takes =
                disk_takes.map_or(String::new(), |n| say!(lang, "doctor-device-depth-disk-itself-takes", n));
            let queues = match hardware_queues {
                1 => {
                    say!(lang, "doctor-device-depth-1-hardware-queue")
                }
                n => {
                    say!(lang, "doctor-device-depth-hardware-queues", n)
                }
            };
            let (why, act) = match disk_takes {
                Some(1) => (
                    word!(lang, "doctor-device-depth-one-request-time"),
                    word!(lang, "doctor-device-depth-turn-ncq-queue"),
                ),
                _ if *hardware_queues == 1 && *requests >= 32 => (
                    word!(lang, "doctor-device-depth-all-processors-share"),
                    word!(lang, "doctor-device-depth-more-depth-before"),
                ),
                _ => (
                    word!(lang, "doctor-device-depth-what-goes-beyond"),
                    word!(lang, "doctor-device-depth-iodepth-x-numjobs"),
                ),
            };
            told(say!(lang, "doctor-device-depth-requests", device, queues, requests, takes), why, act)
        }
        Fact::Engine { engine, errno: None } => {
            let engine = engine_name(*engine);
            told(say!(lang, "doctor-device-engine", engine), "", "")
        }
        Fact::Engine { engine, errno: Some(n) } => {
            let (name, error) = (engine_name(*engine), errno(lang, *n));
            let (why, act) = match engine {
                EngineName::IoUring => (
                    word!(lang, "doctor-device-io-uring-switched-off-kernel"),
                    word!(lang, "doctor-device-io-uring-ioengine-libaio-direct"),
                ),
                EngineName::Libaio => (
                    word!(lang, "doctor-device-libaio-asynchronous-i-o"),
                    word!(lang, "doctor-device-libaio-raise-fs-aio"),
                ),
            };
            told(say!(lang, "doctor-device-libaio-cannot-used", name, error), why, act)
        }
        Fact::AioRoom { used, most } => told(
            say!(lang, "doctor-device-aio-room-requests-kernel-aio", used, most),
            word!(lang, "doctor-device-aio-room-libaio-deep-queue"),
            "sysctl fs.aio-max-nr=1048576",
        ),
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
            let fact = say!(lang, "doctor-device-sectors-sectors-bytes-logical", device, logical, physical);
            let mut why = Vec::new();
            if *logical > 512 {
                why.push(say!(lang, "doctor-device-sectors-direct-i-o", logical));
            }
            if physical > logical {
                why.push(say!(lang, "doctor-device-sectors-writes-smaller-than", physical));
            }
            let act = say!(lang, "doctor-device-sectors-bs-offsets-multiples", physical);
            told(fact, why.join("; "), act)
        }
        Fact::LargestRequest { device, bytes: n } => {
            let most = exact(lang, *n);
            told(
                say!(lang, "doctor-device-largest-request-requests-most", device, most),
                word!(lang, "doctor-device-largest-request-larger-block-reaches"),
                say!(lang, "doctor-device-largest-request-keep-mind-when", most),
            )
        }
        Fact::Stripe { device, chunk, stripe } => {
            let chunk = exact(lang, *chunk);
            let stripe = stripe.map(|s| exact(lang, s));
            let whole =
                stripe.as_ref().map_or(String::new(), |s| say!(lang, "doctor-device-stripe-stripes", s));
            told(
                say!(lang, "doctor-device-stripe-chunks", device, chunk, whole),
                word!(lang, "doctor-device-stripe-block-up-chunk"),
                match stripe {
                    Some(s) => {
                        say!(lang, "doctor-device-stripe-bandwidth-bs-multiple", s)
                    }
                    None => {
                        say!(lang, "doctor-device-stripe-bandwidth-several-chunks")
                    }
                },
            )
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
                CloudDisk::Network => told(
                    say!(lang, "doctor-device-network-network-disk", device, provider),
                    word!(lang, "doctor-device-network-capped-twice-size"),
                    word!(lang, "doctor-device-network-depth-promised-iops"),
                ),
                CloudDisk::Local => told(
                    say!(lang, "doctor-device-local-disk-s-host", device, provider),
                    word!(lang, "doctor-device-local-what-lies-lost"),
                    word!(lang, "doctor-device-local-write-fully-once"),
                ),
                CloudDisk::Unknown => told(
                    say!(lang, "doctor-device-unknown-disk-most-likely", device, provider),
                    word!(lang, "doctor-device-unknown-then-capped-twice"),
                    word!(lang, "doctor-device-unknown-compare-provider-s"),
                ),
            }
        }
        Fact::ControllerVolume { device, driver } => told(
            say!(lang, "doctor-device-controller-volume-volume-raid-controller", device, driver),
            word!(lang, "doctor-device-controller-volume-cache-answers-writes"),
            word!(lang, "doctor-device-controller-volume-ask-tool-storcli"),
        ),
        Fact::Scheduler { device, name, .. } => told(
            say!(lang, "doctor-device-scheduler", device, name),
            match line.severity {
                Severity::Matters => {
                    word!(lang, "doctor-device-matters-costs-processor-time")
                }
                _ => {
                    word!(lang, "doctor-device-matters-little-processor-time")
                }
            },
            say!(lang, "doctor-device-matters-echo-none-sys", device),
        ),
        Fact::ReadAhead { device, bytes: 0 } => told(
            say!(lang, "doctor-device-read-ahead-no-read-ahead", device),
            word!(lang, "doctor-device-read-ahead-buffered-sequential-reads"),
            word!(lang, "doctor-device-read-ahead-blockdev-setra-256"),
        ),
        Fact::ReadAhead { device, bytes: n } => {
            let ahead = exact(lang, *n);
            told(
                say!(lang, "doctor-device-read-ahead-read-ahead", device, ahead),
                word!(lang, "doctor-device-read-ahead-buffered-sequential-read"),
                word!(lang, "doctor-device-read-ahead-direct-1-leaves"),
            )
        }
        Fact::WriteCache { device, back, hidden } => {
            let hearsay = if *hidden { word!(lang, "doctor-device-write-cache-so-said-what") } else { "" };
            if *back {
                told(
                    say!(lang, "doctor-device-write-cache-write-cache-write", device, hearsay),
                    word!(lang, "doctor-device-write-cache-write-answered-before"),
                    word!(lang, "doctor-device-write-cache-durable-figures-add"),
                )
            } else {
                told(
                    say!(lang, "doctor-device-write-cache-no-volatile-write", device, hearsay),
                    word!(lang, "doctor-device-write-cache-each-write-waits"),
                    word!(lang, "doctor-device-write-cache-hdparm-w1-if"),
                )
            }
        }
        Fact::Zoned { device, host_managed: true } => told(
            say!(lang, "doctor-device-zoned-has-zones-written", device),
            word!(lang, "doctor-device-zoned-random-writes-fail"),
            word!(lang, "doctor-device-zoned-zonemode-zbd-reads"),
        ),
        Fact::Zoned { device, host_managed: false } => told(
            say!(lang, "doctor-device-zoned-has-zones-host", device),
            word!(lang, "doctor-device-zoned-random-writes-collected"),
            word!(lang, "doctor-device-zoned-write-several-times"),
        ),
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
    let took = read_ns.map_or(String::new(), |ns| {
        let took = time(ns as f64);
        say!(lang, "doctor-device-kind", took)
    });
    match (medium, behaviour) {
        (Medium::Memory, _) => told(
            say!(lang, "doctor-device-memory-memory", device),
            word!(lang, "doctor-device-memory-there-no-disk"),
            word!(lang, "doctor-device-memory-choose-another-device"),
        ),
        (Medium::Platters, Behaviour::Quick) => told(
            say!(lang, "doctor-device-platters-says-rotates", device, took),
            word!(lang, "doctor-device-platters-heads-do-not"),
            word!(lang, "doctor-device-platters-use-span-beyond"),
        ),
        (Medium::Platters, _) => told(
            say!(lang, "doctor-device-platters-disk-platters", device, took),
            word!(lang, "doctor-device-platters-some-75-200"),
            word!(lang, "doctor-device-platters-random-use-whole"),
        ),
        (Medium::Flash, Behaviour::Slow) => told(
            say!(lang, "doctor-device-flash-flash", device, took),
            word!(lang, "doctor-device-flash-too-long-flash"),
            word!(lang, "doctor-device-flash-look-load-above"),
        ),
        (Medium::Flash, _) => told(say!(lang, "doctor-device-flash-flash", device, took), "", ""),
        (Medium::Hidden, _) => {
            let says = match says_rotational {
                Some(true) => {
                    word!(lang, "doctor-device-hidden-says-rotates")
                }
                Some(false) => {
                    word!(lang, "doctor-device-hidden-says-does-not")
                }
                None => {
                    word!(lang, "doctor-device-hidden-does-not-say")
                }
            };
            let (why, act) = match behaviour {
                Behaviour::Unseen => (
                    word!(lang, "doctor-device-unseen-such-disks-say"),
                    word!(lang, "doctor-device-unseen-let-short-test"),
                ),
                Behaviour::Quick => (
                    word!(lang, "doctor-device-quick-reads-quick-no"),
                    word!(lang, "doctor-device-quick-expect-flash-disk"),
                ),
                Behaviour::Between => (
                    word!(lang, "doctor-device-between-flag-tells-nothing"),
                    word!(lang, "doctor-device-between-expect-network-disk"),
                ),
                Behaviour::Slow => (
                    word!(lang, "doctor-device-slow-moving-heads-network"),
                    word!(lang, "doctor-device-slow-find-out-before"),
                ),
            };
            told(say!(lang, "doctor-device-slow-what-lies-behind", device, says, took), why, act)
        }
    }
}
