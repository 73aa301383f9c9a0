//! `fathom doctor` on devices whose state is known, against what `fdisk -l -u`, `lsblk -t` and `stat` say of them; as
//! root and as nobody.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::loopdev::Setup;
use testbed::{Bounded, Cap, Cgroup, FileSystem, LoopDevice, Mount, Need, Sandbox, TOOL_LIMIT, skip_without};

const LIMIT: Duration = Duration::from_secs(60);
const SIZE: u64 = 64 << 20;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Who {
    Root,
    Nobody,
}

fn command(who: Who, sandbox: &Sandbox) -> Command {
    if who == Who::Root {
        return Command::new(env!("CARGO_BIN_EXE_fathom"));
    }
    // The build's directory may be closed to others.
    let program = sandbox.join("fathom");
    if !program.exists() {
        crate::common::copy_program(&program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program);
    command
}

/// The diagnosis, which has to be one JSON document; the exit status has to agree with it.
fn ask(who: Who, target: &Path) -> Value {
    let sandbox = Sandbox::new().unwrap();
    parse(&child::run(command(who, &sandbox).args(["doctor", "--json"]).arg(target), LIMIT).unwrap())
}

fn parse(ran: &Ran) -> Value {
    let d: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    assert_eq!(ran.stderr, "");
    let spoils = d["lines"].as_array().unwrap().iter().any(|l| l["severity"] == "spoils");
    assert_eq!(ran.code, Some(i32::from(spoils)), "{d:#}");
    d
}

fn everybody() -> Vec<Who> {
    if testbed::have_program("setpriv") { vec![Who::Root, Who::Nobody] } else { vec![Who::Root] }
}

fn facts<'a>(d: &'a Value, fact: &str) -> Vec<&'a Value> {
    d["lines"].as_array().unwrap().iter().filter(|l| l["fact"] == fact).collect()
}

fn one<'a>(d: &'a Value, fact: &str) -> &'a Value {
    let found = facts(d, fact);
    assert_eq!(found.len(), 1, "{fact} in {d:#}");
    found[0]
}

