//! `fathom stat` beside iostat of sysstat 12.6: both read the same counters, in a mount namespace whose `/proc` and `/sys`
//! are files of the test.

use crate::common::side_by_side;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::{Bounded, LoopDevice, Need, Pty, Sandbox, TOOL_LIMIT, skip_without};

const LIMIT: Duration = Duration::from_secs(60);
const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// Counters of a device with I/O of every kind, and of one that was never used.
const BUSY: [u64; 17] =
    [12345, 678, 2345678, 54321, 9876, 543, 876543, 98765, 3, 45678, 160000, 321, 12, 65432, 987, 222, 3333];
const UNUSED: [u64; 17] = [0; 17];
const CPU: &str = "cpu  1000 20 300 40000 500 60 70 80 9 4\n";

/// Files that take the place of the kernel's.
struct Machine {
    tree: Sandbox,
    /// Fathom under the name of iostat.
    ours: PathBuf,
}

fn fields(counters: &[u64]) -> String {
    counters.iter().fold(String::new(), |mut text, n| {
        let _ = write!(text, " {n}");
        text
    }) + "\n"
}

fn write_into(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    // The file that is mounted over the kernel's stays the same one.
    std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .unwrap();
}

impl Machine {
    /// Two disks, one of them with two partitions, a device of the device mapper, and an unused loop device.
    fn new() -> Machine {
        let tree = Sandbox::in_memory().unwrap();
        let more: Vec<u64> = BUSY.iter().map(|n| n * 100 + 7).collect();
        let devices: [(&str, &str, &[u64]); 6] = [
            ("8:16", "sdb", &more),
            ("8:0", "sda", &BUSY),
            ("8:1", "sda/sda1", &BUSY[..15]),
            ("8:2", "sda/sda2", &UNUSED),
            ("253:0", "dm-0", &BUSY[..11]),
            ("7:0", "loop0", &UNUSED),
        ];
        let mut table = String::new();
        for (number, path, counters) in devices {
            let (major, minor) = number.split_once(':').unwrap();
            let name = path.rsplit('/').next().unwrap();
            table += &format!("{major:>4} {minor:>7} {name}{}", fields(counters));
            write_into(&tree.join(&format!("sys/block/{path}/stat")), &fields(counters));
            std::fs::create_dir_all(tree.join("sys/dev/block")).unwrap();
            symlink(format!("../../block/{path}"), tree.join(&format!("sys/dev/block/{number}"))).unwrap();
        }
        write_into(&tree.join("proc/diskstats"), &table);
        write_into(&tree.join("proc/stat"), CPU);
        write_into(&tree.join("proc/uptime"), "512.34 900.00\n");
        write_into(&tree.join("user/block/ufo/stat"), &fields(&BUSY));
        write_into(&tree.join("user/diskstats"), &format!("   9       9 ufo{}", fields(&BUSY)));
        let ours = tree.join("iostat");
        symlink(FATHOM, &ours).unwrap();
        Machine { tree, ours }
    }

