//! What only a virtual machine has here: devices that LVM, md, LUKS and device mapper hold for real, NVMe, null_blk.
//! Part of the long tier; see scripts/guest.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "guest/trust.rs"]
mod trust;

use std::path::{Path, PathBuf};
use std::process::Command;
use testbed::{Bounded, Need, Sandbox, TOOL_LIMIT, skip_without};

/// Skips a test where no guest can run, fio is missing, or one of these programs.
macro_rules! skip_without_guest {
    ($($program:literal),*) => {
        skip_without!(
            Need::Root,
            Need::Program("qemu-system-x86_64"),
            Need::Program("busybox"),
            Need::Program("cpio"),
            Need::Program("fio"),
            $(Need::Program($program)),*
        )
    };
}

/// Sectors of NVMe namespaces of 4 KiB.
const BLOCKS: &str = "logical_block_size=4096,physical_block_size=4096";

/// A virtual machine that runs one script.
#[derive(Default)]
struct Guest {
    /// Programs in the guest besides fathom and fio.
    programs: Vec<&'static str>,
    /// Libraries and other files that the script finds beside the programs, in /usr/bin.
    files: Vec<PathBuf>,
    /// Variables of scripts/guest, such as another kernel.
    variables: Vec<(&'static str, &'static str)>,
    /// Options of QEMU.
    options: Vec<String>,
}

impl Guest {
    /// Adds a disk of `bytes` bytes, whose image `name` is in the sandbox, as this QEMU device.
    fn disk(mut self, sandbox: &Sandbox, name: &str, bytes: u64, device: &str) -> Self {
        let path = sandbox.join(name);
        std::fs::File::create(&path).unwrap().set_len(bytes).unwrap();
        let drive = format!("file={},format=raw,if=none,discard=unmap,id={name}", path.display());
        let (kind, more) = device.split_once(',').unwrap_or((device, ""));
        let device = format!("{kind},drive={name},{more}");
        self.options.extend(["-drive".into(), drive, "-device".into(), device.trim_end_matches(',').into()]);
        self
    }

    /// Runs a script, prints what it said and returns it; `None` if there is no guest to be had.
    fn run(self, script: &Path) -> Option<String> {
        let out = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/guest"))
            .envs(self.variables)
            .arg(script)
            .arg(env!("CARGO_BIN_EXE_fathom"))
            .arg("/usr/bin/fio")
            .args(self.programs)
            .args(self.files)
            .arg("--")
            .args(self.options)
            .output_within(std::time::Duration::from_secs(1200))
            .unwrap();
        let (said, err) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        if out.status.code() == Some(125) && err.contains("package mirror") {
            testbed::skip(err.trim());
            return None;
        }
        assert!(out.status.success() && !said.contains("FAIL"), "{said}{err}");
        println!("{said}");
        Some(said.into_owned())
    }
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest").join(name)
}

