//! The predicted allocation of a plan is never less than the actual one.

use crate::plans::setup;
use facts::SysRoot;
use job::files::NoFiles;
use job::{Dialect, Parsed};
use run::Silent;
use run::consent::Policy;
use run::prepare::Host;
use run::space::needs;
use std::path::Path;
use testbed::{FileSystem, Mount, Need, skip_without};

const KIB: u64 = 1024;

/// Random choices that are repeatable from a printed seed (splitmix64).
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

fn line(choices: &mut Choices, dir: &Path) -> String {
    let mut line = format!("--name=a --size={}", 330 * KIB + choices.below(3000 * KIB));
    let options: [(&str, &[&str]); 13] = [
        ("rw", &["write", "randwrite", "randrw", "read", "rw"]),
        ("bs", &["4k", "1k", "3k", "64k"]),
        ("fallocate", &["none", "native", "keep", "truncate"]),
        ("overwrite", &["0", "1"]),
        ("file_append", &["0", "0", "1"]),
        ("io_size", &["0", "0", "64k", "5m"]),
        ("numjobs", &["1", "2", "3"]),
        ("nrfiles", &["1", "2", "5"]),
        ("offset", &["0", "64k", "1000"]),
        ("offset_increment", &["0", "300k"]),
        ("number_ios", &["0", "0", "7"]),
        ("loops", &["1", "2"]),
        ("ioengine", &["psync", "libaio"]),
    ];
    for (key, values) in options {
        if choices.below(2) == 0 {
            line += &format!(" --{key}={}", choices.one(values));
        }
    }
    if choices.below(3) == 0 {
        line += &format!(" --filename={}", dir.join("t").display());
    } else {
        line += &format!(" --directory={}", dir.display());
    }
    line
}

/// Returns the predicted allocation of a command line, and the decrease of free space by `statvfs`.
fn predicted_and_taken(line: &str, dir: &Path) -> (u64, u64) {
    let words: Vec<_> = line.split_whitespace().map(Into::into).collect();
    let jobs = match job::command_line(&words, "fathom", Dialect::Fio, &mut NoFiles) {
        Ok(Parsed::Run(command)) => command.jobs,
        _ => panic!("{line}"),
    };
    let plan = job::plan(jobs, &mut Host).unwrap_or_else(|e| panic!("{line}: {e}"));
    let free = || {
        rustix::fs::sync();
        let fs = rustix::fs::statvfs(dir).unwrap();
        fs.f_bfree * fs.f_frsize
    };
    let before = free();
    let needs = needs(&plan, &SysRoot::machine());
    // The file system of the backing file is another one.
    let predicted: u64 = needs.iter().filter(|n| n.directory.starts_with(dir)).map(|n| n.bytes).sum();
    let setup = setup(Policy::Fio);
    run::run(&plan, &setup, &mut Silent).unwrap_or_else(|e| panic!("{line}: {e}"));
    (predicted, before.saturating_sub(free()))
}

fn never_less_than_taken(jobs: u64) {
    let seed = std::env::var("FATHOM_SEED").ok().and_then(|s| s.parse().ok());
    let seed: u64 = seed.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64);
    println!("FATHOM_SEED={seed}");
    let mut choices = Choices(seed);
    for kind in [FileSystem::Tmpfs, FileSystem::Ext4] {
        let mount = Mount::new(kind, 128 << 20).unwrap();
        for _ in 0..jobs / 2 {
            if choices.below(2) == 0 {
                // Half of a file that a job may find; the other half is a hole.
                let file = std::fs::File::create(mount.path().join("t")).unwrap();
                let (size, data) = (choices.below(4000 * KIB), vec![7; choices.below(2000 * KIB) as usize]);
                std::os::unix::fs::FileExt::write_all_at(&file, &data, choices.below(size + 1)).unwrap();
            }
            let line = line(&mut choices, mount.path());
            let (predicted, taken) = predicted_and_taken(&line, mount.path());
            assert!(predicted >= taken, "{}: {line}: predicted {predicted}, took {taken}", kind.name());
            for entry in std::fs::read_dir(mount.path()).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_file() {
                    std::fs::remove_file(entry.path()).unwrap();
                }
            }
        }
    }
}

#[test]
fn what_jobs_take_is_never_more_than_predicted() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    never_less_than_taken(30);
}

/// Long version of [`what_jobs_take_is_never_more_than_predicted`].
#[test]
#[ignore = "300 jobs"]
fn what_many_jobs_take_is_never_more_than_predicted() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    never_less_than_taken(300);
}