    /// Returns a command that sees the files of this machine; `words` begin with the program.
    fn command(&self, words: &[&str]) -> Command {
        let mount = "cd \"$0\" && for f in proc/diskstats proc/stat proc/uptime sys/block sys/dev/block; do \
                     mount --bind $f /$f || exit 99; done; exec \"$@\"";
        let mut command = Command::new("unshare");
        command.args(["-m", "--propagation", "private", "sh", "-c", mount]).arg(self.tree.path()).args(words);
        for name in ["POSIXLY_CORRECT", "S_COLORS", "S_COLORS_SGR", "S_TIME_FORMAT"] {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C").env("TZ", "UTC");
        command
    }

    fn run(&self, program: &str, words: &[&str], environment: &[(&str, &str)]) -> Ran {
        let words: Vec<&str> = std::iter::once(program).chain(words.iter().copied()).collect();
        let mut command = self.command(&words);
        run(command.envs(environment.iter().copied()), LIMIT).unwrap()
    }
}

/// Returns the text with times of day masked.
fn timeless(text: &str) -> String {
    let clock = regex_lite::Regex::new(r"\d\d:\d\d:\d\d").unwrap();
    clock.replace_all(text, "TIME").into_owned()
}

/// Output of a program in words that do not depend on its path.
fn shown(ran: &Ran, program: &str) -> (Option<i32>, String, String) {
    (ran.code, timeless(&ran.stdout), ran.stderr.replace(program, "iostat"))
}

/// Command lines that print one report; environment before them.
const SINGLE: [&str; 66] = [
    "",
    "-x",
    "-s",
    "-xs",
    "-d",
    "-c",
    "-cd",
    "-c -x",
    "-c sda",
    "-c -p",
    "-c -s",
    "-dk",
    "-dm",
    "-dxm",
    "-dxsm",
    "-ds",
    "-t",
    "-tx",
    "-h",
    "-xh",
    "-xsh",
    "-dhs",
    "-dh --dec=1",
    "-xh --dec=0",
    "--human",
    "-x --human",
    "--pretty",
    "-x --pretty",
    "-x --pretty --compact",
    "--dec=0",
    "-x --dec=1",
    "-xs --dec=0",
    "-z",
    "-y",
    "-dp",
    "-dxp",
    "-p ALL",
    "ALL",
    "-dp sda",
    "-p sda",
    "-p sda,sdb",
    "-d sda",
    "-d sdb sda nothing",
    "-d loop0",
    "-d 0",
    "-d 1 1 sda",
    "-dx -g G sda sdb",
    "-d sdb -g G sda",
    "-d -g G sda -g H sdb",
    "-dx -g G sda -g H",
    "-H -g G ALL",
    "-dx -H -g G",
    "-d -g G",
    "-f user -d",
    "-f user -d ufo",
    "-f user -dxp",
    "+f user -d",
    "+f user -dx sda ufo",
    "-o JSON",
    "-o JSON -x",
    "-o JSON -xs",
    "-o JSON -ds",
    "-o JSON -dm",
    "-o JSON -t -c",
    "-o JSON -d nothing",
    "-o JSON -d -g G sda sdb",
];

#[test]
fn stat_text_is_iostats_for_the_same_counters() {
    skip_without!(Need::Root, Need::Program("iostat"), Need::Program("unshare"));
    let machine = Machine::new();
    let ours = machine.ours.to_str().unwrap();
    let mut lines: Vec<(&str, Vec<(&str, &str)>)> = SINGLE.iter().map(|line| (*line, Vec::new())).collect();
    for line in ["-d", "-dx sda", "-dxs", "-ds", "-o JSON -dx", "-dk"] {
        lines.push((line, vec![("POSIXLY_CORRECT", "1")]));
    }
    for line in ["-tc", "-t -o JSON"] {
        lines.push((line, vec![("S_TIME_FORMAT", "ISO"), ("TZ", "Asia/Tokyo")]));
    }
    for line in ["", "-x", "-xh", "-d --dec=0 -g G sda"] {
        lines.push((line, vec![("S_COLORS", "always")]));
    }
    lines.push(("-x", vec![("S_COLORS", "always"), ("S_COLORS_SGR", "H=1:M=2;3:I=4:N=5:Z=6:Q=7:bad")]));
    side_by_side(&lines, |(line, environment)| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let theirs = shown(&machine.run("iostat", &words, environment), "iostat");
        let fathoms = shown(&machine.run(ours, &words, environment), ours);
        assert_eq!(fathoms, theirs, "iostat {line} {environment:?}");
        assert_eq!(fathoms.0, Some(0), "{line}");
    });
}

