//! What only a virtual machine has here: devices that LVM, md, LUKS and device mapper hold for real, NVMe, null_blk.
//! Part of the long tier; see scripts/guest.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "guest/trust.rs"]
mod trust;

use std::path::{Path, PathBuf};
use std::process::Command;
use testbed::{Bounded, Need, Sandbox, skip_without};

/// Runs a script in the guest and hands on what it said; `None` if there is no guest to be had.
fn guest_with(script: &Path, more: &[String]) -> Option<String> {
    guest_of(script, &[], more)
}

/// The same with further programs in the guest.
fn guest_of(script: &Path, programs: &[&str], more: &[String]) -> Option<String> {
    guest_as(&[], script, programs, more)
}

/// The same with variables of scripts/guest, such as another kernel.
fn guest_as(variables: &[(&str, &str)], script: &Path, programs: &[&str], more: &[String]) -> Option<String> {
    let out = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/guest"))
        .envs(variables.iter().copied())
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_fathom"))
        .arg("/usr/bin/fio")
        .args(programs)
        .arg("--")
        .args(more)
        .output_within(std::time::Duration::from_secs(1200))
        .unwrap();
    let (said, err) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    if out.status.code() == Some(125) && err.contains("package mirror") {
        testbed::skip(err.trim());
        return None;
    }
    assert!(out.status.success() && !said.contains("FAIL"), "{said}{err}");
    Some(said.into_owned())
}

fn guest(script: &Path) {
    if let Some(said) = guest_with(script, &[]) {
        println!("{said}");
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
    skip_without!(
        Need::Root,
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio")
    );
    guest(&script("holders.sh"));
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn zbd_jobs_write_host_managed_zones_in_order() {
    skip_without!(
        Need::Root,
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio"),
        Need::Program("blkzone"),
        Need::Program("fio")
    );
    if let Some(said) = guest_of(&script("zones.sh"), &["/usr/sbin/blkzone"], &[]) {
        println!("{said}");
    }
}

/// Zones through the block device and the character device of a zoned NVMe namespace, with the controller's report as
/// witness, verification across resets, and the zone options beside fio.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn zbd_jobs_write_zones_of_nvme_namespaces_in_order() {
    skip_without!(
        Need::Root,
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio"),
        Need::Program("blkzone"),
        Need::Program("nvme"),
        Need::Program("fio")
    );
    let sandbox = Sandbox::new().unwrap();
    let image = sandbox.join("n2");
    std::fs::File::create(&image).unwrap().set_len(128 << 20).unwrap();
    let cases: Vec<&str> =
        include_str!("guest/zone_cases.txt").lines().filter(|line| !line.starts_with('#')).collect();
    let text = std::fs::read_to_string(script("zns.sh")).unwrap().replace("CASES", &cases.join("\n"));
    let path = sandbox.join("zns.sh");
    std::fs::write(&path, text).unwrap();
    let zoned = "zoned=true,zoned.zone_size=4M,zoned.zone_capacity=3M,zoned.max_open=4,zoned.max_active=6";
    let more = [
        "-drive".into(),
        format!("file={},format=raw,if=none,discard=unmap,id=n2", image.display()),
        "-device".into(),
        format!("nvme-ns,drive=n2,nsid=2,logical_block_size=4096,physical_block_size=4096,{zoned}"),
    ];
    if let Some(said) = guest_of(&path, &["/usr/sbin/blkzone", "/usr/sbin/nvme"], &more) {
        println!("{said}");
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
    skip_without!(
        Need::Root,
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio"),
        Need::Program("nvme"),
        Need::Program("fio")
    );
    let sandbox = Sandbox::new().unwrap();
    let mut more = Vec::new();
    for (number, format) in [(2, ""), (3, ",ms=8,mset=0,pi=1,pil=0"), (4, ",ms=8,mset=1,pi=1,pil=0")] {
        let path = sandbox.join(&format!("n{number}"));
        std::fs::File::create(&path).unwrap().set_len(128 << 20).unwrap();
        let blocks = "logical_block_size=4096,physical_block_size=4096";
        more.extend([
            "-drive".into(),
            format!("file={},format=raw,if=none,discard=unmap,id=n{number}", path.display()),
            "-device".into(),
            format!("nvme-ns,drive=n{number},nsid={number},{blocks}{format}"),
        ]);
    }
    if let Some(said) = guest_of(&script("nvme.sh"), &["/usr/sbin/nvme"], &more) {
        println!("{said}");
    }
}

/// Counts and data of `ioengine=mtd` and `ioengine=dev-dax`, which need drivers that the cloud's kernel lacks.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn flash_and_dax_memory_hold_what_both_tools_write() {
    skip_without!(
        Need::Root,
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio"),
        Need::Program("fio")
    );
    let kernel = [("GUEST_KERNEL", "linux-image-amd64"), ("GUEST_APPEND", "memmap=128M!768M")];
    if let Some(said) = guest_as(&kernel, &script("flash.sh"), &[], &[]) {
        println!("{said}");
    }
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn nvme_null_blk_and_stacked_disks_are_listed_as_fio_lists_them() {
    skip_without!(
        Need::Root,
        Need::Program("fio"),
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio")
    );
    guest(&script("disks.sh"));
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn commands_of_the_seeds_move_what_nvme_and_null_blk_count() {
    skip_without!(
        Need::Root,
        Need::Program("fio"),
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio")
    );
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
    guest(&path);
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn layers_findings_and_doctor_are_right_on_nvme_md_dm_and_null_blk() {
    skip_without!(
        Need::Root,
        Need::Program("fio"),
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio")
    );
    let sandbox = Sandbox::new().unwrap();
    let image = |name: &str, bytes: u64| {
        let path = sandbox.join(name);
        std::fs::File::create(&path).unwrap().set_len(bytes).unwrap();
        format!("file={},format=raw,if=none,id={name}", path.display())
    };
    // A second namespace of the guest's NVMe disk, and a disk that has its sectors of 4096 bytes inside.
    let more = [
        "-drive".into(),
        image("d2", 128 << 20),
        "-device".into(),
        "nvme-ns,drive=d2,nsid=2,logical_block_size=4096,physical_block_size=4096".into(),
        "-drive".into(),
        image("d3", 96 << 20),
        "-device".into(),
        "virtio-blk-pci,drive=d3,logical_block_size=512,physical_block_size=4096".into(),
    ];
    if let Some(said) = guest_with(&script("trust.sh"), &more) {
        trust::judge(&said);
    }
}

/// Commands, counts, data, errors and safety of `ioengine=sg`, on QEMU's disk and on scsi_debug.
#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn scsi_commands_are_those_of_fio_and_spare_file_systems() {
    skip_without!(
        Need::Root,
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio"),
        Need::Program("fio")
    );
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.join("disk");
    std::fs::File::create(&path).unwrap().set_len(64 << 20).unwrap();
    let more = [
        "-device".into(),
        "virtio-scsi-pci".into(),
        "-drive".into(),
        format!("file={},format=raw,if=none,discard=unmap,id=s1", path.display()),
        "-device".into(),
        "scsi-hd,drive=s1".into(),
    ];
    if let Some(said) = guest_with(&script("scsi.sh"), &more) {
        println!("{said}");
    }
}
