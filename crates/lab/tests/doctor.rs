//! What a diagnosis says of storage that this machine has not: trees of sysfs, and what a storage engineer would say.
#![allow(clippy::unwrap_used)]

use facts::SysRoot;
use facts::layers::DeviceNumber;
use stats::doctor::*;
use stats::remote::{CephPool, InterfaceKind, NetworkPath, NfsMount, RemoteClient};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;
use testbed::Sandbox;

/// A machine made of files.
struct Machine {
    sandbox: Sandbox,
}

impl Machine {
    fn new() -> Machine {
        let machine = Machine { sandbox: Sandbox::new().unwrap() };
        machine.write("sys/devices/system/cpu/online", "0-1");
        machine.write("proc/self/mountinfo", "");
        machine
    }

    fn write(&self, path: &str, text: &str) {
        self.sandbox.put(path, &format!("{text}\n")).unwrap();
    }

    /// A device at `path` below `/sys/devices`, of 1 GiB unless it says otherwise, with files of its own.
    fn device(&self, path: &str, number: &str, files: &[(&str, &str)]) -> &Machine {
        let common =
            [("dev", number), ("size", "2097152"), ("stat", "1 0 8 1 0 0 0 0 0 1 1"), ("inflight", "0 0")];
        for (name, text) in common.iter().chain(files) {
            self.write(&format!("sys/devices/{path}/{name}"), text);
        }
        fs::create_dir_all(self.sandbox.join("sys/dev/block")).unwrap();
        symlink(format!("../../devices/{path}"), self.sandbox.join("sys/dev/block").join(number)).unwrap();
        self
    }

    /// `of` is put together from `member`, both paths below `/sys/devices`.
    fn made_of(&self, of: &str, member: &str) -> &Machine {
        let dir = self.sandbox.join("sys/devices").join(of).join("slaves");
        fs::create_dir_all(&dir).unwrap();
        let name = Path::new(member).file_name().unwrap();
        symlink(self.sandbox.join("sys/devices").join(member), dir.join(name)).unwrap();
        self
    }

    /// A machine with devices on other machines, as recorded from a real one.
    fn recorded(tree: &str) -> Machine {
        let machine = Machine::new();
        machine.sandbox.put_tree(tree).unwrap();
        machine
    }

    fn root(&self) -> SysRoot {
        SysRoot::at(self.sandbox.path())
    }

    fn ask(&self, number: &str) -> Diagnosis {
        let number = DeviceNumber::parse(number).unwrap();
        lab::doctor::of_device(&self.root(), number, Duration::from_millis(1)).unwrap()
    }
}

const QUEUE_512E: [(&str, &str); 4] = [
    ("queue/logical_block_size", "512"),
    ("queue/physical_block_size", "4096"),
    ("queue/minimum_io_size", "4096"),
    ("queue/optimal_io_size", "0"),
];

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    QUEUE_512E.iter().chain(more).copied().collect()
}

/// The severity of the one line that answers.
fn severity(d: &Diagnosis, wanted: impl Fn(&Fact) -> bool) -> Option<Severity> {
    let found: Vec<_> = d.lines.iter().filter(|l| wanted(&l.fact)).collect();
    assert!(found.len() < 2, "{found:?}");
    found.first().map(|l| l.severity)
}

macro_rules! says {
    ($d:expr, $severity:ident, $fact:pat $(if $guard:expr)?) => {
        let d = &$d;
        let found = severity(d, |f| matches!(f, $fact $(if $guard)?));
        assert_eq!(found, Some(Severity::$severity), "{} in {:#?}", stringify!($fact), d.lines);
    };
}

macro_rules! silent {
    ($d:expr, $fact:pat) => {
        assert!(!$d.lines.iter().any(|l| matches!(l.fact, $fact)), "{:#?}", $d.lines);
    };
}

const NVME: &str = "pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1";

/// An NVMe disk: model, lanes and GT/s now and at most, and what else its namespace says.
fn nvme(model: &str, [width, speed, most_width, most_speed]: [&str; 4], more: &[(&str, &str)]) -> Machine {
    let machine = Machine::new();
    let named =
        [("device/model", model), ("queue/rotational", "0"), ("queue/scheduler", "[none] mq-deadline")];
    machine.device(NVME, "259:0", &with(&[&named, more].concat()));
    for (name, text) in [
        ("transport", "pcie"),
        ("device/current_link_width", width),
        ("device/current_link_speed", speed),
        ("device/max_link_width", most_width),
        ("device/max_link_speed", most_speed),
    ] {
        machine.write(&format!("sys/class/nvme/nvme0/{name}"), text);
    }
    machine
}

const GEN4: [&str; 4] = ["4", "16.0 GT/s PCIe", "4", "16.0 GT/s PCIe"];