/// Command lines that iostat refuses.
const WRONG: [&str; 44] = [
    "-q",
    "--help",
    "--version",
    "--dec",
    "--dec=",
    "--dec=3",
    "--dec=-1",
    "--dec=1x",
    "--dec 1",
    "--human=1",
    "--foo",
    "--",
    "-1",
    "1 0",
    "0 1",
    "0 0",
    "1 2 3",
    "sda 1 2 3",
    "1 2 3 4",
    "sda 0 1",
    "-g",
    "-x -g",
    "-H",
    "-H sda",
    "-T",
    "-g G -T",
    "-gG sda",
    "-j",
    "-j NONE",
    "-j ''",
    "-jID",
    "-dj ID",
    "-o",
    "-o XML",
    "-o json",
    "-oJSON",
    "-xo JSON",
    "-k -m",
    "-km",
    "-mk",
    "-f",
    "-f /nonexistent",
    "-f /tmp -f /tmp",
    "-psda",
];

#[test]
fn stat_refuses_what_iostat_refuses() {
    skip_without!(Need::Program("iostat"));
    let sandbox = Sandbox::in_memory().unwrap();
    let ours = sandbox.join("iostat");
    symlink(FATHOM, &ours).unwrap();
    let ours = ours.to_str().unwrap();
    side_by_side(&WRONG, |line| {
        let words = line.split_whitespace().map(|word| word.trim_matches('\''));
        let ran = |program: &str| run(Command::new(program).args(words.clone()), LIMIT).unwrap();
        let theirs = shown(&ran("iostat"), "iostat");
        assert_eq!(shown(&ran(ours), ours), theirs, "iostat {line}");
        assert_eq!(theirs.0, Some(1), "{line}");
    });
    let ran = run(Command::new(FATHOM).args(["stat", "--top=0"]), LIMIT).unwrap();
    assert_eq!((ran.code, ran.stderr.lines().count()), (Some(2), 1), "{ran:?}");
    let ran = run(Command::new(FATHOM).args(["stat", "-q"]), LIMIT).unwrap();
    assert!(ran.code == Some(1) && ran.stderr.starts_with("Usage: fathom stat [ options ]"), "{ran:?}");
}

/// Waits until `condition` holds.
fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + LIMIT;
    while !condition() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Writes into a FIFO once the program has opened it.
fn feed(fifo: &Path, text: &str) {
    const O_NONBLOCK: i32 = 0o4000;
    let mut file = None;
    wait_for("the program does not read /proc/uptime", || {
        file = std::fs::OpenOptions::new().write(true).custom_flags(O_NONBLOCK).open(fifo).ok();
        file.is_some()
    });
    file.unwrap().write_all(text.as_bytes()).unwrap();
}

/// Runs `program` for two reports; the time of boot comes from a FIFO, so that the counters change between the two
/// readings and at no other time.
fn two_reports(program: Option<&str>, line: &str) -> (Option<i32>, String, String) {
    let machine = Machine::new();
    let program = program.unwrap_or_else(|| machine.ours.to_str().unwrap());
    let fifo = machine.tree.join("proc/uptime");
    std::fs::remove_file(&fifo).unwrap();
    assert!(Command::new("mkfifo").arg(&fifo).output_within(TOOL_LIMIT).unwrap().status.success());
    let words: Vec<&str> = std::iter::once(program).chain(line.split_whitespace()).collect();
    let running = Running::start(&mut machine.command(&words)).unwrap();
    feed(&fifo, "512.34 900.00\n");
    // All counters are read before the first report is printed.
    wait_for("no first report", || running.stdout_so_far().contains("sdb"));
    let mut counters = BUSY;
    // Times wrap at 32 bits.
    for (field, growth) in
        [(0, 1000), (2, 200_001), (3, 6000), (4, 1000), (6, 100_003), (7, 10_003), (9, 323), (10, 17777)]
    {
        counters[field] += growth;
    }
    write_into(&machine.tree.join("sys/block/sda/stat"), &fields(&counters));
    write_into(&machine.tree.join("sys/block/loop0/stat"), &fields(&[1, 0, 8, 2, 0, 0, 0, 0, 0, 2, 2]));
    write_into(&machine.tree.join("proc/stat"), "cpu  1050 22 310 40100 530 61 72 83 9 4\n");
    feed(&fifo, "514.37 901.00\n");
    let ran = running.finish(LIMIT).unwrap();
    shown(&ran, program)
}

