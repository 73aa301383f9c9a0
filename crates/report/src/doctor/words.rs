//! English for each fact.

use crate::scale::{bytes, percent, short, time};
use stats::doctor::*;

/// What is said of one line. Reason and advice are shown where the fact is more than fine.
pub(super) struct Words {
    pub fact: String,
    pub why: String,
    pub act: String,
}

fn say(fact: impl Into<String>, why: impl Into<String>, act: impl Into<String>) -> Words {
    Words { fact: fact.into(), why: why.into(), act: act.into() }
}

/// Sizes that are powers of two, exact: `4096 bytes`, `64 KiB`, `1 MiB`.
fn exact(n: u64) -> String {
    match n {
        n if n >= 1 << 30 && n.is_multiple_of(1 << 30) => format!("{} GiB", n >> 30),
        n if n >= 1 << 20 && n.is_multiple_of(1 << 20) => format!("{} MiB", n >> 20),
        n if n > 4096 && n.is_multiple_of(1024) => format!("{} KiB", n >> 10),
        n => format!("{n} bytes"),
    }
}

fn errno(n: i32) -> String {
    match n {
        1 => "not permitted".into(),
        11 => "no room left".into(),
        12 => "no memory that may be locked".into(),
        13 => "permission denied".into(),
        38 => "the kernel has it not".into(),
        n => format!("errno {n}"),
    }
}

pub(super) fn of(line: &Line) -> Words {
    match line.topic {
        Topic::Alignment => alignment(&line.fact),
        Topic::Ground => ground(line),
        Topic::Queue => queue(&line.fact),
        Topic::BlockSize => block_size(&line.fact),
        Topic::Device => device(line),
        Topic::Load => load(&line.fact),
        Topic::Limits => limits(&line.fact),
        Topic::Host => host(line),
    }
}

/// A fact in a topic that is not its own: shown as data rather than not at all.
fn raw(fact: &Fact) -> Words {
    say(serde_json::to_string(fact).unwrap_or_default(), "", "")
}

fn alignment(fact: &Fact) -> Words {
    match fact {
        Fact::Begins {
            what,
            origin,
            on,
            byte,
            sector,
            sector_bytes,
            multiple_of,
            physical_bytes,
            fails,
            compensated,
        } => {
            let place = match origin {
                Origin::Partition | Origin::TableEntry => {
                    if *sector_bytes == 512 {
                        format!("{what} begins at sector {sector} of {on}")
                    } else {
                        format!("{what} begins at sector {sector} of {on} ({sector_bytes}-byte sectors)")
                    }
                }
                Origin::Loop => format!("{what} begins at byte {byte} of {on}"),
                Origin::Raid => format!("the data of {what} begins at byte {byte} of {on}"),
                Origin::File => format!("{what} lies at byte {byte} of {on}"),
                Origin::Sum => format!("all layers together, {what} begins at byte {byte} of {on}"),
            };
            let Some(m) = fails else {
                let multiple =
                    multiple_of.map_or("aligned".into(), |u| format!("a multiple of {}", exact(u)));
                return say(format!("{place}: {multiple}"), "", "");
            };
            let fact = format!("{place}: {} beyond a multiple of {}", exact(m.beyond), exact(m.bytes));
            if *compensated {
                let why = "the layers below make up for it: the target itself begins at a whole block";
                return say(fact, why, "nothing, unless one of the layers is changed");
            }
            let told = if *physical_bytes < 4096 {
                format!(
                    " ({on} reports sectors of {physical_bytes} bytes; flash and virtual disks work in 4096 \
                     all the same)"
                )
            } else {
                String::new()
            };
            let act = match origin {
                Origin::Partition | Origin::TableEntry => {
                    "save the data, make the partition anew at sector 2048 (1 MiB), copy it back"
                }
                Origin::Loop => "attach it with an offset that is a multiple of 4096",
                Origin::Raid => "create the array with a data offset that is a multiple of 1 MiB",
                Origin::File => "make the file system with blocks of 4096 bytes",
                Origin::Sum => "align the layers one by one, from the disk up",
            };
            match m.unit {
                Unit::Sector => say(
                    fact,
                    format!(
                        "each 4k block lies across two; a write of one is two reads and two writes{told}"
                    ),
                    act,
                ),
                Unit::Chunk => say(
                    fact,
                    format!("some requests lie across two chunks of {} and ask two members", exact(m.bytes)),
                    act,
                ),
                Unit::Stripe => say(
                    fact,
                    format!(
                        "no write of {} fills one stripe: parity is read before it is written",
                        exact(m.bytes)
                    ),
                    "for large sequential writes, begin at a multiple of the stripe",
                ),
            }
        }
        Fact::KernelSaysMisaligned { device, offset_bytes } => say(
            format!("the kernel calls {device} misaligned (alignment_offset {offset_bytes})"),
            "its blocks lie across those of what it is made of: small writes are done twice",
            "make the volume anew with its data at a multiple of 1 MiB",
        ),
        Fact::OffsetNotTold { above, device } => say(
            format!(
                "where {above} begins on {device} only root may ask (dmsetup table); the kernel sees no misfit"
            ),
            "",
            "",
        ),
        Fact::TableWithoutPartitions { device, gpt, entries } => {
            let kind = if *gpt { "GPT" } else { "MBR" };
            let entries = if *entries == 1 { "1 partition".into() } else { format!("{entries} partitions") };
            say(
                format!("{device} has a table ({kind}, {entries}) that the kernel made nothing of"),
                "read from the disk; nothing can be mounted or measured through them yet",
                "partx -a, partprobe, or losetup -P makes them",
            )
        }
        Fact::TableForOtherSectors { device, table_bytes, device_bytes } => say(
            format!(
                "the table on {device} counts in sectors of {table_bytes} bytes, the disk has {device_bytes}"
            ),
            "it was made for another disk; the kernel finds no partition, or a wrong one",
            format!("use the disk with {table_bytes}-byte sectors, or partition it anew"),
        ),
        Fact::TableUnread { device } => say(
            format!("whether {device} has a partition table is not known: it may not be read"),
            "the kernel made no partitions of it; a table would be seen on the disk alone",
            "ask again as root or as a member of group disk",
        ),
        Fact::SmallFileSystemBlocks { at, bytes } => say(
            format!("the file system at {at} has blocks of {bytes} bytes"),
            "a file may begin between two pages of flash, wherever the partition begins",
            "mkfs with 4096-byte blocks (ext4: -b 4096)",
        ),
        Fact::NothingBetween { device } => {
            say(format!("nothing between the target and {device} has an offset"), "", "")
        }
        other => raw(other),
    }
}