#[test]
fn nvme_disk_on_a_slower_link_has_the_rate_of_the_link() {
    let whole = nvme(
        "Samsung SSD 990",
        GEN4,
        &[("queue/nr_requests", "1023"), ("mq/0/nr_tags", "1"), ("mq/1/nr_tags", "1")],
    );
    let d = whole.ask("259:0");
    says!(d, Fine, Fact::Pcie { width: 4, .. });
    says!(d, Fine, Fact::Kind { medium: Medium::Flash, .. });
    says!(d, Fine, Fact::Scheduler { name, .. } if name == "none");
    says!(d, Fine, Fact::Depth { hardware_queues: 2, requests: 1023, disk_takes: None, .. });
    assert!(!d.spoils(), "{:#?}", d.lines);
    assert_eq!(d.stack[0].model.as_deref(), Some("Samsung SSD 990"));
    for now in [["2", "16.0 GT/s PCIe"], ["4", "8.0 GT/s PCIe"]] {
        let d = nvme("x", [now[0], now[1], "4", "16.0 GT/s PCIe"], &[]).ask("259:0");
        // Half of 4 lanes of 16 GT/s: 3.94 of 7.88 GB/s.
        says!(
            d,
            Spoils,
            Fact::Pcie {
                bytes_per_second: 3_930_000_000..=3_940_000_000,
                most_bytes_per_second: 7_870_000_000..=7_880_000_000,
                ..
            }
        );
        assert!(d.spoils());
    }
    // The older kernels' way to write it, and 8b/10b: M25's "about 1.7 GB/s" is this less the packets' share.
    let d = nvme("x", ["2", "8 GT/s", "4", "8 GT/s"], &[]).ask("259:0");
    says!(d, Spoils, Fact::Pcie { bytes_per_second: 1_960_000_000..=1_970_000_000, .. });
    let d = nvme("x", ["1", "5.0 GT/s PCIe", "1", "5.0 GT/s PCIe"], &[]).ask("259:0");
    says!(d, Fine, Fact::Pcie { bytes_per_second: 500_000_000, .. });
}

#[test]
fn a_namespace_that_several_controllers_lead_to_is_judged_by_one_of_them() {
    let machine = nvme("other", GEN4, &[]);
    let path = "virtual/nvme-subsystem/nvme-subsys0/nvme0n2";
    machine.device(path, "259:1", &with(&[("queue/rotational", "0")]));
    machine.write("sys/class/nvme-subsystem/nvme-subsys0/nvme3/state", "live");
    for (name, text) in [
        ("transport", "pcie"),
        ("device/current_link_width", "1"),
        ("device/current_link_speed", "16.0 GT/s PCIe"),
        ("device/max_link_width", "4"),
        ("device/max_link_speed", "16.0 GT/s PCIe"),
    ] {
        machine.write(&format!("sys/class/nvme/nvme3/{name}"), text);
    }
    says!(machine.ask("259:1"), Spoils, Fact::Pcie { width: 1, .. });
    machine.write("sys/class/nvme/nvme3/transport", "tcp");
    let d = machine.ask("259:1");
    silent!(d, Fact::Pcie { .. });
    says!(d, Fine, Fact::Kind { medium: Medium::Hidden, .. });
}

#[test]
fn schedulers_that_sort_are_no_good_for_nvme_and_fine_for_platters() {
    let under = |name: &str| nvme("x", GEN4, &[("queue/scheduler", name)]).ask("259:0");
    says!(under("none [bfq]"), Matters, Fact::Scheduler { .. });
    says!(under("none [kyber]"), Matters, Fact::Scheduler { .. });
    says!(under("none [mq-deadline]"), Note, Fact::Scheduler { .. });
    let d = sata("1", "6.0 Gbps", &[("queue/scheduler", "none [bfq]")]).ask("8:0");
    says!(d, Fine, Fact::Scheduler { .. });
}

const SDA: &str = "pci0000:00/0000:00:1f.2/ata3/host2/target2:0:0/2:0:0:0/block/sda";

fn sata(rotational: &str, speed: &str, more: &[(&str, &str)]) -> Machine {
    let machine = Machine::new();
    let named = [
        ("device/vendor", "ATA"),
        ("device/model", "WDC WD40EFRX"),
        ("queue/rotational", rotational),
        ("device/queue_depth", "32"),
        ("queue/nr_requests", "64"),
    ];
    machine.device(SDA, "8:0", &with(&[&named, more].concat()));
    machine.write("sys/class/scsi_host/host2/proc_name", "ahci");
    machine.write("sys/class/ata_link/link3/sata_spd", speed);
    machine.write("sys/class/ata_link/link3/sata_spd_limit", "<unknown>");
    machine.write("sys/class/ata_link/link3/hw_sata_spd_limit", "<unknown>");
    machine
}