#[test]
fn stat_second_report_is_iostats_for_the_same_counters() {
    skip_without!(Need::Root, Need::Program("iostat"), Need::Program("unshare"), Need::Program("mkfifo"));
    // Of groups only the sums: from its second report on, iostat 12.6.1 divides their %util by too many devices.
    let lines = ["-x 2 2", "-d 2 2", "-dxz 2 2", "-o JSON -x 2 2", "-d -g G sda sdb 2 2"];
    side_by_side(&lines, |line| {
        let (theirs, ours) = (two_reports(Some("iostat"), line), two_reports(None, line));
        assert_eq!(ours, theirs, "iostat {line}");
        assert!(ours.0 == Some(0) && ours.1.contains("49261.33"), "{ours:?}");
    });
}

#[test]
fn stat_ends_at_sigint_as_iostat_does() {
    skip_without!(Need::Root, Need::Program("iostat"), Need::Program("unshare"));
    let machine = Machine::new();
    let ours = machine.ours.to_str().unwrap();
    for line in ["-d 600", "-o JSON 600", "-c 600 5"] {
        let ended = |program: &str| {
            let words: Vec<&str> = std::iter::once(program).chain(line.split_whitespace()).collect();
            let running = Running::start(&mut machine.command(&words)).unwrap();
            let complete =
                |text: String| text.contains("sdb ") || text.contains("\t\t\t\t}") || text.contains("95.17");
            wait_for("no report", || complete(running.stdout_so_far()));
            // The report is complete, but the program may not wait yet.
            std::thread::sleep(Duration::from_millis(200));
            running.signal(SIGINT);
            shown(&running.finish(LIMIT).unwrap(), program)
        };
        assert_eq!(ended(ours), ended("iostat"), "{line}");
    }
}

/// iostat dies of SIGTERM and leaves half a document.
#[test]
fn stat_json_is_one_document_after_sigterm() {
    skip_without!(Need::Root, Need::Program("unshare"));
    let machine = Machine::new();
    let ours = machine.ours.to_str().unwrap();
    for line in ["-o JSON 600", "-y -o JSON 1"] {
        let words: Vec<&str> = std::iter::once(ours).chain(line.split_whitespace()).collect();
        let running = Running::start(&mut machine.command(&words)).unwrap();
        wait_for("no report", || running.stdout_so_far().contains("\t\t\t\t}"));
        std::thread::sleep(Duration::from_millis(200));
        running.signal(SIGTERM);
        let ran = running.finish(LIMIT).unwrap();
        let read: Result<serde_json::Value, _> = serde_json::from_str(&ran.stdout);
        let hosts = read.unwrap_or_else(|e| panic!("{line}: {e}: {ran:?}"));
        assert!(!hosts["sysstat"]["hosts"][0]["statistics"].as_array().unwrap().is_empty(), "{line}");
        assert_eq!(ran.signal, Some(SIGTERM), "{line}: {ran:?}");
    }
}

/// Sectors read and written, as `/proc/diskstats` has them for a device.
fn sectors(device: &str) -> [u64; 2] {
    let table = std::fs::read_to_string("/proc/diskstats").unwrap();
    let line = table.lines().find(|line| line.split_whitespace().nth(2) == Some(device)).unwrap();
    let field = |n: usize| line.split_whitespace().nth(n).unwrap().parse().unwrap();
    [field(5), field(9)]
}

fn copy(from: &Path, to: &Path, flag: &str) {
    let mut dd = Command::new("dd");
    let names = [("if", from), ("of", to)].map(|(key, path)| format!("{key}={}", path.display()));
    dd.args(names).args(["bs=64k", "count=37", flag]);
    assert!(dd.output_within(TOOL_LIMIT).unwrap().status.success());
}