fn output(program: &str, args: &[&str]) -> String {
    let out = Command::new(program).env("LC_ALL", "C").args(args).output_within(TOOL_LIMIT).unwrap();
    assert!(out.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// A loop device with a table that sfdisk wrote, and the kernel's partitions of it if it was told to make them.
struct Parted {
    device: LoopDevice,
    told: bool,
}

impl Parted {
    fn new(script: &str, sector_bytes: Option<u32>, tell: bool) -> Parted {
        let device = LoopDevice::sparse(SIZE, Setup { sector_bytes, ..Setup::default() }).unwrap();
        let sfdisk = Command::new("sfdisk")
            .args(["--quiet", "--no-reread", "--no-tell-kernel"])
            .arg(device.path())
            .output_of_input(script.as_bytes(), TOOL_LIMIT)
            .unwrap();
        assert!(sfdisk.status.success(), "{script}");
        if tell {
            output("partx", &["--add", &device.path().to_string_lossy()]);
        }
        Parted { device, told: tell }
    }

    /// What fdisk says: kernel name and first byte of each partition that holds data.
    fn by_fdisk(&self) -> Vec<(String, u64)> {
        let text = output("fdisk", &["-l", "-u", &self.device.path().to_string_lossy()]);
        let unit = text.lines().find(|l| l.starts_with("Units:")).unwrap();
        let unit: u64 = unit.split_once("= ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
        let row = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let name = words.first()?.strip_prefix("/dev/")?;
            Some((name.to_owned(), words.get(1)?.parse::<u64>().ok()? * unit))
        };
        text.lines().filter(|l| !l.ends_with("Extended")).filter_map(row).collect()
    }

    fn partition(&self, number: u32) -> PathBuf {
        format!("{}p{number}", self.device.path().display()).into()
    }
}

impl Drop for Parted {
    fn drop(&mut self) {
        if self.told {
            let _ = Command::new("partx").arg("--delete").arg(self.device.path()).output_within(TOOL_LIMIT);
        }
    }
}

/// Kernel name, first byte and whether it is called misaligned, of each partition of the device.
fn begins(d: &Value, device: &LoopDevice) -> Vec<(String, u64, bool)> {
    let on = device.name();
    let of = |l: &Value| {
        let misfit = l["severity"] == "spoils" && l["fails"]["bytes"] == 4096;
        assert!(misfit || l["severity"] == "fine", "{l:#}");
        (l["what"].as_str().unwrap().to_owned(), l["byte"].as_u64().unwrap(), misfit)
    };
    facts(d, "begins").into_iter().filter(|l| l["on"] == on.as_str()).map(of).collect()
}

const MISALIGNED: &str = "label: dos\n63,40000,83\n";
const ALIGNED: &str = "label: dos\n2048,40000,83\n";
const LOGICAL: &str = "label: dos\nstart=63,size=4000,type=83\nstart=8192,type=5\nstart=8255,size=2000\n\
                       start=12288,size=3000\n";
const GPT_34: &str =
    "label: gpt\nfirst-lba: 34\nstart=34,size=6\nstart=40,size=8192\nstart=10240,size=8192\n";

#[test]
fn partitions_begin_where_fdisk_says_known_to_the_kernel_or_not() {
    skip_without!(Need::Loop, Need::Program("sfdisk"), Need::Program("fdisk"), Need::Program("partx"));
    let scripts = [(MISALIGNED, None), (ALIGNED, None), (LOGICAL, None), (GPT_34, None)];
    let four_k = [
        ("label: dos\n256,4000,83\nstart=5001,size=200\n", Some(4096)),
        ("label: gpt\nfirst-lba: 6\nstart=8,size=100\n", Some(4096)),
    ];
    let mut misaligned = 0;
    for (script, sector) in scripts.into_iter().chain(four_k) {
        for tell in [true, false] {
            let disk = Parted::new(script, sector, tell);
            let expected: Vec<_> =
                disk.by_fdisk().into_iter().map(|(n, at)| (n, at, at % 4096 != 0)).collect();
            assert!(!expected.is_empty(), "{script}");
            misaligned += expected.iter().filter(|e| e.2).count();
            for who in everybody() {
                let d = ask(who, disk.device.path());
                assert_eq!(begins(&d, &disk.device), expected, "{who:?} {tell} {script} {d:#}");
                assert_eq!(facts(&d, "table_without_partitions").len(), usize::from(!tell), "{d:#}");
                assert!(facts(&d, "table_unread").is_empty());
            }
        }
    }
    // 63 twice, 8255, 34: each of them told and untold.
    assert_eq!(misaligned, 2 * 4, "the tables have none that is wrong");
}

/// An image that was partitioned for another disk: the kernel finds nothing on this one.
#[test]
fn table_in_an_image_is_read_and_foreign_sector_size_reported() {
    skip_without!(Need::Loop, Need::Program("sfdisk"));
    let disk = Parted::new("label: gpt\nfirst-lba: 34\nstart=34,size=6\nstart=2048,size=8192\n", None, false);
    let four_k = Setup { sector_bytes: Some(4096), ..Setup::default() };
    let other = LoopDevice::from_file(disk.device.backing(), four_k).unwrap();
    for who in everybody() {
        let d = ask(who, other.path());
        let told = one(&d, "table_for_other_sectors");
        assert_eq!((&told["table_bytes"], &told["device_bytes"]), (&512.into(), &4096.into()));
        assert_eq!(
            begins(&d, &other).iter().map(|b| (b.1, b.2)).collect::<Vec<_>>(),
            [(34 * 512, true), (1 << 20, false)]
        );
        assert!(facts(&ask(who, disk.device.path()), "table_for_other_sectors").is_empty());
        // Whoever measures the file does not go through the partitions in it.
        let d = ask(who, disk.device.backing());
        let inside = facts(&d, "begins").into_iter().filter(|l| l["origin"] == "table_entry");
        let inside: Vec<_> =
            inside.map(|l| (l["byte"].as_u64().unwrap(), l["severity"].as_str().unwrap())).collect();
        assert_eq!(inside, [(34 * 512, "matters"), (1 << 20, "fine")]);
    }
}

#[test]
fn alignment_of_partition_contents_counts_from_the_partition_start() {
    skip_without!(Need::Loop, Need::Program("sfdisk"), Need::Program("partx"), Need::Program("mkfs.ext4"));
    for (script, wrong) in [(MISALIGNED, true), (ALIGNED, false)] {
        let disk = Parted::new(script, None, true);
        let part = disk.partition(1);
        for who in everybody() {
            let d = ask(who, &part);
            assert_eq!(
                begins(&d, &disk.device).iter().map(|b| b.2).collect::<Vec<_>>(),
                [wrong],
                "{who:?} {d:#}"
            );
        }
        output("mkfs.ext4", &["-q", "-b", "4096", &part.to_string_lossy()]);
        let sandbox = Sandbox::new().unwrap();
        let point = sandbox.join("mnt");
        std::fs::create_dir(&point).unwrap();
        // The sandbox unmounts what is mounted in it.
        output("mount", &[&part.to_string_lossy(), &point.to_string_lossy()]);
        let file = point.join("file");
        std::fs::write(&file, vec![7u8; 1 << 20]).unwrap();
        output("sync", &[&file.to_string_lossy()]);
        for target in [&file, &point] {
            for who in everybody() {
                let d = ask(who, target);
                assert_eq!(
                    begins(&d, &disk.device).iter().map(|b| b.2).collect::<Vec<_>>(),
                    [wrong],
                    "{target:?} {d:#}"
                );
                assert_eq!(one(&d, "on_file_system")["kind"], "ext4");
            }
        }
        let d = ask(Who::Root, &part);
        let used = one(&d, "in_use");
        assert_eq!(
            (&used["used"], &used["by"]),
            (&"mounted".into(), &point.to_string_lossy().as_ref().into())
        );
    }
}

#[test]
fn sectors_queues_and_read_ahead_are_what_lsblk_says() {
    skip_without!(Need::Loop, Need::Program("lsblk"));
    let number = |text: &str| text.parse::<u64>().unwrap();
    for sector_bytes in [None, Some(4096)] {
        let device = LoopDevice::sparse(SIZE, Setup { sector_bytes, ..Setup::default() }).unwrap();
        for who in everybody() {
            let d = ask(who, device.path());
            let row = |name: &str| {
                let columns = "NAME,PHY-SEC,LOG-SEC,SCHED,RQ-SIZE,RA";
                let text = output(
                    "lsblk",
                    &["--nodeps", "--noheadings", "--raw", "-o", columns, &format!("/dev/{name}")],
                );
                text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
            };
            let own = row(&device.name());
            let sectors = facts(&d, "sectors")[0];
            assert_eq!(sectors["device"], device.name().as_str());
            assert_eq!(sectors["physical"], number(&own[1]));
            assert_eq!(sectors["logical"], number(&own[2]));
            assert_eq!(sectors["severity"] == "note", sector_bytes.is_some(), "{sectors}");
            assert_eq!(one(&d, "read_ahead")["bytes"], number(&own[5]) * 1024);
            // The disk at the bottom, if this machine shows one.
            for depth in facts(&d, "depth") {
                let below = row(depth["device"].as_str().unwrap());
                assert_eq!(depth["requests"], number(&below[4]), "{below:?}");
                assert_eq!(one(&d, "scheduler")["name"], below[3].as_str());
            }
        }
    }
}

#[test]
fn holes_and_zeros_of_a_file_are_what_stat_says() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    use std::os::unix::fs::{FileExt, MetadataExt};
    let mount = Mount::new(FileSystem::Ext4, 128 << 20).unwrap();
    let ridden = mount.path().join("ridden");
    let file = std::fs::File::create(&ridden).unwrap();
    file.set_len(16 << 20).unwrap();
    for at in 0..4u64 {
        file.write_all_at(&vec![0xa5; 1 << 20], at << 22).unwrap();
    }
    file.sync_all().unwrap();
    let whole = mount.path().join("whole");
    std::fs::write(&whole, vec![0xa5; 4 << 20]).unwrap();
    output("sync", &[&whole.to_string_lossy()]);
    for who in everybody() {
        let d = ask(who, &ridden);
        let holes = one(&d, "holes");
        assert_eq!(
            holes["holes"],
            (16 << 20) - std::fs::metadata(&ridden).unwrap().blocks() * 512,
            "{who:?}"
        );
        assert_eq!(holes["severity"], "spoils");
        // The zeros are the holes', which have been told.
        assert_eq!(one(&d, "zero_blocks")["severity"], "fine");
        let d = ask(who, &whole);
        let holes = one(&d, "holes");
        assert_eq!(
            (&holes["holes"], &holes["unwritten"], &holes["severity"]),
            (&0.into(), &0.into(), &"fine".into())
        );
    }
    let zeros = mount.path().join("zeros");
    std::fs::write(&zeros, vec![0; 4 << 20]).unwrap();
    output("sync", &[&zeros.to_string_lossy()]);
    let d = ask(Who::Root, &zeros);
    assert_eq!(one(&d, "zero_blocks")["severity"], "matters");
    assert_eq!(one(&d, "holes")["severity"], "fine");
}

#[test]
fn a_cap_is_told_to_whoever_is_under_it_and_to_nobody_else() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let device = LoopDevice::sparse(SIZE, Setup::default()).unwrap();
    let cgroup = Cgroup::new().unwrap();
    cgroup.limit(&device.number().unwrap(), Cap::ReadIops(777)).unwrap();
    cgroup.limit(&device.number().unwrap(), Cap::WriteBytes(5_000_000)).unwrap();
    for who in everybody() {
        let sandbox = Sandbox::new().unwrap();
        let mut command = command(who, &sandbox);
        cgroup.enter(&mut command).unwrap();
        let d = parse(&child::run(command.args(["doctor", "--json"]).arg(device.path()), LIMIT).unwrap());
        let cap = one(&d, "io_cap");
        assert_eq!(cap["device"], device.name().as_str());
        assert_eq!(cap["iops"], serde_json::json!([777, null]));
        assert_eq!(cap["bytes_per_second"], serde_json::json!([null, 5_000_000]));
        assert_eq!(cap["severity"], "spoils");
        let d = ask(who, device.path());
        assert!(facts(&d, "io_cap").is_empty(), "{d:#}");
        one(&d, "no_io_cap");
    }
}

