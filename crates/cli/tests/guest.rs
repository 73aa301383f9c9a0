//! What only a virtual machine has here: devices that LVM, md, LUKS and device mapper hold for real, NVMe, null_blk.
//! Part of the long tier; see scripts/guest.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::Path;
use std::process::Command;
use testbed::{Need, skip_without};

/// Runs a script of this directory in the guest and prints what it said.
fn guest(script: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Command::new(here.join("../../scripts/guest"))
        .arg(here.join("tests/guest").join(script))
        .arg(env!("CARGO_BIN_EXE_fathom"))
        .arg("/usr/bin/fio")
        .output()
        .unwrap();
    let (said, err) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    if out.status.code() == Some(125) && err.contains("package mirror") {
        return testbed::skip(err.trim());
    }
    println!("{said}");
    assert!(out.status.success() && !said.contains("FAIL"), "{said}{err}");
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
    guest("holders.sh");
}

#[test]
#[ignore = "boots a virtual machine: scripts/test --long"]
fn nvme_null_blk_and_stacked_disks_are_measured_and_listed_as_fio_lists_them() {
    skip_without!(
        Need::Root,
        Need::Program("fio"),
        Need::Program("qemu-system-x86_64"),
        Need::Program("busybox"),
        Need::Program("cpio")
    );
    guest("disks.sh");
}