#[test]
fn stat_totals_of_a_quiet_device_are_those_of_diskstats() {
    skip_without!(Need::Loop, Need::Program("iostat"));
    let device = LoopDevice::in_memory(8 << 20, true, None).unwrap();
    copy(device.path(), Path::new("/dev/null"), "iflag=direct");
    copy(Path::new("/dev/zero"), device.path(), "oflag=direct");
    let name = device.name();
    // Programs that look at new devices may still read.
    let mut before = sectors(&name);
    wait_for("the device does not become quiet", || {
        std::thread::sleep(Duration::from_millis(200));
        std::mem::replace(&mut before, sectors(&name)) == sectors(&name)
    });
    let ran = |command: &mut Command| {
        let ran = run(command.args(["-d", "-o", "JSON", &name]), LIMIT).unwrap();
        let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
        let disk = &document["sysstat"]["hosts"][0]["statistics"][0]["disk"][0];
        (disk["disk_device"].clone(), disk["kB_read"].as_u64().unwrap(), disk["kB_wrtn"].as_u64().unwrap())
    };
    let ours = ran(Command::new(FATHOM).arg("stat"));
    assert_eq!(sectors(&name), before);
    assert_eq!((ours.1, ours.2), (before[0] / 2, before[1] / 2));
    assert!(ours.1 >= 37 * 64 && ours.2 >= 37 * 64, "{ours:?}");
    assert_eq!(ours, ran(&mut Command::new("iostat")));
}

/// Rates of the last report, which iostat and fathom print at about the same times.
#[test]
fn measures_rates_of_a_busy_device_as_iostat_does() {
    skip_without!(Need::Loop, Need::Program("iostat"), Need::Program("fio"));
    let device = LoopDevice::in_memory(16 << 20, true, None).unwrap();
    let name = device.name();
    let mut load = Command::new("fio");
    load.args(["--name=a", "--rw=randread", "--bs=4k", "--direct=1", "--ioengine=psync", "--rate_iops=400"]);
    load.args(["--time_based", "--runtime=9"]).arg(format!("--filename={}", device.path().display()));
    let load = Running::start(&mut load).unwrap();
    wait_for("no I/O", || sectors(&name)[0] > 4000);
    let last = |ran: Ran| {
        let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
        let disk = document["sysstat"]["hosts"][0]["statistics"][1]["disk"][0].clone();
        ["r/s", "rkB/s", "rareq-sz"].map(|key| disk[key].as_f64().unwrap())
    };
    let words = ["-d", "-x", "-o", "JSON", name.as_str(), "4", "2"];
    let theirs = Running::start(Command::new("iostat").args(words)).unwrap();
    let ours = Running::start(Command::new(FATHOM).arg("stat").args(words)).unwrap();
    let (theirs, ours) = (last(theirs.finish(LIMIT).unwrap()), last(ours.finish(LIMIT).unwrap()));
    drop(load);
    for (ours, theirs) in ours.into_iter().zip(theirs) {
        assert!((ours / theirs - 1.0).abs() < 0.03 && theirs > 0.0, "{ours} {theirs}");
    }
}