/// The options of a seed's command without target, size and runtime.
fn options(command: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut words = command.split_whitespace().skip(2);
    while let Some(word) = words.next() {
        let (key, value) = word
            .trim_start_matches('-')
            .split_once('=')
            .map_or((word.trim_start_matches('-'), None), |(k, v)| (k, Some(v)));
        match key {
            "filename" | "size" | "runtime" => {
                if value.is_none() {
                    words.next();
                }
            }
            _ => kept.push(word),
        }
    }
    kept.join(" ")
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn devices_that_are_held_for_real_are_refused_and_keep_every_byte() {
    skip_without_guest!();
    Guest::default().run(&script("holders.sh"));
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn zbd_jobs_write_host_managed_zones_in_order() {
    skip_without_guest!("blkzone");
    Guest { programs: vec!["/usr/sbin/blkzone"], ..Guest::default() }.run(&script("zones.sh"));
}

/// Zones through the block device and the character device of a zoned NVMe namespace, with the controller's report as
/// witness, verification across resets, and the zone options beside fio.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn zbd_jobs_write_zones_of_nvme_namespaces_in_order() {
    skip_without_guest!("blkzone", "nvme");
    let sandbox = Sandbox::new().unwrap();
    let cases: Vec<&str> =
        include_str!("guest/zone_cases.txt").lines().filter(|line| !line.starts_with('#')).collect();
    let text = std::fs::read_to_string(script("zns.sh")).unwrap().replace("CASES", &cases.join("\n"));
    let path = sandbox.join("zns.sh");
    std::fs::write(&path, text).unwrap();
    let zoned = "zoned=true,zoned.zone_size=4M,zoned.zone_capacity=3M,zoned.max_open=4,zoned.max_active=6";
    let guest = Guest { programs: vec!["/usr/sbin/blkzone", "/usr/sbin/nvme"], ..Guest::default() };
    let guest = guest.disk(&sandbox, "n2", 128 << 20, &format!("nvme-ns,nsid=2,{BLOCKS},{zoned}"));
    if let Some(said) = guest.run(&path) {
        for case in &cases {
            let name = case.split(':').next().unwrap();
            assert!(said.contains(&format!("ok   {name}: ")), "{name} was not compared");
        }
    }
}

/// Counts, data, trims, protection information and safety of `ioengine=io_uring_cmd`.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn nvme_commands_are_counted_by_the_controller_and_spare_file_systems() {
    skip_without_guest!("nvme");
    let sandbox = Sandbox::new().unwrap();
    let mut guest = Guest { programs: vec!["/usr/sbin/nvme"], ..Guest::default() };
    for (number, format) in [(2, ""), (3, ",ms=8,mset=0,pi=1,pil=0"), (4, ",ms=8,mset=1,pi=1,pil=0")] {
        let device = format!("nvme-ns,nsid={number},{BLOCKS}{format}");
        guest = guest.disk(&sandbox, &format!("n{number}"), 128 << 20, &device);
    }
    guest.run(&script("nvme.sh"));
}

/// Endurance from the health log, and a budget in percent, on an NVMe drive.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn wear_of_an_nvme_drive_is_stated_and_limited() {
    skip_without_guest!("nvme");
    Guest { programs: vec!["/usr/sbin/nvme"], ..Guest::default() }.run(&script("wear.sh"));
}

/// Purge by Format, write cache, temperature and refusals of `fathom pts`. QEMU's log of the commands that its controllers
/// received is a witness: formats, and each setting of the write cache.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn pts_formats_nvme_drives_and_restores_their_write_cache() {
    skip_without_guest!("nvme");
    let sandbox = Sandbox::new().unwrap();
    let mut guest = Guest { programs: vec!["/usr/sbin/nvme"], ..Guest::default() };
    let log = sandbox.join("commands");
    let traces = ["-trace", "pci_nvme_admin_cmd", "-trace", "pci_nvme_setfeat", "-D", log.to_str().unwrap()];
    let devices = ["-device", "nvme,id=c1,serial=pair", "-device", "virtio-scsi-pci"];
    guest.options.extend(traces.into_iter().chain(devices).map(String::from));
    let guest = guest.disk(&sandbox, "n2", 64 << 20, "nvme-ns,bus=c1,nsid=1");
    let guest = guest.disk(&sandbox, "n3", 64 << 20, "nvme-ns,bus=c1,nsid=2");
    let guest = guest.disk(&sandbox, "s1", 64 << 20, "scsi-hd");
    if guest.run(&script("pts.sh")).is_none() {
        return;
    }
    let log = std::fs::read_to_string(log).unwrap();
    // Two of the whole study, two of the one that was killed and resumed, and three of nvme-cli; none of two namespaces.
    assert_eq!(log.matches("NVME_ADM_CMD_FORMAT_NVM").count(), 7);
    let feature =
        |line: &str| line.split_once(" fid 0x6 save 0x0 cdw11 0x").map(|(_, value)| value.to_owned());
    let settings: String = log.lines().filter_map(feature).collect();
    // A study; nvme-cli; settings of client; nvme-cli; killed, restored, resumed, restored; ended by a signal.
    assert_eq!(settings, ["01", "0", "10", "1", "0", "1", "01", "01"].concat());
}

