//! e4defrag: the blocks of a file change places with those of a donor, and its contents stay. The map of the file
//! system (filefrag) is the witness.

use crate::common::{document, sum, words};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{FileSystem, Mount, Need, skip_without};

const OURS: &str = env!("CARGO_BIN_EXE_fathom");
const LIMIT: Duration = Duration::from_secs(30);

fn ask(dir: &Path, program: &str, args: &str) -> Ran {
    let mut command = Command::new(program);
    command.args(if program == "fio" { [].as_slice() } else { &["fio"] });
    command.args(["--output-format=json", "--name=a", "--ioengine=e4defrag", "--filename=f", "--thread"]);
    run(command.args(words(args)).current_dir(dir), LIMIT).unwrap()
}

/// Returns the extents of a file: logical and physical range of blocks as filefrag prints them.
fn extents(path: &Path) -> Vec<String> {
    let ran = run(Command::new("filefrag").arg("-e").arg(path), LIMIT).unwrap();
    let rows = ran.stdout.lines().filter(|line| line.contains("..") && !line.contains("logical"));
    rows.map(|row| row.split(':').skip(1).take(2).collect::<Vec<_>>().join(":")).collect()
}

/// Both tools make the same moves and leave the same sizes; all blocks of the file are others afterwards, and its bytes
/// the same. What is no write fails with the same errno, and so does a file that ext4 cannot move.
#[test]
fn moves_exchange_all_blocks_and_keep_the_contents() {
    skip_without!(
        Need::Root,
        Need::Loop,
        Need::Program("fio"),
        Need::Program("mkfs.ext4"),
        Need::Program("filefrag")
    );
    let mount = Mount::new(FileSystem::Ext4, 32 << 20).unwrap();
    let (file, donor) = (mount.path().join("f"), mount.path().join("donor"));
    let contents: Vec<u8> = (0..512u32 << 10).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let cases = [
        ("--donorname=donor --rw=write --bs=64k --size=512k --filesize=512k", 0, true),
        ("--donorname=donor --rw=randwrite --bs=4k --size=512k --inplace=1", 0, true),
        ("--donorname=donor --rw=write --bs=1000 --io_size=50000 --size=512k --inplace=1", 0, false),
        ("--donorname=donor --rw=read --bs=64k --size=512k --filesize=512k", 22, false),
        ("--donorname=/dev/shm --rw=write --bs=64k --size=512k --inplace=1", 21, false),
        ("--rw=write --bs=64k --size=512k", 1, false),
    ];
    for (args, errno, all) in cases {
        let [theirs, ours] = ["fio", OURS].map(|program| {
            let _ = std::fs::remove_file(&donor);
            std::fs::write(&file, &contents).unwrap();
            std::fs::File::open(&file).unwrap().sync_all().unwrap();
            let before = extents(&file);
            let ran = ask(mount.path(), program, args);
            assert_eq!(ran.code, Some(i32::from(errno != 0)), "{program} {args}: {ran:?}");
            assert!(std::fs::read(&file).unwrap() == contents, "{program} {args}: other contents");
            let after = extents(&file);
            assert!(!all || before.iter().all(|extent| !after.contains(extent)), "{before:?} {after:?}");
            assert!(errno == 0 || before == after, "{program} {args}: {before:?} {after:?}");
            let document = document(&ran);
            let error = document["jobs"][0]["error"].as_i64().unwrap();
            assert_eq!(error, errno, "{program} {args}: {ran:?}");
            let counts = ["read", "write", "trim"].map(|of| sum(&document, of, "total_ios"));
            let left = std::fs::metadata(&donor).map(|meta| meta.len()).ok();
            (counts, left, ran.stderr.contains("'donorname' options required"))
        });
        assert_eq!(&theirs.0, &ours.0, "{args}");
        assert_eq!(theirs.1, ours.1, "{args}: size of the donor");
    }
}

/// A donor that holds data is not overwritten without consent, and without filesize the donor is as long as the file.
#[test]
fn donor_with_data_needs_consent() {
    skip_without!(Need::Root, Need::Loop, Need::Program("mkfs.ext4"));
    let mount = Mount::new(FileSystem::Ext4, 32 << 20).unwrap();
    let donor = mount.path().join("donor");
    let job = "--name=a --ioengine=e4defrag --filename=f --donorname=donor --rw=write --bs=64k --size=256k";
    let fathom = |args: &str| {
        let mut command = Command::new(OURS);
        run(command.arg("run").args(words(args)).current_dir(mount.path()), LIMIT).unwrap()
    };
    std::fs::write(&donor, "precious").unwrap();
    let ran = fathom(job);
    assert!(ran.code == Some(3) && ran.stderr.contains("would overwrite donor"), "{ran:?}");
    assert_eq!(std::fs::read(&donor).unwrap(), b"precious");
    std::fs::remove_file(&donor).unwrap();
    // The second run finds a donor that fathom made.
    for _ in 0..2 {
        let ran = fathom(job);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(std::fs::metadata(&donor).unwrap().len(), 256 << 10);
    }
}