#[test]
fn three_gigabits_hold_flash_down_and_no_platters() {
    let d = sata("0", "3.0 Gbps", &[]).ask("8:0");
    says!(d, Spoils, Fact::Sata { tenths: 30, limit_tenths: None, .. });
    says!(d, Fine, Fact::Kind { medium: Medium::Flash, .. });
    says!(d, Fine, Fact::Depth { disk_takes: Some(32), .. });
    says!(sata("0", "6.0 Gbps", &[]).ask("8:0"), Fine, Fact::Sata { .. });
    let hdd = sata("1", "3.0 Gbps", &[("queue/write_cache", "write through")]).ask("8:0");
    says!(hdd, Fine, Fact::Sata { .. });
    says!(hdd, Note, Fact::Kind { medium: Medium::Platters, says_rotational: Some(true), .. });
    says!(hdd, Note, Fact::WriteCache { back: false, hidden: false, .. });
    says!(sata("1", "1.5 Gbps", &[]).ask("8:0"), Matters, Fact::Sata { .. });
    // NCQ off, AHCI not chosen.
    says!(sata("0", "6.0 Gbps", &[("device/queue_depth", "1")]).ask("8:0"), Matters, Fact::Depth { .. });
    says!(sata("1", "6.0 Gbps", &[("queue/zoned", "host-managed")]).ask("8:0"), Spoils, Fact::Zoned { .. });
}

/// What a disk says of itself is held against how it behaves, where it may be read.
#[test]
fn random_reads_are_timed_on_the_disk_itself_and_zeros_are_not_counted() {
    let machine = sata("1", "6.0 Gbps", &[("size", "131072")]);
    let on_memory = statfs_is_tmpfs(machine.sandbox.path());
    let unseen = machine.ask("8:0");
    says!(unseen, Note, Fact::Kind { behaviour: Behaviour::Unseen, read_ns: None, .. });
    fs::create_dir_all(machine.sandbox.join("dev")).unwrap();
    let disk = machine.sandbox.file("dev/sda", 64 << 20).unwrap();
    let uncached = || {
        let file = fs::File::open(&disk).unwrap();
        file.sync_all().unwrap();
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
    };
    uncached();
    let d = machine.ask("8:0");
    if !on_memory {
        says!(d, Note, Fact::Kind { medium: Medium::Platters, behaviour, read_ns: Some(1_000..), .. } if *behaviour != Behaviour::Unseen);
    }
    fs::File::create(&disk).unwrap().set_len(64 << 20).unwrap();
    says!(machine.ask("8:0"), Note, Fact::Kind { behaviour: Behaviour::Unseen, .. });
}

/// There a file cannot be thrown out of memory.
fn statfs_is_tmpfs(path: &Path) -> bool {
    rustix::fs::statfs(path).unwrap().f_type == 0x0102_1994
}

#[test]
fn a_usb_2_port_is_measured_instead_of_the_disk() {
    let on = |mbit: &str, driver: &str| {
        let machine = Machine::new();
        let port = "pci0000:00/0000:00:14.0/usb1/1-2";
        let path = format!("{port}/1-2:1.0/host6/target6:0:0/6:0:0:0/block/sdb");
        machine.device(&path, "8:16", &with(&[("queue/rotational", "1"), ("device/vendor", "SanDisk")]));
        machine.write(&format!("sys/devices/{port}/speed"), mbit);
        symlink(
            format!("/sys/bus/usb/drivers/{driver}"),
            machine.sandbox.join(&format!("sys/devices/{port}/1-2:1.0/driver")),
        )
        .unwrap();
        machine.write("sys/class/scsi_host/host6/proc_name", driver);
        machine.ask("8:16")
    };
    says!(on("480", "usb-storage"), Spoils, Fact::Usb { mbit: 480, one_at_a_time: true, .. });
    says!(on("5000", "usb-storage"), Matters, Fact::Usb { one_at_a_time: true, .. });
    let good = on("10000", "uas");
    says!(good, Note, Fact::Usb { mbit: 10000, one_at_a_time: false, .. });
    // Bridges call everything rotating: no platters by that flag alone.
    says!(good, Note, Fact::Kind { medium: Medium::Hidden, .. });
}

/// A raid5 of sda2, which begins at `start` (512-byte sectors) of sda, and sdb; its data begins 1 MiB into each.
fn raid(start: &str, more: &[(&str, &str)]) -> Machine {
    let machine = sata("0", "6.0 Gbps", &[]);
    let sda2 = format!("{SDA}/sda2");
    machine.device(&sda2, "8:2", &[("partition", "2"), ("start", start)]);
    machine.device("pci0000:00/0000:00:1f.2/ata4/host3/target3:0:0/3:0:0:0/block/sdb", "8:16", &with(&[]));
    machine.write("sys/class/scsi_host/host3/proc_name", "ahci");
    let array = [
        ("md/level", "raid5"),
        ("md/raid_disks", "3"),
        ("md/degraded", "0"),
        ("md/sync_action", "idle"),
        ("md/sync_completed", "none"),
        ("md/chunk_size", "65536"),
        ("md/bitmap/location", "none"),
        ("md/dev-sda2/offset", "2048"),
        ("md/dev-sdb/offset", "2048"),
        ("queue/logical_block_size", "512"),
        ("queue/physical_block_size", "4096"),
        ("queue/minimum_io_size", "65536"),
        ("queue/optimal_io_size", "131072"),
        ("alignment_offset", "0"),
    ];
    machine.device("virtual/block/md0", "9:0", &[&array, more].concat());
    machine.made_of("virtual/block/md0", &sda2);
    machine.made_of("virtual/block/md0", "pci0000:00/0000:00:1f.2/ata4/host3/target3:0:0/3:0:0:0/block/sdb");
    machine
}

