//! Every command on a directory of a user: the command lines, the directory with a store, and what has to be true of it after
//! any of them, however it ended.

use crate::common::words;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, DATA_HOME, Ran};
use testbed::{Bounded, FileSystem, LoopDevice, Mount, Sandbox, TOOL_LIMIT};

pub const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
pub const LIMIT: Duration = Duration::from_secs(60);

/// A command line; what it may make and change.
pub struct Case {
    pub args: &'static str,
    /// Files that it makes because the user named them.
    pub makes: &'static [&'static str],
    /// It needs a loop device, whose path replaces `DEVICE`.
    pub device: bool,
    /// Of the sample: it takes at most a few tenths of a second.
    pub quick: bool,
}

const fn case(args: &'static str, makes: &'static [&'static str]) -> Case {
    Case { args, makes, device: false, quick: true }
}

pub const CASES: [Case; 17] = [
    Case { quick: false, ..case("read --seconds=1 --json", &[]) },
    Case { quick: false, ..case(". --seconds=1 --json", &[]) },
    case(
        "run --name=a --filename=new --size=1m --rw=randrw --bs=4k --ioengine=io_uring --number_ios=64 --json --output=out",
        &["new", "out"],
    ),
    case(
        "run --name=a --numjobs=2 --size=256k --rw=randwrite --ioengine=libaio --iodepth=4 --ramp_time=50ms \
         --time_based --runtime=100ms",
        &["a.0.0", "a.1.0"],
    ),
    case(
        "fio --name=a --filename=new --size=1m --rw=randread --bs=4k --number_ios=64 --output-format=json \
         --output=out",
        &["new", "out"],
    ),
    case("fio --name=a --numjobs=2 --size=256k --rw=write --unlink=1 --end_fsync=1", &["a.0.0", "a.1.0"]),
    case("explore read --budget=1s --questions=depth --patterns=4k-randread --json --job=job", &["job"]),
    Case {
        device: true,
        quick: false,
        ..case(
            "explore DEVICE --budget=1s --questions= --patterns=4k-randread --axis=read_ahead_kb=0,1024",
            &[],
        )
    },
    Case {
        device: true,
        quick: false,
        ..case("run --name=a --filename=DEVICE --rw=read --size=64k --ioscheduler=mq-deadline", &[])
    },
    case("prefill --yes sparse", &[]),
    Case { quick: false, ..case("doctor read --json", &[]) },
    case("list --json", &[]),
    case("show R1", &[]),
    case("report R1 -o page", &["page"]),
    case("report fio.json -o page", &["page"]),
    case("compare R1 R2", &[]),
    case("export S1 --json", &[]),
];

/// Hashes of the files below `dir`, by their paths from there.
pub fn tree(dir: &Path) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    let mut places = vec![dir.to_path_buf()];
    while let Some(place) = places.pop() {
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                places.push(path);
                continue;
            }
            let mut hash = DefaultHasher::new();
            std::fs::read(&path).ok().hash(&mut hash);
            let name = path.strip_prefix(dir).unwrap_or(&path);
            found.insert(name.display().to_string(), hash.finish());
        }
    }
    found
}

/// Where the letter lies in the sparse file.
const LETTER: (usize, &[u8]) = (65536, b"Dear reader, this is not fathom's.");

/// A directory with the files of a user: foreign data, a sparse file with a letter in it, a store with two runs and a study.
pub struct Template {
    pub sandbox: Sandbox,
}

impl Template {
    pub fn new() -> Template {
        let sandbox = Sandbox::in_memory().unwrap();
        sandbox.file("read", 1 << 20).unwrap();
        let sparse = sandbox.sparse("sparse", 2 << 20).unwrap();
        let file = std::fs::File::options().write(true).open(sparse).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, LETTER.1, LETTER.0 as u64).unwrap();
        drop(file);
        let job = "run --name=a --filename=read --rw=randread --bs=4k --number_ios=64";
        for (args, to) in [
            (job, None),
            (job, None),
            ("explore model:servers=4;law=constant:1ms --questions=depth --patterns=4k-randread", None),
            ("fio --name=a --filename=read --rw=read --number_ios=64 --output-format=json", Some("fio.json")),
        ] {
            let mut command = Command::new(FATHOM);
            command.args(words(args)).current_dir(sandbox.path()).env(DATA_HOME, sandbox.join("data"));
            let ran = child::run(&mut command, LIMIT).unwrap();
            assert_eq!(ran.code, Some(0), "{args}: {ran:?}");
            if let Some(name) = to {
                std::fs::write(sandbox.join(name), ran.stdout).unwrap();
            }
        }
        Template { sandbox }
    }

    /// A copy on a file system of its own.
    pub fn bench(&self, case: &Case) -> Bench {
        let mount = Mount::new(FileSystem::Tmpfs, 64 << 20).unwrap();
        let mut copy = Command::new("cp");
        copy.args(["-a", "--sparse=always"]).arg(self.sandbox.join(".")).arg(mount.path());
        assert!(copy.output_within(TOOL_LIMIT).unwrap().status.success());
        std::fs::create_dir(mount.path().join("tmp")).unwrap();
        let device = case.device.then(|| LoopDevice::in_memory(4 << 20, true, None).unwrap());
        let settings = device.as_ref().map_or_else(Vec::new, |device| {
            let queue = Path::new("/sys/block").join(device.name()).join("queue");
            ["read_ahead_kb", "scheduler", "nr_requests"].map(|name| queue.join(name)).into()
        });
        let settings =
            settings.into_iter().map(|path| (std::fs::read_to_string(&path).unwrap(), path)).collect();
        let own = Sandbox::in_memory().unwrap();
        let view = own.join("view");
        std::fs::create_dir(&view).unwrap();
        rustix::mount::mount_bind(mount.path(), &view).unwrap();
        Bench { mount, view, device, settings, own }
    }
}