#[test]
fn stat_adds_what_util_means_and_plain_leaves_it_out() {
    skip_without!(Need::Root, Need::Program("unshare"));
    let machine = Machine::new();
    let text = |words: &[&str]| {
        let ran = machine.run(FATHOM, words, &[]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    };
    let (full, plain) = (text(&["stat", "-d"]), text(&["stat", "-d", "--plain"]));
    assert!(full.contains("sda: %util 8.9 "), "{full}");
    let unwrapped = full.replace("\n    ", " ");
    assert!(unwrapped.contains("mean in flight 0.31 (3.50 while busy)"), "{full}");
    assert!(!plain.contains("%util") && full.starts_with(plain.trim_end()), "{plain}");
    let json = text(&["stat", "-o", "JSON"]);
    assert!(serde_json::from_str::<Value>(&json).is_ok() && !json.contains("in flight"), "{json}");
    let german = text(&["stat", "-d", "--lang", "de"]);
    assert!(german.replace("\n    ", " ").contains("im Mittel in Bearbeitung 0.31 "), "{german}");
    for words in [&["stat", "-d", "--top"][..], &["stat", "-d", "--top=3", "--cgroup"]] {
        let more = text(words);
        assert!(more.contains("written/s") || more.contains("no process"), "{more}");
    }
}

#[test]
fn stat_history_shows_the_same_reports_again() {
    skip_without!(Need::Root, Need::Program("unshare"));
    let machine = Machine::new();
    let file = machine.tree.join("history");
    let file = file.to_str().unwrap();
    let text = |words: &[&str]| {
        let ran = machine.run(FATHOM, &[&["stat"], words].concat(), &[]);
        (ran.code, ran.stdout, ran.stderr)
    };
    let measured = text(&["-x", "-t", "--history", file]);
    assert_eq!((measured.0, text(&["-d", "--history", file]).0), (Some(0), Some(0)), "{measured:?}");
    let lines = std::fs::read_to_string(file).unwrap();
    assert_eq!(lines.lines().count(), 2, "{lines}");
    let again = text(&["-x", "-t", "--from", file]);
    assert!(again.1.starts_with(&measured.1), "{}\n{}", again.1, measured.1);
    assert_eq!(again.1.matches("avg-cpu").count(), 2);
    let sda = text(&["-d", "--from", file, "sda", "--plain"]).1;
    assert_eq!((sda.matches("\nsda ").count(), sda.matches("\nsdb ").count()), (2, 0), "{sda}");
    // A report that was cut off (a full disk, a crash) costs itself only.
    std::fs::write(file, &lines[..lines.len() - 30]).unwrap();
    assert_eq!(text(&["-d", "--history", file]).0, Some(0));
    let continued = text(&["-d", "--from", file]);
    assert_eq!((continued.0, continued.1.matches("\nsda ").count()), (Some(0), 2), "{continued:?}");
    let both = text(&["--watch", "--history", file]);
    assert!(both.0 == Some(2) && both.2.contains("--watch cannot be combined with --history"), "{both:?}");
    std::fs::write(file, format!("{lines}none\n")).unwrap();
    let broken = text(&["--from", file]);
    assert!(broken.0 == Some(1) && broken.2.contains("line 3"), "{broken:?}");
    assert_eq!(text(&["--from", "/nonexistent"]).0, Some(1));
}

#[test]
fn stat_appends_its_history_to_no_device_and_no_file_of_others() {
    skip_without!(Need::Loop);
    let sandbox = Sandbox::new().unwrap();
    let device = LoopDevice::sparse(1 << 20, Default::default()).unwrap();
    let text = sandbox.join("text");
    std::fs::write(&text, "a text of somebody\n").unwrap();
    for (path, kept) in [
        (device.path(), device.backing()),
        (device.backing(), device.backing()),
        (text.as_path(), text.as_path()),
    ] {
        let before = std::fs::read(kept).unwrap();
        let ran = run(Command::new(FATHOM).args(["stat", "--history"]).arg(path), LIMIT).unwrap();
        assert_eq!(ran.code, Some(3), "{path:?}: {ran:#?}");
        assert!(std::fs::read(kept).unwrap() == before, "{path:?}");
    }
}

/// Starts the view on a terminal and waits for its first table.
fn watch(columns: u16, rows: u16, words: &[&str], no_colour: bool) -> Pty {
    let mut command = Command::new(FATHOM);
    command.args(["stat", "--watch", "ALL", "1"]).args(words).env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR");
    if no_colour {
        command.env("NO_COLOR", "1");
    }
    let mut pty = Pty::interactive(&mut command, columns, rows).unwrap();
    // The last row is drawn last: before it is there, a picture may be half drawn.
    let complete = |shown: &[String]| {
        let keys = shown.last().is_some_and(|row| row.starts_with("q quit"));
        keys && shown.len() == usize::from(rows) && shown.iter().any(|row| row.contains("%util"))
    };
    assert!(pty.rows_until(LIMIT, complete).unwrap(), "{:?}", pty.rows());
    pty
}

/// Sequences with which a full-screen program takes and gives back the terminal.
const ENTERS: &str = "\u{1b}[?1049h";
const LEAVES: &str = "\u{1b}[?1049l";

#[test]
fn stat_watch_fits_the_screen_and_leaves_it() {
    for (columns, rows, no_colour) in [(80, 24, false), (120, 40, false), (40, 10, true)] {
        let mut pty = watch(columns, rows, &[], no_colour);
        let shown = pty.rows();
        assert!(shown[0].starts_with("fathom stat, every 1 s"), "{shown:?}");
        assert_eq!(shown.len(), usize::from(rows), "{shown:?}");
        assert!(shown[usize::from(rows) - 1].starts_with("q quit"), "{shown:?}");
        assert!(!pty.has_line_mode().unwrap());
        pty.type_keys(b"p").unwrap();
        assert!(
            pty.rows_until(LIMIT, |rows| rows[0].contains("paused") || columns == 40).unwrap(),
            "{:?}",
            pty.rows()
        );
        pty.type_keys(b"q").unwrap();
        let cooked = |pty: &Pty| pty.has_line_mode().unwrap();
        wait_for("raw mode stays", || cooked(&pty));
        let ended = pty.finish(LIMIT).unwrap();
        assert_eq!(ended.status.and_then(|status| status.code()), Some(0), "{ended:?}");
        assert!(ended.sent.contains(ENTERS) && ended.sent.contains(LEAVES), "{ended:?}");
        let colours = ["[36m", "[90m", "38;5"].iter().any(|colour| ended.sent.contains(colour));
        assert_eq!(colours, !no_colour, "{:?}", ended.sent);
    }
}

#[test]
fn stat_watch_follows_size_and_keys() {
    let mut pty = watch(80, 24, &[], false);
    let chosen = pty.rows();
    pty.type_keys(b"\x1b[B").unwrap();
    let heading = |rows: &[String]| {
        let row = rows.iter().find_map(|row| row.split_once(", last "));
        row.map(|(device, _)| device.to_owned())
    };
    assert!(pty.rows_until(LIMIT, |rows| heading(rows) != heading(&chosen)).unwrap(), "{:?}", pty.rows());
    for (columns, rows) in [(40, 10), (120, 40), (65535, 65535), (80, 24)] {
        pty.resize_to(columns, rows).unwrap();
        let fits = |shown: &[String]| {
            let last = shown.last().is_some_and(|row| row.starts_with("q quit"));
            last && shown.len() == usize::from(rows.min(200))
        };
        assert!(pty.rows_until(LIMIT, fits).unwrap(), "{columns}x{rows}: {:?}", pty.rows());
    }
    pty.type_keys(b"q").unwrap();
    assert_eq!(pty.finish(LIMIT).unwrap().status.and_then(|status| status.code()), Some(0));
}

#[test]
fn stat_watch_restores_the_terminal_at_signals() {
    use rustix::process::{Pid, Signal, kill_process};
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let pty = watch(80, 24, &[], false);
        kill_process(Pid::from_raw(pty.pid() as i32).unwrap(), signal).unwrap();
        wait_for("raw mode stays", || pty.has_line_mode().unwrap());
        let ended = pty.finish(LIMIT).unwrap();
        assert_eq!(ended.status.and_then(|status| status.code()), Some(128), "{ended:?}");
        assert!(ended.sent.contains(LEAVES), "{ended:?}");
    }
    // A terminal that is gone.
    let status = watch(80, 24, &[], false).hang_up(LIMIT).unwrap();
    assert!(status.is_some_and(|status| status.code().is_some_and(|code| code != 101)), "{status:?}");
    let ran = run(Command::new(FATHOM).args(["stat", "--watch"]), LIMIT).unwrap();
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.lines().count()), (Some(2), "", 1), "{ran:?}");
}