#[test]
fn memory_is_known_by_its_driver_under_any_name() {
    let machine = Machine::new();
    machine.write(
        "proc/devices",
        "Character devices:\n251 nullb\n\nBlock devices:\n  8 sd\n251 other\n252 nullb",
    );
    machine.device("virtual/block/fast", "252:0", &with(&[("queue/rotational", "0")]));
    machine.device("virtual/block/slow", "251:0", &with(&[("queue/rotational", "0")]));
    machine.device("virtual/block/pmem0", "259:9", &with(&[("queue/rotational", "0")]));
    says!(machine.ask("252:0"), Matters, Fact::Kind { medium: Medium::Memory, .. });
    // Persistent memory is storage.
    says!(machine.ask("259:9"), Note, Fact::Kind { medium: Medium::Memory, .. });
    says!(machine.ask("251:0"), Fine, Fact::Kind { medium: Medium::Hidden, .. });
}

#[test]
fn array_that_resyncs_or_lacks_a_member_is_not_to_be_measured() {
    let d = raid("2048", &[]).ask("9:0");
    says!(d, Note, Fact::Array { disks: Some(3), bitmap: false, .. });
    says!(d, Note, Fact::Stripe { chunk: 65536, stripe: Some(131_072), .. });
    assert!(!d.spoils(), "{:#?}", d.lines);
    let d = raid("2048", &[("md/sync_action", "resync"), ("md/sync_completed", "12345 / 100000")]).ask("9:0");
    says!(d, Spoils, Fact::ArrayBusy { work: ArrayWork::Resync, done_percent: Some(12), .. });
    silent!(d, Fact::Array { .. });
    let d = raid("2048", &[("md/sync_action", "check")]).ask("9:0");
    says!(d, Spoils, Fact::ArrayBusy { work: ArrayWork::Check, .. });
    let d = raid("2048", &[("md/sync_action", "resync"), ("md/sync_completed", "delayed")]).ask("9:0");
    says!(d, Matters, Fact::ArrayBusy { work: ArrayWork::Waiting, .. });
    let d = raid("2048", &[("md/degraded", "1"), ("md/bitmap/location", "+8")]).ask("9:0");
    says!(d, Spoils, Fact::Degraded { missing: 1, disks: Some(3), .. });
    silent!(d, Fact::ArrayBusy { .. });
}

#[test]
fn offsets_add_up_on_the_way_down_and_only_the_sum_counts() {
    let d = raid("2048", &[]).ask("9:0");
    says!(d, Fine, Fact::Begins { origin: Origin::Raid, on, byte: 1_048_576, fails: None, .. } if on == "sda2");
    says!(d, Fine, Fact::Begins { origin: Origin::Partition, on, byte: 1_048_576, .. } if on == "sda");
    let d = raid("63", &[]).ask("9:0");
    let beyond = Some(Misfit { unit: Unit::Sector, bytes: 4096, beyond: 3584 });
    says!(d, Spoils, Fact::Begins { origin: Origin::Partition, byte: 32_256, fails, .. } if *fails == beyond);
    // Data that begins one sector into the partition makes up for 63.
    let d = raid("63", &[("md/dev-sda2/offset", "2049")]).ask("9:0");
    says!(d, Note, Fact::Begins { origin: Origin::Partition, compensated: true, .. });
    // A partition in the array, across its chunks but not across sectors.
    let part = |start: &str| {
        let machine = raid("2048", &[]);
        machine.device("virtual/block/md0/md0p1", "259:1", &[("partition", "1"), ("start", start)]);
        machine.ask("259:1")
    };
    let chunk = |n| Some(Misfit { unit: Unit::Chunk, bytes: 65536, beyond: n });
    let d = part("8");
    says!(d, Matters, Fact::Begins { origin: Origin::Partition, on, fails, .. } if on == "md0" && *fails == chunk(4096));
    let stripe = Some(Misfit { unit: Unit::Stripe, bytes: 131_072, beyond: 65536 });
    let d = part("128");
    says!(d, Note, Fact::Begins { on, fails, .. } if on == "md0" && *fails == stripe);
    let d = part("2048");
    says!(d, Fine, Fact::Begins { on, .. } if on == "md0");
    // Its own fault is said once, not again for each layer under it.
    let d = part("63");
    assert_eq!(d.count(Severity::Spoils), 1, "{:#?}", d.lines);
}