#[test]
fn memory_is_no_disk_and_a_path_that_is_not_there_is_one_clear_error() {
    skip_without!(Need::Root);
    let memory = Mount::new(FileSystem::Tmpfs, 1 << 20).unwrap();
    let d = ask(Who::Root, memory.path());
    let line = one(&d, "on_file_system");
    assert_eq!((&line["answers"], &line["severity"]), (&"memory".into(), &"matters".into()));
    // The doctor and the findings of a run have one verdict on a device in memory.
    let device = LoopDevice::in_memory(4 << 20, true, None).unwrap();
    let d = ask(Who::Root, device.path());
    let line = one(&d, "kind");
    assert_eq!((&line["medium"], &line["severity"]), (&"memory".into(), &"matters".into()));
    let mut run = Command::new(env!("CARGO_BIN_EXE_fathom"));
    run.args(["run", "--json", "--no-store", "--name=a", "--rw=read", "--direct=1"])
        .arg(format!("--filename={}", device.path().display()));
    let ran = child::run(&mut run, LIMIT).unwrap();
    let ran: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    let findings = ran["fathom"]["findings"].as_array().unwrap();
    let memory = findings.iter().find(|found| found["rule"] == "memory").unwrap_or_else(|| panic!("{ran:#}"));
    assert_eq!(memory["grade"], "C", "{memory:#}");
    assert!(
        memory["text"].as_str().unwrap().ends_with("keeps its data in memory (tmpfs): no disk was measured")
    );
    let sandbox = Sandbox::new().unwrap();
    let fathom = |args: &[&str]| child::run(command(Who::Root, &sandbox).args(args), LIMIT).unwrap();
    let empty = sandbox.sparse("empty", 0).unwrap();
    assert_eq!(one(&ask(Who::Root, &empty), "empty")["severity"], "spoils");
    let missing = sandbox.join("missing");
    let missing = missing.to_string_lossy();
    let ran = fathom(&["doctor", &missing]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(ran.stderr, format!("fathom doctor: {missing}: No such file or directory\n"));
    let ran = fathom(&["doctor", "/dev/null"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("neither a directory, a regular file nor a block device"), "{ran:?}");
    assert_eq!(fathom(&["doctor", &missing, "/dev/null"]).code, Some(1));
}

/// Every line fits, every line of a severity beyond fine has a reason, and nothing is written.
#[test]
fn the_text_is_at_most_a_hundred_columns_and_gives_reasons() {
    skip_without!(Need::Loop, Need::Program("sfdisk"), Need::Program("partx"));
    let disk = Parted::new(MISALIGNED, None, true);
    let sandbox = Sandbox::new().unwrap();
    let before = disk.device.stats().unwrap();
    let ran = child::run(command(Who::Root, &sandbox).arg("doctor").arg(disk.partition(1)), LIMIT).unwrap();
    assert_eq!(disk.device.stats().unwrap().since(&before).writes, 0);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let longest = ran.stdout.lines().map(|l| l.chars().count()).max().unwrap();
    assert!(longest <= 100, "{longest}: {}", ran.stdout);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let marks = ["  note     ", "  WARNING  ", "  CRITICAL "];
    let mut reasons = 0;
    for (at, line) in lines.iter().enumerate() {
        if marks.iter().any(|m| line.starts_with(m)) {
            let next = lines[at + 1..].iter().find(|l| !l.starts_with("           ") || l.contains("why: "));
            assert!(next.is_some_and(|l| l.contains("why: ")), "{line}: {}", ran.stdout);
            reasons += 1;
        }
    }
    assert!(reasons > 0);
    assert!(ran.stdout.contains("begins at sector 63 of "), "{}", ran.stdout);
    // The order of the seller of disks.
    let headings = ["alignment", "target and file system", "CPUs and queues", "block size"];
    let places: Vec<_> = headings.iter().map(|h| lines.iter().position(|l| l == h).unwrap()).collect();
    assert!(places.is_sorted(), "{}", ran.stdout);
}
