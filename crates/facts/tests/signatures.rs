//! Signatures as their real makers write them, on plain files: no root needed.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use facts::signature::{find, find_in_table};
use stats::contents::{Contents, ContentsClass};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use testbed::labels::LABELS;
use testbed::{Need, Sandbox, skip_without};

fn run(program: &str, args: &[&str], input: &str, target: &Path) {
    let mut child = Command::new(program)
        .args(args)
        .arg(target)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .env("PATH", format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap()))
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{program}: {}", String::from_utf8_lossy(&out.stderr));
}

fn found(path: &Path) -> Vec<Contents> {
    let file = File::open(path).unwrap();
    let size = file.metadata().unwrap().len();
    find(&file, size).unwrap().into_iter().map(|s| s.what).collect()
}

#[test]
fn output_of_mkfs_mkswap_and_partitioners_is_recognised() {
    skip_without!(
        Need::Program("mkfs.ext4"),
        Need::Program("mkfs.xfs"),
        Need::Program("mkfs.btrfs"),
        Need::Program("mkswap"),
        Need::Program("sfdisk")
    );
    type Maker = (&'static str, &'static [&'static str], &'static str, ContentsClass, &'static str);
    let makers: [Maker; 9] = [
        ("mkfs.ext4", &["-q", "-F"], "", ContentsClass::FileSystem, "ext4"),
        ("mkfs.ext4", &["-q", "-F", "-t", "ext3"], "", ContentsClass::FileSystem, "ext3"),
        ("mkfs.ext4", &["-q", "-F", "-t", "ext2", "-b", "1024"], "", ContentsClass::FileSystem, "ext2"),
        ("mkfs.xfs", &["-q", "-f"], "", ContentsClass::FileSystem, "XFS"),
        ("mkfs.btrfs", &["-q", "-f"], "", ContentsClass::FileSystem, "btrfs"),
        ("mkswap", &[], "", ContentsClass::Swap, ""),
        ("mkswap", &["--pagesize", "65536"], "", ContentsClass::Swap, ""),
        ("sfdisk", &["-q"], "label: gpt\nsize=8M\n", ContentsClass::PartitionTable, "GPT"),
        ("sfdisk", &["-q"], "label: dos\nsize=8M\n", ContentsClass::PartitionTable, "MBR"),
    ];
    for (program, args, input, class, name) in makers {
        let what = Contents::new(class, name);
        let sandbox = Sandbox::new().unwrap();
        let path = sandbox.sparse("device", 320 << 20).unwrap();
        assert_eq!(found(&path), []);
        run(program, args, input, &path);
        let seen = found(&path);
        assert!(seen.contains(&what), "{program} {args:?}: {seen:?}");
        // A GPT has a protective MBR; nothing else has two kinds.
        let more = seen.iter().filter(|s| **s != what).count();
        assert_eq!(more, usize::from(name == "GPT"), "{program} {args:?}: {seen:?}");
    }
}

#[test]
fn the_second_copy_of_a_gpt_is_found_when_the_first_is_gone() {
    skip_without!(Need::Program("sfdisk"));
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.sparse("device", 32 << 20).unwrap();
    run("sfdisk", &["-q"], "label: gpt\nsize=8M\n", &path);
    let file = File::options().write(true).open(&path).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &[0; 1 << 20], 0).unwrap();
    assert_eq!(found(&path), [Contents::new(ContentsClass::PartitionTable, "GPT")]);
}

#[test]
fn every_label_debian_makes_is_found_with_and_without_libblkid() {
    let sandbox = Sandbox::in_memory().unwrap();
    let (mut missing, mut made, mut wrong) = (Vec::new(), 0, Vec::new());
    for label in LABELS {
        if !label.can_be_made() {
            missing.push(label.name);
            continue;
        }
        let image = sandbox.join("image");
        if let Err(error) = label.make(&image) {
            wrong.push(format!("{}: not made: {error}", label.name));
            continue;
        }
        made += 1;
        let file = File::open(&image).unwrap();
        let size = file.metadata().unwrap().len();
        if find(&file, size).unwrap().is_empty() {
            wrong.push(format!("{}: not found", label.name));
        }
        if find_in_table(&file, size).unwrap().is_empty() {
            wrong.push(format!("{}: not found without libblkid", label.name));
        }
    }
    if !missing.is_empty() {
        testbed::skip(&format!("needs the programs that make {}", missing.join(", ")));
    }
    assert!(wrong.is_empty(), "{} of {made}: {wrong:#?}", wrong.len());
}

/// Noise on `devices` devices, with `planted` bytes at a place. Another seed each time; `FATHOM_SEED` repeats one.
fn no_noise_carries_a_signature(devices: u64, bytes: usize, planted: &[(usize, &[u8])]) {
    let sandbox = Sandbox::in_memory().unwrap();
    let path = sandbox.sparse("noise", bytes as u64).unwrap();
    let file = File::options().read(true).write(true).open(&path).unwrap();
    let given = std::env::var("FATHOM_SEED").ok().and_then(|s| s.parse().ok());
    let seed = given.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64);
    println!("FATHOM_SEED={seed}");
    for device in 0..devices {
        let mut state = seed.wrapping_add(device).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut noise: Vec<u8> = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.wrapping_mul(0x2545_f491_4f6c_dd1d).to_le_bytes()
        })
        .take(bytes / 8)
        .flatten()
        .collect();
        for (place, letters) in planted {
            noise[*place..place + letters.len()].copy_from_slice(letters);
        }
        std::os::unix::fs::FileExt::write_all_at(&file, &noise, 0).unwrap();
        assert_eq!(find(&file, bytes as u64).unwrap(), [], "device {device}, {planted:x?}");
    }
}

#[test]
fn noise_carries_no_signature() {
    no_noise_carries_a_signature(100, 512 << 10, &[]);
}

/// Noise has two given bytes at one place once in 65,536 devices.
#[test]
fn noise_with_two_bytes_of_a_magic_carries_no_signature() {
    let magics: [(usize, &[u8]); 9] = [
        (1080, &[0x53, 0xef]),
        (0, b"HM"),
        (1024, b"BD"),
        (1024, b"H+"),
        (1030, &[0x34, 0x34]),
        (1040, &[0x7f, 0x13]),
        (1048, &[0x5a, 0x4d]),
        (508, &[0xda, 0xbe]),
        (510, &[0x55, 0xaa]),
    ];
    for magic in magics {
        no_noise_carries_a_signature(100, 64 << 10, &[magic]);
    }
}

#[test]
#[ignore = "20,000 devices"]
fn noise_of_many_devices_carries_no_signature() {
    no_noise_carries_a_signature(20_000, 512 << 10, &[]);
}