#[test]
fn a_disk_that_was_built_for_sector_63_is_right_with_it_and_wrong_with_64() {
    let part = |start: &str, more: &[(&str, &str)]| {
        let machine = sata("1", "6.0 Gbps", more);
        machine.device(&format!("{SDA}/sda1"), "8:1", &[("partition", "1"), ("start", start)]);
        machine
    };
    let built = [("alignment_offset", "3584")];
    says!(part("63", &built).ask("8:1"), Fine, Fact::Begins { .. });
    says!(part("64", &built).ask("8:1"), Spoils, Fact::Begins { .. });
    says!(part("63", &[]).ask("8:1"), Spoils, Fact::Begins { .. });
    says!(part("64", &[]).ask("8:1"), Fine, Fact::Begins { .. });
    // Asked for the disk, each of its partitions is looked at.
    says!(part("63", &[]).ask("8:0"), Spoils, Fact::Begins { what, .. } if what == "sda1");
    // A disk that says nothing of 4096 is not believed.
    let quiet = [("queue/physical_block_size", "512"), ("queue/minimum_io_size", "512")];
    says!(part("63", &quiet).ask("8:1"), Spoils, Fact::Begins { physical_bytes: 512, .. });
}

#[test]
fn encrypted_volume_is_followed_to_its_partition() {
    let stack = |verdict: &str| {
        let machine = sata("0", "6.0 Gbps", &[]);
        let sda2 = format!("{SDA}/sda2");
        machine.device(&sda2, "8:2", &[("partition", "2"), ("start", "2048")]);
        machine.device(
            "virtual/block/dm-0",
            "253:0",
            &with(&[("dm/uuid", "LVM-x"), ("alignment_offset", verdict)]),
        );
        machine.made_of("virtual/block/dm-0", &sda2);
        machine.device(
            "virtual/block/dm-1",
            "253:1",
            &with(&[("dm/uuid", "CRYPT-LUKS2-x"), ("alignment_offset", "0")]),
        );
        machine.made_of("virtual/block/dm-1", "virtual/block/dm-0");
        machine.ask("253:1")
    };
    let d = stack("0");
    let kinds: Vec<_> = d.stack.iter().map(|s| s.kind.as_str()).collect();
    assert_eq!(kinds, ["crypt", "lvm", "partition", "disk"]);
    says!(d, Fine, Fact::OffsetNotTold { above, device } if above == "dm-1" && device == "dm-0");
    says!(d, Fine, Fact::OffsetNotTold { above, .. } if above == "dm-0");
    says!(d, Fine, Fact::Begins { what, byte: 1_048_576, .. } if what == "sda2");
    assert!(!d.spoils());
    let d = stack("-1");
    says!(d, Spoils, Fact::KernelSaysMisaligned { offset_bytes: -1, .. });
    assert_eq!(severity(&d, |f| matches!(f, Fact::OffsetNotTold { above, .. } if above == "dm-0")), None);
}

#[test]
fn controller_volume_hides_its_disks_unless_passed_through() {
    let behind = |vendor: &str, model: &str| {
        let machine = Machine::new();
        let path = "pci0000:00/0000:02:00.0/host0/target0:2:0/0:2:0:0/block/sda";
        let named = [
            ("device/vendor", vendor),
            ("device/model", model),
            ("queue/rotational", "1"),
            ("queue/write_cache", "write through"),
        ];
        machine.device(path, "8:0", &with(&named));
        machine.write("sys/class/scsi_host/host0/proc_name", "megaraid_sas");
        machine.ask("8:0")
    };
    let d = behind("DELL", "PERC H730 Mini");
    says!(d, Matters, Fact::ControllerVolume { driver, .. } if driver == "megaraid_sas");
    says!(d, Note, Fact::Kind { medium: Medium::Hidden, says_rotational: Some(true), .. });
    says!(d, Fine, Fact::WriteCache { back: false, hidden: true, .. });
    says!(behind("AVAGO", "MR9361-8i"), Matters, Fact::ControllerVolume { .. });
    let d = behind("ATA", "ST4000NM0035");
    silent!(d, Fact::ControllerVolume { .. });
    says!(d, Note, Fact::Kind { medium: Medium::Platters, .. });
}

fn dmi(machine: &Machine, vendor: &str, product: &str, tag: &str) {
    machine.write("sys/class/dmi/id/sys_vendor", vendor);
    machine.write("sys/class/dmi/id/product_name", product);
    machine.write("sys/class/dmi/id/chassis_asset_tag", tag);
    machine.write("proc/cpuinfo", "processor : 0\nflags\t\t: fpu vme hypervisor lahf_lm");
}

#[test]
fn a_hypervisors_disk_is_nobodys_platters_whatever_its_flag() {
    let machine = Machine::new();
    let path = "pci0000:00/0000:00:02.0/virtio1/block/vda";
    machine.device(
        path,
        "254:0",
        &with(&[
            ("queue/rotational", "1"),
            ("device/vendor", "0x1af4"),
            ("queue/scheduler", "none [mq-deadline]"),
        ]),
    );
    dmi(&machine, "QEMU", "Standard PC", "");
    let d = machine.ask("254:0");
    says!(
        d,
        Note,
        Fact::Kind { medium: Medium::Hidden, says_rotational: Some(true), behaviour: Behaviour::Unseen, .. }
    );
    says!(d, Note, Fact::Hypervisor { name } if name == "QEMU Standard PC");
    says!(d, Fine, Fact::Scheduler { .. });
    silent!(d, Fact::Cloud { .. });
    assert_eq!(d.stack[0].model, None, "a PCI number is no maker's name");
    assert!(!d.spoils(), "{:#?}", d.lines);
}