/// Counts and data of `ioengine=mtd` and `ioengine=dev-dax`, which need drivers that the cloud's kernel lacks.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn flash_and_dax_memory_hold_what_both_tools_write() {
    skip_without_guest!();
    let variables = vec![("GUEST_KERNEL", "linux-image-amd64"), ("GUEST_APPEND", "memmap=128M!768M")];
    Guest { variables, ..Guest::default() }.run(&script("flash.sh"));
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn nvme_null_blk_and_stacked_disks_are_listed_as_fio_lists_them() {
    skip_without_guest!();
    Guest::default().run(&script("disks.sh"));
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn commands_of_the_seeds_move_what_nvme_and_null_blk_count() {
    skip_without_guest!();
    let commands: Vec<String> = include_str!("blackbox/seeds/commands.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(options)
        .collect();
    assert_eq!(commands.len(), 48);
    let sandbox = Sandbox::new().unwrap();
    let text = std::fs::read_to_string(script("seeds.sh")).unwrap().replace("COMMANDS", &commands.join("\n"));
    let path = sandbox.join("seeds.sh");
    std::fs::write(&path, text).unwrap();
    Guest::default().run(&path);
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn layers_findings_and_doctor_are_right_on_nvme_md_dm_and_null_blk() {
    skip_without_guest!();
    let sandbox = Sandbox::new().unwrap();
    // A second namespace of the guest's NVMe disk, and a disk that has its sectors of 4096 bytes inside.
    let guest = Guest::default().disk(&sandbox, "d2", 128 << 20, &format!("nvme-ns,nsid=2,{BLOCKS}")).disk(
        &sandbox,
        "d3",
        96 << 20,
        "virtio-blk-pci,logical_block_size=512,physical_block_size=4096",
    );
    if let Some(said) = guest.run(&script("trust.sh")) {
        trust::judge(&said);
    }
}

/// Offsets of the clocks of two hosts with delays of 0 to 50 ms between them: known to 1 ms if both directions take as long, and
/// otherwise within the uncertainty that is stated. The table is printed.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn measures_clock_offsets_behind_delays() {
    skip_without_guest!("ip", "tc");
    Guest { programs: vec!["/sbin/ip", "/sbin/tc"], ..Guest::default() }.run(&script("clocks.sh"));
}

/// Commands, counts, data, errors and safety of `ioengine=sg`, on QEMU's disk and on scsi_debug.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn scsi_commands_are_those_of_fio_and_spare_file_systems() {
    skip_without_guest!();
    let sandbox = Sandbox::new().unwrap();
    let mut guest = Guest::default();
    guest.options.extend(["-device".into(), "virtio-scsi-pci".into()]);
    guest.disk(&sandbox, "s1", 64 << 20, "scsi-hd").run(&script("scsi.sh"));
}

/// Doctor, requests and findings of a kernel NFS mount and of a network block device, whose servers run in the guest, with the
/// limits of a network between them.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn nfs_mounts_and_network_block_devices_are_seen_through() {
    skip_without_guest!("ganesha.nfsd", "nbdkit", "nbd-client", "mke2fs", "gcc", "ip", "tc");
    let sandbox = Sandbox::new().unwrap();
    // The server registers with rpcbind, which the guest does not have.
    let source = sandbox.join("rpcb.c");
    let code = "int rpcb_set(unsigned a, unsigned b, const void *c, const void *d) { return 1; }\n\
                int rpcb_unset(unsigned a, unsigned b, const void *c) { return 1; }\n";
    std::fs::write(&source, code).unwrap();
    let shim = sandbox.join("rpcb.so");
    let mut compiler = Command::new("gcc");
    compiler.args(["-shared", "-fPIC", "-o"]).args([&shim, &source]);
    assert!(compiler.output_within(TOOL_LIMIT).unwrap().status.success());
    let libraries = Path::new("/usr/lib/x86_64-linux-gnu");
    let mut files: Vec<PathBuf> =
        ["ganesha/libfsalvfs.so", "nbdkit/plugins/nbdkit-memory-plugin.so", "libnfsidmap/nsswitch.so"]
            .map(|name| libraries.join(name))
            .into();
    files.extend(["/etc/netconfig".into(), shim]);
    if let Some(missing) = files.iter().find(|file| !file.exists()) {
        return testbed::skip(&format!("needs {}", missing.display()));
    }
    let programs = vec![
        "/usr/bin/ganesha.nfsd",
        "/usr/bin/nbdkit",
        "/usr/sbin/nbd-client",
        "/usr/sbin/mke2fs",
        "/sbin/ip",
        "/sbin/tc",
    ];
    Guest { programs, files, ..Guest::default() }.run(&script("network.sh"));
}