pub struct Bench {
    pub mount: Mount,
    /// The same file system mounted once more, for the command of the cell alone: a process that another cell starts at
    /// that moment may have inherited files that this test reads in `mount`.
    pub view: PathBuf,
    pub device: Option<LoopDevice>,
    pub settings: Vec<(String, PathBuf)>,
    /// The log of strace, and the records of settings.
    pub own: Sandbox,
}

impl Bench {
    pub fn prepare<'c>(&self, command: &'c mut Command, args: &str, dir: &Path) -> &'c mut Command {
        let device = self.device.as_ref().map_or_else(String::new, |d| d.path().display().to_string());
        command.args(words(&args.replace("DEVICE", &device))).current_dir(dir);
        command.env(DATA_HOME, dir.join("data")).env("TMPDIR", dir.join("tmp"));
        command.env("FATHOM_SETTINGS_DIR", self.own.join("records"))
    }

    pub fn next(&self, args: &str) -> Ran {
        child::run(self.prepare(&mut Command::new(FATHOM), args, self.mount.path()), LIMIT).unwrap()
    }
}

/// Lines of standard error; fio's own begin with an empty one.
pub fn lines(ran: &Ran) -> usize {
    ran.stderr.lines().filter(|line| !line.is_empty()).count()
}

/// What is wrong after a command.
#[derive(Default)]
pub struct Wrong(pub Vec<String>);

impl Wrong {
    pub fn unless(&mut self, right: bool, text: impl FnOnce() -> String) {
        if !right {
            self.0.push(text());
        }
    }
}

pub fn judge_files(wrong: &mut Wrong, case: &Case, bench: &Bench, before: &BTreeMap<String, u64>) {
    let dir = bench.mount.path();
    let next = bench.next("list --json");
    wrong.unless(next.code == Some(0) && next.stderr.is_empty(), || format!("the next start: {next:?}"));
    let listed: serde_json::Value = serde_json::from_str(&next.stdout).unwrap_or_default();
    let count = listed.as_array().map(Vec::len);
    wrong.unless(matches!(count, Some(3 | 4)), || format!("stored: {listed}"));
    let after = tree(dir);
    for (name, hash) in before {
        let ours = name == "sparse" && case.args.starts_with("prefill") || name == "data/fathom/store.sqlite";
        wrong.unless(ours || after.get(name) == Some(hash), || format!("{name} was changed"));
    }
    // The journal stays: a run is stored without waiting for the disk.
    let known = |name: &str| name.starts_with("data/fathom/store.sqlite-") || case.makes.contains(&name);
    let strange: BTreeSet<_> =
        after.keys().filter(|name| !before.contains_key(*name) && !known(name)).collect();
    wrong.unless(strange.is_empty(), || format!("left behind: {strange:?}"));
    if let Ok(page) = std::fs::read_to_string(dir.join("page")) {
        wrong.unless(page.trim_end().ends_with("</html>"), || format!("a page of {} bytes", page.len()));
    }
    let sparse = std::fs::read(dir.join("sparse")).unwrap();
    let letter = sparse[LETTER.0..].starts_with(LETTER.1) && sparse.len() == 2 << 20;
    wrong.unless(letter, || "the letter is lost".into());
    // Where a test has filled the file system: SQLite needs space for this.
    for place in ["", "data", "tmp"] {
        let _ = std::fs::remove_file(dir.join(place).join("ballast"));
    }
    let store = Connection::open(dir.join("data/fathom/store.sqlite")).unwrap();
    let whole: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    wrong.unless(whole == "ok", || whole.clone());
}