#[test]
fn cloud_disks_are_told_by_their_names_and_by_whose_machine_it_is() {
    let cloud = |d: &Diagnosis| {
        let found = d.lines.iter().find_map(|l| match &l.fact {
            Fact::Cloud { provider, disk, .. } => Some((provider.clone(), *disk)),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("{:#?}", d.lines))
    };
    let on_nvme = |model: &str| cloud(&nvme(model, GEN4, &[]).ask("259:0"));
    assert_eq!(on_nvme("Amazon Elastic Block Store"), ("aws".into(), CloudDisk::Network));
    assert_eq!(on_nvme("Amazon EC2 NVMe Instance Storage"), ("aws".into(), CloudDisk::Local));
    assert_eq!(on_nvme("nvme_card-pd"), ("gcp".into(), CloudDisk::Network));
    assert_eq!(on_nvme("nvme_card"), ("gcp".into(), CloudDisk::Local));
    assert_eq!(on_nvme("MSFT NVMe Accelerator v1.0"), ("azure".into(), CloudDisk::Network));
    assert_eq!(on_nvme("Microsoft NVMe Direct Disk"), ("azure".into(), CloudDisk::Local));
    let on_scsi = |vendor: &str, model: &str, driver: &str, firmware: [&str; 3]| {
        let machine = Machine::new();
        let path = "pci0000:00/0000:00:03.0/virtio0/host0/target0:0:1/0:0:1:0/block/sda";
        machine.device(
            path,
            "8:0",
            &with(&[("device/vendor", vendor), ("device/model", model), ("queue/rotational", "1")]),
        );
        machine.write("sys/class/scsi_host/host0/proc_name", driver);
        dmi(&machine, firmware[0], firmware[1], firmware[2]);
        machine.ask("8:0")
    };
    let gcp = on_scsi("Google", "PersistentDisk", "virtio_scsi", ["Google", "Google Compute Engine", ""]);
    assert_eq!(cloud(&gcp), ("gcp".into(), CloudDisk::Network));
    let azure = ["Microsoft Corporation", "Virtual Machine", "7783-7084-3265-9085-8269-3286-77"];
    let d = on_scsi("Msft", "Virtual Disk", "storvsc_host_t", azure);
    assert_eq!(cloud(&d), ("azure".into(), CloudDisk::Unknown));
    says!(d, Note, Fact::Kind { medium: Medium::Hidden, .. });
    // A Hyper-V of one's own is no cloud.
    let d =
        on_scsi("Msft", "Virtual Disk", "storvsc_host_t", ["Microsoft Corporation", "Virtual Machine", "7"]);
    silent!(d, Fact::Cloud { .. });
    let machine = Machine::new();
    machine.device("pci0000:00/0000:00:05.0/virtio2/block/vdb", "254:16", &with(&[]));
    dmi(&machine, "Huawei Cloud", "OpenStack Nova", "");
    assert_eq!(cloud(&machine.ask("254:16")), ("huawei".into(), CloudDisk::Unknown));
}

#[test]
fn what_the_host_adds_is_told_and_whose_devices_a_cap_is_on() {
    let machine = nvme("x", GEN4, &[]);
    for (path, text) in [
        ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance"),
        ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet"),
        ("sys/devices/system/node/node0/cpulist", "0-1"),
        ("sys/devices/system/node/node1/cpulist", "4000-4001"),
        ("sys/class/nvme/nvme0/numa_node", "1"),
        ("proc/self/cgroup", "0::/a"),
        ("proc/self/mountinfo", "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"),
        (
            "sys/fs/cgroup/a/io.max",
            "259:0 rbps=1000000 wbps=max riops=500 wiops=max\n8:0 rbps=1 wbps=1 riops=1 wiops=1",
        ),
        (
            "proc/pressure/io",
            "some avg10=34.36 avg60=1 avg300=1 total=1\nfull avg10=0 avg60=0 avg300=0 total=0",
        ),
        ("proc/meminfo", "Dirty: 500000 kB\nWriteback: 0 kB"),
    ] {
        machine.write(path, text);
    }
    let d = machine.ask("259:0");
    says!(d, Matters, Fact::Governor { names } if names == &["performance", "powersave"]);
    says!(d, Matters, Fact::Clock { slow: true, .. });
    says!(d, Matters, Fact::Numa { node: 1, local: false, .. });
    says!(d, Spoils, Fact::IoCap { device, bytes_per_second: [Some(1_000_000), None], iops: [Some(500), None] } if device == "nvme0n1");
    silent!(d, Fact::NoIoCap);
    says!(d, Note, Fact::Pressure { .. });
    says!(d, Note, Fact::Dirty { bytes: 512_000_000 });
    machine.write("sys/class/nvme/nvme0/numa_node", "0");
    machine.write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
    machine.write("sys/fs/cgroup/a/io.max", "8:0 rbps=1 wbps=1 riops=1 wiops=1");
    let d = machine.ask("259:0");
    says!(d, Note, Fact::Numa { node: 0, local: true, .. });
    says!(d, Fine, Fact::Clock { slow: false, .. });
    says!(d, Fine, Fact::NoIoCap);
}

#[test]
fn a_disk_that_others_use_is_told_with_what_they_did() {
    let machine = nvme("x", GEN4, &[]);
    let stat = machine.sandbox.join(&format!("sys/devices/{NVME}/stat"));
    let look = Duration::from_millis(400);
    let busy = |after: &'static str| {
        let (stat, root) = (stat.clone(), machine.root());
        fs::write(&stat, "100 0 800 1 0 0 0 0 0 10 1").unwrap();
        let writer = std::thread::spawn(move || {
            std::thread::sleep(look / 4);
            fs::write(&stat, after).unwrap();
        });
        let d = lab::doctor::of_device(&root, DeviceNumber::parse("259:0").unwrap(), look).unwrap();
        writer.join().unwrap();
        d
    };
    says!(busy("100 0 800 1 0 0 0 0 0 10 1"), Fine, Fact::Busy { ios: 0, bytes: 0, .. });
    says!(busy("103 0 824 1 0 0 0 0 0 12 1"), Fine, Fact::Busy { ios: 3, bytes: 12_288, .. });
    says!(busy("200 0 1600 1 0 0 0 0 0 12 1"), Matters, Fact::Busy { ios: 100, bytes: 409_600, .. });
    says!(busy("101 0 808 1 0 0 0 0 0 350 1"), Spoils, Fact::Busy { ios: 1, .. });
    machine.write(&format!("sys/devices/{NVME}/inflight"), "3 1");
    says!(busy("100 0 800 1 0 0 0 0 0 10 1"), Matters, Fact::Busy { ios: 0, in_flight: 4, .. });
}

