//! Random jobs from the options that determine the region of a file that a job may touch.

use crate::dice::Dice;
use crate::oracle::draw::value;
use anyhow::{Context as _, Result, bail};

/// File that exists before the job starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// Name in the working directory.
    pub name: String,
    /// Length of the file, bytes.
    pub size: u64,
    /// Whether the file is a single hole without allocated blocks.
    pub hole: bool,
}

/// One job, or two in sequence, and the files that exist before.
#[derive(Clone, Debug)]
pub struct Case {
    /// Files that exist before the first job.
    pub files: Vec<Prepared>,
    /// Options of each job, except its name.
    pub jobs: Vec<Vec<(String, String)>>,
}

impl Case {
    /// Returns the case with the text printed by [`Case::text`].
    ///
    /// # Errors
    /// The text does not have this form.
    pub fn given(text: &str) -> Result<Case> {
        let (files, args) =
            text.split_once("--").context("oracle: --region takes 'FILE=BYTES ... --option=value ...'")?;
        let prepared = |word: &str| -> Result<Prepared> {
            let (name, size) =
                word.split_once('=').with_context(|| format!("oracle: {word}: no FILE=BYTES"))?;
            let hole = size.ends_with("hole");
            let size = size.trim_end_matches("hole").parse().with_context(|| format!("oracle: {word}"))?;
            Ok(Prepared { name: name.into(), size, hole })
        };
        let files = files.split_whitespace().map(prepared).collect::<Result<_>>()?;
        let words: Vec<(String, String)> = format!("--{args}")
            .split_whitespace()
            .map(|word| word.trim_start_matches("--"))
            .map(|w| w.split_once('=').map_or((w.into(), String::new()), |(k, v)| (k.into(), v.into())))
            .collect();
        let mut jobs: Vec<Vec<(String, String)>> = Vec::new();
        for (key, value) in words {
            match (key.as_str(), jobs.last_mut()) {
                ("name", _) => jobs.push(Vec::new()),
                (_, Some(job)) => job.push((key, value)),
                _ => bail!("oracle: --region: the first option is --name"),
            }
        }
        Ok(Case { files, jobs })
    }

