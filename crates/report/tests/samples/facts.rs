//! Every fact of a diagnosis.

use stats::contents::{Contents, ContentsClass};
use stats::doctor::*;
use stats::remote::{CephPool, InterfaceKind, NetworkPath, NfsMount, RemoteClient, Shaper};
use stats::server_fact::{CephOsd, ClusterActivity, ServerFact};

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
    let topics: [(Topic, Vec<(Severity, Fact)>); 9] = [
        (Topic::Alignment, alignment.into()),
        (Topic::Ground, ground.into()),
        (Topic::Queue, queue.into()),
        (Topic::BlockSize, block_size.into()),
        (Topic::Device, device.into()),
        (Topic::Network, network()),
        (Topic::Load, load.into()),
        (Topic::Limits, limits.into()),
        (Topic::Host, host.into()),
    ];
    topics.into_iter().flat_map(|(t, facts)| facts.into_iter().map(move |(s, f)| line(t, s, f))).collect()
}

/// Each client of a server, with what can happen to it, and each kind of path to a server.
fn network() -> Vec<(Severity, Fact)> {
    use Severity::*;
    let layer = || "/mnt/n1".to_string();
    let client = |client, servers: &[&str]| {
        let servers = servers.iter().map(|s| (*s).to_owned()).collect();
        (Note, Fact::Client { layer: layer(), client, servers })
    };
    let nfs = NfsMount {
        export: "10.0.0.1:/e".into(),
        version: "4.1".into(),
        transport: "tcp".into(),
        connections: 2,
        read_bytes: 1 << 20,
        write_bytes: 65536,
        security: "sys".into(),
        ..NfsMount::default()
    };
    let rbd = |snapshot: Option<&str>| RemoteClient::Rbd {
        pool: "p1".into(),
        image: "i1".into(),
        snapshot: snapshot.map(Into::into),
        cluster: "c1".into(),
        features: Some(1),
        copies: None,
    };
    let nbd = |backend: Option<&str>| RemoteClient::Nbd {
        connected: true,
        backend: backend.map(Into::into),
        timeout_s: Some(30),
    };
    let iscsi = RemoteClient::Iscsi {
        target: "iqn.2026-01.test:t1".into(),
        state: "LOGGED_IN".into(),
        recovery_s: Some(120),
        max_burst: Some(262_144),
        connections: 1,
        digests: false,
    };
    let nvme = |io_queues| RemoteClient::NvmeOver {
        transport: "tcp".into(),
        subsystem: "s1".into(),
        state: "live".into(),
        io_queues,
        controllers: 2,
        keep_alive_s: Some(5),
        reconnect_s: Some(10),
        loss_s: Some(600),
    };
    let smb = RemoteClient::Smb {
        share: "//n1/d1".into(),
        version: "3.1.1".into(),
        cache: "strict".into(),
        soft: true,
    };
    let ceph =
        |fuse, directory: &str| RemoteClient::CephFs { fuse, directory: directory.into(), pools: Vec::new() };
    let host =
        RemoteClient::HostDirectory { kind: "virtiofs".into(), tag: "t1".into(), cache: String::new() };
    let pool = |erasure, size, min_size| Fact::Pool {
        layer: layer(),
        pool: CephPool { name: "p1".into(), erasure, size, min_size, placement_groups: 32 },
    };
    let route = |kind, mbit, full_duplex| {
        let members =
            if kind == InterfaceKind::Bond { vec!["eth1".into(), "eth2".into()] } else { Vec::new() };
        let path = NetworkPath {
            server: "10.0.0.1".into(),
            interface: "if0".into(),
            kind,
            mbit,
            full_duplex,
            mtu: Some(1500),
            members,
            shaper: None,
        };
        let payload = path.payload_bytes_per_second();
        Fact::Route { layer: layer(), path, payload }
    };
    let shaper = Fact::Shaper {
        layer: layer(),
        interface: "if0".into(),
        shaper: Shaper { kind: "tbf".into(), bytes_per_second: 12_500_000 },
        payload: 11_955_085,
    };
    let fails =
        |setting: &str, seconds| Fact::FailsAfter { layer: layer(), setting: setting.into(), seconds };
    vec![
        client(RemoteClient::Nfs(nfs), &["10.0.0.1"]),
        client(smb, &["10.0.0.9"]),
        client(ceph(false, "/d1"), &["10.0.0.1:6789", "10.0.0.2:6789"]),
        client(ceph(true, ""), &[]),
        client(host, &[]),
        client(rbd(None), &["10.0.0.1:6789"]),
        client(rbd(Some("s1")), &["10.0.0.1:6789"]),
        client(nbd(None), &[]),
        client(nbd(Some("b1")), &["10.0.0.1:10809"]),
        client(iscsi, &["10.0.0.1:3260"]),
        client(nvme(Some(4)), &["10.0.0.1:4420"]),
        client(nvme(None), &["10.0.0.1:4420"]),
        (Spoils, Fact::NotConnected { layer: layer(), state: "FAILED1".into() }),
        (Matters, fails("soft", Some(15.0))),
        (Matters, fails("soft", None)),
        (Fine, fails("recovery_tmo", Some(120.0))),
        (Fine, Fact::WaitsForServer { layer: layer(), setting: "hard".into() }),
        (Note, Fact::AttributeCache { layer: layer(), file_s: [3, 60], directory_s: [30, 61] }),
        (Note, Fact::ExportUnknown { layer: layer() }),
        (Note, Fact::SmallRequests { layer: layer(), read_bytes: 32768, write_bytes: 65536 }),
        (Note, pool(false, 3, 2)),
        (Matters, pool(false, 1, 1)),
        (Note, pool(true, 6, 5)),
        (Fine, route(InterfaceKind::Card, Some(25_000), Some(true))),
        (Matters, route(InterfaceKind::Card, Some(1000), Some(true))),
        (Matters, route(InterfaceKind::Card, Some(100), Some(false))),
        (Note, route(InterfaceKind::Bond, Some(20_000), Some(true))),
        (Note, route(InterfaceKind::Virtual, None, None)),
        (Note, route(InterfaceKind::Loopback, None, None)),
        (Matters, shaper),
        (Note, Fact::ServerUnknown { layer: layer() }),
    ]
    .into_iter()
    .chain(servers())
    .collect()
}