fn ground(line: &Line) -> Words {
    match &line.fact {
        Fact::Target { kind, size } => {
            let size = size.map_or(String::new(), |s| format!(" of {}", bytes(s)));
            let what = match kind {
                TargetKind::Device => "a block device",
                TargetKind::Partition => "a partition",
                TargetKind::File => "a file",
                TargetKind::Directory => "a directory: fathom measures a scratch file in it",
            };
            say(format!("{what}{size}"), "", "")
        }
        Fact::Empty { kind: TargetKind::File } => say(
            "the file is empty",
            "there is nothing to read",
            "write it fully first, or name its directory: fathom makes a scratch file",
        ),
        Fact::Empty { .. } => say(
            "the device has no bytes",
            "no medium is in it, no file is attached, or it was not set up",
            "insert, attach (losetup) or set up (zramctl), then ask again",
        ),
        Fact::OnFileSystem { kind, answers, at } => match answers {
            FileSystemKind::Memory => say(
                format!("{kind} at {at} is memory"),
                "there is no disk: every figure is the memory's",
                "choose a directory on a disk",
            ),
            FileSystemKind::Disk => say(
                format!("on a file system: {kind} at {at}"),
                "figures are the file system's and the disk's together",
                "for the disk alone measure the raw device, empty, or by reads only",
            ),
            FileSystemKind::CopyOnWrite => say(
                format!("on a file system that never writes in place: {kind} at {at}"),
                "random writes allocate, checksums take processor time, compression makes zeros vanish",
                "use incompressible data (refill_buffers); for the disk alone measure the raw device",
            ),
            FileSystemKind::Overlay => say(
                format!("{kind} at {at} lies on other file systems"),
                "a file of a lower layer is copied up, whole, at its first write",
                "measure a file made here by you, or a mounted volume",
            ),
            FileSystemKind::Network => say(
                format!("{kind} at {at} is served over a network"),
                "figures are the network's and the server's; direct=1 leaves out only our own page cache",
                "use more data than the server's memory; compare with the link's rate",
            ),
            FileSystemKind::Served => say(
                format!("{kind} at {at} is served by another program or by the host"),
                "figures are that program's; its cache is out of our reach",
                "measure where the data lies",
            ),
        },
        Fact::MountOption { at, option, effect } => {
            let (why, act) = match effect {
                MountEffect::Synchronous => {
                    ("every write waits for the disk, asked or not", "mount without it, or keep it in mind")
                }
                MountEffect::NoFlush => {
                    ("fsync does not flush the disk's cache: its figures are too good", "mount with barriers")
                }
                MountEffect::DataTwice => ("each byte is written twice", "mount with data=ordered"),
                MountEffect::Compressed => {
                    ("zeros and patterns shrink to nothing", "use incompressible data (refill_buffers)")
                }
                MountEffect::Dax => {
                    ("there is no page cache: buffered is direct", "compare with a mount without it")
                }
                MountEffect::ReadOnly => ("nothing can be written", "reads only"),
                MountEffect::Discard => {
                    ("deleting trims at once, which slows what runs beside it", "use fstrim between runs")
                }
            };
            say(format!("{at} is mounted with {option}"), why, act)
        }
        Fact::LoopOverFile { device, backing, direct: false } => say(
            format!("{device} is a loop device over {backing}, through the page cache"),
            "what its file has in memory is answered from memory, direct=1 or not",
            "losetup --direct-io=on, or measure what lies under it",
        ),
        Fact::LoopOverFile { device, backing, direct: true } => say(
            format!("{device} is a loop device over {backing}, with direct I/O"),
            "each request passes two block layers and a worker",
            "for the disk alone measure what lies under it",
        ),
        Fact::InUse { device, used, by } => {
            let fact = match used {
                UsedAs::Mounted => format!("{device} is mounted on {by}"),
                UsedAs::Swap => format!("{device} is swapped to"),
                UsedAs::Part => format!("{device} is part of {by}"),
                UsedAs::Loop => format!("{by} lies on {device}"),
            };
            let act = match used {
                UsedAs::Mounted => "measure a file in it, or unmount it",
                UsedAs::Swap => "swapoff for the time of the test",
                UsedAs::Part | UsedAs::Loop => "measure that instead, or take it apart",
            };
            say(fact, "its users' I/O is in the figures; a write test would destroy it and is refused", act)
        }
        Fact::Carries { device, what } => say(
            format!("{device} carries: {what}"),
            "a write test would destroy it; fathom refuses",
            "measure by reads only, or a file in it; wipefs -a if nothing is needed",
        ),
        Fact::DirectIo { accepted: true } => say("direct I/O is accepted", "", ""),
        Fact::DirectIo { accepted: false } => say(
            "direct I/O is refused",
            "only buffered I/O is left, which is the page cache's for the better part",
            "use more data than there is memory, or another file system",
        ),
        Fact::Unreadable { errno: n } => say(
            format!("the target may not be read ({})", errno(*n)),
            "its contents, partition table and signatures are not known",
            "ask again as somebody who may read it",
        ),
        Fact::Holes { size, holes, unwritten } => {
            let missing = holes.saturating_add(unwritten.unwrap_or(0));
            if missing == 0 {
                return say("no holes, nothing unwritten", "", "");
            }
            let unwritten =
                unwritten.filter(|u| *u > 0).map(|u| format!(" and {} reserved but never written", bytes(u)));
            say(
                format!("{} of {} are holes{}", bytes(*holes), bytes(*size), unwritten.unwrap_or_default()),
                "reads of them give zeros without asking the disk; first writes allocate and are slower",
                "write the file fully before it is read (rw=write bs=1M)",
            )
        }
        Fact::Pieces { pieces, mean_bytes, .. } => say(
            match pieces {
                1 => "the file lies in one piece".to_string(),
                n => format!("the file lies in {n} pieces of {} on average", bytes(*mean_bytes)),
            },
            "a sequential read of it jumps: heads that move make it a random one",
            "copy it to a file of its own, or make room first",
        ),
        Fact::ZeroBlocks { sampled, zero } => say(
            format!("{zero} of {sampled} sampled blocks hold only zeros"),
            "trimmed or thin blocks are answered without the medium, and zeros compress to nothing",
            "write the target fully with random data before it is read",
        ),
        Fact::Cached { size, cached } => say(
            format!("{} of {} are in the page cache", bytes(*cached), bytes(*size)),
            "buffered reads of them are answered from memory",
            "direct=1, or invalidate=1 (the default)",
        ),
        Fact::Space { size, free } => say(
            format!("{} of {} are free", bytes(*free), bytes(*size)),
            "full file systems scatter what they write, and full flash cleans up while it writes",
            "make room: 15 % and more",
        ),
        other => raw(other),
    }
}

fn queue(fact: &Fact) -> Words {
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

fn block_size(fact: &Fact) -> Words {
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

fn device(line: &Line) -> Words {
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

fn load(fact: &Fact) -> Words {
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

fn limits(fact: &Fact) -> Words {
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

fn host(line: &Line) -> Words {
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