    /// Returns the files and the command line in the form of `--region`.
    pub fn text(&self) -> String {
        let file = |f: &Prepared| format!("{}={}{}", f.name, f.size, if f.hole { "hole" } else { "" });
        self.files.iter().map(file).chain(self.args(None)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the command line, with another seed for the generators if one is given.
    pub fn args(&self, seed: Option<u64>) -> Vec<String> {
        let mut args = Vec::new();
        for (job, name) in self.jobs.iter().zip(["a", "b", "c", "d"]) {
            args.push(format!("--name={name}"));
            if let Some(seed) = seed {
                args.extend(["--randrepeat=0".into(), format!("--randseed={seed}")]);
            }
            args.extend(job.iter().map(|(key, value)| match value.as_str() {
                "" => format!("--{key}"),
                value => format!("--{key}={value}"),
            }));
        }
        args
    }

    /// Returns whether fio itself stays within the region in every pass (docs/compat.md). With zones fio continues
    /// after the region up to the end of the file, and an offset in percent relates to the file that the job has made
    /// longer meanwhile; fathom does neither.
    pub fn keeps_region(&self) -> bool {
        let moves = |job: &Vec<(String, String)>| {
            let percent = |key: &str| value(job, key).is_some_and(|v| v.ends_with('%'));
            let again = value(job, "loops").or(value(job, "io_size")).is_some();
            let holes = value(job, "rw").is_some_and(|rw| rw.contains(':'));
            again && holes && (percent("offset") || percent("offset_increment"))
        };
        !self.jobs.iter().any(|job| value(job, "zonemode").is_some() || moves(job))
    }

    /// Returns whether fio chooses the length of a file at random, which may decide whether the job is refused.
    pub fn draws_lengths(&self) -> bool {
        self.jobs.iter().any(|job| value(job, "filesize").is_some_and(|range| range.contains('-')))
    }

    /// Returns whether random sizes determine where each later block begins, so that few seeds reach the same places.
    pub fn scattered(&self) -> bool {
        let many = |job: &Vec<(String, String)>| {
            value(job, "bsrange").or(value(job, "bssplit")).is_some()
                && value(job, "rw").is_some_and(|rw| rw.contains(':'))
        };
        self.jobs.iter().any(many)
    }

    /// Returns whether every run reaches about as far as any other. This is not so if a limit or the random choice
    /// between reads and writes ends a run early.
    pub fn reaches_all(&self) -> bool {
        let bound = |job: &Vec<(String, String)>| {
            let limited =
                value(job, "io_size").or(value(job, "number_ios")).or(value(job, "filesize")).is_some();
            // A run of `randwrite:N` may or may not end at the end of the region (docs/compat.md).
            limited || matches!(value(job, "rw"), Some("rw" | "randrw" | "randwrite:3"))
        };
        self.keeps_region() && !self.jobs.iter().any(bound)
    }

    /// Returns the same jobs changed so that fio touches everything that it may touch: mixed jobs only write; the
    /// number of I/Os is not limited; `io_size` does not end random jobs, nor jobs on several files whose random
    /// lengths or sizes determine how much of each file is within a limit. With `anywhere` random jobs may repeat
    /// blocks, otherwise not.
    pub fn unlimited(&self, anywhere: bool) -> Case {
        let mut other = self.clone();
        for job in &mut other.jobs {
            let random = value(job, "rw").is_some_and(|rw| rw.starts_with("rand"));
            let mixed = matches!(value(job, "rw"), Some("rw" | "randrw"));
            job.retain(|(key, _)| key != "number_ios" && !(random && key == "io_size"));
            let shared = value(job, "nrfiles").is_some()
                || value(job, "filename").is_some_and(|names| names.contains(':'));
            let sized = value(job, "filesize").is_some();
            let drawn = value(job, "filesize").is_some_and(|range| range.contains('-'))
                || value(job, "bsrange").or(value(job, "bssplit")).is_some();
            let limits = |key: &str, v: &str| key == "io_size" || key == "size" && sized && !v.ends_with('%');
            if !random && shared && drawn && job.iter().any(|(key, v)| limits(key, v)) {
                job.retain(|(key, v)| !limits(key, v));
                job.push(("io_size".into(), BEYOND_ALL.into()));
            }
            // fio ends a pass at the first draw beyond the end, after few I/Os; all zones together are the region.
            job.retain(|(_, v)| v != ZONES_BEYOND);
            if mixed {
                job.retain(|(key, _)| key != "rwmixread");
                job.push(("rwmixread".into(), "0".into()));
            }
            if random {
                job.retain(|(key, _)| key != "loops" && !(anywhere && key == "norandommap"));
                job.push(("loops".into(), "6".into()));
            }
            if random && anywhere {
                job.push(("norandommap".into(), String::new()));
            }
        }
        other
    }

    /// Returns whether the options alone determine which bytes change, independently of random generators.
    pub fn certain(&self) -> bool {
        self.jobs.iter().all(|job| certain(job))
    }
}

/// Size larger than all files of a job together.
const BEYOND_ALL: &str = "8m";
/// Value of `random_distribution` with absolute zones that extend beyond the end of every region.
const ZONES_BEYOND: &str = "zoned_abs:60/40k:40/2m";

fn certain(job: &[(String, String)]) -> bool {
    let rw = value(job, "rw").unwrap_or("read");
    let set = |key: &str| value(job, key).is_some();
    let limited = set("io_size") || set("number_ios") || set("filesize") && set("size");
    let many_sizes = set("bsrange") || set("bssplit");
    // Whether block sizes that are not multiples of the smallest reach the end of a region depends on the draws.
    let uneven = value(job, "bsrange") == Some("3k-10k");
    let sized = value(job, "filesize").is_some_and(|range| range.contains('-'));
    let zoned = set("zonemode");
    // If the start moves with the length of the file, fio draws a size that may not fit, and ends there.
    let percent = |key: &str| value(job, key).is_some_and(|v| v.ends_with('%'));
    let moves = set("file_append") || percent("offset") || percent("offset_increment");
    let law = value(job, "file_service_type") == Some("random");
    match rw {
        // Random generators have no influence.
        "read" | "randread" => !sized,
        "write" => !sized && !law && !(many_sizes && (limited || zoned || moves || uneven)),
        _ if rw.starts_with("write:") => !sized && !law && !many_sizes,
        "randwrite" => {
            let past_the_map = set("norandommap")
                || set("blockalign")
                || set("percentage_random")
                || set("random_distribution");
            !sized && !limited && !many_sizes && !zoned && !past_the_map
        }
        _ => false,
    }
}

/// Returns a random length: whole pages, whole sectors, or any number of bytes.
fn length(dice: &mut Dice) -> u64 {
    match dice.below(6) {
        0 => dice.between(8, 1300) * 512,
        1 => dice.between(4_100, 660_000),
        _ => dice.between(4, 160) * 4096,
    }
}

/// Returns a random length as the value of an option.
fn size(dice: &mut Dice) -> String {
    let n = length(dice);
    if n.is_multiple_of(4096) { format!("{}k", n / 1024) } else { n.to_string() }
}

fn percent(dice: &mut Dice) -> String {
    format!("{}%", dice.one(&[1usize, 10, 25, 33, 50, 70, 90, 100]))
}

fn options(dice: &mut Dice, filename: Option<&str>) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut set = |key: &str, value: &str| out.push((key.to_string(), value.to_string()));
    let engine = dice.one(&["psync", "psync", "psync", "sync", "libaio", "io_uring", "pvsync", "mmap"]);
    if engine != "psync" {
        set("ioengine", engine);
    }
    let rw = dice.one(&[
        "write",
        "write",
        "write",
        "write",
        "randwrite",
        "randwrite",
        "rw",
        "randrw",
        "read",
        "randread",
        "write:4k",
        "write:12k",
        "write:-4k",
        "write:-12k",
        "randwrite:3",
    ]);
    set("rw", rw);
    if matches!(engine, "libaio" | "io_uring") {
        set("iodepth", dice.one(&["1", "4", "16"]));
    }
    match dice.below(8) {
        0 => set("bsrange", dice.one(&["1k-8k", "4k-16k", "512-4k", "3k-10k"])),
        1 => set("bssplit", dice.one(&["4k/60:16k/40", "8k/50:12k/50", "4k/:8k/50:32k/"])),
        2 => set("bs", dice.one(&["512", "1k", "12k", "64k", "128k", "3000"])),
        _ => set("bs", "4k"),
    }
    // The size of the region.
    match dice.below(8) {
        0 => {}
        1 | 2 => set("size", &percent(dice)),
        // fio uses the higher end of a range.
        3 => set("size", &format!("{}k-{}k", dice.between(1, 100), dice.between(100, 400))),
        _ => set("size", &size(dice)),
    }
    if dice.rarely(4) {
        let one = size(dice);
        match dice.below(4) {
            // In fio, a range whose higher end comes first has another meaning (docs/compat.md).
            0 => set("filesize", &format!("{one}-{}", length(dice) + 700_000)),
            _ => set("filesize", &one),
        }
    }
    match dice.below(8) {
        0 => set("io_size", &percent(dice)),
        1 | 2 => set("io_size", &size(dice)),
        _ => {}
    }
    match dice.below(8) {
        0 => set("offset", &percent(dice)),
        1 => set("offset", &format!("{}k", dice.between(0, 60) * 4)),
        2 => set("offset", &dice.between(1, 70_000).to_string()),
        _ => {}
    }
    if dice.rarely(8) {
        set("offset_align", dice.one(&["512", "4k", "16k", "1000"]));
    }
    if dice.rarely(8) {
        set("number_ios", dice.one(&["1", "3", "10", "40"]));
    }
    let jobs = dice.one(&["1", "1", "1", "2", "3"]);
    if jobs != "1" {
        set("numjobs", jobs);
    }
    if jobs != "1" && dice.rarely(2) || dice.rarely(16) {
        match dice.below(3) {
            0 => set("offset_increment", &percent(dice)),
            _ => set("offset_increment", &size(dice)),
        }
    }
    if dice.rarely(8) {
        set("zonemode", "strided");
        set("zonesize", dice.one(&["16k", "64k", "20k", "50000"]));
        match dice.below(3) {
            0 => set("zonerange", dice.one(&["16k", "64k", "128k", "30000"])),
            1 => set("zoneskip", dice.one(&["4k", "64k", "10000"])),
            _ => {}
        }
    }
    match filename {
        Some(name) => set("filename", name),
        None if dice.rarely(3) => set("nrfiles", dice.one(&["2", "3"])),
        None => {}
    }
    let mut rarely = |n: usize, key: &str, values: &[&str]| {
        if dice.rarely(n) {
            set(key, dice.one(values));
        }
    };
    rarely(6, "file_append", &["1"]);
    rarely(5, "overwrite", &["1"]);
    rarely(4, "fallocate", &["none", "native", "posix", "keep", "truncate"]);
    rarely(16, "loops", &["2"]);
    // The contents that a read finds in a file being created by other jobs depend on chance.
    if rw.contains("write") {
        rarely(16, "create_on_open", &["1"]);
    }
    rarely(12, "norandommap", &[""]);
    let laws =
        ["zipf:1.2", "pareto:0.2", "normal:30", "zoned:60/10:40/90", "zoned_abs:60/4k:40/12k", ZONES_BEYOND];
    rarely(12, "random_distribution", &laws);
    rarely(12, "random_generator", &["lfsr", "tausworthe64"]);
    rarely(12, "blockalign", &["512", "4k", "16k"]);
    rarely(12, "rwmixread", &["0", "30", "90"]);
    rarely(16, "openfiles", &["1", "2"]);
    rarely(16, "create_only", &["1"]);
    rarely(20, "direct", &["1"]);
    rarely(20, "serialize_overlap", &["1"]);
    rarely(20, "end_fsync", &["1"]);
    rarely(20, "percentage_random", &["50"]);
    rarely(20, "file_service_type", &["sequential", "random"]);
    let set = |out: &[(String, String)], key: &str| value(out, key).is_some();
    // fio's mmap engine subtracts the offset twice, or not at all (docs/compat.md).
    let moved = ["offset", "offset_increment", "file_append"].iter().any(|key| set(&out, key));
    if engine == "mmap" && moved {
        out.retain(|(key, _)| key != "ioengine");
    }
    // In fio, zones of random runs and of backward sequences differ (docs/compat.md), as do ranges of filesize and
    // percents with backward sequences.
    let several =
        filename.is_some_and(|name| name.contains(':')) || set(&out, "nrfiles") || set(&out, "numjobs");
    if rw == "randwrite:3" || rw.starts_with("write:-") {
        out.retain(|(key, _)| !key.starts_with("zone"));
    }
    if rw.starts_with("write:-") {
        out.retain(|(key, v)| key != "filesize" && !(key.starts_with("offset") && v.ends_with('%')));
    }
    // Clones whose offset is beyond the end of a file of random length differ (docs/compat.md).
    let range = value(&out, "filesize").is_some_and(|range| range.contains('-'));
    if range && (set(&out, "offset_increment") || set(&out, "file_append")) {
        out.retain(|(key, _)| key != "filesize");
    }
    // fio's mmap engine crashes on a block that reaches beyond the region (docs/compat.md).
    let whole = value(&out, "bs") == Some("4k")
        && !several
        && value(&out, "size").is_some_and(|size| size.ends_with('k') && !size.contains('-'))
        && !set(&out, "filesize")
        && !set(&out, "blockalign");
    if engine == "mmap" && !whole {
        out.retain(|(key, _)| key != "ioengine");
    }
    if rw != "randwrite" {
        out.retain(|(key, _)| key != "blockalign" && key != "percentage_random");
    }
    // With a size in percent, create_on_open creates other files than fio (docs/compat.md).
    if value(&out, "size").is_some_and(|size| size.ends_with('%')) {
        out.retain(|(key, _)| key != "create_on_open");
    }
    // Every written byte is 0xff, so that the changed ranges are known exactly.
    out.push(("buffer_pattern".into(), "0xff".into()));
    out
}

/// Returns one random job, or two in sequence that use the same files.
pub fn draw(dice: &mut Dice) -> Case {
    let filename = match dice.below(3) {
        0 => Some("t"),
        1 => Some("t:u"),
        _ => None,
    };
    let mut jobs = vec![options(dice, filename)];
    if dice.rarely(6) {
        let mut second = vec![("stonewall".to_string(), String::new())];
        second.extend(options(dice, filename));
        jobs.push(second);
    }
    let mut files = Vec::new();
    if !dice.rarely(3) {
        let names: Vec<String> = match filename {
            Some(names) => names.split(':').map(String::from).collect(),
            None => ["a", "b"]
                .iter()
                .flat_map(|job| {
                    (0..3).flat_map(move |clone| (0..3).map(move |file| format!("{job}.{clone}.{file}")))
                })
                .collect(),
        };
        let (hole, one) = (dice.rarely(8), length(dice));
        for name in names {
            let size = if dice.rarely(3) { length(dice) } else { one };
            if !dice.rarely(8) {
                files.push(Prepared { name, size, hole });
            }
        }
        // Files that no job uses are not created.
        let used = |name: &str| {
            filename.is_some()
                || jobs.iter().zip(["a", "b"]).any(|(job, own)| {
                    let (jobs, files) =
                        (value(job, "numjobs").unwrap_or("1"), value(job, "nrfiles").unwrap_or("1"));
                    let within = |at: Option<&str>, most: &str| at.is_some_and(|at| at < most);
                    let mut parts = name.split('.');
                    parts.next() == Some(own) && within(parts.next(), jobs) && within(parts.next(), files)
                })
        };
        files.retain(|file| used(&file.name));
    }
    Case { files, jobs }
}