/// What each kind of server states about a target.
fn servers() -> Vec<(Severity, Fact)> {
    use Severity::*;
    let layer = || "rbd:p1/i1".to_string();
    let pool = |erasure| CephPool { name: "p1".into(), erasure, size: 3, min_size: 2, placement_groups: 8 };
    let said = |severity, server| (severity, Fact::Server { layer: layer(), server });
    let activity =
        |recovering, degraded| ServerFact::Activity(ClusterActivity { recovering, scrubbing: 0, degraded });
    let osds = |store: &str| ServerFact::Osds {
        osds: vec![CephOsd {
            id: 7,
            host: "h1".into(),
            store: store.into(),
            rotational: Some(false),
            devices: "sda".into(),
        }],
        all: 5,
        hosts: 2,
    };
    let cache = |bytes| ServerFact::LibraryCache {
        library: "librbd".into(),
        bytes,
        policy: "writearound".into(),
        until_flush: true,
    };
    let lun = ServerFact::Lun {
        target: "iqn.2026-01.test:t1".into(),
        lun: 1,
        model: "V1 P1".into(),
        block: 512,
        physical_block: 4096,
        thin: true,
        unmap: true,
        write_cache: Some(true),
        rotation_rate: Some(7200),
    };
    let health = |status: &str, checks| said(Note, ServerFact::Health { status: status.into(), checks });
    let library = RemoteClient::Library { library: "librbd".into(), facts: Vec::new() };
    vec![
        (Note, Fact::Client { layer: layer(), client: library, servers: vec!["10.0.0.1:6801".into()] }),
        (Matters, Fact::SmallPool { layer: layer(), pool: pool(false), osds: 4, each: 6.0 }),
        (
            Note,
            Fact::ReplicationPayload {
                layer: layer(),
                copies: 3,
                hosts: 4,
                mbit: 1000,
                payload: 156_913_740,
            },
        ),
        said(Note, ServerFact::Pool { pool: pool(true), profile: Some("k=2 m=1".into()), osds: 4 }),
        health("HEALTH_WARN", Vec::new()),
        health("HEALTH_WARN", vec!["OSD_DOWN".into()]),
        said(Fine, activity(0, 0)),
        said(Note, activity(0, 3)),
        said(Matters, activity(2, 3)),
        said(Note, osds("bluestore")),
        said(Matters, osds("memstore")),
        said(
            Note,
            ServerFact::Image {
                size: 1 << 30,
                object_size: 4 << 20,
                stripe_unit: 4 << 20,
                stripe_count: 1,
                features: vec!["layering".into()],
                parent: Some("p1/i0@s1".into()),
            },
        ),
        said(Matters, ServerFact::Allocated { bytes: 1 << 20, size: 1 << 30 }),
        said(Note, cache(Some(32 << 20))),
        said(Fine, cache(None)),
        said(Matters, ServerFact::Limits { limits: vec![("rbd_qos_iops_limit".into(), 500)] }),
        said(Note, ServerFact::Clients { clients: vec!["client.7 10.0.0.2:0/1".into()] }),
        said(
            Note,
            ServerFact::Nfs {
                version: "4".into(),
                export: "10.0.0.1:/e".into(),
                read_bytes: 1 << 20,
                write_bytes: 1 << 20,
            },
        ),
        said(Note, lun),
        said(
            Note,
            ServerFact::Export {
                flags: vec!["flush".into(), "fua".into()],
                structured: Some(true),
                blocks: [1, 4096, 32 << 20],
            },
        ),
        said(Fine, ServerFact::RoundTrip { mean_us: 250, least_us: 190 }),
    ]
}
