//! Every fact of a diagnosis.

use stats::contents::{Contents, ContentsClass};
use stats::doctor::*;

pub fn line(topic: Topic, severity: Severity, fact: Fact) -> Line {
    Line { topic, severity, fact }
}

/// Each fact with the severities that the rules give it.
pub fn all() -> Vec<Line> {
    use Severity::*;
    let sda = || "sda".to_string();
    let begins = |what: &str, origin, on: &str, byte, sector_bytes, physical_bytes, fails, compensated| {
        Fact::begins(what.into(), origin, on.into(), byte, sector_bytes, physical_bytes)
            .failing(fails, compensated)
    };
    let misfit = |unit, bytes, beyond| Some(Misfit { unit, bytes, beyond });
    let sector = misfit(Unit::Sector, 4096, 3584);
    let alignment = [
        (Spoils, begins("sda1", Origin::Partition, "sda", 32_256, 512, 4096, sector, false)),
        (Spoils, begins("loop0p1", Origin::TableEntry, "loop0", 32_256, 512, 512, sector, false)),
        (Fine, begins("sda2", Origin::Partition, "sda", 1 << 20, 4096, 4096, None, false)),
        (Note, begins("sda3", Origin::Partition, "sda", 32_256, 512, 4096, sector, true)),
        (
            Spoils,
            begins("loop1", Origin::Loop, "sda", 512, 512, 4096, misfit(Unit::Sector, 4096, 512), false),
        ),
        (
            Matters,
            begins("md0", Origin::Raid, "sda1", 4096, 512, 4096, misfit(Unit::Chunk, 65536, 4096), false),
        ),
        (
            Note,
            begins(
                "md0p1",
                Origin::Partition,
                "md0",
                65536,
                512,
                4096,
                misfit(Unit::Stripe, 131_072, 65536),
                false,
            ),
        ),
        (
            Spoils,
            begins("file", Origin::File, "sda1", 1024, 512, 4096, misfit(Unit::Sector, 4096, 1024), false),
        ),
        (
            Spoils,
            begins("file", Origin::Sum, "sda", 33_280, 512, 4096, misfit(Unit::Sector, 4096, 512), false),
        ),
        (Spoils, Fact::KernelSaysMisaligned { device: "dm-0".into(), offset_bytes: -1 }),
        (Fine, Fact::OffsetNotTold { above: "dm-0".into(), device: "sda2".into() }),
        (Note, Fact::TableWithoutPartitions { device: "loop0".into(), gpt: true, entries: 3 }),
        (Matters, Fact::TableForOtherSectors { device: sda(), table_bytes: 512, device_bytes: 4096 }),
        (Note, Fact::TableUnread { device: sda() }),
        (Matters, Fact::SmallFileSystemBlocks { at: "/data".into(), bytes: 1024 }),
        (Fine, Fact::NothingBetween { device: sda() }),
    ];
    let file_system =
        |kind: &str, answers| Fact::OnFileSystem { kind: kind.into(), answers, at: "/data".into() };
    let option =
        |option: &str, effect| Fact::MountOption { at: "/data".into(), option: option.into(), effect };
    let used = |used, by: &str| Fact::InUse { device: sda(), used, by: by.into() };
    let backing = || "/images/disk.img".to_string();
    let ground = [
        (Fine, Fact::Target { kind: TargetKind::Device, size: Some(1 << 30) }),
        (Fine, Fact::Target { kind: TargetKind::Partition, size: None }),
        (Fine, Fact::Target { kind: TargetKind::File, size: Some(5) }),
        (Fine, Fact::Target { kind: TargetKind::Directory, size: None }),
        (Spoils, Fact::Empty { kind: TargetKind::File }),
        (Spoils, Fact::Empty { kind: TargetKind::Device }),
        (Matters, file_system("tmpfs", FileSystemKind::Memory)),
        (Note, file_system("ext4", FileSystemKind::Disk)),
        (Matters, file_system("btrfs", FileSystemKind::CopyOnWrite)),
        (Matters, file_system("overlay", FileSystemKind::Overlay)),
        (Matters, file_system("nfs4", FileSystemKind::Network)),
        (Matters, file_system("virtiofs", FileSystemKind::Served)),
        (Matters, option("sync", MountEffect::Synchronous)),
        (Matters, option("nobarrier", MountEffect::NoFlush)),
        (Matters, option("data=journal", MountEffect::DataTwice)),
        (Matters, option("compress=zstd:3", MountEffect::Compressed)),
        (Matters, option("dax=always", MountEffect::Dax)),
        (Matters, option("ro", MountEffect::ReadOnly)),
        (Note, option("discard", MountEffect::Discard)),
        (Matters, Fact::LoopOverFile { device: "loop0".into(), backing: backing(), direct: false }),
        (Note, Fact::LoopOverFile { device: "loop0".into(), backing: backing(), direct: true }),
        (Matters, used(UsedAs::Mounted, "/data")),
        (Matters, used(UsedAs::Swap, "")),
        (Matters, used(UsedAs::Part, "md0")),
        (Matters, used(UsedAs::Loop, "loop0")),
        (Note, Fact::Carries { device: sda(), what: Contents::new(ContentsClass::FileSystem, "ext4") }),
        (Fine, Fact::DirectIo { accepted: true }),
        (Matters, Fact::DirectIo { accepted: false }),
        (Note, Fact::Unreadable { errno: 13 }),
        (Fine, Fact::Holes { size: 1 << 30, holes: 0, unwritten: Some(0) }),
        (Spoils, Fact::Holes { size: 1 << 30, holes: 1 << 29, unwritten: Some(1 << 28) }),
        (Fine, Fact::Pieces { size: 1 << 30, pieces: 1, mean_bytes: 1 << 30 }),
        (Note, Fact::Pieces { size: 1 << 30, pieces: 4000, mean_bytes: 268_435 }),
        (Matters, Fact::ZeroBlocks { sampled: 64, zero: 60 }),
        (Note, Fact::Cached { size: 1 << 30, cached: 1 << 29 }),
        (Matters, Fact::Space { size: 1 << 40, free: 1 << 30 }),
    ];
    let depth = |hardware_queues, requests, disk_takes| Fact::Depth {
        device: sda(),
        hardware_queues,
        requests,
        disk_takes,
    };
    let queue = [
        (Fine, Fact::Processors { usable: 8, online: 8 }),
        (Note, Fact::Processors { usable: 2, online: 8 }),
        (Fine, depth(8, 1023, None)),
        (Note, depth(1, 16, None)),
        (Matters, depth(1, 64, Some(1))),
        (Fine, depth(1, 64, Some(32))),
        (Fine, Fact::Engine { engine: EngineName::IoUring, errno: None }),
        (Note, Fact::Engine { engine: EngineName::IoUring, errno: Some(1) }),
        (Note, Fact::Engine { engine: EngineName::Libaio, errno: Some(11) }),
        (Note, Fact::AioRoom { used: 65_000, most: 65_536 }),
    ];
    let block_size = [
        (Fine, Fact::Sectors { device: sda(), logical: 512, physical: 512 }),
        (Note, Fact::Sectors { device: sda(), logical: 512, physical: 4096 }),
        (Note, Fact::Sectors { device: sda(), logical: 4096, physical: 4096 }),
        (Note, Fact::LargestRequest { device: sda(), bytes: 512 << 10 }),
        (Note, Fact::Stripe { device: "md0".into(), chunk: 65536, stripe: Some(131_072) }),
        (Note, Fact::Stripe { device: "md0".into(), chunk: 65536, stripe: None }),
    ];
    let kind = |medium, says_rotational, behaviour, read_ns| Fact::Kind {
        device: sda(),
        medium,
        says_rotational,
        behaviour,
        read_ns,
    };
    let cloud = |provider: &str, disk| Fact::Cloud { device: sda(), provider: provider.into(), disk };
    let scheduler = |name: &str| Fact::Scheduler { device: sda(), name: name.into(), quick: true };
    let device = [
        (Matters, kind(Medium::Memory, None, Behaviour::Unseen, None)),
        (Note, kind(Medium::Platters, Some(true), Behaviour::Slow, Some(8_300_000))),
        (Note, kind(Medium::Platters, Some(true), Behaviour::Quick, Some(90_000))),
        (Fine, kind(Medium::Flash, Some(false), Behaviour::Quick, Some(90_000))),
        (Note, kind(Medium::Flash, Some(false), Behaviour::Slow, Some(9_000_000))),
        (Note, kind(Medium::Hidden, Some(true), Behaviour::Unseen, None)),
        (Note, kind(Medium::Hidden, Some(true), Behaviour::Quick, Some(90_000))),
        (Note, kind(Medium::Hidden, Some(true), Behaviour::Between, Some(2_000_000))),
        (Note, kind(Medium::Hidden, Some(true), Behaviour::Slow, Some(8_000_000))),
        (Fine, kind(Medium::Hidden, Some(false), Behaviour::Unseen, None)),
        (Note, cloud("aws", CloudDisk::Network)),
        (Note, cloud("gcp", CloudDisk::Local)),
        (Note, cloud("azure", CloudDisk::Unknown)),
        (Matters, Fact::ControllerVolume { device: sda(), driver: "megaraid_sas".into() }),
        (Fine, scheduler("none")),
        (Note, scheduler("mq-deadline")),
        (Matters, scheduler("bfq")),
        (Note, Fact::ReadAhead { device: sda(), bytes: 0 }),
        (Note, Fact::ReadAhead { device: sda(), bytes: 8 << 20 }),
        (Fine, Fact::ReadAhead { device: sda(), bytes: 128 << 10 }),
        (Note, Fact::WriteCache { device: sda(), back: true, hidden: false }),
        (Note, Fact::WriteCache { device: sda(), back: false, hidden: false }),
        (Fine, Fact::WriteCache { device: sda(), back: false, hidden: true }),
        (Spoils, Fact::Zoned { device: sda(), host_managed: true }),
        (Note, Fact::Zoned { device: sda(), host_managed: false }),
    ];
    let busy = |ios, bytes, util_percent, in_flight| Fact::Busy {
        device: sda(),
        look_ms: 500,
        ios,
        bytes,
        util_percent,
        in_flight,
    };
    let work = |work, done_percent| Fact::ArrayBusy {
        device: "md0".into(),
        level: "raid5".into(),
        work,
        done_percent,
    };
    let array = |level: &str, bitmap| Fact::Array {
        device: "md0".into(),
        level: level.into(),
        disks: Some(3),
        bitmap,
    };
    let degraded = |level: &str| Fact::Degraded {
        device: "md0".into(),
        level: level.into(),
        missing: 1,
        disks: Some(3),
    };
    let load = [
        (Fine, busy(0, 0, 0.0, 0)),
        (Matters, busy(120, 491_520, 12.0, 1)),
        (Matters, busy(0, 0, 100.0, 4)),
        (Spoils, busy(4000, 4_000_000, 93.0, 0)),
        (Note, Fact::Pressure { percent: 34.4 }),
        (Note, Fact::Dirty { bytes: 512_000_000 }),
        (Spoils, work(ArrayWork::Resync, Some(12))),
        (Spoils, work(ArrayWork::Recover, None)),
        (Spoils, work(ArrayWork::Reshape, None)),
        (Spoils, work(ArrayWork::Check, Some(99))),
        (Spoils, work(ArrayWork::Repair, None)),
        (Matters, work(ArrayWork::Waiting, None)),
        (Spoils, degraded("raid5")),
        (Spoils, degraded("raid1")),
        (Note, array("raid5", true)),
        (Note, array("raid6", false)),
        (Fine, array("raid10", false)),
    ];
    let limits = [
        (
            Spoils,
            Fact::IoCap {
                device: sda(),
                bytes_per_second: [Some(1_000_000), None],
                iops: [Some(500), Some(777)],
            },
        ),
        (Fine, Fact::NoIoCap),
        (Matters, Fact::CpuCap { cpus: 0.5, usable: 8 }),
        (Note, Fact::MemoryCap { left_bytes: 300_000_000 }),
    ];
    let pcie = |width, speed, bytes_per_second| Fact::Pcie {
        device: "nvme0n1".into(),
        width,
        speed,
        most_width: 4,
        most_speed: 16.0,
        bytes_per_second,
        most_bytes_per_second: 7_876_923_076,
    };
    let usb = |mbit, one_at_a_time| Fact::Usb { device: sda(), mbit, one_at_a_time };
    let host = [
        (Fine, pcie(4, 16.0, 7_876_923_076)),
        (Spoils, pcie(2, 8.0, 1_969_230_769)),
        (
            Spoils,
            Fact::Sata { device: sda(), tenths: 30, limit_tenths: Some(30), bytes_per_second: 300_000_000 },
        ),
        (Fine, Fact::Sata { device: sda(), tenths: 60, limit_tenths: None, bytes_per_second: 600_000_000 }),
        (Spoils, usb(480, true)),
        (Matters, usb(5000, true)),
        (Note, usb(10000, false)),
        (Note, Fact::Numa { device: sda(), node: 1, local: true }),
        (Matters, Fact::Numa { device: sda(), node: 1, local: false }),
        (Note, Fact::Hypervisor { name: "QEMU Standard PC".into() }),
        (Note, Fact::Hypervisor { name: String::new() }),
        (Matters, Fact::Steal { percent: 7.3 }),
        (Matters, Fact::Governor { names: vec!["powersave".into()] }),
        (Matters, Fact::Clock { name: "hpet".into(), slow: true }),
    ];
    let topics: [(Topic, Vec<(Severity, Fact)>); 8] = [
        (Topic::Alignment, alignment.into()),
        (Topic::Ground, ground.into()),
        (Topic::Queue, queue.into()),
        (Topic::BlockSize, block_size.into()),
        (Topic::Device, device.into()),
        (Topic::Load, load.into()),
        (Topic::Limits, limits.into()),
        (Topic::Host, host.into()),
    ];
    topics.into_iter().flat_map(|(t, facts)| facts.into_iter().map(move |(s, f)| line(t, s, f))).collect()
}