/// The order that a seller of disks gives, then the rest.
#[test]
fn lines_stand_in_the_order_in_which_to_look() {
    let machine = raid("63", &[("md/sync_action", "check")]);
    let topics: Vec<Topic> = machine.ask("9:0").lines.iter().map(|l| l.topic).collect();
    assert!(topics.is_sorted(), "{topics:?}");
    assert!(
        topics[0] == Topic::Alignment && topics.contains(&Topic::Ground) && topics.contains(&Topic::Limits)
    );
    assert!(
        [Topic::Alignment, Topic::Ground, Topic::Queue, Topic::BlockSize].is_sorted(),
        "the order of the seller"
    );
}

const REMOTE: &str = include_str!("../../facts/tests/remote/devices.tree");
const CEPH: &str = include_str!("../../facts/tests/remote/ceph.tree");

#[test]
fn devices_on_servers_show_client_limits_and_path() {
    let machine = Machine::recorded(REMOTE);
    let d = machine.ask("8:0");
    says!(d, Note, Fact::Client { layer, client: RemoteClient::Iscsi { target, .. }, .. }
        if layer == "sda" && target == "iqn.2026-01.test:t1");
    says!(d, Fine, Fact::FailsAfter { setting, seconds: Some(120.0), .. } if setting == "recovery_tmo");
    says!(
        d,
        Note,
        Fact::Route { path: NetworkPath { kind: InterfaceKind::Loopback, .. }, payload: None, .. }
    );
    silent!(d, Fact::NotConnected { .. });
    let d = machine.ask("259:1");
    says!(d, Note, Fact::Client { client: RemoteClient::NvmeOver { .. }, .. });
    says!(d, Fine, Fact::FailsAfter { setting, seconds: Some(600.0), .. } if setting == "ctrl_loss_tmo");
    let d = machine.ask("43:0");
    says!(d, Note, Fact::Client { servers, .. } if servers[..] == ["127.0.0.1:10809"]);
    silent!(d, Fact::ServerUnknown { .. });
    // The client of nbd1 has ended, so that nothing shows its server; its requests never time out.
    let d = machine.ask("43:32");
    says!(d, Note, Fact::ServerUnknown { .. });
    says!(d, Fine, Fact::WaitsForServer { setting, .. } if setting == "timeout");
}

#[test]
fn lost_sessions_spoil_and_local_disks_have_no_network_rows() {
    let machine = Machine::recorded(REMOTE);
    let session = "sys/devices/platform/host0/session1/iscsi_session/session1";
    machine.write(&format!("{session}/state"), "FAILED");
    says!(machine.ask("8:0"), Spoils, Fact::NotConnected { state, .. } if state == "FAILED");
    machine.write("sys/devices/virtual/nvme-fabrics/ctl/nvme0/state", "connecting");
    says!(machine.ask("259:1"), Spoils, Fact::NotConnected { state, .. } if state == "connecting");
    fs::remove_file(machine.sandbox.join("sys/devices/virtual/block/nbd0/pid")).unwrap();
    let d = machine.ask("43:0");
    says!(d, Spoils, Fact::NotConnected { .. });
    silent!(d, Fact::ServerUnknown { .. });
    let local = nvme("x", GEN4, &[]).ask("259:0");
    assert!(local.lines.iter().all(|line| line.topic != Topic::Network), "{:#?}", local.lines);
}

