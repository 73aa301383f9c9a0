//! The disk: queue, sectors, what it is.

use super::{Words, errno, exact, raw, say};
use crate::scale::time;
use stats::doctor::*;

pub(super) fn queue(fact: &Fact) -> Words {
    match fact {
        Fact::Processors { usable, online } if usable == online => {
            say(format!("{online} processors, all usable"), "", "")
        }
        Fact::Processors { usable, online } => say(
            format!("{usable} of {online} processors may be used"),
            "more busy jobs than that share processors",
            "numjobs up to that; for more lift the affinity (taskset, cpuset)",
        ),
        Fact::Depth { device, hardware_queues, requests, disk_takes } => {
            let takes = disk_takes.map_or(String::new(), |n| format!("; the disk itself takes {n}"));
            let queues = match hardware_queues {
                1 => "1 hardware queue".to_string(),
                n => format!("{n} hardware queues"),
            };
            let (why, act) = match disk_takes {
                Some(1) => (
                    "one request at a time: depth and jobs gain nothing",
                    "turn on NCQ (queue_depth, AHCI in the firmware) or UAS",
                ),
                _ if *hardware_queues == 1 && *requests >= 32 => (
                    "all processors share one queue: more jobs than one gain little",
                    "more depth before more jobs; nvme.write_queues, or the hypervisor's settings",
                ),
                _ => (
                    "what goes beyond waits before the disk, and its waiting is in the latency",
                    "iodepth x numjobs no higher than that",
                ),
            };
            say(format!("{device}: {queues} of {requests} requests{takes}"), why, act)
        }
        Fact::Engine { engine, errno: None } => say(format!("{} can be used", engine_name(*engine)), "", ""),
        Fact::Engine { engine: engine @ EngineName::IoUring, errno: Some(n) } => say(
            format!("{} cannot be used ({})", engine_name(*engine), errno(*n)),
            "switched off by kernel.io_uring_disabled or by a container's seccomp filter",
            "ioengine=libaio with direct=1 does nearly as well",
        ),
        Fact::Engine { engine, errno: Some(n) } => say(
            format!("{} cannot be used ({})", engine_name(*engine), errno(*n)),
            "asynchronous I/O of that kind fails",
            "raise fs.aio-max-nr, or use io_uring",
        ),
        Fact::AioRoom { used, most } => say(
            format!("{used} of {most} requests of kernel AIO are taken"),
            "libaio with a deep queue or many jobs will not start",
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

pub(super) fn block_size(fact: &Fact) -> Words {
    match fact {
        Fact::Sectors { device, logical, physical } => {
            let fact = format!("{device}: sectors of {logical} bytes logical, {physical} physical");
            let mut why = Vec::new();
            if *logical > 512 {
                why.push(format!("direct I/O smaller than {logical} bytes is refused"));
            }
            if physical > logical {
                why.push(format!("writes smaller than {physical} bytes are read, changed and written"));
            }
            say(fact, why.join("; "), format!("bs and offsets in multiples of {physical} bytes"))
        }
        Fact::LargestRequest { device, bytes: n } => say(
            format!("{device}: requests of at most {}", exact(*n)),
            "a larger block reaches the disk in pieces: iostat counts more I/Os than fathom",
            format!("keep it in mind when bs is above {}", exact(*n)),
        ),
        Fact::Stripe { device, chunk, stripe } => {
            let whole = stripe.map_or(String::new(), |s| format!(", stripes of {}", exact(s)));
            say(
                format!("{device}: chunks of {}{whole}", exact(*chunk)),
                "a block up to a chunk asks one member; with parity, writes of less than a stripe read first",
                match stripe {
                    Some(s) => format!("bandwidth: bs a multiple of {}; IOPS: bs=4k", exact(*s)),
                    None => "bandwidth: several chunks a block; IOPS: bs=4k".into(),
                },
            )
        }
        other => raw(other),
    }
}

pub(super) fn device(line: &Line) -> Words {
    match &line.fact {
        Fact::Kind { device, medium, says_rotational, behaviour, read_ns } => {
            kind(device, *medium, *says_rotational, *behaviour, *read_ns)
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
                CloudDisk::Network => say(
                    format!("{device} is a network disk of {provider}"),
                    "capped twice, by its size or plan and by the kind of machine; may run on credit at first",
                    "depth = promised IOPS x latency (26500 x 1 ms: 27); run longer than the credit lasts",
                ),
                CloudDisk::Local => say(
                    format!("{device} is a disk in {provider}'s host"),
                    "what lies on it is lost when the machine stops; it slows down as it fills up",
                    "write it fully once before write tests",
                ),
                CloudDisk::Unknown => say(
                    format!("{device} is a disk of {provider}, most likely over a network"),
                    "then capped twice, by its size or plan and by the kind of machine",
                    "compare with the provider's figures for both; depth = promised IOPS x latency",
                ),
            }
        }
        Fact::ControllerVolume { device, driver } => say(
            format!("{device} is a volume of a RAID controller ({driver}); the disks behind it are hidden"),
            "its cache answers writes while its battery is good, and its checks and rebuilds are not seen here",
            "ask its tool (storcli, perccli, ssacli): cache mode, battery, rebuild; test beyond its cache",
        ),
        Fact::Scheduler { device, name, .. } => say(
            format!("{device}: I/O scheduler {name}"),
            match line.severity {
                Severity::Matters => "it costs processor time for each request and holds requests back",
                _ => "a little processor time for each request, which this disk has no use for",
            },
            format!(
                "echo none > /sys/block/{device}/queue/scheduler, as root, or report it with the figures"
            ),
        ),
        Fact::ReadAhead { device, bytes: 0 } => say(
            format!("{device}: no read-ahead"),
            "buffered sequential reads wait for each block",
            "blockdev --setra 256, or direct=1",
        ),
        Fact::ReadAhead { device, bytes: n } => say(
            format!("{device}: read-ahead of {}", exact(*n)),
            "a buffered sequential read keeps that much in flight, whatever iodepth says",
            "direct=1 leaves it out",
        ),
        Fact::WriteCache { device, back: true, hidden } => say(
            format!("{device}: write cache on (write back){}", by_hearsay(*hidden)),
            "a write is answered before it is safe; it is lost with the power unless flushed",
            "for durable figures add fsync=1 or fdatasync=1; for others write more than the cache holds",
        ),
        Fact::WriteCache { device, back: false, hidden } => say(
            format!("{device}: no volatile write cache (write through){}", by_hearsay(*hidden)),
            "each write waits for the platters",
            "hdparm -W1 if the power is safe, or keep it so and say so",
        ),
        Fact::Zoned { device, host_managed: true } => say(
            format!("{device} has zones that are written in order only (host-managed)"),
            "random writes fail",
            "zonemode=zbd, or reads only",
        ),
        Fact::Zoned { device, host_managed: false } => say(
            format!("{device} has zones (host-aware)"),
            "random writes are collected and put in order by the disk: fast at first, then slow",
            "write several times what its cache holds",
        ),
        other => raw(other),
    }
}

fn by_hearsay(hidden: bool) -> &'static str {
    if hidden { ", so it is said; what lies behind may cache" } else { "" }
}

fn kind(
    device: &str,
    medium: Medium,
    says_rotational: Option<bool>,
    behaviour: Behaviour,
    read_ns: Option<u64>,
) -> Words {
    let took = read_ns.map_or(String::new(), |ns| format!("; random 4k reads took {}", time(ns as f64)));
    match (medium, behaviour) {
        (Medium::Memory, _) => say(
            format!("{device} is memory"),
            "there is no disk: every figure is the memory's",
            "choose another device",
        ),
        (Medium::Platters, Behaviour::Quick) => say(
            format!("{device} says that it rotates{took}"),
            "heads do not move that fast: a cache answers, or it is flash that says the wrong thing",
            "use a span beyond any cache; believe the behaviour, not the flag",
        ),
        (Medium::Platters, _) => say(
            format!("{device} is a disk with platters{took}"),
            "some 75 to 200 random I/Os a second; outer tracks are twice as fast as inner ones",
            "random: use the whole span, a small file keeps the heads still; sequential: say where",
        ),
        (Medium::Flash, Behaviour::Slow) => say(
            format!("{device} is flash{took}"),
            "too long for flash: it was asleep or busy, or something slower lies behind it",
            "look at the load above, and again",
        ),
        (Medium::Flash, _) => say(format!("{device} is flash{took}"), "", ""),
        (Medium::Hidden, _) => {
            let says = match says_rotational {
                Some(true) => "says that it rotates",
                Some(false) => "says that it does not rotate",
                None => "does not say whether it rotates",
            };
            let (why, act) = match behaviour {
                Behaviour::Unseen => (
                    "such disks say so whatever lies behind them: it tells nothing",
                    "let a short test tell: heads take 3 ms and more for a random read",
                ),
                Behaviour::Quick => (
                    "reads that quick are no moving heads: flash, or a cache in front",
                    "expect a flash disk's figures; keep the flag out of it",
                ),
                Behaviour::Between => (
                    "the flag tells nothing; too long for flash at rest, too short for heads: a network, or load",
                    "expect a network disk: latency bounds depth 1, the plan the rest",
                ),
                Behaviour::Slow => (
                    "moving heads, or a network behind the disk, or somebody else's load",
                    "find out which before comparing figures",
                ),
            };
            say(format!("{device} {says}; what lies behind it is hidden{took}"), why, act)
        }
    }
}