#[test]
fn ceph_image_with_one_copy_is_a_warning() {
    let machine = Machine::recorded(CEPH);
    let d = machine.ask("254:0");
    says!(d, Note, Fact::Client { client: RemoteClient::Rbd { pool, image, .. }, .. } if pool == "rbd" && image == "img");
    says!(d, Matters, Fact::Pool { pool: CephPool { size: 1, .. }, .. });
    let map = "sys/kernel/debug/ceph/11111111-2222-3333-4444-555555555555.client4110/osdmap";
    machine.write(map, "epoch 15\npool 1 'rbd' type 1 size 3 min_size 2 pg_num 32 pg_num_mask 31");
    says!(machine.ask("254:0"), Note, Fact::Pool { pool: CephPool { size: 3, min_size: 2, .. }, .. });
    fs::remove_file(machine.sandbox.join(map)).unwrap();
    silent!(machine.ask("254:0"), Fact::Pool { .. });
}

/// Asks about a file of the sandbox whose mount the fixture replaces by an NFS mount of the recorded machine.
fn ask_nfs(machine: &Machine, at: &str, change: impl Fn(&str) -> String) -> Diagnosis {
    let target = machine.sandbox.file("target", 4096).unwrap();
    let flags = rustix::fs::AtFlags::empty();
    let meta = rustix::fs::statx(rustix::fs::CWD, &target, flags, rustix::fs::StatxFlags::MNT_ID).unwrap();
    let mounts = include_str!("../../facts/tests/remote/nfs-mountinfo");
    let line = mounts.lines().find(|line| line.contains(at)).unwrap();
    let (_, rest) = line.split_once(' ').unwrap();
    machine.write("proc/self/mountinfo", &change(&format!("{} {rest}", meta.stx_mnt_id)));
    let asked = lab::doctor::DoctorRequest { target, root: machine.root(), look: Duration::from_millis(1) };
    lab::doctor::diagnose(&asked).unwrap()
}

#[test]
fn nfs_mounts_show_soft_caching_and_unknown_export() {
    let machine = Machine::recorded(REMOTE);
    let d = ask_nfs(&machine, " /mnt/n4 ", str::to_owned);
    says!(d, Note, Fact::Client { client: RemoteClient::Nfs(NfsMount { connections: 2, .. }), .. });
    says!(d, Fine, Fact::WaitsForServer { setting, .. } if setting == "hard");
    says!(d, Note, Fact::AttributeCache { file_s: [3, 60], directory_s: [30, 60], .. });
    says!(d, Note, Fact::ExportUnknown { .. });
    silent!(d, Fact::SmallRequests { .. });
    let d = ask_nfs(&machine, " /mnt/n3 ", str::to_owned);
    // timeo=50 (5 s), retrans=2: three transmissions.
    says!(d, Matters, Fact::FailsAfter { setting, seconds: Some(15.0), .. } if setting == "soft");
    says!(d, Matters, Fact::MountOption { effect: MountEffect::Synchronous, .. });
    silent!(d, Fact::AttributeCache { .. });
    let d = ask_nfs(&machine, " /mnt/n4 ", |line| line.replace("rsize=1048576", "rsize=32768"));
    says!(d, Note, Fact::SmallRequests { read_bytes: 32768, .. });
}

/// The server is in the network of a card with this speed and duplex.
fn routed(mbit: &str, duplex: &str) -> Diagnosis {
    let machine = Machine::recorded(REMOTE);
    let head = "Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT";
    machine.write("proc/net/route", &format!("{head}\neth0 0000000A 00000000 0001 0 0 0 000000FF 0 0 0"));
    for (name, text) in [("speed", mbit), ("duplex", duplex), ("mtu", "1500"), ("device/vendor", "0x8086")] {
        machine.write(&format!("sys/class/net/eth0/{name}"), text);
    }
    symlink("../../drivers/e1000e", machine.sandbox.join("sys/class/net/eth0/device/driver")).unwrap();
    ask_nfs(&machine, " /mnt/n4 ", |line| line.replace("addr=127.0.0.1", "addr=10.0.0.1"))
}

#[test]
fn slow_and_half_duplex_links_to_a_server_are_warnings() {
    says!(routed("25000", "full"), Fine, Fact::Route { payload: Some(2_900_000_000..=2_950_000_000), .. });
    says!(routed("1000", "full"), Matters, Fact::Route { payload: Some(117_685_305), .. });
    says!(routed("10000", "half"), Matters, Fact::Route { .. });
    says!(routed("-1", "unknown"), Note, Fact::Route { payload: None, .. });
}
